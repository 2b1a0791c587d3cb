// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Random networks of routers with random options, for tests of what may differ within a network.
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <starloom/schema/key_text.hpp>
#include "support/dice.hpp"
#include "support/routed_networks.hpp"

namespace starloom::links {

struct RouterMix {
  const LinkNetwork* network = nullptr;
  std::map<std::string, KeyValue> keys{};
  std::string selection = "least-occupied";
  std::optional<std::int32_t> least = 1;  ///< flits of a buffer; empty: buffers are shared
  std::vector<Packet> packets{};
  std::string text{};  ///< all of it
};

inline RouterMix router_mix(std::uint64_t seed) {
  Dice dice(seed);
  RouterMix mix;
  const int channels = 2 + dice.below(3);
  mix.keys = {{"channels", std::int64_t{channels}}, {"buffer", std::int64_t{1 + dice.below(5)}}};
  mix.network = &network_of(Grid::mesh({3, 4}), 1 + dice.below(2));
  switch (dice.below(5)) {
    case 0:
      mix.network = &kept(uneven_network(seed));
      mix.keys["function"] = std::string("up-down");
      break;
    case 1:
      mix.network = &fat_tree(2, 3);
      mix.keys["function"] = std::string("nearest-ancestor");
      mix.keys["nearest-ancestor.ascent"] = std::string("adaptive");
      break;
    case 2: mix.network = &concentrated_mesh({2, 2}, 3); break;
    case 3: mix.keys["function"] = std::string("west-first"); break;
    default:
      mix.keys["function"] = std::string("adaptive");
      if (dice.one_in(2)) mix.keys["selection"] = mix.selection = "random";
      break;
  }
  const int most_flits = 1 + dice.below(5);
  if (dice.one_in(2)) {
    mix.keys["pipeline"] = std::int64_t{4 + dice.below(2)};
    mix.keys["speculative"] = false;
  }
  switch (dice.below(9)) {
    case 0:
      mix.keys["allocator"] = PartValue{"priority-islip"};
      mix.keys["prefer_empty"] = true;
      break;
    case 1: mix.keys["wait_for_tail_credit"] = true; break;
    case 2: mix.keys["busy_when_full"] = true; break;
    case 3:
      mix.keys["flow"] = std::string("cut-through");
      mix.least = most_flits;
      mix.keys["buffer"] = std::int64_t{most_flits + dice.below(3)};
      break;
    case 4: mix.keys["speedup.output"] = std::int64_t{2}; break;
    case 5:
      mix.keys.erase("pipeline");
      mix.keys.erase("speculative");
      mix.keys["stages.switch"] = std::int64_t{2};
      break;
    case 6: mix.keys["speedup.internal"] = std::int64_t{2}; break;
    case 7:
      mix.keys.erase("buffer");
      mix.keys["buffers.places"] = std::int64_t{channels + dice.below(9)};
      mix.least.reset();
      break;
    default: break;
  }
  mix.text = "seed " + std::to_string(seed) + " on " + mix.network->title;
  for (const auto& [key, value] : mix.keys) mix.text += ", " + key + ": " + value_text(value);
  const NetworkGraph& graph = mix.network->graph;
  const auto processor = [&] { return graph.processor(dice.below(graph.processors())); };
  for (int k = 0; k < 60; ++k)
    mix.packets.push_back({processor(), processor(), 1 + dice.below(most_flits), Step{k / 4}});
  return mix;
}

}  // namespace starloom::links
