// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `queue` of `result.json`, compared with the rows if they determine it.
#include <optional>
#include <vector>

#include <starloom/core/links/trace.hpp>
#include <starloom/topology/network_graph.hpp>
#include <starloom/trace_io/packets_csv.hpp>
#include <starloom/verify/comparison.hpp>
#include <starloom/verify/links/queue_tally.hpp>
#include <starloom/verify/links/run_facts.hpp>

namespace starloom::links {

class QueueMetrics {
 public:
  /// All arguments outlive the object.
  QueueMetrics(const NetworkGraph& graph, const PacketTable& table, const RunFacts& facts);

  /// The rows of a step, which satisfy the rules of the model; steps ascend.
  void rows(const std::vector<TraceRow>& of_one_step);
  /// Called after all rows. \throws InputError if a metric is missing
  void compare(Comparison& comparison);

 private:
  /// True if no further rows would follow the last one.
  bool has_ended() const;
  /// True if the report agrees with the maximum up to the end of step `known`: it is the same, or greater and later.
  bool is_possible(const QueueMaximum& found, Step known) const;
  void expect(Comparison& comparison, const QueueMaximum& found) const;

  const NetworkGraph& graph_;
  const RunFacts& facts_;
  Step last_ = no_step;             ///< with a row
  std::vector<QueueTally> stores_;  ///< store-and-forward: one of them counts as the run did
  std::optional<RouterQueueTally> routers_;
};

}  // namespace starloom::links
