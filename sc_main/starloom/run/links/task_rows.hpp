// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Counts the flows of an application over each link during a run.
#include <starloom/core/links/trace.hpp>
#include <starloom/core/packet.hpp>
#include <starloom/results/links/task_load.hpp>
#include <utility>
#include <vector>

namespace starloom::links {

class TaskRows final : public TraceSink {
 public:
  /// \param packets all of the run, by number.
  TaskRows(const NetworkGraph& graph, const PlacedTasks& tasks, std::vector<Packet> packets)
      : load_(graph, tasks), packets_(std::move(packets)) {}

  void rows(const std::vector<TraceRow>& of_one_step) override {
    for (const TraceRow& row : of_one_step) {
      if (row.event != TraceEvent::hop || row.packet == no_packet) continue;
      const Packet& packet = packets_[static_cast<std::size_t>(row.packet)];
      load_.add(row.node, row.port, packet.source, packet.destination, 1);
    }
  }
  /// The counts at the end of the run.
  const TaskLoad& load(Step steps) {
    load_.counted_in(steps);
    return load_;
  }

 private:
  TaskLoad load_;
  std::vector<Packet> packets_;
};

}  // namespace starloom::links
