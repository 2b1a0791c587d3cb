// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `faults.csv`: the hardware that is dead in a run, and when (docs/output.md).
#include <filesystem>
#include <vector>

#include <starloom/core/ids.hpp>
#include <starloom/topology/fault_timeline.hpp>

namespace starloom::links {

/// Hardware that dies or is repaired at the beginning of a step: the link of an out-port to node `to`; without a port,
/// a router; with the local port, which has the number of the ports of links, a processor.
struct FaultRow {
  Step step = 0;
  bool dies = true;  ///< false: it is repaired
  NodeId node = no_node;
  Port port = no_port;
  NodeId to = no_node;

  bool operator==(const FaultRow& other) const {
    return step == other.step && dies == other.dies && node == other.node && port == other.port && to == other.to;
  }
};

/// By step, repairs before deaths, by node and port, routers first. Dead channels have no rows.
/// \param last the last step of the run; later events have no rows.
std::vector<FaultRow> fault_rows(const Faults& start, const std::vector<FaultEvent>& events, Step last);

/// \throws OutputError
void write_faults(const std::filesystem::path& file, const std::vector<FaultRow>& rows);
/// \throws InputError `file:line:column: text`
std::vector<FaultRow> read_faults(const std::filesystem::path& file);

}  // namespace starloom::links
