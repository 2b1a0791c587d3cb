// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Management of the SystemC kernel, so that one process can run many simulations one after the other.
#include <cstddef>
#include <memory>
#include <systemc>

#include <starloom/core/ids.hpp>

namespace starloom {

/// Prepares for another netlist: a context of its own, and no reports about conditions that are outcomes of runs.
void renew_kernel();

/// The first step that has no time in SystemC and dumps, which count to 2^63 tenths of a picosecond. `clock_ns`: length
/// of a step.
Step end_of_time(double clock_ns);

/// Destroys a netlist that has run, if it is small. SystemC removes modules by linear search, so a large one is kept
/// to the end of the process, which has to leave by std::_Exit: then the result is true.
bool retire(std::unique_ptr<sc_core::sc_module> network, std::size_t module_count);

}  // namespace starloom
