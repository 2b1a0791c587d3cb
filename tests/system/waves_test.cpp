// SPDX-License-Identifier: Apache-2.0
// Waves of whole runs: what they show is what the trace says, they change no result, and GTKWave finds all of it.
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <set>

#include <starloom/topology/grid/grid.hpp>
#include <starloom/trace_io/links/faults_csv.hpp>
#include <starloom/trace_io/links/trace_reader.hpp>
#include "support/scenario_files.hpp"
#include "system/waves_run.hpp"

namespace starloom::links {
namespace {

Grid topology_of(const nlohmann::json& result) {
  const auto& network = result["experiment"]["network"];
  const auto shape = network["shape"].get<std::vector<std::int64_t>>();
  return network["topology"] == "mesh" ? Grid::mesh(shape) : Grid::torus(shape);
}

/// The flit on a link in a step.
struct OnLink {
  std::int32_t packet;
  std::int32_t flit;
  std::int32_t kind;
  std::int32_t channel;
  bool operator==(const OnLink& other) const {
    return packet == other.packet && flit == other.flit && kind == other.kind;
  }
};
constexpr std::int32_t first_control_kind = 4;
constexpr std::int32_t key_kind = 4;

/// A network as its waves show it, step by step. Needs waves of all instances in all steps.
class ShownNetwork {
 public:
  using Link = std::pair<NodeId, Port>;

  ShownNetwork(const Vcd& vcd, const Grid& topology) : topology_(topology) {
    const VcdVariable& step = vcd.variable("network.step");
    period_ = vcd.end / (number(step.changes.back().second) + 1);
    for (std::size_t i = 0; i < step.changes.size(); ++i)
      EXPECT_EQ(step.changes[i].first, number(step.changes[i].second) * period_);
    steps_ = static_cast<Step>(vcd.end / period_);
    for (const VcdVariable& variable : vcd.variables) by_path_[variable.path] = &variable;
  }

  Step steps() const { return steps_; }
  const VcdVariable& variable(const std::string& path) const { return *by_path_.at("network." + path); }
  std::string at(const std::string& path, Step step) const {
    return variable(path).at(static_cast<std::uint64_t>(step) * period_);
  }

  /// All flits on links in a step, in order.
  std::map<Link, OnLink> links(Step step) const {
    std::map<Link, OnLink> shown;
    for (NodeId node = 0; node < topology_.nodes(); ++node)
      for (Port port = 0; port < topology_.ports(); ++port) {
        if (topology_.neighbour(node, port) == no_node) continue;
        const std::string link = topology_.link_name(node, port);
        const std::string packet = at(link + ".packet", step);
        if (packet == "z") continue;
        shown[{node, port}] = {packet == "x" ? no_packet : static_cast<std::int32_t>(number(packet)),
                               static_cast<std::int32_t>(number(at(link + ".flit", step))),
                               static_cast<std::int32_t>(number(at(link + ".kind", step))),
                               static_cast<std::int32_t>(number(at(link + ".channel", step)))};
      }
    return shown;
  }
  std::int32_t destination(const Link& link, Step step) const {
    return static_cast<std::int32_t>(number(at(topology_.link_name(link.first, link.second) + ".destination", step)));
  }
  /// Flits in all buffers of a node; 0 before step 0. A buffer shows a packet at its front while it has one.
  std::int64_t stored(NodeId node, Step step) const {
    if (step < 0) return 0;
    std::int64_t sum = 0;
    const std::string scope = "network." + topology_.node_name(node) + ".buffer_", counted = ".occupancy";
    for (auto v = by_path_.lower_bound(scope); v != by_path_.end() && v->first.compare(0, scope.size(), scope) == 0;
         ++v) {
      const std::size_t end = v->first.rfind('.');
      if (v->first.substr(end) != counted) continue;
      const std::uint64_t time = static_cast<std::uint64_t>(step) * period_;
      const auto flits = static_cast<std::int64_t>(number(v->second->at(time)));
      EXPECT_EQ(by_path_.at(v->first.substr(0, end) + ".packet")->at(time).find('z') != std::string::npos, flits == 0)
          << v->first << " in step " << step;
      sum += flits;
    }
    return sum;
  }
  NodeId end_of(const Link& link) const { return topology_.neighbour(link.first, link.second); }

  static std::uint64_t number(const std::string& bits) {
    if (bits.empty() || bits.find_first_not_of("01") != std::string::npos)
      throw std::runtime_error("'" + bits + "' is no number");
    return std::stoull(bits, nullptr, 2);
  }

 private:
  const Grid& topology_;
  std::uint64_t period_ = 0;
  Step steps_ = 0;
  std::map<std::string, const VcdVariable*> by_path_;
};

/// The rows of hops, keys and tokens, from the links: a displayed flit has entered its link in that step, except
/// flits of worms that hold, which were there in the step before. (A control object never stays.)
std::vector<TraceRow> rows_of_links(const ShownNetwork& network, bool worms, bool channels) {
  std::vector<TraceRow> rows;
  std::map<ShownNetwork::Link, OnLink> before;
  for (Step step = 0; step < network.steps(); ++step) {
    auto now = network.links(step);
    for (const auto& [link, what] : now) {
      const bool control = what.kind >= first_control_kind;
      const auto held = before.find(link);
      if (worms && !control && held != before.end() && held->second == what) continue;
      TraceRow row;
      row.step = step;
      row.event = !control ? TraceEvent::hop : what.kind == key_kind ? TraceEvent::key : TraceEvent::token;
      if (!control) {
        row.packet = what.packet;
        row.flit = what.flit;
      }
      row.node = link.first;
      row.port = link.second;
      row.to = network.end_of(link);
      if (channels) row.channel = what.channel;
      rows.push_back(row);
    }
    before = std::move(now);
  }
  return rows;
}

/// If whole worms move, a flit that appears has left a memory, and one that disappears has been consumed.
std::vector<TraceRow> rows_of_worms(const ShownNetwork& network) {
  using Place = std::pair<ShownNetwork::Link, NodeId>;  // the link, and the destination shown there
  std::vector<TraceRow> rows;
  std::map<std::pair<PacketId, std::int32_t>, Place> before;
  for (Step step = 0; step < network.steps(); ++step) {
    std::map<std::pair<PacketId, std::int32_t>, Place> now;
    for (const auto& [link, what] : network.links(step))
      if (what.kind < first_control_kind) now[{what.packet, what.flit}] = {link, network.destination(link, step)};
    for (const auto& [flit, place] : now)
      if (before.count(flit) == 0)
        rows.push_back({step, TraceEvent::inject, flit.first, flit.second, place.first.first});
    for (const auto& [flit, place] : before) {
      if (now.count(flit) != 0) continue;
      const NodeId end = network.end_of(place.first);
      rows.push_back({step, end == place.second ? TraceEvent::eject : TraceEvent::store, flit.first, flit.second, end});
    }
    before = std::move(now);
  }
  return rows;
}

class Waves : public WavesTest {
 protected:
  Grid topology(const std::string& folder) const {
    return topology_of(nlohmann::json::parse(scratch_.read(folder + "/result.json")));
  }
  std::vector<TraceRow> trace(const std::string& folder, const std::set<TraceEvent>& events) const {
    TraceReader reader(scratch_.file(folder + "/trace.csv"));
    std::vector<TraceRow> all, rows;
    while (reader.next(rows))
      for (const TraceRow& row : rows)
        if (events.count(row.event) != 0) all.push_back(row);
    return all;
  }
};

struct Shape {
  std::string scenario;
  bool worms = false;
};
void PrintTo(const Shape& shape, std::ostream* out) { *out << shape.scenario; }

class WavesOfScenario : public Waves, public testing::WithParamInterface<Shape> {
 protected:
  std::string file() const { return scenario_file(GetParam().scenario).string(); }
  /// All instances in all steps, whatever the scenario asks for.
  static constexpr const char* everything = "--set 'waves={scope: \"*\"}' ";
};

TEST_P(WavesOfScenario, AreTheTrace) {
  run(file(), "out", everything);
  const Vcd vcd = this->vcd("out");
  const Grid grid = topology("out");
  const ShownNetwork network(vcd, grid);

  // The flits that cross links.
  const auto result = nlohmann::json::parse(scratch_.read("out/result.json"));
  const bool routers = result["storage"]["model"] == "virtual-channels";
  auto shown = rows_of_links(network, GetParam().worms, routers);
  std::stable_sort(shown.begin(), shown.end());
  const auto hops = trace("out", {TraceEvent::hop, TraceEvent::key, TraceEvent::token});
  EXPECT_FALSE(hops.empty());
  EXPECT_TRUE(shown == hops);

  const auto ends = trace("out", {TraceEvent::inject, TraceEvent::eject, TraceEvent::store});
  if (GetParam().worms) {
    auto of_worms = rows_of_worms(network);
    std::sort(of_worms.begin(), of_worms.end());
    EXPECT_TRUE(of_worms == ends);
    return;
  }
  // The arrivals and departures of buffers: arrivals and injections, hops and consumption; in routers, a flit leaves
  // its buffer when it passes the switch, two steps before it enters a link and three before it is consumed.
  const Step injection = routers ? 2 : 0, to_link = routers ? 2 : 0, to_processor = routers ? 3 : 0;
  const Step latency = result["experiment"]["network"].value("link_latency", 1);
  std::map<std::pair<Step, NodeId>, std::int64_t> gain;
  for (const TraceRow& row : hops) {
    if (row.event != TraceEvent::hop) continue;
    ++gain[{row.step + latency, row.to}];
    --gain[{row.step - to_link, row.node}];
  }
  for (const TraceRow& row : ends) {
    const bool enters = row.event == TraceEvent::inject;
    gain[{row.step + (enters ? injection : -to_processor), row.node}] += enters ? 1 : -1;
  }
  for (NodeId node = 0; node < grid.nodes(); ++node)
    for (Step step = 0; step < network.steps(); ++step) {
      const auto change = gain.find({step, node});
      EXPECT_EQ(network.stored(node, step) - network.stored(node, step - 1), change == gain.end() ? 0 : change->second)
          << grid.node_name(node) << " in step " << step;
    }
}

TEST_P(WavesOfScenario, ChangeNoResultAndDependOnNoOrder) {
  run(file(), "with", everything);
  run(file(), "shuffled", everything + std::string("--shuffle 5"));
  run(file(), "awake", everything + std::string("--wake all --shuffle 6"));
  same("with", "shuffled", {"/waves.vcd", "/waves.gtkw", "/result.json", "/packets.csv", "/trace.csv"});
  same("with", "awake", {"/waves.vcd"});
  const std::string text = scenario_text(GetParam().scenario);
  if (text.find("\nwaves:") == std::string::npos) {
    run(file(), "without", "");
    EXPECT_FALSE(exists("without/waves.vcd"));
    same("with", "without", {"/result.json", "/packets.csv", "/trace.csv"});
  }
}

TEST_P(WavesOfScenario, HaveAllNamesOfTheSaveFile) {
  run(file(), "out", everything);
  const Vcd vcd = this->vcd("out");
  const int found = rows_of_save_file("out", vcd);
  // Grids of up to 64 nodes are listed whole; the extra line is the row that makes curves higher.
  if (topology("out").nodes() <= 64) {
    EXPECT_EQ(found, static_cast<int>(vcd.variables.size()));
  }
}

const Shape shapes[] = {{"torus_waves"},
                        {"mesh_6x9_reversal"},
                        {"hot_spot_torus_weighted"},
                        {"torus_side_two"},
                        {"queue_bound_kept"},
                        {"link_latency_4"},
                        {"vc_torus_datelines"},
                        {"vc_link_latency"},
                        {"keys_mesh"},
                        {"keys_torus"},
                        {"product_8x8"},
                        {"multistage_five_swaps_place"},
                        {"hold_mesh", true},
                        {"hold_one_worm", true},
                        {"hot_potato_laps", true},
                        {"offline_worms_8x8", true},
                        {"multistage_torus", true}};
// The flits on links, without those that have vanished, and `alive` of links and routers as in faults.csv.
TEST_F(Waves, ShowHardwareThatDies) {
  run(scenario_file("scheduled_deaths").string(), "out", "--set 'waves={scope: \"*\"}' ");
  const Vcd vcd = this->vcd("out");
  const Grid grid = topology("out");
  const ShownNetwork network(vcd, grid);
  auto shown = rows_of_links(network, false, true);
  std::stable_sort(shown.begin(), shown.end());
  EXPECT_TRUE(shown == trace("out", {TraceEvent::hop}));
  ASSERT_FALSE(trace("out", {TraceEvent::drop}).empty());

  const std::vector<FaultRow> rows = read_faults(scratch_.file("out/faults.csv"));
  ASSERT_GT(rows.size(), 30u);
  std::map<std::string, std::string> alive;
  for (NodeId node = 0; node < grid.nodes(); ++node) {
    alive[grid.node_name(node) + ".alive"] = "1";
    for (Port port = 0; port < grid.ports(); ++port)
      if (grid.neighbour(node, port) != no_node) alive[grid.link_name(node, port) + ".alive"] = "1";
  }
  auto row = rows.begin();
  for (Step step = 0; step < network.steps(); ++step) {
    for (; row != rows.end() && row->step == step; ++row)
      if (row->is_of_hardware() && row->port < grid.ports())
        alive.at((row->port == no_port ? grid.node_name(row->node) : grid.link_name(row->node, row->port)) + ".alive") =
            row->event == FaultRow::Event::dead ? "0" : "1";
    for (const auto& [variable, value] : alive)
      ASSERT_EQ(network.at(variable, step), value) << variable << " in step " << step;
  }
  EXPECT_TRUE(row == rows.end());
}

INSTANTIATE_TEST_SUITE_P(Scenarios, WavesOfScenario, testing::ValuesIn(shapes),
                         [](const auto& shape) { return shape.param.scenario; });

TEST_F(Waves, OfAWindowAreThoseOfTheWholeRun) {
  const std::string file = scenario_file("torus_waves").string();
  run(file, "all", "--set 'waves={scope: \"*\"}'");
  run(file, "part", "");
  const Vcd all = vcd("all"), part = vcd("part");
  EXPECT_EQ(part.time_unit, "1ps");
  EXPECT_EQ(part.begin, 10'000u);
  EXPECT_EQ(part.end, 50'000u);
  EXPECT_LT(part.variables.size(), all.variables.size() / 4);
  for (const VcdVariable& variable : part.variables)
    for (std::uint64_t time = part.begin; time < part.end; time += 500) {
      const std::string shown = variable.at(time);
      // The last value of a link before the window is not known there.
      if (shown != "x") {
        EXPECT_EQ(shown, all.variable(variable.path).at(time)) << variable.path << " at " << time;
      }
    }
  for (const char* path : {"network.node_a03_04.mode", "network.link_a03_04_plus2.packet"})
    EXPECT_GT(part.variable(path).changes.size(), 3u) << path;
  EXPECT_THROW(part.variable("network.node_a02_04.mode"), std::runtime_error);
}

// A node that sleeps for 10^8 steps costs no 10^8 clock edges.
TEST_F(Waves, TheClockRestsInALongSleep) {
  const std::string file = scenario_file("sleeper_hundred_million").string();
  const std::string base = "run '" + file + "' --quiet --waves ";
  ASSERT_EQ(starloom(base + "--out long").status, 0);
  EXPECT_LT(scratch_.read("long/waves.vcd").size(), 100'000u);
  EXPECT_GE(vcd("long").end, 100'000'000u * 1000);
  const std::string shorter = base + "--set routing.delay=2000 --set 'expect={outcome: completed}' ";
  ASSERT_EQ(starloom(shorter + "--out short").status, 0);
  ASSERT_EQ(starloom(shorter + "--wake all --out awake").status, 0);
  same("short", "awake", {"/waves.vcd"});
  const Vcd vcd = this->vcd("short");
  EXPECT_EQ(vcd.variable("network.clk").changes.size(), 2 * vcd.end / 1000);
}

TEST_F(Waves, HaveOneConstantDateAndAnEvenPeriod) {
  scratch_.write("e.yaml", small_experiment);
  run("e.yaml", "odd", "--waves --set units.clock_ns=0.333");
  const Vcd vcd = this->vcd("odd");
  EXPECT_EQ(vcd.date, "Thu Jan 1 00:00:00 1970");
  EXPECT_EQ(vcd.time_unit, "100fs");
  const auto& clock = vcd.variable("network.clk").changes;
  ASSERT_EQ(clock.size(), 14u);  // six hops, and the step in which the last packet is consumed
  for (std::size_t i = 0; i < clock.size(); ++i) {
    EXPECT_EQ(clock[i].first, i * 1665);
    EXPECT_EQ(clock[i].second, i % 2 == 0 ? "1" : "0");
  }
}

// The period was once rounded to whole picoseconds; waves of 0.0014 ns ended at 1000 ns.
TEST_F(Waves, EndWhenTheRunEnds) {
  scratch_.write("p.csv", "cycle,source,destination,flits\n0,0,5,1\n999997,0,5,1\n");
  scratch_.write("e.yaml",
                 "schema: 1\nnetwork: {topology: mesh, shape: [4, 4]}\nrouting: {algorithm: greedy}\n"
                 "traffic: {pattern: packets, file: p.csv}\n");
  struct Case {
    const char *clock_ns, *unit;
    std::uint64_t end;
  };
  for (const Case& c : {Case{"0.333333333", "1fs", 333'333'333'000}, Case{"0.6666666667", "1fs", 666'666'666'700},
                        Case{"0.3333", "100fs", 3'333'000'000}, Case{"0.0014", "100fs", 14'000'000},
                        Case{"0.0015", "100fs", 15'000'000}, Case{"1", "1ps", 1'000'000'000}}) {
    run("e.yaml", "out", std::string("--force --waves --set units.clock_ns=") + c.clock_ns);
    const Vcd vcd = this->vcd("out");
    EXPECT_EQ(vcd.time_unit, c.unit) << c.clock_ns;
    EXPECT_EQ(vcd.end, c.end) << c.clock_ns;
  }
}

TEST_F(Waves, AnEarlierRunLeavesNothingBehind) {
  scratch_.write("e.yaml", small_experiment);
  run("e.yaml", "out", "--waves");
  EXPECT_TRUE(exists("out/waves.mode.filter"));
  scratch_.write("out/mine.gtkw", "my own view\n");
  run("e.yaml", "out", "--force");
  for (const char* name : {"waves.vcd", "waves.gtkw", "waves.mode.filter", "waves.flit_kind.filter"})
    EXPECT_FALSE(exists(std::string("out/") + name)) << name;
  EXPECT_TRUE(exists("out/mine.gtkw"));
}

#ifdef STARLOOM_HAS_FST
TEST_F(Waves, SurviveTheRoundTripThroughFst) {
  for (const char* scenario : {"torus_waves", "hold_mesh", "keys_mesh"}) {
    const std::string file = scenario_file(scenario).string(), name = scenario;
    run(file, name, "--waves");
    run(file, name + "_fst", "--set waves.format=fst");
    EXPECT_FALSE(exists(name + "_fst/waves.vcd"));
    EXPECT_THAT(scratch_.read(name + "_fst/waves.gtkw"), testing::HasSubstr("[dumpfile] \"waves.fst\"\n"));
    const std::string back = scratch_.file("back.vcd").string();
    ASSERT_EQ(
        std::system(("fst2vcd '" + scratch_.file(name + "_fst/waves.fst").string() + "' >'" + back + "'").c_str()), 0);
    const Vcd before = vcd(name), after = read_vcd(scratch_.read("back.vcd"));
    ASSERT_EQ(before.variables.size(), after.variables.size());
    EXPECT_EQ(before.time_unit, after.time_unit);
    EXPECT_EQ(before.end, after.end);
    for (std::size_t v = 0; v < before.variables.size(); ++v) {
      EXPECT_EQ(before.variables[v].path, after.variables[v].path);
      EXPECT_EQ(before.variables[v].width, after.variables[v].width);
      EXPECT_TRUE(before.variables[v].changes == after.variables[v].changes) << before.variables[v].path;
    }
  }
}

TEST_F(Waves, EqualRunsGiveEqualFst) {
  const std::string file = scenario_file("torus_waves").string();
  run(file, "a", "--set waves.format=fst");
  run(file, "b", "--set waves.format=fst");
  same("a", "b", {"/waves.fst"});
}
#endif

}  // namespace
}  // namespace starloom::links
