// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The network as a drawing: nodes, links and flit buffers of the netlist.
#include <string>

#include <starloom/fabric/links/network.hpp>
#include <starloom/pictures/links/captions.hpp>
#include <starloom/topology/network.hpp>

namespace starloom::links {

/// Nodes are placed as in `links.svg`; links connect the bound ports; a node's flit buffers are at their ports. The
/// name of a part is shown when the mouse is over it. For large grids the middle of the long sides is omitted; large
/// networks of other shapes have neither numbers nor buffers. The ports of the netlist are bound.
std::string netlist_picture(Network& network, const LinkNetwork& value, const Declaration& declaration,
                            const std::string& title, const Captions& captions = {});

}  // namespace starloom::links
