// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Routers of one network with different channels, buffers and stages.
#include <map>
#include <memory>
#include <optional>
#include <string>

#include <starloom/control/links/make_algorithm.hpp>
#include <starloom/core/random.hpp>
#include "support/named_algorithm.hpp"

namespace starloom::links {

/// `vc-wormhole` with a number of flits of its own, 1 to 6, in every other node, and in others with stages of its own,
/// as far as they work with the keys.
/// \param least flits instead of 1; none: all buffers are alike.
/// \param least_channels every other node has up to 2 more; none: all have the same number.
inline std::unique_ptr<Algorithm> varied_routers(const LinkNetwork& network,
                                                 const std::map<std::string, KeyValue>& keys, std::uint64_t seed,
                                                 std::optional<std::int32_t> least = 1,
                                                 std::optional<std::int32_t> least_channels = std::nullopt) {
  const AlgorithmEntry& entry = tested_algorithm("vc-wormhole");
  AlgorithmContext context{&network};
  const router::Pipeline pipeline = make_algorithm(entry, context, keys)->declaration().pipelines.common;
  const bool one_step = pipeline.speculative || pipeline.speedup.internal > 1;
  const int most[] = {3, one_step ? 1 : 3, one_step || keys.count("hold_switch") != 0 ? 1 : 3,
                      pipeline.speedup.internal > 1 ? 1 : 3};
  RandomStream dice(seed, Purpose::algorithm, 3, 0);
  for (NodeId node = 0; node < network.graph.nodes(); ++node) {
    router::Region region{network.graph.node_name(node)};
    if (least && dice.bounded(2) == 0) region.buffer = *least + static_cast<std::int32_t>(dice.bounded(6));
    if (least_channels && dice.bounded(2) == 0)
      region.channels = *least_channels + static_cast<std::int32_t>(dice.bounded(3));
    for (std::size_t stage = 0; stage < region.stages.size() && !network.graph.is_terminal(node); ++stage)
      if (const int fewest = router::pipeline_stages[stage].least; dice.bounded(2) == 0)
        region.stages[stage] =
            fewest + static_cast<int>(dice.bounded(static_cast<std::uint32_t>(most[stage] - fewest + 1)));
    context.regions.push_back(region);
  }
  return make_algorithm(entry, context, keys);
}

}  // namespace starloom::links
