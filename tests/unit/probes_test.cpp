// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include <starloom/support/error.hpp>
#include "support/list_source.hpp"
#include "support/named_algorithm.hpp"
#include "support/permutations.hpp"
#include "support/stepper.hpp"
#include "support/trace_text.hpp"

namespace starloom::links {
namespace {

using testing::ElementsAre;
using Keys = std::map<std::string, KeyValue>;

StepperResult run_probe(const Grid& topology, const std::string& name, const Keys& keys, std::vector<Packet> packets,
                        const StepperOptions& options = {}, std::int32_t latency = 1) {
  ListSource source(std::move(packets));
  return run_stepper(network_of(topology, latency), *named_algorithm(name, topology, keys), source, options);
}

std::vector<Packet> random_packets(const Grid& topology, std::uint64_t seed, std::int32_t flits) {
  return permutation_packets(random_permutation(topology.nodes(), seed), flits);
}

std::vector<Packet> ring_shift(NodeId nodes, NodeId offset, std::int32_t flits) {
  std::vector<Packet> packets;
  for (NodeId node = 0; node < nodes; ++node) packets.push_back({node, (node + offset) % nodes, flits, 0});
  return packets;
}

/// Random packets between random nodes, created in the first `steps` steps.
std::vector<Packet> scattered(const Grid& topology, std::uint64_t seed, int count, Step steps, std::int32_t flits) {
  std::vector<Packet> packets;
  RandomStream random(seed, Purpose::destination, 0, 0);
  const auto nodes = static_cast<std::uint32_t>(topology.nodes());
  for (int i = 0; i < count; ++i) {
    const auto source = static_cast<NodeId>(random.bounded(nodes));
    const auto destination = static_cast<NodeId>(random.bounded(nodes));
    packets.push_back({source, destination, flits, random.bounded(static_cast<std::uint32_t>(steps))});
  }
  return packets;
}

std::int64_t count(const StepperResult& result, TraceEvent event) {
  return std::count_if(result.rows.begin(), result.rows.end(),
                       [event](const TraceRow& row) { return row.event == event; });
}

/// Steps in which a worm moves or is consumed; checks that flit j does at its i-th chance what the head did j moves
/// before: either the whole worm moves or no flit of it.
std::vector<Step> moves_of(const StepperResult& result, PacketId packet) {
  std::set<Step> moves;
  std::map<std::int32_t, std::vector<Step>> of_flit;
  for (const TraceRow& row : result.rows) {
    if (row.packet != packet || row.event == TraceEvent::inject) continue;
    moves.insert(row.step);
    of_flit[row.flit].push_back(row.step);
  }
  const std::vector<Step> steps(moves.begin(), moves.end());
  for (const auto& [flit, seen] : of_flit)
    for (std::size_t i = 0; i < seen.size(); ++i) EXPECT_EQ(seen[i], steps.at(i + static_cast<std::size_t>(flit)));
  return steps;
}

// Running a controller without an event changes no rows, deliveries, queue, or published state.
TEST(Probes, WakeAllChangesNothing) {
  struct Case {
    Grid topology;
    std::string name;
    Keys keys;
    std::int32_t flits;
  };
  const Case cases[] = {
      {Grid::mesh({4, 5}), "greedy", {}, 1},
      {Grid::torus({4, 3}), "greedy", {{"discipline", "fifo"}}, 1},
      {Grid::mesh({4, 5}), "deflection", {}, 1},
      {Grid::torus({3, 4}), "deflection", {{"priority", "restricted"}}, 1},
      {Grid::mesh({5, 4}), "three-phase", {{"slice", std::int64_t{3}}}, 1},
      {Grid::mesh({4, 4}), "probe-hold", {}, 4},
      {Grid::torus({3, 3}), "probe-hold", {}, 2},
      {Grid::torus({9}), "probe-hot-potato", {{"flits", std::int64_t{2}}, {"laps", std::int64_t{2}}}, 2},
      {Grid::mesh({3, 4}), "probe-keys", {}, 1},
      {Grid::mesh({3, 4}), "probe-sleeper", {{"delay", std::int64_t{40}}}, 1},
      {Grid::mesh({3, 4}), "probe-quitter", {}, 1},
  };
  for (const Case& c : cases) {
    const std::int32_t latencies =
        named_algorithm(c.name, c.topology, c.keys)->declaration().storage < StorageModel::links_only ? 3 : 1;
    for (std::uint64_t seed = 1; seed <= 5; ++seed)
      for (std::int32_t latency = 1; latency <= latencies; ++latency) {
        SCOPED_TRACE(c.name + " seed " + std::to_string(seed) + " latency " + std::to_string(latency));
        StepperOptions options;
        const auto packets =
            seed % 2 == 0 ? random_packets(c.topology, seed, c.flits) : scattered(c.topology, seed, 30, 20, c.flits);
        const auto some = run_probe(c.topology, c.name, c.keys, packets, options, latency);
        options.wake_all = true;
        const auto all = run_probe(c.topology, c.name, c.keys, packets, options, latency);
        EXPECT_EQ(some.end, all.end);
        EXPECT_FALSE(some.violation) << some.violation->text;
        EXPECT_EQ(some.rows, all.rows);
        EXPECT_EQ(some.state, all.state);
        EXPECT_EQ(some.record.delivered, all.record.delivered);
        EXPECT_EQ(some.record.steps_run, all.record.steps_run);
        EXPECT_EQ(some.record.queue.max, all.record.queue.max);
        EXPECT_EQ(some.record.queue.step, all.record.queue.step);
        EXPECT_LE(some.record.activations, all.record.activations);
      }
  }
}

/// Three packets for node 4 of a 2x3 mesh meet at the node above it: its own, one from the west, one from the east.
std::vector<Packet> meeting() { return {{0, 4, 2, 0}, {1, 4, 2, 0}, {2, 4, 2, 0}}; }

// ---- probe-hold

TEST(ProbeHold, CompletesOnMeshesAndReallyHolds) {
  std::int64_t held_worms = 0;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const Grid mesh = Grid::mesh({4, 4});
    const auto result = run_probe(mesh, "probe-hold", {}, random_packets(mesh, seed, 4));
    ASSERT_EQ(result.end, StepperEnd::all_delivered) << (result.violation ? result.violation->text : "");
    for (PacketId packet = 0; packet < 16; ++packet) {
      const std::vector<Step> moves = moves_of(result, packet);
      if (moves.empty()) continue;
      const auto facts = result.record.packets[static_cast<std::size_t>(packet)];
      EXPECT_EQ(moves.size(), static_cast<std::size_t>(mesh.distance(facts.source, facts.destination) + 4));
      held_worms += moves.back() - moves.front() + 1 > static_cast<Step>(moves.size());
    }
  }
  EXPECT_GT(held_worms, 100);
}

TEST(ProbeHold, ServesOtherShapesAndLengths) {
  for (const auto& shape : {std::vector<std::int64_t>{1, 7}, {6, 2}, {3, 2, 3}})
    for (const std::int32_t flits : {1, 2, 9}) {
      const Grid mesh = Grid::mesh(shape);
      EXPECT_EQ(run_probe(mesh, "probe-hold", {}, random_packets(mesh, 2, flits)).end, StepperEnd::all_delivered);
      EXPECT_EQ(run_probe(mesh, "probe-hold", {}, scattered(mesh, 2, 60, 30, flits)).end, StepperEnd::all_delivered);
    }
}

// Both worms want the column link of node 1: packet 1 is there first, packet 0 holds with its two flits in the row.
TEST(ProbeHold, HoldsUntilTheWordComesBack) {
  const Grid mesh = Grid::mesh({2, 2});
  const auto result = run_probe(mesh, "probe-hold", {}, {{0, 3, 2, 0}, {1, 3, 2, 0}});
  EXPECT_THAT(row_texts(result.rows),
              ElementsAre("0,inject,0,0,0,,", "0,inject,1,0,1,,", "0,hop,0,0,0,1,1", "0,hop,1,0,1,2,3",  //
                          "1,inject,1,1,1,,", "1,hop,1,1,1,2,3", "1,eject,1,0,3,,",                      //
                          "2,eject,1,1,3,,",                                                             //
                          "3,inject,0,1,0,,", "3,hop,0,1,0,1,1", "3,hop,0,0,1,2,3",                      //
                          "4,hop,0,1,1,2,3", "4,eject,0,0,3,,", "5,eject,0,1,3,,"));
}

TEST(ProbeHold, ReleasesTheLowerPacketFirst) {
  const auto delivered = run_probe(Grid::mesh({2, 3}), "probe-hold", {}, meeting()).record.delivered;
  // The link is free for the next head one step after the tail is consumed.
  EXPECT_THAT(delivered, ElementsAre(2 + 3, 2, 2 + 6));
}

TEST(ProbeHold, StandsStillInADeadlock) {
  const Grid ring = Grid::torus({4});
  const auto result = run_probe(ring, "probe-hold", {}, ring_shift(4, 2, 2));
  EXPECT_EQ(result.end, StepperEnd::nothing_pending);
  EXPECT_EQ(result.record.steps_run, 2);
}

// ---- probe-hot-potato

TEST(ProbeHotPotato, NeverStands) {
  for (const NodeId nodes : {2, 5, 12})
    for (const std::int32_t flits : {1, 2, 5})
      for (const std::int64_t laps : {0, 1, 3}) {
        if (flits > nodes) continue;
        const Grid ring = Grid::torus({nodes});
        const Keys keys = {{"flits", std::int64_t{flits}}, {"laps", laps}};
        const auto result = run_probe(ring, "probe-hot-potato", keys, scattered(ring, 4, 40, 30, flits));
        ASSERT_EQ(result.end, StepperEnd::all_delivered) << (result.violation ? result.violation->text : "");
        for (PacketId packet = 0; packet < 40; ++packet) {
          const Packet& facts = result.record.packets[static_cast<std::size_t>(packet)];
          if (facts.source == facts.destination) continue;
          const std::vector<Step> moves = moves_of(result, packet);
          EXPECT_EQ(moves.back() - moves.front() + 1, static_cast<Step>(moves.size()));
          const NodeId forward = (facts.destination - facts.source + nodes) % nodes;
          EXPECT_EQ(moves.back() - moves.front(), forward + laps * nodes + flits - 1);
        }
      }
}

TEST(ProbeHotPotato, MayGoOnForEver) {
  const Grid ring = Grid::torus({6});
  StepperOptions options;
  options.max_steps = 100;
  const auto result = run_probe(ring, "probe-hot-potato", {{"absorb", false}}, ring_shift(6, 1, 1), options);
  EXPECT_EQ(result.end, StepperEnd::step_limit);
  EXPECT_EQ(result.record.delivered_count, 0);
  EXPECT_EQ(result.record.flit_hops, 6 * 100);
}

TEST(ProbeHotPotato, RefusesWhatItCannotServe) {
  EXPECT_THROW(named_algorithm("probe-hot-potato", Grid::torus({4, 4})), InputError);
  EXPECT_THROW(named_algorithm("probe-hot-potato", Grid::torus({4}), {{"flits", std::int64_t{5}}}), InputError);
}

// ---- probe-keys

TEST(ProbeKeys, SendsAKeyOverEachLinkOfTheRowsInEachRound) {
  const Grid mesh = Grid::mesh({3, 4});
  for (std::int32_t latency = 1; latency <= 3; ++latency) {
    std::vector<NodeId> destinations = identity_permutation(12);
    std::reverse(destinations.begin(), destinations.end());
    const auto result =
        run_probe(mesh, "probe-keys", {{"rounds", std::int64_t{5}}}, permutation_packets(destinations), {}, latency);
    EXPECT_EQ(result.end, StepperEnd::all_delivered);
    EXPECT_EQ(count(result, TraceEvent::key), 5 * 3 * 3);
    EXPECT_EQ(result.record.control_hops, 5 * 3 * 3);
    std::int64_t distance = 0;
    for (const Packet& packet : result.record.packets) distance += mesh.distance(packet.source, packet.destination);
    EXPECT_EQ(result.record.flit_hops, distance);
    EXPECT_EQ(row_text(*std::find_if(result.rows.begin(), result.rows.end(),
                                     [](const TraceRow& row) { return row.event == TraceEvent::key; })),
              "0,key,,,0,1,1");
    for (const TraceRow& row : result.rows) EXPECT_TRUE(row.event == TraceEvent::key || row.step >= 5);
    for (const StateChange& change : result.state) EXPECT_FALSE(change.field == 1 && change.value != 0);
  }
}

// ---- probe-sleeper

TEST(ProbeSleeper, WakesAtAnyDistanceAtNoCost) {
  const Grid mesh = Grid::mesh({1, 3});
  const auto keys = Keys{{"delay", std::int64_t{1'000'000'000'000}}};
  StepperOptions options;
  options.max_steps = std::int64_t{1} << 50;
  const auto result = run_probe(mesh, "probe-sleeper", keys, {{0, 2, 1, 0}, {0, 2, 1, 7}}, options);
  EXPECT_THAT(result.record.delivered, ElementsAre(1'000'000'000'002, 1'000'000'000'009));
  EXPECT_LT(result.record.activations, 12);
  EXPECT_EQ(result.record.queue.max, 2) << "both sleep in their processor";
}

// ---- probe-quitter

TEST(ProbeQuitter, LeavesPacketsWhenItsProgramEnds) {
  const Grid mesh = Grid::mesh({1, 8});
  const std::vector<Packet> packets = {{0, 2, 1, 0}, {0, 7, 1, 0}};
  const auto result = run_probe(mesh, "probe-quitter", {}, packets);
  EXPECT_EQ(result.end, StepperEnd::program_end);
  EXPECT_EQ(result.record.steps_run, 4);
  EXPECT_THAT(result.record.delivered, ElementsAre(2, no_step));
  EXPECT_EQ(run_probe(mesh, "probe-quitter", {{"program", std::int64_t{9}}}, packets).end, StepperEnd::all_delivered);
  EXPECT_EQ(run_probe(mesh, "probe-quitter", {{"program", std::int64_t{8}}}, packets).end, StepperEnd::program_end);
}

}  // namespace
}  // namespace starloom::links
