// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A network as the entry of a topology makes it: a value of one of the two kinds.
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

/// A network of links: its graph, which all but few look at, and the arithmetic of its family for those who need it.
struct LinkNetwork {
  std::string title;  ///< what people call it: `mesh 4 x 4`
  NetworkGraph graph;
  std::any family;  ///< a `Grid`, `FatTree`, or other type of a family; what a user's own entry likes; or nothing
  std::string topology{};                      ///< the name of the entry that made it
  PathWeight path_weight = PathWeight::links;  ///< of shortest paths, where the experiment names none
  std::vector<std::string> offers{};           ///< besides that name and `connected`

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
