#pragma once
/// \file Whether a network fits into memory, asked before anything of it is built.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <starloom/topology/grid/grid.hpp>
#include <starloom/topology/pops/pops.hpp>

namespace starloom {

/// Bytes that the netlist of a grid needs, about: SystemC modules and their names outweigh everything else.
double needed_bytes(TopologyKind kind, const std::vector<std::int64_t>& shape);

/// Bytes that a whole run needs, about: the program, the netlist, and the records of its packets.
double run_bytes(TopologyKind kind, const std::vector<std::int64_t>& shape, double packets);

/// Bytes of memory that a new process can have without swapping (`MemAvailable`), where the system says so.
std::optional<double> available_bytes();

/// What is wrong with the shape, as a sentence, or nothing: number of sides, number of nodes, `needed_bytes` above
/// `available` (in bytes; nothing: not known).
std::optional<std::string> shape_fault(TopologyKind kind, const std::vector<std::int64_t>& shape,
                                       std::optional<double> available);

namespace pops {

/// The same on a POPS network, as hardware or on arrays. `table_bytes`: of the tables that its controllers share.
double run_bytes(const Pops& pops, double table_bytes, bool hardware);

/// The same for POPS networks of so many processors in each group, and for the model on arrays.
std::optional<std::string> size_fault(std::int64_t groups, std::int64_t group_size, std::optional<double> available);

/// The same for a netlist. `table_bytes`: of the tables that its controllers share.
std::optional<std::string> netlist_fault(const Pops& pops, double table_bytes, std::optional<double> available);

}  // namespace pops

}  // namespace starloom
