// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Routers of one network with different buffers.
#include <map>
#include <memory>
#include <string>

#include <starloom/control/links/make_algorithm.hpp>
#include <starloom/core/random.hpp>
#include "support/named_algorithm.hpp"

namespace starloom::links {

/// `vc-wormhole` with a number of flits of its own, 1 to 6, in every other node.
/// \param least instead of 1.
inline std::unique_ptr<Algorithm> varied_routers(const LinkNetwork& network,
                                                 const std::map<std::string, KeyValue>& keys, std::uint64_t seed,
                                                 std::int32_t least = 1) {
  RandomStream dice(seed, Purpose::algorithm, 3, 0);
  AlgorithmContext context{&network};
  for (NodeId node = 0; node < network.graph.nodes(); ++node)
    if (dice.bounded(2) == 0)
      context.regions.push_back(
          {network.graph.node_name(node), {}, least + static_cast<std::int32_t>(dice.bounded(6))});
  return make_algorithm(tested_algorithm("vc-wormhole"), context, keys);
}

}  // namespace starloom::links
