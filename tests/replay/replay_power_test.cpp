// SPDX-License-Identifier: Apache-2.0
// The power in the page of `replay` is that of energy.csv and energy_windows.csv.
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <starloom/commands/known_entries.hpp>
#include <starloom/inspection/links/replay.hpp>
#include <starloom/inspection/links/run_files.hpp>
#include <starloom/trace_io/find_trace.hpp>
#include <starloom/trace_io/links/trace_reader.hpp>
#include <starloom/verify/links/power_windows.hpp>
#include "cli/child_run.hpp"
#include "page_numbers.hpp"
#include "probes/probe_catalogue.hpp"
#include "support/scenario_files.hpp"

namespace starloom {
namespace {

using Cells = std::vector<std::string>;

struct PageWindow {
  Step from, to;
  std::vector<std::int64_t> powers;  ///< nW, of nodes and then of links
  double all() const {
    double sum = 0;
    for (const std::int64_t power : powers) sum += static_cast<double>(power);
    return sum / 1e6;
  }
};

class ReplayPower : public ChildTest {
 protected:
  void run(const std::string& scenario, const std::string& options = "") const {
    EXPECT_EQ(
        starloom("run '" + scenario_file(scenario).string() + "' --trace --quiet --force --out out " + options).status,
        0);
  }
  ReplayContent content(TraceWindow window = {}) const {
    return links::replay_content(scratch_.file("out"), known(), window);
  }
  static KnownEntries known() {
    static const Catalogue catalogue = probe_catalogue();
    return known_entries(catalogue);
  }
  std::vector<Cells> rows(const std::string& file) const {
    std::ifstream in(scratch_.file("out/" + file));
    std::vector<Cells> rows;
    for (std::string line, cell; std::getline(in, line);) {
      rows.emplace_back();
      for (std::istringstream cells(line); std::getline(cells, cell, ',');) rows.back().push_back(cell);
    }
    if (!rows.empty()) rows.erase(rows.begin());
    return rows;
  }

  const double rounding = 0.500001e-6;  ///< mW, of a number of the page; some are halves
};

std::vector<PageWindow> windows_of(const ReplayContent& content) {
  PageNumbers numbers(content, "power");
  const std::size_t count = content.facts["nodes"].size() + content.facts["links"].size() / 6;
  std::vector<PageWindow> windows;
  Step end = 0;
  std::vector<std::int64_t> last(count, 0);
  for (std::int64_t left = content.facts["power"].get<std::int64_t>(); left > 0; --left) {
    const Step from = end + numbers.number();
    end = from + numbers.number();
    for (std::int64_t& power : last) power += numbers.difference();
    windows.push_back({from, end, last});
  }
  EXPECT_TRUE(numbers.done());
  return windows;
}

TEST_F(ReplayPower, WithoutWindowsIsThatOfEachRouterAndLink) {
  for (const char* const scenario :
       {"energy_uniform", "energy_gating", "energy_torus", "energy_greedy", "energy_deflection", "energy_worm"}) {
    run(scenario, "--set energy.window=0");
    const std::vector<PageWindow> windows = windows_of(content());
    ASSERT_EQ(windows.size(), 1U) << scenario;
    const std::vector<Cells> use = rows("energy.csv");
    ASSERT_EQ(use.size(), windows[0].powers.size()) << scenario;
    for (std::size_t i = 0; i < use.size(); ++i)
      EXPECT_NEAR(static_cast<double>(windows[0].powers[i]) / 1e6, std::stod(use[i].back()), rounding)
          << scenario << ' ' << use[i][1];
  }
}

TEST_F(ReplayPower, OfWindowsIsThatOfTheNetwork) {
  run("energy_uniform", "--set energy.window=30");
  const std::vector<PageWindow> windows = windows_of(content());
  const std::vector<Cells> known_windows = rows("energy_windows.csv");
  ASSERT_GT(known_windows.size(), 3U);
  ASSERT_EQ(windows.size(), known_windows.size());
  for (std::size_t i = 0; i < windows.size(); ++i) {
    EXPECT_EQ(std::to_string(windows[i].from), known_windows[i][0]);
    EXPECT_EQ(std::to_string(windows[i].to), known_windows[i][1]);
    EXPECT_NEAR(windows[i].all(), std::stod(known_windows[i][4]),
                rounding * static_cast<double>(windows[i].powers.size()));
  }

  // A page of a part has the windows that are shown in it.
  const Step from = windows[1].from + 1, to = windows[2].from + 1;
  const std::vector<PageWindow> part = windows_of(content({from, to}));
  ASSERT_EQ(part.size(), 2U);
  for (std::size_t i = 0; i < part.size(); ++i) {
    EXPECT_EQ(part[i].from, windows[i + 1].from);
    EXPECT_EQ(part[i].powers, windows[i + 1].powers);
  }
}

TEST_F(ReplayPower, OfLargeRunsHasLongerWindows) {
  run("energy_gating", "--set energy.window=2");
  const std::vector<Cells> known_windows = rows("energy_windows.csv");
  const links::RunFiles run = links::read_run_files(scratch_.file("out"), known());
  const ResultDocument result(scratch_.file("out/result.json"));
  const NetworkGraph& graph = run.network.graph;
  const auto numbers = graph.nodes() + static_cast<std::int64_t>(graph.link_slots());
  const std::int64_t most = 4;
  links::PowerWindows windows(run.folder, result, graph, run.rules, run.measured_from, most * numbers);
  links::TraceReader trace(find_trace(run.folder), links::SubnetRows(graph), &run.packets.packets);
  for (std::vector<links::TraceRow> of_one_step; trace.next(of_one_step);) windows.rows(of_one_step);
  const std::vector<links::PowerWindow> list = windows.finish();
  ASSERT_GT(known_windows.size(), 4U);
  EXPECT_LE(list.size(), 4U);
  EXPECT_GE(list.size(), 2U);
  std::size_t next = 0;
  for (const links::PowerWindow& window : list) {
    double nw_steps = 0, mw_steps = 0;
    for (const auto* const powers : {&window.routers, &window.links})
      for (const std::int64_t power : *powers) nw_steps += static_cast<double>(power * (window.to - window.from));
    EXPECT_EQ(std::to_string(window.from), known_windows[next][0]);
    for (; next < known_windows.size() && std::stoll(known_windows[next][1]) <= window.to; ++next)
      mw_steps +=
          std::stod(known_windows[next][4]) * (std::stod(known_windows[next][1]) - std::stod(known_windows[next][0]));
    EXPECT_NEAR(nw_steps / 1e6, mw_steps, rounding * static_cast<double>(numbers * (window.to - window.from)));
  }
  EXPECT_EQ(next, known_windows.size());
}

/// A damaged number of steps does not make a window of each step of the trace.
TEST_F(ReplayPower, EndsWithTheMeasuredSteps) {
  run("energy_gating", "--set energy.window=1");
  const std::filesystem::path file = scratch_.file("out/result.json");
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  std::string result = text.str();
  const std::string steps = "\"steps\": 15";
  ASSERT_NE(result.find(steps), std::string::npos);
  result.replace(result.find(steps), steps.size(), "\"steps\": 3");
  std::ofstream(file) << result;
  const std::vector<PageWindow> windows = windows_of(content());
  ASSERT_EQ(windows.size(), 3U);
  EXPECT_EQ(windows.back().to, 3);
}

TEST_F(ReplayPower, IsOnlyInPagesOfWholeTracesWithEnergy) {
  run("demo");
  EXPECT_FALSE(content().facts.contains("power"));
  run("energy_uniform", "--waves --set energy.window=30");
  EXPECT_GT(content().facts["power"], 3);  // waves have reals
  EXPECT_EQ(starloom("run '" + scenario_file("energy_uniform").string() + "' --trace 150:200 --quiet --force --out out")
                .status,
            0);
  EXPECT_FALSE(content().facts.contains("power"));
}

}  // namespace
}  // namespace starloom
