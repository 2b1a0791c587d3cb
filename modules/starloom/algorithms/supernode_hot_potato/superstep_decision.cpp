// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/supernode_hot_potato/superstep_decision.hpp>

#include <algorithm>
#include <utility>

#include <starloom/algorithms/supernode_hot_potato/geometry.hpp>

namespace starloom::links {

SuperstepDecision::SuperstepDecision(std::int32_t slots)
    : leaves(static_cast<std::size_t>(2 * slots), no_port), swaps(static_cast<std::size_t>(slots), 0) {
  for (Port buffer = 0; buffer < 4; ++buffer) slot[static_cast<std::size_t>(buffer)] = first_slot(buffer);
}

void decide(const SupernodeRouter& router, SupernodePosition here, std::int32_t superstep, bool balance,
            SupernodeNotes& notes, SuperstepDecision& decision) {
  const std::size_t slots = decision.swaps.size();
  std::fill(decision.leaves.begin(), decision.leaves.end(), no_port);
  std::fill(decision.swaps.begin(), decision.swaps.end(), 0);
  const SupernodePicks picks = router.pick(here, superstep, notes);
  for (Port port = 0; port < 4; ++port)
    if (const std::int32_t index = picks[static_cast<std::size_t>(port)]; index != no_worm)
      decision.leaves[static_cast<std::size_t>(index)] = port;

  const auto index = [slots](std::size_t ring, std::size_t slot) { return ring * slots + slot; };
  const auto stays = [&](std::size_t ring, std::size_t slot) {
    return notes[index(ring, slot)] != no_supernode && decision.leaves[index(ring, slot)] == no_port;
  };
  std::array<std::size_t, 2> staying{};
  for (const std::size_t ring : {0, 1})
    for (std::size_t slot = 0; slot < slots; ++slot) staying[ring] += stays(ring, slot) ? 1 : 0;
  decision.kept = static_cast<std::int32_t>(staying[0] + staying[1]);
  decision.swapped = 0;
  for (const std::size_t ring : {0, 1})
    for (std::size_t slot = 0; balance && slot < slots && staying[ring] + 2 > slots; ++slot) {
      if (!stays(ring, slot) || stays(1 - ring, slot)) continue;
      std::swap(notes[index(0, slot)], notes[index(1, slot)]);
      std::swap(decision.leaves[index(0, slot)], decision.leaves[index(1, slot)]);
      decision.swaps[slot] = 1;
      ++decision.swapped;
      --staying[ring];
      ++staying[1 - ring];
    }

  // The first two slots of each ring whose worm does not stay; without balance there may be none, and worms then
  // meet.
  constexpr std::array<std::array<Port, 2>, 2> takers = {
      {{compass::south, compass::east}, {compass::west, compass::north}}};
  for (const std::size_t ring : {0, 1}) {
    std::size_t next = 0;
    for (std::size_t slot = 0; slot < slots && next < 2; ++slot)
      if (!stays(ring, slot))
        decision.slot[static_cast<std::size_t>(takers[ring][next++])] = static_cast<std::int32_t>(slot);
    for (; next < 2; ++next)
      decision.slot[static_cast<std::size_t>(takers[ring][next])] = static_cast<std::int32_t>(next);
  }
}

}  // namespace starloom::links
