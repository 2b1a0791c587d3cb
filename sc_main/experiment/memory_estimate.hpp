#pragma once
/// \file Whether a network fits into memory, asked before anything of it is built.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <starloom/topology/network_size.hpp>
#include <starloom/topology/pops/pops.hpp>

namespace starloom {

/// Bytes that the netlist of a network of links needs, about: SystemC modules and their names outweigh everything else.
double needed_bytes(const NetworkSize& size);

/// Bytes that a whole run needs, about: the program, the netlist, and the records of its packets.
double run_bytes(const NetworkSize& size, double packets);

/// Bytes of memory that a new process can have without swapping (`MemAvailable`), where the system says so.
std::optional<double> available_bytes();

/// What is wrong with the size, as a sentence, or nothing: `needed_bytes` above `available` (in bytes; nothing: not
/// known), or more nodes than can be numbered.
std::optional<std::string> size_fault(const NetworkSize& size, std::optional<double> available);

namespace pops {

/// The same on a POPS network, as hardware or on arrays. `table_bytes`: of the tables that its controllers share.
double run_bytes(const Pops& pops, double table_bytes, bool hardware);

/// The same for the model on arrays, which a netlist needs, too.
std::optional<std::string> size_fault(const NetworkSize& size, std::optional<double> available);

/// The same for a netlist. `table_bytes`: of the tables that its controllers share.
std::optional<std::string> netlist_fault(const Pops& pops, double table_bytes, std::optional<double> available);

}  // namespace pops

}  // namespace starloom
