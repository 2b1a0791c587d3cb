// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The events of a run that cost energy, counted from the rows of its trace (docs/energy.md).
#include <cstdint>
#include <vector>

#include <starloom/control/links/algorithm.hpp>
#include <starloom/core/links/event_counts.hpp>
#include <starloom/core/links/trace.hpp>
#include <starloom/energy/costs.hpp>
#include <starloom/topology/network_graph.hpp>

namespace starloom::energy {

/// Counts over some steps.
struct Events {
  Step steps = 0;
  std::int64_t ejected = 0;             ///< flits that processors received
  std::vector<ByEvent> routers;         ///< [node]; 0 for kinds of links, and at terminals
  std::vector<std::int64_t> crossings;  ///< [node * ports + out-port] objects that entered the link
  std::vector<std::int64_t> credits;    ///< [node * ports + out-port] returned over it; empty: without virtual channels
  std::vector<std::int64_t> toggles{};  ///< [node * ports + out-port] bits; empty: they are not counted
};

/// The events of hardware whose engine has counted them.
Events events_of(const NetworkGraph& graph, const links::Declaration& declaration, const links::EventCounts& counts,
                 Step steps);

/// The same from a trace: counts those of the steps from `from` to `to` - 1.
class EventTally final : public links::TraceSink {
 public:
  /// \param graph, declaration outlive it. \param to no_step: no end
  EventTally(const NetworkGraph& graph, const links::Declaration& declaration, Step from, Step to);

  void rows(const std::vector<links::TraceRow>& of_one_step) override;
  /// The counts over a number of steps: the last ones may have no rows.
  /// \param busy [node] steps in which the clock of its router runs; empty: all
  Events events(Step steps, const std::vector<std::int64_t>& busy = {}) const;
  /// The same; all counts are 0 again.
  Events take(Step steps, const std::vector<std::int64_t>& busy = {});

 private:
  void clear();
  void count(const links::TraceRow& row);
  void pass_switch(NodeId node, bool head);
  void add(NodeId node, Event event) {
    ++events_.routers[static_cast<std::size_t>(node)][static_cast<std::size_t>(event)];
  }

  const NetworkGraph& graph_;
  const StorageModel storage_;
  const Step from_, to_;
  std::vector<bool> terminal_;  ///< [node]
  Events events_;
};

}  // namespace starloom::energy
