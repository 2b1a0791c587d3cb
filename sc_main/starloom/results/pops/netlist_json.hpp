// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `netlist.json` of POPS networks.
#include <string>

#include <starloom/fabric/pops/network.hpp>

namespace starloom::pops {

/// The modules and their bindings (netlist_writer.hpp), in the order of groups and processors. The ports are bound
/// from the start of simulation on.
std::string netlist_json(Network& network, const Pops& pops);

}  // namespace starloom::pops
