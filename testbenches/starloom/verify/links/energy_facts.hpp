// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The facts that the energy of a run depends on, from `experiment` of `result.json` (docs/energy.md).
#include <cstdint>
#include <filesystem>
#include <vector>

#include <starloom/energy/hardware.hpp>
#include <starloom/energy/table.hpp>
#include <starloom/verify/links/run_facts.hpp>
#include <starloom/verify/result_document.hpp>

namespace starloom::links {

struct EnergyFacts {
  Declaration declaration{};  ///< as far as the hardware depends on it
  energy::Table table{};
  energy::Hardware hardware{};
  int bits = 0;  ///< of a flit
  double clock_ns = 0;
  Step window = 0;          ///< steps; 0: there are none
  bool gates_idle = false;  ///< clocks stand still in idle routers
  /// [node * ports + out-port] Bits that toggle, which the trace does not have: those of `energy.csv`. Empty: they are
  /// not counted.
  std::vector<std::int64_t> toggles{};
};

/// \throws InputError if `experiment.energy` lacks a key, or its table cannot be read or used
EnergyFacts read_energy_facts(const std::filesystem::path& folder, const ResultDocument& result,
                              const NetworkGraph& graph, const RefereeRules& rules);

}  // namespace starloom::links
