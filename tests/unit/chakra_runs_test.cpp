// SPDX-License-Identifier: Apache-2.0
/// \file Runs of Chakra execution traces (docs/chakra.md).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include <starloom/run/standard_catalogue.hpp>
#include "unit/catalogue_runs.hpp"
#include "unit/chakra_traces.hpp"

namespace starloom {
namespace {

using namespace chakra_traces;
using testing::HasSubstr;
using Json = nlohmann::ordered_json;

class ChakraRuns : public CatalogueRuns {
 protected:
  ChakraRuns() { std::filesystem::create_directory(scratch_.file("et")); }
  static constexpr const char* line = "topology: mesh, shape: [1, 2]";
  static constexpr const char* square = "topology: mesh, shape: [4, 4]";
  static constexpr const char* vc = "vc-wormhole, channels: 1, buffer: 8, pipeline: 3";
  static std::string text(const std::string& network, const std::string& routing, const std::string& keys = "",
                          const std::string& units = "") {
    return experiment(network, routing, "chakra, file: et/t" + keys) + units;
  }
  Json run_of(const std::string& text) const {
    run(standard_catalogue(), text, "out");
    EXPECT_EQ(verdict(), "") << text;
    return result();
  }
  std::string fault_of(const std::string& text) const { return refusal(standard_catalogue(), text); }
  /// All ranks have the same nodes.
  void write_all(int ranks, const std::vector<std::string>& nodes) const {
    write(scratch_, "et/t", std::vector<std::vector<std::string>>(static_cast<std::size_t>(ranks), nodes));
  }
};

/// From the definition: a unit does the free node with the lowest id, and the units of a rank work side by side.
TEST_F(ChakraRuns, UseTheUnitsOfRanks) {
  write(scratch_, "et/t",
        {{compute(5, 2), compute(3, 1), compute(4, 3) + attribute("is_cpu_op", 1), send(6, 1, 16, {3}),
          send(7, 1, 32, {4}, 1), send(2, 1, 48, {5}, 2)},
         {receive(1, 0), receive(2, 0, {}, 1), receive(3, 0, {}, 2), compute(9, 1, {1}), compute(8, 1, {9})}});
  const Json found = run_of(text(line, "greedy", "", "units: {clock_ns: 100}\n"));
  EXPECT_EQ(found["steps"], 36);
  EXPECT_EQ(found["bounds"]["critical_path"], 32);  // if all units could do everything at the same time
  EXPECT_EQ(found["workload"]["end"], 36);
  EXPECT_EQ(column("messages.csv", 7), "10 30 34");
  EXPECT_EQ(column("messages.csv", 8), "11 33 36");
  EXPECT_EQ(column("messages.csv", 9), "- - 1");
}

/// The same collective as a program and as traces.
TEST_F(ChakraRuns, TakeTheStepsOfTheirCollectives) {
  struct Case {
    const char *operation, *keys;
    int comm_type;
    std::int64_t bytes;
  };
  const Case cases[] = {
      {"op: all-reduce, flits: 64", "", 0, 1024},
      {"op: all-reduce, flits: 64, algorithm: halving-doubling", ", algorithm: {all-reduce: halving-doubling}", 0,
       1020},
      {"op: all-reduce, flits: 64, chunk: 3", ", chunk: 3", 0, 1024},
      {"op: reduce, flits: 8", "", 1, 128},
      {"op: all-gather, flits: 64", "", 2, 64},
      {"op: broadcast, flits: 8, algorithm: binomial", ", algorithm: {broadcast: binomial}", 5, 128},
      {"op: broadcast, flits: 8, algorithm: multicast", ", algorithm: {broadcast: multicast}", 5, 128},
      {"op: all-to-all, flits: 64", "", 6, 1024},
      {"op: reduce-scatter, flits: 64", ", mapping: row-major", 7, 1024},
      {"op: reduce-scatter, flits: 64, algorithm: direct", ", algorithm: {reduce-scatter: direct}", 8, 1024},
      {"op: barrier", "", 9, 77}};
  for (const Case& one : cases) {
    scratch_.write("p.yaml", std::string("schema: 1\nranks: 16\nprogram: [{") + one.operation + "}]\n");
    const Json program = run_of(experiment(square, vc, "program, file: p.yaml"));
    write_all(16, {collective(1, one.comm_type, one.bytes)});
    const Json found = run_of(text(square, vc, one.keys));
    EXPECT_EQ(found["steps"], program["steps"]) << one.operation;
    Json row = found["workload"]["collectives"][0], expected = program["workload"]["collectives"][0];
    EXPECT_EQ(row["name"], "n");
    row["name"] = expected["name"];
    EXPECT_EQ(row, expected) << one.operation;
  }
}

/// Two pairs of a training with data and tensor parallelism.
TEST_F(ChakraRuns, HaveProcessGroups) {
  scratch_.write("groups.json", "{\"tp0\": [0, 1], \"tp1\": [2, 3], \"dp0\": [0, 2], \"dp1\": [3, 1]}\n");
  std::vector<std::vector<std::string>> ranks;
  for (int rank = 0; rank < 4; ++rank)
    ranks.push_back({compute(1, 2), collective(2, 0, 64, {1}, rank < 2 ? "tp0" : "tp1"),
                     collective(3, 0, 64, {2}, rank % 2 == 0 ? "dp0" : "dp1"), collective(4, 9, 0, {3})});
  write(scratch_, "et/t", ranks);
  const Json found = run_of(text("topology: mesh, shape: [2, 2]", vc, ", groups: groups.json, reduce: 1"));
  EXPECT_EQ(column("collectives.csv", 0), "n n n n n");
  EXPECT_EQ(column("collectives.csv", 4), "2 2 4 2 2");
  EXPECT_THAT(column("messages.csv", 2), HasSubstr("n[5] 1->3"));
  EXPECT_EQ(found["experiment"]["traffic"]["file"], "et/t");
  EXPECT_EQ(found["experiment"]["traffic"]["file_sha256"].get<std::string>().size(), 64U);
  EXPECT_EQ(found["experiment"]["traffic"]["groups_sha256"].get<std::string>().size(), 64U);
}

TEST_F(ChakraRuns, DeadlockIfRanksEnterCollectivesInDifferentOrders) {
  scratch_.write("groups.json", "{\"a\": [0, 1], \"b\": [0, 1]}\n");
  write(scratch_, "et/t",
        {{collective(1, 0, 64, {}, "a"), collective(2, 0, 64, {}, "b")},
         {collective(1, 0, 64, {}, "b"), collective(2, 0, 64, {}, "a")}});
  const std::string stuck = text(line, "greedy", ", groups: groups.json");
  EXPECT_EQ(status_of_run(standard_catalogue(), stuck, "out"), 4);
  EXPECT_EQ(verdict(), "");
  EXPECT_EQ(result()["outcome"], "deadlock");
  EXPECT_EQ(status_of_run(standard_catalogue(), stuck + "limits: {steps: 1000}\n", "out"), 4);
  EXPECT_EQ(result()["outcome"], "deadlock");
  EXPECT_EQ(status_of_run(standard_catalogue(), stuck + "expect: {outcome: deadlock}\n", "out"), 0);
}

TEST_F(ChakraRuns, AreRefusedIfTheirFilesDoNotFit) {
  const std::string two = text(line, "greedy");
  EXPECT_EQ(fault_of(two), "e.yaml:4:34: traffic.file: et/t.0.et, the trace of rank 0, does not exist");
  write_all(3, {compute(1, 1)});
  EXPECT_THAT(fault_of(two), HasSubstr("traffic.file: et/t.N.et has 3 ranks, but the network has 2 processors"));
  std::filesystem::remove(scratch_.file("et/t.1.et"));
  scratch_.write("et/t.07.et", "not a rank");
  scratch_.write("et/t.x.et", "not a rank");
  EXPECT_EQ(fault_of(text(square, "greedy")), "et/t.1.et: missing; ranks 0 and 2 are there");
  write_all(2, {compute(1, 1)});
  EXPECT_THAT(fault_of(text(square, "greedy", ", mapping: [0, 1]")), HasSubstr("traffic.mapping: it has 2 processors"));
  std::filesystem::remove(scratch_.file("et/t.2.et"));
  const auto groups = [&](const std::string& json) {
    scratch_.write("g.json", json);
    return fault_of(text(line, "greedy", ", groups: g.json"));
  };
  EXPECT_THAT(groups("[1]"), HasSubstr("g.json:1:1: groups are a mapping of names to lists of ranks"));
  EXPECT_THAT(groups("{\"a\": [0, 2], \"b\": [1, 1], \"c\": 7, \"a\": [0]}"),
              AllOf(HasSubstr("g.json:1:11: '2' is not a rank: ranks are 0 to 1"),
                    HasSubstr("g.json:1:24: rank '1' is in the list twice"),
                    HasSubstr("g.json:1:33: a group is a list of ranks, not '7'"),
                    HasSubstr("g.json:1:36: a group has a name of its own")));
  EXPECT_THAT(fault_of(text(line, "greedy", ", algorithm: {all-reduce: hierarchical}")),
              HasSubstr("traffic.algorithm.all-reduce"));
  EXPECT_THAT(fault_of(text(line, "greedy", ", groups: none.json")), HasSubstr("traffic.groups"));
}

TEST_F(ChakraRuns, HaveTheSameBytesInAnyOrder) {
  std::vector<std::vector<std::string>> ranks;
  for (int rank = 0; rank < 16; ++rank) {
    const auto id = [rank](std::uint64_t k) { return k * 16 + static_cast<std::uint64_t>((rank * 5) % 16); };
    ranks.push_back({compute(id(1), 3), send(id(2), (rank + 3) % 16, 80), receive(id(3), (rank + 13) % 16),
                     collective(id(4), 0, 512, {id(1), id(3)}), compute(id(5), 2, {id(3)}),
                     collective(id(6), 6, 320, {id(5)})});
  }
  write(scratch_, "et/t", ranks);
  for (const char* routing : {vc, "greedy"})
    expect_same_bytes_in_any_order(standard_catalogue(),
                                   text(square, routing, ", reduce: 0.3", "units: {clock_ns: 100}\n"));
}

}  // namespace
}  // namespace starloom
