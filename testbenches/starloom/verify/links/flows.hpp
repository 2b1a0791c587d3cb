// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `flows.csv` and the classes of messages, recomputed from messages or packets.
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <starloom/trace_io/links/flows_csv.hpp>
#include <starloom/verify/comparison.hpp>
#include <starloom/verify/links/messages.hpp>

namespace starloom::links {

class RunFlows {
 public:
  /// \param messages null: flows are the pairs of ends of packets. \param table outlives the object.
  /// \throws InputError if the file cannot be read, or if it lacks a flow.
  RunFlows(const std::filesystem::path& folder, const RunMessages* messages, const PacketTable& table,
           const RunFacts& facts);

  /// Compares the rows of the file, and the metric `workload.classes` if there are messages.
  void compare(Comparison& comparison, const ResultDocument& result) const;

 private:
  /// The messages of a flow or class, as far as they count.
  struct Found {
    std::int64_t messages = 0, flits = 0;
    std::vector<Step> latencies;  ///< of those that were delivered
    /// Those of the first message; empty as soon as another one differs.
    std::string traffic_class;
    NodeId source = no_node, destination = no_node;
  };

  void add(Found& found, const MessageRow& message) const;
  void compare_classes(Comparison& comparison, const ResultDocument& result) const;
  static std::int64_t missed(const FlowRow& row, const Found& found);

  const RunFacts& facts_;
  const bool of_messages_;
  std::vector<FlowRow> rows_;
  std::vector<Found> found_;               ///< [row]
  std::map<std::string, Found> of_class_;  ///< by name
};

}  // namespace starloom::links
