// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The energy and area of a run, recomputed from the rows of its trace (docs/energy.md).
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <starloom/energy/busy_steps.hpp>
#include <starloom/energy/events.hpp>
#include <starloom/energy/hardware.hpp>
#include <starloom/energy/windows.hpp>
#include <starloom/verify/comparison.hpp>
#include <starloom/verify/links/metrics.hpp>
#include <starloom/verify/links/run_facts.hpp>

namespace starloom::links {

class RunEnergy {
 public:
  /// All arguments but the folder outlive the object.
  /// \throws InputError if `experiment.energy` lacks a key, or its table cannot be read or used
  RunEnergy(const std::filesystem::path& folder, const ResultDocument& result, const NetworkGraph& graph,
            const RunFacts& facts);

  void rows(const std::vector<TraceRow>& of_one_step);
  /// Called once, after all rows: compares section `energy`, `energy.csv` and `energy_windows.csv`.
  /// \param table packets as the rows name them
  void compare(Comparison& comparison, const RunMetrics& metrics, const PacketTable& table);

 private:
  energy::Table read_table() const;
  energy::Hardware read_hardware() const;
  double read_clock() const;
  bool read_gating() const;
  void advance(Step step);
  void end_measuring(Step end);
  void end_window(Step steps);
  std::vector<std::int64_t> busy_since(std::vector<std::int64_t>& before, Step step) const;
  Step steps(const RunMetrics& metrics) const;
  std::int64_t arrived(const PacketTable& table) const;
  void compare_file(Comparison& comparison, const std::string& name, const std::string& expected) const;

  const std::filesystem::path folder_;
  const ResultDocument& result_;
  const NetworkGraph& graph_;
  const RunFacts& facts_;
  const Declaration declaration_;
  const energy::Table table_;
  const energy::Hardware hardware_;
  const double clock_ns_;
  const Step window_;  ///< steps; 0: there are none
  Step window_from_;   ///< the first step of the next window
  energy::EventTally tally_, of_window_;
  const bool gates_idle_;
  energy::BusySteps busy_steps_;
  bool measuring_ = false;
  std::vector<std::int64_t> busy_at_start_, busy_at_window_;  ///< [node] before the measured steps, and the next window
  std::optional<std::vector<std::int64_t>> busy_;             ///< [node] in the measured steps
  energy::Windows windows_;
  std::vector<bool> ejected_;  ///< [packet] a flit was ejected; may be shorter
};

}  // namespace starloom::links
