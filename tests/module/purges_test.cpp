// SPDX-License-Identifier: Apache-2.0
/// \file Hardware that dies and is repaired under packets of `vc-wormhole`: what is cut, dropped and delivered, and
/// when.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <starloom/control/links/make_algorithm.hpp>
#include <starloom/control/links/unreachable.hpp>
#include <starloom/schema/key_text.hpp>
#include <starloom/topology/fault_timeline.hpp>
#include "support/dice.hpp"
#include "support/list_source.hpp"
#include "support/lockstep.hpp"
#include "support/named_algorithm.hpp"
#include "support/netlist_run.hpp"
#include "support/routed_networks.hpp"

namespace starloom::links {
namespace {

using Keys = std::map<std::string, KeyValue>;

Outage cable_outage(const LinkNetwork& network, LinkEnd link, Step at, Step until = no_step) {
  return {Outage::Kind::cable, {link, partner_of(network.graph, link)}, no_node, at, until};
}

/// A run of packets with hardware that dies.
NetlistRun run_of(const LinkNetwork& network, const std::vector<Outage>& outages, const std::vector<Packet>& packets,
                  Keys keys = {}) {
  keys.emplace("channels", std::int64_t{1});
  keys.emplace("buffer", std::int64_t{8});
  const FaultTimeline timeline(Faults(network.graph), outages);
  AlgorithmContext context{&network};
  if (timeline.start().links() > 0) context.faults = &timeline.start();
  const auto algorithm = make_algorithm(tested_algorithm("vc-wormhole"), context, keys);
  const Unreachable unreachable(timeline.start(), algorithm->without_path(), timeline.events());
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

/// Deaths at random: cables, one-way links, routers and processors, some of which are repaired.
std::vector<Outage> random_outages(const LinkNetwork& network, Dice& dice, Step end) {
  const std::vector<Cable> cables = cables_of(network.graph);
  std::vector<Outage> outages;
  for (int i = 2 + dice.below(5); i > 0; --i) {
    Outage outage;
    const int kind = dice.below(8);
    outage.kind = kind == 0   ? Outage::Kind::router
                  : kind == 1 ? Outage::Kind::processor
                  : kind <= 3 ? Outage::Kind::link
                              : Outage::Kind::cable;
    if (kind <= 1) outage.node = dice.below(network.graph.nodes());
    else outage.cable = cables[static_cast<std::size_t>(dice.below(static_cast<int>(cables.size())))];
    if (kind == 2) std::swap(outage.cable.lower, outage.cable.upper);
    outage.at = dice.below(static_cast<int>(end));
    if (dice.one_in(2)) outage.until = outage.at + 1 + dice.below(static_cast<int>(end));
    outages.push_back(outage);
  }
  return outages;
}

struct Setting {
  const LinkNetwork& network;
  Keys keys;
  double stall_rate = 0;
};

/// Runs random packets and random deaths in both implementations. Returns the packets that were lost under way.
std::int64_t expect_lockstep_with_outages(const Setting& setting, std::uint64_t seed) {
  Dice dice(seed);
  const FaultTimeline timeline(Faults(setting.network.graph), random_outages(setting.network, dice, 60));
  AlgorithmContext context{&setting.network};
  context.faults = &timeline.start();
  const auto algorithm = make_algorithm(tested_algorithm("vc-wormhole"), context, setting.keys);
  const Unreachable unreachable(timeline.start(), algorithm->without_path(), timeline.events());
  std::vector<Packet> packets;
  for (int i = 0; i < 150; ++i)
    packets.push_back({dice.below(setting.network.graph.nodes()), dice.below(setting.network.graph.nodes()),
                       1 + dice.below(6), i / 4});
  ListSource source(packets);
  const std::string selection = setting.keys.count("selection") != 0 ? "all" : "least-occupied";
  expect_lockstep(setting.network, *algorithm, packets, seed, 3'000, setting.stall_rate, selection,
                  plain_rules(setting.keys), &unreachable);
  NetlistRunOptions options;
  options.network.unreachable = &unreachable;
  options.network.seed = seed;
  options.max_steps = 3'000;
  const RunRecord record = run_netlist(setting.network, *algorithm, source, options).record;
  std::int64_t cut = 0;
  for (const auto& [packet, loss] : record.lost)
    cut += loss.cause == LossCause::cut || loss.cause == LossCause::no_way ? 1 : 0;
  return cut;
}

TEST(Purges, AreInLockstep) {
  const auto channels = [](std::int64_t count, std::int64_t buffer, Keys more = {}) {
    more["channels"] = count;
    more["buffer"] = buffer;
    return more;
  };
  const auto function = [](const std::string& name) { return Keys{{"function", name}}; };
  const LinkNetwork& mesh = network_of(Grid::mesh({4, 5}));
  const LinkNetwork& torus = network_of(Grid::torus({4, 4}));
  const LinkNetwork& small_torus = network_of(Grid::torus({2, 3}));
  const LinkNetwork& long_mesh = network_of(Grid::mesh({3, 4}), 3);
  const std::vector<Setting> settings = {
      {mesh, channels(1, 8)},
      {mesh, channels(2, 4)},
      {mesh, channels(2, 1)},
      {mesh, channels(4, 3, function("min-adaptive")), 0.1},
      {mesh, channels(2, 4, function("odd-even"))},
      {mesh, channels(2, 6, function("up-down"))},
      {mesh, channels(4, 4, function("valiant"))},
      {mesh, channels(2, 4, {{"pipeline", std::int64_t{4}}})},
      {mesh, channels(2, 4, {{"speculative", false}, {"pipeline", std::int64_t{5}}})},
      {mesh, channels(2, 4, {{"hold_switch", true}})},
      {mesh, channels(2, 6, {{"flow", std::string("cut-through")}})},
      {mesh, channels(2, 4, {{"wait_for_tail_credit", true}})},
      {mesh, channels(3, 4, {{"function", std::string("min-adaptive")}, {"selection", std::string("all")}})},
      {torus, channels(2, 4)},
      {torus, channels(4, 4, function("adaptive")), 0.1},
      {small_torus, channels(2, 4)},
      {long_mesh, channels(2, 9)},
      {long_mesh, channels(3, 4, function("min-adaptive")), 0.1}};
  for (std::size_t i = 0; i < settings.size(); ++i) {
    std::int64_t lost = 0;
    for (std::uint64_t seed = 1; seed <= 4 && !HasFatalFailure(); ++seed) {
      SCOPED_TRACE("setting " + std::to_string(i) + ", seed " + std::to_string(seed));
      lost += expect_lockstep_with_outages(settings[i], 100 * i + seed);
    }
    EXPECT_GT(lost, 5) << "setting " << i;
  }
}

}  // namespace
}  // namespace starloom::links
