// SPDX-License-Identifier: Apache-2.0
/// \file Packets to several destinations: netlist and reference simulator agree, the referee accepts them and finds
/// what is damaged, and with room for whole packets they never deadlock (docs/multicast.md).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include <starloom/control/links/make_algorithm.hpp>
#include <starloom/referee/links/referee.hpp>
#include <starloom/schema/key_text.hpp>
#include "support/dice.hpp"
#include "support/lockstep.hpp"
#include "support/named_algorithm.hpp"
#include "unit/router_run.hpp"

namespace starloom::links {
namespace {

using testing::HasSubstr;
using Keys = std::map<std::string, KeyValue>;

/// Packets on a mesh, some of them to several destinations.
class MulticastRun {
 public:
  explicit MulticastRun(const Grid& grid, Keys keys) : network_(network_of(grid, 1)), keys_(std::move(keys)) {}

  void add(NodeId source, std::vector<NodeId> destinations, std::int32_t flits, Step created = 0) {
    Packet packet{source, destinations.front(), flits, created};
    if (destinations.size() > 1) {
      packet.destination = group_destination(groups_.size());
      groups_.push_back({source, std::move(destinations), flits});
    }
    packets_.push_back(packet);
  }
  std::unique_ptr<Algorithm> algorithm() const {
    AlgorithmContext context{&network_};
    context.groups = groups_;
    return make_algorithm(tested_algorithm("vc-wormhole"), context, keys_);
  }
  StepperEnd expect_lockstep(std::uint64_t seed, double stall_rate = 0) const {
    return links::expect_lockstep(network_, *algorithm(), packets_, seed, 20'000, stall_rate, "least-occupied",
                                  plain_rules(keys_));
  }
  NetlistRun run(NetlistRunOptions options = {}) const {
    ListSource source(packets_);
    return run_netlist(network_, *algorithm(), source, options);
  }
  /// With what the referee gets.
  RouterRun record() const {
    const auto algorithm = this->algorithm();
    const Declaration& declaration = algorithm->declaration();
    ListSource source(packets_);
    NetlistRun result = run_netlist(network_, *algorithm, source);
    RouterRun run;
    run.graph = network_.graph;
    run.rules.storage = RefereeRules::Storage::virtual_channels;
    run.rules.channels = declaration.channels;
    run.rules.capacity = declaration.capacity;
    run.rules.routes_own = true;
    run.rules.trees = declaration.multicast;
    run.rules.router = router_rules(declaration.pipelines);
    run.rules.router->whole_copies = declaration.multicast_whole;
    run.packets = result.record.packets;
    run.delivered = result.record.delivered;
    run.rows = std::move(result.rows);
    run.credits = std::move(result.credits);
    return run;
  }

 private:
  const LinkNetwork& network_;
  Keys keys_;
  std::vector<MulticastGroup> groups_;
  std::vector<Packet> packets_;
};

std::vector<NodeId> all_but(NodeId source, NodeId nodes) {
  std::vector<NodeId> others;
  for (NodeId node = 0; node < nodes; ++node)
    if (node != source) others.push_back(node);
  return others;
}

/// The steps of the rows of an event of a flit, by node.
std::map<NodeId, Step> steps_of(const NetlistRun& run, TraceEvent event, std::int32_t flit) {
  std::map<NodeId, Step> steps;
  for (const TraceRow& row : run.rows)
    if (row.event == event && row.flit == flit) steps[row.node] = row.step;
  return steps;
}

// A head takes 3 steps a hop. In node 1 it leaves first to the east, and over one port in a step: to node 2, then down
// to node 4 in the next step, then to the processor.
TEST(Multicast, BranchesOfANodeSendOneAfterTheOther) {
  MulticastRun run(Grid::mesh({2, 3}), {{"channels", std::int64_t{1}}, {"buffer", std::int64_t{4}}});
  run.add(0, {1, 2, 4}, 1);
  const NetlistRun result = run.run();
  EXPECT_EQ(result.end, StepperEnd::all_delivered);
  const std::map<NodeId, Step> steps = steps_of(result, TraceEvent::eject, 0);
  EXPECT_EQ(steps, (std::map<NodeId, Step>{{1, 10}, {2, 11}, {4, 12}}));
  EXPECT_EQ(result.record.delivered.front(), 12);
  EXPECT_EQ(result.record.hops.front(), 3);
  EXPECT_EQ(result.record.flit_hops, 3);
  EXPECT_EQ(result.record.flits_delivered, 1);
}

TEST(Multicast, OneDestinationTakesTheTimeOfAnOrdinaryPacket) {
  for (const std::int32_t flits : {1, 4}) {
    MulticastRun many(Grid::mesh({4, 4}), {{"buffer", std::int64_t{4}}});
    MulticastRun one(Grid::mesh({4, 4}), {{"buffer", std::int64_t{4}}});
    many.add(0, {3, 15}, flits);  // the paths part in node 3
    one.add(0, {3}, flits);
    EXPECT_EQ(steps_of(many.run(), TraceEvent::hop, flits - 1).at(2),
              steps_of(one.run(), TraceEvent::hop, flits - 1).at(2));
  }
}

/// Keys and packets by a seed. \param whole copies need room for whole packets.
MulticastRun random_run(std::uint64_t seed, bool whole) {
  Dice dice(seed);
  const Grid grid = Grid::mesh(dice.one_of<std::vector<std::int64_t>>({{4, 4}, {3, 5}, {2, 7}, {2, 3, 2}}));
  const int ports = 2 * static_cast<int>(grid.shape().size()) + 1;
  const int channels = 1 + dice.below(3), buffer = 1 + dice.below(6);
  const bool speculative = !dice.one_in(3);
  Keys keys = {{"channels", std::int64_t{channels}},
               {"buffer", std::int64_t{buffer}},
               {"function", std::string(dice.one_in(2) ? "dimension-order" : "yx")},
               {"speculative", speculative},
               {"pipeline", std::int64_t{(speculative ? 3 : 4) + dice.below(2)}},
               {"multicast", std::string(whole ? "packet" : "flits")}};
  if (!dice.one_in(3)) {
    keys["channel_allocator"] = dice.allocator(ports * channels);
    keys["switch_allocator"] = dice.allocator(ports);
    if (speculative && dice.one_in(4)) keys["channel_allocator"] = PartValue{"piggyback"};
    if (speculative && dice.one_in(3)) {
      keys["speculation.allocator"] = dice.allocator(ports);
      keys["speculation.mask"] = std::string(dice.one_in(2) ? "grants" : "requests");
      keys["speculation.check"] = std::string(dice.one_in(2) ? "credit" : "channel");
    }
    for (const char* flag : {"prefer_empty", "busy_when_full", "shuffle_requests"}) keys[flag] = dice.one_in(3);
  }
  MulticastRun run(grid, keys);
  const auto nodes = static_cast<int>(grid.nodes());
  for (Step created = 0; created < 20; ++created) {
    const NodeId source = dice.below(nodes);
    std::vector<NodeId> destinations;
    const int share = dice.one_of<int>({1, 3, 0});  // to all, a third, or one
    for (NodeId node = 0; node < nodes; ++node)
      if (node != source && share > 0 && dice.one_in(share)) destinations.push_back(node);
    if (destinations.empty()) destinations = {dice.below(nodes)};
    const int longest = whole && destinations.size() > 1 ? buffer : 7;
    run.add(source, destinations, 1 + dice.below(longest), created);
  }
  return run;
}

TEST(Multicast, NetlistAndStepperAgree) {
  for (std::uint64_t seed = 0; seed < 40 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    EXPECT_EQ(random_run(seed, true).expect_lockstep(seed, seed % 4 == 0 ? 0.2 : 0), StepperEnd::all_delivered);
  }
}

/// With room for a flit only, packets may wait for each other; the two then end alike.
TEST(Multicast, NetlistAndStepperAgreeWithoutRoomForPackets) {
  int deadlocks = 0;
  for (std::uint64_t seed = 0; seed < 40 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    if (random_run(seed, false).expect_lockstep(seed) == StepperEnd::nothing_pending) ++deadlocks;
  }
  EXPECT_GT(deadlocks, 5);
}

TEST(Multicast, RefereeAcceptsSoundRuns) {
  for (std::uint64_t seed = 0; seed < 60 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    RouterRun run = random_run(seed, true).record();
    EXPECT_EQ(run.verdict(), "");
    run.rules.router->credits = false;
    EXPECT_EQ(run.verdict(), "");
  }
}

/// A short run in which channels are shared by packets to one and to several destinations.
RouterRun short_record() {
  MulticastRun run(Grid::mesh({3, 3}), {{"channels", std::int64_t{1}}, {"buffer", std::int64_t{3}}});
  run.add(0, all_but(0, 9), 3);
  run.add(4, {1, 5, 8}, 2);
  run.add(2, {6}, 5);
  run.add(0, {4, 5}, 1, 4);
  return run.record();
}

TEST(Multicast, RefereeFindsEachMissingRow) {
  const RouterRun sound = short_record();
  ASSERT_EQ(sound.verdict(), "");
  for (std::size_t i = 0; i < sound.rows.size(); ++i) {
    RouterRun damaged = sound;
    damaged.rows.erase(damaged.rows.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_NE(damaged.verdict(), "") << "row " << i;
  }
  // A credit that was never returned is only missed by a flit that needs it.
  for (std::size_t i = 0; i + 40 < sound.credits.size(); ++i) {
    RouterRun damaged = sound;
    damaged.credits.erase(damaged.credits.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_NE(damaged.verdict(), "") << "credit " << i;
  }
}

TEST(Multicast, RefereeFindsRowsAndCreditsOfOtherSteps) {
  const RouterRun sound = short_record();
  for (const Step by : {-1, 1})
    for (std::size_t i = 0; i < sound.rows.size(); ++i) {
      if (sound.rows[i].event == TraceEvent::inject) continue;
      RouterRun damaged = sound;
      damaged.rows[i].step += by;
      damaged.sort();
      EXPECT_NE(damaged.verdict(), "") << "row " << i;
    }
  for (const Step by : {-1, 1})
    for (std::size_t i = 0; i < sound.credits.size(); ++i) {
      RouterRun damaged = sound;
      damaged.credits[i].step += by;
      damaged.sort();
      EXPECT_NE(damaged.verdict(), "") << "credit " << i;
    }
}

/// The rule that a damage breaks.
std::string broken(const std::function<void(RouterRun&)>& damage) {
  RouterRun run = short_record();
  damage(run);
  run.sort();
  return run.verdict();
}
TraceRow& row_of(RouterRun& run, TraceEvent event, PacketId packet, std::int32_t flit, NodeId node) {
  return *std::find_if(run.rows.begin(), run.rows.end(), [&](const TraceRow& row) {
    return row.event == event && row.packet == packet && row.flit == flit && row.node == node;
  });
}

TEST(Multicast, RefereeNamesTheBrokenRule) {
  // The paths of packet 2 lead from node 4 up to node 1, to the right to node 5, and from there down to node 8.
  EXPECT_THAT(broken([](RouterRun& run) {
                const Step step = row_of(run, TraceEvent::hop, 2, 0, 5).step;
                run.rows.push_back({step, TraceEvent::hop, 2, 0, 5, 0, 2, 0});
              }),
              HasSubstr("leaves the paths to the destinations of its packet"));
  EXPECT_THAT(broken([](RouterRun& run) {
                TraceRow again = row_of(run, TraceEvent::eject, 0, 0, 1);
                again.step += 5;
                run.rows.push_back(again);
              }),
              HasSubstr("takes the same way a second time"));
  EXPECT_THAT(broken([](RouterRun& run) { row_of(run, TraceEvent::eject, 2, 0, 5).node = 4; }),
              HasSubstr("is consumed in a node that is not one of its destinations"));
  EXPECT_THAT(broken([](RouterRun& run) { run.packets[2].destination = group_destination(7); }),
              HasSubstr("goes to an unknown group of destinations"));
  EXPECT_THAT(broken([](RouterRun& run) { run.packets[2].destination = group_destination(0); }),
              HasSubstr("goes to the destinations of another source"));
  // Flits of a branch may overtake those of another, but not each other.
  EXPECT_THAT(broken([](RouterRun& run) {
                std::swap(row_of(run, TraceEvent::hop, 0, 1, 0).step, row_of(run, TraceEvent::hop, 0, 2, 0).step);
              }),
              HasSubstr("overtakes flit 1 of its packet"));
}

/// With room for a flit, heads go on that would not with room for packets.
TEST(Multicast, RefereeFindsHeadsWithoutRoomForTheirPackets) {
  MulticastRun loose(Grid::mesh({3, 3}),
                     {{"channels", std::int64_t{1}}, {"buffer", std::int64_t{4}}, {"multicast", std::string("flits")}});
  for (const NodeId source : {0, 1}) loose.add(source, all_but(source, 9), 4);
  RouterRun run = loose.record();
  ASSERT_EQ(run.verdict(), "");
  run.rules.router->whole_copies = true;
  EXPECT_THAT(run.verdict(), HasSubstr("but its flow control needs room for 4"));
}

TEST(Multicast, RefereeRefusesPathsThatAreNotATree) {
  RouterRun run = short_record();
  auto trees = std::make_shared<std::vector<MulticastTree>>(*run.rules.trees);
  trees->front().ports[3] |= 1;  // a second way to node 4 or 0
  run.rules.trees = trees;
  EXPECT_THROW(Referee(run.graph, run.rules), std::invalid_argument);
}

}  // namespace
}  // namespace starloom::links
