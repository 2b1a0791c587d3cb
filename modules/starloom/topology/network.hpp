// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A network as the entry of a topology makes it: a network of links or a POPS network.
#include <any>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <starloom/topology/capability.hpp>
#include <starloom/topology/grid/grid.hpp>
#include <starloom/topology/network_graph.hpp>
#include <starloom/topology/pops/pops.hpp>

namespace starloom {

/// The measure of the length of a path.
enum class PathWeight {
  links,    ///< each link as 1
  latency,  ///< the steps that it takes to cross each link
};

/// A network of links: its graph, which is enough for most code, and the family object for code that needs the
/// arithmetic of the family.
struct LinkNetwork {
  std::string title;  ///< its name for people: `mesh 4 x 4`
  NetworkGraph graph;
  std::any family;  ///< a `Grid`, `FatTree`, or another type of a family; any value of a user's entry; may be empty
  std::string topology{};                      ///< the name of its entry
  PathWeight path_weight = PathWeight::links;  ///< of shortest paths, if the experiment names none
  std::vector<std::string> offers{};           ///< besides `topology` and `connected`
  std::vector<NodeId> roots{};  ///< of up-down, if the experiment names none; empty: those of `chosen_roots`

  Capabilities capabilities() const {
    Capabilities all = {topology, connected};
    all.insert(all.end(), offers.begin(), offers.end());
    return all;
  }
  /// The family, if it is a `T`, or null.
  template <class T>
  const T* as() const {
    return std::any_cast<T>(&family);
  }
};

/// The network of a mesh or torus.
LinkNetwork link_network(const Grid& grid, std::int32_t link_latency = 1);

/// Networks differ in kind: directed links between nodes, or couplers between groups.
using Network = std::variant<LinkNetwork, Pops>;

}  // namespace starloom
