// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The power of each router and link over time, from the rows of a trace (docs/energy.md).
#include <cstdint>
#include <filesystem>
#include <vector>

#include <starloom/verify/links/energy_facts.hpp>
#include <starloom/verify/links/measured_rows.hpp>
#include <starloom/verify/links/run_facts.hpp>

namespace starloom::links {

/// Mean power in the steps `from` to `to` - 1. nW
struct PowerWindow {
  Step from, to;
  std::vector<std::int64_t> routers;  ///< [node] 0 for a node without a router
  std::vector<std::int64_t> links;    ///< [node * ports + out-port]
};

/// The windows of `energy.window`, or one of all measured steps without that key.
class PowerWindows {
 public:
  /// \param graph outlives the object. \param most numbers of all windows together: for more, each window is as long
  /// as several of the run.
  /// \throws InputError if `experiment.energy` lacks a key, or its table cannot be read or used
  PowerWindows(const std::filesystem::path& folder, const ResultDocument& result, const NetworkGraph& graph,
               const RefereeRules& rules, Step measured_from, std::int64_t most);

  /// Rows of nodes and links that exist.
  void rows(const std::vector<TraceRow>& of_one_step) { measured_.rows(of_one_step); }
  /// Called once, after all rows.
  std::vector<PowerWindow> finish();

 private:
  Step window(std::int64_t most) const;
  void add(Step from, const energy::Events& events);

  const NetworkGraph& graph_;
  const EnergyFacts facts_;
  const Step steps_;  ///< measured
  MeasuredRows measured_;
  std::vector<PowerWindow> list_{};
};

}  // namespace starloom::links
