// SPDX-License-Identifier: Apache-2.0
/// \file Hardware that dies and is repaired under packets of one flit: `deflection`, `greedy` and `nearest-ancestor`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <starloom/topology/fat_tree.hpp>
#include <starloom/topology/link_changes.hpp>
#include "module/faulty_run.hpp"
#include "support/networks.hpp"

namespace starloom::links {
namespace {

using testing::HasSubstr;

/// Settings of the algorithms that go on with dead links, besides `vc-wormhole`.
std::vector<Setting> single_flit_settings() {
  static const LinkNetwork& mesh = network_of(Grid::mesh({4, 5}));
  static const LinkNetwork& torus = network_of(Grid::torus({4, 4}));
  static const LinkNetwork& small_torus = network_of(Grid::torus({2, 3}));
  static const LinkNetwork& long_mesh = network_of(Grid::mesh({3, 4}), 3);
  static const LinkNetwork tree{"fat tree", make_fat_tree(FatTree(2, 3)), FatTree(2, 3), "fat-tree"};
  LinkChange slow{"link_r01_*"}, narrow{"link_*_east"};
  slow.latency = 4;
  narrow.phits = 2;
  static const LinkNetwork uneven = with_link_changes(mesh, {slow, narrow});
  const auto setting = [](const LinkNetwork& network, const std::string& algorithm, const Keys& keys = {}) {
    return Setting{network, keys, 0, {}, algorithm};
  };
  const auto follow = [&](const LinkNetwork& network, const std::string& function, Keys keys = {}) {
    keys["function"] = function;
    return setting(network, "greedy", keys);
  };
  return {setting(mesh, "deflection"),
          setting(mesh, "deflection", {{"priority", std::string("restricted")}}),
          setting(torus, "deflection"),
          setting(small_torus, "deflection"),
          setting(mesh, "greedy"),
          setting(mesh, "greedy", {{"discipline", std::string("fifo")}}),
          setting(mesh, "greedy", {{"discipline", std::string("furthest-origin")}, {"bound", std::int64_t{30}}}),
          setting(torus, "greedy"),
          setting(torus, "greedy", {{"ties", std::string("random")}}),
          setting(long_mesh, "greedy"),
          setting(uneven, "greedy"),
          follow(mesh, "up-down"),
          follow(long_mesh, "shortest"),
          follow(mesh, "yx"),
          follow(uneven, "legal-ways", {{"turns", std::string("segments")}}),
          setting(tree, "nearest-ancestor"),
          setting(tree, "nearest-ancestor", {{"bound", std::int64_t{40}}}),
          follow(tree, "up-down")};
}

/// Transitions, times and seeds in turn; none: routing functions never learn of hardware that dies.
std::optional<RerouteRules> rules_of_run(std::uint64_t seed) {
  if (seed % 4 == 0) return std::nullopt;
  return RerouteRules{static_cast<Step>(seed * 7 % 20), seed % 5 == 4,
                      seed % 4 == 1 ? Transition::flush : Transition::keep};
}

/// When each packet was delivered, or why and when it was lost.
std::vector<std::string> fates(const NetlistRun& run) {
  std::vector<std::string> fates;
  for (std::size_t i = 0; i < run.record.packets.size(); ++i) {
    const auto lost = run.record.lost.find(static_cast<PacketId>(i));
    fates.push_back(lost == run.record.lost.end()
                        ? std::to_string(run.record.delivered[i])
                        : std::string(loss_cause_names[static_cast<std::size_t>(lost->second.cause)]) + " " +
                              std::to_string(lost->second.at));
  }
  return fates;
}

using Fates = std::vector<std::string>;

/// A packet from one end of a row of four nodes to the other, with `greedy`.
Fates of_a_row(std::int32_t latency, const Outage& outage, const std::optional<RerouteRules>& rules,
               std::vector<Packet> packets = {{0, 3, 1, 0}}) {
  const Setting setting{network_of(Grid::mesh({1, 4}), latency), {}, 0, {}, "greedy"};
  return fates(FaultyRun(setting, {outage}, std::move(packets), 1, rules).run());
}

Outage outage_in_row(LinkEnd link, Step at, Step until = no_step) {
  return cable_outage(network_of(Grid::mesh({1, 4})), link, at, until);
}
Outage outage_of(Outage::Kind kind, NodeId node, Step at) { return {kind, {}, node, at}; }

constexpr LinkEnd second_link{1, 1};  ///< of the row

TEST(SingleFlitFaults, WithoutChangesAPacketIsLostWhereItComesToADeadLink) {
  EXPECT_EQ(of_a_row(1, outage_in_row(second_link, 1), {}), Fates{"no-way 1"});
  EXPECT_EQ(of_a_row(1, outage_in_row(second_link, 2), {}), Fates{"3"});
  EXPECT_EQ(of_a_row(1, outage_in_row({0, 1}, 1), {}, {{0, 3, 1, 2}}), Fates{"no-way 3"})
      << "it waits for the dead link in its source";
}

TEST(SingleFlitFaults, PacketsOnWiresAndInDeadRoutersAreCut) {
  EXPECT_EQ(of_a_row(3, outage_in_row(second_link, 3), {}), Fates{"no-way 3"});
  EXPECT_EQ(of_a_row(3, outage_in_row(second_link, 4), {}), Fates{"cut 4"});
  EXPECT_EQ(of_a_row(3, outage_in_row(second_link, 5), {}), Fates{"cut 5"});
  EXPECT_EQ(of_a_row(3, outage_in_row(second_link, 6), {}), Fates{"9"});
  EXPECT_EQ(of_a_row(1, outage_of(Outage::Kind::router, 2, 2), RerouteRules{0, false, Transition::keep}),
            Fates{"cut 2"});
  EXPECT_EQ(of_a_row(1, outage_of(Outage::Kind::processor, 3, 2), RerouteRules{9, false, Transition::keep}),
            Fates{"no-way 3"});
}

TEST(SingleFlitFaults, APacketWaitsForADeadLinkUntilRoutingFunctionsChange) {
  const RerouteRules keep{5, false, Transition::keep}, flush{5, false, Transition::flush};
  const std::vector<Packet> two = {{0, 3, 1, 0}, {0, 3, 1, 8}};
  EXPECT_EQ(of_a_row(1, outage_in_row(second_link, 1), keep, two), (Fates{"no-way 6", "disconnected 8"}));
  EXPECT_EQ(of_a_row(1, outage_in_row(second_link, 1), flush, two), (Fates{"flush 6", "disconnected 8"}));
  EXPECT_EQ(of_a_row(1, outage_in_row(second_link, 1, 4), keep), Fates{"6"}) << "the link is repaired before";
}

TEST(SingleFlitFaults, APacketAsksAgainWhenRoutingFunctionsChange) {
  const LinkNetwork& square = network_of(Grid::mesh({2, 2}));
  const Setting setting{square, {{"function", std::string("shortest")}}, 0, {}, "greedy"};
  const FaultyRun run(setting, {cable_outage(square, {0, 1}, 1)}, {{0, 1, 1, 2}}, 1,
                      RerouteRules{10, false, Transition::keep});
  EXPECT_EQ(fates(run.run()), Fates{"14"}) << "three links from step 11 on";
}

/// From the source there is a path, but a packet that travels south must not turn west, nor back.
TEST(SingleFlitFaults, APacketAsksAgainFromItsInPort) {
  const LinkNetwork& mesh = network_of(Grid::mesh({3, 3}));
  const Setting setting{
      mesh, {{"function", std::string("legal-ways")}, {"turns", std::string("west-first")}}, 0, {}, "greedy"};
  const FaultyRun run(setting, {cable_outage(mesh, {4, 2}, 1)}, {{1, 7, 1, 0}, {4, 7, 1, 7}}, 1,
                      RerouteRules{5, false, Transition::keep});
  EXPECT_EQ(fates(run.run()), (Fates{"no-way 6", "10"}));
}

/// Two packets meet in the middle of a row, one link of which dies then.
FaultyRun meeting(Step after, Step until = no_step) {
  const LinkNetwork& row = network_of(Grid::mesh({1, 3}));
  return {{row, {}, 0, {}, "deflection"},
          {cable_outage(row, {1, 1}, 1, until)},
          {{0, 2, 1, 0}, {2, 0, 1, 0}},
          1,
          RerouteRules{after, false, Transition::keep}};
}

TEST(SingleFlitFaults, TheLastOfTooManyPacketsOverflows) {
  const auto with = [](Step after, Step until = no_step) { return fates(meeting(after, until).run()); };
  EXPECT_EQ(with(0), (Fates{"no-way 1", "overflow 1"}));
  EXPECT_EQ(with(3), (Fates{"no-way 4", "overflow 1"}));
  EXPECT_EQ(with(9, 5), (Fates{"6", "overflow 1"})) << "it goes to and fro until the repair";
}

/// Cables that no packet crosses, at any time.
TEST(SingleFlitFaults, UnusedLinksChangeNothing) {
  const LinkNetwork& mesh = network_of(Grid::mesh({4, 5}));
  const Setting setting{mesh, {}, 0, {}, "greedy"};
  int dead = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Dice dice(seed);
    std::vector<Packet> packets;
    for (int i = 0; i < 12; ++i) packets.push_back({dice.below(20), dice.below(20), 1, i / 3});
    const NetlistRun sound = FaultyRun(setting, {}, packets).run();
    std::vector<Outage> outages;
    for (const Cable& cable : cables_of(mesh.graph)) {
      const auto load = [&](LinkEnd link) { return sound.record.link_load[mesh.graph.index(link.node, link.port)]; };
      if (load(cable.lower) + load(cable.upper) == 0) outages.push_back({Outage::Kind::cable, cable, no_node, 2});
    }
    dead += static_cast<int>(outages.size());
    for (const auto& rules : {std::optional<RerouteRules>(), std::optional(RerouteRules{1, false, Transition::keep})}) {
      const NetlistRun run = FaultyRun(setting, outages, packets, 1, rules).run();
      for (std::size_t i = 0; i < packets.size(); ++i) {
        if (run.record.lost.count(static_cast<PacketId>(i)) == 0) {
          EXPECT_EQ(run.record.delivered[i], sound.record.delivered[i]) << "packet " << i;
        }
      }
      EXPECT_EQ(run.rows, sound.rows);
    }
  }
  EXPECT_GT(dead, 30);
}

TEST(SingleFlitFaults, AreInLockstep) {
  const std::vector<Setting> all = single_flit_settings();
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::int64_t lost = 0;
    for (std::uint64_t seed = 1; seed <= 8 && !HasFailure(); ++seed) {
      SCOPED_TRACE("setting " + std::to_string(i) + ", seed " + std::to_string(seed));
      const auto run = random_run(all[i], 100 * i + seed, rules_of_run(i + seed));
      run->expect_lockstep();
      lost += lost_under_way(run->run().record.lost);
    }
    EXPECT_GT(lost, 5) << "setting " << i;
  }
}

TEST(SingleFlitFaults, AreAcceptedByTheReferee) {
  const std::vector<Setting> all = single_flit_settings();
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::uint64_t seed = 1; seed <= 12 && !HasFailure(); ++seed) {
      SCOPED_TRACE("setting " + std::to_string(i) + ", seed " + std::to_string(seed));
      const std::optional<RerouteRules> rules = rules_of_run(i + seed);
      if (!rules && all[i].algorithm == "deflection") continue;  // packets that are cut off go on forever
      EXPECT_EQ(random_run(all[i], 100 * i + seed, rules)->record().verdict(), "");
    }
}

/// A run with losses of several causes under way.
RouterRun lossy_run(const std::string& algorithm) {
  const LinkNetwork& mesh = network_of(Grid::mesh({3, 4}), algorithm == "deflection" ? 1 : 3);
  const Setting setting{mesh, {}, 0, {}, algorithm};
  std::vector<Packet> packets;
  Dice dice(4);
  for (int i = 0; i < 200; ++i) packets.push_back({dice.below(12), dice.below(12), 1, i / 6});
  return FaultyRun(setting,
                   {cable_outage(mesh, {5, 1}, 12), cable_outage(mesh, {6, 0}, 12), cable_outage(mesh, {9, 1}, 17),
                    outage_of(Outage::Kind::router, 2, 17), outage_of(Outage::Kind::processor, 8, 12)},
                   std::move(packets), 1, RerouteRules{4, false, Transition::keep})
      .record();
}

TEST(SingleFlitReferee, FindsEachDamagedRow) {
  for (const char* const algorithm : {"deflection", "greedy"}) {
    const RouterRun sound = lossy_run(algorithm);
    ASSERT_EQ(sound.verdict(), "");
    int drops = 0;
    for (std::size_t i = 0; i < sound.rows.size(); ++i) {
      if (sound.rows[i].event != TraceEvent::drop) continue;
      ++drops;
      RouterRun run = sound;
      run.rows.erase(run.rows.begin() + static_cast<std::ptrdiff_t>(i));
      EXPECT_NE(run.verdict(), "") << algorithm << ": without row " << i;
      for (const int change : {0, 1, 2}) {
        run = sound;
        if (change == 0) run.rows[i].node = (run.rows[i].node + 1) % 12;
        if (change == 1) ++run.rows[i].step;
        if (change == 2) --run.rows[i].step;
        run.sort();
        EXPECT_NE(run.verdict(), "") << algorithm << ": change " << change << " of row " << i;
      }
    }
    EXPECT_GT(drops, 5) << algorithm;
  }
}

TEST(SingleFlitReferee, FindsAPacketThatADyingLinkDoesNotCut) {
  const LinkNetwork& row = network_of(Grid::mesh({1, 4}), 3);
  RouterRun run = FaultyRun({row, {}, 0, {}, "greedy"}, {cable_outage(row, second_link, 6)}, {{0, 3, 1, 0}}).record();
  ASSERT_EQ(run.verdict(), "");
  for (FaultEvent& event : run.rules.fault_events) event.step = 5;
  EXPECT_THAT(run.verdict(), HasSubstr("packet 0, flit 0 is on a link that dies, but does not vanish"));
}

TEST(SingleFlitReferee, FindsAnOverflowOfTooManyPackets) {
  RouterRun run = meeting(3).record();
  ASSERT_EQ(run.verdict(), "");
  const auto of_first = [](const TraceRow& row) { return row.packet == 0 && row.step > 0; };
  run.rows.erase(std::remove_if(run.rows.begin(), run.rows.end(), of_first), run.rows.end());
  run.rows.push_back(run.rows.back());
  run.rows.back().packet = 0;
  run.sort();
  run.lost[0] = {LossCause::overflow, 1};
  EXPECT_THAT(run.verdict(), HasSubstr("did not take all living links of its node"));
}

TEST(SingleFlitReferee, KnowsWhatDiesAfterTheLastRow) {
  const LinkNetwork& row = network_of(Grid::mesh({1, 4}));
  const RouterRun run = FaultyRun({row, {}, 0, {}, "greedy"}, {cable_outage(row, second_link, 5)},
                                  {{0, 1, 1, 0}, {0, 3, 1, 10}}, 1, RerouteRules{0, false, Transition::keep})
                            .record();
  EXPECT_EQ(run.lost.count(1), 1u);
  EXPECT_EQ(run.verdict(), "");
}

/// The packet that stays has no path, and frees the link in the same step; its processor may take that.
TEST(SingleFlitReferee, AcceptsAnOverflowBehindAPacketThatIsCutOff) {
  const LinkNetwork& row = network_of(Grid::mesh({1, 3}));
  for (const Step created : {7, 1}) {
    const RouterRun run =
        FaultyRun({row, {}, 0, {}, "deflection"}, {cable_outage(row, {1, 1}, 1)},
                  {{0, 2, 1, 0}, {2, 0, 1, 0}, {1, 0, 1, created}}, 1, RerouteRules{0, false, Transition::keep})
            .record();
    EXPECT_EQ(run.lost.at(1).cause, LossCause::overflow);
    EXPECT_EQ(run.verdict(), "");
  }
}

TEST(SingleFlitReferee, FindsAPacketThatIsCutOff) {
  RouterRun run = meeting(3).record();
  run.rules.reroute->after = 2;
  EXPECT_THAT(run.verdict(), HasSubstr("packet 0, flit 0 does not vanish, but no path to its destination is left"));
}

TEST(SingleFlitReferee, FindsEachOtherCause) {
  for (const char* const algorithm : {"deflection", "greedy"}) {
    const RouterRun sound = lossy_run(algorithm);
    std::set<LossCause> causes;
    for (const auto& [packet, loss] : sound.lost) {
      causes.insert(loss.cause);
      for (std::size_t cause = 0; cause < std::size(loss_cause_names); ++cause) {
        RouterRun run = sound;
        run.lost[packet].cause = static_cast<LossCause>(cause);
        const bool same = static_cast<LossCause>(cause) == loss.cause;
        EXPECT_EQ(run.verdict() == "", same)
            << algorithm << ", packet " << packet << ": " << loss_cause_names[cause] << " instead of "
            << loss_cause_names[static_cast<std::size_t>(loss.cause)];
      }
      RouterRun run = sound;
      ++run.lost[packet].at;
      EXPECT_NE(run.verdict(), "") << algorithm << ", packet " << packet;
    }
    EXPECT_EQ(causes.count(LossCause::cut), 1u) << algorithm;
    EXPECT_EQ(causes.count(LossCause::no_way), 1u) << algorithm;
    EXPECT_EQ(causes.count(LossCause::overflow), std::string(algorithm) == "deflection" ? 1u : 0u);
  }
}

}  // namespace
}  // namespace starloom::links
