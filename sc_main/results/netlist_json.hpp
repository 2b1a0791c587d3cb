#pragma once
/// \file `netlist.json`: the modules of a network and how their ports are bound.
#include <string>

#include "fabric/network.hpp"
#include "fabric/star_network.hpp"

namespace starloom {

/// JSON with a line for each entry of `instances` {name, module, what the module was made with}, `ports` {name,
/// direction, side} and `bindings` {port, channel}. Names are those of SystemC below the network. Nothing but the modules
/// and their bindings is asked, in the order of nodes and ports. The ports are bound from the start of simulation on.
std::string netlist_json(Network& network, NodeId nodes);

/// The same of a POPS network, in the order of groups and processors.
std::string netlist_json(StarNetwork& network, const Pops& pops);

/// A module's or port's name below the network: `node_r00_c01.out`.
std::string name_below(const sc_core::sc_module& network, const sc_core::sc_object& object);

}  // namespace starloom
