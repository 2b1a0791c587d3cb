// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The cost of a run: wall and processor time, memory.
#include <chrono>
#include <cstdint>
#include <nlohmann/json.hpp>

#include <starloom/results/run_report.hpp>

namespace starloom {

/// Measures from its construction on.
class Stopwatch {
 public:
  Stopwatch();
  double wall_seconds() const;
  /// For the whole process, all threads.
  double cpu_seconds() const;

 private:
  std::chrono::steady_clock::time_point started_;
  double cpu_started_;
};

/// timing.json: seconds, node-steps and flit-hops per second, peak memory in bytes, controller activations.
nlohmann::ordered_json timing_json(const Stopwatch& watch, const RunReport& run, std::int64_t nodes);

}  // namespace starloom
