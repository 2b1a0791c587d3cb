// SPDX-License-Identifier: Apache-2.0
#include <starloom/topologies/topology_table.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>

#include <starloom/support/numbers.hpp>
#include <starloom/topologies/graph/graph_file.hpp>
#include <starloom/topologies/graph/router_list.hpp>
#include <starloom/topology/butterfly.hpp>
#include <starloom/topology/concentrated_mesh.hpp>
#include <starloom/topology/dragonfly.hpp>
#include <starloom/topology/express_mesh.hpp>
#include <starloom/topology/fat_tree.hpp>
#include <starloom/topology/flattened_butterfly.hpp>
#include <starloom/topology/folded_clos.hpp>
#include <starloom/topology/grid/grid_graph.hpp>
#include <starloom/topology/hypercube.hpp>
#include <starloom/topology/ring.hpp>

namespace starloom {
namespace {

constexpr double most_nodes = 1 << 30;

KeySpec shape_key(std::string meaning) {
  return integer_list_key("shape", std::move(meaning)).within(1, most_nodes).measured_in("nodes").is_required();
}
KeySpec latency_key() {
  return integer_key("link_latency", "latency of every link")
      .by_default(1)
      .within(1, LinkTiming::most_latency)
      .measured_in("steps");
}
void append(std::vector<KeySpec>& keys, const std::vector<KeySpec>& more) {
  keys.insert(keys.end(), more.begin(), more.end());
}
std::int32_t latency_of(const KeyValues& keys) { return static_cast<std::int32_t>(keys.integer("link_latency")); }

/// Converts errors in the values of keys, with the name of the key that they depend on.
template <class Make>
auto guarded(const char* key, Make make) {
  try {
    return make();
  } catch (const InputError& error) {
    throw ConfigError(key, error.what());
  }
}

/// Completes an entry: it makes a network from a family `family_of(keys)`, with `graph_of(family, link latency)` and
/// `title_of(family)`.
template <class FamilyOf, class GraphOf, class TitleOf>
TopologyEntry made_of(TopologyEntry entry, FamilyOf family_of, GraphOf graph_of, TitleOf title_of) {
  entry.make = [=, key = entry.sized_by, name = entry.name](const KeyValues& keys) {
    return guarded(key.c_str(), [&] {
      const auto family = family_of(keys);
      return LinkNetwork{title_of(family), graph_of(family, latency_of(keys)), family, name};
    });
  };
  return entry;
}
/// The same for a family with a `size`.
template <class FamilyOf, class GraphOf, class TitleOf>
TopologyEntry sized_and_made_of(TopologyEntry entry, FamilyOf family_of, GraphOf graph_of, TitleOf title_of) {
  entry.size = [=, key = entry.sized_by](const KeyValues& keys) {
    return guarded(key.c_str(), [&] { return family_of(keys).size(); });
  };
  return made_of(std::move(entry), family_of, graph_of, title_of);
}

// ---- mesh, torus

NetworkSize grid_size(bool torus, const std::vector<std::int64_t>& shape) {
  if (shape.empty() || shape.size() > Grid::most_dimensions)
    throw ConfigError("shape",
                      fmt::format("a grid has 1 to {} dimensions, not {}", Grid::most_dimensions, shape.size()));
  NetworkSize size;
  size.nodes = 1;
  double links_per_node = 0;
  for (const std::int64_t side : shape) {
    const auto n = static_cast<double>(side);
    size.nodes *= n;
    links_per_node += torus ? (side > 1 ? 2 : 0) : 2 * (n - 1) / n;
  }
  size.links = size.nodes * links_per_node;
  // Ids of nodes, and of their ports, are 32 bits wide.
  const double most = std::min(most_nodes, 2147483647.0 / (2.0 * static_cast<double>(shape.size())));
  if (size.nodes > most)
    size.refusal = fmt::format("a grid of {} dimensions has at most {:.0f} nodes, not {:.0f}", shape.size(),
                               std::floor(most), size.nodes);
  return size;
}

TopologyEntry grid_entry(bool torus) {
  TopologyEntry entry;
  entry.name = torus ? "torus" : "mesh";
  entry.meaning =
      torus ? "a grid of any number of dimensions with wraparound links" : "a grid of any number of dimensions";
  entry.keys = {shape_key("nodes along each dimension; [rows, columns] for a mesh of two"), latency_key()};
  entry.sized_by = "shape";
  entry.size = [torus](const KeyValues& keys) { return grid_size(torus, keys.list("shape")); };
  const auto grid = [torus](const KeyValues& keys) {
    const NetworkSize size = grid_size(torus, keys.list("shape"));
    if (!size.refusal.empty()) throw ConfigError("shape", size.refusal);
    return torus ? Grid::torus(keys.list("shape")) : Grid::mesh(keys.list("shape"));
  };
  entry.grid = grid;
  entry.make = [grid](const KeyValues& keys) { return link_network(grid(keys), latency_of(keys)); };
  return entry;
}

// ---- express-mesh

TopologyEntry express_mesh_entry() {
  TopologyEntry entry;
  entry.name = "express-mesh";
  entry.meaning = "a two-dimensional mesh with express links that skip nodes of a row or column";
  entry.keys = {
      shape_key("[rows, columns]"),
      integer_key("skip", "length of an express link").within(2, most_nodes).measured_in("nodes").is_required(),
      latency_key()};
  entry.sized_by = "shape";
  const auto two_sides = [](const std::vector<std::int64_t>& shape) {
    if (shape.size() != 2)
      throw ConfigError("shape", fmt::format("an express mesh has rows and columns, not {} sides", shape.size()));
  };
  entry.size = [two_sides](const KeyValues& keys) {
    const auto& shape = keys.list("shape");
    two_sides(shape);
    const std::string error = express_skip_error(shape[0], shape[1], keys.integer("skip"));
    if (!error.empty()) throw ConfigError("skip", error);
    return express_mesh_size(shape[0], shape[1], keys.integer("skip"));
  };
  entry.make = [two_sides](const KeyValues& keys) {
    const auto& shape = keys.list("shape");
    two_sides(shape);
    return guarded("", [&] {
      const ExpressMesh mesh(shape[0], shape[1], keys.integer("skip"));
      return LinkNetwork{fmt::format("express mesh {} x {}, skip {}", shape[0], shape[1], mesh.skip()),
                         make_express_mesh(mesh, latency_of(keys)), mesh, "express-mesh"};
    });
  };
  return entry;
}

// ---- fat-tree

TopologyEntry fat_tree_entry() {
  TopologyEntry entry;
  entry.name = "fat-tree";
  entry.meaning = "a k-ary n-tree: k^n processors below n levels of k^(n-1) switches";
  entry.keys = {integer_key("arity", "k: number of links of a switch downwards, and upwards")
                    .within(FatTree::least_arity, FatTree::most_arity)
                    .is_required(),
                integer_key("levels", "n: number of levels of switches").within(1, 30).is_required(), latency_key()};
  entry.size = [](const KeyValues& keys) { return fat_tree_size(keys.integer("arity"), keys.integer("levels")); };
  return made_of(
      std::move(entry), [](const KeyValues& keys) { return FatTree(keys.integer("arity"), keys.integer("levels")); },
      make_fat_tree,
      [](const FatTree& tree) {
        return fmt::format("fat tree of arity {}, {}", tree.arity(), counted(tree.levels(), "level"));
      });
}

// ---- leaf-spine, clos

/// Completes an entry of a network of hosts, leaves and spines.
template <class ShapeOf, class TitleOf>
TopologyEntry folded_clos_entry(TopologyEntry entry, ShapeOf shape_of, TitleOf title_of) {
  append(entry.keys, {integer_key("hosts", "number of processors at each leaf").within(1, max_ports).is_required(),
                      integer_key("cables", "number of parallel links from a leaf to each of its spines")
                          .by_default(1)
                          .within(1, max_ports),
                      latency_key()});
  entry = sized_and_made_of(
      std::move(entry),
      [=](const KeyValues& keys) {
        FoldedClos::Shape shape = shape_of(keys);
        shape.hosts = keys.integer("hosts");
        shape.cables = keys.integer("cables");
        return FoldedClos(shape);
      },
      make_folded_clos, title_of);
  entry.make = [make = std::get<MakeLinkNetwork>(entry.make)](const KeyValues& keys) {
    LinkNetwork network = make(keys);
    network.roots = network.as<FoldedClos>()->top();
    return network;
  };
  return entry;
}

std::string hosts_text(const FoldedClos& clos) { return counted(clos.shape().hosts, "host") + " per leaf"; }
/// `, 2 cables`; empty for one.
std::string cables_text(const FoldedClos& clos) {
  return clos.shape().cables == 1 ? "" : fmt::format(", {} cables", clos.shape().cables);
}

TopologyEntry leaf_spine_entry() {
  TopologyEntry entry;
  entry.name = "leaf-spine";
  entry.meaning = "racks of hosts at leaf switches, each leaf linked to all spine switches";
  entry.keys = {integer_key("leaves", "number of leaf switches").within(1, max_ports).is_required(),
                integer_key("spines", "number of spine switches").within(1, max_ports).is_required()};
  return folded_clos_entry(
      std::move(entry),
      [](const KeyValues& keys) {
        FoldedClos::Shape shape;
        shape.leaves = keys.integer("leaves");
        shape.spines = keys.integer("spines");
        return shape;
      },
      [](const FoldedClos& clos) {
        return fmt::format("leaf-spine of {} and {}{}, {}", counted(clos.shape().leaves, "leaf"),
                           counted(clos.shape().spines, "spine"), cables_text(clos), hosts_text(clos));
      });
}

TopologyEntry clos_entry() {
  TopologyEntry entry;
  entry.name = "clos";
  entry.meaning = "pods of leaf and spine switches below core switches";
  entry.keys = {
      integer_key("pods", "number of pods").within(1, max_ports).is_required(),
      integer_key("leaves", "number of leaf switches of a pod").within(1, max_ports).is_required(),
      integer_key("spines", "number of spine switches of a pod; core c is linked to spine c mod spines of every pod")
          .within(1, max_ports)
          .is_required(),
      integer_key("cores", "number of core switches, a multiple of spines").within(1, most_nodes).is_required()};
  return folded_clos_entry(
      std::move(entry),
      [](const KeyValues& keys) {
        FoldedClos::Shape shape;
        shape.pods = keys.integer("pods");
        shape.leaves = keys.integer("leaves");
        shape.spines = keys.integer("spines");
        shape.cores = keys.integer("cores");
        return shape;
      },
      [](const FoldedClos& clos) {
        return fmt::format("clos of {} of {} and {}{}, {}, {}", counted(clos.shape().pods, "pod"),
                           counted(clos.shape().leaves, "leaf"), counted(clos.shape().spines, "spine"),
                           cables_text(clos), counted(clos.shape().cores, "core"), hosts_text(clos));
      });
}

// ---- concentrated-mesh, flattened-butterfly

std::vector<KeySpec> concentrated_keys() {
  return {shape_key("switches along each dimension; [rows, columns] for two"),
          integer_key("concentration", "number of processors at each switch").within(1, max_ports).is_required(),
          latency_key()};
}

TopologyEntry concentrated_mesh_entry() {
  TopologyEntry entry;
  entry.name = "concentrated-mesh";
  entry.meaning = "a mesh of switches with several processors at each";
  entry.keys = concentrated_keys();
  entry.grid = [](const KeyValues& keys) { return Grid::mesh(keys.list("shape")); };
  return sized_and_made_of(
      std::move(entry),
      [](const KeyValues& keys) { return ConcentratedMesh(keys.list("shape"), keys.integer("concentration")); },
      make_concentrated_mesh,
      [](const ConcentratedMesh& mesh) {
        return fmt::format("concentrated mesh {}, {} per switch", fmt::join(mesh.mesh().shape(), " x "),
                           mesh.concentration());
      });
}

TopologyEntry flattened_butterfly_entry() {
  TopologyEntry entry;
  entry.name = "flattened-butterfly";
  entry.meaning = "switches linked to all others of their row and column, several processors at each";
  entry.keys = concentrated_keys();
  return sized_and_made_of(
      std::move(entry),
      [](const KeyValues& keys) { return FlattenedButterfly(keys.list("shape"), keys.integer("concentration")); },
      make_flattened_butterfly,
      [](const FlattenedButterfly& butterfly) {
        return fmt::format("flattened butterfly {}, {} per switch", fmt::join(butterfly.mesh().shape(), " x "),
                           butterfly.concentration());
      });
}

// ---- dragonfly

TopologyEntry dragonfly_entry() {
  TopologyEntry entry;
  entry.name = "dragonfly";
  entry.meaning = "fully connected groups of routers, a global link between every two groups";
  entry.keys = {integer_key("groups", "number of groups; every two are joined by a global link")
                    .within(2, most_nodes)
                    .is_required(),
                integer_key("routers", "number of routers of a group; every two are joined by a local link")
                    .within(1, max_ports)
                    .is_required(),
                integer_key("terminals", "number of processors at each router").within(1, max_ports).is_required(),
                latency_key()};
  return sized_and_made_of(
      std::move(entry),
      [](const KeyValues& keys) {
        return Dragonfly(keys.integer("groups"), keys.integer("routers"), keys.integer("terminals"));
      },
      make_dragonfly,
      [](const Dragonfly& dragonfly) {
        return fmt::format("dragonfly of {}, {} each, {} per router", counted(dragonfly.groups(), "group"),
                           counted(dragonfly.routers_per_group(), "router"),
                           counted(dragonfly.terminals_per_router(), "terminal"));
      });
}

// ---- butterfly

TopologyEntry butterfly_entry() {
  TopologyEntry entry;
  entry.name = "butterfly";
  entry.meaning = "a k-ary n-fly: k^n processors, n stages of switches from sources to destinations";
  entry.keys = {integer_key("arity", "k: number of in-ports of a switch, and of out-ports")
                    .within(Butterfly::least_arity, Butterfly::most_arity)
                    .is_required(),
                integer_key("stages", "n: number of stages of switches").within(1, 30).is_required(), latency_key()};
  return sized_and_made_of(
      std::move(entry), [](const KeyValues& keys) { return Butterfly(keys.integer("arity"), keys.integer("stages")); },
      make_butterfly,
      [](const Butterfly& butterfly) {
        return fmt::format("butterfly of arity {}, {}", butterfly.arity(), counted(butterfly.stages(), "stage"));
      });
}

// ---- hypercube

TopologyEntry hypercube_entry() {
  TopologyEntry entry;
  entry.name = "hypercube";
  entry.meaning = "2^d processors, linked if their numbers differ in one bit";
  entry.keys = {integer_key("dimensions", "d: number of bits of a processor's number, each with its own port")
                    .within(1, Hypercube::most_dimensions)
                    .is_required(),
                latency_key()};
  entry.sized_by = "dimensions";
  entry.size = [](const KeyValues& keys) { return hypercube_size(keys.integer("dimensions")); };
  return made_of(
      std::move(entry), [](const KeyValues& keys) { return Hypercube(keys.integer("dimensions")); }, make_hypercube,
      [](const Hypercube& cube) { return fmt::format("hypercube of {}", counted(cube.dimensions(), "dimension")); });
}

// ---- ring

TopologyEntry ring_entry() {
  TopologyEntry entry;
  entry.name = "ring";
  entry.meaning = "a bidirectional ring: a torus of one dimension";
  entry.keys = {integer_key("nodes", "number of processors on the ring").within(2, most_nodes).is_required(),
                latency_key()};
  entry.sized_by = "nodes";
  entry.size = [](const KeyValues& keys) { return ring_size(keys.integer("nodes")); };
  entry.grid = [](const KeyValues& keys) { return Grid::torus({keys.integer("nodes")}); };
  return made_of(
      std::move(entry), [](const KeyValues& keys) { return Ring(keys.integer("nodes")); }, make_ring,
      [](const Ring& ring) { return fmt::format("ring of {}", ring.nodes()); });
}

// ---- graph

/// The network of the file read last: the entry first checks the file, then makes the network.
class LastGraph {
 public:
  LinkNetwork of(const KeyValues& keys) {
    DataFile file(keys.folder(), keys.text("file"));
    const std::lock_guard<std::mutex> alone(mutex_);
    if (!network_ || text_ != file.text()) {
      network_.reset();
      network_.emplace(LinkNetwork{"", read_graph(file), {}, "graph"});
      if (is_router_list(file.text())) network_->path_weight = PathWeight::latency;
      text_ = file.text();
    }
    LinkNetwork network = *network_;
    network.title = fmt::format("graph {}", std::filesystem::path(keys.text("file")).stem().string());
    return network;
  }

 private:
  std::mutex mutex_;
  std::string text_;
  std::optional<LinkNetwork> network_;
};

TopologyEntry graph_entry() {
  TopologyEntry entry;
  entry.name = "graph";
  entry.meaning = "any network, from a file of nodes and links";
  entry.keys = {file_key("file", "file of the nodes and links, in YAML or as a list of routers").is_required()};
  entry.sized_by = "file";
  const auto last = std::make_shared<LastGraph>();
  const auto network_of = [last](const KeyValues& keys) {
    try {
      return last->of(keys);
    } catch (const DataFileError&) {
      throw;  // it contains its locations
    } catch (const InputError& error) {
      throw ConfigError("file", error.what());
    }
  };
  entry.size = [network_of](const KeyValues& keys) {
    const NetworkGraph graph = network_of(keys).graph;
    return NetworkSize{static_cast<double>(graph.nodes()), static_cast<double>(graph.links())};
  };
  entry.make = network_of;
  return entry;
}

// ---- pops

NetworkSize pops_size(const KeyValues& keys) {
  const auto groups = static_cast<double>(keys.integer("groups"));
  NetworkSize size{groups * static_cast<double>(keys.integer("group_size")), groups * groups};
  if (size.nodes > most_nodes)
    throw ConfigError("",
                      fmt::format("a POPS network has at most {:.0f} processors, not {:.0f}", most_nodes, size.nodes));
  constexpr auto most_couplers = static_cast<double>(Pops::most_couplers);
  if (size.links > most_couplers)
    throw ConfigError("", fmt::format("{} groups have {:.0f} couplers, more than {:.0f}; choose fewer groups",
                                      keys.integer("groups"), size.links, most_couplers));
  return size;
}

TopologyEntry pops_entry() {
  TopologyEntry entry;
  entry.name = "pops";
  entry.meaning = "groups of processors, an optical passive star coupler from each group to each";
  entry.keys = {integer_key("groups", "g: number of groups; there is a coupler for each pair")
                    .within(1, most_nodes)
                    .is_required(),
                integer_key("group_size", "d: number of processors in each group")
                    .within(1, most_nodes)
                    .measured_in("processors")
                    .is_required()};
  entry.size = pops_size;
  entry.make = [](const KeyValues& keys) {
    pops_size(keys);
    return Pops(keys.integer("group_size"), keys.integer("groups"));
  };
  return entry;
}

}  // namespace

std::vector<TopologyEntry> topology_table() {
  return {
      grid_entry(false),           grid_entry(true),  ring_entry(),       hypercube_entry(), concentrated_mesh_entry(),
      express_mesh_entry(),        fat_tree_entry(),  leaf_spine_entry(), clos_entry(),      butterfly_entry(),
      flattened_butterfly_entry(), dragonfly_entry(), graph_entry(),      pops_entry()};
}

}  // namespace starloom
