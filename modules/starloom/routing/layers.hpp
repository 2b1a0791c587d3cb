// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Layers of paths: the pairs of a network divided so that the paths of each layer leave no cycle of links.
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <starloom/core/ids.hpp>

namespace starloom::routing {

/// A path as links (NetworkGraph::index of their out-ports). Packets of each pair take one path.
using LinkPath = std::vector<std::size_t>;

enum class Layering {
  /// Pairs by source, then by destination, each into the lowest layer that its path leaves without a cycle (T. Skeie,
  /// O. Lysne and I. Theiss, "Layered Shortest Path (LASH) Routing in Irregular System Area Networks", IPDPS 2002).
  lash,
  /// All pairs into layer 0. While it has a cycle, the pairs over the edge of the cycle with the fewest pairs, of
  /// several the first from where the search closed it, move to the next layer, which is then treated alike (J. Domke,
  /// T. Hoefler and W. Nagel, "Deadlock-Free Oblivious Routing for Arbitrary Topologies", IPDPS 2011; here paths are
  /// not balanced). The search goes depth first from link to link, in ascending order.
  dfsssp
};
inline const std::vector<std::string> layering_names = {"lash", "dfsssp"};

struct Layers {
  std::vector<std::uint8_t> of_pair;  ///< [pair]; 0 for a pair with an empty path
  std::vector<std::int64_t> pairs;    ///< [layer] with a path that is not empty
};

/// \param links number of links. \param path of a pair, 0 <= pair < pairs; the same in every call.
/// \throws InputError if more than 256 layers are needed.
Layers layers_of(Layering layering, std::size_t links, std::size_t pairs,
                 const std::function<LinkPath(std::size_t pair)>& path);

}  // namespace starloom::routing
