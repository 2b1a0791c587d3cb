// SPDX-License-Identifier: Apache-2.0
/// \file Links of `vc-wormhole` that repeat corrupt flits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <starloom/control/links/make_algorithm.hpp>
#include <starloom/topology/link_changes.hpp>
#include <starloom/topology/link_errors.hpp>
#include "module/faulty_run.hpp"
#include "support/dice.hpp"
#include "support/list_source.hpp"
#include "support/named_algorithm.hpp"
#include "support/netlist_run.hpp"
#include "support/routed_networks.hpp"

namespace starloom::links {
namespace {

using Rules = LinkErrors::Rules;

std::unique_ptr<Algorithm> router(const LinkNetwork& network, Keys keys = {}) {
  keys.emplace("channels", std::int64_t{1});
  keys.emplace("buffer", std::int64_t{8});
  return make_algorithm(tested_algorithm("vc-wormhole"), AlgorithmContext{&network}, keys);
}

NetlistRun run_of(const LinkNetwork& network, const std::vector<Packet>& packets, const Rules& rules,
                  const Keys& keys = {}) {
  const LinkErrors errors(rules);
  const auto algorithm = router(network, keys);
  ListSource source(packets);
  NetlistRunOptions options;
  options.network.errors = &errors;
  return run_netlist(network, *algorithm, source, options);
}

const LinkNetwork& mesh(std::int32_t latency = 1) { return network_of(Grid::mesh({8, 8}), latency); }

/// The step in which a packet from node 0 arrives. \param errors steps of corrupt crossings, by the node where the
/// link east begins
Step delivered(std::int32_t flits, NodeId to, const std::vector<std::pair<NodeId, Step>>& errors, const Keys& keys = {},
               const LinkNetwork& network = mesh(), int replay = 0) {
  Rules rules;
  rules.replay = replay;
  for (const auto& [node, step] : errors) rules.at.push_back({{node, 1}, step});
  return run_of(network, {{0, to, flits, 0}}, rules, keys).record.delivered.front();
}

TEST(Retry, DelaysOneFlitByTwoCrossings) {
  EXPECT_EQ(delivered(1, 1, {}), 8);
  EXPECT_EQ(delivered(1, 1, {{0, 4}}), 10);
  EXPECT_EQ(delivered(1, 1, {{0, 4}, {0, 6}}), 12);
  EXPECT_EQ(delivered(1, 1, {{0, 6}}, {{"pipeline", std::int64_t{5}}, {"speculative", false}}), 14);
  const LinkNetwork& slow = mesh(2);
  EXPECT_EQ(delivered(1, 1, {}, {}, slow), 9);
  EXPECT_EQ(delivered(1, 1, {{0, 4}}, {}, slow), 13);
}

TEST(Retry, SendsAllBehindACorruptFlitAgain) {
  EXPECT_EQ(delivered(8, 1, {}), 15);
  EXPECT_EQ(delivered(8, 1, {{0, 4}}), 17);
  EXPECT_EQ(delivered(8, 1, {{0, 11}}), 17);
  EXPECT_EQ(delivered(8, 1, {{0, 4}, {0, 5}}), 17);
  EXPECT_EQ(delivered(8, 1, {{0, 4}, {0, 6}}), 19);
  EXPECT_EQ(delivered(8, 63, {}), 54);
  EXPECT_EQ(delivered(8, 63, {{0, 4}}), 56);
  EXPECT_EQ(delivered(8, 63, {{0, 4}, {1, 9}}), 58);
  EXPECT_EQ(delivered(8, 63, {{1, 7}, {0, 9}}), 56);
}

TEST(Retry, TakesOnlyAsManyFlitsAsItKeeps) {
  std::vector<Step> steps, slower;
  const LinkNetwork& slow = mesh(2);
  for (int replay = 1; replay <= 4; ++replay) steps.push_back(delivered(8, 1, {}, {}, mesh(), replay));
  for (int replay = 1; replay <= 6; ++replay) slower.push_back(delivered(8, 1, {}, {}, slow, replay));
  EXPECT_EQ(steps, (std::vector<Step>{36, 21, 17, 15}));
  EXPECT_EQ(slower, (std::vector<Step>{51, 28, 22, 18, 17, 16}));
}

/// `2408 92 59 2688`: sum and maximum of the steps in which packets arrive, resends, hops.
std::string of_transpose(double probability, const Keys& keys = {}) {
  std::vector<Packet> packets;
  for (NodeId node = 0; node < 64; ++node) packets.push_back({node, node % 8 * 8 + node / 8, 8, 0});
  Rules rules;
  rules.probability = probability;
  const RunRecord record = run_of(mesh(), packets, rules, keys).record;
  return std::to_string(std::accumulate(record.delivered.begin(), record.delivered.end(), Step{0})) + ' ' +
         std::to_string(*std::max_element(record.delivered.begin(), record.delivered.end())) + ' ' +
         std::to_string(record.errors.resends) + ' ' + std::to_string(record.flit_hops);
}

TEST(Retry, OfATransposeOnAMesh) {
  EXPECT_EQ(of_transpose(0), "2336 84 0 2688");
  EXPECT_EQ(of_transpose(0.01), "2408 92 59 2688");
  EXPECT_EQ(of_transpose(0.01, {{"channels", std::int64_t{2}}, {"buffer", std::int64_t{4}}}), "2586 93 50 2688");
}

/// All kinds of routers and networks whose links may repeat flits.
std::vector<Setting> settings_of_retry() {
  static const LinkNetwork& small = network_of(Grid::mesh({4, 5}));
  static const LinkNetwork& torus = network_of(Grid::torus({4, 4}));
  static const LinkNetwork& small_torus = network_of(Grid::torus({2, 3}));
  static const LinkNetwork& group = flattened_butterfly({3, 3}, 2);
  static const LinkNetwork& long_mesh = network_of(Grid::mesh({3, 4}), 3);
  LinkChange slow{"link_r01_*"}, slower{"link_*_east"};
  slow.latency = 3;
  slower.latency = 7;
  static const LinkNetwork uneven = with_link_changes(small, {slow, slower});
  const std::vector<TrafficClass> classes = {{"bulk", routing::ChannelRange{0, 1}}, {"urgent", {}, 1}};
  return {{small, with_channels(1, 8)},
          {small, with_channels(2, 4)},
          {small, with_channels(2, 1)},
          {small, with_channels(4, 3, with_word("function", "min-adaptive")), 0.1},
          {small, with_channels(2, 4, with_word("function", "odd-even"))},
          {small, with_channels(4, 4, with_word("function", "valiant"))},
          {group, with_channels(4, 4, with_word("function", "ugal"))},
          {small, with_channels(2, 4, {{"pipeline", std::int64_t{4}}})},
          {small, with_channels(2, 4, {{"speculative", false}, {"pipeline", std::int64_t{5}}})},
          {small, with_channels(2, 4, {{"stages.crossbar", std::int64_t{3}}})},
          {small, with_channels(2, 4, {{"hold_switch", true}})},
          {small, with_channels(4, 4, {{"speedup.input", std::int64_t{2}}})},
          {small, with_channels(2, 6, with_word("flow", "cut-through"))},
          {small, with_channels(2, 4, {{"wait_for_tail_credit", true}})},
          {small,
           {{"channels", std::int64_t{3}},
            {"buffers.policy", std::string("dynamic")},
            {"buffers.places", std::int64_t{12}}}},
          {torus, with_channels(2, 4)},
          {torus, with_channels(4, 4, with_word("function", "adaptive")), 0.1},
          {small_torus, with_channels(2, 4)},
          {long_mesh, with_channels(2, 9)},
          {long_mesh, with_channels(3, 4, with_word("function", "min-adaptive")), 0.1},
          {uneven, with_channels(2, 6)},
          {small, with_channels(2, 4, with_word("priority", "local-age"))},
          {small, with_channels(2, 4, with_word("priority", "class")), 0, classes}};
}

/// Random packets, and crossings of which a tenth, a fifth ... are corrupt.
std::unique_ptr<FaultyRun> random_retries(const Setting& setting, std::uint64_t seed) {
  const LinkErrors::Rules errors{0.1 * static_cast<double>(seed % 4), {}, seed, seed % 4 == 3 ? 3 : 0};
  return std::make_unique<FaultyRun>(setting, std::vector<Outage>(), random_packets(setting, seed), seed, std::nullopt,
                                     errors);
}

TEST(Retry, WithoutErrorsChangesNoRow) {
  for (const Setting& setting : settings_of_retry()) {
    const auto packets = random_packets(setting, 5);
    const NetlistRun whole = FaultyRun(setting, {}, packets).run();
    const NetlistRun run = FaultyRun(setting, {}, packets, 1, std::nullopt, Rules{}).run();
    EXPECT_EQ(run.rows, whole.rows);
    EXPECT_EQ(run.credits, whole.credits);
    EXPECT_EQ(run.record.link_load, whole.record.link_load);
  }
}

TEST(Retry, IsInLockstep) {
  const std::vector<Setting> all = settings_of_retry();
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::int64_t resends = 0;
    for (std::uint64_t seed = 0; seed < 4 && !HasFatalFailure(); ++seed) {
      SCOPED_TRACE("setting " + std::to_string(i) + ", seed " + std::to_string(seed));
      const auto run = random_retries(all[i], 100 * i + seed);
      run->expect_lockstep();
      resends += run->run().record.errors.resends;
    }
    EXPECT_GT(resends, 100) << "setting " << i;
  }
}

TEST(Retry, IsAcceptedByTheReferee) {
  const std::vector<Setting> all = settings_of_retry();
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::uint64_t seed = 0; seed < 4 && !HasFailure(); ++seed) {
      SCOPED_TRACE("setting " + std::to_string(i) + ", seed " + std::to_string(seed));
      RouterRun run = random_retries(all[i], 100 * i + seed)->record();
      EXPECT_EQ(run.verdict(), "");
      EXPECT_EQ(run.verdict(), "");
    }
}

/// Routers and networks in which hardware may die.
std::vector<Setting> settings_of_deaths() {
  static const LinkNetwork& small = network_of(Grid::mesh({4, 5}));
  static const LinkNetwork& torus = network_of(Grid::torus({4, 4}));
  static const LinkNetwork& long_mesh = network_of(Grid::mesh({3, 4}), 3);
  LinkChange slow{"link_r01_*"}, slower{"link_*_east"};
  slow.latency = 3;
  slower.latency = 7;
  static const LinkNetwork uneven = with_link_changes(small, {slow, slower});
  return {{small, with_channels(1, 8)},
          {small, with_channels(2, 4)},
          {small, with_channels(4, 3, with_word("function", "min-adaptive")), 0.1},
          {small, with_channels(2, 4, {{"speculative", false}, {"pipeline", std::int64_t{5}}})},
          {small, with_channels(2, 4, {{"stages.crossbar", std::int64_t{3}}})},
          {small, with_channels(2, 4, {{"hold_switch", true}})},
          {small, with_channels(2, 6, with_word("flow", "cut-through"))},
          {torus, with_channels(2, 4)},
          {long_mesh, with_channels(2, 9)},
          {uneven, with_channels(2, 6)},
          {small, with_channels(2, 4, with_word("priority", "local-age"))}};
}

/// Random packets, errors and deaths.
std::unique_ptr<FaultyRun> random_deaths(const Setting& setting, std::uint64_t seed,
                                         const std::optional<Rules>& errors) {
  Dice dice(seed);
  return std::make_unique<FaultyRun>(setting, random_outages(setting.network, dice, 60), random_packets(setting, seed),
                                     seed, rules_of(seed), errors);
}

/// The rows, without the links that flits were on the way to when they vanished: they are named if links repeat flits.
std::vector<TraceRow> without_links_of_drops(std::vector<TraceRow> rows) {
  for (TraceRow& row : rows)
    if (row.event == TraceEvent::drop) row = {row.step, row.event, row.packet, row.flit, row.node};
  std::sort(rows.begin(), rows.end());
  return rows;
}

TEST(Retry, WithoutErrorsChangesNoRowOfRunsWithDeaths) {
  for (const Setting& setting : settings_of_deaths())
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      const NetlistRun whole = random_deaths(setting, seed, std::nullopt)->run();
      const NetlistRun run = random_deaths(setting, seed, Rules{})->run();
      EXPECT_EQ(without_links_of_drops(run.rows), whole.rows);
      EXPECT_EQ(run.credits, whole.credits);
      EXPECT_EQ(run.record.lost, whole.record.lost);
      EXPECT_EQ(run.record.link_load, whole.record.link_load);
    }
}

TEST(Retry, AndDeathsAreInLockstep) {
  const std::vector<Setting> all = settings_of_deaths();
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::int64_t resends = 0, lost = 0;
    for (std::uint64_t seed = 0; seed < 8 && !HasFatalFailure() && !HasFailure(); ++seed) {
      SCOPED_TRACE("setting " + std::to_string(i) + ", seed " + std::to_string(seed));
      const LinkErrors::Rules errors{0.1 * static_cast<double>(1 + seed % 3), {}, seed, seed % 4 == 3 ? 3 : 0};
      const auto run = random_deaths(all[i], 100 * i + seed, errors);
      run->expect_lockstep();
      const RunRecord record = run->run().record;
      resends += record.errors.resends;
      lost += lost_under_way(record.lost);
    }
    EXPECT_GT(resends, 100) << "setting " << i;
    EXPECT_GT(lost, 20) << "setting " << i;
  }
}

TEST(Retry, AndDeathsAreAcceptedByTheReferee) {
  const std::vector<Setting> all = settings_of_deaths();
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::uint64_t seed = 0; seed < 8 && !HasFailure(); ++seed) {
      SCOPED_TRACE("setting " + std::to_string(i) + ", seed " + std::to_string(seed));
      const LinkErrors::Rules errors{0.1 * static_cast<double>(seed % 4), {}, seed, seed % 4 == 3 ? 3 : 0};
      RouterRun run = random_deaths(all[i], 100 * i + seed, errors)->record();
      EXPECT_EQ(run.verdict(), "");
      EXPECT_EQ(run.verdict(), "");
    }
}

/// Worms on a row of four nodes, of whose crossings a tenth are corrupt.
RouterRun repeated_run() {
  static const LinkNetwork& row = network_of(Grid::mesh({1, 4}));
  const Setting setting{row, {{"channels", std::int64_t{2}}, {"buffer", std::int64_t{4}}}};
  const std::vector<Packet> packets = {{0, 3, 8, 0}, {3, 0, 8, 0}, {1, 2, 3, 4}, {0, 2, 5, 9}};
  const Rules errors{0.1, {}, 5, 0};
  return FaultyRun(setting, {}, packets, 1, std::nullopt, errors).record();
}

/// The verdict on a damaged run.
std::string verdict_on(RouterRun run, const std::function<void(RouterRun&)>& damage) {
  damage(run);
  run.sort();
  return run.verdict();
}

TEST(RetryReferee, FindsEachDamagedRow) {
  const RouterRun sound = repeated_run();
  ASSERT_EQ(sound.verdict(), "");
  int repeated = 0, discarded = 0;
  for (std::size_t i = 0; i < sound.rows.size(); ++i) {
    const TraceRow& row = sound.rows[i];
    repeated += row.event == TraceEvent::resend ? 1 : 0;
    discarded += row.event == TraceEvent::discard ? 1 : 0;
    const bool on_link =
        row.event == TraceEvent::hop || row.event == TraceEvent::resend || row.event == TraceEvent::discard;
    if (!on_link) continue;
    SCOPED_TRACE("row " + std::to_string(i));
    const auto finds = [&](const std::function<void(TraceRow&)>& damage) {
      EXPECT_NE(verdict_on(sound, [&](RouterRun& run) { damage(run.rows[i]); }), "");
    };
    EXPECT_NE(
        verdict_on(sound, [&](RouterRun& run) { run.rows.erase(run.rows.begin() + static_cast<std::ptrdiff_t>(i)); }),
        "");
    for (const Step by : {-1, 1}) finds([by](TraceRow& damaged) { damaged.step += by; });
    finds([](TraceRow& damaged) { damaged.node = (damaged.node + 1) % 4; });
    finds([](TraceRow& damaged) { damaged.flit = (damaged.flit + 1) % 3; });
    finds([](TraceRow& damaged) { damaged.packet = (damaged.packet + 1) % 4; });
    for (const TraceEvent other : {TraceEvent::hop, TraceEvent::resend, TraceEvent::discard})
      if (other != row.event) finds([other](TraceRow& damaged) { damaged.event = other; });
  }
  EXPECT_GT(repeated, 5);
  EXPECT_GT(discarded, 5);
}

/// Worms of which flits vanish on and in front of links that repeat flits.
RouterRun run_with_deaths(std::size_t setting, std::uint64_t seed) {
  return random_deaths(settings_of_deaths()[setting], seed, Rules{0.1, {}, seed, 0})->record();
}

TEST(RetryReferee, FindsDamagedRowsOfRunsWithDeaths) {
  const RouterRun sound = run_with_deaths(1, 105);
  ASSERT_EQ(sound.verdict(), "");
  int in_front = 0;
  for (std::size_t i = 0; i < sound.rows.size(); ++i) {
    const TraceRow& row = sound.rows[i];
    const bool drops = row.event == TraceEvent::drop;
    if (row.event == TraceEvent::inject || (!drops && i % 7 != 0)) continue;
    SCOPED_TRACE("row " + std::to_string(i));
    EXPECT_NE(
        verdict_on(sound, [&](RouterRun& run) { run.rows.erase(run.rows.begin() + static_cast<std::ptrdiff_t>(i)); }),
        "");
    for (const Step by : {-1, 1}) EXPECT_NE(verdict_on(sound, [&](RouterRun& run) { run.rows[i].step += by; }), "");
    if (!drops || row.port == no_port) continue;
    ++in_front;
    EXPECT_NE(verdict_on(sound,
                         [&](RouterRun& run) {
                           run.rows[i] = {row.step, row.event, row.packet, row.flit, row.node};
                         }),
              "");
    EXPECT_NE(verdict_on(sound, [&](RouterRun& run) { run.rows[i].channel ^= 1; }), "");
  }
  EXPECT_GT(in_front, 10);
}

/// All but one, which has left a buffer behind a dead side wire: it is not known when.
TEST(RetryReferee, FindsFlitsThatVanishInFrontOfTheWrongLink) {
  const RouterRun sound = run_with_deaths(8, 106);
  int hops = 0, drops = 0, found_hops = 0, found_drops = 0, found_links = 0;
  std::map<std::pair<PacketId, std::int32_t>, std::size_t> last;
  for (std::size_t i = 0; i < sound.rows.size(); ++i) {
    const TraceRow& row = sound.rows[i];
    if (row.event == TraceEvent::hop) last[{row.packet, row.flit}] = i;
    if (row.event != TraceEvent::drop || row.port == no_port) continue;
    ++drops;
    found_drops += verdict_on(sound, [&](RouterRun& run) { run.rows[i].channel ^= 1; }).empty() ? 0 : 1;
    bool found_all = true;
    for (const Port port : sound.graph.out_ports(row.node)) {
      if (port == row.port) continue;
      const auto rename = [&](RouterRun& run) {
        run.rows[i].port = port;
        run.rows[i].to = run.graph.far_end(row.node, port).node;
      };
      found_all = found_all && !verdict_on(sound, rename).empty();
    }
    found_links += found_all ? 1 : 0;
    // It has entered the link, or could not yet.
    const auto hop = last.find({row.packet, row.flit});
    if (hop == last.end() || sound.rows[hop->second].node != row.node) continue;
    ++hops;
    const auto erase = [&](RouterRun& run) {
      run.rows.erase(run.rows.begin() + static_cast<std::ptrdiff_t>(hop->second));
    };
    found_hops += verdict_on(sound, erase).empty() ? 0 : 1;
  }
  EXPECT_GT(hops, 30);
  EXPECT_GE(found_hops, hops - 1);
  EXPECT_GE(found_drops, drops - 1);
  EXPECT_GE(found_links, drops - 1);
}

TEST(RetryReferee, FindsDamagedCreditsOfRunsWithDeaths) {
  const RouterRun sound = run_with_deaths(1, 105);
  for (std::size_t i = 0; i < sound.credits.size(); i += 5) {
    SCOPED_TRACE("credit " + std::to_string(i));
    EXPECT_NE(verdict_on(sound, [&](RouterRun& run) { run.credits.push_back(run.credits[i]); }), "");
    EXPECT_NE(
        verdict_on(sound,
                   [&](RouterRun& run) { run.credits.erase(run.credits.begin() + static_cast<std::ptrdiff_t>(i)); }),
        "");
  }
}

/// It cannot if it is not known when flits that have vanished were in front of a link.
TEST(RetryReferee, CountsTheCorruptFlitsThatSendersLearnOf) {
  const std::vector<Setting> all = settings_of_deaths();
  int known = 0, unknown = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const auto faulty = random_deaths(all[1], seed, Rules{0.1, {}, seed, 0});
    const RouterRun run = faulty->record();
    Referee referee(run.graph, run.rules);
    run.show_to(referee);
    const std::optional<std::int64_t> nacks = referee.nacks();
    ++(nacks ? known : unknown);
    if (nacks) {
      EXPECT_EQ(*nacks, faulty->run().record.errors.nacks) << "seed " << seed;
    }
  }
  EXPECT_GT(known, 10);
  EXPECT_GT(unknown, 3);
}

TEST(RetryReferee, NamesTheBrokenRule) {
  using testing::HasSubstr;
  const RouterRun sound = repeated_run();
  const auto with = [](const Rules& rules) {
    return [rules](RouterRun& run) { run.rules.errors = std::make_shared<const LinkErrors>(rules); };
  };
  EXPECT_THAT(verdict_on(sound, [](RouterRun& run) { run.rules.errors.reset(); }),
              HasSubstr("the links of this run do not repeat flits"));
  EXPECT_THAT(verdict_on(sound, with({0, {}, 5, 0})),
              HasSubstr("does not arrive there corrupt or behind a corrupt flit"));
  EXPECT_THAT(verdict_on(sound, with({0.1, {}, 6, 0})), testing::Not(""));
  EXPECT_THAT(verdict_on(sound, with({0.1, {}, 5, 3})), HasSubstr("not acknowledged, but its sender keeps 3"));
  const auto first = [](RouterRun& run, TraceEvent event) {
    return std::find_if(run.rows.begin(), run.rows.end(), [event](const TraceRow& row) { return row.event == event; });
  };
  EXPECT_THAT(verdict_on(sound, [&](RouterRun& run) { run.rows.erase(first(run, TraceEvent::discard)); }),
              HasSubstr("is not discarded at the end of link_r00"));
  EXPECT_THAT(verdict_on(sound, [&](RouterRun& run) { run.rows.erase(first(run, TraceEvent::resend)); }),
              HasSubstr("does not enter again link_r00"));
}

}  // namespace
}  // namespace starloom::links
