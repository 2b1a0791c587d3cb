// SPDX-License-Identifier: Apache-2.0
/// Energy and area of whole runs: exact figures, and what has to hold for all of them (docs/energy.md).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <starloom/support/numbers.hpp>

#include "energy_fixture.hpp"
#include "support/vcd_reader.hpp"

namespace starloom {
namespace {

class EnergyRuns : public EnergyFixture {
 protected:
  /// The sum of a column of `energy.csv`, times 10^6, over rows of a kind, or of all kinds.
  Exact sum_of_column(const std::string& name) const {
    std::istringstream lines(read(scratch_.file("out/energy.csv")));
    std::string line, cell;
    std::getline(lines, line);
    std::istringstream header(line);
    std::size_t column = 0;
    while (std::getline(header, cell, ',') && cell != name) ++column;
    EXPECT_EQ(cell, name);
    std::istringstream cells(this->column("energy.csv", column));
    Exact sum = 0;
    while (cells >> cell)
      if (cell != "-") sum += exact(cell);
    return sum;
  }
};

TEST_F(EnergyRuns, OfOnePacketOnALine) {
  const std::string text = packets("[1, 6]", "channels: 1, buffer: 8", "0,0,3,1\n");
  const Json energy = energy_of(text + default_energy);
  EXPECT_EQ(energy["table"], "dsent-22");
  EXPECT_EQ(energy["steps"], 15);
  EXPECT_EQ(energy["total_pj"], 607.764983);
  EXPECT_EQ(energy["dynamic_pj"], 31.861733);
  EXPECT_EQ(energy["leakage_pj"], 575.90325);
  EXPECT_EQ(energy["dynamic"],
            Json::parse(R"({"buffer_write": 3.416344, "buffer_read": 2.547428, "switch": 0.034787, "channel": 0.034787,
                            "crossbar": 1.371757, "register": 0, "link": 9.05472, "credit": 0.07074,
                            "clock": 15.33117, "route": 0})"));
  EXPECT_EQ(energy["counts"],
            Json::parse(R"({"buffer_write": 4, "buffer_read": 4, "switch": 4, "channel": 4, "crossbar": 4,
                            "register": 0, "link": 3, "credit": 3, "clock": 90, "route": 4, "vc_requests": 4,
                            "switch_requests": 4})"));
  EXPECT_EQ(energy["area_um2"]["total"], 49216.854);
  EXPECT_EQ(energy["per_packet_pj"], 607.764983);
  EXPECT_DOUBLE_EQ(energy["edp_pj_ns"].get<double>(), 8508.709762);
  EXPECT_DOUBLE_EQ(energy["power_mw"].get<double>(), 607.764983 / 15);
  EXPECT_EQ(energy["per_flit_pj"], 31.861733);
  EXPECT_DOUBLE_EQ(energy["per_bit_pj"].get<double>(), 607.764983 / 128);
  const std::vector<std::pair<const char*, double>> totals = {
      {"dsent-45", 884.511347}, {"dsent-32", 730.519332}, {"dsent-11", 184.985159}};
  for (const auto& [table, total] : totals)
    EXPECT_EQ(energy_of(text + "energy: {table: " + table + "}\n")["total_pj"], total) << table;
}

TEST_F(EnergyRuns, WithIdleClocksGated) {
  const std::string line = packets("[1, 6]", "channels: 1, buffer: 8", "0,0,3,1\n");
  const Json energy = energy_of(line + "energy: {gating: idle}\n");
  EXPECT_EQ(energy["counts"]["clock"], 18);
  EXPECT_EQ(energy["dynamic"]["clock"], 3.117299);
  EXPECT_EQ(energy["dynamic_pj"], 19.647862);
  EXPECT_EQ(energy["leakage_pj"], 575.90325);
  const std::string five = experiment("topology: mesh, shape: [8, 8]",
                                      "vc-wormhole, channels: 2, buffer: 4, pipeline: 5", "bit-complement, flits: 8");
  const Json gated = energy_of(five + "energy: {gating: idle, window: 10}\n");
  EXPECT_EQ(gated["counts"]["clock"], 4'196);
  EXPECT_EQ(gated["dynamic"]["clock"], 1109.061672);
  EXPECT_EQ(verdict(), "");
}

/// The steps of every flit in every node, as a set.
TEST_F(EnergyRuns, OfGatedClocksAreThoseOfTheTrace) {
  const std::string flush =
      "faults: {lifetime: {cables: {mtbf: 200, mttr: 30}}, reroute: {after: 5, transition: flush}, "
      "losses: count}\n";
  for (const std::string& text :
       {experiment("topology: mesh, shape: [4, 4], link_latency: 3", "vc-wormhole, channels: 2, buffer: 4",
                   "uniform, rate: 0.05, flits: 3, warmup: 20, measure: 100, drain: 500"),
        experiment("topology: mesh, shape: [4, 4], link_latency: 2",
                   "vc-wormhole, channels: 2, buffer: 4, function: legal-ways",
                   "uniform, rate: 0.1, flits: 3, warmup: 20, measure: 200, drain: 500") +
            flush,
        experiment("topology: mesh, shape: [4, 4]", "greedy",
                   "uniform, rate: 0.1, warmup: 20, measure: 100, drain: 500"),
        experiment("topology: mesh, shape: [4, 4]", "three-phase", "random-permutation")}) {
    const Json energy = energy_of(text + "energy: {gating: idle, window: 30}\n");
    EXPECT_EQ(verdict(), "") << text;
    const std::int64_t from = text.find("warmup") == std::string::npos ? 0 : 20, to = from + energy["steps"].get<int>();
    std::map<std::pair<std::string, std::string>, std::pair<std::int64_t, std::int64_t>> places;  // node and step
    std::set<std::pair<std::int64_t, std::int64_t>> busy;
    const auto leave = [&](const std::pair<std::string, std::string>& flit, std::int64_t step) {
      const auto [node, since] = places.at(flit);
      for (std::int64_t at = since; at <= step; ++at)
        if (at >= from && at < to) busy.emplace(node, at);
      places.erase(flit);
    };
    std::istringstream lines(read(scratch_.file("out/trace.csv")));
    std::string line, cell;
    std::getline(lines, line);
    EXPECT_EQ(line.substr(0, 35), "step,event,packet,flit,node,port,to");
    while (std::getline(lines, line)) {
      std::vector<std::string> cells;
      std::istringstream row(line + ",");
      while (std::getline(row, cell, ',')) cells.push_back(cell);
      const std::int64_t step = std::stoll(cells[0]);
      const std::pair<std::string, std::string> flit{cells[2], cells[3]};
      if (cells[1] == "key" || cells[1] == "token") continue;
      if (cells[1] != "inject") leave(flit, step);
      if (cells[1] == "inject" || cells[1] == "hop")
        places[flit] = {std::stoll(cells[cells[1] == "hop" ? 6 : 4]), step};
    }
    while (!places.empty()) leave(places.begin()->first, to);
    EXPECT_EQ(energy["counts"]["clock"], busy.size()) << text;
    EXPECT_LT(energy["counts"]["clock"], 16 * energy["steps"].get<int>()) << text;
    EXPECT_EQ(sum_of_column("clock"), exact(energy["counts"]["clock"].dump()));
  }
}

TEST_F(EnergyRuns, InWindows) {
  const std::string line = packets("[1, 6]", "channels: 1, buffer: 8", "0,0,3,1\n");
  const Json energy = energy_of(line + "energy: {window: 5}\n");
  EXPECT_EQ(column("energy_windows.csv", 0), "0 5 10");
  EXPECT_EQ(column("energy_windows.csv", 1), "5 10 15");
  EXPECT_EQ(column("energy_windows.csv", 2), "10.777846 10.030061 11.053826");
  EXPECT_EQ(column("energy_windows.csv", 3), "191.96775 191.96775 191.96775");
  EXPECT_DOUBLE_EQ(energy["peak_mw"].get<double>(), (11.053826 + 191.96775) / 5);
  EXPECT_TRUE(energy_of(line + default_energy)["peak_mw"].is_null());
  EXPECT_FALSE(std::filesystem::exists(scratch_.file("out/energy_windows.csv")));

  const Json five =
      energy_of(experiment("topology: mesh, shape: [8, 8]", "vc-wormhole, channels: 2, buffer: 4, pipeline: 5",
                           "bit-complement, flits: 8") +
                "energy: {window: 10}\n");
  EXPECT_EQ(column("energy_windows.csv", 2),
            "1915.604 3401.78078 3963.529388 4035.441088 3657.042624 2682.571512 1746.30572 1235.016268 732.106816 "
            "346.627948");
  EXPECT_DOUBLE_EQ(five["peak_mw"].get<double>(), 1163.7583968);
}

/// The last window is cut, windows of a pause have clock and leakage alone, and none is outside of the measured steps.
TEST_F(EnergyRuns, OfWindowsAddUp) {
  for (const std::string& text : {packets("[1, 6]", "channels: 1, buffer: 8", "0,0,3,1\n50,2,0,3\n"),
                                  experiment("topology: mesh, shape: [4, 4]", "vc-wormhole, channels: 2, buffer: 4",
                                             "uniform, rate: 0.3, flits: 3, warmup: 20, measure: 100, drain: 500"),
                                  experiment("topology: mesh, shape: [4, 4]", "greedy",
                                             "uniform, rate: 0.3, warmup: 20, measure: 100, drain: 500"),
                                  experiment("topology: mesh, shape: [4, 4]", "three-phase", "random-permutation")}) {
    for (const char* window : {"1", "7", "1000"}) {
      const Json energy = energy_of(text + "energy: {window: " + window + "}\n");
      EXPECT_EQ(verdict(), "") << text << window;
      Exact sum = 0;
      std::istringstream cells(column("energy_windows.csv", 2));
      for (std::string cell; cells >> cell;) sum += exact(cell);
      EXPECT_EQ(sum, exact(energy["dynamic_pj"].dump())) << text << window;
      const std::string from = column("energy_windows.csv", 0), to = column("energy_windows.csv", 1);
      const bool open_loop = text.find("warmup") != std::string::npos;
      EXPECT_EQ(from.substr(0, from.find(' ')), open_loop ? "20" : "0");
      EXPECT_EQ(to.substr(to.rfind(' ') + 1), std::to_string((open_loop ? 20 : 0) + energy["steps"].get<int>()));
      const std::string rows = read(scratch_.file("out/energy_windows.csv"));
      energy_of(text + "energy: {window: " + window + "}\n", {"--no-referee", "--wake", "all"});
      EXPECT_EQ(read(scratch_.file("out/energy_windows.csv")), rows);
    }
  }
}

/// Calls of SystemC processes lead to steps that were not the next ones.
TEST_F(EnergyRuns, OfTransactionsAreThoseOfTheTrace) {
  const std::string text = transactions("[3, 3]", "0, 8",
                                        "0,0,write,0x1000,4,deadbeef,\n0,1,read,0x1000,40,,\n"
                                        "29,0,read,0x1000,8,,\n150,1,write,0x1010,1,ff,\n");
  for (int window = 0; window <= 32; ++window) {
    energy_of(text + "energy: {window: " + std::to_string(window) + "}\n");
    EXPECT_EQ(verdict(), "") << window;
  }
}

TEST_F(EnergyRuns, OfDataAreTheBitsThatToggle) {
  const auto link_energies = [&](const std::string& rows, const std::string& energy) {
    energy_of(transactions("[1, 3]", "0, 1", rows) + energy);
    EXPECT_EQ(verdict(), "") << rows;
    const bool toggles = energy.find("toggles") != std::string::npos;
    std::istringstream names(column("energy.csv", 1)), energies(column("energy.csv", toggles ? 15 : 14));
    std::map<std::string, Exact> of;
    for (std::string name, cell; names >> name && energies >> cell;) of[name] = exact(cell);
    return of;
  };
  const std::string toggles = "energy: {data: toggles}\n", east = "link_r00_c00_east", west = "link_r00_c01_west";
  // A header of zeros and a flit of ones: as many toggles as the table assumes for two flits. Credits cost as before.
  const std::string ones = "0,0,write,0x1000,16," + std::string(32, 'f') + ",\n";
  auto counted = link_energies(ones, toggles), assumed = link_energies(ones, default_energy);
  EXPECT_EQ(counted[east], assumed[east]);
  EXPECT_LT(counted[west], assumed[west]);
  const Exact credit = counted[west];  // of the response, a flit of zeros

  // Zeros toggle nothing, whether they are data or byte enables; a flit of byte enables follows the data.
  const std::string zeros = "0,0,write,0x1000,16," + std::string(32, '0') + ",";
  EXPECT_EQ(link_energies(zeros + "\n", toggles)[east], 2 * credit);
  EXPECT_EQ(link_energies(zeros + "00\n", toggles)[east], 3 * credit);
  EXPECT_EQ(link_energies(zeros + "ff\n", toggles)[east], assumed[east] + credit);
  EXPECT_EQ(column("energy.csv", 14), "- - - 128 128 0 0");

  // A response returns the data of the write before.
  counted = link_energies(ones + "50,0,read,0x1000,16,,\n", toggles);
  EXPECT_EQ(column("energy.csv", 14), "- - - 256 256 128 128");
  const std::string rows = read(scratch_.file("out/energy.csv")), result = read(scratch_.file("out/result.json"));
  energy_of(transactions("[1, 3]", "0, 1", ones + "50,0,read,0x1000,16,,\n") + toggles,
            {"--no-referee", "--wake", "all", "--threads", "2"});
  EXPECT_EQ(read(scratch_.file("out/energy.csv")), rows);
}

/// Credits are on their wires when the run is over: a window does not end with them.
TEST_F(EnergyRuns, OfTheLastWindowEndWithTheRun) {
  const std::string text = packets("[1, 6]", "channels: 1, buffer: 8", "0,0,3,1\n");
  for (int window = 1; window <= 18; ++window) {
    const Json energy = energy_of(text + "energy: {window: " + std::to_string(window) + "}\n");
    EXPECT_EQ(verdict(), "") << window;
    const std::string to = column("energy_windows.csv", 1);
    EXPECT_EQ(to.substr(to.rfind(' ') + 1), energy["steps"].dump()) << window;
  }
}

TEST_F(EnergyRuns, AreInAPicture) {
  run(catalogue_, packets("[1, 6]", "channels: 1, buffer: 8", "0,0,3,2\n") + default_energy, "out");
  const std::string svg = read(scratch_.file("out/power.svg"));
  std::istringstream names(column("energy.csv", 1)), powers(column("energy.csv", 17));
  int rows = 0;
  std::string name, mw;
  for (; names >> name && powers >> mw; ++rows)
    EXPECT_THAT(svg, testing::HasSubstr("<title>" + name + ' ' + decimal(std::stod(mw)) + " mW</title>"));
  EXPECT_EQ(rows, 6 + 10);
  run(catalogue_, packets("[1, 6]", "channels: 1, buffer: 8", "0,0,3,2\n"), "out");
  EXPECT_FALSE(std::filesystem::exists(scratch_.file("out/power.svg")));
}

/// Windows that end in busy and in idle steps, and with the run; `at` is the value from the beginning of a step on.
TEST_F(EnergyRuns, AreInWavesFromTheEndOfAWindowOn) {
  const std::string text = packets("[1, 6]", "channels: 1, buffer: 8", "0,0,3,2\n40,5,1,3\n");
  const std::string scope = "scope: [node_r00_c01, link_r00_c05_west]";
  run(catalogue_, text + "energy: {window: 7}\nwaves: {" + scope + "}\n", "out", {"--waves"});
  const Vcd vcd = read_vcd(read(scratch_.file("out/waves.vcd")));
  const auto at = [](const VcdVariable& variable, Step step) {
    return std::stod(variable.at(static_cast<std::uint64_t>(step) * 1000));
  };
  const VcdVariable& power = vcd.variable("network.power");
  EXPECT_TRUE(power.real);
  EXPECT_EQ(at(power, 0), 0);
  EXPECT_EQ(at(power, 6), 0);
  std::istringstream ends(column("energy_windows.csv", 1)), powers(column("energy_windows.csv", 4));
  Step to = 0, end = 0;
  int windows = 0;
  for (double mw = 0; ends >> to && powers >> mw; ++windows, end = to) EXPECT_EQ(at(power, to), mw) << to;
  EXPECT_EQ(windows, 9);
  EXPECT_EQ(static_cast<std::uint64_t>(end) * 1000, vcd.end);
  EXPECT_EQ(power.changes.back().first, vcd.end);
  EXPECT_THROW(vcd.variable("network.link_r00_c05_west.power"), std::runtime_error);
  EXPECT_THAT(read(scratch_.file("out/waves.gtkw")),
              testing::AllOf(testing::HasSubstr("+{power in mW} network.power\n"),
                             testing::HasSubstr("+{power in mW} network.node_r00_c01.power\n")));

  // One window for all steps: the row of the router.
  run(catalogue_, text + "energy: {window: 1000}\nwaves: {" + scope + "}\n", "out", {"--waves"});
  std::istringstream routers(column("energy.csv", 17));
  std::string mw;
  routers >> mw >> mw;
  const Vcd one = read_vcd(read(scratch_.file("out/waves.vcd")));
  EXPECT_EQ(one.variable("network.node_r00_c01.power").at(one.end), mw);
  EXPECT_EQ(one.variable("network.node_r00_c01.power").changes.size(), 2u);

  // Waves that begin later begin with the power of the window before, and end before the windows do.
  run(catalogue_, text + "energy: {window: 7}\nwaves: {" + scope + ", from: 22, to: 45}\n", "out", {"--waves"});
  const Vcd part = read_vcd(read(scratch_.file("out/waves.vcd")));
  for (const Step step : {22, 27, 28, 42, 44})
    EXPECT_EQ(at(part.variable("network.power"), step), at(power, step)) << step;
  EXPECT_EQ(part.end, 45'000u);

  run(catalogue_, text + default_energy + "waves: {" + scope + "}\n", "out", {"--waves"});
  EXPECT_THROW(read_vcd(read(scratch_.file("out/waves.vcd"))).variable("network.power"), std::runtime_error);
}

TEST_F(EnergyRuns, DoNotMoveTheBeginningOfWaves) {
  const std::string text =
      packets("[1, 6]", "channels: 1, buffer: 8", "90,5,1,3\n") + "waves: {scope: [node_r00_c01]}\n";
  const auto first_sight = [&](const std::string& energy) {
    run(catalogue_, text + energy, "out", {"--waves"});
    const std::string view = read(scratch_.file("out/waves.gtkw"));
    const std::size_t begin = view.find("[timestart]");
    return view.substr(begin, view.find('\n', begin) - begin);
  };
  EXPECT_EQ(first_sight("energy: {window: 7}\n"), first_sight(""));
  EXPECT_NE(first_sight(""), "[timestart] 0");
}

TEST_F(EnergyRuns, OfDataNeedTransactionsWithoutWindows) {
  EXPECT_THAT(refusal(catalogue_, packets("[1, 3]", "channels: 1", "0,0,2,1\n") + "energy: {data: toggles}\n"),
              testing::HasSubstr("energy.data: toggles needs packets that carry bytes, those of traffic.pattern"));
  const std::string text = transactions("[1, 3]", "0, 1", "0,0,read,0x1000,4,,\n");
  EXPECT_THAT(refusal(catalogue_, text + "energy: {data: toggles, window: 10, width_bits: 64}\n"),
              testing::AllOf(testing::HasSubstr("energy.window: the bits that toggle are those of the whole run"),
                             testing::HasSubstr("energy.width_bits: toggles are those of units.flit_bytes, 128 bits")));
}

TEST_F(EnergyRuns, OfTerminalsAreInNoWavesAndPictures) {
  run(catalogue_,
      experiment("topology: fat-tree, arity: 2, levels: 2", "vc-wormhole, function: nearest-ancestor") +
          "energy: {window: 5}\nwaves: {scope: [\"*\"]}\n",
      "out", {"--waves"});
  const Vcd vcd = read_vcd(read(scratch_.file("out/waves.vcd")));
  int routers = 0;
  for (const VcdVariable& variable : vcd.variables) routers += variable.real ? 1 : 0;
  EXPECT_EQ(routers, 1 + 4);  // the network, and its switches

  const std::string svg = read(scratch_.file("out/power.svg"));
  int hot = 0;
  for (std::size_t at = svg.find("\"hot h"); at != std::string::npos; at = svg.find("\"hot h", at + 1)) ++hot;
  EXPECT_EQ(hot, 4);
}

TEST_F(EnergyRuns, OneHopMoreCostsARouterALinkACreditAndTheChannelOfAHead) {
  const Json three = energy_of(packets("[1, 6]", "channels: 1, buffer: 8", "0,0,3,1\n") + default_energy);
  const Json four = energy_of(packets("[1, 6]", "channels: 1, buffer: 8", "0,0,4,1\n") + default_energy);
  EXPECT_EQ(four["dynamic_pj"], 39.847638);
  EXPECT_EQ(energy::exact_text(without_clock(four) - without_clock(three), 6), "4.919671");
}

TEST_F(EnergyRuns, OfAWormOfFiveFlits) {
  const std::string text = packets("[1, 6]", "channels: 4, buffer: 4", "0,0,3,5\n") + "units: {flit_bytes: 8}\n";
  const Json energy = energy_of(text + default_energy);
  EXPECT_EQ(energy["steps"], 20);
  EXPECT_EQ(energy["dynamic_pj"], 64.29049);
  EXPECT_EQ(energy["dynamic"]["channel"], 0.6397);
  EXPECT_EQ(energy["dynamic"]["credit"], 1.0611);
  EXPECT_EQ(energy["leakage_pj"], 768.20128);
  EXPECT_EQ(energy["area_um2"]["total"], 43969.71);
  const Json active = energy_of(text + "energy: {activity: 1, link_mm: 2}\n");
  EXPECT_EQ(active["dynamic"]["crossbar"], 6.95531);
  EXPECT_EQ(active["dynamic"]["link"], 90.0288);
  EXPECT_EQ(active["dynamic"]["credit"], 4.2201);
  EXPECT_EQ(active["dynamic_pj"], 138.319145);
  EXPECT_EQ(energy_of(text + "energy: {width_bits: 128}\n")["dynamic"]["link"], 15 * 3.01824);
}

TEST_F(EnergyRuns, OfOpenLoopAreThoseOfItsMeasuredSteps) {
  const Json energy = energy_of(experiment("topology: mesh, shape: [8, 8]", "vc-wormhole, channels: 4, buffer: 4",
                                           "uniform, rate: 0.2, flits: 5, warmup: 100, measure: 400, drain: 2000") +
                                default_energy);
  EXPECT_EQ(energy["steps"], 400);
  EXPECT_EQ(energy["counts"]["buffer_write"], 32'944);
  EXPECT_EQ(energy["counts"]["buffer_read"], 32'925);
  EXPECT_EQ(energy["counts"]["channel"], 6'588);
  EXPECT_EQ(energy["counts"]["link"], 27'673);
  EXPECT_EQ(energy["dynamic_pj"], 188263.517255);
  EXPECT_EQ(energy["leakage_pj"], 550737.2736);
  EXPECT_EQ(energy["total_pj"], 739000.790855);
  EXPECT_EQ(energy["area_um2"]["total"], 1720098.776);
  EXPECT_DOUBLE_EQ(energy["per_packet_pj"].get<double>(), 739000.790855 / 1057);
  EXPECT_EQ(sum_of_column("link"), Exact{27'673} * 1'000'000);
}

TEST_F(EnergyRuns, OfLongLinksIncludeTheirRegisters) {
  const Json energy = energy_of(experiment("topology: torus, shape: [4, 4], link_latency: 2",
                                           "vc-wormhole, channels: 2, buffer: 8", "transpose, flits: 4") +
                                default_energy);
  EXPECT_EQ(energy["counts"]["link"], 128);
  EXPECT_EQ(energy["counts"]["register"], 0);
  EXPECT_EQ(energy["dynamic"]["link"], 412.991488);
  EXPECT_EQ(energy["dynamic_pj"], 1095.322592);
  EXPECT_EQ(energy["leakage_pj"], 9150.5768);
}

TEST_F(EnergyRuns, OfStoreAndForward) {
  const std::string text = experiment("topology: mesh, shape: [8, 8]", "greedy", "transpose");
  const Json energy = energy_of(text + default_energy);
  EXPECT_EQ(energy["counts"]["buffer_write"], 392);
  EXPECT_EQ(energy["counts"]["link"], 336);
  EXPECT_EQ(energy["counts"]["channel"], 0);
  EXPECT_EQ(energy["counts"]["credit"], 0);
  EXPECT_EQ(energy["dynamic_pj"], 2061.900116);
  EXPECT_EQ(energy["leakage_pj"], 10876.15704);
  const Json shallow = energy_of(text + "energy: {depth: 4}\n");
  EXPECT_EQ(shallow["dynamic_pj"], 1895.467936);
  EXPECT_EQ(shallow["leakage_pj"], 6963.50712);
  EXPECT_EQ(shallow["area_um2"]["total"], 701769.08);
  const std::string bound = experiment("topology: mesh, shape: [8, 8]", "greedy, bound: 4", "transpose");
  EXPECT_EQ(energy_of(bound + default_energy)["area_um2"], shallow["area_um2"]);
}

TEST_F(EnergyRuns, OfNodesWithoutBuffers) {
  const Json energy =
      energy_of(experiment("topology: mesh, shape: [8, 8]", "deflection", "transpose") + default_energy);
  EXPECT_EQ(energy["counts"]["register"], 448);
  EXPECT_EQ(energy["counts"]["link"], 336);
  EXPECT_EQ(energy["counts"]["buffer_read"], 0);
  EXPECT_EQ(energy["dynamic"]["register"], 93.298688);
  EXPECT_EQ(energy["dynamic"]["clock"], 239.30832);
  EXPECT_EQ(energy["dynamic_pj"], 1524.796316);
  EXPECT_EQ(energy["leakage_pj"], 2522.65512);
}

TEST_F(EnergyRuns, OfTwoPacketsThatMeet) {
  const Json energy = energy_of(packets("[1, 3]", "channels: 1, buffer: 8", "0,0,2,1\n3,1,2,1\n") + default_energy);
  EXPECT_EQ(energy["steps"], 13);
  EXPECT_EQ(energy["counts"]["channel"], 5);
  EXPECT_EQ(energy["counts"]["vc_requests"], 6);
  EXPECT_EQ(energy["counts"]["switch_requests"], 6);
  EXPECT_EQ(energy["dynamic_pj"], 24.175474);
}

/// GeneralRouter has the nodes of the first three rows if those of the last one, which no packet crosses, take longer.
TEST_F(EnergyRuns, CountTheSameRequestsInBothRouters) {
  std::string lines;
  for (int packet = 0; packet < 120; ++packet) {
    const int source = packet * 5 % 12, destination = (source + 1 + packet * 7 % 11) % 12;
    lines += std::to_string(packet / 6) + "," + std::to_string(source) + "," + std::to_string(destination) + "," +
             std::to_string(1 + packet % 4) + "\n";
  }
  const std::string slow = "[4, 4], regions: [{nodes: \"*_r03_*\", stages: {channel: 2}}]";
  for (const char* pipeline : {"4", "5"}) {
    const auto of = [&](const std::string& shape, const std::vector<std::string>& options = {}) {
      const std::string router = std::string("channels: 2, buffer: 2, pipeline: ") + pipeline;
      return energy_of(packets(shape, router, lines) + default_energy, options)["counts"];
    };
    const Json counts = of("[4, 4]");
    EXPECT_GT(counts["vc_requests"], counts["channel"]) << pipeline;
    EXPECT_GT(counts["switch_requests"], counts["switch"]) << pipeline;
    EXPECT_EQ(of(slow), counts) << pipeline;
    EXPECT_EQ(of("[4, 4]", {"--no-referee", "--wake", "all"}), counts) << pipeline;
  }
}

/// Each flit asks for the switch once if no other is in its way, and each head for an output channel.
TEST_F(EnergyRuns, CountRequestsOfEveryStep) {
  const auto of = [&](const std::string& router, const std::string& more = "") {
    return energy_of(packets("[1, 4]", router, "0,0,3,2\n") + default_energy + more, {"--no-referee"})["counts"];
  };
  const Json alone = of("channels: 1, buffer: 8, pipeline: 3");
  EXPECT_EQ(alone["vc_requests"], 4);
  EXPECT_EQ(alone["switch_requests"], 8);
  // The second flit has to wait for the credit of the first one.
  EXPECT_EQ(of("channels: 1, buffer: 1, pipeline: 3")["switch_requests"], 8);
  // A head that gets its output channel without a credit asks for the switch when that is there.
  EXPECT_EQ(of("channels: 1, buffer: 8, pipeline: 4")["switch_requests"], 8);
  EXPECT_EQ(of("channels: 1, buffer: 8", "stalls: {rate: 0.5}\n")["switch_requests"], 8);
}

TEST_F(EnergyRuns, OfTerminalsAreThoseOfTheirLinks) {
  scratch_.write("packets.csv", "cycle,source,destination,flits\n0,0,7,3\n");
  const std::string text = experiment("topology: fat-tree, arity: 2, levels: 3",
                                      "vc-wormhole, function: nearest-ancestor", "packets, file: packets.csv");
  const Json energy = energy_of(text + "energy: {terminal_mm: 0.5}\n");
  const Json& counts = energy["counts"];
  EXPECT_EQ(counts["link"], 3 * 6);
  EXPECT_EQ(counts["buffer_write"], 3 * 5);
  EXPECT_EQ(counts["buffer_read"], 3 * 5);
  EXPECT_EQ(counts["channel"], 5);
  EXPECT_EQ(counts["clock"], 12 * energy["steps"].get<std::int64_t>());
  EXPECT_EQ(column("energy.csv", 0)
                .find("router router router router router router router router router router router "
                      "router link"),
            0u);
  const double four = energy_of(text + default_energy)["dynamic"]["link"];
  const double at_half = energy["dynamic"]["link"];
  EXPECT_NEAR(at_half - four, 2 * 3 * 128 * 23.31 * 0.5 / 1000, 1e-4);
}

TEST_F(EnergyRuns, CountFlitsThatCrossALinkAgain) {
  const std::string text =
      experiment("topology: mesh, shape: [1, 2]", "vc-wormhole, channels: 1", "reversal, flits: 3") +
      "faults: {errors: {at: [{link: link_r00_c00_east, step: 4}]}}\n" + default_energy;
  const Json energy = energy_of(text);
  EXPECT_EQ(result()["faults"]["resends"], 2);
  EXPECT_EQ(energy["counts"]["link"], 6 + 2);
  EXPECT_EQ(energy["counts"]["credit"], 6);
  EXPECT_EQ(energy["counts"]["buffer_write"], 12);
}

TEST_F(EnergyRuns, OfSubnetsAreThoseOfAllCopies) {
  const std::string routing = "vc-wormhole, channels: 2, buffer: 4";
  const Json one = energy_of(experiment("topology: mesh, shape: [3, 3]", routing) + default_energy);
  const Json two = energy_of(experiment("topology: mesh, shape: [3, 3], subnets: 2", routing) + default_energy);
  EXPECT_EQ(exact(two["area_um2"]["total"].dump()), 2 * exact(one["area_um2"]["total"].dump()));
  EXPECT_EQ(without_clock(two), without_clock(one));
  EXPECT_EQ(exact(two["dynamic_pj"].dump()), sum_of_column("dynamic_pj"));
}

TEST_F(EnergyRuns, OfRegionsAreThoseOfTheirRouters) {
  const std::string network = "topology: mesh, shape: [1, 4], regions: [{nodes: \"*_c01\", channels: 1, buffer: 2}]";
  const Json energy = energy_of(experiment(network, "vc-wormhole, channels: 4, buffer: 4") + default_energy);
  const Json alike =
      energy_of(experiment("topology: mesh, shape: [1, 4]", "vc-wormhole, channels: 4, buffer: 4") + default_energy);
  EXPECT_EQ(energy["counts"]["link"], alike["counts"]["link"]);
  EXPECT_LT(energy["area_um2"]["buffers"].get<double>(), alike["area_um2"]["buffers"].get<double>());
  EXPECT_LT(energy["dynamic"]["credit"].get<double>(), alike["dynamic"]["credit"].get<double>());
}

TEST_F(EnergyRuns, RowsAddUpExactly) {
  const std::vector<std::string> experiments = {
      experiment("topology: mesh, shape: [4, 4]", "vc-wormhole, channels: 2, buffer: 4",
                 "uniform, rate: 0.3, flits: 3, warmup: 20, measure: 100, drain: 500"),
      experiment("topology: torus, shape: [4, 4]", "deflection", "random-permutation"),
      experiment("topology: mesh, shape: [4, 4]", "greedy", "random-function"),
      experiment("topology: mesh, shape: [4, 4]", "three-phase", "random-permutation")};
  for (const std::string& text : experiments) {
    const Json energy = energy_of(text + default_energy);
    for (const auto& [name, count] : energy["counts"].items())
      if (name != "vc_requests" && name != "switch_requests") {
        EXPECT_EQ(sum_of_column(name), exact(count.dump())) << name << " of " << text;
      }
    EXPECT_EQ(sum_of_column("dynamic_pj"), exact(energy["dynamic_pj"].dump()));
    EXPECT_EQ(sum_of_column("area_um2"), exact(energy["area_um2"]["total"].dump()));
    Exact dynamic = 0, leakage = 0;
    for (const auto& [name, part] : energy["dynamic"].items()) dynamic += exact(part.dump());
    for (const auto& [name, part] : energy["leakage"].items()) leakage += exact(part.dump());
    EXPECT_EQ(dynamic, exact(energy["dynamic_pj"].dump()));
    EXPECT_EQ(leakage, exact(energy["leakage_pj"].dump()));
    EXPECT_EQ(dynamic + leakage, exact(energy["total_pj"].dump()));
  }
}

TEST_F(EnergyRuns, OnFixedPathsDoNotDependOnWaiting) {
  const std::string traffic = "random-permutation, flits: 4";
  const auto of = [&](const std::string& router, const std::string& more = "") {
    return without_clock(
        energy_of(experiment("topology: mesh, shape: [5, 5]", "vc-wormhole, channels: 2, buffer: 4" + router, traffic) +
                  default_energy + more));
  };
  const Exact alone = of("");
  EXPECT_EQ(of(", pipeline: 5"), alone);
  EXPECT_EQ(of("", "stalls: {rate: 0.4}\n"), alone);
  EXPECT_EQ(of(", switch_allocator: wavefront"), alone);
}

TEST_F(EnergyRuns, OnFixedPathsAreTheSumOfThePackets) {
  const std::vector<std::string> lines = {"0,0,15,4\n", "0,3,12,1\n", "2,5,10,7\n", "3,5,5,2\n", "9,14,1,3\n"};
  std::string all;
  Exact sum = 0;
  for (const std::string& line : lines) {
    all += line;
    sum += without_clock(energy_of(packets("[4, 4]", "channels: 2, buffer: 4", line) + default_energy));
  }
  EXPECT_EQ(without_clock(energy_of(packets("[4, 4]", "channels: 2, buffer: 4", all) + default_energy)), sum);
}

TEST_F(EnergyRuns, ScaleWithTheTable) {
  const auto table = [&](int factor) {
    const auto times = [factor](int value) { return std::to_string(factor * value); };
    return "schema: 1\nname: t\nsource: a test\nunits: {energy: aJ, power: nW, area: um2, length: mm}\n"
           "energy: {buffer_write: {W: " +
           times(3) + "}, buffer_read: {W*N: " + times(2) + "}, crossbar: {W*P: " + times(5) +
           "}, clock: {1: " + times(7) + "}, register: {W: " + times(1) + "}, link: {W*L: " + times(9) +
           "}, arbiter: {points: {2: " + times(4) + ", 4: " + times(8) + "}}, route: " + times(11) +
           "}\nleakage: {buffer: " + times(10) + ", crossbar: {P: " + times(3) + "}, switch_allocator: " + times(2) +
           ", channel_allocator: " + times(6) + ", clock: " + times(1) + ", register: " + times(1) +
           ", link: {W*L: " + times(2) +
           "}}\narea: {buffer: 1, crossbar: 1, switch_allocator: 1, channel_allocator: "
           "1, clock: 1, register: 1, link: 1}\n";
  };
  scratch_.write("one.yaml", table(1));
  scratch_.write("seven.yaml", table(7));
  const std::string text = experiment("topology: mesh, shape: [4, 4]", "vc-wormhole, channels: 2, buffer: 4",
                                      "random-permutation, flits: 4");
  const Json one = energy_of(text + "energy: {table: one.yaml}\n");
  const Json seven = energy_of(text + "energy: {table: seven.yaml}\n");
  EXPECT_GT(one["dynamic"]["route"], 0);
  EXPECT_EQ(exact(seven["dynamic_pj"].dump()), 7 * exact(one["dynamic_pj"].dump()));
  EXPECT_EQ(exact(seven["leakage_pj"].dump()), 7 * exact(one["leakage_pj"].dump()));
  EXPECT_EQ(seven["area_um2"], one["area_um2"]);
}

TEST_F(EnergyRuns, FollowTheConditions) {
  const std::string text = experiment("topology: mesh, shape: [4, 4]", "vc-wormhole, channels: 2, buffer: 4",
                                      "random-permutation, flits: 4");
  const Json energy = energy_of(text + default_energy);
  const Json low = energy_of(text + "energy: {vdd: 0.6, temperature_k: 390}\n");
  const double dynamic = energy["dynamic_pj"], leakage = energy["leakage_pj"];
  EXPECT_NEAR(low["dynamic_pj"].get<double>(), dynamic * 0.75 * 0.75, 1e-5 * dynamic);
  EXPECT_NEAR(low["leakage_pj"].get<double>(), leakage * 0.75 * std::sqrt(10.0), 1e-5 * leakage);
  const Json slow = energy_of(text + default_energy + "units: {clock_ns: 2}\n");
  EXPECT_EQ(slow["dynamic"], energy["dynamic"]);
  EXPECT_EQ(exact(slow["leakage_pj"].dump()), 2 * exact(energy["leakage_pj"].dump()));
  const Json idle = energy_of(text + "energy: {activity: 0}\n");
  EXPECT_EQ(idle["dynamic"]["link"], 0);
  EXPECT_EQ(idle["dynamic"]["crossbar"], 0);
  EXPECT_EQ(idle["dynamic"]["buffer_write"], energy["dynamic"]["buffer_write"]);
}

TEST_F(EnergyRuns, WithoutTrafficAreClockAndLeakage) {
  const Json energy = energy_of(experiment("topology: mesh, shape: [4, 4]", "greedy", "identity") + default_energy);
  EXPECT_EQ(without_clock(energy), 0);
  EXPECT_GT(energy["dynamic"]["clock"], 0);
  EXPECT_GT(energy["leakage_pj"], 0);
  for (const char* ratio : {"per_packet_pj", "per_flit_pj", "per_bit_pj", "edp_pj_ns"})
    EXPECT_TRUE(energy[ratio].is_null()) << ratio;
  EXPECT_FALSE(energy["power_mw"].is_null());
}

TEST_F(EnergyRuns, HaveEveryDigit) {
  const std::string text = packets("[1, 6]", "channels: 1, buffer: 8", "0,0,3,1\n") + default_energy;
  energy_of(text + "units: {clock_ns: 123456789.123}\n");
  // 31,861,733 aJ, and 38,393,550 nW over 15 steps, rounded for each component.
  const std::string total = "71099166122.362082";
  const std::string written = read(scratch_.file("out/result.json"));
  EXPECT_NE(written.find("\"total_pj\": " + total + ","), std::string::npos) << written;
}

TEST_F(EnergyRuns, HaveTheSameBytesInAnyOrder) {
  expect_same_bytes_in_any_order(catalogue_,
                                 experiment("topology: mesh, shape: [5, 5]", "vc-wormhole, channels: 2, buffer: 4",
                                            "uniform, rate: 0.4, flits: 3, warmup: 20, measure: 100, drain: 500") +
                                     default_energy);
}

TEST_F(EnergyRuns, ChangeNothingElse) {
  const std::string text = experiment("topology: mesh, shape: [4, 4]", "vc-wormhole, channels: 2, buffer: 4");
  run(catalogue_, text, "out");
  Json without = result();
  run(catalogue_, text + default_energy, "out");
  Json with = result();
  EXPECT_EQ(with["experiment"]["energy"],
            Json::parse(R"({"table": "dsent-22", "width_bits": 128, "link_mm": 1, "terminal_mm": 0, "activity": 0.5,
                            "data": "average", "depth": 8, "vdd": 0.8, "temperature_k": 340,
                            "gating": "none", "window": 0,
                            "channel_allocator": true})"));
  with.erase("energy");
  with["experiment"].erase("energy");
  EXPECT_EQ(with, without);
}

/// Experiments of all kinds of nodes, of runs that complete and others.
std::vector<std::string> varied_experiments() {
  const auto of = [](const std::string& network, const std::string& routing, const std::string& traffic,
                     const std::string& more = default_energy) {
    return "schema: 1\nnetwork: {" + network + "}\nrouting: {algorithm: " + routing +
           "}\ntraffic: {pattern: " + traffic + "}\n" + more;
  };
  const std::string open_loop = "uniform, rate: 0.2, flits: 3, warmup: 20, measure: 100, drain: 500";
  return {
      of("topology: mesh, shape: [4, 4]", "vc-wormhole, channels: 2, buffer: 4", open_loop),
      of("topology: mesh, shape: [4, 4]", "vc-wormhole, channels: 2, buffer: 4", open_loop + ", self: false",
         "energy: {table: dsent-11, vdd: 0.5, temperature_k: 300, activity: 0.3, width_bits: 40, "
         "link_mm: {\"*_east\": 2, default: 0.5}, channel_allocator: false}\n"),
      of("topology: torus, shape: [4, 4]", "vc-wormhole, channels: 1, function: dimension-order-plain, buffer: 2",
         "tornado, flits: 30"),
      of("topology: concentrated-mesh, shape: [2, 2], concentration: 2, link_latency: 3, subnets: 2",
         "vc-wormhole, channels: 2", open_loop, "energy: {terminal_mm: 0.2}\nunits: {clock_ns: 0.7}\n"),
      of("topology: mesh, shape: [4, 4]", "vc-wormhole, channels: 2, buffers: {policy: shared, places: 8}",
         "transpose"),
      of("topology: mesh, shape: [4, 4]", "greedy", "uniform, rate: 0.3, warmup: 20, measure: 100, drain: 500"),
      of("topology: mesh, shape: [4, 4]", "greedy", "random-function", default_energy + "limits: {steps: 3}\n"),
      of("topology: torus, shape: [4, 4]", "deflection", "random-permutation"),
      of("topology: mesh, shape: [4, 4]", "offline-worms", "random-permutation, flits: 3"),
      of("topology: mesh, shape: [4, 4]", "vc-wormhole, channels: 1", "transpose, flits: 4",
         "faults: {errors: {flit: 0.1}}\n" + default_energy),
      of("topology: mesh, shape: [4, 4]", "vc-wormhole, channels: 1", open_loop,
         "faults: {errors: {flit: 0.05, recovery: end-to-end, timeout: 60}, losses: count}\n" + default_energy),
      of("topology: mesh, shape: [4, 4], link_latency: 2", "vc-wormhole, channels: 2, buffer: 4, function: legal-ways",
         open_loop,
         "faults: {lifetime: {cables: {mtbf: 300, mttr: 30}}, reroute: {after: 5, transition: flush}, losses: "
         "count}\n" +
             default_energy),
      of("topology: leaf-spine, leaves: 4, spines: 2, hosts: 3", "vc-wormhole, function: shortest, channels: 2",
         open_loop),
      of("topology: mesh, shape: [4, 4]",
         "vc-wormhole, channels: 2, buffer: 4, speedup: {input: 2, output: 2, internal: 2, fifo: 2}", open_loop),
      of("topology: mesh, shape: [4, 4]", "vc-wormhole, channels: 1, buffer: 8",
         "collective, op: broadcast, algorithm: multicast, flits: 16, chunk: 4"),
      of("topology: mesh, shape: [4, 4]", "three-phase", "random-permutation"),
  };
}

TEST_F(EnergyRuns, AreFoundByVerify) {
  for (const std::string& text : varied_experiments()) {
    status_of_run(catalogue_, text, "out");
    EXPECT_GT(result()["energy"]["counts"]["link"], 0) << text;
    EXPECT_EQ(verdict(), "") << text;
    const std::string rows = read(scratch_.file("out/energy.csv"));
    status_of_run(catalogue_, text, "fast", {"--no-referee", "--threads", "2"});
    EXPECT_EQ(read(scratch_.file("fast/energy.csv")), rows) << text;
  }
}

TEST_F(EnergyRuns, OfAFileAreVerifiedWithItsCopy) {
  std::string table = "schema: 1\nname: t\nsource: a test\nunits: {energy: aJ, power: nW, area: um2, length: mm}\n";
  for (const char* section :
       {"energy: {buffer_write: 1, buffer_read: 2, crossbar: 3, clock: 4, register: 5, link: 6, arbiter: 7}\n",
        "leakage: {buffer: 1, crossbar: 1, switch_allocator: 1, channel_allocator: 1, clock: 1, register: 1, link: "
        "1}\n",
        "area: {buffer: 1, crossbar: 1, switch_allocator: 1, channel_allocator: 1, clock: 1, register: 1, link: 1}\n"})
    table += section;
  scratch_.write("t.yaml", table);
  run(catalogue_, experiment("topology: mesh, shape: [3, 3]", "vc-wormhole") + "energy: {table: t.yaml}\n", "out");
  EXPECT_EQ(result()["energy"]["table"], "t");
  EXPECT_EQ(result()["experiment"]["energy"]["table"], "t.yaml");
  EXPECT_EQ(result()["experiment"]["energy"]["table_sha256"].get<std::string>().size(), 64u);
  std::filesystem::remove(scratch_.file("t.yaml"));
  EXPECT_EQ(verdict(), "");
  EXPECT_EQ(verdict_with("energy_table.yaml", "crossbar: 3", "crossbar: 4").substr(0, 38),
            "in result.json energy.total_pj is 0.00");
}

TEST_F(EnergyRuns, ThatAreDamagedAreFoundByVerify) {
  run(catalogue_, packets("[1, 6]", "channels: 1, buffer: 8", "0,0,3,1\n") + default_energy, "out");
  ASSERT_EQ(verdict(), "");
  const std::vector<std::pair<const char*, const char*>> damages = {
      {"\"total_pj\": 607.764983", "\"total_pj\": 607.764984"},
      {"\"dynamic_pj\": 31.8617", "\"dynamic_pj\": 31.8618"},
      {"\"leakage_pj\": 575", "\"leakage_pj\": 576"},
      {"\"link\": 9.05472", "\"link\": 9.05473"},
      {"\"clock\": 90", "\"clock\": 91"},
      {"\"route\": 4", "\"route\": 0"},
      {"\"per_packet_pj\": 607", "\"per_packet_pj\": 606"},
      {"\"per_flit_pj\": 31", "\"per_flit_pj\": 32"},
      {"\"per_bit_pj\": 4", "\"per_bit_pj\": 5"},
      {"\"power_mw\": 40", "\"power_mw\": 41"},
      {"\"edp_pj_ns\": 8", "\"edp_pj_ns\": 9"},
      {"\"total\": 49216.854", "\"total\": 49216.855"},
      {"    \"steps\": 15", "    \"steps\": 16"},
      {"    \"table\": \"dsent-22\",\n    \"steps\"", "    \"table\": \"dsent-32\",\n    \"steps\""},
      {"\"activity\": 0.5", "\"activity\": 0.6"},
      {"\"link_mm\": 1", "\"link_mm\": 2"},
      {"\"channel_allocator\": true", "\"channel_allocator\": false"},
      {"\"clock_ns\": 1", "\"clock_ns\": 2"}};
  for (const auto& [before, after] : damages)
    EXPECT_EQ(verdict_with("result.json", before, after).substr(0, 22), "in result.json energy.") << after;
  EXPECT_EQ(verdict_with("energy.csv", "router,node_r00_c01,1,,1,1", "router,node_r00_c01,1,,1,2"),
            "energy.csv:3: by the trace the line is "
            "router,node_r00_c01,1,,1,1,1,1,1,,,,15,1,4.688371,107.93787,9304.731,7.508416066666666");
  run(catalogue_, packets("[1, 6]", "channels: 1, buffer: 8", "0,0,3,1\n") + "energy: {window: 5}\n", "out");
  ASSERT_EQ(verdict(), "");
  EXPECT_EQ(verdict_with("energy_windows.csv", "10.777846", "10.777847").substr(0, 51),
            "energy_windows.csv:2: by the trace the line is 0,5,");
  EXPECT_NE(verdict_with("result.json", "\"peak_mw\": 40", "\"peak_mw\": 41"), "");
  EXPECT_NE(verdict_with("result.json", "\"window\": 5", "\"window\": 4"), "");
  EXPECT_EQ(verdict_with("energy.csv", "kind", "sort").substr(0, 43), "energy.csv:1: by the trace the line is kind");
  const std::string last = "link,link_r00_c05_west,5,3,,,,,,,0,0,,,0,0.466335,43.602,0.031089\n";
  EXPECT_EQ(verdict_with("energy.csv", last, last + "link\n"), "energy.csv:18: by the trace the file ends here");
  EXPECT_EQ(verdict_with("energy.csv", last, "").substr(0, 47), "energy.csv:17: by the trace the line is link,li");
  const auto fault = [&](const char* before, const char* after) {
    const std::string text = verdict_with("result.json", before, after);
    return text.substr(text.find("result.json"));
  };
  EXPECT_EQ(fault("\"width_bits\": 128", "\"width_bits\": 0"),
            "result.json: 'experiment.energy.width_bits' is out of range");
  EXPECT_EQ(fault("\"width_bits\": 128", "\"width_bits\": 2147483647"),
            "result.json: 'experiment.energy.width_bits' is out of range");
  EXPECT_EQ(fault("\"clock_ns\": 1", "\"clock_ns\": 1e300"),
            "result.json: 'experiment.units.clock_ns' is out of range");
  EXPECT_EQ(fault("    \"steps\": 15", "    \"steps\": 9223372036854775807"),
            "result.json: 'energy.steps' is out of range");
  EXPECT_EQ(fault("\"activity\": 0.5", "\"aktivity\": 0.5"), "result.json: 'experiment.energy.activity' is missing");
  EXPECT_EQ(fault("\"link_mm\": 1,", "\"link_mm\": {\"nix\": 1},"),
            "result.json: 'experiment.energy.link_mm' is wrong: nix matches no instance; names of links are such as "
            "link_r00_c00_east");
  EXPECT_EQ(
      fault("\"link_mm\": 1,", "\"link_mm\": {\"*\": -1},"),
      "result.json: 'experiment.energy.table' is wrong: link is negative, -2949, for a link of -1 mm, with flits of "
      "128 bits");
  EXPECT_EQ(fault("\"terminal_mm\": 0", "\"terminal_mm\": \"0\""),
            "result.json: 'experiment.energy.terminal_mm' is not a number");
}

TEST_F(EnergyRuns, AreRefusedWithPlaces) {
  const std::string mesh = experiment("topology: mesh, shape: [4, 4]", "vc-wormhole");
  const std::string line = mesh + "energy: ";
  EXPECT_EQ(
      refusal(catalogue_, line + "{table: dsent_22}\n"),
      "e.yaml:5:17: energy.table: dsent_22 is neither a file nor a built-in table (did you mean dsent-22?); these "
      "are dsent-45, dsent-32, dsent-22, dsent-11");
  EXPECT_EQ(refusal(catalogue_, line + "{link_mm: {default: -1, \"*\": many}, vdd: 1, temperature_k: 500, depth: 0}\n"),
            "e.yaml:5:29: energy.link_mm.default: a length from 0 to 1000 mm is expected, not -1\n"
            "e.yaml:5:38: energy.link_mm.*: a length from 0 to 1000 mm is expected, not \"many\"\n"
            "e.yaml:5:50: energy.vdd: 1 is out of range: 0.48 to 0.96 V with this table\n"
            "e.yaml:5:68: energy.temperature_k: 500 is out of range (250 to 400)\n"
            "e.yaml:5:80: energy.depth: 0 is out of range (1 to 4096)");
  EXPECT_EQ(
      refusal(catalogue_, line + "{link_mm: {\"link_r00_c00_eats\": 2, nix: 1}}\n"),
      "e.yaml:5:41: energy.link_mm: link_r00_c00_eats matches no instance; near: link_r00_c00_east, link_r00_c01_east, "
      "link_r00_c02_east\n"
      "e.yaml:5:49: energy.link_mm: nix matches no instance; names of links are such as link_r00_c00_east");
  EXPECT_EQ(refusal(catalogue_, line + "{gating: off, window: -1}\n"),
            "e.yaml:5:18: energy.gating: unknown gating off; known: none, idle\n"
            "e.yaml:5:31: energy.window: -1 is out of range (0 to 10^9)");
  EXPECT_EQ(refusal(catalogue_, experiment("topology: mesh, shape: [4, 4]", "vc-wormhole, channels: 1, buffer: 8",
                                           "collective, op: broadcast, algorithm: multicast, flits: 16, chunk: 4") +
                                    "energy: {gating: idle}\n"),
            "e.yaml:5:18: energy.gating: idle does not know when the last copy of a packet to several destinations "
            "leaves a router; leave it out");
  EXPECT_EQ(refusal(catalogue_, experiment("topology: pops, groups: 4, group_size: 4", "randomized") + default_energy),
            "e.yaml:5:1: energy: pops has couplers, whose parts are those of optics; use optics");
  EXPECT_EQ(refusal(catalogue_,
                    experiment("topology: mesh, shape: [4, 4], clocks: {a: 1, b: 2}", "vc-wormhole") + default_energy),
            "e.yaml:5:1: energy: a network of several clocks has no energy; leave energy or network.clocks out");
  EXPECT_EQ(refusal(catalogue_, experiment("topology: mesh, shape: [4, 4]", "multistage", "random-permutation") +
                                    "model: message\n" + default_energy),
            "e.yaml:6:1: energy: model: message has no hardware whose events can be counted; use model: netlist");
}

TEST_F(EnergyRuns, NameFormulasThatAreNegativeForARouter) {
  scratch_.write(
      "bad.yaml",
      "schema: 1\nname: t\nsource: a test\nunits: {energy: aJ, power: nW, area: um2, length: mm}\n"
      "energy: {buffer_write: {W: 3}, buffer_read: 1, crossbar: 1, clock: {1: 10, P: -3}, register: 1, link: 1,\n"
      "  arbiter: 1}\n"
      "leakage: {buffer: {1: -1}, crossbar: 1, switch_allocator: 1, channel_allocator: 1, clock: 1, register: "
      "1, link: 1}\n"
      "area: {buffer: 1, crossbar: 1, switch_allocator: 1, channel_allocator: 1, clock: 1, register: 1, link: "
      "1}\n");
  const std::string mesh = experiment("topology: mesh, shape: [4, 4]", "vc-wormhole, channels: 1");
  EXPECT_EQ(
      refusal(catalogue_, mesh + "energy: {table: bad.yaml, vdd: 1}\n"),
      "e.yaml:5:32: energy.vdd: the table does not name its own (conditions.vdd), so its numbers cannot be scaled; "
      "leave vdd out, or add it to the table");
  const std::string found = refusal(catalogue_, mesh + "energy: {table: bad.yaml}\n");
  EXPECT_NE(found.find("bad.yaml:5:68: energy.clock is negative, -2, for a router of 4 ports"), std::string::npos)
      << found;
  EXPECT_NE(found.find("bad.yaml:7:19: leakage.buffer is negative, -1, for a router of 3 ports"), std::string::npos)
      << found;
}

TEST_F(EnergyRuns, WarnOfSizesThatTheTableIsNotKnownFor) {
  testing::internal::CaptureStderr();
  energy_of(experiment("topology: mesh, shape: [1, 4]", "vc-wormhole, channels: 16, buffer: 4") + default_energy);
  const std::string warnings = testing::internal::GetCapturedStderr();
  for (const char* text : {"for P from 3 to 10, not for 2", "for V from 1 to 8, not for 16"})
    EXPECT_NE(warnings.find(text), std::string::npos) << warnings;
  EXPECT_EQ(warnings.find("for W"), std::string::npos);
  EXPECT_EQ(warnings.find("for N"), std::string::npos) << warnings;
}

}  // namespace
}  // namespace starloom
