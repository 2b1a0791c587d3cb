// SPDX-License-Identifier: Apache-2.0
// The writer of waves: its format, its steps, what it shows of a grid, and faults of its file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <sstream>

#include <starloom/algorithms/table/make_algorithm.hpp>
#include <starloom/fabric/links/network.hpp>
#include <starloom/support/error.hpp>
#include <starloom/topology/instance_glob.hpp>
#include <starloom/waveforms/links/link_waves.hpp>
#include <starloom/waveforms/links/save_file.hpp>
#include "support/fresh_context.hpp"
#include "support/list_source.hpp"
#include "support/named_algorithm.hpp"
#include "support/netlist_run.hpp"
#include "support/vcd_reader.hpp"
#include "unit/scratch_folder.hpp"

namespace starloom::links {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class WaveFile : public testing::Test {
 protected:
  std::string path() const { return scratch_.file("waves.vcd").string(); }
  Vcd read() const { return read_vcd(scratch_.read("waves.vcd")); }

  ScratchFolder scratch_;
};

std::string binary(std::uint64_t value) {
  std::string bits;
  for (int bit = 63; bit >= 0; --bit)
    if (!bits.empty() || (value >> bit & 1) != 0 || bit == 0) bits += (value >> bit & 1) != 0 ? '1' : '0';
  return bits;
}

// By hand: a cycle of 205, 93 and 93 ns, then all steps as long as the first.
TEST(StepTimes, RepeatTheLengthsOfACycle) {
  StepTimes times({205, 93, 93});
  EXPECT_EQ(times.unit(), "1 ps");
  EXPECT_EQ(times.period(), 205'000u);
  std::vector<std::uint64_t> begins;
  for (Step step = 0; step < 6; ++step) begins.push_back(times.begin(step));
  EXPECT_THAT(begins, ElementsAre(0, 205'000, 298'000, 391'000, 596'000, 689'000));
  EXPECT_EQ(times.middle(4), 642'500u);
  EXPECT_EQ(times.begin(3'000'001), 391'000'000'000u + 205'000u);
  times.end_cycles(4);
  EXPECT_EQ(times.begin(4), 596'000u);
  EXPECT_EQ(times.begin(5), 801'000u);
  EXPECT_EQ(times.begin(7), 1'211'000u);
  // Half a period of 1 ps is 500 fs.
  const StepTimes odd(0.001);
  EXPECT_EQ(odd.unit(), "100 fs");
  EXPECT_EQ(odd.middle(2), 25u);
}

TEST(StepTimes, TakeTheCoarsestUnitOfWhichStepsAreWhole) {
  const std::pair<double, const char*> units[] = {
      {1, "1 ps"},         {0.002, "1 ps"},    {0.333, "100 fs"},   {0.0014, "100 fs"}, {0.0015, "100 fs"},
      {0.3333, "100 fs"},  {0.33333, "10 fs"}, {0.00125, "10 fs"},  {0.333333, "1 fs"}, {0.4166666667, "1 fs"},
      {0.3333333, "1 fs"}, {1e9, "1 ps"},      {76.92307, "10 fs"}, {0.1, "1 ps"},      {0.30000000000000004, "1 fs"}};
  for (const auto& [clock_ns, unit] : units) EXPECT_EQ(StepTimes(clock_ns).unit(), unit) << clock_ns;
  EXPECT_EQ(StepTimes(0.3333).period(), 3'333u);
  EXPECT_EQ(StepTimes(0.0015).middle(1), 22u);
  EXPECT_EQ(StepTimes({205, 93.0004}).unit(), "100 fs");
}

// By hand: t * clock as a fraction, rounded once.
TEST(StepTimes, AreNeverOffByAUnit) {
  const StepTimes third(0.333333333);
  EXPECT_EQ(third.begin(1), 333'333u);
  EXPECT_EQ(third.begin(2), 666'667u);
  EXPECT_EQ(third.begin(1'000'000), 333'333'333'000u);
  EXPECT_EQ(third.begin(1'000'000'007), 333'333'335'333'333u);
  EXPECT_EQ(third.begin(10'000'000'000'001), 3'333'333'330'000'333'333u);
  const StepTimes seventeen_digits(0.12345678901234568);
  EXPECT_EQ(seventeen_digits.begin(9'999'999'999'999), 1'234'567'890'123'333'343u);
  const StepTimes cycle({0.3333333, 0.6666666});
  EXPECT_EQ(cycle.begin(2'000'001), 999'999'900'000u + 333'333u);
  for (const Step step : {0, 1, 2, 3, 999'998, 999'999}) {
    EXPECT_EQ(cycle.step_at(cycle.begin(step)), step);
    EXPECT_EQ(cycle.step_at(cycle.middle(step)), step);
    EXPECT_EQ(cycle.step_at(cycle.begin(step + 1) - 1), step);
  }
}

TEST_F(WaveFile, CodesAndValuesComeBack) {
  constexpr std::uint32_t count = 94 * 94 + 94 + 10;  // codes of one, two and three letters
  {
    VcdWriter vcd(path(), "1 ns");
    vcd.open_scope("top");
    for (std::uint32_t v = 0; v < count; ++v) EXPECT_EQ(vcd.add("v" + std::to_string(v), 64), v);
    vcd.close_scope();
    vcd.end_declarations();
    vcd.time(7);
    vcd.begin_dump();
    for (std::uint32_t v = 0; v < count; ++v) vcd.number(v, v * 0x9E3779B97F4A7C15ull >> (v % 64));
    vcd.end_dump();
    vcd.time(8);
    vcd.letter(3, 'z');
    vcd.close();
  }
  const Vcd vcd = read();
  EXPECT_EQ(vcd.time_unit, "1ns");
  for (std::uint32_t v = 0; v < count; ++v) {
    EXPECT_EQ(vcd.variables[v].path, "top.v" + std::to_string(v));
    EXPECT_EQ(vcd.variables[v].at(7), binary(v * 0x9E3779B97F4A7C15ull >> (v % 64)));
  }
  EXPECT_EQ(vcd.variable("top.v3").at(8), "z");
  EXPECT_EQ(vcd.variable("top.v3").at(6), "");
}

// The reader of the tests is stricter than vcd2fst, which takes all of these.
TEST_F(WaveFile, TheReaderRefusesDamage) {
  {
    StepWaves waves(path(), 1);
    const auto v = waves.add("v", 8);
    waves.begin(0);
    waves.set(v, 5);
    waves.end_first_step();
    waves.step(2);
    waves.set(v, 9);
    waves.close(4);
  }
  const std::string text = scratch_.read("waves.vcd");
  EXPECT_NO_THROW(read_vcd(text));
  const auto replaced = [&](const std::string& from, const std::string& to) {
    std::string damaged = text;
    const std::size_t at = damaged.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return damaged.replace(at, from.size(), to);
  };
  EXPECT_THROW(read_vcd("garbage\n"), std::runtime_error);
  EXPECT_THROW(read_vcd(text.substr(0, text.size() - 1)), std::runtime_error);
  EXPECT_THROW(read_vcd(text.substr(text.find("#0"))), std::runtime_error);
  EXPECT_THROW(read_vcd(replaced("#2000", "#400")), std::runtime_error);
  EXPECT_THROW(read_vcd(replaced("b1001 #", "b1001 %")), std::runtime_error);
  EXPECT_THROW(read_vcd(replaced("b1001 #", "b101 #")), std::runtime_error);
  EXPECT_THROW(read_vcd(replaced("$upscope $end\n", "")), std::runtime_error);
  EXPECT_THROW(read_vcd(replaced("b101 #\n", "")), std::runtime_error);
}

TEST_F(WaveFile, ValuesHoldForPeriodsAndOnlyChangesAreWritten) {
  {
    StepWaves waves(path(), 2);
    const auto v = waves.add("v", 8), never = waves.add("never", 1);
    waves.begin(3);
    waves.set(v, 5);
    waves.end_first_step();
    for (const Step step : {4, 5}) {
      waves.step(step);
      waves.set(v, 5);
    }
    waves.step(6);
    waves.set_empty(v);
    waves.step(7);
    waves.set_empty(v);
    waves.set_unknown(never);
    waves.close(9);
    EXPECT_EQ(waves.changes(), 4 + 1 + 2 * 5 + 6);  // first values, v, clk and step of five steps, falling edges of six
  }
  const Vcd vcd = read();
  using Changes = std::vector<std::pair<std::uint64_t, std::string>>;
  EXPECT_EQ(vcd.variable("network.v").changes, (Changes{{6000, "101"}, {12000, "z"}}));
  EXPECT_EQ(vcd.variable("network.never").changes, (Changes{{6000, "x"}}));
  EXPECT_EQ(vcd.variable("network.step").at(11'999), "101");
  EXPECT_EQ(vcd.variable("network.step").at(12'000), "110");
  EXPECT_EQ(vcd.variable("network.clk").at(12'999), "1");
  EXPECT_EQ(vcd.variable("network.clk").at(13'000), "0");
  EXPECT_EQ(vcd.end, 18'000u);
}

TEST_F(WaveFile, TheClockRestsOnlyInLongStretchesWithoutChange) {
  for (const Step gap : {StepWaves::longest_quiet, StepWaves::longest_quiet + 1}) {
    {
      StepWaves waves(path(), 1);
      const auto v = waves.add("v", 1);
      waves.begin(0);
      waves.set(v, 0);
      waves.end_first_step();
      waves.step(gap);
      waves.set(v, 1);
      waves.close(gap + 1);
    }
    const Vcd vcd = read();
    const std::size_t edges = vcd.variable("network.clk").changes.size();
    EXPECT_EQ(edges, gap == StepWaves::longest_quiet ? 2 * static_cast<std::size_t>(gap + 1) : 4);
    EXPECT_EQ(vcd.variable("network.v").changes.back().first, static_cast<std::uint64_t>(gap) * 1000);
    EXPECT_EQ(vcd.end, static_cast<std::uint64_t>(gap + 1) * 1000);
  }
}

// 2^63 fs are 2.8 * 10^13 steps of a third of a nanosecond.
TEST_F(WaveFile, LongRunsTakeTheNextUnitThatHasTimesForThem) {
  struct Case {
    Step late;
    const char* unit;
    std::uint64_t first, middle, last;  ///< when step 1 begins and falls, and when step `late` begins
  };
  for (const Case& c : {Case{27'000'000'000'000, "1fs", 333'333, 500'000, 8'999'999'991'000'000'000},
                        Case{28'000'000'000'000, "10fs", 33'333, 50'000, 933'333'332'400'000'000},
                        Case{2'000'000'000'000'000, "100fs", 3'333, 5'000, 6'666'666'660'000'000'000},
                        Case{3'000'000'000'000'000, "1ps", 333, 500, 999'999'999'000'000'000}}) {
    {
      StepWaves waves(path(), 0.333333333);
      waves.open_scope("#");
      const auto v = waves.add("#", 8);
      waves.close_scope();
      waves.begin(0);
      waves.set(v, 1);
      waves.end_first_step();
      waves.step(1);
      waves.set(v, 2);
      waves.step(c.late);
      waves.set(v, 3);
      waves.close(c.late + 1);
    }
    const Vcd vcd = read();
    EXPECT_EQ(vcd.time_unit, c.unit);
    using Changes = std::vector<std::pair<std::uint64_t, std::string>>;
    EXPECT_EQ(vcd.variable("network.#.#").changes, (Changes{{0, "1"}, {c.first, "10"}, {c.last, "11"}}));
    EXPECT_EQ(vcd.variable("network.clk").at(c.middle - 1), "1");
    EXPECT_EQ(vcd.variable("network.clk").at(c.middle), "0");
    EXPECT_FALSE(std::filesystem::exists(path() + ".finer"));
  }
}

TEST(InstanceGlob, MatchesWholeNames) {
  EXPECT_TRUE(glob_matches("*", ""));
  EXPECT_TRUE(glob_matches("node_r0?_c*7", "node_r03_c07"));
  EXPECT_TRUE(glob_matches("*_c*_v0", "node_r03_c07.buffer_c_v1_v0"));
  EXPECT_TRUE(glob_matches("a**", "a"));
  EXPECT_FALSE(glob_matches("node_r0?", "node_r03_c07"));
  EXPECT_FALSE(glob_matches("?", ""));
  EXPECT_FALSE(glob_matches("*x", "xy"));
}

TEST(InstanceGlob, DistanceCountsEditsBesideWildcards) {
  EXPECT_EQ(glob_distance("node_r03*", "node_r03_c07"), 0u);
  EXPECT_EQ(glob_distance("node_r0?", "node_r07"), 0u);
  EXPECT_EQ(glob_distance("mode_r03*", "node_r03_c07"), 1u);
  EXPECT_EQ(glob_distance("nod_r13*", "node_r03_c07"), 2u);
  EXPECT_EQ(glob_distance("", "abc"), 3u);
  EXPECT_EQ(glob_distance("abc", ""), 3u);
  EXPECT_THAT(near_names("node_r9?", {"node_r00", "link_r00", "node_r19", "node_r01"}, 2),
              ElementsAre("node_r00", "node_r19"));
}

class Selection : public testing::Test {
 protected:
  std::vector<ShownNode> choose(const std::vector<std::string>& globs) const {
    return choose_instances(network_of(mesh_).graph, greedy_->declaration(), globs);
  }
  std::string refusal(const std::string& glob) const {
    try {
      choose({glob});
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }

  Grid mesh_ = Grid::mesh({3, 3});
  std::unique_ptr<Algorithm> greedy_ = named_algorithm("greedy", mesh_);
};

TEST_F(Selection, ANodeBringsItsBuffersAndLinks) {
  const auto shown = choose({"node_r00_c00"});
  ASSERT_EQ(shown.size(), 3u);
  EXPECT_TRUE(shown[0].state);
  EXPECT_THAT(shown[0].buffers, ElementsAre(1, 2));
  EXPECT_THAT(shown[0].links, ElementsAre(1, 2));
  EXPECT_EQ(shown[1].node, 1);
  EXPECT_FALSE(shown[1].state);
  EXPECT_TRUE(shown[1].buffers.empty());
  EXPECT_THAT(shown[1].links, ElementsAre(3));
  EXPECT_EQ(shown[2].node, 3);
  EXPECT_THAT(shown[2].links, ElementsAre(0));
  EXPECT_EQ(choose({"*"}).size(), 9u);
  EXPECT_EQ(choose({"node_*", "node_r00_c00"})[0].links.size(), 2u);
}

TEST_F(Selection, PartsCanBeChosenAlone) {
  const auto links = choose({"link_r01_*"});
  ASSERT_EQ(links.size(), 3u);
  EXPECT_THAT(links[1].links, ElementsAre(0, 1, 2, 3));
  EXPECT_FALSE(links[1].state);
  const auto buffers = choose({"*.buffer_east_v0"});
  ASSERT_EQ(buffers.size(), 6u);
  EXPECT_THAT(buffers[0].buffers, ElementsAre(1));
  EXPECT_TRUE(buffers[0].links.empty());
}

TEST_F(Selection, WhatMatchesNothingIsToldWithNearNames) {
  EXPECT_EQ(refusal("node_r00_c09"),
            "node_r00_c09 matches no instance; near: node_r00_c00, node_r00_c01, node_r00_c02");
  EXPECT_EQ(refusal("lnik_r00_c00_east"),
            "lnik_r00_c00_east matches no instance; near: link_r00_c00_east, "
            "link_r00_c01_east, link_r01_c00_east");
  EXPECT_EQ(refusal("switch*"),
            "switch* matches no instance; the nodes are node_r00_c00 to node_r02_c02, a link is "
            "link_r00_c00_east, a buffer is node_r00_c00.buffer_east_v0");
  EXPECT_EQ(refusal("node_r01"), "node_r01 matches no instance; near: node_r01_c00, node_r01_c01, node_r01_c02");
}

// A reader need not look for the first event; what a screen shows from the start of the window anyway is not cut off.
TEST_F(WaveFile, AreSeenFromTheFirstEventOn) {
  const auto first_sight = [&](Step event, WaveWindow window) {
    WindowedWaves waves(path(), window, 1);
    StepWaves::Variable variable = 0;
    waves.declare([&](StepWaves& writer) { variable = writer.add("v", 8); });
    for (Step step = 0; step < 2000; ++step) {
      const auto set = [&] { waves.writer().set(variable, step >= event ? 1 : 0); };
      waves.show(step, step + 1, set, set);
    }
    waves.close(2000);
    return waves.first_sight();
  };
  EXPECT_EQ(first_sight(1000, {}), 999);
  EXPECT_EQ(first_sight(1000, {500, no_step}), 999);
  EXPECT_EQ(first_sight(1000, {990, no_step}), 990);
  EXPECT_EQ(first_sight(1, {}), 0);
  EXPECT_EQ(first_sight(15, {}), 0);
  EXPECT_EQ(first_sight(16, {}), 15);
  EXPECT_EQ(first_sight(1000, {0, 900}), 0);        // it is not in the window
  EXPECT_EQ(first_sight(10, {500, no_step}), 500);  // it was over before
}

// Three packets for one link: the state says that a node queues, the buffer how many wait.
TEST_F(WaveFile, ShowStateAndOccupancy) {
  const Grid mesh = Grid::mesh({1, 4});
  const auto greedy = named_algorithm("greedy", mesh, {{"bound", std::int64_t{1}}});
  const Declaration& declaration = greedy->declaration();
  ListSource source({{0, 3, 1, 0}, {0, 3, 1, 0}, {0, 3, 1, 0}, {1, 3, 1, 0}});
  LinkWaves waves(path(), network_of(mesh).graph, declaration,
                  choose_instances(network_of(mesh).graph, declaration, {"*"}), {}, 1);
  NetlistRunOptions options;
  options.prepare = [&](Network& network) { network.fabric.set_observer(&waves); };
  const NetlistRun run = run_netlist(mesh, *greedy, source, options);
  waves.file().close(run.record.steps_run);
  const Vcd vcd = read();
  const auto at = [&](const std::string& name, Step step) {
    return vcd.variable("network." + name).at(static_cast<std::uint64_t>(step) * 1000);
  };
  EXPECT_EQ(at("node_r00_c00.mode", 0), "10");  // throttled: one leaves, one stays, one waits in the memory
  EXPECT_EQ(at("node_r00_c00.mode", 1), "1");   // queueing
  EXPECT_EQ(at("node_r00_c00.mode", 2), "0");   // idle
  EXPECT_EQ(at("node_r00_c00.buffer_east_v0.occupancy", 0), "1");
  EXPECT_EQ(at("node_r00_c00.buffer_east_v0.occupancy", 1), "1");
  EXPECT_EQ(at("node_r00_c00.buffer_east_v0.occupancy", 2), "0");
  EXPECT_EQ(at("node_r00_c00.buffer_east_v0.packet", 0), "1");
  EXPECT_EQ(at("node_r00_c00.buffer_east_v0.packet", 1), "10");
  EXPECT_EQ(at("node_r00_c00.buffer_east_v0.packet", 2), "z");
  EXPECT_EQ(at("link_r00_c00_east.packet", 2), "10");
  EXPECT_EQ(at("link_r00_c00_east.packet", 3), "z");
  EXPECT_EQ(at("link_r00_c00_east.destination", 3), "11");
  EXPECT_EQ(at("link_r00_c00_east.kind", 0), "11");  // single

  const WaveView view = wave_view(network_of(mesh).graph, declaration,
                                  choose_instances(network_of(mesh).graph, declaration, {"*"}), "waves.vcd", 0, 1000);
  ASSERT_EQ(view.filters.size(), 2u);
  EXPECT_EQ(view.filters[0].text(), "0 head\n1 body\n2 tail\n3 single\n4 key\n5 token\n6 ack\n");
  EXPECT_EQ(view.filters[1].text(), "0 idle\n1 queueing\n2 throttled\n");
  EXPECT_THAT(view.save_file, HasSubstr("\n^1 waves.mode.filter\n+{mode} network.node_r00_c00.mode[1:0]\n"));
}

// The first of three flits is corrupt, and the second one is ignored behind it. A flit that enters the link in 16 has
// a place from its grant to its acknowledgement.
TEST_F(WaveFile, ShowFlitsThatLinksRepeat) {
  const LinkNetwork& pair = network_of(Grid::mesh({1, 2}));
  const auto algorithm = named_algorithm("vc-wormhole", pair, {{"channels", std::int64_t{1}}});
  const LinkErrors errors({0, {{{0, 1}, 4}}, 1, 0});
  ListSource source({{0, 1, 3, 0}, {0, 1, 1, 12}, {0, 1, 1, 40}});
  const auto shown = choose_instances(pair.graph, algorithm->declaration(), {"link_*"});
  LinkWaves waves(path(), pair.graph, algorithm->declaration(), shown, {}, 1, {nullptr, true});
  NetlistRunOptions options;
  options.network.errors = &errors;
  options.prepare = [&](Network& network) { network.fabric.set_observer(&waves); };
  const NetlistRun run = run_netlist(pair, *algorithm, source, options);
  EXPECT_EQ(run.record.delivered.front(), 12);
  waves.file().close(run.record.steps_run);
  const Vcd vcd = read();
  const auto values = [&](const std::string& name) {
    std::string all;
    for (std::uint64_t step = 1; step <= 20; ++step)
      all += vcd.variable("network.link_r00_c00_east." + name).at(1000 * step) + ' ';
    return all;
  };
  EXPECT_EQ(values("repeated"), "0 0 0 0 0 1 1 0 0 0 0 0 0 0 0 0 0 0 0 0 ");
  EXPECT_EQ(values("replay"), "0 1 10 11 11 11 11 10 1 0 0 0 0 1 1 1 1 0 0 0 ");
  const WaveView view = wave_view(pair.graph, algorithm->declaration(), shown, "waves.vcd", 0, 1000, {nullptr, true});
  EXPECT_THAT(view.save_file, HasSubstr("network.link_r00_c00_east.replay"));
  EXPECT_THAT(view.save_file, HasSubstr("network.link_r00_c00_east.repeated"));
}

// The packets on the links, then a closed group for each port.
TEST_F(WaveFile, NodesOfManyPortsHaveAGroupForEach) {
  NetworkGraphBuilder builder;
  const NodeId hub = builder.add_node(NodeRole::switch_node, "hub");
  for (int p = 0; p < 9; ++p) {
    const NodeId other = builder.add_node(NodeRole::processor, "p" + std::to_string(p));
    builder.add_link(hub, other);
    builder.add_link(other, hub);
  }
  const LinkNetwork network{"a star", builder.build(), {}, "graph"};
  const auto algorithm = named_algorithm("vc-wormhole", network, {{"function", std::string("shortest")}});
  const Declaration& declaration = algorithm->declaration();
  const WaveView view = wave_view(network.graph, declaration, choose_instances(network.graph, declaration, {"hub"}),
                                  "waves.vcd", 0, 1000);
  std::vector<std::string> files;
  for (const EnumFilter& filter : view.filters) files.push_back(filter.file);
  EXPECT_THAT(files, testing::ElementsAre("waves.flit_kind.filter", "waves.state.filter", "waves.output.filter",
                                          "waves.owner.filter"));
  std::vector<std::string> rows;  // groups and labels
  std::istringstream lines(view.save_file);
  for (std::string line; std::getline(lines, line);)
    if (line[0] == '+' || (line[0] == '-' && line.size() > 1)) rows.push_back(line.substr(0, line.find('}')));
  const auto at = [&](const std::string& row) { return std::find(rows.begin(), rows.end(), row) - rows.begin(); };
  EXPECT_LT(at("-hub"), at("+{port0 packet"));
  EXPECT_EQ(at("+{port8 packet") - at("+{port0 packet"), 8);
  EXPECT_EQ(at("-port0") - at("+{port8 packet"), 1);
  EXPECT_EQ(at("+{state_port0_v0") - at("-port0"), 1);
  EXPECT_LT(at("+{buffer_port0_v0"), at("-port1"));
  EXPECT_GT(at("+{state_port1_v0"), at("-port1"));
  // A switch has no local port.
  EXPECT_THAT(view.save_file, testing::Not(HasSubstr("local")));
}

// A node shows no state of ports that it does not have.
TEST_F(WaveFile, BorderNodesShowOnlyTheirPorts) {
  const LinkNetwork& network = network_of(Grid::mesh({2, 2}));
  const auto algorithm = named_algorithm("vc-wormhole", network, {});
  const auto shown = choose_instances(network.graph, algorithm->declaration(), {"node_r00_c00"});
  std::vector<std::string> fields;
  for (const std::size_t field : shown.at(0).fields) fields.push_back(algorithm->declaration().state[field].name);
  EXPECT_THAT(fields, testing::Contains("state_east_v0"));
  EXPECT_THAT(fields, testing::Contains("crossbar_south"));
  EXPECT_THAT(fields, testing::Contains("owner_local_v0"));
  EXPECT_THAT(fields, testing::Each(testing::Not(HasSubstr("north"))));
  EXPECT_THAT(fields, testing::Each(testing::Not(HasSubstr("west"))));
}

// An error of the file is reported at the end, and does not affect the run.
TEST_F(WaveFile, AFullDiskEndsTheWavesAlone) {
  const Grid mesh = Grid::mesh({8, 8});
  const auto greedy = named_algorithm("greedy", mesh);
  std::vector<Packet> packets;
  for (NodeId node = 0; node < 64; ++node)
    for (int i = 0; i < 300; ++i) packets.push_back({node, 63 - node, 1, 0});
  ListSource plain_source(packets), source(packets);
  const NetlistRun plain = run_netlist(mesh, *greedy, plain_source);
  LinkWaves waves("/dev/full", network_of(mesh).graph, greedy->declaration(),
                  choose_instances(network_of(mesh).graph, greedy->declaration(), {"*"}), {}, 1);
  NetlistRunOptions options;
  options.prepare = [&](Network& network) { network.fabric.set_observer(&waves); };
  const NetlistRun run = run_netlist(mesh, *greedy, source, options);
  EXPECT_EQ(run.end, StepperEnd::all_delivered);
  EXPECT_TRUE(run.rows == plain.rows);
  EXPECT_GT(waves.file().changes(), 10'000);
  try {
    waves.file().close(run.record.steps_run);
    ADD_FAILURE() << "nothing was told";
  } catch (const OutputError& error) {
    EXPECT_STREQ(error.what(), "/dev/full: cannot be written (No space left on device)");
  }
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full")) << "the device was removed";
}

// ---- Without `close`

/// Steps that run in pieces of 7 ns, and how the simulation ends: by itself, by sc_stop, or by an error report.
enum class End { by_itself, by_stop, by_error };

/// Ends the simulation at 5 ns.
struct Ending final : sc_core::sc_module {
  SC_HAS_PROCESS(Ending);
  Ending(const sc_core::sc_module_name& name, End how) : sc_module(name), end(how) { SC_THREAD(run); }
  void run() {
    wait(sc_core::sc_time(5, sc_core::SC_NS));
    if (end == End::by_stop) sc_core::sc_stop();
    if (end == End::by_error) SC_REPORT_ERROR("/design", "fails");
  }
  const End end;
};

/// Two packets cross a mesh; what becomes of the file then.
template <class Then>
void watch_two_packets(const std::string& path, End end, Then then) {
  fresh_context();
  const LinkNetwork mesh = link_network(Grid::mesh({4, 4}));
  const auto greedy = make_algorithm("greedy", {&mesh}, {});
  Network network("network", mesh, *greedy);
  auto waves = std::make_unique<LinkWaves>(path, mesh.graph, greedy->declaration(),
                                           choose_instances(mesh.graph, greedy->declaration(), {"*"}), WaveWindow{}, 1);
  network.fabric.set_observer(waves.get());
  network.fabric.create_packet({0, 15});
  network.fabric.create_packet({3, 12});
  const Ending ending("ending", end);
  try {
    const int pieces = end == End::by_itself ? 4 : 1;
    for (int piece = 0; piece < pieces; ++piece) sc_core::sc_start(sc_core::sc_time(7, sc_core::SC_NS));
  } catch (const sc_core::sc_report&) {
  }
  then(std::move(waves), network);
}

TEST_F(WaveFile, AreWholeWithoutCloseHoweverTheSimulationEnds) {
  watch_two_packets(path(), End::by_itself, [](const std::unique_ptr<LinkWaves>& waves, Network& network) {
    waves->file().close(network.fabric.step() + 1);
  });
  const Vcd whole = read();
  for (const End end : {End::by_itself, End::by_stop, End::by_error}) {
    watch_two_packets(path(), end, [](const std::unique_ptr<LinkWaves>&, Network&) {});
    const Vcd vcd = read();
    const std::uint64_t seen = end == End::by_itself ? 7000 : 4000;
    for (std::uint64_t time = 0; time <= seen; time += 500)
      for (const char* link : {"network.link_r00_c00_east.packet", "network.link_r00_c03_south.packet", "network.step"})
        EXPECT_EQ(vcd.variable(link).at(time), whole.variable(link).at(time)) << link << " at " << time;
  }
}

TEST_F(WaveFile, AreWholeWhereTheProgramEndsByExit) {
  // They are never destroyed; a thread of the design may end the program, too.
  EXPECT_EXIT(watch_two_packets(path(), End::by_itself,
                                [](std::unique_ptr<LinkWaves> waves, Network&) {
                                  static_cast<void>(waves.release());
                                  std::exit(3);
                                }),
              testing::ExitedWithCode(3), "");
  const Vcd vcd = read();
  EXPECT_EQ(vcd.variable("network.link_r00_c00_east.packet").at(1000), "0");
  EXPECT_EQ(vcd.variable("network.link_r00_c00_east.packet").at(2000), "z");
}

}  // namespace
}  // namespace starloom::links
