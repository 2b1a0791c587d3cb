// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Plans as JSON files (docs/formats.md): written, inspected, edited by hand, read again.
///
///     {"schema": 1,
///      "network": {"topology": "mesh", "shape": [2, 2]},
///      "flits": 1,
///      "length": 2,
///      "sources": [0, 1], "destinations": [3, 2], "starts": [0, 0],
///      "first": ["H", "V"]}
///
/// The lists have an element per packet. `first` is the direction of the first segment of a path with one bend (`H`
/// if there is no bend). Other paths have `moves` instead: for each packet a list of out-ports, `null` if it stays
/// for a stage. Stages count from 0; the first move is made in stage `start`.
#include <string>
#include <vector>

#include <starloom/control/links/plan.hpp>
#include <starloom/core/packet.hpp>
#include <starloom/planning/links/multistage/one_bend_planner.hpp>
#include <starloom/topology/grid/grid.hpp>

namespace starloom::links {

struct SavedPlan {
  Grid grid;
  std::vector<Packet> packets;  ///< their sources, destinations and flits
  Plan plan;
};

/// The file of a plan. \throws InputError if a packet is not part of the plan.
std::string saved_plan_text(const Grid& grid, const std::vector<Packet>& packets, const Plan& plan);

/// Reads a plan and checks it: every packet moves inside the grid, from its source to its destination, and `length`
/// is the last arrival. Conflicts on links are found by the run and its referee, not here.
/// \param name  of the file, for messages
/// \throws InputError with the location in the file and the legal values.
SavedPlan read_saved_plan(const std::string& text, const std::string& name);

}  // namespace starloom::links
