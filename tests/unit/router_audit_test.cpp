// SPDX-License-Identifier: Apache-2.0
/// \file What the referee finds in runs of routers from rows and credits alone: every rule, broken once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include <starloom/control/links/make_algorithm.hpp>
#include <starloom/referee/links/referee.hpp>
#include <starloom/topology/clocks.hpp>
#include <starloom/topology/fat_tree.hpp>
#include <starloom/topology/network_graph_builder.hpp>
#include "support/list_source.hpp"
#include "support/named_algorithm.hpp"
#include "support/permutations.hpp"
#include "support/shortest_router.hpp"
#include "support/stepper.hpp"
#include "unit/router_run.hpp"

namespace starloom::links {
namespace {

using testing::HasSubstr;

/// \param packets empty: 5 flits from each node by a permutation.
RouterRun sound_run(std::int64_t channels, std::int64_t buffer, std::map<std::string, KeyValue> keys,
                    std::vector<Packet> packets = {}, const Grid& grid = Grid::mesh({4, 4})) {
  RouterRun run;
  run.grid = grid;
  run.graph = network_of(grid).graph;
  keys["channels"] = channels;
  if (keys.count("buffers.places") == 0) keys["buffer"] = buffer;
  const auto algorithm = named_algorithm("vc-wormhole", run.grid, keys);
  if (packets.empty()) packets = permutation_packets(random_permutation(run.grid.nodes(), 7), 5);
  ListSource source(packets);
  StepperOptions options;
  options.rules = plain_rules(keys);
  options.rules.longest = algorithm->declaration().flow.longest;
  StepperResult result = run_stepper(run.grid, *algorithm, source, options);
  run.rules.storage = RefereeRules::Storage::virtual_channels;
  run.rules.channels = static_cast<std::int32_t>(channels);
  run.rules.capacity = algorithm->declaration().capacity;
  run.rules.routes_own = true;
  run.rules.router = router_rules(algorithm->declaration().pipelines);
  run.rules.router->whole_packets = algorithm->declaration().flow.rule == router::FlowRule::cut_through;
  run.rules.router->longest = algorithm->declaration().flow.longest;
  run.rules.router->rings = algorithm->declaration().flow.rings;
  run.rules.router->places = algorithm->declaration().shared.places;
  run.rules.router->own_places = algorithm->declaration().shared.own;
  run.rules.router->divides_places = algorithm->declaration().shared.divided;
  run.packets = result.record.packets;
  run.delivered = result.record.delivered;
  run.rows = std::move(result.rows);
  run.credits = std::move(result.credits);
  return run;
}

RouterRun sound_run(std::int64_t channels, std::int64_t buffer, std::int64_t pipeline) {
  return sound_run(channels, buffer, {{"pipeline", pipeline}});
}
/// With stages of several steps. With a crossbar of 3 steps or more, a slot has the next flit before the row of the
/// flit before.
RouterRun sound_run_of_stages() {
  return sound_run(2, 3,
                   {{"stages.routing", std::int64_t{1}},
                    {"stages.channel", std::int64_t{2}},
                    {"stages.switch", std::int64_t{3}},
                    {"stages.crossbar", std::int64_t{4}}});
}

TEST(RouterAudit, AcceptsSoundRuns) {
  for (const std::int64_t channels : {1, 2, 4})
    for (const std::int64_t buffer : {1, 3, 8})
      for (const std::int64_t pipeline : {3, 4, 5}) {
        RouterRun run = sound_run(channels, buffer, pipeline);
        EXPECT_EQ(run.verdict(), "");
        run.rules.router->credits = false;
        EXPECT_EQ(run.verdict(), "");
      }
}

/// Damage is found at every one of many locations.
void expect_found(const std::string& text, std::size_t times,
                  const std::function<bool(RouterRun&, std::size_t)>& damage) {
  const RouterRun sound = sound_run(2, 3, 3);
  std::size_t done = 0;
  for (std::size_t i = 0; done < times; ++i) {
    RouterRun run = sound;
    if (!damage(run, i)) continue;
    run.sort();
    EXPECT_THAT(run.verdict(), HasSubstr(text)) << "damage " << i;
    ++done;
  }
}

TEST(RouterAudit, FindsALostCredit) {
  expect_found("", 30, [](RouterRun& run, std::size_t i) {
    run.credits.erase(run.credits.begin() + static_cast<std::ptrdiff_t>(i * 5));
    EXPECT_NE(run.verdict(), "") << "credit " << i;
    return true;
  });
  RouterRun last = sound_run(2, 3, 3);
  last.credits.pop_back();
  EXPECT_THAT(last.verdict(), HasSubstr("no credit is returned for it"));
}

TEST(RouterAudit, FindsADoubledCredit) {
  expect_found("or the second of its in-port in one step", 30, [](RouterRun& run, std::size_t i) {
    run.credits.push_back(run.credits[i * 5]);
    return true;
  });
  expect_found("", 30, [](RouterRun& run, std::size_t i) {
    CreditRow more = run.credits[i * 5];
    more.step += 3;
    run.credits.push_back(more);
    run.sort();
    EXPECT_NE(run.verdict(), "") << "credit " << i;
    return true;
  });
}

TEST(RouterAudit, FindsAHopOneStepEarly) {
  expect_found("", 60, [](RouterRun& run, std::size_t i) {
    --run.row(TraceEvent::hop, i).step;
    run.sort();
    EXPECT_NE(run.verdict(), "") << "hop " << i;
    return true;
  });
  // Without credits, a head that is faster than the pipeline.
  expect_found("faster than the pipeline of its router", 1, [](RouterRun& run, std::size_t) {
    run.rules.router->credits = false;
    run.rules.router->stages.head_steps = 2;
    return true;
  });
}

TEST(RouterAudit, ChecksTheStepsOfEveryStage) {
  RouterRun run = sound_run_of_stages();
  EXPECT_EQ(run.verdict(), "");
  run.rules.router->credits = false;
  EXPECT_EQ(run.verdict(), "");
  const auto found = [](std::int32_t RouterRules::Stages::*steps, bool credits, std::int32_t more = 1) {
    RouterRun damaged = sound_run_of_stages();
    damaged.rules.router->credits = credits;
    damaged.rules.router->stages.*steps += more;
    return damaged.verdict();
  };
  for (const auto steps :
       {&RouterRules::Stages::head_steps, &RouterRules::Stages::flit_steps, &RouterRules::Stages::crossbar_steps})
    EXPECT_THAT(found(steps, false), HasSubstr("faster than the pipeline of its router"));
  EXPECT_THAT(found(&RouterRules::Stages::crossbar_steps, true, -1),
              HasSubstr("moves in another step than its credit"));
}

/// A switch allocation of several steps begins with a credit.
TEST(RouterAudit, FindsARequestWithoutACredit) {
  RouterRun run = sound_run(1, 1, {{"stages.switch", std::int64_t{2}}});
  EXPECT_EQ(run.verdict(), "");
  run.rules.router->credit_extra = 1;
  EXPECT_THAT(run.verdict(), HasSubstr("without a credit"));
}

TEST(RouterAudit, FindsAHeadThatDoesNotWaitForTheCreditOfTheTail) {
  RouterRun run = sound_run(1, 8, {{"wait_for_tail_credit", true}});
  run.rules.router->waits_for_tail_credit = true;
  EXPECT_EQ(run.verdict(), "");
  run = sound_run(1, 8, 3);
  run.rules.router->waits_for_tail_credit = true;
  EXPECT_THAT(run.verdict(), HasSubstr("before the credit of the tail before it is back"));
}

std::map<std::string, KeyValue> speedup(std::int64_t input, std::int64_t output, std::int64_t internal = 1,
                                        std::int64_t fifo = 0) {
  std::map<std::string, KeyValue> keys = {
      {"speedup.input", input}, {"speedup.output", output}, {"speedup.internal", internal}};
  if (fifo > 0) keys["speedup.fifo"] = fifo;
  return keys;
}

/// Every other node has a clock of two steps. \param crossing of all links.
NetworkGraph with_two_clocks(const Grid& grid, const CrossingKeys& crossing) {
  LinkNetwork network = network_of(grid);
  NetworkGraphBuilder builder(network.graph);
  std::vector<std::int32_t> periods;
  for (NodeId node = 0; node < network.graph.nodes(); ++node) {
    periods.push_back(1 + (node + node / 4) % 2);
    for (const Port port : network.graph.out_ports(node)) builder.set_crossing({node, port}, crossing);
  }
  network.graph = builder.build();
  return with_clocks(std::move(network), periods).graph;
}

RouterRun sound_run_of_clocks(const CrossingKeys& crossing, std::int64_t buffer) {
  RouterRun run = sound_run(1, buffer, 3);
  run.graph = with_two_clocks(run.grid, crossing);
  LinkNetwork network = network_of(run.grid);
  network.graph = run.graph;
  const std::map<std::string, KeyValue> keys = {{"channels", std::int64_t{1}}, {"buffer", buffer}};
  const auto algorithm = named_algorithm("vc-wormhole", network, keys);
  ListSource source(permutation_packets(random_permutation(run.grid.nodes(), 7), 5));
  StepperOptions options;
  options.rules = plain_rules(keys);
  StepperResult result = run_stepper(network, *algorithm, source, options);
  run.packets = result.record.packets;
  run.delivered = result.record.delivered;
  run.rows = std::move(result.rows);
  run.credits = std::move(result.credits);
  return run;
}

TEST(RouterAudit, ChecksClocks) {
  const CrossingKeys narrow{1, 2};
  const RouterRun sound = sound_run_of_clocks(narrow, 4);
  ASSERT_EQ(sound.verdict(), "");
  RouterRun run = sound;
  run.graph = with_two_clocks(run.grid, {1, 1});
  EXPECT_THAT(run.verdict(), HasSubstr("whose FIFO between two clocks may be full with 1"));
  run.graph = with_two_clocks(run.grid, {2, 0});
  EXPECT_THAT(run.verdict(), HasSubstr("but no flit has left it"));
  run.rules.router->credits = false;
  EXPECT_THAT(run.verdict(), HasSubstr("faster than the pipeline of its router"));
  for (const TraceEvent event : {TraceEvent::inject, TraceEvent::hop, TraceEvent::eject}) {
    run = sound;
    const auto slow = std::find_if(run.rows.begin(), run.rows.end(),
                                   [&](const TraceRow& row) { return row.event == event && row.node == 1; });
    ASSERT_NE(slow, run.rows.end());
    ++slow->step;
    run.sort();
    EXPECT_THAT(run.verdict(), HasSubstr("moves between two edges of the clock of its node"));
  }
  run = sound;
  const auto credit = std::find_if(run.credits.begin(), run.credits.end(),
                                   [](const CreditRow& row) { return row.node == 1 && row.port < 4; });
  ASSERT_NE(credit, run.credits.end());
  --credit->step;
  run.sort();
  EXPECT_THAT(run.verdict(), HasSubstr("a credit is returned between two edges of the clock"));
}

/// The sender of a link sees a step later that a flit has left the FIFO; all rows of the second flit come a step too
/// early.
TEST(RouterAudit, FindsAFlitThatWaitsTooBrieflyForTheFifoOfALink) {
  RouterRun run = sound_run(1, 8, {}, {{0, 1, 1}, {0, 1, 1}}, Grid::mesh({1, 2}));
  LinkNetwork network = network_of(run.grid);
  NetworkGraphBuilder builder(network.graph);
  builder.set_crossing({0, network.graph.out_ports(0).lowest()}, {1, 1});
  run.graph = network.graph = builder.build();
  const std::map<std::string, KeyValue> keys = {{"channels", std::int64_t{1}}, {"buffer", std::int64_t{8}}};
  const auto algorithm = named_algorithm("vc-wormhole", network, keys);
  ListSource source(run.packets);
  StepperResult result = run_stepper(network, *algorithm, source, {});
  run.delivered = result.record.delivered;
  run.rows = std::move(result.rows);
  run.credits = std::move(result.credits);
  ASSERT_EQ(run.verdict(), "");
  ASSERT_EQ(run.delivered[1] - run.delivered[0], 5);
  for (TraceRow& row : run.rows) row.step -= row.packet == 1 && row.event != TraceEvent::inject ? 1 : 0;
  std::map<NodeId, int> of_node;
  for (CreditRow& row : run.credits) row.step -= ++of_node[row.node] == 2 ? 1 : 0;
  --run.delivered[1];
  run.sort();
  EXPECT_THAT(run.verdict(), HasSubstr("whose FIFO between two clocks may be full with 1"));
}

/// With one slot, each flit waits for a credit.
TEST(RouterAudit, FindsCreditsThatPassNoSynchroniser) {
  RouterRun run = sound_run_of_clocks({1, 0}, 1);
  ASSERT_EQ(run.verdict(), "");
  run.rules.router->credit_extra = 1;
  EXPECT_THAT(run.verdict(), HasSubstr("without a credit"));
}

/// The packets of two classes, in channels 0 to 1 and 1 to 2.
RouterRun sound_run_of_classes() {
  RouterRun run = sound_run(3, 3, 3);
  AlgorithmContext context{&network_of(run.grid), 1};
  context.classes = {{"first", routing::ChannelRange{0, 2}}, {"second", routing::ChannelRange{1, 2}}};
  const std::map<std::string, KeyValue> keys = {{"channels", std::int64_t{3}}, {"buffer", std::int64_t{3}}};
  std::vector<Packet> packets;
  for (int round = 0; round < 2; ++round)
    for (Packet packet : permutation_packets(random_permutation(run.grid.nodes(), 7), 3)) {
      for (const std::uint8_t number : {0, 1}) {
        packet.traffic_class = number;
        packets.push_back(packet);
      }
    }
  ListSource source(packets);
  StepperOptions options;
  options.rules = plain_rules(keys);
  options.rules.classes = {{0, 1}, {1, 2}};
  const auto algorithm = make_algorithm(tested_algorithm("vc-wormhole"), context, keys);
  StepperResult result = run_stepper(run.grid, *algorithm, source, options);
  run.rules.classes = {{0, 1}, {1, 2}};
  run.packets = result.record.packets;
  run.delivered = result.record.delivered;
  run.rows = std::move(result.rows);
  run.credits = std::move(result.credits);
  return run;
}

TEST(RouterAudit, FindsPacketsInChannelsOfAnotherClass) {
  RouterRun run = sound_run_of_classes();
  ASSERT_EQ(run.verdict(), "");
  for (const int number : {0, 1}) {
    RouterRun narrow = run;
    narrow.rules.classes[static_cast<std::size_t>(number)] = {number, number};
    EXPECT_THAT(narrow.verdict(),
                HasSubstr("the channels of its class are " + std::to_string(number) + " to " + std::to_string(number)));
  }
}

TEST(RouterAudit, FindsPacketsThatOvertakeInTheirQueue) {
  const RouterRun sound = sound_run_of_classes();
  std::size_t found = 0;
  for (std::size_t i = 0; i + 1 < sound.packets.size(); ++i)
    for (std::size_t j = i + 1; j < sound.packets.size(); ++j) {
      const bool same_queue = sound.packets[i].source == sound.packets[j].source &&
                              sound.packets[i].traffic_class == sound.packets[j].traffic_class;
      if (!same_queue) continue;
      RouterRun run = sound;
      // Only the numbers are exchanged: both packets have the same destination and length.
      for (TraceRow& row : run.rows)
        if (row.packet == static_cast<PacketId>(i) || row.packet == static_cast<PacketId>(j))
          row.packet = static_cast<PacketId>(i + j) - row.packet;
      std::swap(run.delivered[i], run.delivered[j]);
      run.sort();
      ++found;
      EXPECT_THAT(run.verdict(), HasSubstr("which is behind it in the queue of their class"));
    }
  EXPECT_GE(found, 16u);
}

TEST(RouterAudit, AcceptsSpeedups) {
  // Permutations, then packets of all nodes for one, where a FIFO fills.
  std::vector<Packet> packets;
  for (std::uint64_t i = 0; i < 6; ++i)
    for (const Packet& packet : permutation_packets(random_permutation(16, i), 5)) packets.push_back(packet);
  for (NodeId node = 0; node < 16; ++node) packets.insert(packets.end(), 4, {node, 5, 5});
  for (auto keys : {speedup(2, 1), speedup(1, 2), speedup(3, 3), speedup(2, 2, 1, 1), speedup(2, 2, 1, 3),
                    speedup(1, 1, 2), speedup(1, 1, 4, 2), speedup(2, 3, 3)})
    for (const std::int64_t crossbar : {1, 3}) {
      if (crossbar > 1 && std::get<std::int64_t>(keys["speedup.internal"]) > 1) continue;
      keys["stages.crossbar"] = crossbar;
      RouterRun run = sound_run(3, 3, keys, packets);
      EXPECT_EQ(run.verdict(), "");
      run.rules.router->credits = false;
      EXPECT_EQ(run.verdict(), "");
    }
}

/// A run with speed-ups, checked by other rules than its own.
std::string verdict_with(std::map<std::string, KeyValue> keys, const std::function<void(RouterRules&)>& change) {
  RouterRun run = sound_run(3, 3, std::move(keys));
  change(*run.rules.router);
  return run.verdict();
}

TEST(RouterAudit, ChecksSpeedups) {
  EXPECT_THAT(verdict_with(speedup(2, 1), [](RouterRules& rules) { rules.in_port_flits = 1; }),
              HasSubstr("or the second of its in-port in one step"));
  RouterRun two_sub_ports = sound_run(3, 3, speedup(2, 1));
  const auto pair = std::adjacent_find(
      two_sub_ports.credits.begin(), two_sub_ports.credits.end(), [](const CreditRow& a, const CreditRow& b) {
        return a.step == b.step && a.node == b.node && a.port == b.port && a.channel == 0;
      });
  ASSERT_NE(pair, two_sub_ports.credits.end());
  (pair + 1)->channel = 2;
  EXPECT_THAT(two_sub_ports.verdict(), HasSubstr("or the second of its sub-port in one step"));
  EXPECT_THAT(verdict_with(speedup(1, 2), [](RouterRules& rules) { rules.out_port_flits = 1; }),
              HasSubstr("as number 2 to its out-port, which takes 1"));
  EXPECT_THAT(verdict_with(speedup(2, 2), [](RouterRules& rules) { rules.fifo = 1; }), HasSubstr("is full with 1"));
  EXPECT_THAT(verdict_with(speedup(2, 2), [](RouterRules& rules) { rules.has_fifo = false; }),
              HasSubstr("moves in another step than its credit"));
  EXPECT_THAT(verdict_with(speedup(1, 1, 2), [](RouterRules& rules) { rules.rounds = 1; }),
              HasSubstr("faster than the pipeline of its router"));
  EXPECT_THAT(verdict_with(speedup(1, 1, 3), [](RouterRules& rules) { rules.stages.head_steps = 3; }),
              HasSubstr("faster than the pipeline of its router"));
  auto slow_crossbar = speedup(2, 2);
  slow_crossbar["stages.crossbar"] = std::int64_t{2};
  EXPECT_THAT(verdict_with(slow_crossbar, [](RouterRules& rules) { rules.stages.crossbar_steps = 1; }),
              HasSubstr("leaves the FIFO of its out-port in another step than"));
  EXPECT_THAT(verdict_with(speedup(2, 2), [](RouterRules& rules) { rules.stages.head_steps = 2; }),
              testing::AllOf(HasSubstr("leaves channel"), HasSubstr("faster than the pipeline of its router")));
}

std::map<std::string, KeyValue> shared(const std::string& policy, std::int64_t places, std::int64_t own = 1) {
  return {{"buffers.policy", policy}, {"buffers.places", places}, {"buffers.private", own}};
}

TEST(RouterAudit, AcceptsSharedBuffers) {
  std::vector<Packet> packets;
  for (std::uint64_t i = 0; i < 6; ++i)
    for (const Packet& packet : permutation_packets(random_permutation(16, i), 5)) packets.push_back(packet);
  for (auto keys : {shared("shared", 3), shared("shared", 6), shared("shared", 9, 2), shared("dynamic", 6)})
    for (const std::int64_t steps : {1, 2, 3}) {
      keys["stages.switch"] = steps;
      keys["speedup.internal"] = std::int64_t{steps == 1 ? 2 : 1};
      RouterRun run = sound_run(3, 0, keys, packets);
      EXPECT_EQ(run.verdict(), "");
      run.rules.router->credits = false;
      EXPECT_EQ(run.verdict(), "");
    }
}

TEST(RouterAudit, ChecksSharedBuffers) {
  EXPECT_THAT(verdict_with(shared("shared", 6), [](RouterRules& rules) { rules.places = 5; }),
              HasSubstr("but its in-port has 5 places, which other flits have taken"));
  EXPECT_THAT(verdict_with(shared("shared", 9), [](RouterRules& rules) { rules.own_places = 3; }),
              HasSubstr("or which are left to other channels"));
  EXPECT_THAT(verdict_with(shared("shared", 6), [](RouterRules& rules) { rules.divides_places = true; }),
              HasSubstr("2 channels in use each has at most 3"));
  EXPECT_THAT(verdict_with(shared("shared", 6),
                           [](RouterRules& rules) {
                             rules.credits = false;
                             rules.places = 3;
                           }),
              HasSubstr("flits in all channels of the in-port of"));
}

TEST(RouterAudit, AcceptsAndChecksCutThrough) {
  std::vector<Packet> packets;
  for (std::uint64_t i = 0; i < 4; ++i)
    for (Packet packet : permutation_packets(random_permutation(16, i), 5)) {
      packet.flits = 1 + static_cast<std::int32_t>(packets.size() % 5);
      packets.push_back(packet);
    }
  for (const std::int64_t pipeline : {3, 4, 5})
    for (const std::int64_t buffer : {5, 7}) {
      RouterRun run = sound_run(2, buffer, {{"flow", std::string("cut-through")}, {"pipeline", pipeline}}, packets);
      EXPECT_EQ(run.verdict(), "");
      run.rules.router->credits = false;
      EXPECT_EQ(run.verdict(), "");
    }
  RouterRun wormhole = sound_run(2, 5, {{"pipeline", std::int64_t{5}}}, packets);
  wormhole.rules.router->whole_packets = true;
  EXPECT_THAT(wormhole.verdict(), HasSubstr(", but its flow control needs room for "));
  const std::vector<Packet> to_themselves(4, {5, 5, 5});
  RouterRun at_source = sound_run(1, 6, {}, to_themselves);
  at_source.rules.router->whole_packets = true;
  EXPECT_THAT(at_source.verdict(),
              HasSubstr("enters channel 0 of the local in-port of node_r01_c01, which has room for "));
  // The room has to be there one step before a non-speculative request.
  RouterRun early = sound_run(2, 5, {{"flow", std::string("cut-through")}, {"pipeline", std::int64_t{3}}}, packets);
  early.rules.router->allocated_before = 1;
  EXPECT_THAT(early.verdict(), HasSubstr(", but its flow control needs room for "));
}

TEST(RouterAudit, AcceptsAndChecksBubbles) {
  const std::map<std::string, KeyValue> bubble = {{"flow", std::string("bubble")},
                                                  {"function", std::string("dimension-order-plain")}};
  std::vector<Packet> packets;
  for (int round = 0; round < 3; ++round)
    for (NodeId node = 0; node < 16; ++node)
      packets.push_back({node, (node + (round == 1 ? 8 : 10)) % 16, 1 + (node + round) % 4});
  RouterRun run = sound_run(1, 8, bubble, packets, Grid::torus({4, 4}));
  EXPECT_EQ(run.verdict(), "");
  run.rules.router->longest = 5;
  EXPECT_THAT(run.verdict(), HasSubstr(", but its flow control needs room for 10"));
  run.rules.router->longest = 4;
  run.rules.router->rings = {0, 1, 2, 3};  // as if each hop entered a ring
  EXPECT_THAT(run.verdict(), HasSubstr(", but its flow control needs room for 8"));
}

/// With several rounds in a step, credits may be late, but each step returns one while any is owed.
TEST(RouterAudit, FindsALostOrLateCreditOfRounds) {
  const RouterRun sound = sound_run(3, 3, speedup(2, 2, 3));
  std::string found;
  for (std::size_t i = 0; i < sound.credits.size(); ++i) {
    RouterRun run = sound;
    run.credits.erase(run.credits.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_NE(run.verdict(), "") << "credit " << i;
    found += run.verdict();
    run = sound;
    run.credits[i].step += 40;
    run.sort();
    EXPECT_NE(run.verdict(), "") << "credit " << i;
    found += run.verdict();
  }
  EXPECT_THAT(found, HasSubstr("but its in-port returns no credit in this step"));
  EXPECT_THAT(found, HasSubstr("but no credit is returned for it"));
}

TEST(RouterAudit, FindsExchangedChannels) {
  expect_found("", 60, [](RouterRun& run, std::size_t i) {
    TraceRow& hop = run.row(TraceEvent::hop, i);
    hop.channel = 1 - hop.channel;
    EXPECT_NE(run.verdict(), "") << "hop " << i;
    return true;
  });
  expect_found("is in channel 2, but there are 2", 5, [](RouterRun& run, std::size_t i) {
    run.row(TraceEvent::hop, 9 * i).channel = 2;
    return true;
  });
  expect_found("is in channel -1", 5, [](RouterRun& run, std::size_t i) {
    run.row(TraceEvent::inject, 9 * i).channel = -1;
    return true;
  });
}

TEST(RouterAudit, FindsWovenWorms) {
  // With one channel less than the run used, packets share one.
  RouterRun run = sound_run(2, 3, 3);
  for (TraceRow& row : run.rows)
    if (row.event == TraceEvent::hop) row.channel = 0;
  run.rules.router->credits = false;
  EXPECT_THAT(run.verdict(), HasSubstr("before the tail of packet"));
}

TEST(RouterAudit, FindsOneFlitTooMany) {
  for (const std::int64_t buffer : {2, 3, 5}) {
    RouterRun run = sound_run(1, buffer, 3);
    --run.rules.capacity;
    EXPECT_THAT(run.verdict(), HasSubstr("without a credit"));
    run.rules.router->credits = false;
    EXPECT_THAT(run.verdict(), HasSubstr("finds " + std::to_string(buffer) + " flits in channel 0 of "));
    EXPECT_THAT(run.verdict(), HasSubstr(", which has room for " + std::to_string(buffer - 1)));
  }
}

TEST(RouterAudit, FindsACreditThatIsUsedTooSoon) {
  RouterRun run = sound_run(1, 3, 3);
  run.rules.router->credit_extra = 1;
  EXPECT_THAT(run.verdict(), HasSubstr("without a credit"));
}

TEST(RouterAudit, FindsCreditsOfNobody) {
  expect_found("is for a node, port or channel that does not exist", 1, [](RouterRun& run, std::size_t) {
    run.credits.front().port = 5;
    return true;
  });
  expect_found("no flit has left it", 1, [](RouterRun& run, std::size_t) {
    run.credits.insert(run.credits.begin(), {0, 3, 4, 1});
    return true;
  });
  expect_found("from an in-port that has no link", 1, [](RouterRun& run, std::size_t) {
    run.credits.insert(run.credits.begin(), {0, 0, 0, 1});
    return true;
  });
}

// ---- terminals

RouterRun sound_run_of_terminals() {
  RouterRun run = sound_run(2, 3, 3);
  run.graph = make_fat_tree(FatTree(2, 3));
  const ShortestRouter algorithm(run.graph, 2, 3);
  ListSource source(permutation_packets(random_permutation(run.graph.processors(), 3), 5));
  StepperResult result = run_stepper({"fat tree", run.graph, {}, "graph"}, algorithm, source);
  run.packets = result.record.packets;
  run.delivered = result.record.delivered;
  run.rows = std::move(result.rows);
  run.credits = std::move(result.credits);
  return run;
}

/// Each row for which `damage` says that it damaged it.
void expect_found_at_terminals(const std::string& text,
                               const std::function<bool(const NetworkGraph&, TraceRow&)>& damage) {
  const RouterRun sound = sound_run_of_terminals();
  std::size_t done = 0;
  for (std::size_t i = 0; i < sound.rows.size(); ++i) {
    RouterRun run = sound;
    if (!damage(run.graph, run.rows[i])) continue;
    run.sort();
    EXPECT_NE(run.verdict(), "") << "row " << i;
    EXPECT_THAT(run.verdict(), HasSubstr(text)) << "row " << i;
    ++done;
  }
  EXPECT_GE(done, 8u);
}

TEST(RouterAuditOfTerminals, AcceptsSoundRuns) {
  RouterRun run = sound_run_of_terminals();
  EXPECT_EQ(run.verdict(), "");
  run.rules.router->credits = false;
  EXPECT_EQ(run.verdict(), "");
}

TEST(RouterAuditOfTerminals, FindsWhatIsInjectedTooEarlyOrTooLate) {
  for (const Step shift : {-1, 1})
    expect_found_at_terminals("", [&](const NetworkGraph&, TraceRow& row) {
      if (row.event != TraceEvent::inject || row.step + shift < 0) return false;
      row.step += shift;
      return true;
    });
  // The last flit that enters a link later than it may: no flit follows it there.
  expect_found_at_terminals("enters the link of its terminal in another step",
                            [](const NetworkGraph& graph, TraceRow& row) {
                              if (row.event != TraceEvent::hop || !graph.is_terminal(row.node) || row.flit != 4)
                                return false;
                              ++row.step;
                              return true;
                            });
}

TEST(RouterAuditOfTerminals, FindsWhatIsConsumedLate) {
  expect_found_at_terminals("is consumed at a terminal in another step", [](const NetworkGraph&, TraceRow& row) {
    if (row.event != TraceEvent::eject || row.flit != 4) return false;
    ++row.step;
    return true;
  });
}

TEST(RouterAuditOfTerminals, FindsExchangedChannels) {
  expect_found_at_terminals("but was injected for channel", [](const NetworkGraph&, TraceRow& row) {
    if (row.event != TraceEvent::inject) return false;
    row.channel = 1 - row.channel;
    return true;
  });
  expect_found_at_terminals("", [](const NetworkGraph& graph, TraceRow& row) {
    if (row.event != TraceEvent::hop || !graph.is_terminal(row.to)) return false;
    row.channel = 1 - row.channel;
    return row.flit > 0;
  });
}

TEST(RouterAuditOfTerminals, FindsWhatATerminalPassesOnAndItsCredits) {
  RouterRun run = sound_run_of_terminals();
  run.packets[0].destination = run.packets[1].destination;
  EXPECT_THAT(run.verdict(), HasSubstr("goes to a terminal, which does not forward packets"));
  run = sound_run_of_terminals();
  run.credits.push_back({0, 0, 0, 0});
  run.sort();
  EXPECT_THAT(run.verdict(), HasSubstr("a credit comes from a terminal, which has no buffers"));
  run = sound_run_of_terminals();
  run.rows.erase(std::find_if(run.rows.begin(), run.rows.end(),
                              [](const TraceRow& row) { return row.event == TraceEvent::inject; }));
  EXPECT_NE(run.verdict(), "");
}

TEST(RouterAuditOfTerminals, FindsAChannelTowardsOneUsedWithoutACredit) {
  RouterRun run = sound_run_of_terminals();
  run.rules.router->credit_extra = 4;  // credits come back later than the run had them
  EXPECT_THAT(run.verdict(), HasSubstr("without a credit"));
}

}  // namespace
}  // namespace starloom::links
