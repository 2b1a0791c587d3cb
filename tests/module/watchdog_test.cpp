// SPDX-License-Identifier: Apache-2.0
/// \file The end of a run: packets that wait for each other (a deadlock while nodes are awake is a cycle of packets,
/// each of which holds a resource that the next one needs), input that continues after the last step, and flits that
/// still arrive.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <starloom/control/links/make_algorithm.hpp>
#include <starloom/simulation/links/simulation.hpp>
#include <starloom/simulation/links/watchdog.hpp>
#include <starloom/traffic/packet_list.hpp>
#include "support/function_algorithm.hpp"
#include "support/named_algorithm.hpp"
#include "support/networks.hpp"

namespace starloom::links {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// ---- who waits for whom

Engine::Waiting waits(PacketId packet, NodeId node, std::vector<PacketId> behind, std::int32_t flit = 0) {
  return {packet, node, 0, false, flit, std::move(behind)};
}

std::vector<PacketId> cycle(const std::vector<Engine::Waiting>& waiting) {
  std::vector<PacketId> packets;
  for (const Engine::Waiting& w : wait_cycle(waiting)) packets.push_back(w.packet);
  return packets;
}

TEST(CycleOfWaiting, IsFoundBehindAQueue) {
  EXPECT_THAT(cycle({waits(7, 0, {3}), waits(3, 1, {5}), waits(5, 2, {9}), waits(9, 3, {3})}), ElementsAre(3, 5, 9));
  EXPECT_THAT(cycle({waits(4, 0, {4})}), ElementsAre(4));
}

TEST(CycleOfWaiting, NeedsEachToBeHeldUp) {
  EXPECT_THAT(cycle({}), IsEmpty());
  EXPECT_THAT(cycle({waits(0, 0, {}), waits(1, 1, {})}), IsEmpty());
  EXPECT_THAT(cycle({waits(0, 0, {1}), waits(1, 1, {2}), waits(2, 2, {})}), IsEmpty());
  EXPECT_THAT(cycle({waits(0, 0, {1}), waits(1, 1, {8})}), IsEmpty()) << "packet 8 is on a link";
}

TEST(CycleOfWaiting, OneOfSeveralThatGoesOnIsEnough) {
  EXPECT_THAT(cycle({waits(0, 0, {1, 2}), waits(1, 1, {0}), waits(2, 2, {})}), IsEmpty());
  EXPECT_THAT(cycle({waits(0, 0, {1, 2}), waits(1, 1, {0}), waits(2, 2, {1})}), ElementsAre(0, 1));
}

TEST(CycleOfWaiting, APacketWaitsWhereItsForemostFlitStands) {
  // The flits of packet 0 behind its head wait for packet 1, but the head continues.
  EXPECT_THAT(cycle({waits(0, 0, {1}, 4), waits(1, 1, {0}), waits(0, 5, {}, 0)}), IsEmpty());
  EXPECT_THAT(cycle({waits(0, 0, {}, 4), waits(1, 1, {0}), waits(0, 5, {1}, 0)}), ElementsAre(1, 0));
  EXPECT_THAT(cycle({{0, 0, 0, true, 0, {}}, waits(0, 1, {1}), waits(1, 2, {0})}), ElementsAre(0, 1));
}

// ---- by storage model; nodes are awake in every step, so only a circle shows a deadlock before the limit of steps

constexpr Step limit = 2000;
constexpr Step late = 1000;

SimulationResult run(const Grid& grid, const Algorithm& algorithm, std::vector<Packet> packets) {
  PacketList traffic(std::move(packets));
  SimulationSetup setup;
  setup.network = &network_of(grid);
  setup.algorithm = &algorithm;
  setup.traffic = &traffic;
  setup.limits = {limit, 20};
  return links::simulate(setup);
}

Outcome outcome(const Grid& grid, const Algorithm& algorithm, std::vector<Packet> packets) {
  return run(grid, algorithm, std::move(packets)).outcome;
}

/// The deadlock section of `result.json`: `packet at node waits for port, channel`, entry by entry.
std::vector<std::string> reported_cycle(const SimulationResult& bad) {
  std::vector<std::string> entries;
  for (const Engine::Waiting& w : bad.deadlock.value_or(Deadlock()).cycle)
    entries.push_back(std::to_string(w.packet) + " at " + std::to_string(w.node) + " waits for " +
                      std::to_string(w.wants) + ", " + std::to_string(w.channel));
  return entries;
}

/// From every node of a ring to the one `distance` further.
std::vector<Packet> around(NodeId nodes, NodeId distance, std::int32_t flits = 1) {
  std::vector<Packet> packets;
  for (NodeId node = 0; node < nodes; ++node) packets.push_back({node, (node + distance) % nodes, flits, 0});
  return packets;
}

Port path(const FlitView& view, const Flit& flit) {
  return view.grid().dimension_order_port(view.node(), flit.destination);
}

/// Store-and-forward; packets leave their sources from step `from` on.
FlitFunction stored(const Grid& grid, std::int32_t bound, Step from) {
  Declaration declaration;
  declaration.buffers = BufferSide::out_ports;
  declaration.bound = bound;
  return {grid, declaration, [from](FlitView& view) {
            for (PortMask left = view.arrived(); left != 0; left &= left - 1) {
              const Flit& flit = view.arrival(lowest_port(left));
              if (flit.destination == view.node()) view.eject(flit);
              else view.push(path(view, flit), flit, view.step());
            }
            while (view.waiting() > 0) {
              const Flit flit = view.accept();
              view.push(path(view, flit), flit, view.step());
            }
            bool left_here = false;
            for (Port port = 0; port < view.buffers(); ++port) {
              if (view.step() >= from && !view.empty(port)) view.send(port, view.pop(port));
              left_here = left_here || !view.empty(port);
            }
            if (left_here) view.wake_at(view.step() + 1);
          }};
}

TEST(StoredPackets, OfNeighboursThatWantOppositeLinksDoNotWaitForEachOther) {
  const Grid line = Grid::mesh({1, 2});
  EXPECT_EQ(outcome(line, stored(line, 0, late), {{0, 1}, {1, 0}}), Outcome::completed);
}

TEST(StoredPackets, WaitInACircleWhereEveryNodeIsFull) {
  const Grid ring = Grid::torus({4});
  EXPECT_EQ(outcome(ring, stored(ring, 1, limit), around(4, 2)), Outcome::deadlock);
  EXPECT_EQ(outcome(ring, stored(ring, 2, limit), around(4, 2)), Outcome::step_limit) << "there is room";
  EXPECT_EQ(outcome(ring, stored(ring, 1, limit), around(4, 1)), Outcome::step_limit) << "all are consumed at once";
  const Grid line = Grid::mesh({1, 4});
  EXPECT_EQ(outcome(line, stored(line, 1, limit), {{1, 3}, {2, 0}}), Outcome::deadlock);
  EXPECT_THAT(reported_cycle(run(ring, stored(ring, 1, limit), around(4, 2))),
              ElementsAre("0 at 0 waits for 0, -1", "1 at 1 waits for 0, -1", "2 at 2 waits for 0, -1",
                          "3 at 3 waits for 0, -1"));
}

/// Routers without datelines, one flit a buffer.
std::unique_ptr<Algorithm> routers(const Grid& grid, std::int64_t channels) {
  return named_algorithm(
      "vc-wormhole", grid,
      {{"function", std::string("dimension-order-plain")}, {"channels", channels}, {"buffer", std::int64_t{1}}});
}

/// All channels are free, but no buffer has room for a packet.
TEST(BufferedPackets, WaitInACircleForRoomForWholePackets) {
  const Grid ring = Grid::torus({5});
  const auto cut_through = named_algorithm("vc-wormhole", ring,
                                           {{"function", std::string("dimension-order-plain")},
                                            {"flow", std::string("cut-through")},
                                            {"buffer", std::int64_t{3}}});
  EXPECT_THAT(reported_cycle(run(ring, *cut_through, around(5, 2, 2))),
              ElementsAre("4 at 0 waits for 0, 0", "0 at 1 waits for 0, 0", "1 at 2 waits for 0, 0",
                          "2 at 3 waits for 0, 0", "3 at 4 waits for 0, 0"));
}

TEST(BufferedPackets, OfNeighboursThatWantOppositeLinksDoNotWaitForEachOther) {
  const Grid line = Grid::mesh({1, 4});
  EXPECT_EQ(outcome(line, *routers(line, 1), {{0, 3, 2}, {3, 0, 2}}), Outcome::completed);
}

TEST(BufferedPackets, WaitInACircleWhereEveryChannelIsTaken) {
  const Grid ring = Grid::torus({5});
  const SimulationResult bad = run(ring, *routers(ring, 1), around(5, 2, 2));
  EXPECT_EQ(bad.outcome, Outcome::deadlock);
  EXPECT_THAT(reported_cycle(bad),
              ElementsAre("4 at 0 waits for 0, 0", "0 at 1 waits for 0, 0", "1 at 2 waits for 0, 0",
                          "2 at 3 waits for 0, 0", "3 at 4 waits for 0, 0"));
  ASSERT_EQ(bad.explanation.size(), 6u);
  EXPECT_EQ(bad.explanation[0], "a cycle of waiting packets:");
  EXPECT_EQ(bad.explanation[1], "packet 4 waits at node_a00 for link_a00_plus1 to node_a01, addressed to node_a01");
  EXPECT_EQ(bad.explanation[2], "packet 0 waits at node_a01 for link_a01_plus1 to node_a02, addressed to node_a02");
  EXPECT_EQ(outcome(ring, *routers(ring, 2), around(5, 2, 2)), Outcome::completed) << "the other channel is free";
  std::vector<Packet> fewer = around(5, 2, 2);
  fewer.pop_back();
  EXPECT_EQ(outcome(ring, *routers(ring, 1), fewer), Outcome::completed) << "the first of a queue can go";
}

/// Worms that wait after their first link until step `from`.
WormFunction held(const Grid& grid, Step from) {
  Declaration declaration;
  declaration.storage = StorageModel::links_only;
  declaration.most_flits = 0;
  return {grid, declaration, [from](WormView& view) {
            const PortMask heads = view.arrived() | view.parked();
            for (PortMask left = heads; left != 0; left &= left - 1) {
              const Port in = lowest_port(left);
              const Flit& head = view.arrival(in);
              if (head.destination == view.node()) {
                view.eject(in);
              } else if (view.step() >= from) {
                view.route(in, view.grid().dimension_order_port(view.node(), head.destination));
              } else {
                if ((view.arrived() >> in & 1) != 0) view.hold(in);
                view.wake_at(view.step() + 1);
              }
            }
            if (view.waiting() > 0)
              view.inject(view.grid().dimension_order_port(view.node(), view.packet(view.next_packet()).destination));
          }};
}

TEST(HeldWorms, OfNeighboursThatWantOppositeLinksDoNotWaitForEachOther) {
  const Grid line = Grid::mesh({1, 4});
  EXPECT_EQ(outcome(line, held(line, late), {{0, 3}, {3, 0}}), Outcome::completed);
}

TEST(HeldWorms, WaitInACircleWhereEveryLinkHoldsOne) {
  const Grid ring = Grid::torus({5});
  const SimulationResult bad = run(ring, held(ring, limit), around(5, 2, 3));
  EXPECT_EQ(bad.outcome, Outcome::deadlock);
  EXPECT_THAT(reported_cycle(bad),
              ElementsAre("4 at 0 waits for 0, -1", "0 at 1 waits for 0, -1", "1 at 2 waits for 0, -1",
                          "2 at 3 waits for 0, -1", "3 at 4 waits for 0, -1"));
  std::vector<Packet> fewer = around(5, 2, 3);
  fewer.pop_back();
  EXPECT_EQ(outcome(ring, held(ring, limit), fewer), Outcome::step_limit) << "the first of a queue can go";
}

// ---- input that continues after the last step

SimulationResult cut_run(const Algorithm& algorithm, const Grid& grid, std::vector<Packet> packets, Step steps) {
  PacketList traffic(std::move(packets));
  SimulationSetup setup;
  setup.network = &network_of(grid);
  setup.algorithm = &algorithm;
  setup.traffic = &traffic;
  setup.limits.steps = steps;
  return links::simulate(setup);
}

/// Replies are not packets of the input.
TEST(InputThatGoesOn, HasNoReplies) {
  const Grid mesh = Grid::mesh({2, 2});
  AlgorithmContext context{&network_of(mesh), 1};
  context.classes = {{"all", {}, 0, ReplyRules{1, 5}}};
  const auto algorithm = make_algorithm(tested_algorithm("vc-wormhole"), context, {});
  const std::vector<Packet> packets = {{0, 3, 1, 0}, {1, 2, 1, 10}, {3, 0, 1, 2000}};
  const SimulationResult paused = cut_run(*algorithm, mesh, packets, 1000);
  EXPECT_EQ(paused.record.delivered_count, 4);
  EXPECT_EQ(paused.not_created, 1);
  const SimulationResult whole = cut_run(*algorithm, mesh, packets, 3000);
  EXPECT_EQ(whole.outcome, Outcome::completed);
  EXPECT_EQ(whole.record.delivered_count, 6);
  EXPECT_EQ(whole.not_created, 0);
}

TEST(InputThatGoesOn, EndsAsStepLimit) {
  const Grid mesh = Grid::mesh({2, 2});
  const std::vector<Packet> packets = {{0, 3, 1, 0}, {1, 2, 1, 10}, {3, 0, 1, 2000}};
  for (const char* name : {"greedy", "deflection", "vc-wormhole"}) {
    const auto algorithm = named_algorithm(name, mesh);
    const SimulationResult paused = cut_run(*algorithm, mesh, packets, 1000);
    EXPECT_EQ(paused.outcome, Outcome::step_limit) << name;
    EXPECT_EQ(paused.record.delivered_count, 2) << name;
    EXPECT_EQ(paused.record.steps_run, 1000) << name;
    EXPECT_EQ(paused.not_created, 1) << name;
    EXPECT_THAT(paused.explanation, ElementsAre("1 packet of the input not created, because the run ended first"));
    const SimulationResult before = cut_run(*algorithm, mesh, {{0, 3, 1, 500}, {1, 2, 1, 600}}, 100);
    EXPECT_EQ(before.outcome, Outcome::step_limit) << name;
    EXPECT_EQ(before.not_created, 2) << name;
    const SimulationResult whole = cut_run(*algorithm, mesh, packets, 3000);
    EXPECT_EQ(whole.outcome, Outcome::completed) << name;
    EXPECT_EQ(whole.not_created, 0) << name;
  }
}

TEST(InputThatGoesOn, IsIncompleteAtTheEndOfAProgram) {
  const Grid mesh = Grid::mesh({2, 2});
  const auto quitter = named_algorithm("probe-quitter", mesh, {{"program", std::int64_t{4}}});
  const SimulationResult result = cut_run(*quitter, mesh, {{0, 3, 1, 0}, {1, 2, 1, 10}, {3, 0, 1, 20}}, 1000);
  EXPECT_EQ(result.outcome, Outcome::incomplete);
  EXPECT_EQ(result.not_created, 2);
}

// ---- flits that still arrive

TEST(LongPackets, AreNoLivelockWhileFlitsArrive) {
  const Grid line = Grid::mesh({1, 4});
  EXPECT_EQ(outcome(line, *routers(line, 1), {{0, 3, 100}}), Outcome::completed);
  EXPECT_EQ(outcome(line, held(line, 0), {{0, 3, 100}}), Outcome::completed);
  EXPECT_EQ(
      outcome(Grid::torus({5}),
              *named_algorithm("probe-hot-potato", Grid::torus({5}), {{"flits", std::int64_t{2}}, {"absorb", false}}),
              {{0, 3, 2}}),
      Outcome::livelock);
}

}  // namespace
}  // namespace starloom::links
