// SPDX-License-Identifier: Apache-2.0
/// \file Routers with classes of traffic: netlist and reference simulator agree, and results are those of a plain model
/// (docs/traffic-classes.md).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include <starloom/control/links/make_algorithm.hpp>
#include <starloom/core/random.hpp>
#include <starloom/schema/key_text.hpp>
#include "support/dice.hpp"
#include "support/lockstep.hpp"
#include "support/named_algorithm.hpp"

namespace starloom::links {
namespace {

using Keys = std::map<std::string, KeyValue>;

std::unique_ptr<Algorithm> router_for(const LinkNetwork& network, std::vector<TrafficClass> classes, const Keys& keys) {
  AlgorithmContext context{&network, 1};
  context.classes = std::move(classes);
  return make_algorithm(tested_algorithm("vc-wormhole"), context, keys);
}

/// Two long packets to the corner of a mesh, and one of greater priority that begins later, near the corner.
std::vector<Step> race_to_the_corner(const std::string& allocator, std::int64_t channels) {
  const LinkNetwork& network = network_of(Grid::mesh({4, 4}), 1);
  const auto algorithm = router_for(network, {{"bulk"}, {"urgent", {}, 1}},
                                    {{"channels", channels},
                                     {"buffer", std::int64_t{8}},
                                     {"allocator", PartValue{allocator}},
                                     {"priority", std::string("class")}});
  ListSource source({packet_of_class(0, 0, 3, 8, 0), packet_of_class(0, 1, 3, 8, 0), packet_of_class(1, 5, 3, 4, 6)});
  return run_netlist(network, *algorithm, source).record.delivered;
}

TEST(TrafficClasses, PrioritiesOfClassesGiveTheStepsOfAPlainModel) {
  EXPECT_EQ(race_to_the_corner("islip", 2), (std::vector<Step>{29, 23, 30}));
  EXPECT_EQ(race_to_the_corner("priority-islip", 2), (std::vector<Step>{30, 22, 27}));
  EXPECT_EQ(race_to_the_corner("wavefront", 2), (std::vector<Step>{30, 20, 25}));
  for (const char* allocator : {"islip", "priority-islip", "wavefront"})
    EXPECT_EQ(race_to_the_corner(allocator, 1), (std::vector<Step>{26, 18, 30})) << allocator;
}

TEST(TrafficClasses, NetlistAndStepperAgreeOnRandomMixes) {
  for (std::uint64_t seed = 0; seed < 40 && !testing::Test::HasFailure(); ++seed) {
    Dice dice(seed);
    const bool torus = dice.one_in(3);
    const Grid grid = torus ? Grid::torus({4, 4}) : Grid::mesh({4, 4});
    const int least = torus ? 2 : 1, channels = dice.one_in(4) ? 14 : least + dice.below(5);
    Keys keys = {{"channels", std::int64_t{channels}},
                 {"buffer", std::int64_t{1 + dice.below(6)}},
                 {"priority", dice.one_of<std::string>({"none", "class", "class", "age", "sequence", "hop-count"})},
                 {"channel_allocator", dice.allocator(5 * channels)},
                 {"switch_allocator", dice.allocator(5)}};
    for (const char* flag : {"donate", "prefer_empty", "hold_switch", "wait_for_tail_credit"})
      keys[flag] = dice.one_in(3);
    if (keys["priority"] == KeyValue{std::string("none")}) keys.erase("donate");
    if (channels == 14 && dice.one_in(2)) keys["next_hop_channels"] = true;
    const bool halves = !torus && channels > 1 && keys.count("next_hop_channels") == 0 && dice.one_in(4);
    if (halves) keys["function"] = std::string("o1turn");
    if (dice.one_in(3)) {
      keys.erase("buffer");
      keys["buffers.policy"] = std::string("dynamic");
      keys["buffers.places"] = std::int64_t{channels + dice.below(8)};
    } else if (dice.one_in(3)) {
      keys["flow"] = std::string("cut-through");
      keys["buffer"] = std::int64_t{5 + dice.below(4)};
    }

    std::vector<TrafficClass> classes;
    PlainRules rules = plain_rules(keys);
    const int fewest = keys.count("next_hop_channels") != 0 ? (torus ? 10 : 5) : halves ? 2 : least;
    std::string text = "seed " + std::to_string(seed);
    for (const auto& [key, value] : keys) text += ", " + key + ": " + value_text(value);
    const int class_count = 2 + dice.below(3);
    for (int number = 0; number < class_count; ++number) {
      // Ranges that overlap by parts would close the cycles that datelines and halves break.
      const int count = torus || halves ? channels : fewest + dice.below(channels - fewest + 1);
      const int first = dice.below(channels - count + 1);
      TrafficClass of_traffic{"c" + std::to_string(number), routing::ChannelRange{first, count}, dice.below(3)};
      rules.classes.push_back({first, first + count - 1, of_traffic.priority});
      text += ", " + of_traffic.name + ": " + std::to_string(first) + " + " + std::to_string(count);
      classes.push_back(std::move(of_traffic));
    }
    SCOPED_TRACE(text);
    std::vector<Packet> packets;
    for (NodeId node = 0; node < 16; ++node)
      for (int k = 0; k < 8; ++k)
        packets.push_back(
            packet_of_class(dice.below(class_count), node, dice.below(16), 1 + dice.below(5), dice.below(30)));
    const LinkNetwork network = seed % 3 == 2 ? with_uneven_clocks(network_of(grid, 1), seed) : network_of(grid, 1);
    const auto algorithm = router_for(network, classes, keys);
    EXPECT_EQ(
        expect_lockstep(network, *algorithm, packets, seed, 8000, dice.one_in(4) ? 0.2 : 0, "least-occupied", rules),
        StepperEnd::all_delivered);
  }
}

}  // namespace
}  // namespace starloom::links
