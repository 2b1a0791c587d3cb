// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The energy and area of a run, recomputed from the rows of its trace (docs/energy.md).
#include <filesystem>
#include <string>
#include <vector>

#include <starloom/energy/windows.hpp>
#include <starloom/verify/comparison.hpp>
#include <starloom/verify/links/energy_facts.hpp>
#include <starloom/verify/links/measured_rows.hpp>
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
  Step steps(const RunMetrics& metrics) const;
  std::int64_t arrived(const PacketTable& table) const;
  void compare_file(Comparison& comparison, const std::string& name, const std::string& expected) const;

  const std::filesystem::path folder_;
  const ResultDocument& result_;
  const NetworkGraph& graph_;
  const RunFacts& facts_;
  const EnergyFacts energy_;
  energy::Windows windows_;
  MeasuredRows measured_;
  std::vector<bool> ejected_;  ///< [packet] a flit was ejected; may be shorter
};

}  // namespace starloom::links
