// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/randomized/starve.hpp>

#include <string>

#include <starloom/algorithms/randomized/randomized_rules.hpp>
#include <starloom/algorithms/randomized/starved_permutation.hpp>

namespace starloom::patterns {

Destinations starve(const Processors& processors, std::uint64_t seed) {
  constexpr std::int32_t most_groups = 64;  // larger ones take seconds
  const Grid& grid = processors.coordinates("starve");
  const std::int32_t g = grid.side(0);
  if (!grid.is_square_mesh() || g > most_groups)
    processors.refuse("starve needs as many groups as processors per group, at most " + std::to_string(most_groups) +
                      ", not " + processors.network + "; choose other sizes, or random-permutation");
  const Pops network(g, g);
  const pops::RandomizedRules rules(network, pops::RandomizedOptions());
  // Longer than any packet is blocked in a table of random choices.
  std::int64_t cycles = 4;
  for (std::int32_t groups = 1; groups < g; groups *= 2) cycles += 2;
  pops::TwoHopsTable sends;
  for (std::int64_t cycle = 0; cycle < cycles; ++cycle) {
    sends.emplace_back();
    for (NodeId node = 0; node < network.nodes(); ++node)
      sends.back().push_back(rules.random_group(seed, node, node, cycle, rules.participation(cycle)));
  }
  // A packet's temporary group is the index of its destination.
  Destinations destinations = pops::starved_permutation(network, sends).destination;
  for (NodeId& to : destinations) to = network.node_at(network.index_of(to), network.group_of(to));
  return destinations;
}

AlgorithmPattern starve_pattern() {
  return {"starve",
          "randomized on POPS with d = g: uses its random words to keep one packet back",
          {integer_key("known", "seed whose random words the pattern uses; default: the seed of the run").at_least(0)},
          [](const Processors& processors, std::uint64_t seed, const KeyValues& keys) {
            return starve(processors, keys.has("known") ? static_cast<std::uint64_t>(keys.integer("known")) : seed);
          }};
}

}  // namespace starloom::patterns
