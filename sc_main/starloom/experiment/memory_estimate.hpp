// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Whether a network fits into memory, asked before anything of it is built.
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <starloom/topology/pops/pops.hpp>
#include <starloom/topology/topology_entry.hpp>

namespace starloom {

/// Bytes that the netlist of a network of links needs, about: SystemC modules and their names outweigh everything else.
double needed_bytes(const NetworkSize& size);

/// Bytes that a whole run needs, about: the program, the netlist, and the records of its packets, those
/// that arrive and those that still wait at its end.
double run_bytes(const NetworkSize& size, double arrived, double waiting);

/// Bytes beyond these that routers need, about. \param channels, places of a router, and of the buffer of a channel.
double router_bytes(double nodes, int channels, int slots);

/// Bytes of memory that this process can still have, where the system says so: without swapping (`MemAvailable`),
/// within its limit of address space, within that of its control group.
std::optional<double> available_bytes();

/// What is wrong with the size of a network, with the key that it is in, or nothing: what its topology refuses, or that
/// it needs more bytes than are available (nothing: not known), which is asked only of networks that need more than the
/// program itself: campaigns read thousands of small ones. Of a POPS network the model on arrays is meant.
std::optional<ConfigError> network_error(const TopologyEntry& topology, const KeyValues& keys,
                                         const std::function<std::optional<double>()>& available);

namespace pops {

/// The same on a POPS network, as hardware or on arrays. `table_bytes`: of the tables that its controllers share.
double run_bytes(const Pops& pops, double table_bytes, bool hardware);

/// What is wrong with the size of a netlist. `table_bytes`: of the tables that its controllers share.
std::optional<std::string> netlist_error(const Pops& pops, double table_bytes, std::optional<double> available);

}  // namespace pops

}  // namespace starloom
