// SPDX-License-Identifier: Apache-2.0
/// \file Processors that accept few requests before they have sent the replies: netlist and reference simulator agree,
/// and results are those of a plain model (docs/traffic-classes.md).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include <starloom/control/links/make_algorithm.hpp>
#include <starloom/schema/key_text.hpp>
#include <starloom/simulation/links/simulation.hpp>
#include <starloom/traffic/packet_list.hpp>
#include "support/dice.hpp"
#include "support/fresh_context.hpp"
#include "support/lockstep.hpp"
#include "support/named_algorithm.hpp"
#include "support/routed_networks.hpp"

namespace starloom::links {
namespace {

using Keys = std::map<std::string, KeyValue>;

struct Protocol {
  const LinkNetwork* network = nullptr;
  std::vector<TrafficClass> classes;
  std::vector<Packet> requests;
};

std::unique_ptr<Algorithm> router_for(const Protocol& given, const Keys& keys, std::uint64_t seed = 1) {
  AlgorithmContext context{given.network, seed};
  context.classes = given.classes;
  return make_algorithm(tested_algorithm("vc-wormhole"), context, keys);
}

/// Requests of class 0 and replies of class 1, with two channels.
Protocol protocol(const Grid& grid, bool apart, const ReplyRules& reply, int requests) {
  Protocol made{&network_of(grid, 1), {{"ask"}, {"answer"}}, {}};
  made.classes[0].reply = reply;
  if (apart) {
    made.classes[0].channels = routing::ChannelRange{0, 1};
    made.classes[1].channels = routing::ChannelRange{1, 1};
  }
  for (NodeId node = 0; node < grid.nodes(); ++node)
    for (int k = 0; k < requests; ++k)
      if (grid.nodes() > 4) made.requests.push_back({node, grid.nodes() - 1 - node, 1, 0});
      else if (node < 2) made.requests.push_back({node, 1 - node, 1, 0});
  return made;
}

SimulationResult run_protocol(const Protocol& given, const Algorithm& algorithm, std::vector<TraceSink*> sinks = {},
                              std::uint64_t seed = 1) {
  fresh_context();
  PacketList traffic(given.requests);
  SimulationSetup setup;
  setup.network = given.network;
  setup.algorithm = &algorithm;
  setup.traffic = &traffic;
  setup.seed = seed;
  setup.sinks = std::move(sinks);
  return simulate(setup);
}

struct Found {
  Outcome outcome;
  std::int64_t delivered;
  Step sum, last, last_hop;
};

Found found_with(const Grid& grid, bool apart, const ReplyRules& reply, int requests) {
  const Protocol given = protocol(grid, apart, reply, requests);
  const auto algorithm =
      router_for(given, {{"channels", std::int64_t{2}}, {"buffer", std::int64_t{2}}, {"pipeline", std::int64_t{3}}});
  RowCollector rows;
  const SimulationResult result = run_protocol(given, *algorithm, {&rows});
  Found found{result.outcome, result.record.delivered_count, 0, 0, no_step};
  for (const Step delivered : result.record.delivered)
    if (delivered != no_step) {
      found.sum += delivered;
      found.last = std::max(found.last, delivered);
    }
  for (const TraceRow& row : rows.all)
    if (row.event == TraceEvent::hop) found.last_hop = row.step;
  return found;
}

TEST(FiniteSinks, GiveTheStepsOfAPlainModel) {
  const Grid small = Grid::mesh({2, 2}), large = Grid::mesh({8, 8});
  const ReplyRules brief{1, 4, 0, 1, 1}, lengthy{5, 10, 0, 1, 1};
  for (const auto& [grid, reply, requests, delivered, last_hop] :
       {std::tuple(small, brief, 16, 6, 27), std::tuple(large, lengthy, 8, 28, 34)}) {
    const Found shared = found_with(grid, false, reply, requests);
    EXPECT_EQ(shared.outcome, Outcome::deadlock);
    EXPECT_EQ(shared.delivered, delivered);
    EXPECT_EQ(shared.last_hop, last_hop);
  }
  for (const auto& [grid, reply, requests, delivered, sum, last] :
       {std::tuple(small, brief, 16, 64, 3296, 95), std::tuple(large, lengthy, 8, 1024, 360528, 769)}) {
    const Found apart = found_with(grid, true, reply, requests);
    EXPECT_EQ(apart.outcome, Outcome::completed);
    EXPECT_EQ(apart.delivered, delivered);
    EXPECT_EQ(apart.sum, sum);
    EXPECT_EQ(apart.last, last);
  }
}

/// Over long links a flit is consumed while nothing else happens in the network.
TEST(FiniteSinks, ConsumeAFlitInEachStep) {
  NetworkGraphBuilder builder;
  for (const char* name : {"asks", "answers"}) builder.add_node(NodeRole::processor, name);
  builder.add_node(NodeRole::switch_node, "switch");
  for (const NodeId terminal : {0, 1}) {
    builder.add_link(terminal, 2, {5});
    builder.add_link(2, terminal, {5});
  }
  Protocol given{&kept({"two terminals", builder.build(), {}, "fat-tree"}), {{"ask"}, {"answer"}}, {}};
  given.classes[0].reply = ReplyRules{1, 40, 0, 1, 1};
  given.requests = {{0, 1, 1, 0}, {0, 1, 6, 0}};
  const auto algorithm = router_for(given, {{"function", std::string("up-down")}, {"buffer", std::int64_t{8}}});
  RowCollector rows;
  ASSERT_EQ(run_protocol(given, *algorithm, {&rows}).outcome, Outcome::completed);
  std::vector<Step> consumed;
  Step left = no_step;
  for (const TraceRow& row : rows.all) {
    if (row.event == TraceEvent::inject && row.packet == 2) left = row.step;
    if (row.event == TraceEvent::eject && row.packet == 1) consumed.push_back(row.step);
  }
  ASSERT_NE(left, no_step);
  EXPECT_EQ(consumed, (std::vector<Step>{left + 1, left + 2, left + 3, left + 4, left + 5, left + 6}));
}

/// Requests, and their replies with the steps of a run: given as a list, they behave alike in the netlist and in the
/// reference simulator, which knows places, but creates no replies. The referee looks at the run.
TEST(FiniteSinks, NetlistAndStepperAgreeOnRandomMixes) {
  int deadlocks = 0;
  for (std::uint64_t seed = 0; seed < 80 && !testing::Test::HasFailure(); ++seed) {
    Dice dice(seed);
    const int channels = 2 + dice.below(4);
    Keys keys = {{"channels", std::int64_t{channels}},
                 {"buffer", std::int64_t{1 + dice.below(4)}},
                 {"priority", dice.one_of<std::string>({"none", "class", "age"})}};
    Protocol given;
    switch (dice.below(5)) {
      case 0: given.network = &network_of(Grid::torus({4, 4}), 1); break;
      case 1:
        given.network = &fat_tree(2, 3);
        keys["function"] = std::string("nearest-ancestor");
        break;
      case 2: given.network = &concentrated_mesh({2, 2}, 3); break;
      case 3:
        given.network = &kept(uneven_network(seed));
        keys["function"] = std::string("up-down");
        break;
      default: given.network = &network_of(Grid::mesh({3, 4}), 1 + dice.below(2)); break;
    }
    const bool torus =
        given.network->graph.ports() == 4 && given.network->graph.nodes() == 16 && keys.count("function") == 0;
    if (!torus && dice.one_in(3))
      keys["switch_allocator"] = dice.one_of<PartValue>({{"wavefront"}, {"priority-islip"}});
    if (dice.one_in(4)) keys["speedup.output"] = std::int64_t{2};
    else if (dice.one_in(4)) keys["speedup.internal"] = std::int64_t{2};
    else if (dice.one_in(3)) {
      keys.erase("buffer");
      keys["buffers.policy"] = std::string("dynamic");
      keys["buffers.places"] = std::int64_t{channels + dice.below(6)};
    }
    PlainRules rules = plain_rules(keys);
    const int class_count = 2 + dice.below(2);
    std::string text = "seed " + std::to_string(seed) + " on " + given.network->title;
    for (const auto& [key, value] : keys) text += ", " + key + ": " + value_text(value);
    for (int number = 0; number < class_count; ++number) {
      TrafficClass of_traffic{"c" + std::to_string(number), {}, dice.below(3)};
      if (!torus && dice.one_in(2)) of_traffic.channels = routing::ChannelRange{dice.below(channels), 1};
      if (dice.one_in(2) || number == 0)
        of_traffic.reply = ReplyRules{1 + dice.below(5), 1 + dice.below(6), 0, dice.below(class_count), dice.below(3)};
      const routing::ChannelRange own = of_traffic.channels.value_or(routing::ChannelRange{0, channels});
      rules.classes.push_back(
          {own.first, own.first + own.count - 1, of_traffic.priority, of_traffic.reply ? of_traffic.reply->places : 0});
      text += "; " + std::to_string(own.first) + " + " + std::to_string(own.count) +
              (of_traffic.reply ? ", reply " + std::to_string(of_traffic.reply->traffic_class) + " with places " +
                                      std::to_string(of_traffic.reply->places)
                                : "");
      given.classes.push_back(std::move(of_traffic));
    }
    if (seed % 3 == 1) given.network = &kept(with_uneven_clocks(*given.network, seed));
    SCOPED_TRACE(text);
    const std::vector<NodeId>& processors = processors_of(*given.network).node;
    const auto node = [&](int processor) {
      return processors.empty() ? processor : processors[static_cast<std::size_t>(processor)];
    };
    const int count = given.network->graph.processors();
    for (int source = 0; source < count; ++source)
      for (int k = 0; k < 5; ++k)
        given.requests.push_back(packet_of_class(dice.below(class_count), node(source), node(dice.below(count)),
                                                 1 + dice.below(4), dice.below(20)));
    std::stable_sort(given.requests.begin(), given.requests.end(), [](const Packet& a, const Packet& b) {
      return std::tie(a.created, a.source) < std::tie(b.created, b.source);
    });

    const auto algorithm = router_for(given, keys, seed);
    RowCollector rows;
    const SimulationResult found = run_protocol(given, *algorithm, {&rows}, seed);
    ASSERT_TRUE(found.outcome == Outcome::completed || found.outcome == Outcome::deadlock) << found.violation.text;
    deadlocks += found.outcome == Outcome::deadlock ? 1 : 0;
    EXPECT_EQ(
        expect_lockstep(*given.network, *algorithm, found.record.packets, seed, 20000, 0, "least-occupied", rules),
        found.outcome == Outcome::completed ? StepperEnd::all_delivered : StepperEnd::nothing_pending);
    ListSource list(found.record.packets);
    NetworkOptions options;
    options.seed = seed;
    EXPECT_EQ(run_netlist(*given.network, *algorithm, list, {options, 20000, {}}).rows, rows.all);
  }
  EXPECT_GT(deadlocks, 5);
}

}  // namespace
}  // namespace starloom::links
