// SPDX-License-Identifier: Apache-2.0
// Waves of whole runs on POPS networks: what they show is what the trace says, and they change no result.
#include <nlohmann/json.hpp>

#include <map>

#include <starloom/topology/pops/pops.hpp>
#include <starloom/trace_io/pops/trace_reader.hpp>
#include "support/scenario_files.hpp"
#include "system/waves_run.hpp"

namespace starloom::pops {
namespace {

/// Values of CouplerState, as the filter names them.
const char* const idle = "0";
const char* const carrying = "1";
const char* const collision = "10";

std::string binary(std::int64_t value) {
  std::string bits;
  for (; value > 1; value /= 2) bits.insert(0, 1, static_cast<char>('0' + value % 2));
  return bits.insert(0, 1, static_cast<char>('0' + value));
}

/// A network as its waves show it, slot by slot.
class ShownNetwork {
 public:
  ShownNetwork(const Vcd& vcd, const Pops& pops) : pops_(pops) {
    for (const VcdVariable& variable : vcd.variables) by_path_[variable.path] = &variable;
    period_ = 1000;
    slots_ = static_cast<Step>(vcd.end / period_);
  }
  Step slots() const { return slots_; }
  std::string at(const std::string& path, Step slot) const {
    return by_path_.at("network." + path)->at(static_cast<std::uint64_t>(slot) * period_);
  }
  std::string coupler(std::int32_t to, std::int32_t from, const char* variable, Step slot) const {
    return at(pops_.coupler_name(to, from) + '.' + variable, slot);
  }
  std::string place(NodeId node, int place, Step slot) const {
    return at(pops_.node_name(node) + ".buffer.packet_" + std::to_string(place), slot);
  }

 private:
  const Pops& pops_;
  std::uint64_t period_ = 0;
  Step slots_ = 0;
  std::map<std::string, const VcdVariable*> by_path_;
};

struct Shape {
  std::string scenario;
  Step cycle = 1;           ///< slots of a cycle
  bool collides = false;    ///< the run has collisions
  bool by_arrival = false;  ///< a packet stays where it has arrived, in the last slot
  std::string options{};    ///< of the run
};
void PrintTo(const Shape& shape, std::ostream* out) { *out << shape.scenario; }

class WavesOfPops : public WavesTest, public testing::WithParamInterface<Shape> {
 protected:
  std::string file() const { return scenario_file(GetParam().scenario).string(); }
  /// All instances in all slots, whatever the scenario asks for.
  std::string everything() const { return GetParam().options + "--set 'waves={scope: \"*\"}' "; }

  nlohmann::json result() const { return nlohmann::json::parse(scratch_.read("out/result.json")); }
  Pops pops() const {
    const auto network = result()["experiment"]["network"];
    return Pops(network["group_size"].get<std::int64_t>(), network["groups"].get<std::int64_t>());
  }
  std::map<Step, std::vector<TraceRow>> trace() const {
    TraceReader reader(scratch_.file("out/trace.csv"));
    std::map<Step, std::vector<TraceRow>> by_slot;
    std::vector<TraceRow> rows;
    while (reader.next(rows)) by_slot[rows.front().slot] = rows;
    return by_slot;
  }
  /// (from, to) of couplers out of service: both of each pair of groups that the experiment lists.
  std::set<std::pair<std::int32_t, std::int32_t>> dead() const {
    std::set<std::pair<std::int32_t, std::int32_t>> dead;
    const auto experiment = result()["experiment"];
    if (experiment.contains("faults") && experiment["faults"].contains("dead_couplers"))
      for (const auto& pair : experiment["faults"]["dead_couplers"])
        for (int first : {0, 1}) dead.emplace(pair[first].get<std::int32_t>(), pair[1 - first].get<std::int32_t>());
    return dead;
  }
};

TEST_P(WavesOfPops, AreTheTrace) {
  run(file(), "out", everything());
  const Vcd vcd = this->vcd("out");
  const Pops pops = this->pops();
  const ShownNetwork network(vcd, pops);
  EXPECT_EQ(network.slots(), static_cast<Step>(vcd.variable("network.step").changes.size()));
  const auto dead = this->dead();
  auto trace = this->trace();
  int collisions = 0, carried = 0;
  for (Step slot = 0; slot < network.slots(); ++slot) {
    std::map<std::pair<std::int32_t, std::int32_t>, std::vector<TraceRow>> drives;
    std::vector<TraceRow> listens, shown;
    for (const TraceRow& row : trace[slot])
      if (row.event == TraceEvent::listen) listens.push_back(row);
      else drives[{row.source_group, row.destination_group}].push_back(row);
    for (std::int32_t from = 0; from < pops.groups(); ++from)
      for (std::int32_t to = 0; to < pops.groups(); ++to) {
        const std::string state = network.coupler(to, from, "state", slot);
        const std::string packet = network.coupler(to, from, "packet", slot);
        const std::string kind = network.coupler(to, from, "kind", slot);
        const auto& drivers = drives[{from, to}];
        const std::string what = pops.coupler_name(to, from) + " in slot " + std::to_string(slot);
        if (drivers.empty() || dead.count({from, to}) != 0) {
          EXPECT_EQ(state, idle) << what;
          EXPECT_EQ(packet + kind, "zz") << what;
        } else if (drivers.size() == 1) {
          EXPECT_EQ(state, carrying) << what;
          EXPECT_EQ(packet, binary(drivers[0].packet)) << what;
          EXPECT_EQ(kind, drivers[0].kind == MessageKind::ack ? "1" : "0") << what;
          ++carried;
        } else {
          EXPECT_EQ(state, collision) << what;
          EXPECT_EQ(packet + kind, "xx") << what;
          ++collisions;
        }
      }
    // Whoever samples a coupler hears what it shows.
    for (NodeId node = 0; node < pops.nodes(); ++node) {
      const std::string group = network.at(pops.node_name(node) + ".listens", slot);
      if (group == "z") continue;
      TraceRow row{slot, TraceEvent::listen,           MessageKind::data,
                   node, std::stoi(group, nullptr, 2), pops.group_of(node)};
      if (network.coupler(row.destination_group, row.source_group, "state", slot) == carrying) {
        row.packet = std::stoi(network.coupler(row.destination_group, row.source_group, "packet", slot), nullptr, 2);
        if (network.coupler(row.destination_group, row.source_group, "kind", slot) == "1") row.kind = MessageKind::ack;
      }
      shown.push_back(row);
    }
    EXPECT_TRUE(shown == listens) << "slot " << slot;
  }
  EXPECT_GT(carried, 0);
  EXPECT_EQ(collisions > 0, GetParam().collides);
}

TEST_P(WavesOfPops, ShowTheSlotOfTheCycle) {
  run(file(), "out", everything());
  const Pops pops = this->pops();
  const Vcd vcd = this->vcd("out");
  const ShownNetwork network(vcd, pops);
  const auto schedule = result()["schedule"];
  Step drain = network.slots();
  if (!schedule.is_null() && schedule["unit"] == "five-slot cycle") drain = 5 * schedule["units"].get<Step>();
  for (Step slot = 0; slot < network.slots(); ++slot)
    EXPECT_EQ(network.at("slot_of_cycle", slot), slot < drain ? binary(slot % GetParam().cycle) : "z") << slot;
}

TEST_P(WavesOfPops, ShowTheBuffers) {
  run(file(), "out", everything());
  const Pops pops = this->pops();
  const Vcd vcd = this->vcd("out");
  const ShownNetwork network(vcd, pops);
  for (NodeId node = 0; node < pops.nodes(); ++node)
    for (Step slot = 0; slot < network.slots(); ++slot) {
      int held = 0;
      for (int place = 0; place < 3; ++place) held += network.place(node, place, slot) != "z" ? 1 : 0;
      EXPECT_EQ(network.at(pops.node_name(node) + ".buffer.occupancy", slot), binary(held));
    }
  if (!GetParam().by_arrival) return;
  std::istringstream packets(scratch_.read("out/packets.csv"));
  std::string line;
  std::getline(packets, line);
  int seen = 0;
  while (std::getline(packets, line)) {
    std::istringstream cells(line + ",");
    std::vector<std::string> cell;
    for (std::string text; std::getline(cells, text, ',');) cell.push_back(text);
    const NodeId source = std::stoi(cell.at(1)), destination = std::stoi(cell.at(2));
    if (source == destination) continue;
    const std::string packet = binary(std::stoi(cell.at(0)));
    EXPECT_EQ(network.place(source, 0, 0), packet) << line;
    if (cell.at(5).empty()) continue;
    // The slot in which a packet is found is the one after that in which it was heard; the last one is not shown.
    const Step delivered = std::stoi(cell.at(5));
    EXPECT_NE(network.place(destination, 2, delivered - 1), packet) << line;
    if (delivered >= network.slots()) continue;
    EXPECT_EQ(network.place(destination, 2, delivered), packet) << line;
    ++seen;
  }
  EXPECT_GT(seen, 0);
}

TEST_P(WavesOfPops, ChangeNoResultAndDependOnNoOrder) {
  run(file(), "with", everything());
  run(file(), "shuffled", everything() + "--shuffle 5");
  same("with", "shuffled", {"/waves.vcd", "/waves.gtkw", "/result.json", "/packets.csv", "/slots.csv", "/trace.csv"});
  if (scenario_text(GetParam().scenario).find("\nwaves:") != std::string::npos) return;
  run(file(), "without", GetParam().options);
  EXPECT_FALSE(exists("without/waves.vcd"));
  same("with", "without", {"/result.json", "/packets.csv", "/slots.csv", "/trace.csv"});
}

TEST_P(WavesOfPops, GroupCouplersBySourceGroup) {
  run(file(), "out", everything());
  const Vcd vcd = this->vcd("out");
  EXPECT_EQ(rows_of_save_file("out", vcd), static_cast<int>(vcd.variables.size()));
  const Pops pops = this->pops();
  std::istringstream lines(scratch_.read("out/waves.gtkw"));
  std::string before, group;
  std::set<std::string> states;
  for (std::string line; std::getline(lines, line); before = line) {
    if (line.compare(0, 9, "-row_from") == 0 && line.find("kinds") == std::string::npos)
      group = group == line ? "" : line;
    if (line.find(".state[") == std::string::npos) continue;
    EXPECT_EQ(before, "^1 waves.coupler_state.filter");
    const std::size_t name = line.find("network.coupler_"), from = line.find("_from", name);
    EXPECT_EQ(group, "-row" + line.substr(from, line.find('.', from) - from)) << line;
    states.insert(line.substr(name));
  }
  EXPECT_EQ(static_cast<std::int64_t>(states.size()), pops.couplers());
  EXPECT_EQ(scratch_.read("out/waves.coupler_state.filter"), "0 idle\n1 carrying\n2 collision\n");
  EXPECT_EQ(scratch_.read("out/waves.coupler_kind.filter"), "0 data\n1 ack\n");
}

const Shape shapes[] = {{"pops_waves", 5, true, true},
                        {"pops_4x2_randomized", 5, false, true},
                        {"pops_16x4_guard", 5, true, true},
                        {"pops_8x8_dead_couplers_shift", 5, true, true, "--set 'faults={dead_couplers: [[0, 3]]}' "},
                        {"pops_8x8_direct", 2, true, true},
                        {"pops_9x4_offline", 1, false, false},
                        {"pops_4x3_broadcast", 1, false, false}};
INSTANTIATE_TEST_SUITE_P(Scenarios, WavesOfPops, testing::ValuesIn(shapes),
                         [](const auto& shape) { return shape.param.scenario; });

class PopsWaves : public WavesTest {};

// Slots are as long as the optics say: packets take 77 + 128 ns, acknowledgements 77 + 16. The drain carries packets.
TEST_F(PopsWaves, TakeTheirTimesFromTheOptics) {
  for (const char* scenario : {"pops_16x16_optics", "pops_8x8_direct", "pops_8x8_randomized", "pops_16x4_guard"}) {
    run(scenario_file(scenario).string(), "out",
        "--force --set 'optics={}' --set 'waves={scope: \"coupler_to00_from00\"}'");
    const Vcd shown = vcd("out");
    EXPECT_EQ(shown.time_unit, "1ps");
    const double time_ns = nlohmann::json::parse(scratch_.read("out/result.json"))["optics"]["time_ns"].get<double>();
    EXPECT_EQ(static_cast<double>(shown.end), 1000 * time_ns) << scenario;
    // Slot 1 begins when the first packets have passed; slot 2 of `direct` when they are acknowledged.
    EXPECT_EQ(shown.variable("network.step").changes.at(1).first, 205'000u) << scenario;
  }
  const auto& steps = vcd("out").variable("network.step").changes;  // a cycle of five
  EXPECT_EQ(steps.at(5).first, 3u * 205'000 + 2u * 93'000);
}

TEST_F(PopsWaves, OfARowShowItsCouplersAlone) {
  const std::string file = scenario_file("pops_8x8_direct").string();
  run(file, "row", "--set waves.scope=row_from03");
  EXPECT_EQ(vcd("row").variables.size(), 3u + 8 * 3);
  run(file, "column", "--set waves.scope=column_to03 --set waves.from=2 --set waves.to=4");
  const Vcd column = vcd("column");
  EXPECT_EQ(column.variables.size(), 3u + 8 * 3);
  EXPECT_EQ(column.begin, 2000u);
  EXPECT_EQ(column.end, 4000u);
  run(file, "buffer", "--set 'waves={scope: \"proc_g00_p0?.buffer\"}'");
  EXPECT_EQ(vcd("buffer").variables.size(), 3u + 8 * 4);
}

}  // namespace
}  // namespace starloom::pops
