// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The map `network.clocks` of an experiment (docs/clocks.md).
#include <nlohmann/json.hpp>
#include <starloom/config/document.hpp>
#include <starloom/topology/clocks.hpp>
#include <vector>

namespace starloom {

/// In the order of the file. Errors are added to `diagnostics`.
std::vector<NetworkClock> read_clocks(const DocumentValue& map, Diagnostics& diagnostics);

/// As in an experiment.
nlohmann::ordered_json clocks_json(const std::vector<NetworkClock>& clocks);

}  // namespace starloom
