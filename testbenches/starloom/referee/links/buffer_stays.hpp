// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file When flits are in the buffers of routers, by the rows of a trace (docs/model.md, "Queues").
#include <optional>
#include <vector>

#include <starloom/core/links/trace.hpp>
#include <starloom/topology/network_graph.hpp>

namespace starloom::links {

/// The pipeline of routers with virtual channels, in steps, stated independently of the program that simulates it. A
/// flit that wins the switch in step t leaves its buffer in t.
struct RouterTimes {
  static constexpr Step injection = 2;     ///< sent by the processor in s, it is readable in s + 2
  static constexpr Step to_link = 2;       ///< having won the switch in t, it enters its link in t + 2,
  static constexpr Step to_processor = 3;  ///< or is consumed in t + 3
};

/// A flit is in a buffer at the end of the steps from `entry` on that are before `exit`: from being readable to winning
/// the switch. A terminal (NetworkGraph::is_terminal) has no buffers. The graph outlives the object.
class BufferStays {
 public:
  /// A row reports an exit that is at most this many steps earlier.
  static constexpr Step longest_delay = RouterTimes::to_processor;

  struct Entry {
    NodeId node = no_node;
    Step step = no_step;
  };

  explicit BufferStays(const NetworkGraph& graph) : graph_(graph) {
    for (NodeId node = 0; node < graph.nodes(); ++node) terminal_.push_back(graph.is_terminal(node));
  }

  /// The node in whose buffer the flit of a row becomes readable, and when: of an `inject` or `hop`, none at terminals.
  std::optional<Entry> entry(const TraceRow& row) const {
    if (row.event == TraceEvent::inject && !is_terminal(row.node))
      return Entry{row.node, row.step + RouterTimes::injection};
    if (row.event == TraceEvent::hop && !is_terminal(row.to))
      return Entry{row.to, row.step + graph_.latency(row.node, row.port)};
    return std::nullopt;
  }
  /// The step in which the flit of a row left the buffer of `row.node`: of a `hop` or `eject`, none at terminals.
  std::optional<Step> exit(const TraceRow& row) const {
    if (is_terminal(row.node)) return std::nullopt;
    if (row.event == TraceEvent::hop) return row.step - RouterTimes::to_link;
    if (row.event == TraceEvent::eject) return row.step - RouterTimes::to_processor;
    return std::nullopt;
  }

 private:
  bool is_terminal(NodeId node) const { return terminal_[static_cast<std::size_t>(node)]; }

  const NetworkGraph& graph_;
  std::vector<bool> terminal_;  ///< [node]
};

}  // namespace starloom::links
