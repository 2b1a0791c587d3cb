// SPDX-License-Identifier: Apache-2.0
// Figures of constant-queue on larger meshes (docs/algorithms/constant-queue.md).
#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/program_run.hpp"

namespace starloom::links {
namespace {

class ConstantQueueMetrics : public ProgramTest {
 protected:
  nlohmann::json result_of(int n, const std::string& pattern, const std::string& keys = "") const {
    const std::string side = std::to_string(n);
    scratch_.write("e.yaml", "schema: 1\nnetwork: {topology: mesh, shape: [" + side + ", " + side +
                                 "]}\nrouting: {algorithm: constant-queue" + keys + "}\ntraffic: {pattern: " + pattern +
                                 "}\n");
    EXPECT_EQ(starloom("run e.yaml --quiet --force").status, 0);
    return nlohmann::json::parse(scratch_.read("out/e/result.json"));
  }
};

TEST_F(ConstantQueueMetrics, AdversaryQueuesWhatTheSortAllows) {
  const auto queue = [this](int n) {
    return result_of(n, "queue-middle", ", column: frozen")["queue"]["max"].get<int>();
  };
  EXPECT_EQ(queue(64), 53);
  EXPECT_EQ(queue(128), 105);
  EXPECT_EQ(queue(192), 96);
}

// Columns that start immediately queue nearly as much, behind a stream of packets with farther destinations.
TEST_F(ConstantQueueMetrics, StreamsMakeColumnsQueueThatStartAtOnce) {
  EXPECT_GE(result_of(128, "queue-asap")["queue"]["max"].get<int>(), 80);
  EXPECT_LE(result_of(128, "queue-middle")["queue"]["max"].get<int>(), 25);
}

// If subsquares are not sorted, all packets of a column but one wait in one node, and two cross it.
TEST_F(ConstantQueueMetrics, AWholeColumnWaitsInOneNode) {
  for (const int n : {24, 40})
    EXPECT_EQ(result_of(n, "queue-crossed", ", column: frozen")["queue"]["max"].get<int>(), n + 1);
}

// Without corners and special packets no packet waits for the clock.
TEST_F(ConstantQueueMetrics, TurnedColumnsNeedNotWait) {
  EXPECT_EQ(result_of(128, "column-reversal")["steps"].get<int>(), 238);
}

// The paper claims 18 2/3 m/s for the order that it prescribes.
TEST_F(ConstantQueueMetrics, SnakeOrderQueuesMoreThanThePaperSays) {
  const nlohmann::json snake = result_of(192, "queue-snake", ", column: frozen, order: snake");
  EXPECT_EQ(snake["algorithm"]["claimed_queue"].get<double>(), 112);
  EXPECT_GE(snake["queue"]["max"].get<int>(), 140);
  EXPECT_LE(result_of(192, "queue-snake", ", column: frozen")["queue"]["max"].get<int>(), 112);
}

// The paper's rows are over by step 7 2/3 m = 245.
TEST_F(ConstantQueueMetrics, LateRowsEndInTime) {
  const nlohmann::json late = result_of(256, "late-rows");
  const int m = 32;
  EXPECT_NEAR(late["algorithm"]["latest_row"].get<int>(), 273, 5);
  EXPECT_LE(late["algorithm"]["latest_row_one"].get<int>(), (26 * m + 2) / 3);
  EXPECT_LE(late["algorithm"]["latest_row_two"].get<int>(), 9 * m - 1);
  EXPECT_EQ(late["steps"].get<int>(), 510);
}

// Type Ib alone: from the outermost blocks of the rows between to the far sides of the middle columns.
TEST_F(ConstantQueueMetrics, TypeOneBIsInItsColumnInTime) {
  for (const int m : {8, 16}) {
    const int n = 8 * m;
    std::string packets = "cycle,source,destination,flits\n";
    const auto send = [&](int row, int from, int to) {
      packets += "0," + std::to_string(row * n + from) + ',' + std::to_string(row * n + to) + ",1\n";
    };
    for (int row = m; row < 7 * m; ++row)
      for (int c = 0; c < m; ++c) {
        send(row, c, 5 * m - 1 - c);
        send(row, 7 * m + c, 4 * m - 1 - c);
      }
    scratch_.write("p.csv", packets);
    const nlohmann::json metrics = result_of(n, "packets, file: p.csv")["algorithm"];
    EXPECT_EQ(metrics["type_one_b"].get<int>(), 12 * m * m);
    EXPECT_LE(metrics["latest_row_one"].get<int>(), 6 * m);
    EXPECT_GE(metrics["latest_row_one"].get<int>(), 6 * m - 3);
  }
}

// A count without occurrences is 0; a metric without a meaning in the run is absent.
TEST_F(ConstantQueueMetrics, AreThoseThatTheLevelHas) {
  const nlohmann::json corner = result_of(24, "corner")["algorithm"];
  EXPECT_EQ(corner, nlohmann::json::parse(R"({"levels": 2, "m": 3, "s": 1, "T": 0, "claimed_queue": 56.0,
      "critical": 36, "type_two": 0, "type_one_b": 0, "near_block": 0, "far_block": 0,
      "latest_row": 0, "latest_row_one": 0, "latest_row_two": 0})"));
  const nlohmann::json rows = result_of(24, "transpose")["algorithm"];
  EXPECT_EQ(rows["latest_row"], std::max(rows["latest_row_one"].get<int>(), rows["latest_row_two"].get<int>()));
  EXPECT_GT(rows["latest_row_one"].get<int>(), 3);
  EXPECT_GT(rows["latest_row_two"].get<int>(), 3);
  EXPECT_EQ(result_of(20, "transpose")["algorithm"],
            nlohmann::json::parse(R"({"levels": 1, "m": 0, "s": 0, "T": 0, "greedy": 400})"));
}

// Without the sort, the queue would be 127.
TEST_F(ConstantQueueMetrics, SortHalvesTheQueueOfATransposition) {
  EXPECT_EQ(result_of(128, "transpose", ", column: frozen")["queue"]["max"].get<int>(), 64);
}

}  // namespace
}  // namespace starloom::links
