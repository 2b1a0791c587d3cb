// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `links.svg`: the load of every link, laid out like the network.
#include <string>

#include <starloom/core/links/link_use.hpp>
#include <starloom/pictures/links/captions.hpp>
#include <starloom/topology/network.hpp>

namespace starloom::links {

/// A heat map. Small grids of one or two dimensions have a harpoon for each link; all others a map for each port,
/// whose tiles have the load of the link that leaves the node through the port. In large networks a tile represents a
/// block of nodes and shows the busiest of their links, so that the picture has at most about a megabyte. Networks of
/// other shapes have a harpoon for each link between the positions of their nodes; large ones a tile for each node.
/// Colours are utilisations.
/// \param captions the words are inside nodes if links are harpoons. The links of a cycle have a broad line below
/// them, or a frame around their tiles, and the legend explains it.
std::string links_picture(const LinkNetwork& network, const LinkUse& use, const std::string& title,
                          const Captions& captions = {});

}  // namespace starloom::links
