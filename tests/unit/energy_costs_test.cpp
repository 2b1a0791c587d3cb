// SPDX-License-Identifier: Apache-2.0
/// The costs of routers and links: formulas, the built-in tables, exact sums (docs/energy.md).
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <string>

#include <starloom/energy/toggle_tally.hpp>
#include <starloom/energy/totals.hpp>

#include "support/networks.hpp"

namespace starloom::energy {
namespace {

const Size size{128, 8, 5, 2, 1.5};

double value(const char* product) { return Product(product).at(size); }

TEST(EnergyFormula, MultipliesSizesFromLeftToRight) {
  EXPECT_EQ(value("1"), 1);
  EXPECT_EQ(value("W*L"), 192);
  EXPECT_EQ(value("W*N^2"), 128 * 64);
  EXPECT_EQ(value("P^3*V"), 250);
  EXPECT_EQ(value("lg(P)"), 3);
  EXPECT_EQ(value("W*up(P)"), 1024);
  EXPECT_EQ(value("lg(N)"), 3);
  EXPECT_EQ(value("up(N)"), 8);
  EXPECT_EQ(value("sqrt(W*N*P)"), std::sqrt(5120.0));
}

TEST(EnergyFormula, LogarithmOfNoPlaceAndOfOneIsZero) {
  EXPECT_EQ(Product("lg(N)").at({}), 0);
  EXPECT_EQ(Product("up(N)").at({}), 1);
  EXPECT_EQ(Product("lg(V)").at({0, 0, 0, 1}), 0);
}

TEST(EnergyFormula, RefusesUnknownProducts) {
  for (const char* text : {"", "w", "X", "W*", "*W", "W^4", "W^", "lg()", "lg(W*N)", "lg(W", "sqrt(W)*N", "sqrt()", "2",
                           "W N", "W^2^2", "lg(W)^2", "up(Q)", "sqrt(sqrt(W))"}) {
    EXPECT_THROW(Product{text}, std::invalid_argument) << text;
  }
}

TEST(EnergyFormula, AddsTheGreatestSumToTheOther) {
  const Sum small = {{Product("W"), 1}}, great = {{Product("W*P"), 1}, {Product("1"), -40}};
  EXPECT_EQ(Formula({small, great}, {{Product("1"), 0.5}}).at(size), 600.5);
  EXPECT_EQ(Formula({great, small}, {}).at({128, 0, 1}), 128);
}

TEST(EnergyFormula, GoesThroughPointsInStraightLines) {
  const Formula formula(Points{{2, 10}, {4, 30}, {8, 40}});
  EXPECT_EQ(formula.at({}, 2), 10);
  EXPECT_EQ(formula.at({}, 3), 20);
  EXPECT_EQ(formula.at({}, 4), 30);
  EXPECT_EQ(formula.at({}, 6), 35);
  EXPECT_EQ(formula.at({}, 8), 40);
  EXPECT_EQ(formula.at({}, 12), 50);
  EXPECT_EQ(formula.at({}, 1), 0);
  EXPECT_EQ(Formula(Points{{4, 3}}).at({}, 99), 3);
}

std::int64_t energy_of(const Cost& cost, Event event) { return cost.energy[static_cast<std::size_t>(event)]; }
std::int64_t sum_of(const BySilicon& values) {
  std::int64_t sum = 0;
  for (const std::int64_t of : values) sum += of;
  return sum;
}

/// Figures of the working tables, found with the formulas by hand.
TEST(EnergyCosts, OfARouterAtTheEndAndInTheMiddleOfALine) {
  const Table table = built_in_table("dsent-22");
  Costs costs(table, {});
  const Cost end = costs.router({128, 1, 8, 2, true}), inside = costs.router({128, 1, 8, 3, true});
  EXPECT_EQ(sum_of(end.leakage), 4'649'614);
  EXPECT_EQ(sum_of(end.area), 5'780'955);
  EXPECT_EQ(sum_of(inside.leakage), 7'195'858);
  EXPECT_EQ(sum_of(inside.area), 9'304'731);
  const Cost link = costs.link({128, 1, 1, 0});
  EXPECT_EQ(energy_of(link, Event::link), 3'018'240);
  EXPECT_EQ(energy_of(link, Event::credit), 23'580);
  EXPECT_EQ(energy_of(costs.link({128, 2, 1, 1}), Event::link), 3'018'240 + 208'256);
  EXPECT_TRUE(costs.failures().empty());
}

/// DSENT itself reports 2,100.8 and 1,496.5 fJ, 12,623.9 and 11,011.9 uW, 17,505 and 12,747 um2.
TEST(EnergyCosts, WithoutChannelAllocatorAreNearThoseOfDsent) {
  const Table table = built_in_table("dsent-22");
  Conditions conditions;
  conditions.channel_allocator = false;
  Costs costs(table, conditions);
  const auto of_flit = [](const Cost& cost) {
    return static_cast<double>(energy_of(cost, Event::buffer_write) + energy_of(cost, Event::buffer_read) +
                               energy_of(cost, Event::crossbar) + energy_of(cost, Event::switch_grant)) /
           1000;
  };
  const Cost wide = costs.router({128, 1, 8, 5, true}), deep = costs.router({64, 4, 16, 5, true});
  EXPECT_NEAR(of_flit(wide), 2075.6, 0.05);
  EXPECT_NEAR(of_flit(deep), 1495.9, 0.05);
  EXPECT_NEAR(static_cast<double>(sum_of(wide.leakage)) / 1000, 12'622.2, 0.05);
  EXPECT_NEAR(static_cast<double>(sum_of(deep.leakage)) / 1000, 10'996.0, 0.05);
  EXPECT_NEAR(static_cast<double>(sum_of(wide.area)) / 1000, 17'501, 0.5);
  EXPECT_NEAR(static_cast<double>(sum_of(deep.area)) / 1000, 12'726, 0.5);
  EXPECT_EQ(energy_of(wide, Event::channel), 0);
}

TEST(EnergyCosts, AreBoundToActivityWhereBitsToggle) {
  const Table table = built_in_table("dsent-22");
  Conditions twice;
  twice.activity = 1;
  Costs costs(table, {}), active(table, twice);
  const RouterSize router{128, 2, 8, 5, true};
  const Cost of = costs.router(router), more = active.router(router);
  for (std::size_t event = 0; event < event_count; ++event) {
    const bool toggles = event == static_cast<std::size_t>(Event::crossbar);
    EXPECT_EQ(more.energy[event], (toggles ? 2 : 1) * of.energy[event]) << event_names[event];
  }
  const LinkSize link{128, 2, 1, 0};
  EXPECT_EQ(energy_of(active.link(link), Event::link), 2 * energy_of(costs.link(link), Event::link));
  EXPECT_EQ(energy_of(active.link(link), Event::credit), 2 * energy_of(costs.link(link), Event::credit));
  EXPECT_EQ(more.leakage, of.leakage);
}

TEST(EnergyCosts, FollowVoltageAndTemperature) {
  const Table table = built_in_table("dsent-22");
  Conditions low;
  low.vdd = 0.4;
  low.temperature_k = 440;
  Costs costs(table, {}), scaled(table, low);
  const RouterSize router{128, 2, 8, 5, true};
  const Cost of = costs.router(router), less = scaled.router(router);
  for (std::size_t event = 0; event < event_count; ++event)
    EXPECT_NEAR(static_cast<double>(less.energy[event]), static_cast<double>(of.energy[event]) / 4, 1.01);
  for (std::size_t part = 0; part < silicon_count; ++part)
    EXPECT_NEAR(static_cast<double>(less.leakage[part]), static_cast<double>(of.leakage[part]) * 5, 5 * 5);
  EXPECT_EQ(less.area, of.area);
}

TEST(EnergyCosts, NameComponentsThatAreNegativeForARouter) {
  Table table = built_in_table("dsent-22");
  table.energy.components.at("buffer_read").formula = Formula({{Product("W"), 1}, {Product("P"), -50}});
  table.area.components.at("clock").formula = Formula(1e300);
  Costs costs(table, {});
  costs.router({128, 1, 8, 2, true});
  ASSERT_EQ(costs.failures().size(), 1u);
  costs.router({128, 1, 8, 3, true});
  costs.router({128, 1, 8, 4, true});
  ASSERT_EQ(costs.failures().size(), 2u);
  for (const Costs::Failure& failure : costs.failures()) {
    const bool negative = failure.component == "buffer_read";
    EXPECT_EQ(failure.section, negative ? &table.energy : &table.area);
    EXPECT_EQ(failure.text,
              negative ? "buffer_read is negative, -22, for a router of 3 ports, 1 channel and 8 places a port, with "
                         "flits of 128 bits"
                       : "clock is too large for a router of 2 ports, 1 channel and 8 places a port, with flits of 128 "
                         "bits");
  }
}

TEST(ExactText, HasEveryDigitAndNoOther) {
  EXPECT_EQ(exact_text(0, 6), "0");
  EXPECT_EQ(exact_text(1, 6), "0.000001");
  EXPECT_EQ(exact_text(607'764'983, 6), "607.764983");
  EXPECT_EQ(exact_text(1'500'000, 6), "1.5");
  EXPECT_EQ(exact_text(2'000'000, 6), "2");
  EXPECT_EQ(exact_text(-1'500, 3), "-1.5");
  EXPECT_EQ(exact_text(Exact{1'000'000'000'000'000'003} * 1000, 6), "1000000000000000.003");
}

links::Declaration with_channels(int channels, int capacity) {
  links::Declaration declaration;
  declaration.storage = StorageModel::virtual_channels;
  declaration.channels = channels;
  declaration.capacity = capacity;
  return declaration;
}

/// A packet of one flit over three links of a line: rows of a trace.
TEST(EnergyTotals, OfAPacketOnALine) {
  const NetworkGraph& graph = network_of(Grid::mesh({1, 6})).graph;
  const links::Declaration declaration = with_channels(1, 8);
  EventTally tally(graph, declaration, 0, no_step);
  using links::TraceEvent;
  const auto step = [&](Step at, TraceEvent event, NodeId node, Port port = no_port, NodeId to = no_node) {
    tally.rows({{at, event, 0, 0, node, port, to}});
  };
  step(0, TraceEvent::inject, 0);
  for (NodeId node = 0; node < 3; ++node) step(3 + 4 * node, TraceEvent::hop, node, 1, node + 1);
  step(14, TraceEvent::eject, 3);
  const Events events = tally.events(15);
  const struct {
    const char* table;
    Exact total, area;
  } expected[] = {{"dsent-45", 884'511'347, 203'652'216},
                  {"dsent-32", 730'519'332, 127'705'062},
                  {"dsent-22", 607'764'983, 49'216'854},
                  {"dsent-11", 184'985'159, 21'489'824}};
  for (const auto& [name, total, area] : expected) {
    const Table table = built_in_table(name);
    Costs costs(table, {});
    const Hardware hardware = hardware_of(graph, declaration, {}, costs);
    const Use use = use_of_network(hardware, events);
    Exact leaked = 0;
    for (const Exact power : use.leakage) leaked += Duration{15, 1000}.leaked(power);
    EXPECT_EQ(exact_text(use.all_dynamic() + leaked, 6), exact_text(total, 6)) << name;
    EXPECT_EQ(exact_text(use.all_area(), 3), exact_text(area, 3)) << name;
    if (std::string(name) != "dsent-22") continue;
    EXPECT_EQ(exact_text(use.all_dynamic(), 6), "31.861733");
    EXPECT_EQ(exact_text(use.all_leakage(), 0), "38393550");
    const std::pair<Event, const char*> parts[] = {{Event::buffer_write, "3.416344"}, {Event::buffer_read, "2.547428"},
                                                   {Event::switch_grant, "0.034787"}, {Event::channel, "0.034787"},
                                                   {Event::crossbar, "1.371757"},     {Event::link, "9.05472"},
                                                   {Event::credit, "0.07074"},        {Event::clock, "15.33117"}};
    for (const auto& [event, text] : parts)
      EXPECT_EQ(exact_text(use.dynamic[static_cast<std::size_t>(event)], 6), text);
  }
}

TEST(EnergyHardware, TakesTheFirstLengthThatMatches) {
  const NetworkGraph& graph = network_of(Grid::mesh({2, 2})).graph;
  Sizes sizes;
  sizes.link_mm = {{"link_r00_*", 3}, {"*_east", 2}};
  const Table table = built_in_table("dsent-22");
  Costs costs(table, {});
  const Hardware hardware = hardware_of(graph, with_channels(1, 4), sizes, costs);
  const auto crossing = [&](NodeId node, Port port) {
    return energy_of(hardware.link(graph.index(node, port)), Event::link);
  };
  const auto of = [&](double length) { return energy_of(costs.link({128, 1, length, 0}), Event::link); };
  EXPECT_EQ(crossing(0, 1), of(3));
  EXPECT_EQ(crossing(0, 2), of(3));
  EXPECT_EQ(crossing(2, 1), of(2));
  EXPECT_EQ(crossing(2, 0), of(1));
}

TEST(EnergyHardware, NamesLengthsOfNoLink) {
  Sizes sizes;
  sizes.link_mm = {{"link_r00_c00_eats", 3}, {"*", 1}, {"nix", 2}};
  const Table table = built_in_table("dsent-22");
  Costs costs(table, {});
  const Hardware hardware = hardware_of(network_of(Grid::mesh({2, 2})).graph, with_channels(1, 4), sizes, costs);
  ASSERT_EQ(hardware.unknown_links.size(), 2u);
  EXPECT_EQ(hardware.unknown_links[0].first, "link_r00_c00_eats");
  EXPECT_NE(hardware.unknown_links[0].second.find("near: link_r00_c00_east"), std::string::npos);
  EXPECT_EQ(hardware.unknown_links[1].first, "nix");
}

TEST(EnergyToggles, AreBitsThatDifferFromTheFlitBefore) {
  const LinkNetwork network = network_of(Grid::mesh({1, 3}));
  links::FlitContents contents(2);
  contents.add(7, {0x00, 0x00, 0xff, 0x01});
  contents.add(9, {0xf0, 0x01});
  ToggleTally tally(network.graph, contents);
  const auto row = [](Step step, links::TraceEvent event, PacketId packet, std::int32_t flit, NodeId node, NodeId to) {
    return links::TraceRow{step, event, packet, flit, node, Port{1}, to};
  };
  using links::TraceEvent;
  tally.rows({row(0, TraceEvent::inject, 7, 0, 0, no_node)});
  tally.rows({row(1, TraceEvent::hop, 7, 0, 0, 1), row(1, TraceEvent::hop, 9, 0, 1, 2)});
  tally.rows({row(2, TraceEvent::hop, 7, 1, 0, 1)});
  tally.rows({row(3, TraceEvent::hop, 9, 0, 0, 1), row(3, TraceEvent::hop, 7, 1, 1, 2)});
  tally.rows({row(4, TraceEvent::resend, 9, 0, 0, 1), row(4, TraceEvent::eject, 7, 0, 2, no_node)});
  EXPECT_EQ(tally.toggles()[network.graph.index(0, 1)], 0 + 9 + 4 + 0);
  EXPECT_EQ(tally.toggles()[network.graph.index(1, 1)], 5 + 4);
  // A packet is forgotten with its last flit.
  EXPECT_EQ(contents.of(7, 1)[0], 0xff);
  tally.rows({row(5, TraceEvent::eject, 7, 1, 2, no_node)});
  EXPECT_THROW(contents.of(7, 1), std::out_of_range);
  EXPECT_EQ(contents.of(9, 0)[1], 0x01);
}

TEST(EnergyToggles, AreRoundedOnceForEachLink) {
  Hardware hardware;
  hardware.links = {0, 0, -1};
  hardware.link_costs.resize(1);
  hardware.link_costs[0].wires = 3;
  hardware.link_costs[0].energy[static_cast<std::size_t>(Event::link)] = 100;  // its registers
  hardware.assumed_toggles = 64'000'000;
  Events events;
  events.crossings = {2, 1, 0};
  events.toggles = {32, 31, 0};
  const auto of = [&](std::size_t link) {
    return static_cast<int>(use_of_link(hardware, events, link).dynamic[static_cast<std::size_t>(Event::link)]);
  };
  EXPECT_EQ(of(0), 200 + 2);  // 1.5
  EXPECT_EQ(of(1), 100 + 1);  // 1.453125
  EXPECT_EQ(of(2), 0);
}

TEST(EnergyToggles, ReplaceTheActivityOfWires) {
  const Table table = built_in_table("dsent-22");
  Conditions average, toggles;
  toggles.counts_toggles = true;
  toggles.activity = 0.9;
  LinkSize size{128};
  size.millimetres = 1;
  Costs assumed(table, average), counted(table, toggles);
  const Cost one = assumed.link(size), other = counted.link(size);
  EXPECT_EQ(other.wires, one.energy[static_cast<std::size_t>(Event::link)]);
  EXPECT_EQ(other.energy[static_cast<std::size_t>(Event::link)], 0);
  EXPECT_EQ(counted.assumed_toggles(128), 64'000'000);
  size.registers = 2;
  EXPECT_EQ(counted.link(size).energy[static_cast<std::size_t>(Event::link)],
            assumed.link(size).energy[static_cast<std::size_t>(Event::link)] - other.wires);
}

}  // namespace
}  // namespace starloom::energy
