// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The key that says which paths are the shortest.
#include <optional>
#include <string>
#include <vector>

#include <starloom/schema/keys.hpp>
#include <starloom/topology/network.hpp>

namespace starloom::routing {

inline const std::vector<std::string> path_weight_names = {"links", "latency"};  ///< as in `PathWeight`

/// The key `weight` of algorithms that follow the function `shortest`.
inline KeySpec path_weight_key() {
  return choice_key("weight", path_weight_names,
                    "the length that function shortest minimises: the number of links, or the sum of their latencies; "
                    "default: latency if the network is a list of routers, else links")
      .quiet();
}
/// Null where the key is not given: `LinkNetwork::path_weight` holds.
inline std::optional<PathWeight> given_path_weight(const KeyValues& keys) {
  if (!keys.has("weight")) return std::nullopt;
  return keys.text("weight") == path_weight_names.front() ? PathWeight::links : PathWeight::latency;
}

}  // namespace starloom::routing
