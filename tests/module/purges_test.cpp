// SPDX-License-Identifier: Apache-2.0
/// \file Hardware that dies and is repaired under packets of `vc-wormhole`: what is cut, dropped and delivered, and
/// when.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <starloom/control/links/make_algorithm.hpp>
#include <starloom/control/links/reroutes.hpp>
#include <starloom/control/links/unreachable.hpp>
#include <starloom/schema/config_error.hpp>
#include <starloom/schema/key_text.hpp>
#include <starloom/topology/fault_timeline.hpp>
#include <starloom/topology/link_changes.hpp>
#include "module/faulty_run.hpp"
#include "support/list_source.hpp"
#include "support/named_algorithm.hpp"
#include "support/netlist_run.hpp"
#include "support/routed_networks.hpp"
#include "unit/router_run.hpp"

namespace starloom::links {
namespace {

/// A run of packets with hardware that dies. \param rules none: routing functions never learn of it.
NetlistRun run_of(const LinkNetwork& network, const std::vector<Outage>& outages, const std::vector<Packet>& packets,
                  Keys keys = {}, const std::optional<RerouteRules>& rules = {}) {
  keys.emplace("channels", std::int64_t{1});
  keys.emplace("buffer", std::int64_t{8});
  const FaultTimeline timeline(Faults(network.graph), outages);
  const auto make = [&](const Faults& faults) {
    AlgorithmContext context{&network};
    if (faults.links() > 0) context.faults = &faults;
    return make_algorithm(tested_algorithm("vc-wormhole"), context, keys);
  };
  const auto algorithm = make(timeline.start());
  std::optional<Reroutes> reroutes;
  if (rules) reroutes.emplace(*rules, timeline.start(), timeline.events(), *algorithm, make);
  const Unreachable unreachable(timeline.start(), algorithm->without_path(), &timeline,
                                reroutes ? &*reroutes : nullptr);
  ListSource source(packets);
  NetlistRunOptions options;
  options.network.unreachable = &unreachable;
  return run_netlist(network, *algorithm, source, options);
}

/// `21 29 cut@14 7`: packets with the step of their delivery, or cause and step of their loss; then the flits dropped,
/// and the hops.
std::string summary_of(const NetlistRun& run) {
  std::string text;
  for (std::size_t packet = 0; packet < run.record.packets.size(); ++packet) {
    const auto lost = run.record.lost.find(static_cast<PacketId>(packet));
    if (run.record.delivered[packet] != no_step) text += std::to_string(run.record.delivered[packet]);
    else if (lost != run.record.lost.end())
      text += std::string(loss_cause_names[static_cast<std::size_t>(lost->second.cause)]) + "@" +
              std::to_string(lost->second.at);
    else text += "left";
    text += ' ';
  }
  return text + "flits " + std::to_string(run.record.flits_dropped) + " hops " + std::to_string(run.record.flit_hops);
}

TEST(Cuts, OfThreePacketsBehindOneAnother) {
  const LinkNetwork& row = network_of(Grid::mesh({1, 4}));
  const std::vector<Packet> packets(3, Packet{0, 3, 8, 0});
  EXPECT_EQ(summary_of(run_of(row, {}, packets)), "21 29 37 flits 0 hops 72");
  const std::map<Step, std::string> expected = {{7, "cut@7 no-way@12 no-way@17 flits 17 hops 5"},
                                                {14, "cut@14 cut@14 no-way@19 flits 19 hops 22"},
                                                {15, "21 cut@15 no-way@20 flits 12 hops 28"}};
  for (const auto& [step, outcome] : expected)
    EXPECT_EQ(summary_of(run_of(row, {cable_outage(row, {1, 1}, step)}, packets)), outcome) << step;
}

TEST(Cuts, OfOneFlit) {
  const LinkNetwork& row = network_of(Grid::mesh({1, 4}));
  for (const auto& [step, outcome] :
       std::map<Step, std::string>{{4, "no-way@5"}, {5, "no-way@5"}, {6, "cut@6"}, {7, "cut@7"}, {8, "14"}}) {
    const std::string text = summary_of(run_of(row, {cable_outage(row, {1, 1}, step)}, {{0, 3, 1, 0}}));
    EXPECT_EQ(text.substr(0, text.find(' ')), outcome) << step;
  }
}

TEST(Cuts, EndWithARepair) {
  const LinkNetwork& row = network_of(Grid::mesh({1, 4}));
  const NetlistRun run = run_of(row, {cable_outage(row, {1, 1}, 10, 40)},
                                {{0, 3, 8, 0}, {0, 3, 8, 20}, {0, 1, 8, 20}, {0, 3, 8, 40}, {3, 0, 8, 41}});
  EXPECT_EQ(summary_of(run).substr(0, 28), "cut@10 no-way@25 40 61 62 fl");
}

TEST(Cuts, OfATransposeOnAMesh) {
  const LinkNetwork& mesh = network_of(Grid::mesh({8, 8}));
  std::vector<Packet> packets;
  for (NodeId node = 0; node < 64; ++node) packets.push_back({node, node % 8 * 8 + node / 8, 8, 0});
  const NetlistRun run = run_of(mesh, {cable_outage(mesh, {27, 1}, 20)}, packets);
  Step sum = 0;
  std::int64_t delivered = 0;
  for (const Step step : run.record.delivered) {
    sum += std::max<Step>(step, 0);
    delivered += step != no_step ? 1 : 0;
  }
  EXPECT_EQ(delivered, 62);
  EXPECT_EQ(sum, 2245);
  EXPECT_EQ(run.record.flit_hops, 2606);
  ASSERT_EQ(run.record.lost.size(), 2u);
  EXPECT_EQ(run.record.lost.at(30), (Loss{LossCause::cut, 20}));
  EXPECT_EQ(run.record.lost.at(31), (Loss{LossCause::no_way, 23}));
}

/// Four packets from each node of a mesh to its transpose; a cable dies in step 40.
std::string rerouted(const RerouteRules& rules) {
  const LinkNetwork& mesh = network_of(Grid::mesh({8, 8}));
  std::vector<Packet> packets;
  for (int i = 0; i < 4; ++i)
    for (NodeId node = 0; node < 64; ++node) packets.push_back({node, node % 8 * 8 + node / 8, 8, 0});
  const NetlistRun run =
      run_of(mesh, {cable_outage(mesh, {27, 1}, 40)}, packets, {{"function", std::string("up-down")}}, rules);
  EXPECT_EQ(run.end, StepperEnd::all_delivered);
  EXPECT_EQ(run.record.reroutes.size(), 1u);
  std::string text = std::to_string(run.record.delivered_count);
  for (const LossCause cause : {LossCause::cut, LossCause::no_way, LossCause::flush})
    text += ' ' + std::to_string(run.record.lost_by_cause[static_cast<std::size_t>(cause)]);
  return text + " changed " + std::to_string(run.record.reroutes.front()) + " last " +
         std::to_string(*std::max_element(run.record.delivered.begin(), run.record.delivered.end()));
}

TEST(Reroutes, OfATransposeOnAMesh) {
  EXPECT_EQ(rerouted({0, false, Transition::drain}), "217 2 37 0 changed 293 last 550");
  EXPECT_EQ(rerouted({0, false, Transition::flush}), "140 2 2 112 changed 40 last 299");
  EXPECT_EQ(rerouted({0, false, Transition::keep}), "245 2 9 0 changed 40 last 519");
  EXPECT_THAT(rerouted({20, false, Transition::drain}), testing::MatchesRegex("204 .* changed 317 last .*"));
  EXPECT_THAT(rerouted({20, false, Transition::flush}), testing::StartsWith("143 "));
  EXPECT_THAT(rerouted({20, false, Transition::keep}), testing::StartsWith("228 "));
}

TEST(Reroutes, DoNotTurnAFixedFunctionIntoAnAdaptiveOne) {
  const LinkNetwork& mesh = network_of(Grid::mesh({4, 4}));
  const FaultTimeline timeline(Faults(mesh.graph), {cable_outage(mesh, {5, 1}, 40)});
  const auto make = [&](const Faults& faults) {
    AlgorithmContext context{&mesh};
    context.faults = &faults;
    return make_algorithm(tested_algorithm("vc-wormhole"), context,
                          {{"channels", std::int64_t{3}},
                           {"function", std::string(faults.links() > 0 ? "min-adaptive" : "dimension-order")}});
  };
  const auto algorithm = make(timeline.start());
  EXPECT_THROW(Reroutes({}, timeline.start(), timeline.events(), *algorithm, make), ConfigError);
}

/// Settings of all kinds of routers that hardware may die in.
std::vector<Setting> settings() {
  const auto function = [](const std::string& name) { return Keys{{"function", name}}; };
  static const LinkNetwork& mesh = network_of(Grid::mesh({4, 5}));
  static const LinkNetwork& torus = network_of(Grid::torus({4, 4}));
  static const LinkNetwork& small_torus = network_of(Grid::torus({2, 3}));
  static const LinkNetwork& long_mesh = network_of(Grid::mesh({3, 4}), 3);
  LinkChange slow{"link_r01_*"}, narrow{"link_*_east"};
  slow.latency = 3;
  narrow.phits = 2;
  static const LinkNetwork uneven = with_link_changes(mesh, {slow, narrow});
  const std::vector<TrafficClass> classes = {{"bulk", routing::ChannelRange{0, 1}}, {"urgent", {}, 1}};
  return {{mesh, with_channels(1, 8)},
          {mesh, with_channels(2, 4)},
          {mesh, with_channels(2, 1)},
          {mesh, with_channels(4, 3, function("min-adaptive")), 0.1},
          {mesh, with_channels(2, 4, function("odd-even"))},
          {mesh, with_channels(2, 6, function("up-down"))},
          {mesh, with_channels(2, 4, function("layered"))},
          {mesh, with_channels(4, 4, function("valiant"))},
          {mesh, with_channels(2, 4, {{"pipeline", std::int64_t{4}}})},
          {mesh, with_channels(2, 4, {{"speculative", false}, {"pipeline", std::int64_t{5}}})},
          {mesh, with_channels(2, 4, {{"hold_switch", true}})},
          {mesh, with_channels(2, 6, {{"flow", std::string("cut-through")}})},
          {mesh, with_channels(2, 4, {{"wait_for_tail_credit", true}})},
          {mesh, with_channels(3, 4, {{"function", std::string("min-adaptive")}, {"selection", std::string("all")}})},
          {torus, with_channels(2, 4)},
          {torus, with_channels(4, 4, function("adaptive")), 0.1},
          {small_torus, with_channels(2, 4)},
          {long_mesh, with_channels(2, 9)},
          {long_mesh, with_channels(3, 4, function("min-adaptive")), 0.1},
          {mesh, with_channels(2, 6, {{"credit_latency", std::int64_t{2}}})},
          {uneven, with_channels(2, 6)},
          {mesh, with_channels(2, 4, {{"priority", std::string("age")}})},
          {mesh, with_channels(2, 4, {{"priority", std::string("class")}}), 0, classes}};
}

TEST(Purges, AreInLockstep) {
  const std::vector<Setting> all = settings();
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::int64_t lost = 0;
    for (std::uint64_t seed = 1; seed <= 4 && !HasFatalFailure(); ++seed) {
      SCOPED_TRACE("setting " + std::to_string(i) + ", seed " + std::to_string(seed));
      const auto run = random_run(all[i], 100 * i + seed);
      run->expect_lockstep();
      lost += lost_under_way(run->run().record.lost);
    }
    EXPECT_GT(lost, 5) << "setting " << i;
  }
}

TEST(Reroutes, AreInLockstep) {
  const std::vector<Setting> all = settings();
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::size_t changes = 0;
    for (std::uint64_t seed = 1; seed <= 6 && !HasFailure(); ++seed) {
      SCOPED_TRACE("setting " + std::to_string(i) + ", seed " + std::to_string(seed));
      const auto run = random_run(all[i], 100 * i + seed, rules_of(i + seed));
      run->expect_lockstep();
      changes += run->run().record.reroutes.size();
    }
    EXPECT_GT(changes, 5u) << "setting " << i;
  }
}

TEST(Purges, AreAcceptedByTheReferee) {
  const std::vector<Setting> all = settings();
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::uint64_t seed = 1; seed <= 6 && !HasFailure(); ++seed) {
      SCOPED_TRACE("setting " + std::to_string(i) + ", seed " + std::to_string(seed));
      RouterRun run = random_run(all[i], 100 * i + seed)->record();
      EXPECT_EQ(run.verdict(), "");
      run.rules.router->credits = false;
      EXPECT_EQ(run.verdict(), "");
    }
}

TEST(Reroutes, AreAcceptedByTheReferee) {
  const std::vector<Setting> all = settings();
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::uint64_t seed = 1; seed <= 9 && !HasFailure(); ++seed) {
      SCOPED_TRACE("setting " + std::to_string(i) + ", seed " + std::to_string(seed));
      RouterRun run = random_run(all[i], 100 * i + seed, rules_of(i + seed))->record();
      EXPECT_EQ(run.verdict(), "");
      run.rules.router->credits = false;
      EXPECT_EQ(run.verdict(), "");
    }
}

/// The three packets of Cuts: two are cut, the choices of the third are all dead.
RouterRun cut_run(Step death = 14) {
  static const LinkNetwork& row = network_of(Grid::mesh({1, 4}));
  const Setting setting{row, {{"channels", std::int64_t{1}}, {"buffer", std::int64_t{8}}}};
  return FaultyRun(setting, {cable_outage(row, {1, 1}, death)}, std::vector<Packet>(3, Packet{0, 3, 8, 0})).record();
}

/// The verdict on a damaged run.
std::string damaged(const std::function<void(RouterRun&)>& damage) {
  RouterRun run = cut_run();
  damage(run);
  run.sort();
  return run.verdict();
}

std::vector<std::size_t> drops_of(const RouterRun& run) {
  std::vector<std::size_t> drops;
  for (std::size_t i = 0; i < run.rows.size(); ++i)
    if (run.rows[i].event == TraceEvent::drop) drops.push_back(i);
  return drops;
}

TEST(PurgeReferee, FindsEachDamagedDrop) {
  const RouterRun sound = cut_run();
  ASSERT_EQ(sound.verdict(), "");
  ASSERT_EQ(drops_of(sound).size(), 19u);
  for (const std::size_t i : drops_of(sound)) {
    SCOPED_TRACE("row " + std::to_string(i));
    EXPECT_NE(damaged([&](RouterRun& run) { run.rows.erase(run.rows.begin() + static_cast<std::ptrdiff_t>(i)); }), "");
    EXPECT_NE(damaged([&](RouterRun& run) { run.rows[i].node = (run.rows[i].node + 1) % 4; }), "");
    for (const Step by : {-1, 1}) EXPECT_NE(damaged([&](RouterRun& run) { run.rows[i].step += by; }), "");
  }
}

// Behind the fault, the words of flits that vanish on both sides of a switch may be those of one another.
TEST(PurgeReferee, FindsEachMissingOrAdditionalCredit) {
  const RouterRun sound = cut_run();
  const Step last = sound.rows.back().step, death = 14;
  int damages = 0;
  for (std::size_t i = 0; i < sound.credits.size(); ++i) {
    const CreditRow& credit = sound.credits[i];
    if (credit.step + 4 > last) continue;  // its flit may still be on its way
    if (credit.node >= 2 && credit.step + 2 >= death) continue;
    SCOPED_TRACE("credit " + std::to_string(i));
    EXPECT_NE(damaged([&](RouterRun& run) { run.credits.push_back(credit); }), "");
    EXPECT_NE(damaged([&](RouterRun& run) { run.credits.erase(run.credits.begin() + static_cast<std::ptrdiff_t>(i)); }),
              "");
    ++damages;
  }
  EXPECT_GT(damages, 20);
}

TEST(PurgeReferee, NamesTheBrokenRule) {
  using testing::HasSubstr;
  EXPECT_THAT(damaged([](RouterRun& run) { run.lost.erase(0); }), HasSubstr("its flits have vanished"));
  EXPECT_THAT(damaged([](RouterRun& run) { run.lost.at(0).at = 13; }),
              HasSubstr("by cut in step 13, but its flits have vanished in step 14"));
  EXPECT_THAT(damaged([](RouterRun& run) { run.lost.at(0).cause = LossCause::no_route; }), HasSubstr("was injected"));
  EXPECT_THAT(damaged([](RouterRun& run) { run.lost.at(2).cause = LossCause::cut; }),
              HasSubstr("uses no hardware that dies then"));
  EXPECT_THAT(damaged([](RouterRun& run) { run.lost[2].cause = LossCause::dead_source; }), HasSubstr("was injected"));
  EXPECT_THAT(damaged([](RouterRun& run) { run.rules.fault_events.clear(); }),
              HasSubstr("vanishes, but no hardware dies in this run"));
  // The cable dies later than in the run.
  EXPECT_THAT(damaged([](RouterRun& run) {
                run.rules.router->credits = false;
                for (FaultEvent& event : run.rules.fault_events) event.step = 16;
              }),
              HasSubstr("uses no hardware"));
  // It dies earlier.
  EXPECT_THAT(damaged([](RouterRun& run) {
                for (FaultEvent& event : run.rules.fault_events) event.step = 12;
              }),
              HasSubstr("returned over a dead side wire"));
  EXPECT_THAT(damaged([](RouterRun& run) {
                run.rules.router->credits = false;
                for (FaultEvent& event : run.rules.fault_events) event.step = 12;
              }),
              HasSubstr("crosses a dead link"));
  // A packet that crosses the dead link.
  RouterRun whole = cut_run(1000);
  ASSERT_EQ(whole.verdict(), "");
  whole.rules.fault_events.front().step = whole.rules.fault_events.back().step = 8;
  EXPECT_NE(whole.verdict(), "");
  // A router dies around its flits.
  whole = cut_run(1000);
  whole.rules.fault_events = {{12, true, 1, no_port}};
  whole.rules.router->credits = false;
  EXPECT_THAT(whole.verdict(), HasSubstr("does not vanish"));
  // A packet is lost without a trace.
  whole = cut_run(1000);
  whole.lost[0] = {LossCause::cut, 14};
  whole.delivered[0] = no_step;
  EXPECT_THAT(whole.verdict(), HasSubstr("its flits have not vanished"));
}

TEST(PurgeReferee, FindsFlitsOfDeadProcessorsAndRouters) {
  static const LinkNetwork& row = network_of(Grid::mesh({1, 4}));
  const Setting setting{row, {{"channels", std::int64_t{1}}, {"buffer", std::int64_t{8}}}};
  const std::vector<Packet> packets = {{0, 3, 8, 0}, {1, 2, 4, 20}, {0, 1, 2, 40}};
  const auto run_with = [&](Outage::Kind kind, NodeId node, Step at) {
    return FaultyRun(setting, {{kind, {}, node, at}}, packets).record();
  };
  for (const auto kind : {Outage::Kind::processor, Outage::Kind::router})
    for (const NodeId node : {0, 1, 2, 3})
      for (const Step at : {3, 10, 22, 41}) {
        SCOPED_TRACE(std::to_string(node) + " at " + std::to_string(at));
        RouterRun run = run_with(kind, node, at);
        EXPECT_EQ(run.verdict(), "");
        RouterRun whole = cut_run(1000);
        whole.rules.fault_events = run.rules.fault_events;
        const bool is_used = node == 0 || node == 3 || kind == Outage::Kind::router;  // from node 0 to node 3
        if (at < 20 && is_used) {
          EXPECT_NE(whole.verdict(), "");
        }
      }
}

}  // namespace
}  // namespace starloom::links
