// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `faults.csv`: the hardware that is dead in a run (docs/output.md).
#include <filesystem>
#include <vector>

#include <starloom/core/ids.hpp>
#include <starloom/topology/faults.hpp>

namespace starloom::links {

/// Hardware that is dead from a step on: the link of an out-port to node `to`; without a port, a router; with the local
/// port, which has the number of the ports of links, a processor.
struct FaultRow {
  Step step = 0;
  NodeId node = no_node;
  Port port = no_port;
  NodeId to = no_node;

  bool operator==(const FaultRow& other) const {
    return step == other.step && node == other.node && port == other.port && to == other.to;
  }
};

/// By node and port, routers first. Dead channels have no rows.
std::vector<FaultRow> fault_rows(const Faults& faults);

/// \throws OutputError
void write_faults(const std::filesystem::path& file, const std::vector<FaultRow>& rows);
/// \throws InputError `file:line:column: text`
std::vector<FaultRow> read_faults(const std::filesystem::path& file);

}  // namespace starloom::links
