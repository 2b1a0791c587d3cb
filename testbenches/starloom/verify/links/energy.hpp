// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The energy and area of a run, recomputed from the rows of its trace (docs/energy.md).
#include <filesystem>
#include <optional>
#include <string>

#include <starloom/energy/events.hpp>
#include <starloom/energy/hardware.hpp>
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
  /// Called after all rows: compares section `energy`, and `energy.csv`. \param table packets as the rows name them
  void compare(Comparison& comparison, const RunMetrics& metrics, const PacketTable& table) const;

 private:
  energy::Table read_table() const;
  energy::Hardware read_hardware() const;
  Step steps(const RunMetrics& metrics) const;
  std::int64_t arrived(const PacketTable& table) const;
  void compare_file(Comparison& comparison, const std::string& expected) const;

  const std::filesystem::path folder_;
  const ResultDocument& result_;
  const NetworkGraph& graph_;
  const RunFacts& facts_;
  const Declaration declaration_;
  const energy::Table table_;
  const energy::Hardware hardware_;
  energy::EventTally tally_;
  std::vector<bool> ejected_;  ///< [packet] a flit was ejected; may be shorter
};

}  // namespace starloom::links
