// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Routers that differ from node to node (docs/regions.md).
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <starloom/control/links/pipeline.hpp>
#include <starloom/topology/clocks.hpp>
#include <starloom/topology/network_graph.hpp>

namespace starloom::router {

/// The greatest `Region::buffer`, and the same of all routers.
inline constexpr int most_buffer_flits = 65535;

/// Properties of the routers of some nodes; what is empty is as in all other routers.
struct Region {
  std::string nodes{};                     ///< instance names with * and ?; empty: all nodes of `role`
  std::optional<NodeRole> role{};          ///< instead of `nodes`
  std::optional<std::int32_t> buffer{};    ///< flits of each channel of the in-ports
  std::optional<std::int32_t> channels{};  ///< of each in-port
  std::optional<std::int32_t> clock{};     ///< number in the list of clocks
  /// [number in pipeline_stages] steps
  std::array<std::optional<int>, std::size(pipeline_stages)> stages{};

  bool changes_stages() const;
  /// The pipeline of its routers, if that of others is this one.
  Pipeline pipeline(Pipeline others) const;
};

/// The number of nodes of a region.
std::int64_t nodes_in(const NetworkGraph& graph, const Region& region);

/// \throws ConfigError with the key `regions.I` if region I has no node, or has stages and its nodes are all terminals.
void require_nodes(const NetworkGraph& graph, const std::vector<Region>& regions);

/// [node] The flits of each channel of its in-ports, their number of channels, or the clock of the node; the last of
/// the regions of a node counts. Empty if no region has this property.
/// \param property `buffer`, `channels` or `clock`. \param otherwise of nodes in no region.
/// \throws ConfigError as `require_nodes`
std::vector<std::int32_t> values_of_nodes(const NetworkGraph& graph, const std::vector<Region>& regions,
                                          std::optional<std::int32_t> Region::*property, std::int32_t otherwise);

/// The last of the regions of a node counts, stage by stage.
/// \param common of nodes in no region. \throws ConfigError as `require_nodes`
Pipelines pipelines_of_nodes(const NetworkGraph& graph, const std::vector<Region>& regions, const Pipeline& common);

/// The network with the clocks of its nodes; those in no region with a clock have the first one. If the list of clocks
/// is empty, the network stays as it is. \throws ConfigError as `require_nodes`
LinkNetwork with_clocks_of_regions(LinkNetwork network, const std::vector<Region>& regions,
                                   const std::vector<NetworkClock>& clocks);

}  // namespace starloom::router
