// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `faults.csv`: the hardware that is dead in a run, and when, and when routing functions learn of it
/// (docs/output.md).
#include <cstdint>
#include <filesystem>
#include <vector>

#include <starloom/core/ids.hpp>
#include <starloom/topology/fault_timeline.hpp>

namespace starloom::links {

/// Hardware that dies or is repaired at the beginning of a step: the link of an out-port to node `to`; without a port,
/// a router; with the local port, which has the number of the ports of links, a processor. Or, without a node, a change
/// of routing functions.
struct FaultRow {
  enum class Event : std::uint8_t {
    repaired,
    dead,
    stopped,  ///< processors begin no packet from this step on, until the change
    changed   ///< routing functions know of what has died and been repaired
  };
  Step step = 0;
  Event event = Event::dead;
  NodeId node = no_node;
  Port port = no_port;
  NodeId to = no_node;

  bool operator==(const FaultRow& other) const {
    return step == other.step && event == other.event && node == other.node && port == other.port && to == other.to;
  }
  bool is_of_hardware() const { return event <= Event::dead; }
};

/// By step and event, those of hardware by node and port, routers first. Dead channels have no rows.
/// \param drains steps in which processors stopped. \param reroutes steps in which routing functions changed.
/// \param last the last step of the run; later events have no rows.
std::vector<FaultRow> fault_rows(const Faults& start, const std::vector<FaultEvent>& events,
                                 const std::vector<Step>& drains, const std::vector<Step>& reroutes, Step last);

/// Makes as many events known as the rows of a run have, and one more if it is not later than the last row.
void make_known(FaultTimeline& timeline, const std::vector<FaultRow>& rows);

/// \throws OutputError
void write_faults(const std::filesystem::path& file, const std::vector<FaultRow>& rows);
/// \throws InputError `file:line:column: text`
std::vector<FaultRow> read_faults(const std::filesystem::path& file);

}  // namespace starloom::links
