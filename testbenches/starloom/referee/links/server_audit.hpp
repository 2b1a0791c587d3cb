// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Rules of clients and servers, from rows (docs/closed-loop.md).
#include <cstdint>
#include <deque>
#include <functional>
#include <queue>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include <starloom/core/links/trace.hpp>
#include <starloom/referee/links/check_context.hpp>

namespace starloom::links {

/// Computes, from the deliveries of requests and replies and from the departures of replies, in which steps clients and
/// servers create packets, and compares. A broken rule is thrown as a Breach when the first flit of a packet leaves its
/// processor, or at the end of the run:
/// - the k-th request of a client, or reply of a server, is created in its step, with the right length, and a reply
///   goes to the client of the request that is served; none is missing;
/// - a server consumes the head of a request only while fewer than `queue` others have no reply.
class ServerAudit {
 public:
  explicit ServerAudit(const CheckContext& context);

  /// Packets in the order of their numbers.
  void announce(PacketId packet);
  void inject(const TraceRow& row);
  void consume(const TraceRow& row);
  /// Called after all rows up to `last`.
  void finish(Step last);

 private:
  struct Client {
    std::int64_t announced = 0;  ///< requests
    std::vector<Step> due;       ///< [request] the step in which it is created
  };
  struct Reply {
    Step created;
    NodeId client;
  };
  using Request = std::pair<Step, PacketId>;  ///< its delivery and number
  struct Server {
    bool exists = false;
    std::int64_t announced = 0;  ///< replies
    std::vector<Reply> replies;  ///< computed
    std::deque<Request> waiting;
    std::set<std::tuple<Step, Step, PacketId>> served;  ///< end of service, delivery, number
    /// The steps from which on ways are free; ways beyond these have never been used.
    std::priority_queue<Step, std::vector<Step>, std::greater<>> free;
    std::int64_t ways = 0;    ///< that have been used
    std::int64_t unsent = 0;  ///< replies
    Step open_from = 0;       ///< the first step for a reply, if there is room for it
    std::int64_t heads = 0;   ///< of requests that it has consumed
  };

  const RefereeRules::ClosedLoop& rules() const { return *context_.rules().closed_loop; }
  Client& client(NodeId node) { return clients_[static_cast<std::size_t>(node)]; }
  Server& server(NodeId node) { return servers_[static_cast<std::size_t>(node)]; }
  /// Called before anything of a step is looked at.
  void begin(Step step);
  void create_replies(Server& server, Step until);
  bool take_way(Server& server, Step delivered, Step& start) const;
  void check(PacketId packet);

  const CheckContext& context_;
  std::vector<Client> clients_;      ///< [node]
  std::vector<Server> servers_;      ///< [node]
  std::vector<std::int64_t> order_;  ///< [packet] its position among those of its kind and node
  std::vector<bool> checked_;        ///< [packet]
  std::vector<PacketId> delivered_;  ///< in the current step
  std::vector<NodeId> left_;         ///< in the current step: nodes whose replies left
  Step step_ = 0;                    ///< the current one
};

}  // namespace starloom::links
