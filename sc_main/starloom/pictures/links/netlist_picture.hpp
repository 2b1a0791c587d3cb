// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The network as a drawing: nodes, links and flit buffers as the netlist has them.
#include <string>

#include <starloom/fabric/links/network.hpp>
#include <starloom/pictures/links/captions.hpp>
#include <starloom/topology/network.hpp>

namespace starloom::links {

/// Nodes stand as in `links.svg`; links run as the ports are bound; a node's flit buffers stand at the ports that they
/// belong to. Pointing at a thing shows its name. Of large grids the middle of the long sides is
/// left out; large networks of other shapes have neither numbers nor buffers.
/// The netlist is one whose ports are bound.
std::string netlist_picture(Network& network, const LinkNetwork& value, const Declaration& declaration,
                            const std::string& title, const Captions& captions = {});

}  // namespace starloom::links
