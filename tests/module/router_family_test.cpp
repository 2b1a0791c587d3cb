// SPDX-License-Identifier: Apache-2.0
/// \file Routers with other parts than the built-in ones: netlist and reference simulator agree, and results are those
/// of BookSim2 and of a plain model (docs/router-family.md).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include <starloom/control/links/zero_load.hpp>
#include <starloom/schema/key_text.hpp>
#include <starloom/topology/link_changes.hpp>
#include "support/dice.hpp"
#include "support/lockstep.hpp"
#include "support/named_algorithm.hpp"
#include "support/routed_networks.hpp"

namespace starloom::links {
namespace {

using Keys = std::map<std::string, KeyValue>;

/// Steps of the stages, as `stages` gives them.
Keys stages(std::int64_t routing, std::int64_t channel, std::int64_t of_switch, std::int64_t crossbar, Keys keys = {}) {
  keys["stages.routing"] = routing;
  keys["stages.channel"] = channel;
  keys["stages.switch"] = of_switch;
  keys["stages.crossbar"] = crossbar;
  return keys;
}
const Keys speculative = {{"speculative", true}};

/// Flits of an in-port and of an out-port in a round, rounds of a step, and the limit of FIFOs; 0: none.
Keys speedup(std::int64_t input, std::int64_t output, std::int64_t internal = 1, std::int64_t fifo = 0,
             Keys keys = {}) {
  keys["speedup.input"] = input;
  keys["speedup.output"] = output;
  keys["speedup.internal"] = internal;
  if (fifo > 0) keys["speedup.fifo"] = fifo;
  return keys;
}

/// Channels that share the places of their in-port.
Keys shared(const std::string& policy, std::int64_t places, Keys keys = {}) {
  keys["buffers.policy"] = policy;
  keys["buffers.places"] = places;
  return keys;
}

struct Sum {
  Step sum = 0, last = 0;
  friend bool operator==(const Sum& a, const Sum& b) { return a.sum == b.sum && a.last == b.last; }
  friend std::ostream& operator<<(std::ostream& out, const Sum& s) { return out << s.sum << ", " << s.last; }
};

/// 5 flits from each node of a mesh of 8 x 8 to its transpose, then 3 to its complement.
Sum transpose_and_complement(Keys keys) {
  const LinkNetwork& network = network_of(Grid::mesh({8, 8}), 1);
  keys.emplace("channels", std::int64_t{4});
  if (keys.count("buffers.places") == 0) keys["buffer"] = std::int64_t{4};
  std::vector<Packet> packets;
  for (NodeId node = 0; node < 64; ++node) packets.push_back({node, node % 8 * 8 + node / 8, 5});
  for (NodeId node = 0; node < 64; ++node) packets.push_back({node, 63 - node, 3});
  ListSource source(packets);
  const NetlistRun run = run_netlist(network, *named_algorithm("vc-wormhole", network, keys), source);
  const std::vector<Step>& steps = run.record.delivered;
  return {std::accumulate(steps.begin(), steps.end(), Step{0}), *std::max_element(steps.begin(), steps.end())};
}

TEST(RouterFamily, GivesTheStepsOfOtherModels) {
  const PartValue matrix{"matrix"};
  const std::string requests = "requests";
  const std::vector<std::pair<Keys, Sum>> rows = {
      {{{"allocator", PartValue{"islip", 1}}}, {5252, 75}},
      {{{"allocator", PartValue{"islip", 2}}}, {5252, 75}},
      {{{"allocator", PartValue{"islip", 4}}}, {5252, 75}},
      {{{"allocator", PartValue{"priority-islip"}}}, {5168, 75}},
      {{{"allocator", PartValue{"output-first"}}}, {5168, 75}},
      {{{"allocator", PartValue{"input-first"}}}, {5150, 75}},
      {{{"allocator", made_of("input-first", matrix)}}, {5152, 76}},
      {{{"allocator", made_of("output-first", matrix)}}, {5140, 76}},
      {{{"channel_allocator", made_of("input-first", PartValue{"tree", 4})}}, {5271, 76}},
      {{{"allocator", PartValue{"wavefront"}}}, {5199, 76}},
      {{{"allocator", PartValue{"wavefront-skip"}}}, {5150, 75}},
      {{{"allocator", PartValue{"lonely-output"}}}, {5184, 75}},
      {{{"channel_allocator", PartValue{"piggyback"}}}, {5040, 77}},
      {{{"speculation.allocator", PartValue{"islip", 1}}}, {5184, 76}},
      {{{"speculation.allocator", PartValue{"islip", 1}}, {"speculation.mask", requests}}, {5196, 76}},
      {{{"pipeline", std::int64_t{5}}}, {6536, 95}},
      {{{"pipeline", std::int64_t{5}}, {"allocator", PartValue{"wavefront"}}}, {6531, 97}},
      {{{"allocator", PartValue{"priority-islip"}}, {"priority", std::string("age")}}, {5168, 75}},
      {{{"allocator", PartValue{"priority-islip"}}, {"priority", std::string("network-age")}}, {5434, 75}},
      {{{"allocator", PartValue{"priority-islip"}}, {"priority", std::string("local-age")}}, {5118, 76}},
      {{{"allocator", PartValue{"priority-islip"}}, {"priority", std::string("hop-count")}}, {5438, 71}},
      {{{"allocator", PartValue{"priority-islip"}}, {"priority", std::string("queue-length")}}, {5258, 75}},
      {{{"priority", std::string("queue-length")}}, {5358, 75}},
      {{{"allocator", PartValue{"priority-islip"}}, {"prefer_empty", true}}, {5162, 75}},
      {{{"hold_switch", true}}, {5236, 78}},
      {{{"wait_for_tail_credit", true}}, {5218, 74}},
      {{{"shuffle_requests", true}}, {5268, 75}},
      {{{"next_hop_channels", true}, {"channels", std::int64_t{5}}}, {5448, 89}},
      {stages(0, 2, 1, 1), {6464, 94}},
      {stages(0, 1, 2, 1), {7650, 110}},
      {stages(2, 1, 1, 1, speculative), {6666, 98}},
      {stages(0, 1, 1, 2, speculative), {5960, 87}},
      {stages(2, 2, 2, 2, {{"credit_latency", std::int64_t{3}}}), {11186, 158}},
      {speedup(2, 1), {5236, 76}},
      {speedup(1, 2), {5198, 75}},
      {speedup(2, 2), {5199, 75}},
      {speedup(2, 2, 1, 1), {5421, 79}},
      {speedup(1, 1, 2), {4408, 66}},
      {{{"function", std::string("min-adaptive")},
        {"selection", std::string("all")},
        {"speculative", false},
        {"pipeline", std::int64_t{4}}},
       {6286, 101}},
      {shared("shared", 16), {5234, 75}},
      {shared("dynamic", 16), {5234, 75}},
      {shared("private", 16), {5252, 75}}};
  for (const auto& [keys, expected] : rows) {
    std::string text;
    for (const auto& [key, value] : keys) text += key + ": " + value_text(value) + " ";
    EXPECT_EQ(transpose_and_complement(keys), expected) << text;
  }
}

// Where all processors are terminals, routers have no local port: wavefronts and pointers run over the ports of links.
// Steps of BookSim2 for UGAL on a flattened butterfly of 4 x 4 switches, with the same random numbers.
TEST(RouterFamily, GivesTheStepsOfOtherModelsBetweenSwitches) {
  const LinkNetwork& network = flattened_butterfly({4, 4}, 4);
  std::vector<Packet> packets;
  for (NodeId node = 0; node < 64; ++node) packets.push_back({node, (node + 20) % 64, 5});
  for (NodeId node = 0; node < 64; ++node) packets.push_back({node, 63 - node, 3});
  for (const auto& [allocator, expected] :
       {std::pair("islip", Sum{4748, 66}), std::pair("wavefront", Sum{4912, 65}),
        std::pair("wavefront-skip", Sum{4777, 63}), std::pair("lonely-output", Sum{4947, 68})}) {
    Keys keys = stages(1, 1, 1, 1, speculative);
    keys["function"] = std::string("ugal");
    keys["channels"] = std::int64_t{2};
    keys["buffer"] = std::int64_t{4};
    keys["allocator"] = PartValue{allocator};
    ListSource source(packets);
    const NetlistRun run = run_netlist(network, *named_algorithm("vc-wormhole", network, keys), source);
    const std::vector<Step>& steps = run.record.delivered;
    const Sum sum{std::accumulate(steps.begin(), steps.end(), Step{0}), *std::max_element(steps.begin(), steps.end())};
    EXPECT_EQ(sum, expected) << allocator;
  }
}

/// A run of packets on a mesh of 8 x 8.
RunRecord record_of(const std::vector<Packet>& packets, std::int64_t buffer, Keys keys) {
  const LinkNetwork& network = network_of(Grid::mesh({8, 8}), 1);
  keys["buffer"] = buffer;
  ListSource source(packets);
  return run_netlist(network, *named_algorithm("vc-wormhole", network, keys), source).record;
}
std::vector<Step> delivered(const std::vector<Packet>& packets, std::int64_t buffer, const Keys& keys) {
  return record_of(packets, buffer, keys).delivered;
}

TEST(RouterFamily, TheNextPacketWaitsForTheCreditOfTheTail) {
  const std::vector<Packet> packets = {{0, 1, 4}, {0, 1, 4}};
  EXPECT_EQ(delivered(packets, 8, {}), (std::vector<Step>{11, 15}));
  const RunRecord record = record_of(packets, 8, {{"wait_for_tail_credit", true}});
  EXPECT_EQ(record.delivered, (std::vector<Step>{11, 19}));
  EXPECT_EQ(record.injected, (std::vector<Step>{0, 7}));
}

TEST(RouterFamily, OnePacketTakesTheTimeOfItsStages) {
  const std::vector<std::pair<Keys, std::vector<Step>>> rows = {{stages(3, 1, 1, 1), {9, 16, 107, 114}},
                                                                {stages(0, 2, 1, 1), {7, 12, 77, 84}},
                                                                {stages(0, 1, 2, 1), {7, 12, 77, 91}},
                                                                {stages(0, 1, 3, 1), {8, 14, 92, 113}},
                                                                {stages(0, 1, 1, 3, speculative), {7, 12, 77, 84}},
                                                                {stages(2, 2, 2, 2), {11, 20, 137, 151}},
                                                                {speedup(1, 1, 2), {4, 6, 32, 39}}};
  const std::vector<Packet> packets = {{0, 0, 1}, {0, 1, 1}, {0, 63, 1}, {0, 63, 8}};
  for (const auto& [keys, expected] : rows)
    for (std::size_t i = 0; i < packets.size(); ++i)
      EXPECT_EQ(delivered({packets[i]}, 8, keys), std::vector<Step>{expected[i]}) << "packet " << i;
}

/// A packet of 8 flits to the next node.
TEST(RouterFamily, CreditsLimitTheRateOfFlits) {
  const std::vector<std::pair<Keys, std::vector<Step>>> rows = {
      {stages(0, 1, 1, 2, speculative), {52, 29, 19, 18}},
      {stages(0, 1, 2, 1), {62, 36, 26, 26}},
      {{{"credit_latency", std::int64_t{4}}}, {57, 30, 18, 17}}};
  const std::vector<std::int64_t> buffers = {1, 2, 4, 5};
  for (const auto& [keys, expected] : rows)
    for (std::size_t i = 0; i < buffers.size(); ++i)
      EXPECT_EQ(delivered({{0, 1, 8}}, buffers[i], keys), std::vector<Step>{expected[i]}) << "buffer " << buffers[i];
}

TEST(RouterFamily, NetlistAndStepperAgreeOnRandomMixes) {
  int deadlocks = 0;
  for (std::uint64_t seed = 0; seed < 60 && !testing::Test::HasFailure(); ++seed) {
    Dice dice(seed);
    const bool torus = dice.one_in(3);
    const Grid grid = torus ? Grid::torus({4, 4}) : Grid::mesh({4, 4});
    const int channels = torus ? dice.one_of<int>({3, 4, 14}) : dice.one_of<int>({1, 2, 4, 14});
    const bool speculative = !dice.one_in(4);
    const bool adaptive = channels > (torus ? 2 : 1) && dice.one_in(2);
    Keys keys = {
        {"channels", std::int64_t{channels}},
        {"buffer", std::int64_t{1 + dice.below(6)}},
        {"speculative", speculative},
        {"pipeline", std::int64_t{(speculative ? 3 : 4) + dice.below(2)}},
        {"function", !adaptive       ? torus || channels == 1
                                           ? "dimension-order"
                                           : dice.one_of<std::string>({"dimension-order", "xy-yx-adaptive", "romm"})
                           : torus ? "adaptive"
                     : channels == 2 ? dice.one_of<std::string>({"adaptive", "min-adaptive"})
                                     : dice.one_of<std::string>({"adaptive", "min-adaptive", "planar-adaptive"})},
        {"selection", adaptive ? dice.one_of<std::string>({"least-occupied", "all", "all"}) : "least-occupied"},
        {"channel_allocator", dice.allocator(5 * channels)},
        {"switch_allocator", dice.allocator(5)}};
    if (dice.one_in(3)) keys["arbiter"] = PartValue{"matrix"};
    if (speculative && dice.one_in(4)) keys["channel_allocator"] = PartValue{"piggyback"};
    if (speculative && dice.one_in(2)) {
      keys["speculation.allocator"] = dice.allocator(5);
      keys["speculation.mask"] = std::string(dice.one_in(2) ? "grants" : "requests");
      keys["speculation.check"] = std::string(dice.one_in(2) ? "credit" : "channel");
    }
    if (dice.one_in(2)) {
      keys["priority"] =
          dice.one_of<std::string>({"age", "network-age", "local-age", "hop-count", "queue-length", "sequence"});
      keys["donate"] = dice.one_in(3);
    }
    for (const char* flag :
         {"prefer_empty", "hold_switch", "wait_for_tail_credit", "busy_when_full", "shuffle_requests"})
      keys[flag] = dice.one_in(3);
    if (dice.one_in(2)) {
      keys.erase("pipeline");
      const auto steps = [&](int least) { return std::int64_t{least + (dice.one_in(2) ? 0 : dice.below(4))}; };
      const bool one_step = speculative || std::get<bool>(keys["hold_switch"]);
      keys = stages(steps(0), speculative ? 1 : steps(1), one_step ? 1 : steps(1), steps(1), keys);
    }
    if (dice.one_in(2)) {
      keys = speedup(1 + dice.below(std::min(channels, 3)), 1 + dice.below(3), 1, dice.below(4), keys);
      bool one_step = true;
      for (const char* stage : {"stages.channel", "stages.switch", "stages.crossbar"})
        one_step = one_step && (keys.count(stage) == 0 || keys[stage] == KeyValue{std::int64_t{1}});
      if (one_step) keys["speedup.internal"] = std::int64_t{1 + dice.below(router::most_rounds)};
    }
    if (dice.one_in(3) && (keys.count("speedup.output") == 0 || keys["speedup.output"] == KeyValue{std::int64_t{1}})) {
      const int own = 1 + dice.below(3);
      keys.erase("buffer");
      keys = shared(dice.one_of<std::string>({"shared", "limited", "dynamic"}), channels * own + dice.below(8), keys);
      if (own > 1) keys["buffers.private"] = std::int64_t{own};
      if (std::get<std::string>(keys["buffers.policy"]) == "limited")
        keys["buffers.limit"] = std::int64_t{1 + dice.below(6)};
    }
    if (channels == 14 && std::get<std::string>(keys["function"]) == "dimension-order" && !dice.one_in(3)) {
      keys["next_hop_channels"] = true;
      if (keys.count("pipeline") != 0) keys["pipeline"] = std::int64_t{speculative ? 3 : 4};
      else keys["stages.routing"] = std::int64_t{0};
    }
    const bool clocked = seed % 3 == 2;
    std::string text = "seed " + std::to_string(seed) + (clocked ? ", clocks" : "");
    for (const auto& [key, value] : keys) text += ", " + key + ": " + value_text(value);
    SCOPED_TRACE(text);

    std::vector<Packet> packets;
    for (NodeId node = 0; node < 16; ++node)
      for (int k = 0; k < 6; ++k)
        packets.push_back({node, static_cast<NodeId>(dice.below(16)), 1 + dice.below(5), Step{dice.below(30)}});
    std::stable_sort(packets.begin(), packets.end(),
                     [](const Packet& a, const Packet& b) { return a.created < b.created; });
    const LinkNetwork& network = clocked ? kept(with_uneven_clocks(network_of(grid, 1), seed)) : network_of(grid, 1);
    const auto algorithm = named_algorithm("vc-wormhole", network, keys);
    const double stall_rate = dice.one_in(4) ? 0.2 : 0;
    const std::string selection = std::get<std::string>(keys["selection"]);
    const StepperEnd end =
        expect_lockstep(network, *algorithm, packets, seed, 6000, stall_rate, selection, plain_rules(keys));
    // Heads that request all choices do not wait for room, so that their escape channels do not help.
    if (selection == "all" && end != StepperEnd::all_delivered) ++deadlocks;
    else EXPECT_EQ(end, StepperEnd::all_delivered);
  }
  EXPECT_LE(deadlocks, 5);
}

TEST(RouterFamily, AllocatorsAgreeWhereAllProcessorsAreTerminals) {
  for (std::uint64_t seed = 0; seed < 24 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Dice dice(seed);
    const bool butterfly = seed % 2 == 0;
    const LinkNetwork& network = butterfly ? flattened_butterfly({2, 3}, 2) : dragonfly(3, 2, 2);
    const int channels = 3, ports = network.graph.ports();
    Keys keys = {{"function", std::string("ugal")},
                 {"ugal.threshold", std::int64_t{dice.below(4)}},
                 {"channels", std::int64_t{channels}},
                 {"buffer", std::int64_t{1 + dice.below(5)}},
                 {"channel_allocator", dice.allocator(ports * channels)},
                 {"switch_allocator", dice.allocator(ports)},
                 {"shuffle_requests", dice.one_in(2)}};
    if (dice.one_in(2)) keys["speculation.allocator"] = dice.allocator(ports);
    std::vector<Packet> packets;
    for (int k = 0; k < 80; ++k)
      packets.push_back({dice.below(network.graph.processors()), dice.below(network.graph.processors()),
                         1 + dice.below(5), Step{k / 4}});
    const auto algorithm = named_algorithm("vc-wormhole", network, keys);
    EXPECT_EQ(expect_lockstep(network, *algorithm, packets, seed, 5000, 0, "least-occupied", plain_rules(keys)),
              StepperEnd::all_delivered);
  }
}

/// Terminals, latencies and intervals: a link whose interval is not over takes no request for the switch.
TEST(RouterFamily, StagesAndSpeedupsAgreeOnUnevenNetworks) {
  for (std::uint64_t seed = 0; seed < 30 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Dice dice(seed);
    const LinkNetwork even = uneven_network(seed);
    const LinkNetwork& network = kept(seed % 3 == 1 ? with_uneven_clocks(even, seed) : even);
    const auto steps = [&](int least) { return std::int64_t{least + dice.below(4)}; };
    const int channels = 1 + dice.below(3);
    Keys keys = {{"function", std::string("up-down")},
                 {"channels", std::int64_t{channels}},
                 {"buffer", std::int64_t{1 + dice.below(5)}}};
    if (seed % 3 > 0) keys = stages(steps(0), steps(1), steps(1), steps(1), keys);
    else if (seed % 2 > 0) keys["pipeline"] = std::int64_t{5};
    // With a FIFO, flits wait there for links that take no flit in every step.
    if (seed % 3 == 0)
      keys = speedup(1 + dice.below(channels), 1 + dice.below(2), 1 + dice.below(3), dice.below(3), keys);
    std::vector<Packet> packets;
    const auto processor = [&] { return network.graph.processor(dice.below(network.graph.processors())); };
    for (int k = 0; k < 40; ++k) packets.push_back({processor(), processor(), 1 + dice.below(5), Step{k}});
    const auto algorithm = named_algorithm("vc-wormhole", network, keys);
    EXPECT_EQ(expect_lockstep(network, *algorithm, packets, seed, 5000, dice.one_in(3) ? 0.2 : 0, "least-occupied",
                              plain_rules(keys)),
              StepperEnd::all_delivered);
  }
}

/// Three packets of 4 flits from each node of a torus to the one `distance` further in its row.
std::vector<Packet> along_rings(std::int32_t side, std::int32_t distance) {
  std::vector<Packet> packets;
  for (int k = 0; k < 3; ++k)
    for (NodeId node = 0; node < side * side; ++node)
      packets.push_back({node, node / side * side + (node % side + distance) % side, 4});
  return packets;
}

/// With the longest packet of a list.
std::unique_ptr<Algorithm> router_for_packets(const LinkNetwork& network, const std::vector<Packet>& packets,
                                              const Keys& keys) {
  AlgorithmContext context{&network, 1};
  context.longest_packet = [&packets] {
    std::int32_t longest = 0;
    for (const Packet& packet : packets) longest = std::max(longest, packet.flits);
    return longest;
  };
  return make_algorithm(tested_algorithm("vc-wormhole"), context, keys);
}

TEST(RouterFamily, BubblesKeepRingsFreeOfDeadlock) {
  struct Row {
    std::int32_t side, distance;
    std::int64_t channels, buffer;
    const char *function, *flow;
    std::int64_t hops;  ///< of flits
    Sum delivered;      ///< last hop, if none is
  };
  const std::vector<Row> rows = {{8, 3, 1, 8, "dimension-order-plain", "wormhole", 768, {0, 15}},
                                 {8, 3, 1, 8, "dimension-order-plain", "cut-through", 768, {0, 16}},
                                 {8, 3, 1, 8, "dimension-order-plain", "bubble", 2304, {7488, 57}},
                                 {8, 3, 1, 12, "dimension-order-plain", "bubble", 2304, {6336, 46}},
                                 {8, 3, 2, 8, "dimension-order", "wormhole", 2304, {8392, 64}},
                                 {4, 2, 1, 8, "dimension-order-plain", "bubble", 384, {1392, 42}}};
  for (const Row& row : rows) {
    SCOPED_TRACE(std::string(row.flow) + ", buffer " + std::to_string(row.buffer));
    const LinkNetwork& network = network_of(Grid::torus({row.side, row.side}), 1);
    const std::vector<Packet> packets = along_rings(row.side, row.distance);
    const Keys keys = {{"channels", row.channels},
                       {"buffer", row.buffer},
                       {"function", std::string(row.function)},
                       {"flow", std::string(row.flow)}};
    ListSource source(packets);
    const NetlistRun run = run_netlist(network, *router_for_packets(network, packets, keys), source);
    EXPECT_EQ(run.record.flit_hops, row.hops);
    const std::vector<Step>& steps = run.record.delivered;
    if (row.delivered.sum > 0) {
      EXPECT_EQ(
          (Sum{std::accumulate(steps.begin(), steps.end(), Step{0}), *std::max_element(steps.begin(), steps.end())}),
          row.delivered);
    } else {
      EXPECT_EQ(steps, std::vector<Step>(packets.size(), no_step));
      EXPECT_EQ(run.rows.back().step, row.delivered.last);
    }
  }
}

/// Rings that are filled from all sides, with packets of all lengths.
TEST(RouterFamily, FlowControlOfPacketsAgrees) {
  for (std::uint64_t seed = 0; seed < 40 && !testing::Test::HasFailure(); ++seed) {
    Dice dice(seed);
    const bool bubble = dice.one_in(2);
    const Grid grid = bubble           ? Grid::torus(dice.one_of<std::vector<std::int64_t>>({{4, 4}, {6}, {3, 2, 3}}))
                      : dice.one_in(2) ? Grid::torus({4, 4})
                                       : Grid::mesh({4, 4});
    const LinkNetwork& network = network_of(grid, 1 + dice.below(2));
    const int channels = bubble ? 1 + dice.below(2) : 3;
    std::vector<Packet> packets;
    const int longest = 1 + dice.below(5), nodes = static_cast<int>(grid.nodes());
    for (int k = 0; k < 8 * nodes; ++k)
      packets.push_back({dice.below(nodes), dice.below(nodes), 1 + dice.below(longest), Step{k / nodes}});
    Keys keys = {{"flow", std::string(bubble ? "bubble" : "cut-through")},
                 {"channels", std::int64_t{channels}},
                 {"buffer", std::int64_t{(bubble ? 2 : 1) * longest + dice.below(4)}},
                 {"channel_allocator", dice.allocator((grid.ports() + 1) * channels)},
                 {"busy_when_full", dice.one_in(4)},
                 {"prefer_empty", dice.one_in(4)},
                 {"wait_for_tail_credit", !bubble && dice.one_in(4)}};
    if (bubble) keys["function"] = std::string("dimension-order-plain");
    else if (dice.one_in(2)) keys["function"] = std::string("adaptive");
    if (dice.one_in(4)) keys["channel_allocator"] = PartValue{"piggyback"};
    else if (dice.one_in(3)) keys = stages(dice.below(2), 1 + dice.below(3), 1 + dice.below(3), 1, keys);
    else if (dice.one_in(3)) keys = speedup(1, 1 + dice.below(2), 1 + dice.below(3), 0, keys);
    std::string text = "seed " + std::to_string(seed);
    for (const auto& [key, value] : keys) text += ", " + key + ": " + value_text(value);
    SCOPED_TRACE(text);
    PlainRules rules = plain_rules(keys);
    for (const Packet& packet : packets) rules.longest = std::max(rules.longest, packet.flits);
    EXPECT_EQ(expect_lockstep(network, *router_for_packets(network, packets, keys), packets, seed, 4000,
                              dice.one_in(4) ? 0.2 : 0, "least-occupied", rules),
              StepperEnd::all_delivered);
  }
}

/// A narrow link between nodes 1 and 2 of a line; one packet from end to end.
TEST(RouterFamily, FlitsTakeSeveralStepsOnNarrowLinks) {
  for (const auto& [phits, flits, delivered] :
       {std::tuple(2, 1, 15), {2, 4, 21}, {2, 8, 29}, {4, 1, 17}, {4, 4, 29}, {4, 8, 45}}) {
    SCOPED_TRACE(std::to_string(phits) + " phits, " + std::to_string(flits) + " flits");
    const LinkNetwork network =
        with_link_changes(link_network(Grid::mesh({1, 4})), {{"link_r00_c01_east", {}, phits, {}}});
    const auto algorithm = named_algorithm("vc-wormhole", network, {{"buffer", std::int64_t{8}}});
    const std::vector<Packet> packets = {{0, 3, flits, 0}};
    EXPECT_EQ(ZeroLoad(network.graph, *algorithm).latency(packets.front(), 0), delivered);
    ListSource source(packets);
    EXPECT_EQ(run_netlist(network, *algorithm, source).record.delivered.front(), delivered);
  }
}

/// In long allocations of the switch, flits of one port win the same place.
TEST(RouterFamily, FewSharedPlacesAgree) {
  const LinkNetwork& network = network_of(Grid::mesh({3, 3}), 1);
  for (std::uint64_t seed = 0; seed < 40 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Dice dice(seed);
    std::vector<Packet> packets;
    for (int k = 0; k < 80; ++k) packets.push_back({dice.below(9), dice.below(3) * 4, 1 + dice.below(5), Step{k / 10}});
    const bool piggyback = seed % 2 == 0;
    Keys keys = shared("shared", 6 + dice.below(3), {{"channels", std::int64_t{6}}});
    if (piggyback) keys.insert({{"allocator", PartValue{"piggyback"}}, {"prefer_empty", true}});
    else keys = stages(0, 1, 2 + dice.below(3), 1, keys);
    EXPECT_EQ(expect_lockstep(network, *named_algorithm("vc-wormhole", network, keys), packets, seed, 5000, 0,
                              "least-occupied", plain_rules(keys)),
              StepperEnd::all_delivered);
  }
}

/// Credits come so late that routers sleep while a head has a grant of a channel that another has taken.
TEST(RouterFamily, StagesAgreeWithSlowCredits) {
  const LinkNetwork& network = network_of(Grid::mesh({3, 3}), 1);
  for (std::uint64_t seed = 0; seed < 12 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Dice dice(seed);
    std::vector<Packet> packets;
    for (int k = 0; k < 60; ++k) packets.push_back({dice.below(9), dice.below(3) * 4, 1, Step{k / 10}});
    Keys keys = stages(0, 3 + dice.below(3), 1, 1,
                       {{"channels", std::int64_t{1 + dice.below(2)}},
                        {"buffer", std::int64_t{1}},
                        {"credit_latency", std::int64_t{9 + dice.below(9)}}});
    if (seed % 2 == 1) {
      keys["buffer"] = std::int64_t{4};
      keys["flow"] = std::string("cut-through");
      for (Packet& packet : packets) packet.flits = dice.one_in(2) ? 1 : 4;
    }
    EXPECT_EQ(expect_lockstep(network, *named_algorithm("vc-wormhole", network, keys), packets, seed, 5000, 0,
                              "least-occupied", plain_rules(keys)),
              StepperEnd::all_delivered);
  }
}

/// A channel without a credit keeps no router awake, so that the run ends.
TEST(RouterFamily, FullChannelsEndInADeadlock) {
  const LinkNetwork& network = network_of(Grid::torus({6}), 1);
  std::vector<Packet> packets;
  for (int k = 0; k < 8; ++k)
    for (NodeId node = 0; node < 6; ++node) packets.push_back({node, (node + 3) % 6, 2});
  for (const bool speculative : {true, false}) {
    const Keys keys = {{"function", std::string("dimension-order-plain")},
                       {"buffer", std::int64_t{2}},
                       {"pipeline", std::int64_t{4}},
                       {"speculative", speculative},
                       {"busy_when_full", true}};
    const auto algorithm = named_algorithm("vc-wormhole", network, keys);
    EXPECT_EQ(expect_lockstep(network, *algorithm, packets, 1, 5000, 0, "least-occupied", plain_rules(keys)),
              StepperEnd::nothing_pending);
  }
}

/// Heads that wait for each other request again and again; the run ends all the same, in the step that the reference
/// simulator says.
TEST(RouterFamily, StagesEndInADeadlock) {
  const LinkNetwork& network = network_of(Grid::torus({6}), 1);
  std::vector<Packet> packets;
  for (NodeId node = 0; node < 6; ++node) packets.push_back({node, (node + 3) % 6, 16});
  for (const auto& [channel, of_switch] : {std::pair(3, 1), std::pair(1, 3), std::pair(4, 3)}) {
    const Keys keys = stages(2, channel, of_switch, 2,
                             {{"function", std::string("dimension-order-plain")}, {"buffer", std::int64_t{2}}});
    const auto algorithm = named_algorithm("vc-wormhole", network, keys);
    EXPECT_EQ(expect_lockstep(network, *algorithm, packets, 1, 5000), StepperEnd::nothing_pending);
  }
}

}  // namespace
}  // namespace starloom::links
