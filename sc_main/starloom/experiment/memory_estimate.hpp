// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Checks that a network fits into memory, before it is built.
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <starloom/topology/pops/pops.hpp>
#include <starloom/topology/topology_entry.hpp>

namespace starloom {

/// Approximate memory of the netlist of a network of links: SystemC modules and their names dominate.
double needed_bytes(const NetworkSize& size);

/// Approximate memory of a whole run: the program, the netlist, and the records of its packets, those that arrive and
/// those that still wait at its end.
double run_bytes(const NetworkSize& size, double arrived, double waiting);

/// Approximate additional memory of routers, and of terminals beside them.
/// \param channels, slots of a router, and of the buffer of a channel.
double router_bytes(double routers, double terminals, int channels, int slots);

/// Approximate additional memory of what is under way on links of a greatest latency above 1.
/// \param ports, channels of a node; no channels: store-and-forward.
double flight_bytes(double nodes, int ports, std::int32_t latency, int channels);

/// Bytes of memory that this process can still use, if the system reports it: without swapping (`MemAvailable`),
/// within its limit of address space, within that of its control group.
std::optional<double> available_bytes();

/// The error in the size of a network, with its key, or empty: a refusal of its topology, or more bytes than are
/// available (empty: not known). The latter is checked only for networks that need more memory than the program
/// itself, because campaigns read thousands of small ones. For a POPS network, memory is that of the model on arrays.
std::optional<ConfigError> network_error(const TopologyEntry& topology, const KeyValues& keys,
                                         const std::function<std::optional<double>()>& available);

namespace pops {

/// The same on a POPS network, as hardware or on arrays. `table_bytes`: of the tables that its controllers share.
double run_bytes(const Pops& pops, double table_bytes, bool hardware);

/// The error in the size of a netlist. `table_bytes`: of the tables that its controllers share.
std::optional<std::string> netlist_error(const Pops& pops, double table_bytes, std::optional<double> available);

}  // namespace pops

}  // namespace starloom
