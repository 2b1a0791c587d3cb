// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The network of a grid, for tests that speak of the grid alone.
#include <map>
#include <tuple>
#include <vector>

#include <starloom/topology/network.hpp>

namespace starloom {

/// Lives to the end of the process, so that algorithms may refer to it.
inline const LinkNetwork& network_of(const Grid& grid, std::int32_t link_latency = 1) {
  using Key = std::tuple<GridKind, std::vector<std::int64_t>, std::int32_t>;
  static std::map<Key, LinkNetwork> networks;
  const Key key{grid.kind(), grid.shape(), link_latency};
  const auto known = networks.find(key);
  if (known != networks.end()) return known->second;
  return networks.emplace(key, link_network(grid, link_latency)).first->second;
}

}  // namespace starloom
