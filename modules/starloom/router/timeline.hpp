// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The rows of trace.csv and credits.csv as events of routers with virtual channels: when flits enter and leave
/// buffers, when they win the switch, when credits are available, when a channel has none.
///
/// For all code that reads a run: `show`, `why`, the page of `replay`, the metrics of `verify`. Not for the referee,
/// which states the rules of the hardware independently.
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <starloom/control/links/pipeline.hpp>
#include <starloom/core/links/trace.hpp>
#include <starloom/core/queue.hpp>
#include <starloom/topology/network_graph.hpp>

namespace starloom::router {

/// A flit is readable in a buffer from this step on, until the step of its Grant.
struct BufferEntry {
  NodeId node = no_node;
  Port in = no_port;  ///< ports(): the local in-port
  std::int32_t channel = -1;
  Step step = no_step;
};

/// A flit leaves its buffer in this step, the last one of its switch allocation. If a FIFO or a replay buffer is
/// between the switch and the link, this is the last step in which it can have left: its time there counts as time in
/// the buffer.
struct Grant {
  NodeId node = no_node;
  Port out = no_port;         ///< ports(): the local out-port
  std::int32_t channel = -1;  ///< of a link
  Step step = no_step;
};

/// A channel of an out-port has the credit of a slot again from this step on.
struct CreditReturn {
  NodeId node = no_node;
  Port out = no_port;
  std::int32_t channel = -1;
  Step step = no_step;
};

/// Reads rows as events of routers. Terminals (NetworkGraph::is_terminal) have no router: no buffers, no grants.
/// Rows name nodes and ports of the network.
class Timeline {
 public:
  /// \param credit_extra additional steps of a credit beyond side wire and link.
  /// \param repeats links repeat corrupt flits.
  explicit Timeline(const NetworkGraph& graph, Pipelines pipelines = {}, std::int32_t credit_extra = 0,
                    bool repeats = false);

  /// With clocks, the flits in front of a flit in the FIFO between two of them say when it is readable; a flit that a
  /// link repeats is readable when its receiver has accepted it.
  bool reads_rows() const { return repeats_ || graph_.has_clocks(); }
  /// If `reads_rows`, to be called with all rows of a run, in order, before the other functions.
  void read(const links::TraceRow& row);

  const Pipelines& pipelines() const { return pipelines_; }
  /// A Grant is at most this number of steps earlier than its row.
  Step longest_delay() const { return longest_delay_; }

  /// For an `inject` or `hop`.
  std::optional<BufferEntry> entry(const links::TraceRow& row) const {
    using links::TraceEvent;
    if (row.event == TraceEvent::inject && !is_terminal(row.node))
      return BufferEntry{row.node, graph_.ports(), row.channel, row.step + graph_.period(row.node) * injection};
    if (row.event == TraceEvent::hop && !is_terminal(row.to))
      return BufferEntry{row.to, graph_.far_end(row.node, row.port).port, row.channel, readable(row)};
    return std::nullopt;
  }
  /// For a `hop` or `eject`.
  std::optional<Grant> grant(const links::TraceRow& row) const {
    using links::TraceEvent;
    if (is_terminal(row.node)) return std::nullopt;
    const Pipeline& pipeline = pipelines_.at(row.node);
    const Step period = graph_.period(row.node);
    if (row.event == TraceEvent::hop)
      return Grant{row.node, row.port, row.channel, row.step - period * pipeline.link_entry()};
    if (row.event == TraceEvent::eject)
      return Grant{row.node, graph_.ports(), -1, row.step - period * pipeline.consumption()};
    return std::nullopt;
  }
  /// For a credit on the side wire of a link between routers.
  std::optional<CreditReturn> credit(const links::CreditRow& row) const;
  /// For a `hop` to a terminal, which returns no credits: the channel has its slot again a fixed time after the flit
  /// arrives.
  std::optional<CreditReturn> credit(const links::TraceRow& row) const;

  /// Steps from the step in which a head is readable in a router, or injected in a terminal, to its row, if no packet
  /// is in its way; 0 for an `inject`.
  Step undisturbed(const links::TraceRow& row) const;
  /// Steps from the step in which a head is readable in a node to its Grant, if no packet is in its way.
  Step stages(NodeId node) const {
    return Step{graph_.period(node)} * (pipelines_.at(node).head_to_link() - pipelines_.at(node).link_entry());
  }
  /// The step in which the flit of a `hop` is readable behind its link.
  Step readable(const links::TraceRow& row) const;

 private:
  /// A flit that entered a link first in step `hop`, and is accepted in `arrives`, as far as rows say.
  struct Crossed {
    PacketId packet;
    std::int32_t flit;
    Step hop, arrives;
  };

  bool is_terminal(NodeId node) const { return terminal_[static_cast<std::size_t>(node)]; }
  void read_crossing(const links::TraceRow& row);

  const NetworkGraph graph_;
  const Pipelines pipelines_;
  const Step longest_delay_;
  const std::int32_t credit_extra_;
  std::vector<bool> terminal_;                            ///< [node]
  std::vector<Step> last_read_{};                         ///< [link] of its last flit; only with clocks
  std::map<std::pair<std::size_t, Step>, Step> later_{};  ///< by link and step of entry: readable later than others
  const bool repeats_;
  std::map<std::size_t, Queue<Crossed>> crossed_{};  ///< by link: the last flits; only if links repeat flits
};

/// The credits of one channel of an out-port over time, from some step on.
class CreditHistory {
 public:
  /// \param from the first step of interest.
  explicit CreditHistory(Step from) : from_(from) {}

  /// Called when a flit wins the switch and takes a credit; steps ascend.
  void spend(Step granted);
  /// Called when a credit is available again; steps ascend.
  void give_back(Step step);

  /// The slots that its flits have taken at the beginning of a step that is not before the first one.
  std::int64_t taken(Step step) const;
  /// The next step after this one with other credits; the greatest Step if there is none.
  Step next_change(Step step) const;

 private:
  Step from_;
  std::int64_t before_ = 0;  ///< slots taken in the step before `from`
  std::vector<Step> spent_{}, back_{};
};

}  // namespace starloom::router
