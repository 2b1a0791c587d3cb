// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `flows.csv`: the messages or packets of a run by flow (docs/output.md).
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <starloom/core/ids.hpp>

namespace starloom::links {

/// Nearest-rank percentiles and the mean of the latencies of messages that were delivered.
struct FlowLatency {
  double mean = 0;
  Step p50 = 0, p95 = 0, p99 = 0, max = 0;

  bool operator==(const FlowLatency& other) const {
    return mean == other.mean && p50 == other.p50 && p95 == other.p95 && p99 == other.p99 && max == other.max;
  }
};

/// A flow. Where its messages differ in a class, end or deadline, that is empty.
struct FlowRow {
  std::string flow;
  std::string traffic_class;
  NodeId source = no_node;
  NodeId destination = no_node;
  std::int64_t messages = 0;
  std::int64_t flits = 0;
  std::int64_t delivered = 0;  ///< messages
  std::optional<FlowLatency> latency{};
  Step deadline = no_step;
  std::int64_t missed = 0;  ///< messages with a deadline, delivered later or never
};

/// \throws OutputError
void write_flows(const std::filesystem::path& file, const std::vector<FlowRow>& rows);

/// Strict: every line is complete, and flows are in ascending order of their names.
/// \throws InputError `file:line:column: text`
std::vector<FlowRow> read_flows(const std::filesystem::path& file);

}  // namespace starloom::links
