// SPDX-License-Identifier: Apache-2.0
/// \file Runs with a rate for every pair: what `check` computes from the rates, and what the networks do with them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include <starloom/run/standard_catalogue.hpp>
#include "unit/catalogue_runs.hpp"

namespace starloom {
namespace {

using testing::HasSubstr;
using testing::Not;

class RateMatrixRuns : public CatalogueRuns {
 protected:
  /// On a mesh of 1 x 4 nodes.
  std::string on_line(const std::string& rows, const std::string& traffic = "measure: 4000",
                      const std::string& routing = "vc-wormhole, channels: 2, buffer: 4") const {
    scratch_.write("rates.csv", rows);
    return experiment("topology: mesh, shape: [1, 4]", routing,
                      "matrix, file: rates.csv, warmup: 500, drain: 2000, " + traffic);
  }
  std::string check(const std::string& text) const { return check_of(standard_catalogue(), text); }
  std::string refused(const std::string& text) const { return refusal(standard_catalogue(), text); }
};

const std::string rows =
    "source,destination,rate,flits,from,to\n"
    "node_r00_c00,3,0.2,,,\n"
    "1,3,0.4,4,,\n"
    "3,0,0.5,2,2500,\n"
    "2,2,0.25,,,\n";

TEST_F(RateMatrixRuns, GiveTheSameBytesInAnyOrder) {
  expect_same_bytes_in_any_order(standard_catalogue(), on_line(rows));
}

TEST_F(RateMatrixRuns, LoadsAreThoseOfTheMeasurementPhase) {
  const std::string text = on_line(rows);
  // 0.2 + 0.4 over two links; 0.5 in half of the phase over three; 0.2 over one.
  EXPECT_THAT(check(text), HasSubstr("link load     mean 0.3583, max 0.6 flits per step over link_r00_c01_east, "
                                     "full at scale 1.667"));
  EXPECT_THAT(check(text), HasSubstr("traffic       matrix: "));
  run(standard_catalogue(), text, "out");
  EXPECT_EQ(verdict(), "");
  // Four standard deviations of packets of four flits.
  const double flits = result()["links"]["max_load"].get<double>() * 4000;
  EXPECT_GT(flits, 0);
  std::istringstream loads(column("links.csv", 3));
  double most = 0;
  for (double load; loads >> load;) most = std::max(most, load);
  EXPECT_NEAR(most / 4000, 0.6, 4 * std::sqrt((0.2 + 0.4 * 4) / 4000));
  EXPECT_THAT(check(on_line(rows, "scale: 0.5")),
              HasSubstr("max 0.3 flits per step over link_r00_c01_east, full at scale 1.667"));
}

// Weighted by packets: 3 hops with 1 flit at 0.2 packets per step, 2 hops with 8 flits at 0.05.
TEST_F(RateMatrixRuns, ZeroLoadIsTheMeanOverPackets) {
  const auto steps = [&](const std::string& file) {
    const std::string text = check(on_line(file));
    const std::size_t at = text.find("mean latency ");
    return at == std::string::npos ? -1 : std::stod(text.substr(at + 13));
  };
  const std::string head = "source,destination,rate,flits\n";
  const double one = steps(head + "0,3,0.2,1\n"), other = steps(head + "1,3,0.4,8\n");
  EXPECT_GT(one, 3);
  EXPECT_GT(other, one + 1);
  EXPECT_NEAR(steps(head + "0,3,0.2,1\n1,3,0.4,8\n"), (4 * one + other) / 5, 0.01);
}

TEST_F(RateMatrixRuns, RepliesHaveTheRatesOfTheirPackets) {
  const std::string text =
      check(on_line("source,destination,rate,flits\n0,3,0.2,2\n1,2,0.1,\n", "reply: {flits: 3, service: 5}"));
  // Each row has 0.1 packets per step, and replies of 3 flits: 0.2 and 0.3 over three links, 0.1 and 0.3 over one.
  EXPECT_THAT(text, HasSubstr("mean 0.3167, max 0.6 flits per step over link_r00_c02_west, full at scale 1.667"));
}

TEST_F(RateMatrixRuns, IsAPatternOfClasses) {
  scratch_.write("rates.csv", "source,destination,rate\n0,3,0.2\n");
  const std::string text =
      experiment("topology: mesh, shape: [1, 4]", "vc-wormhole, channels: 2, buffer: 4",
                 "classes, measure: 2000, classes: [{name: data, pattern: matrix, file: rates.csv, scale: 2}, {name: "
                 "other, pattern: uniform, rate: 0.1}]");
  EXPECT_THAT(check(text), HasSubstr("full at a total rate of 0."));
  expect_same_bytes_in_any_order(standard_catalogue(), text);
  EXPECT_NEAR(result()["classes"][0]["throughput"]["offered"].get<double>(), 0.1, 0.01);
}

TEST_F(RateMatrixRuns, SaturationNamesTheScale) {
  const std::string text = on_line("source,destination,rate\n0,3,0.9\n1,3,0.9\n", "measure: 2000, scale: 1");
  EXPECT_THAT(output_of(standard_catalogue(), {"run", scratch_.write("e.yaml", text).string(), "--out",
                                               scratch_.file("out").string(), "--trace"}),
              HasSubstr("without contention at this load; lower traffic.scale\n"));
  EXPECT_EQ(result()["outcome"], "saturated");
  EXPECT_EQ(verdict(), "");
}

// The sources are idle before and after the steps of their rows.
TEST_F(RateMatrixRuns, RowsMayEndBeforeTheMeasurement) {
  const std::string text = on_line("source,destination,rate,from,to\n0,3,1,10,20\n2,1,1,600,601\n");
  expect_same_bytes_in_any_order(standard_catalogue(), text);
  EXPECT_EQ(result()["packets"]["total"], 1);  // of the measurement phase
  EXPECT_EQ(column("packets.csv", 4), "10 11 12 13 14 15 16 17 18 19 600");
  EXPECT_EQ(result()["latency"]["max"], result()["latency"]["mean"]);
}

TEST_F(RateMatrixRuns, RefusesWhatProcessorsCannotSend) {
  EXPECT_THAT(refused(on_line("source,destination,rate,flits\n0,3,0.9,4\n0,1,0.3,2\n")),
              HasSubstr("traffic.scale: the rate of node_r00_c00, 1.2 is more than a processor can send: with virtual "
                        "channels one flit per step"));
  EXPECT_EQ(refused(on_line("source,destination,rate,flits\n0,3,0.9,4\n0,1,0.1,2\n")), "");
}

TEST_F(RateMatrixRuns, RefusesLengthsThatAlgorithmsCannotMove) {
  const std::string file = "source,destination,rate,flits\n0,3,0.2,1\n1,3,0.2,2\n";
  EXPECT_THAT(refused(on_line(file, "measure: 100", "greedy")),
              HasSubstr("traffic.file: greedy needs packets of one length; give all rows the same flits"));
  EXPECT_THAT(refused(on_line("source,destination,rate,flits\n1,3,0.2,2\n", "measure: 100", "greedy")),
              HasSubstr("packets of 2 flits, but greedy moves only packets of one flit"));
  EXPECT_EQ(refused(on_line("source,destination,rate,flits\n1,3,0.2,1\n", "measure: 100, flits: 2", "greedy")), "");
}

// One-way links: only the pairs of the rows need a path, also of rows that end in the warm-up.
TEST_F(RateMatrixRuns, NeedsPathsOfItsRowsOnly) {
  scratch_.write(
      "g.yaml",
      "nodes: [{name: src}, {name: mid}, {name: dst}]\nlinks: [{from: src, to: mid}, {from: mid, to: dst}]\n");
  const auto on_pipeline = [&](const std::string& file) {
    scratch_.write("rates.csv", file);
    return experiment("topology: graph, file: g.yaml", "vc-wormhole, channels: 2, function: shortest",
                      "matrix, file: rates.csv, warmup: 50, measure: 200");
  };
  expect_same_bytes_in_any_order(standard_catalogue(),
                                 on_pipeline("source,destination,rate\nsrc,dst,0.5\nmid,dst,0.3\n"));
  EXPECT_THAT(refused(on_pipeline("source,destination,rate,to\nsrc,dst,0.5,\ndst,mid,0.3,10\n")),
              HasSubstr("no path from dst to mid, needed by 1 pair of the traffic (of 2)"));
}

TEST_F(RateMatrixRuns, SearchesTheScaleOfSaturation) {
  scratch_.write("e.yaml", on_line("source,destination,rate\n0,3,0.004\n1,3,0.006\n", "measure: 2000"));
  const std::string output =
      output_of(standard_catalogue(), {"saturate", scratch_.file("e.yaml").string(), "--within", "0.25", "--jobs", "1",
                                       "--store", scratch_.file("s.sqlite").string()});
  const auto found = nlohmann::ordered_json::parse(output.substr(output.find('{')));
  EXPECT_EQ(found["figure"], "traffic.scale");
  // A link is full at 100, a source sends a flit in each step at 166.7.
  EXPECT_GT(found["load"], 60);
  EXPECT_LE(found["load"], 100);
  EXPECT_NEAR(found["lightest"].get<double>(), 1.667, 0.001);
}

}  // namespace
}  // namespace starloom
