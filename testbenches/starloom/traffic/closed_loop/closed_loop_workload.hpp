// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The requests and replies of a closed loop.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <starloom/core/random.hpp>
#include <starloom/traffic/closed_loop/closed_loop.hpp>
#include <starloom/traffic/workloads/workload.hpp>

namespace starloom {

/// Requests and replies are messages of one packet. Those of a step and node are numbered requests first, each kind in
/// the order of the messages that caused them: replies to a client, or requests that a server has served.
class ClosedLoopWorkload final : public Workload {
 public:
  /// \param seed of random servers: bounded(n) of word(seed, 3, client, step of creation, 0..), where a client that
  /// draws itself draws again, and requests that are created together take the first, second, ... draw.
  ClosedLoopWorkload(std::shared_ptr<const ClosedLoop> loop, std::uint64_t seed);

  Step next_creation() const override;
  void create(Step step, std::vector<NewMessage>& out) override;
  void delivered(MessageNumber message, Step step) override;
  bool counts_departures() const override { return loop_->reply.unsent > 0; }
  void left(MessageNumber message, Step step) override;
  std::int32_t longest_packet() const override { return 0; }
  std::int32_t longest_message() const override { return std::max(loop_->request_flits, loop_->reply.flits); }
  /// Without a limit of requests it is not known.
  std::optional<std::int64_t> message_count() const override;
  /// Not known: it depends on the order of the deliveries.
  std::int64_t depth() const override { return 0; }
  Step last_event() const override { return 0; }
  std::string flow(const Item& item) const override;
  void dependants(std::int64_t item, std::vector<std::int64_t>& out) const override {
    out.push_back(dependant_[static_cast<std::size_t>(item)]);
  }
  std::vector<std::int64_t> take_events() override { return {}; }
  std::vector<std::string> waiting(std::size_t most) const override;

 private:
  struct Client {
    std::int64_t requests = 0;  ///< created, or due in a step that is known
    std::size_t server = 0;     ///< of its next request, with round robin
  };
  /// A request in service: the end of its service, its delivery, its number.
  using Served = std::tuple<Step, Step, MessageNumber>;
  struct Server {
    std::set<std::pair<Step, MessageNumber>> waiting;  ///< by their deliveries: requests without a way
    std::set<Served> served;                           ///< requests with a way
    std::int64_t unsent = 0;                           ///< replies that have not left its memory
    Step open_from = 0;   ///< the first step in which a reply can be created, if there is room for one
    Step next = no_step;  ///< of its next reply, as far as it is known
  };
  struct Sent {
    std::int32_t client = 0;  ///< position in the list
    std::int32_t server = 0;
    bool reply = false;
    std::int64_t item = 0;
  };
  /// A request that is due: its step, its client, and the reply that releases it (less than 0: it is one of the first).
  using Due = std::tuple<Step, std::int32_t, MessageNumber>;

  bool has_way(const Server& server) const {
    return loop_->ways == 0 || static_cast<std::int64_t>(server.served.size()) < loop_->ways;
  }
  void serve(Server& server, Step from) const;
  Step next_reply(const Server& server) const;
  void schedule(std::size_t server);
  void create_replies(std::size_t server, Step step);
  std::int32_t next_server(std::int32_t client, Step step);
  std::int32_t random_server(std::int32_t client, Step step);
  std::int64_t new_item();

  std::shared_ptr<const ClosedLoop> loop_;
  std::uint64_t seed_;
  std::vector<Client> clients_;
  std::vector<Server> servers_;
  std::set<Due> due_;
  std::set<std::pair<Step, std::size_t>> next_replies_;  ///< the servers with a known step, by it
  std::vector<Sent> sent_;                               ///< [message]
  std::vector<std::int64_t> dependant_;                  ///< [item] the one that waits for it
  /// A message of the step that is created: its node, its kind, its order, and its facts.
  struct New {
    NodeId node;
    bool reply;
    std::size_t order;
    MessageNumber released_by;
    Sent sent;
  };
  std::vector<New> new_;
  struct Draws {
    Step step = no_step;
    std::optional<RandomStream> words;
  };
  std::vector<Draws> draws_;  ///< [client] of the last step in which it drew
};

}  // namespace starloom
