// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Rules of requests and replies (docs/traffic-classes.md).
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include <starloom/core/links/trace.hpp>
#include <starloom/referee/links/check_context.hpp>

namespace starloom::links {

/// Knows by their facts which packets are replies: for each request one packet of the right class and length, from its
/// destination to its source, created `service` steps after its tail is consumed. A broken rule is thrown as a Breach:
/// - each request has its reply;
/// - a processor consumes the head of a request only while it has fewer than `places` others of its class whose replies
///   have not left it before this step.
class ReplyAudit {
 public:
  explicit ReplyAudit(const CheckContext& context) : context_(context), open_(slots()) {}

  /// Packets in the order of their numbers.
  void announce(PacketId packet);
  void inject(const TraceRow& row);
  void consume(const TraceRow& row);
  /// Called after all rows up to `last`.
  void finish(Step last) const;

 private:
  using Facts = std::tuple<Step, NodeId, NodeId, std::int32_t, std::int32_t>;

  const std::vector<RefereeRules::Class>& classes() const { return context_.rules().classes; }
  std::size_t slots() const { return static_cast<std::size_t>(context_.graph().nodes()) * classes().size(); }
  Facts facts_of(const Packet& packet) const {
    return {packet.created, home(packet.source), home(packet.destination), packet.traffic_class, packet.flits};
  }
  /// A request and its reply may be in different subnets.
  NodeId home(NodeId node) const { return context_.graph().home(node); }
  std::int32_t& open(NodeId node, int request_class) {
    return open_[static_cast<std::size_t>(node) * classes().size() + static_cast<std::size_t>(request_class)];
  }
  bool is_tail(const TraceRow& row) const { return row.flit + 1 == context_.packet(row.packet).flits; }

  const CheckContext& context_;
  std::map<Facts, std::vector<PacketId>> in_memory_;  ///< of classes of replies: packets that have not left
  struct Request {
    PacketId packet;
    std::int32_t traffic_class;
  };
  std::map<Facts, std::vector<Request>> unanswered_;  ///< by the facts of the replies, which have not left
  std::map<PacketId, std::int32_t> replies_;          ///< under way, with the classes of their requests
  std::vector<std::int32_t> open_;                    ///< [node, class] requests that occupy places
  struct Left {
    Step step;
    NodeId node;
    std::int32_t request_class;
  };
  std::vector<Left> left_;  ///< replies whose tails left in the last step with such
};

}  // namespace starloom::links
