// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file What routers with virtual channels promise beyond the rules of all buffers: channels, times, credits.
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include <starloom/core/links/trace.hpp>
#include <starloom/referee/links/check_context.hpp>

namespace starloom::links {

/// Follows every flit from buffer to buffer: those behind links, and those of the local in-ports. Rows come well
/// formed, and keep the rules of virtual channels. A broken rule is thrown as a Breach:
/// - a channel carries a packet from head to tail, and flits leave a buffer in the order in which they entered it;
/// - a flit takes the time of the pipeline from being readable to entering a link, or to being consumed;
/// - a buffer has never more flits than places. A flit counts in it until it enters the next link, when its place is
///   free, but nothing readable in it yet;
/// - every credit belongs to one flit that enters a link in the step behind it, or is consumed two steps behind it,
///   and every such flit has one; nothing is sent without a credit that was there;
/// - a terminal (NetworkGraph::is_terminal) has no router and no buffers: what it injects in a step crosses its link
///   in the next one, into the channel that it was injected for, what arrives there is consumed as it becomes
///   readable, and the credits of the channels towards it come back two steps later.
class RouterAudit {
 public:
  /// Of `context.rules().router`, which is given.
  explicit RouterAudit(const CheckContext& context);

  void credits(const std::vector<CreditRow>& of_one_step);
  void inject(const TraceRow& row);
  void hop(const TraceRow& row, LinkId link) { hops_.emplace_back(row, link); }
  void consume(const TraceRow& row);
  void end_step();
  /// All rows up to `last` have been seen.
  void finish(Step last) const;

 private:
  struct Entry {
    PacketId packet;
    std::int32_t flit;
    Step readable;
    Step credited = no_step;
  };
  struct Buffer {
    std::deque<Entry> flits;
    PacketId open = no_packet;   ///< whose tail has still to come
    std::int64_t spent = 0;      ///< credits, of its sender
    std::deque<Step> returning;  ///< steps in which spent credits can be used again
  };
  /// A flit between a terminal and its link, or the other way round.
  struct InTransit {
    PacketId packet;
    std::int32_t flit;
    std::int32_t channel;
    Step step;  ///< in which it crosses, or is consumed
  };
  struct Worm {
    std::vector<std::size_t> path;  ///< buffers, of the head; of one injected at a terminal, the first is none
    std::vector<std::size_t> at;    ///< [flit] place on the path
  };

  std::size_t behind(LinkId link) const { return static_cast<std::size_t>(link); }
  std::size_t local(NodeId node) const { return context_.link_slots() + static_cast<std::size_t>(node); }
  std::size_t buffer_of(const TraceRow& row, std::size_t location) const;
  std::string name(std::size_t buffer) const;
  NodeId node_of(std::size_t buffer) const;
  bool is_terminal(NodeId node) const { return terminals_[static_cast<std::size_t>(node)]; }
  void cross(const TraceRow& row, LinkId link);
  void leave_terminal(const TraceRow& row);
  void enter_terminal(const TraceRow& row, std::size_t buffer, LinkId link);
  void open_channel(const TraceRow& row, std::size_t buffer);
  void spend_credit(const TraceRow& row, std::size_t buffer, Step sent);
  void check_places(const TraceRow& row, std::size_t buffer) const;
  void enter(const TraceRow& row, std::size_t buffer, Step readable, Step sent);
  void leave(const TraceRow& row, Step after_switch);
  bool is_tail(const TraceRow& row) const { return row.flit + 1 == context_.packet(row.packet).flits; }

  const CheckContext& context_;
  const RouterRules rules_;
  std::vector<Buffer> buffers_;  ///< [link or local in-port][channel]
  std::map<PacketId, Worm> worms_;
  std::vector<bool> terminals_;                       ///< [node]
  std::map<NodeId, std::deque<InTransit>> leaving_;   ///< by terminal: injected, not yet on the link
  std::map<NodeId, std::deque<InTransit>> arriving_;  ///< by terminal: on its way there
  std::vector<std::pair<TraceRow, LinkId>> hops_;     ///< of the step
  CreditRow last_credit_{no_step, no_node, no_port, -1};
};

}  // namespace starloom::links
