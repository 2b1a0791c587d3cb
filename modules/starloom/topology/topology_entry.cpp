// SPDX-License-Identifier: Apache-2.0
#include <starloom/topology/topology_entry.hpp>

#include <algorithm>

#include <starloom/support/names.hpp>
#include <starloom/topology/butterfly.hpp>
#include <starloom/topology/concentrated_mesh.hpp>
#include <starloom/topology/dragonfly.hpp>
#include <starloom/topology/express_mesh.hpp>
#include <starloom/topology/fat_tree.hpp>
#include <starloom/topology/flattened_butterfly.hpp>
#include <starloom/topology/grid/grid_graph.hpp>
#include <starloom/topology/hypercube.hpp>
#include <starloom/topology/ring.hpp>

namespace starloom {
namespace {

/// The graph that a family makes; empty if a network is not of that family.
using GraphOf = std::function<std::optional<NetworkGraph>(const LinkNetwork& network)>;

template <class Family>
GraphOf graph_of(NetworkGraph (*make)(const Family& family, std::int32_t link_latency)) {
  return [make](const LinkNetwork& network) -> std::optional<NetworkGraph> {
    const auto* family = network.as<Family>();
    if (family == nullptr) return std::nullopt;
    return make(*family, 1);
  };
}
GraphOf graph_of(GridKind kind) {
  return [kind](const LinkNetwork& network) -> std::optional<NetworkGraph> {
    const Grid* grid = network.as<Grid>();
    if (grid == nullptr || grid->kind() != kind) return std::nullopt;
    return make_grid_graph(*grid, 1);
  };
}

/// A capability that promises nodes, ports and links.
struct Promise {
  const char* capability;
  const char* family;  ///< the type of `LinkNetwork::family`
  bool grid;           ///< it also promises `TopologyEntry::grid`
  GraphOf graph;
};

const std::vector<Promise>& promises() {
  static const std::vector<Promise> all = {
      {"mesh", "Grid of kind mesh", true, graph_of(GridKind::mesh)},
      {"torus", "Grid of kind torus", true, graph_of(GridKind::torus)},
      {"ring", "Ring", true, graph_of(make_ring)},
      {"hypercube", "Hypercube", false, graph_of(make_hypercube)},
      {"concentrated-mesh", "ConcentratedMesh", true, graph_of(make_concentrated_mesh)},
      {"express-mesh", "ExpressMesh", false, graph_of(make_express_mesh)},
      {"fat-tree", "FatTree", false, graph_of(make_fat_tree)},
      {"butterfly", "Butterfly", false, graph_of(make_butterfly)},
      {"flattened-butterfly", "FlattenedButterfly", false, graph_of(make_flattened_butterfly)},
      {"dragonfly", "Dragonfly", false, graph_of(make_dragonfly)}};
  return all;
}

std::string role(const NetworkGraph& graph, NodeId node) {
  return std::string(node_role_names[static_cast<std::size_t>(graph.role(node))]);
}

/// The first difference, or empty. \param wanted the graph that `family` makes.
std::string difference(const NetworkGraph& graph, const NetworkGraph& wanted, const std::string& family) {
  if (graph.nodes() != wanted.nodes())
    return "has " + std::to_string(graph.nodes()) + " nodes, but its " + family + " has " +
           std::to_string(wanted.nodes());
  for (NodeId node = 0; node < graph.nodes(); ++node) {
    if (graph.role(node) != wanted.role(node))
      return "has a " + role(graph, node) + " as node " + std::to_string(node) + ", but its " + family + " has a " +
             role(wanted, node);
    const auto text = [](const LinkEnd& end) {
      return end.connected() ? "to in-port " + std::to_string(end.port) + " of node " + std::to_string(end.node)
                             : std::string("nowhere");
    };
    const auto end = [node](const NetworkGraph& of, Port port) {
      return port < of.ports() ? of.far_end(node, port) : LinkEnd{};
    };
    for (Port port = 0; port < std::max(graph.ports(), wanted.ports()); ++port)
      if (const LinkEnd is = end(graph, port), should = end(wanted, port); !(is == should))
        return "has a link from out-port " + std::to_string(port) + " of node " + std::to_string(node) + ' ' +
               text(is) + ", but in its " + family + " that leads " + text(should);
  }
  return "";
}

}  // namespace

Capabilities TopologyEntry::capabilities() const {
  Capabilities all = {name};
  if (!has_couplers()) all.emplace_back(connected);
  all.insert(all.end(), offers.begin(), offers.end());
  return all;
}

LinkNetwork make_link_network(const TopologyEntry& entry, const KeyValues& keys) {
  LinkNetwork network = std::get<MakeLinkNetwork>(entry.make)(keys);
  network.topology = entry.name;
  network.offers = entry.offers;
  for (const Promise& promise : promises()) {
    if (!contains(entry.offers, promise.capability)) continue;
    const std::string promised = entry.name + " offers " + promise.capability + ", but its network ";
    const std::optional<NetworkGraph> wanted = promise.graph(network);
    if (!wanted) throw ConfigError("topology", promised + "has no " + promise.family + " as `family`");
    if (const std::string found = difference(network.graph, *wanted, promise.family); !found.empty())
      throw ConfigError("topology", promised + found);
  }
  return network;
}

void check_entry(const TopologyEntry& entry) {
  for (const Promise& promise : promises())
    if (promise.grid && !entry.grid && contains(entry.offers, promise.capability))
      throw InputError("starloom: topology " + entry.name + " offers " + promise.capability +
                       ", but its entry has no `grid`; set it to what makes the Grid of the keys");
}

}  // namespace starloom
