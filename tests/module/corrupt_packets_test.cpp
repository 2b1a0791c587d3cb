// SPDX-License-Identifier: Apache-2.0
/// \file Links of `vc-wormhole` that have errors and do not repeat flits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include <starloom/topology/link_changes.hpp>
#include <starloom/topology/link_errors.hpp>
#include "module/faulty_run.hpp"
#include "support/dice.hpp"
#include "support/routed_networks.hpp"

namespace starloom::links {
namespace {

using testing::HasSubstr;

LinkErrors::Rules not_repeated(double probability, std::uint64_t seed = 1) {
  return {probability, {}, seed, 0, LinkErrors::Recovery::none};
}

/// A packet from node 0 to the node east of it, with errors of their link in these steps.
FaultyRun one_packet(std::int32_t flits, const std::vector<Step>& errors, const std::vector<Outage>& outages = {}) {
  static const LinkNetwork& pair = network_of(Grid::mesh({1, 2}));
  LinkErrors::Rules rules = not_repeated(0);
  for (const Step step : errors) rules.at.push_back({{0, 1}, step});
  return FaultyRun({pair, with_channels(1, 8)}, outages, {{0, 1, flits, 0}}, 1, std::nullopt, rules);
}

TEST(CorruptPackets, AreLostWhenTheirTailIsConsumed) {
  for (const auto& [flits, errors, at] : std::vector<std::tuple<std::int32_t, std::vector<Step>, Step>>{
           {1, {4}, 8}, {8, {4}, 15}, {8, {11}, 15}, {8, {4, 7, 8}, 15}}) {
    const RunRecord record = one_packet(flits, errors).run().record;
    EXPECT_EQ(record.lost, (Losses{{0, {LossCause::corrupt, at}}}));
    EXPECT_EQ(record.delivered.front(), no_step);
    EXPECT_EQ(record.delivered_count, 0);
    EXPECT_EQ(record.errors.corrupt, static_cast<std::int64_t>(errors.size()));
    EXPECT_EQ(record.flits_delivered, flits);
    EXPECT_EQ(record.flits_dropped, 0);
  }
  EXPECT_TRUE(one_packet(8, {3, 12}).run().record.lost.empty()) << "no flit is on the link in these steps";
}

TEST(CorruptPackets, AreCutByHardwareThatDies) {
  static const LinkNetwork& square = network_of(Grid::mesh({2, 2}));
  LinkErrors::Rules rules = not_repeated(0);
  for (const Step step : {4, 8, 10}) rules.at.push_back({{0, 1}, step});
  // The other packet is under way for longer.
  const FaultyRun run({square, with_channels(1, 8)}, {{Outage::Kind::router, {}, 1, 9, no_step}},
                      {{0, 1, 8, 0}, {2, 3, 20, 0}}, 1, std::nullopt, rules);
  const RunRecord record = run.run().record;
  EXPECT_EQ(record.lost, (Losses{{0, {LossCause::cut, 9}}}));
  EXPECT_EQ(record.errors.corrupt, 2) << "the flits that were to enter the link later have vanished";
}

/// All kinds of routers and networks whose links may have errors.
std::vector<Setting> settings_with_errors() {
  static const LinkNetwork& small = network_of(Grid::mesh({4, 5}));
  static const LinkNetwork& torus = network_of(Grid::torus({4, 4}));
  static const LinkNetwork& long_mesh = network_of(Grid::mesh({3, 4}), 3);
  LinkChange slow{"link_r01_*"}, narrow{"link_*_east"};
  slow.latency = 3;
  narrow.interval = 2;
  static const LinkNetwork uneven = with_link_changes(small, {slow, narrow});
  const std::vector<TrafficClass> classes = {{"bulk", routing::ChannelRange{0, 1}}, {"urgent", {}, 1}};
  return {{small, with_channels(1, 8)},
          {small, with_channels(4, 3, with_word("function", "min-adaptive")), 0.1},
          {small, with_channels(2, 4, {{"stages.crossbar", std::int64_t{3}}})},
          {small, with_channels(4, 4, {{"speedup.input", std::int64_t{2}}})},
          {small, with_channels(2, 4, {{"speedup.internal", std::int64_t{2}}})},
          {small, with_channels(2, 6, with_word("flow", "cut-through"))},
          {small, with_channels(2, 4, {{"stages.switch", std::int64_t{2}}})},
          {torus, with_channels(2, 4)},
          {long_mesh, with_channels(2, 9)},
          {uneven, with_channels(2, 6)},
          {small, with_channels(2, 4, with_word("priority", "class")), 0, classes}};
}

TEST(CorruptPackets, ChangeNoRow) {
  for (const Setting& setting : settings_with_errors()) {
    const auto packets = random_packets(setting, 5);
    const NetlistRun whole = FaultyRun(setting, {}, packets).run();
    const NetlistRun run = FaultyRun(setting, {}, packets, 1, std::nullopt, not_repeated(0.05)).run();
    EXPECT_EQ(run.rows, whole.rows);
    EXPECT_EQ(run.credits, whole.credits);
    EXPECT_GT(run.record.lost_count, 10);
    for (std::size_t i = 0; i < packets.size(); ++i) {
      const auto lost = run.record.lost.find(static_cast<PacketId>(i));
      EXPECT_EQ(lost == run.record.lost.end() ? run.record.delivered[i] : lost->second.at, whole.record.delivered[i]);
    }
  }
}

TEST(CorruptPackets, AreInLockstep) {
  const std::vector<Setting> all = settings_with_errors();
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::uint64_t seed = 0; seed < 2 && !HasFatalFailure(); ++seed) {
      SCOPED_TRACE("setting " + std::to_string(i) + ", seed " + std::to_string(seed));
      FaultyRun(all[i], {}, random_packets(all[i], 100 * i + seed), seed, std::nullopt, not_repeated(0.03, seed))
          .expect_lockstep();
    }
}

/// Runs in which packets are lost because they are corrupt, and because hardware dies.
std::unique_ptr<FaultyRun> random_faults(const LinkNetwork& network, std::uint64_t seed) {
  const Setting setting{network, with_channels(2, 4)};
  Dice dice(seed);
  return std::make_unique<FaultyRun>(setting, random_outages(network, dice, 60), random_packets(setting, seed), seed,
                                     rules_of(seed), not_repeated(0.03, seed));
}

TEST(CorruptPackets, AndHardwareThatDiesAreInLockstep) {
  static const LinkNetwork& mesh = network_of(Grid::mesh({4, 4}), 2);
  std::int64_t corrupt = 0, cut = 0;
  for (std::uint64_t seed = 1; seed <= 20 && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto run = random_faults(mesh, seed);
    run->expect_lockstep();
    const RouterRun record = run->record();
    EXPECT_EQ(record.verdict(), "");
    for (const auto& [packet, loss] : record.lost) {
      corrupt += loss.cause == LossCause::corrupt ? 1 : 0;
      cut += loss.cause == LossCause::cut ? 1 : 0;
    }
  }
  EXPECT_GT(corrupt, 50);
  EXPECT_GT(cut, 20);
}

std::string verdict_on(RouterRun run, const std::function<void(RouterRun&)>& damage) {
  damage(run);
  return run.verdict();
}

TEST(CorruptPackets, AreJudgedByTheReferee) {
  const RouterRun sound = one_packet(3, {5}).record();
  ASSERT_EQ(sound.verdict(), "");
  ASSERT_EQ(sound.lost, (Losses{{0, {LossCause::corrupt, 10}}}));
  EXPECT_THAT(verdict_on(sound,
                         [](RouterRun& run) {
                           run.lost.clear();
                           run.delivered[0] = 10;
                         }),
              HasSubstr("is not reported as lost, but has arrived corrupt"));
  EXPECT_THAT(verdict_on(sound, [](RouterRun& run) { run.delivered[0] = 10; }),
              HasSubstr("is reported as lost and as delivered"));
  EXPECT_THAT(verdict_on(sound, [](RouterRun& run) { run.lost[0].at = 9; }),
              HasSubstr("is reported as lost by corrupt in step 9, but its last flit was consumed in step 10"));
  EXPECT_THAT(verdict_on(sound, [](RouterRun& run) { run.lost[0].cause = LossCause::cut; }),
              HasSubstr("is reported as lost by cut, but its flits have not vanished"));
  EXPECT_THAT(verdict_on(sound, [](RouterRun& run) { run.rows.pop_back(); }),
              HasSubstr("but not all of its flits were consumed"));
  RouterRun well = one_packet(3, {}).record();
  EXPECT_THAT(verdict_on(well,
                         [](RouterRun& run) {
                           run.lost[0] = {LossCause::corrupt, 10};
                           run.delivered[0] = no_step;
                         }),
              HasSubstr("but no flit of it was corrupt on a link"));
}

}  // namespace
}  // namespace starloom::links
