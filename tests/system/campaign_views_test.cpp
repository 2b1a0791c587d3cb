// SPDX-License-Identifier: Apache-2.0
// `plot:` and `table:` of a campaign: the written files, and the errors.
#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "support/xml.hpp"
#include "system/campaign_support.hpp"

namespace starloom {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

class CampaignViews : public CampaignTest {
 protected:
  /// Two networks, two patterns, four loads, of which the last is too much for transpose; with these lines behind
  /// line 12.
  void write(const std::string& views) const {
    scratch_.write("c.yaml",
                   "schema: 1\nname: test\nbase:\n  schema: 1\n  network: {topology: mesh, shape: [4, 4]}\n"
                   "  routing: {algorithm: vc-wormhole, channels: 2, buffer: 4}\n"
                   "  traffic: {pattern: uniform, rate: 0.1, warmup: 100, measure: 300, drain: 300}\n"
                   "axes: {network.topology: [mesh, torus], traffic.pattern: [uniform, transpose], traffic.rate: [0.1, "
                   "0.2, 0.3, 0.8]}\nruns: 2\n"
                   "keep: [latency.mean, latency.p99, throughput.accepted, steps]\n\n\n" +
                       views);
  }
  /// Runs the campaign and its report.
  void report() const {
    ASSERT_EQ(starloom("campaign c.yaml").status, 0);
    const ProgramRun run = starloom("report c.yaml");
    ASSERT_EQ(run.status, 0) << run.err;
    ASSERT_EQ(run.err, "");
  }
  std::string file(const std::string& name) const { return scratch_.read("out/c/" + name); }
  static std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
  }
};

TEST_F(CampaignViews, LatencyAgainstLoad) {
  write("plot: [{x: traffic.rate, y: latency.mean, format: [svg, png, pdf]}]\n");
  report();
  EXPECT_EQ(file("latency_mean.png").substr(0, 8), "\x89PNG\r\n\x1a\n");
  EXPECT_EQ(file("latency_mean.pdf").substr(0, 5), "%PDF-");
  std::vector<std::string> texts;
  const XmlElement svg = parse_xml(file("latency_mean.svg"));
  for (const XmlElement* text : svg.all("text")) texts.push_back(text->text);
  for (const char* text : {"mean latency (steps)", "rate (flits per processor and step)", "mesh, uniform",
                           "torus, transpose", "saturated"})
    EXPECT_THAT(texts, testing::Contains(text));
  // A block of means for each curve, cut where runs do not complete, and a mark there.
  const std::string script = file("latency_mean.gp");
  EXPECT_EQ(count(script, " << END\n"), 4U);
  EXPECT_EQ(count(script, "\n0.3 "), 4U);
  EXPECT_EQ(count(script, "set label '' at first 0.8,"), 4U - count(script, "\n0.8 "));
  EXPECT_GE(count(script, "set label '' at first 0.8,"), 2U);
  EXPECT_FALSE(exists("out/c/steps.svg"));
  EXPECT_THAT(file("report.md"), HasSubstr("![latency_mean](latency_mean.svg)"));
}

TEST_F(CampaignViews, AxesLogarithmsRangesAndFigures) {
  write(
      "plot:\n"
      "  - {x: throughput.accepted, y: latency.mean, series: network.topology, log: [x, y], range: {x: [0.05, 1], y: "
      "[10, "
      "200]}, format: svg}\n"
      "  - {y: [latency.mean, latency.p99, throughput.accepted], until: end, format: svg}\n"
      "  - {y: latency.mean, x: traffic.pattern, format: svg}\n"
      "  - {x: traffic.rate, y: [latency.mean, throughput.accepted], format: svg}\n");
  report();
  const std::string over = file("latency_mean.gp");
  for (const char* line : {"set logscale x\n", "set logscale y\n", "set xrange [0.05:1]\n", "set yrange [10:200]\n",
                           "set xlabel 'accepted throughput (flits per processor and step)'\n"})
    EXPECT_THAT(over, HasSubstr(line));
  // Curves run along the load; the two networks have two colours, the patterns two dashes.
  EXPECT_EQ(count(over, "with linespoints"), 4U);
  for (const char* style :
       {"lc rgb '#0072b2' dt 1 lw", "lc rgb '#0072b2' dt 2 lw", "lc rgb '#d55e00' dt 1 lw", "lc rgb '#d55e00' dt 2 lw"})
    EXPECT_EQ(count(over, style), 1U) << style;
  const std::string both = file("latency_mean_and_latency_p99_and_throughput_accepted.gp");
  EXPECT_THAT(both, HasSubstr("set ylabel 'mean latency, p99 latency'.\"\\n\".'(steps)'\nset border"));
  EXPECT_THAT(both, HasSubstr("set y2label 'accepted throughput'.\"\\n\".'(flits per processor and step)'\n"));
  EXPECT_EQ(count(both, "axes x1y2 with linespoints"), 4U);
  // Intervals of two runs reach below 0; the axis does not.
  EXPECT_THAT(both, HasSubstr("set yrange [0:"));
  EXPECT_EQ(count(both, "with linespoints lc"), 12U);
  EXPECT_THAT(both, HasSubstr("title 'not completed'"));
  EXPECT_THAT(both, Not(HasSubstr("saturated")));
  // Latencies end where runs do not complete, throughput in the same picture continues, with marks; the legend has
  // space of its own.
  const std::string beside = file("latency_mean_and_throughput_accepted.gp");
  EXPECT_THAT(beside, HasSubstr(",graph 0.98 point pt 8"));
  EXPECT_THAT(beside, HasSubstr("title 'saturated'"));
  EXPECT_THAT(beside, HasSubstr("title 'not completed'"));
  EXPECT_THAT(beside, Not(HasSubstr(",second ")));
  EXPECT_THAT(beside, HasSubstr("set terminal svg noenhanced size 840,715 "));  // ten entries
  EXPECT_THAT(over, HasSubstr("set terminal svg noenhanced size 840,510 "));
  const std::string bars = file("latency_mean-2.gp");
  EXPECT_THAT(bars, HasSubstr("set xtics scale 0 ('uniform' 0, 'transpose' 1)\n"));
  EXPECT_EQ(count(bars, "with boxes"), 8U);
}

// A point for each point of the campaign, and a line through those that none beats and that completed.
TEST_F(CampaignViews, Pareto) {
  scratch_.write("c.yaml",
                 "schema: 1\nname: test\nbase:\n  schema: 1\n  network: {topology: mesh, shape: [4, 4]}\n"
                 "  routing: {algorithm: vc-wormhole}\n"
                 "  traffic: {pattern: uniform, rate: 0.6, flits: 4, warmup: 100, measure: 300, drain: 300}\n"
                 "  energy: {}\n"
                 "axes: {routing.channels: [1, 2, 4], routing.buffer: [2, 4, 8]}\nruns: 2\n"
                 "keep: [latency.mean, energy.per_packet_pj]\n"
                 "plot:\n  - {x: latency.mean, y: energy.per_packet_pj, pareto: true, format: svg}\n"
                 "  - {x: latency.mean, y: energy.per_packet_pj, series: routing.channels, pareto: true, until: "
                 "end, log: x, format: svg}\n"
                 "  - {x: latency.mean, y: energy.per_packet_pj, pareto: false, format: svg}\n");
  report();
  const std::string script = file("energy_per_packet_pj.gp");
  // Three routers do not carry the load, one of which would be part of the front.
  std::istringstream csv(file("points.csv"));
  std::map<std::string, std::vector<double>> means;
  for (std::string line; std::getline(csv, line);) {
    std::vector<std::string> cells(1);
    for (const char c : line)
      if (c == ',') cells.emplace_back();
      else cells.back() += c;
    if (cells[0] != "routing.channels" && cells.back() == "0")
      means[cells[0] + " " + cells[1]].push_back(std::stod(cells[4]));
  }
  ASSERT_EQ(means.size(), 6U);
  std::vector<std::vector<double>> front;
  for (const auto& [point, mean] : means)
    if (std::none_of(means.begin(), means.end(), [&mean = mean](const auto& other) {
          return other.second[0] < mean[0] && other.second[1] < mean[1];
        }))
      front.push_back(mean);
  ASSERT_EQ(front.size(), 3U);
  std::sort(front.begin(), front.end());
  // Numbers of both files have their own digits.
  std::istringstream drawn(script.substr(script.find("$front << END\n") + 14));
  for (const auto& mean : front) {
    double x = 0, y = 0, low = 0, high = 0;
    drawn >> x >> y >> low >> high;
    EXPECT_NEAR(x, mean[0], 1e-3 * mean[0]);
    EXPECT_NEAR(y, mean[1], 1e-3 * mean[1]);
  }
  std::string end;
  EXPECT_EQ((drawn >> end, end), "END");
  EXPECT_EQ(count(script, "set label 'channels "), means.size());
  EXPECT_EQ(count(script, " right offset -0.7,-0.5 tc rgb '#000000' front\n"), front.size());
  EXPECT_THAT(script, HasSubstr("with lines lc rgb '#666666' lw 1.5 title 'Pareto front'"));
  EXPECT_THAT(script, HasSubstr("set xlabel 'mean latency (steps)'\nset ylabel 'energy per packet (pJ)'\n"));
  EXPECT_THAT(script, HasSubstr("title 'saturated: 3, not shown'"));
  EXPECT_THAT(script, Not(HasSubstr("linespoints")));
  // Labels name what the legend does not.
  const std::string channels = file("energy_per_packet_pj-2.gp");
  EXPECT_THAT(channels, HasSubstr("title 'channels 1'"));
  EXPECT_EQ(count(channels, "set label 'buffer "), 9U);
  const auto front_of = [](const std::string& text) {
    const std::size_t at = text.find("$front << END\n");
    return text.substr(at, text.find("\nEND\n", at) - at);
  };
  EXPECT_EQ(front_of(channels), front_of(script));
  EXPECT_EQ(count(channels, "$lost"), 2 * 2U);  // a block and its circles for one channel and for two
  EXPECT_THAT(channels, HasSubstr("title 'not completed'"));
  EXPECT_THAT(channels, Not(HasSubstr("saturated")));
  EXPECT_THAT(file("energy_per_packet_pj-3.gp"), Not(HasSubstr("Pareto")));
  EXPECT_THAT(file("energy_per_packet_pj-3.gp"), HasSubstr("linespoints"));
}

// Names of metrics contain their units in various places; labels have them in parentheses.
TEST_F(CampaignViews, LabelsOfOptics) {
  scratch_.write("c.yaml",
                 "schema: 1\nname: test\nbase:\n  schema: 1\n  model: message\n"
                 "  network: {topology: pops, groups: 2, group_size: 4}\n  routing: {algorithm: offline}\n"
                 "  traffic: {pattern: random-permutation}\n  optics: {transmitter: parts}\n"
                 "axes: {optics.launch_dbm: [0, 3]}\nruns: 1\n"
                 "keep: [optics.energy_pj_per_packet, optics.margin_db, optics.parts.laser_pj]\n");
  report();
  EXPECT_THAT(file("optics_energy_pj_per_packet.gp"), HasSubstr("set ylabel 'energy per packet (pJ)'"));
  EXPECT_THAT(file("optics_margin_db.gp"), HasSubstr("set ylabel 'margin (dB)'"));
  EXPECT_THAT(file("optics_parts_laser_pj.gp"), HasSubstr("set ylabel 'laser energy (pJ)'"));
}

// Without `plot` there is a picture of every figure, as bars if the axes have words only.
TEST_F(CampaignViews, Defaults) {
  write("");
  report();
  for (const char* name : {"latency_mean", "latency_p99", "throughput_accepted", "steps"})
    for (const char* format : {".svg", ".png"}) EXPECT_TRUE(exists("out/c/" + std::string(name) + format)) << name;
  EXPECT_THAT(file("latency_mean.gp"), HasSubstr("'saturated'"));
  EXPECT_THAT(file("throughput_accepted.gp"), HasSubstr("'not completed'"));
  EXPECT_FALSE(exists("out/c/latency_mean.pdf"));
  scratch_.write("c.yaml", "schema: 1\n" + std::string(campaign_base) +
                               "axes: {routing.discipline: [fifo, furthest-origin]}\nruns: 2\nkeep: [steps]\n");
  report();
  EXPECT_EQ(count(file("steps.gp"), "with boxes"), 1U);
}

// The eighth colour is the first again; two figures have two dashes. From the 31st dash on, lines are thicker. Bars
// have no dashes, so they are lighter.
TEST_F(CampaignViews, TellCurvesApart) {
  scratch_.write("c.yaml", "schema: 1\nname: test\n" + std::string(campaign_base) +
                               "axes: {seed: {from: 1, to: 30}, network.shape: [[4, 4], [6, 6]], routing.discipline: "
                               "[fifo, furthest-origin]}\nruns: 1\nkeep: [latency.mean, latency.max]\n"
                               "plot: [{x: network.shape, y: [latency.mean, latency.max], series: seed},\n"
                               "       {x: network.shape, y: [latency.mean, latency.max], series: routing.discipline, "
                               "format: svg},\n"
                               "       {x: routing.discipline, y: latency.mean}]\n");
  report();
  const auto different = [this](const std::string& name, const std::string& begin, const std::string& end) {
    std::set<std::string> styles;
    const std::string script = file(name);
    for (std::size_t at = script.find(begin); at != std::string::npos; at = script.find(begin, at + 1))
      styles.insert(script.substr(at, script.find(end, at) - at));
    return styles.size();
  };
  for (const char* name : {"latency_mean_and_latency_max.gp", "latency_mean_and_latency_max-2.gp"})
    EXPECT_EQ(different(name, "with linespoints lc", " title"), 2U * 2 * 30) << name;
  EXPECT_EQ(different("latency_mean.gp", "with boxes lc", " noborder"), 2U * 30);
}

TEST_F(CampaignViews, NameSectionsByWhatTellsThemApart) {
  const auto names = [this](const std::string& axis) {
    scratch_.write("c.yaml",
                   "schema: 1\nname: test\nbase:\n  schema: 1\n  network: {topology: mesh, shape: [4, 4]}\n"
                   "  routing: {algorithm: vc-wormhole}\n  traffic: {pattern: uniform, rate: 0.1}\naxes:\n  " +
                       axis + "\nruns: 1\nkeep: [latency.mean]\n");
    report();
    return file("latency_mean.gp");
  };
  const std::string two =
      "traffic:\n    - {pattern: hot-spot, rate: 0.1, measure: 20, targets: [0, 5]}\n"
      "    - {pattern: hot-spot, rate: 0.1, measure: 20, targets: [1, 2, 3, 4, 5, 6, 7, 8]}\n";
  const std::string level = names(two);
  EXPECT_THAT(level,
              HasSubstr("set xtics scale 0 ('targets 0, 5' 0, 'targets 1, 2, 3, 4, 5, 6 and 2'.\"\\n\".'more' 1)\n"));
  EXPECT_THAT(level, HasSubstr("set xlabel \"\\n\".'traffic'\n"));
  EXPECT_THAT(level, HasSubstr("set terminal svg noenhanced size 840,530 "));
  const std::string slanted = names("traffic.pattern: [uniform, transpose, bit-complement, bit-reversal, shuffle]");
  EXPECT_THAT(slanted, HasSubstr("'bit-reversal' 3, 'shuffle' 4) rotate by -30\n"));
  EXPECT_THAT(slanted, HasSubstr("set terminal svg noenhanced size 840,510 "));
  const std::string upright =
      names(two +
            "    - {pattern: hot-spot, rate: 0.1, measure: 20, targets: [1, 2, 3, 4, 5, 6, 7, 9]}\n"
            "    - {pattern: uniform, rate: 0.1, measure: 20, flits: {uniform: [1, 1]}}\n"
            "    - {pattern: bit-complement, rate: 0.1, measure: 20}\n");
  EXPECT_THAT(upright, HasSubstr("unset xtics\nset label 'hot-spot, targets 0, 5' at first 0,graph 0 rotate by -90 "));
  EXPECT_THAT(upright, HasSubstr("set label 'hot-spot, targets 1, 2, 3, 4, 5, 6 and 2 more' at first 1,"));
  EXPECT_THAT(upright, HasSubstr("set label 'hot-spot, targets 1, 2, 3, 4, 5, 6 and 2 more (no. 2)' at first 2,"));
  EXPECT_THAT(upright, HasSubstr("set label 'uniform, flits uniform 1, 1' at first 3,"));
  EXPECT_THAT(upright, HasSubstr("set terminal svg noenhanced size 840,961 "));  // 53 letters are 22 lines
}

TEST_F(CampaignViews, Tables) {
  write(
      "table:\n"
      "  - {rows: traffic.rate, columns: [network.topology, traffic.pattern], figure: latency.mean, format: [markdown, "
      "csv, "
      "latex]}\n"
      "  - {rows: [network.topology, traffic.rate], columns: traffic.pattern, figure: steps}\n");
  report();
  const std::string csv = file("table_latency_mean.csv");
  EXPECT_THAT(csv,
              testing::StartsWith(
                  "rate (flits per processor and step),\"mesh, uniform\",\"lost: mesh, uniform\",\"mesh, transpose\","
                  "\"lost: mesh, transpose\",\"torus, uniform\",\"lost: torus, uniform\",\"torus, transpose\",\"lost: "
                  "torus, transpose\"\n0.1,"));
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 5);
  // The same means as in points.csv.
  const std::string points = file("points.csv"), head = "mesh,uniform,0.1,latency.mean,2,";
  const std::size_t at = points.find(head);
  ASSERT_NE(at, std::string::npos);
  const std::string mean = points.substr(at + head.size(), points.find(',', at + head.size()) - at - head.size());
  EXPECT_THAT(csv, HasSubstr("\n0.1," + mean + ",0,"));
  EXPECT_THAT(csv, ContainsRegex("\n0.8,([0-9.]+,[0-2],)*[0-9.]+,2"));
  const std::string markdown = file("table_latency_mean.md");
  EXPECT_THAT(markdown,
              testing::StartsWith("mean latency (steps) by topology, pattern:\n\n| rate (flits per processor and "
                                  "step) | mesh, uniform | mesh, transpose |"));
  EXPECT_THAT(markdown, ContainsRegex("\n[|] 0.8 .* [|] [0-9.]+ [^0-9]+ [0-9.]+\\\\[*] "));
  EXPECT_THAT(markdown, HasSubstr("\n\\* not all runs completed; latencies are those of delivered packets\n"));
  EXPECT_THAT(file("report.md"), HasSubstr(markdown));
  const std::string latex = file("table_latency_mean.tex");
  EXPECT_THAT(latex, testing::StartsWith("\\begin{tabular}{lrrrr}\n\\toprule\n"));
  for (const char* part : {"\\midrule\n", "\\bottomrule\n", "\\end{tabular}\n", " \\pm ", "$^{*}$"})
    EXPECT_THAT(latex, HasSubstr(part));
  EXPECT_EQ(count(file("table_steps.md"), "\n| mesh "), 4U);
}

// A run that did not deliver is not a winner: its outcome replaces the mean that it does not have.
TEST_F(CampaignViews, OutcomesStandBesideEveryRow) {
  scratch_.write("c.yaml",
                 "schema: 1\n" + std::string(campaign_base) +
                     "axes: {limits.steps: [2, 1000], routing.discipline: [fifo, furthest-origin]}\nruns: 2\n"
                     "keep: [steps]\ntable: [{rows: limits.steps, columns: routing.discipline, figure: steps}]\n");
  EXPECT_EQ(starloom("campaign c.yaml").status, 4);
  const ProgramRun run = starloom("report c.yaml");
  EXPECT_EQ(run.status, 0);
  EXPECT_THAT(run.out, HasSubstr("| limits.steps | routing.discipline | figure | runs | outcomes     | mean |"));
  EXPECT_THAT(run.out, HasSubstr("| 2            | fifo               | steps  | 0    | 2 step-limit |      |"));
  EXPECT_THAT(run.out,
              ContainsRegex("[|] 1000         [|] fifo               [|] steps  [|] 2    [|] 2 completed  [|] "));
  EXPECT_THAT(run.out, HasSubstr("| 2     | 2 step-limit | 2 step-limit    |\n"));
}

TEST_F(CampaignViews, Refuses) {
  const auto refused = [this](const std::string& views, const std::string& message) {
    write(views);
    for (const char* words : {"campaign c.yaml", "report c.yaml"}) refuses(words, 2, message);
  };
  refused("plot: {y: steps}\n", "c.yaml:13:7: plot: a list is expected, not a section");
  refused("plot: [{x: traffic.rte, y: steps}]\n",
          "c.yaml:13:12: plot: x: traffic.rte is neither an axis nor a stored metric (did you mean traffic.rate?)");
  refused("plot: [{x: traffic.rate}]\n", "c.yaml:13:8: plot: y is missing (a stored metric)");
  refused("plot: [{y: queue.max}]\n",
          "c.yaml:13:12: plot: y: queue.max is not a stored metric (keep): latency.mean, latency.p99, "
          "throughput.accepted, steps");
  refused("plot: [{y: stepz}]\n", "c.yaml:13:12: plot: y: stepz: result.json has no such metric (did you mean steps?)");
  refused("plot: [{y: steps, serie: seed}]\n", "c.yaml:13:19: unknown key plot.serie (did you mean plot.series?)");
  refused("plot: [{y: steps, series: seed}]\n", "c.yaml:13:27: plot: series: seed is not an axis of this campaign");
  refused("plot: [{y: steps, log: [z], until: now, format: gif}]\n",
          "c.yaml:13:25: plot: log: z is not one of x, y\n"
          "c.yaml:13:36: plot: until: now is not one of saturation, end\n"
          "c.yaml:13:49: plot: format: gif is not one of svg, png, pdf");
  refused("plot: [{y: steps, x: traffic.pattern, log: x}]\n",
          "c.yaml:13:44: plot: log: the axis traffic.pattern is not numeric");
  refused("plot: [{y: steps, range: {y: [3, 1]}}]\n",
          "c.yaml:13:30: plot: range: two numbers [low, high] are expected");
  refused("plot: [{y: steps, log: y, range: {y: [0, 1]}}]\n",
          "c.yaml:13:38: plot: range: two numbers [low, high] are expected, above 0 on a log axis");
  refused("plot: [{y: steps, pareto: yes}]\n", "c.yaml:13:27: plot: pareto: true or false is expected, not \"yes\"");
  refused("plot: [{y: steps, pareto: true}]\n",
          "c.yaml:13:8: plot: x: a Pareto front is that of two metrics, x and y; name a stored metric");
  refused("plot: [{x: traffic.rate, y: [steps, latency.mean], pareto: true}]\n",
          "c.yaml:13:12: plot: x: a Pareto front is that of two metrics, x and y; name a stored metric\n"
          "c.yaml:13:29: plot: y: a Pareto front is that of two metrics, x and y; write one metric");
  refused("table: [{rows: traffic.rate, columns: network.topology, figure: steps}]\n",
          "c.yaml:13:9: table: a cell shows one point; add to rows or columns: traffic.pattern");
  refused("table: [{rows: traffic.rate, figure: [steps, latency.mean]}]\n",
          "c.yaml:13:9: table: columns is missing (an axis or a list of axes)\n"
          "c.yaml:13:38: table: figure: a table shows one metric; write one table per metric");
  refused("table: [steps]\n", "c.yaml:13:9: table: a section is expected, not \"steps\"");
}

}  // namespace
}  // namespace starloom
