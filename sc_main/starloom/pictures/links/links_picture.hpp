// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `links.svg`: how much crossed every link, laid out like the network.
#include <string>

#include <starloom/core/links/link_use.hpp>
#include <starloom/pictures/links/captions.hpp>
#include <starloom/topology/network.hpp>

namespace starloom::links {

/// A heat map. Small grids of one or two dimensions have a harpoon for each link; all others a map for each port,
/// whose tiles have the load of the link that leaves there through the port. In large networks a tile stands for a
/// block of nodes and shows the busiest of their links, so that the picture has at most about a megabyte. Networks of
/// other shapes have a harpoon for each link between the places of their nodes; large ones a tile for each node.
/// Colours are utilisations.
/// \param captions the words stand in nodes where links are harpoons. The links of a circle have a broad line below
/// them, or a frame around their tiles, and the legend says so.
std::string links_picture(const LinkNetwork& network, const LinkUse& use, const std::string& title,
                          const Captions& captions = {});

}  // namespace starloom::links
