// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `netlist.json` of networks of links.
#include <string>

#include <starloom/fabric/links/network.hpp>

namespace starloom::links {

/// The modules and their bindings (netlist_writer.hpp), in the order of nodes and ports. The ports are bound from the
/// start of simulation on.
std::string netlist_json(Network& network, const NetworkGraph& graph);

}  // namespace starloom::links
