// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file When routing functions learn of hardware that dies or is repaired during the run (docs/faults.md).
#include <cstdint>
#include <string_view>
#include <vector>

#include <starloom/topology/fault_timeline.hpp>

namespace starloom {

/// How the routing functions of all nodes change from one to another.
enum class Transition : std::uint8_t {
  drain,  ///< processors begin no packet until the network is empty
  flush,  ///< the packets in the network are lost
  keep    ///< packets stay; heads ask the new function in the next router
};
inline constexpr std::string_view transition_names[] = {"drain", "flush", "keep"};

struct RerouteRules {
  Step after = 0;       ///< steps from a death or repair until the functions change, or begin to drain
  bool floods = false;  ///< instead of `after`: until a message from the ends of the fault has come to all nodes
  Transition transition = Transition::drain;
};

/// A change of the routing functions. It does not take place if hardware dies or is repaired once more before it, or in
/// the same step.
struct Reroute {
  Step event = 0;  ///< hardware dies or is repaired
  Step due = 0;    ///< the change, or the beginning of the drain
  Faults faults;   ///< that the functions know after it
};

/// The change that follows the events of a step. A message of a flood crosses a living link per step; ends of a fault
/// are the living nodes of its links, and the node of its processor.
/// \param start dead hardware in step 0. \param hardware after the events. \param events not empty.
Reroute reroute_after(const Faults& start, const LivingHardware& hardware, const std::vector<FaultEvent>& events,
                      const RerouteRules& rules);

/// One for each step with events, in order. \param start dead hardware in step 0. \param events later ones, in order.
std::vector<Reroute> reroutes_of(const Faults& start, const std::vector<FaultEvent>& events, const RerouteRules& rules);

}  // namespace starloom
