// SPDX-License-Identifier: Apache-2.0
// Rates of pairs: the specified random words, steps in which rows apply, and files that are refused.
#include <starloom/traffic/rate_matrix.hpp>

#include <gmock/gmock.h>

#include <cmath>

#include <starloom/core/random.hpp>
#include <starloom/support/error.hpp>
#include "unit/traffic_support.hpp"

namespace starloom {
namespace {

using Keys = std::map<std::string, KeyValue>;
using testing::HasSubstr;

/// The traffic of a file on a mesh of 2 x 3 nodes, numbered by rows.
std::unique_ptr<Traffic> matrix_of(const DataFolder& folder, const std::string& file, Keys keys = {},
                                   std::uint64_t seed = 5) {
  folder.write("rates.csv", file);
  keys["file"] = std::string("rates.csv");
  return make_traffic("matrix", Grid::mesh({2, 3}), std::move(keys), seed, folder.path());
}

std::string refusal(const std::string& file, Keys keys = {}) {
  const DataFolder folder;
  std::string text = input_error([&] { matrix_of(folder, file, std::move(keys)); });
  const std::string path = (folder.path() / "rates.csv").string();
  for (std::size_t at; (at = text.find(path)) != std::string::npos;) text.replace(at, path.size(), "rates.csv");
  return text;
}

/// The definition, node by node and row by row.
std::vector<Packet> defined(std::uint64_t seed, NodeId nodes, const std::vector<RateRow>& rows, double scale,
                            std::int32_t flits, Step to) {
  std::vector<Packet> packets;
  for (Step t = 0; t < to; ++t)
    for (NodeId v = 0; v < nodes; ++v) {
      const double word = random_word(seed, Purpose::injection, v, t, 0);
      double before = 0;
      for (const RateRow& row : rows) {
        if (row.source != v || t < row.from || (row.to != no_step && t >= row.to)) continue;
        const std::int32_t length = row.flits > 0 ? row.flits : flits;
        const double after = before + row.rate * scale / length;
        if (word >= std::floor(std::ldexp(before, 32)) && word < std::floor(std::ldexp(after, 32)))
          packets.push_back({v, row.destination, length, t});
        before = after;
      }
    }
  return packets;
}

const std::string rows_of_all_kinds =
    "source,destination,rate,to,flits,from\n"
    "0,5,0.25,,,\n"
    "node_r01_c02,0,0.5,,2,\n"
    "0,node_r00_c00,0.125,40,3,10\r\n"
    "0,2,0.75,30,,20\n"
    "\n"
    "3,4,1,,,60\n"
    "3,1,0.3,60,,7\n";

TEST(RateMatrix, FollowsTheDefinition) {
  const std::vector<RateRow> rows = {
      {0, 5, 0.25},     {5, 0, 0.5, 2},       {0, 0, 0.125, 3, 10, 40}, {0, 2, 0.75, 0, 20, 30},
      {3, 4, 1, 0, 60}, {3, 1, 0.3, 0, 7, 60}};
  const DataFolder folder;
  for (const std::uint64_t seed : {5, 6})
    for (const double scale : {0.5, 0.9}) {
      const Keys keys = {{"scale", scale}};
      const std::vector<Packet> expected = defined(seed, 6, rows, scale, 1, 200);
      EXPECT_GT(expected.size(), 100);
      for (const Step cut : {1, 7, 200})
        EXPECT_EQ(packets_until(*matrix_of(folder, rows_of_all_kinds, keys, seed), 200, cut), expected) << cut;
    }
}

// A node with one row creates its packets in the same steps as the patterns with one destination.
TEST(RateMatrix, OneRowPerNodeIsAPermutation) {
  const DataFolder folder;
  std::string file = "source,destination,rate\n";
  for (int node = 0; node < 6; ++node) file += std::to_string(node) + "," + std::to_string((node + 2) % 6) + ",0.3\n";
  const Keys lengths = {{"flits.uniform", std::vector<std::int64_t>{1, 4}}};
  Keys shift = lengths;
  shift["offset"] = std::int64_t{2};
  shift["rate"] = 0.3;
  const auto expected = packets_until(*make_traffic("shift", Grid::mesh({2, 3}), shift, 9), 500, 500);
  EXPECT_GT(expected.size(), 200);
  EXPECT_EQ(packets_until(*matrix_of(folder, file, lengths, 9), 500, 500), expected);
}

TEST(RateMatrix, FromIsIncludedAndToIsNot) {
  const DataFolder folder;
  const auto traffic =
      matrix_of(folder, "source,destination,rate,from,to\n1,2,1,5,8\n4,0,1,7,9\n2,3,1,20,21\n0,1,0,0,100\n");
  EXPECT_EQ(traffic->next_creation(0), 5);
  EXPECT_EQ(traffic->next_creation(6), 6);
  EXPECT_EQ(traffic->next_creation(9), 20);
  EXPECT_EQ(traffic->next_creation(21), no_step);
  EXPECT_EQ(packets_until(*traffic, 100, 3),
            (std::vector<Packet>{{1, 2, 1, 5}, {1, 2, 1, 6}, {1, 2, 1, 7}, {4, 0, 1, 7}, {4, 0, 1, 8}, {2, 3, 1, 20}}));
}

// Probabilities of exactly 1 in total, which decimal fractions exceed, are allowed: one packet in each step.
TEST(RateMatrix, ANodeMayCreateAPacketInEachStep) {
  const DataFolder folder;
  const std::string file = "source,destination,rate\n2,3,0.56\n2,3,0.34\n2,3,0.1\n";
  EXPECT_GT(0.56 + 0.34 + 0.1, 1);
  EXPECT_EQ(packets_until(*matrix_of(folder, file), 1000, 100).size(), 1000);
  EXPECT_NE(refusal(file + "2,3,0.001\n"), "");
}

// Four standard deviations of the number of packets of a row.
TEST(RateMatrix, RowsHaveTheirRates) {
  const DataFolder folder;
  const auto traffic = matrix_of(folder, "source,destination,rate,flits\n0,1,0.2,\n0,2,0.3,3\n0,2,0.1,1\n4,0,0.01,\n");
  const Step steps = 20000;
  std::map<std::pair<NodeId, std::int32_t>, double> packets;
  for (const Packet& packet : packets_until(*traffic, steps, steps)) packets[{packet.destination, packet.flits}] += 1;
  const auto expect = [&](NodeId destination, std::int32_t flits, double rate) {
    const double mean = rate * static_cast<double>(steps);
    EXPECT_NEAR((packets[{destination, flits}]), mean, 4 * std::sqrt(mean)) << destination << " " << flits;
  };
  expect(1, 1, 0.2);
  expect(2, 3, 0.1);
  expect(2, 1, 0.1);
  expect(0, 1, 0.01);
  EXPECT_EQ(packets.size(), 4);
}

// What `check` computes loads from: rates of the measurement phase, and lengths by number of packets.
TEST(RateMatrix, StreamsHaveTheMeansOfTheMeasurementPhase) {
  const DataFolder folder;
  const auto traffic =
      matrix_of(folder, "source,destination,rate,flits,from,to\n0,1,0.4,2,,\n3,2,0.6,,150,\n5,4,1,6,,100\n",
                {{"warmup", std::int64_t{100}}, {"measure", std::int64_t{200}}, {"scale", 0.5}});
  ASSERT_EQ(traffic->streams().size(), 1);
  const PacketStream stream = traffic->streams().front();
  EXPECT_DOUBLE_EQ(stream.rate, (0.2 + 0.225) / 6);
  EXPECT_EQ(stream.uniform_share, 0);
  ASSERT_EQ(stream.pairs.size(), 3);
  EXPECT_DOUBLE_EQ(stream.pairs[0].rate, 0.2);
  EXPECT_DOUBLE_EQ(stream.pairs[1].rate, 0.225);
  EXPECT_EQ(stream.pairs[2].rate, 0);  // before the phase
  EXPECT_EQ(stream.pairs[1].flits, 1);
  EXPECT_EQ(stream.lengths.longest(), 6);
  EXPECT_NEAR(stream.lengths.mean(), 0.425 / (0.1 + 0.225), 1e-12);
  EXPECT_NEAR(traffic->deviation(100), 4 * std::sqrt(100 * (0.1 * 4 + 0.225) / 0.425), 1e-9);
}

TEST(RateMatrix, WithoutRatesItIsSilent) {
  const DataFolder folder;
  for (const std::string& file : {std::string("source,destination,rate\n"), rows_of_all_kinds}) {
    const auto traffic = matrix_of(folder, file, {{"scale", 0.0}});
    EXPECT_EQ(traffic->end(), 0);
    EXPECT_EQ(traffic->next_creation(0), no_step);
    EXPECT_TRUE(packets_until(*traffic, 50, 10).empty());
  }
}

TEST(RateMatrix, RefusesFilesThatItCannotRead) {
  const std::string head = "source,destination,rate\n";
  const std::string header = "rates.csv:1:1: the header is source,destination,rate, then any of flits, from, to, not '";
  EXPECT_EQ(refusal(""), header + "'");
  EXPECT_EQ(refusal("0,1,0.5\n"), header + "0,1,0.5'");
  EXPECT_EQ(refusal("source,destination,rates\n"), header + "source,destination,rates'");
  EXPECT_EQ(refusal("source,destination,rate,to,to\n"), header + "source,destination,rate,to,to'");
  EXPECT_EQ(refusal("source,destination,rate,por\n"), header + "source,destination,rate,por'");
  EXPECT_EQ(refusal(head + "0,1\n"), "rates.csv:2:1: a row has 3 cells (source,destination,rate), not 2");
  EXPECT_EQ(refusal(head + "0,6,0.5\n-1,2,0.5\n"),
            "rates.csv:2:3: destination: 6 is not a node: nodes are 0 to 5\n"
            "rates.csv:3:1: source: -1 is not a node: nodes are 0 to 5");
  EXPECT_EQ(refusal(head + "0,node_r00_c11,0.5\n"),
            "rates.csv:2:3: destination: 'node_r00_c11' is neither the number nor the name of a processor (did you "
            "mean node_r00_c01?)");
  EXPECT_EQ(refusal(head + "0,,0.5\n"),
            "rates.csv:2:3: destination: '' is neither the number nor the name of a processor");
  EXPECT_EQ(refusal(head + "0,1,-0.5\n0,1,much\n0,1,nan\n0,1,\n"),
            "rates.csv:2:5: rate: -0.5 is less than 0\n"
            "rates.csv:3:5: rate: 'much' is not a number\n"
            "rates.csv:4:5: rate: 'nan' is not a number\n"
            "rates.csv:5:5: rate: '' is not a number");
  const std::string all = "source,destination,rate,flits,from,to\n";
  EXPECT_EQ(refusal(all + "0,1,0.5,0,,\n0,1,0.1,1,-1,\n0,1,0.1,1,x,0\n0,1,0.1,1,9,9\n"),
            "rates.csv:2:9: flits: 0 is less than 1\n"
            "rates.csv:3:11: from: -1 is less than 0\n"
            "rates.csv:4:11: from: 'x' is not an integer\n"
            "rates.csv:4:13: to: 0 is less than 1\n"
            "rates.csv:5:13: to: 9 is not after 9, the first step of the row, which applies in the steps before `to`");
  EXPECT_EQ(refusal(all, {{"flits.uniform", std::vector<std::int64_t>{1, 4}}}),
            "rates.csv:1:25: the column flits excludes random lengths; set traffic.flits to a number, which is the "
            "length of packets of rows without flits");
}

TEST(RateMatrix, RefusesMoreThanAPacketPerStep) {
  const std::string advice =
      " packets per step, and a node creates at most one; lower the rates or traffic.scale, or raise the flits of "
      "packets";
  EXPECT_EQ(refusal("source,destination,rate\n0,1,0.5\n1,0,1.25\n0,2,0.75\n"),
            "rates.csv:3:1: from step 0 on, node_r00_c01 creates 1.25" + advice +
                "\nrates.csv:4:1: from step 0 on, node_r00_c00 creates 1.25" + advice);
  const std::string later =
      "source,destination,rate,flits,from,to\n0,1,1,2,,\n0,2,0.75,,30,\n0,3,9,36,,\n0,3,0.25,,,30\n";
  EXPECT_EQ(refusal(later), "rates.csv:3:1: from step 30 on, node_r00_c00 creates 1.5" + advice);
  EXPECT_EQ(refusal(later, {{"scale", 0.5}}), "");
}

}  // namespace
}  // namespace starloom
