// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The list `traffic.classes` of an experiment (docs/traffic-classes.md).
#include <nlohmann/json.hpp>
#include <starloom/config/document.hpp>
#include <starloom/control/links/traffic_class.hpp>
#include <vector>

namespace starloom {

/// Errors are added to `diagnostics`.
std::vector<TrafficClass> read_classes(const DocumentValue& list, Diagnostics& diagnostics);

/// The list as result.json repeats it.
nlohmann::ordered_json classes_json(const std::vector<TrafficClass>& classes);

}  // namespace starloom
