// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Rules by which tasks, ranks and nodes of traces are mapped to processors.
#include <string>
#include <vector>

#include <starloom/traffic/traffic.hpp>

namespace starloom {

/// Their names: `row-major` (item i on processor i), `snake` (the same, with every second row of the
/// grid backwards), `spread` (on i P / n of P processors), `random`.
const std::vector<std::string>& mapping_rules();

/// [item] its processor, no two on one. There are at most as many items as processors.
/// \throws ConfigError for the key `mapping` if the processors do not suit the rule.
std::vector<NodeId> mapped_by_rule(const std::string& rule, std::size_t items, const TrafficContext& context);

}  // namespace starloom
