#pragma once
/// \file The network as a drawing: nodes, links and flit buffers as the netlist has them.
#include <string>

#include <starloom/fabric/links/network.hpp>
#include <starloom/topology/grid/grid.hpp>

namespace starloom::links {

/// Nodes stand as in `links.svg`; links run as the ports are bound; a node's flit buffers stand at the ports that they
/// belong to. Pointing at a thing shows its name. Of large networks the middle of the long sides is left out.
/// The netlist is one whose ports are bound.
std::string netlist_picture(Network& network, const Grid& topology, const Declaration& declaration,
                            const std::string& title);

}  // namespace starloom::links
