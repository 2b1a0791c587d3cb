// SPDX-License-Identifier: Apache-2.0
/// \file Routers with more ports or channels than a word has bits: netlist and reference simulator agree.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <starloom/schema/key_text.hpp>
#include "support/dice.hpp"
#include "support/lockstep.hpp"
#include "support/named_algorithm.hpp"
#include "support/routed_networks.hpp"

namespace starloom::links {
namespace {

using Keys = std::map<std::string, KeyValue>;

/// Processors around one node, which is a switch or a processor with a router.
/// \param latency the least of a link. \param interval of the links that leave the centre.
const LinkNetwork& star(NodeRole centre, int processors, std::int32_t latency = 1, std::int32_t interval = 1) {
  NetworkGraphBuilder builder;
  for (int p = 0; p < processors; ++p) builder.add_node(NodeRole::processor, "p" + std::to_string(p));
  const NodeId hub = builder.add_node(centre, "hub");
  for (NodeId p = 0; p < processors; ++p) {
    builder.add_link(p, hub, {std::min(latency + p % 5, LinkTiming::most_latency)});
    builder.add_link(hub, p, {std::min(latency + p % 3, LinkTiming::most_latency), interval});
  }
  return kept({"a star of " + std::to_string(processors) + " processors", builder.build(), {}, "graph"});
}

std::vector<Packet> packets_of(const NetworkGraph& graph, Dice& dice, int count, std::int32_t most_flits) {
  std::vector<Packet> packets;
  for (Step created = 0; static_cast<int>(packets.size()) < count; created += 2)
    for (int i = 0; i < 40; ++i) {
      const auto processor = [&] { return graph.processor(dice.below(graph.processors())); };
      const NodeId source = processor();
      packets.push_back({source, processor(), 1 + dice.below(most_flits), created});
    }
  return packets;
}

void expect_agreement(const LinkNetwork& network, Keys keys, int seed, double stall_rate = 0) {
  std::string text = network.title;
  for (const auto& [key, value] : keys) text += ", " + key + ": " + value_text(value);
  SCOPED_TRACE(text);
  Dice dice(static_cast<std::uint64_t>(seed));
  keys.emplace("function", std::string("shortest"));
  if (keys.count("buffers.places") == 0) keys.emplace("buffer", std::int64_t{2 + dice.below(3)});
  const auto packets = packets_of(network.graph, dice, 240, 4);
  const std::string selection =
      keys.count("selection") == 0 ? "least-occupied" : std::get<std::string>(keys.at("selection"));
  EXPECT_EQ(expect_lockstep(network, *named_algorithm("vc-wormhole", network, keys), packets,
                            static_cast<std::uint64_t>(seed), 200000, stall_rate, selection, plain_rules(keys)),
            StepperEnd::all_delivered);
}

TEST(LargeSwitches, AreInLockstepWith96Ports) {
  const LinkNetwork& network = star(NodeRole::switch_node, 96);
  expect_agreement(network, {{"channels", std::int64_t{1}}}, 1);
  expect_agreement(network, {{"channels", std::int64_t{2}}}, 2, 0.1);
  expect_agreement(network, {{"channels", std::int64_t{2}}, {"pipeline", std::int64_t{5}}}, 3);
}

TEST(LargeSwitches, AreInLockstepWithOtherAllocators) {
  const LinkNetwork& network = star(NodeRole::switch_node, 70);
  int seed = 10;
  for (const PartValue& allocator : {PartValue{"islip", 2}, PartValue{"wavefront"}, PartValue{"input-first"},
                                     PartValue{"output-first"}, PartValue{"lonely-output"}})
    expect_agreement(network, {{"channels", std::int64_t{2}}, {"allocator", allocator}}, ++seed);
  expect_agreement(network, {{"channels", std::int64_t{2}}, {"channel_allocator", PartValue{"piggyback"}}}, ++seed);
}

TEST(LargeSwitches, AreInLockstepWithOtherRules) {
  const LinkNetwork& network = star(NodeRole::switch_node, 70);
  const auto channels = std::pair<const std::string, KeyValue>("channels", std::int64_t{2});
  int seed = 20;
  expect_agreement(network, {channels, {"speedup.input", std::int64_t{2}}, {"speedup.output", std::int64_t{2}}},
                   ++seed);
  expect_agreement(network, {channels, {"speedup.internal", std::int64_t{2}}, {"speedup.fifo", std::int64_t{1}}},
                   ++seed);
  expect_agreement(network, {channels, {"buffers.places", std::int64_t{9}}}, ++seed);
  expect_agreement(network, {channels, {"hold_switch", true}}, ++seed);
  expect_agreement(network, {channels, {"wait_for_tail_credit", true}}, ++seed);
  expect_agreement(network, {channels, {"priority", std::string("age")}, {"allocator", PartValue{"priority-islip"}}},
                   ++seed);
  expect_agreement(network,
                   {channels,
                    {"stages.routing", std::int64_t{1}},
                    {"stages.channel", std::int64_t{2}},
                    {"stages.switch", std::int64_t{2}},
                    {"stages.crossbar", std::int64_t{1}}},
                   ++seed);
}

TEST(LargeSwitches, AreInLockstepWithARouterOfTheirOwn) {
  expect_agreement(star(NodeRole::processor, 40), {{"channels", std::int64_t{3}}}, 31);
}

TEST(LargeSwitches, AreInLockstepWithManyCables) {
  const LinkNetwork& network = folded_clos({1, 3, 2, 0, 10, 30});
  int seed = 40;
  for (const char* spread : {"none", "flow", "packet", "adaptive"})
    expect_agreement(network, {{"channels", std::int64_t{1}}, {"spread", std::string(spread)}}, ++seed);
  expect_agreement(network,
                   {{"channels", std::int64_t{2}},
                    {"function", std::string("up-down")},
                    {"spread", std::string("adaptive")},
                    {"selection", std::string("random")}},
                   ++seed);
}

TEST(LargeSwitches, AreInLockstepWithGreedy) {
  int seed = 70;
  const auto expect_agreement_of = [&](const LinkNetwork& network, Keys keys) {
    keys.emplace("function", std::string("shortest"));
    Dice dice(static_cast<std::uint64_t>(++seed));
    const auto packets = packets_of(network.graph, dice, 480, 1);
    EXPECT_EQ(expect_lockstep(network, *named_algorithm("greedy", network, keys), packets,
                              static_cast<std::uint64_t>(seed), 20000),
              StepperEnd::all_delivered);
  };
  const LinkNetwork& network = star(NodeRole::switch_node, 96);
  for (const char* discipline : {"furthest-destination", "furthest-origin", "fifo"})
    expect_agreement_of(network, {{"discipline", std::string(discipline)}});
  expect_agreement_of(star(NodeRole::switch_node, 70, 5, 3), {});
  expect_agreement_of(star(NodeRole::processor, 40), {{"bound", std::int64_t{1000}}});
  expect_agreement_of(folded_clos({1, 3, 2, 0, 10, 30}), {{"function", std::string("up-down")}});
}

TEST(LargeSwitches, DeliverWithGreedyAsSmallOnesDo) {
  const auto delivered = [](int processors, const Keys& keys) {
    Dice dice(75);
    std::vector<Packet> packets;  // among the first 30
    for (int i = 0; i < 3000; ++i) packets.push_back({dice.below(30), dice.below(30), 1, i / 20});
    ListSource source(packets);
    NetlistRunOptions options;
    options.max_steps = 20000;
    const LinkNetwork& network = star(NodeRole::processor, processors);
    return run_netlist(network, *named_algorithm("greedy", network, keys), source, options).record.delivered;
  };
  std::set<std::vector<Step>> results;
  for (const char* discipline : {"furthest-destination", "fifo"})
    for (const std::int64_t bound : {0, 40}) {
      const Keys keys = {
          {"discipline", std::string(discipline)}, {"bound", bound}, {"function", std::string("shortest")}};
      const std::vector<Step> with_few = delivered(30, keys);
      EXPECT_EQ(std::count(with_few.begin(), with_few.end(), no_step), 0);
      EXPECT_EQ(delivered(40, keys), with_few) << discipline << ", bound " << bound;
      results.insert(with_few);
    }
  EXPECT_GE(results.size(), 2U) << "the disciplines make no difference";
}

TEST(LargeSwitches, AreInLockstepOverLongLinks) {
  const LinkNetwork& network = star(NodeRole::switch_node, 40, 700);
  expect_agreement(network, {{"channels", std::int64_t{1}}, {"buffer", std::int64_t{1600}}}, 61);
  expect_agreement(network, {{"channels", std::int64_t{2}}, {"buffer", std::int64_t{3}}}, 62);
  const LinkNetwork& few_ports = star(NodeRole::switch_node, 6, 700);
  Dice dice(63);
  const auto packets = packets_of(few_ports.graph, dice, 240, 1);
  EXPECT_EQ(expect_lockstep(few_ports, *named_algorithm("greedy", few_ports, {{"function", std::string("shortest")}}),
                            packets, 63, 4000),
            StepperEnd::all_delivered);
}

TEST(LargeSwitches, HaveTheLongestLinksAndTheLargestBuffers) {
  const LinkNetwork& network = star(NodeRole::switch_node, 2, 65535);
  const auto last_of = [&](const Algorithm& algorithm) {
    ListSource source({{0, 1, 1}, {0, 1, 1}});
    NetlistRunOptions options;
    options.max_steps = 200000;
    const NetlistRun run = run_netlist(network, algorithm, source, options);
    return run.record.delivered.back();
  };
  const Keys keys = {
      {"channels", std::int64_t{1}}, {"buffer", std::int64_t{65535}}, {"function", std::string("shortest")}};
  // Both wait in the memory in step 0, and the second packet leaves it a step behind the first. With virtual channels,
  // 3 steps more: to the link of the terminal, to the switch, and to the link behind it.
  EXPECT_EQ(last_of(*named_algorithm("vc-wormhole", network, keys)), 2 * 65535 + 1 + 3);
  EXPECT_EQ(last_of(*named_algorithm("greedy", network, {{"function", std::string("shortest")}})), 2 * 65535 + 1);
}

TEST(LargeSwitches, AreInLockstepWithManyChannels) {
  expect_agreement(network_of(Grid::mesh({3, 3}), 1),
                   {{"channels", std::int64_t{80}}, {"function", std::string("dimension-order")}}, 51);
}

}  // namespace
}  // namespace starloom::links
