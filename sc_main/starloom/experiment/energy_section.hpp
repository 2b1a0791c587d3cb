// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The section `energy` of an experiment: the table, and the sizes and conditions of the hardware.
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <starloom/config/document.hpp>
#include <starloom/energy/hardware.hpp>
#include <starloom/schema/keys.hpp>
#include <string>
#include <vector>

namespace starloom {

struct EnergyConfig {
  std::string table_name;                      ///< as written: a built-in table, or a file
  std::shared_ptr<const energy::Table> table;  ///< null after an error
  energy::Sizes sizes;
  bool bits_are_given = false;  ///< `width_bits`; otherwise a flit has `units.flit_bytes`
  energy::Conditions conditions;
  bool gates_idle = false;  ///< the clock of a router without a flit stands still
  Step window = 0;          ///< steps of which `energy_windows.csv` has one row; 0: none

  /// As in an experiment, with all defaults. \param table_sha256 of the file; empty: the table is built in
  nlohmann::ordered_json json(const std::string& table_sha256) const;
};

/// The keys of the section.
std::vector<KeySpec> energy_keys();

/// Errors are added to `diagnostics`. \param folder of the experiment, for the file of the table
EnergyConfig read_energy(const DocumentValue& section, const std::filesystem::path& folder, Diagnostics& diagnostics);

}  // namespace starloom
