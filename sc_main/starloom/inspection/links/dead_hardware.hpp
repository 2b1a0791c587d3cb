// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The names of hardware that is dead in a step of a run, or that dies or is repaired in it, and the changes of
/// routing functions because of it.
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <starloom/topology/fault_timeline.hpp>

namespace starloom::links {

/// Links, routers and processors, as in FaultEvent. By node and port, each once.
using HardwarePlaces = std::vector<std::pair<NodeId, Port>>;

/// `link_r00_c00_east`, `node_r01_c01`, `the processor of node_r01_c01`. Without the links and processors of routers
/// that are there, too, and of two links of a cable only the lower one.
std::vector<std::string> hardware_names(const NetworkGraph& graph, const HardwarePlaces& places);

/// The hardware that is dead in a step. \param events after step 0, in order.
HardwarePlaces dead_in(const Faults& start, const std::vector<FaultEvent>& events, Step step);

/// Steps in which routing functions have changed, and times in which processors began no packet, up to such a step.
struct RoutingChanges {
  struct Drain {
    Step from = 0;
    Step to = no_step;  ///< no_step: the run ended before the change
  };
  std::vector<Step> steps{};
  std::vector<Drain> drains{};

  /// The first step of the drain that goes on in a step; no_step: none does.
  Step draining_since(Step step) const;
};

/// From `faults.csv` in the folder of a run with faults. \throws InputError
RoutingChanges read_routing_changes(const std::filesystem::path& folder);

}  // namespace starloom::links
