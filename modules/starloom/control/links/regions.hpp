// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Routers that differ from node to node (docs/regions.md).
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <starloom/topology/network_graph.hpp>

namespace starloom::router {

/// The greatest `Region::buffer`, and the same of all routers.
inline constexpr int most_buffer_flits = 255;

/// Properties of the routers of some nodes; what is empty is as in all other routers.
struct Region {
  std::string nodes{};                   ///< instance names with * and ?; empty: all nodes of `role`
  std::optional<NodeRole> role{};        ///< instead of `nodes`
  std::optional<std::int32_t> buffer{};  ///< flits of each channel of the in-ports
};

/// The number of nodes of a region.
std::int64_t nodes_in(const NetworkGraph& graph, const Region& region);

/// \throws ConfigError with the key `regions.I` if region I has no node.
void require_nodes(const NetworkGraph& graph, const std::vector<Region>& regions);

/// [node] The flits of each channel of its in-ports; the last of the regions of a node counts. Empty if no region has a
/// buffer.
/// \param otherwise of nodes in no region.
/// \throws ConfigError as `require_nodes`
std::vector<std::int32_t> buffers_of_nodes(const NetworkGraph& graph, const std::vector<Region>& regions,
                                           std::int32_t otherwise);

}  // namespace starloom::router
