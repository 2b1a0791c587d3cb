// SPDX-License-Identifier: Apache-2.0
/// \file Runs of programs of collectives (docs/collectives.md).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include <starloom/run/standard_catalogue.hpp>
#include "unit/catalogue_runs.hpp"

namespace starloom {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;

class ProgramRuns : public CatalogueRuns {
 protected:
  static constexpr const char* vc = "vc-wormhole, channels: 1, buffer: 8, pipeline: 3";
  static constexpr const char* v2 = "vc-wormhole, channels: 2, buffer: 4, pipeline: 3";
  static constexpr const char* greedy = "greedy";
  /// \param head of the program file, without its key `schema`. \param body operations without their braces.
  Json run_of(const std::string& head, const std::vector<std::string>& body, const std::string& routing,
              const std::string& network = "topology: mesh, shape: [4, 4]", const std::string& keys = "") {
    std::string program = "schema: 1\n" + head + "\nprogram:\n";
    for (const std::string& operation : body) program += "  - {" + operation + "}\n";
    scratch_.write("p.yaml", program);
    const std::string text = experiment(network, routing, "program, file: p.yaml" + keys);
    EXPECT_EQ(status_of_run(standard_catalogue(), text, "out"), 0) << program;
    EXPECT_EQ(verdict(), "") << program;
    return result();
  }
  Json steps_of(const std::string& head, const std::string& operation, const std::string& routing,
                const std::string& network = "topology: mesh, shape: [4, 4]") {
    return run_of(head, {operation}, routing, network)["steps"];
  }
};

std::int64_t greatest(const std::string& numbers) {
  std::istringstream in(numbers);
  return *std::max_element(std::istream_iterator<std::int64_t>(in), std::istream_iterator<std::int64_t>());
}

constexpr const char* row_major = "ranks: 16";
constexpr const char* snake = "ranks: 16\nmapping: snake";

struct Figures {
  const char* head;
  const char* operation;
  int critical_path, vc, v2, greedy;
};
constexpr Figures reference[] = {
    {row_major, "op: all-reduce, flits: 64", 443, 443, 443, 177},
    {snake, "op: all-reduce, algorithm: ring, flits: 64", 371, 371, 371, 153},
    {snake, "op: all-reduce, flits: 256", 731, 731, 821, 513},
    {snake, "op: all-reduce, flits: 256, chunk: 4", 371, 493, 497, 482},
    {"ranks: 16\nmapping: snake\nreduce: 1", "op: all-reduce, flits: 256", 956, 956, 1046, 738},
    {snake, "op: all-reduce, algorithm: bidirectional-ring, flits: 256", 491, 586, 711, 482},
    {row_major, "op: all-reduce, algorithm: halving-doubling, flits: 256", 555, 859, 899, 811},
    {row_major, "op: all-reduce, algorithm: tree, flits: 256, chunk: 16", 203, 1491, 1468, 1476},
    {row_major, "op: all-reduce, algorithm: hierarchical, grid: [4, 4], flits: 256", 599, 599, 707, 499},
    {snake, "op: reduce-scatter, flits: 256", 365, 365, 410, 256},
    {snake, "op: all-gather, bytes: 4095", 365, 365, 410, 256},
    {row_major, "op: reduce-scatter, algorithm: direct, flits: 256", 38, 406, 435, 256},
    {row_major, "op: all-to-all, flits: 256", 38, 406, 435, 256},
    {row_major, "op: all-to-all, algorithm: direct, flits: 64", 26, 118, 113, 64},
    {snake, "op: all-to-all, algorithm: ring, flits: 64", 605, 605, 710, 496},
    {row_major, "op: broadcast, algorithm: binomial, flits: 16", 101, 123, 132, 101},
    {snake, "op: broadcast, algorithm: chain, flits: 16, chunk: 4", 179, 191, 193, 86},
    {row_major, "op: broadcast, algorithm: tree, flits: 16, chunk: 4", 53, 83, 93, 68},
    {row_major, "op: barrier", 56, 56, 56, 14}};

class CollectiveRuns : public ProgramRuns, public testing::WithParamInterface<Figures> {};

/// The figures of a reference model that knows only the definition.
TEST_P(CollectiveRuns, HaveTheStepsOfTheReferenceModel) {
  const Figures& known = GetParam();
  const Json found = run_of(known.head, {known.operation}, vc);
  EXPECT_EQ(found["bounds"]["critical_path"], known.critical_path);
  EXPECT_EQ(found["steps"], known.vc);
  const Json& collective = found["workload"]["collectives"][0];
  EXPECT_EQ(collective["finish"], found["workload"]["end"]);
  for (const char* bound : {"node", "link", "bisection"})
    if (!collective[bound].is_null()) {
      EXPECT_LE(collective[bound], known.vc) << bound;
    }
  if (collective["op"] != "barrier") {
    EXPECT_EQ(greatest(column("chunks.csv", 4)), collective["finish"]);
  }
  EXPECT_EQ(steps_of(known.head, known.operation, v2), known.v2);
  EXPECT_EQ(steps_of(known.head, known.operation, greedy), known.greedy);
}
/// The pattern `collective` is the program of that operation.
TEST_P(CollectiveRuns, AreTheSameWithoutAFile) {
  run_of(GetParam().head, {GetParam().operation}, vc);
  const std::vector<const char*> files = {"packets.csv", "messages.csv", "collectives.csv", "chunks.csv",
                                          "operations.csv"};
  std::vector<std::string> of_program;
  for (const char* file : files) of_program.push_back(scratch_.read(std::string("out/") + file));
  std::string keys = std::string("collective, ") + GetParam().operation + ", " + GetParam().head;
  std::replace(keys.begin(), keys.end(), '\n', ',');
  // A program may give bytes instead.
  if (const std::size_t bytes = keys.find("bytes: 4095"); bytes != std::string::npos)
    keys.replace(bytes, 11, "flits: 256");
  run(standard_catalogue(), experiment("topology: mesh, shape: [4, 4]", vc, keys), "out");
  EXPECT_EQ(verdict(), "") << keys;
  for (std::size_t i = 0; i < files.size(); ++i)
    EXPECT_EQ(scratch_.read(std::string("out/") + files[i]), of_program[i]) << keys << " " << files[i];
}
INSTANTIATE_TEST_SUITE_P(All, CollectiveRuns, testing::ValuesIn(reference),
                         [](const auto& info) { return "Row" + std::to_string(info.index); });

TEST_F(ProgramRuns, HaveTheStepsOfTheReferenceModelOnOtherNetworks) {
  const char* ring = "op: all-reduce, flits: 64";
  EXPECT_EQ(steps_of(row_major, ring, "vc-wormhole, channels: 1, buffer: 8, pipeline: 5"), 619);
  const char* torus = "topology: torus, shape: [4, 4]";
  const char* two = "vc-wormhole, channels: 2, buffer: 8, pipeline: 3";
  EXPECT_EQ(steps_of(row_major, ring, two, torus), 383);
  EXPECT_EQ(steps_of(row_major, "op: all-reduce, algorithm: halving-doubling, flits: 256", two, torus), 1027);
  EXPECT_EQ(steps_of(row_major, "op: all-reduce, algorithm: hierarchical, grid: [4, 4], flits: 256", two, torus), 575);
  EXPECT_EQ(steps_of("ranks: 16\nmapping: snake\nreduce: 0.5", "op: all-reduce, flits: 256", vc), 836);
  const char* small = "topology: mesh, shape: [2, 2]";
  const std::string four = "ranks: 4\nmapping: [0, 1, 3, 2]";
  EXPECT_EQ(steps_of(four, "op: all-reduce, flits: 16", vc, small), 71);
  EXPECT_EQ(steps_of(four + "\nreduce: 1", "op: all-reduce, flits: 16", vc, small), 80);
  EXPECT_EQ(steps_of(four, "op: all-reduce, flits: 16, chunk: 2", vc, small), 61);
  EXPECT_EQ(steps_of(four, "op: all-reduce, flits: 18", vc, small), 77);
  EXPECT_EQ(steps_of(four, "op: all-reduce, flits: 16", greedy, small), 29);
  // 30(L + F) - 1 with links of latency L and blocks of F flits.
  EXPECT_EQ(steps_of(row_major, "op: all-reduce, flits: 320", greedy, "topology: ring, nodes: 16, link_latency: 50"),
            2099);
}

/// A step of a training: two layers forwards and backwards in groups of four, then an all-reduce across them.
TEST_F(ProgramRuns, OfATrainingStepHaveTheStepsOfTheReferenceModel) {
  const std::string head = "ranks: 16\ngroups: {tp: {blocks: 4}, dp: {stride: 4}}";
  const std::string layer = "op: all-reduce, flits: 64, group: tp";
  const std::vector<std::string> body = {"repeat: 2, body: [{compute: 100}, {" + layer + "}]",
                                         "compute: 200",
                                         layer,
                                         "compute: 200",
                                         layer,
                                         "op: all-reduce, flits: 256, group: dp",
                                         "compute: 50"};
  const Json found = run_of(head, body, vc);
  EXPECT_EQ(found["steps"], 1658);
  EXPECT_EQ(found["workload"]["end"], 1708);
  EXPECT_EQ(run_of(head, body, v2)["steps"], 1820);
  EXPECT_EQ(run_of(head, body, greedy)["steps"], 1412);
  const std::string experts = "op: all-to-all, flits: 64";
  const Json twice = run_of(row_major, {experts, "compute: 100", experts}, vc);
  EXPECT_EQ(twice["steps"], 333);
  EXPECT_EQ(twice["bounds"]["critical_path"], 152);
}

/// Four stages, of which each computes for the next micro-batch while it sends its results.
TEST_F(ProgramRuns, OfAPipelineOverlapComputationsAndMessages) {
  std::vector<std::string> body;
  for (int batch = 0; batch < 4; ++batch)
    for (int stage = 0; stage < 4; ++stage) {
      const auto name = [](char of, int s, int b) { return of + std::to_string(s) + "_" + std::to_string(b); };
      std::string after = batch > 0 ? name('c', stage, batch - 1) : "";
      if (stage > 0) after += (after.empty() ? "" : ", ") + name('s', stage - 1, batch);
      body.push_back("compute: 50, group: r" + std::to_string(stage) + ", name: " + name('c', stage, batch) +
                     ", after: [" + after + "]");
      if (stage < 3)
        body.push_back("op: send, from: " + std::to_string(stage) + ", to: " + std::to_string(stage + 1) +
                       ", flits: 16, name: " + name('s', stage, batch) + ", after: [" + name('c', stage, batch) + "]");
    }
  const Json found = run_of("ranks: 4\ngroups: {r0: [[0]], r1: [[1]], r2: [[2]], r3: [[3]]}", body, vc,
                            "topology: mesh, shape: [1, 4]");
  EXPECT_EQ(found["steps"], 369);
  EXPECT_EQ(found["workload"]["end"], 419);
}

TEST_F(ProgramRuns, WaitForRanksAndForTheLastRunOfAName) {
  const char* line = "topology: mesh, shape: [1, 3]";
  // Rank 1 passes the message on when it has entered.
  EXPECT_EQ(run_of("ranks: 3\ngroups: {one: [[1]]}",
                   {"compute: 100, group: one", "op: broadcast, algorithm: chain, flits: 1"}, greedy, line)["steps"],
            101);
  EXPECT_EQ(run_of("ranks: 3",
                   {"compute: 5, name: x", "compute: 50, name: x, after: []",
                    "op: send, from: 0, to: 1, flits: 1, after: [x]"},
                   greedy, line)["steps"],
            51);
  EXPECT_EQ(run_of("ranks: 3", {"compute: 1000000000", "op: barrier"}, greedy, line)["steps"], 1000000005);
}

TEST_F(ProgramRuns, ListTheirMessagesByInstanceAndRanks) {
  run_of("ranks: 4\nmapping: [3, 2, 1, 0]\ngroups: {pairs: {blocks: 2}}",
         {"op: all-reduce, flits: 2, group: pairs, name: sum", "op: send, from: 0, to: 3, flits: 2"}, vc,
         "topology: mesh, shape: [2, 2]");
  EXPECT_THAT(column("messages.csv", 2), HasSubstr("sum[1] 3->2 sum[1] 2->3 sum[0] 1->0 sum[0] 0->1"));
  EXPECT_THAT(column("messages.csv", 2), HasSubstr("send[0] 0->3"));
  EXPECT_THAT(column("messages.csv", 4), HasSubstr("0 1 2 3"));
}

TEST_F(ProgramRuns, ListTheirCollectives) {
  const Json found = run_of(snake, {"op: all-reduce, flits: 256, name: sum"}, vc)["workload"]["collectives"];
  const Json expected = {{"name", "sum"},
                         {"instance", 0},
                         {"op", "all-reduce"},
                         {"algorithm", "ring"},
                         {"ranks", 16},
                         {"flits", 256},
                         {"start", 0},
                         {"finish", 731},
                         {"algbw_gbps", 4096.0 / 731},
                         {"busbw_gbps", 4096.0 / 731 * 1.875},
                         {"node", 480},
                         {"link", 480},
                         {"bisection", 64},
                         {"model", 720}};
  EXPECT_EQ(found, Json::array({expected}));
  EXPECT_EQ(scratch_.read("out/collectives.csv"),
            "name,instance,op,algorithm,ranks,flits,start,finish,algbw_gbps,busbw_gbps,node,link,bisection,model\n"
            "sum,0,all-reduce,ring,16,256,0,731,5.60328317373461,10.506155950752394,480,480,64,720\n");
}

TEST_F(ProgramRuns, ListTheCollectivesOfEachGroupAndRepetition) {
  run_of("ranks: 4\ngroups: {pairs: {stride: 2}}",
         {"compute: 10", "repeat: 2, body: [{op: reduce-scatter, flits: 4, group: pairs, name: sum}, {op: barrier}]",
          "op: send, from: 0, to: 1, flits: 8"},
         vc, "topology: mesh, shape: [2, 2]");
  EXPECT_EQ(column("collectives.csv", 0), "sum sum barrier sum sum barrier");
  EXPECT_EQ(column("collectives.csv", 1), "0 1 0 2 3 1");
  EXPECT_EQ(column("collectives.csv", 6), "10 10 19 40 37 47");
  EXPECT_EQ(column("chunks.csv", 1), "0 0 1 1 2 2 3 3");
  EXPECT_EQ(column("chunks.csv", 2), "0 1 0 1 0 1 0 1");
}

TEST_F(ProgramRuns, GiveBandwidthsInTheUnitsOfTheExperiment) {
  scratch_.write("p.yaml", std::string("schema: 1\n") + snake + "\nprogram: [{op: all-reduce, flits: 256}]\n");
  const std::string text = experiment("topology: mesh, shape: [4, 4]", vc, "program, file: p.yaml");
  run(standard_catalogue(), text + "units: {flit_bytes: 32, clock_ns: 0.5}\n", "out");
  EXPECT_EQ(result()["workload"]["collectives"][0]["algbw_gbps"], 4 * 4096.0 / 731);
}

TEST_F(ProgramRuns, HaveNoBoundsThatAreNotKnown) {
  const auto bounds_of = [&](const char* head, const char* operation, const char* routing, const char* network) {
    const Json row = run_of(head, {operation}, routing, network)["workload"]["collectives"][0];
    return row["link"].dump() + " " + row["bisection"].dump() + " " + row["model"].dump();
  };
  const char* sum = "op: all-reduce, flits: 64";
  EXPECT_EQ(bounds_of(row_major, sum, "greedy", "topology: mesh, shape: [4, 4]"), "120 16 150");
  EXPECT_EQ(bounds_of(row_major, sum, "vc-wormhole, channels: 2, buffer: 8, function: west-first",
                      "topology: mesh, shape: [4, 4]"),
            "null 16 360");
  EXPECT_EQ(bounds_of("ranks: 9", sum, "greedy", "topology: mesh, shape: [3, 3]"), "114 null 129.77777777777777");
  EXPECT_EQ(bounds_of("ranks: 15", sum, "greedy", "topology: mesh, shape: [4, 4]"), "120 null 147.46666666666667");
  EXPECT_EQ(bounds_of(row_major, sum, "greedy", "topology: torus, shape: [4, 4]"), "120 8 150");
  EXPECT_EQ(bounds_of("ranks: 16", "op: all-reduce, algorithm: tree, flits: 64, chunk: 10", "greedy",
                      "topology: ring, nodes: 16"),
            "576 null 220");
}

TEST_F(ProgramRuns, ListThousandCollectivesInTheResult) {
  const Json found =
      run_of("ranks: 2", {"repeat: 1001, body: [{op: barrier}]"}, greedy, "topology: mesh, shape: [1, 2]");
  EXPECT_EQ(found["workload"]["collectives"].size(), 1000U);
  EXPECT_THAT(column("collectives.csv", 1), HasSubstr(" 999 1000"));
}

TEST_F(ProgramRuns, ThatStopListCollectivesThatAreNotFinished) {
  scratch_.write("p.yaml",
                 "schema: 1\nranks: 4\nprogram: [{op: barrier}, {op: all-reduce, flits: 400}, {op: barrier}]\n");
  const std::string text = experiment("topology: mesh, shape: [2, 2]", greedy, "program, file: p.yaml");
  EXPECT_EQ(status_of_run(standard_catalogue(), text + "limits: {steps: 100}\n", "out"), 4);
  EXPECT_EQ(verdict(), "");
  EXPECT_EQ(column("collectives.csv", 6), "0 3 -");
  EXPECT_EQ(column("collectives.csv", 7), "4 - -");
  EXPECT_EQ(column("collectives.csv", 8), "- - -");
}

TEST_F(ProgramRuns, OfOneCollectiveAreRefused) {
  const auto refused = [&](const std::string& keys, const char* network = "topology: mesh, shape: [4, 4]") {
    try {
      run(standard_catalogue(), experiment(network, vc, "collective, " + keys), "never");
    } catch (const Error& error) {
      const std::string text = error.what();
      return text.substr(text.find("yaml:") + 5);
    }
    return std::string();
  };
  EXPECT_THAT(refused("op: all-redcue, flits: 4"), HasSubstr("all-redcue"));
  EXPECT_THAT(refused("op: all-gather, algorithm: tree, flits: 16"), HasSubstr("algorithm of all-gather tree"));
  EXPECT_THAT(refused("op: all-reduce"), HasSubstr("traffic.flits: is missing: all-reduce moves data"));
  EXPECT_THAT(refused("op: barrier, flits: 3"), HasSubstr("traffic.flits: barrier does not have it; leave it out"));
  EXPECT_THAT(refused("op: barrier, chunk: 3"), HasSubstr("traffic.chunk: barrier does not have it"));
  EXPECT_THAT(refused("op: all-gather, flits: 16, root: 1"), HasSubstr("traffic.root: all-gather does not have it"));
  EXPECT_THAT(refused("op: all-reduce, flits: 16, grid: [4, 4]"), HasSubstr("traffic.grid: ring does not have it"));
  EXPECT_THAT(refused("op: all-reduce, algorithm: hierarchical, flits: 16, grid: [4]"),
              HasSubstr("traffic.grid: is [rows, columns] of ranks"));
  EXPECT_THAT(refused("op: all-reduce, flits: 64, ranks: 17"), HasSubstr("17 ranks do not fit on 16 processors"));
  EXPECT_THAT(refused("op: all-reduce, algorithm: halving-doubling, flits: 64, ranks: 12"),
              HasSubstr("traffic.algorithm: halving-doubling needs a power of two, not 12 ranks"));
  EXPECT_THAT(refused("op: broadcast, flits: 64, root: 16"), HasSubstr("root 16 is not in a list of 16 ranks"));
  EXPECT_THAT(refused("op: all-reduce, flits: 15"), HasSubstr("traffic.op: "));
  EXPECT_THAT(refused("op: all-reduce, flits: 64, ranks: 2, mapping: [1, 1]"), HasSubstr("has rank 0 already"));
}

/// An operation has finished when its last rank has.
TEST_F(ProgramRuns, ListWhenEachRankEntersAndFinishes) {
  scratch_.write("p.yaml",
                 "schema: 1\nranks: 3\nmapping: [2, 1, 0]\nprogram:\n  - {op: broadcast, algorithm: chain, flits: 40}\n"
                 "  - {compute: 30, name: work, after: []}\n");
  const std::string text = experiment("topology: mesh, shape: [1, 3]", greedy, "program, file: p.yaml");
  EXPECT_EQ(status_of_run(standard_catalogue(), text + "limits: {steps: 60}\n", "out"), 4);
  EXPECT_EQ(verdict(), "");
  EXPECT_EQ(
      scratch_.read("out/operations.csv"),
      "name,instance,op,rank,node,start,finish\nbroadcast,0,broadcast,0,2,0,40\nbroadcast,0,broadcast,1,1,0,\n"
      "broadcast,0,broadcast,2,0,0,\nwork,0,compute,0,2,0,30\nwork,0,compute,1,1,0,30\nwork,0,compute,2,0,0,30\n");
  EXPECT_EQ(column("collectives.csv", 7), "-");
  EXPECT_THAT(scratch_.read("out/collectives.svg"),
              AllOf(HasSubstr("<title>broadcast[0], rank 0: steps 0 to 40</title>"),
                    HasSubstr("<title>broadcast[0], rank 1: from step 0 on, not finished</title>"),
                    HasSubstr("<title>work[0], rank 2: steps 0 to 30</title>"), HasSubstr(", steps 0 to 60<")));
}

TEST_F(ProgramRuns, WithWrongOperationsAreFound) {
  run_of("ranks: 4\nmapping: [0, 1, 3, 2]", {"compute: 10", "op: all-reduce, flits: 16, name: sum"}, vc,
         "topology: mesh, shape: [2, 2]");
  EXPECT_EQ(verdict(), "");
  const auto found = [&](const char* before, const char* after) {
    return verdict_with("operations.csv", before, after);
  };
  EXPECT_EQ(found("sum,0,all-reduce,1,1,10,81", "sum,0,all-reduce,1,1,11,81"),
            "operations.csv: rank 1 enters sum[0] after its first message there, in step 10");
  EXPECT_EQ(found("sum,0,all-reduce,1,1,10,81", "sum,0,all-reduce,1,1,,"),
            "operations.csv: rank 1 enters sum[0] after its first message there, in step 10");
  EXPECT_EQ(found("sum,0,all-reduce,1,1,10,81", "sum,0,all-reduce,1,1,10,80"),
            "operations.csv: rank 1 finishes sum[0] before its last message there, in step 81");
  EXPECT_EQ(found("sum,0,all-reduce,1,1,10,81", "sum,0,all-reduce,1,1,9,81"),
            "operations.csv: the ranks of sum[0] have other times than collectives.csv");
  EXPECT_EQ(found("sum,0,all-reduce,1,1,10,81", "sum,0,all-reduce,1,1,10,"),
            "operations.csv: the ranks of sum[0] have other times than collectives.csv");
  EXPECT_THAT(found("compute,0,compute,1,1,0,10", "compute,0,compute,1,1,0,99"), HasSubstr("workload.end"));
  EXPECT_THAT(found("sum,0,all-reduce,1,1,", "sum,0,all-reduce,1,3,"),
              HasSubstr("operations.csv: sum[0] 1 is not there with node 1"));
  EXPECT_THAT(found("sum,0,all-reduce,1,1,", "sum,0,all-reduce,2,1,"),
              HasSubstr("operations.csv: sum[0] 2 is there twice"));
  EXPECT_THAT(found("compute,0,compute,1,1,0,10", "compute,0,compute,1,1,11,10"),
              HasSubstr("a rank finishes an operation after it has entered it"));
  EXPECT_THAT(verdict_with("messages.csv", "sum[0] 0->1", "sum[0]"),
              HasSubstr("messages.csv: the flow sum[0] has no ranks"));
}

/// `verify` computes times, bandwidths and loads again, from messages and rows.
TEST_F(ProgramRuns, WithWrongCollectivesAreFound) {
  run_of(snake, {"op: all-reduce, flits: 256, name: sum", "op: barrier"}, vc);
  const auto found = [&](const char* before, const char* after, const char* file = "collectives.csv") {
    return verdict_with(file, before, after);
  };
  EXPECT_EQ(found(",0,731,", ",1,731,"),
            "collectives.csv: sum[0] starts after its first message is created, in step 0");
  EXPECT_EQ(found(",0,731,", ",,731,"), "collectives.csv: sum[0] starts after its first message is created, in step 0");
  EXPECT_EQ(found(",0,731,", ",0,730,"),
            "collectives.csv: sum[0] finishes before its last message is delivered, in step 731");
  EXPECT_EQ(found(",0,731,", ",0,,"), "collectives.csv: sum[0] is not finished");
  EXPECT_EQ(found(",480,480,", ",479,480,"), "collectives.csv: sum[0] has a rank with 480 flits, by its messages");
  EXPECT_EQ(found(",480,480,", ",480,481,"), "collectives.csv: sum[0] has a link with 480 flits, by the rows");
  EXPECT_EQ(found(",5.6", ",5.7"), "collectives.csv: sum[0] has another algorithm bandwidth, by its times");
  EXPECT_EQ(found(",10.5", ",10.6"), "collectives.csv: sum[0] has another bus bandwidth, by its times");
  EXPECT_EQ(found(",64,720", ",64,721"),
            "in result.json workload.collectives.0 differs from its row of collectives.csv");
  EXPECT_EQ(found("barrier,0", "barrier,1"), "collectives.csv: barrier[1] has a rank with 0 flits, by its messages");
  EXPECT_THAT(found("barrier,0,barrier", "sum,0,barrier"), HasSubstr("collectives.csv: sum[0] is there twice"));
  EXPECT_THAT(found("\nbarrier", "\nsum,2,barrier,ring,16,0,0,0,,,0,,,\nbarrier"),
              HasSubstr("operations.csv: the ranks of sum[2] have other times than collectives.csv"));
  const char* chunks = "chunks.csv";
  EXPECT_EQ(found(",0,725\n", ",0,732\n", chunks),
            "chunks.csv: block 0 of sum[0] is not complete between its start and its finish");
  EXPECT_THAT(found("sum,0,0", "sum,1,0", chunks), HasSubstr("chunks.csv: sum[1] is not in collectives.csv"));
  scratch_.write("out/chunks.csv", "name,instance,block,piece,finish\nsum,0,0,0,725\n");
  EXPECT_EQ(verdict(), "chunks.csv: no block of sum[0] is complete when its last message is delivered, in step 731");
}

TEST_F(ProgramRuns, CutMessagesIntoPackets) {
  const Json found =
      run_of("ranks: 4", {"op: all-reduce, flits: 20"}, vc, "topology: mesh, shape: [2, 2]", ", packet: 2");
  EXPECT_EQ(found["workload"]["messages"]["delivered"], 24);
  EXPECT_EQ(found["packets"]["delivered"], 72);
}

/// Operations of one rank have no messages, so several begin with the same item.
TEST_F(ProgramRuns, MayHaveOperationsWithoutMessages) {
  const std::string head = "ranks: 7\ngroups: {alone: {blocks: 1}}";
  for (const char* routing : {vc, greedy})
    EXPECT_EQ(run_of(head,
                     {"op: broadcast, flits: 4, group: alone", "op: barrier, group: alone", "compute: 5",
                      "op: all-to-all, flits: 9, chunk: 2", "op: barrier, group: alone", "op: broadcast, flits: 2"},
                     routing, "topology: mesh, shape: [5, 4]", routing == vc ? "" : ", packet: 1")["outcome"],
              "completed");
}

/// Messages that have arrived are removed from memory then.
TEST_F(ProgramRuns, HaveTheSameResultWithoutAListOfPackets) {
  scratch_.write("p.yaml",
                 "schema: 1\nranks: 64\nreduce: 0.3\nprogram:\n  - {compute: 7}\n"
                 "  - {repeat: 2, body: [{op: all-to-all, flits: 64}, {op: all-reduce, flits: 64}, {op: barrier}]}\n");
  for (const char* routing : {vc, greedy}) {
    const std::string text = experiment("topology: mesh, shape: [8, 8]", routing, "program, file: p.yaml");
    const auto listed = run(standard_catalogue(), text, "out");
    const auto other = run(standard_catalogue(), text, "other", {"--no-packets"});
    EXPECT_GT(result()["packets"]["total"], 20000);
    for (const char* file : {"result.json", "collectives.csv", "collectives.svg", "chunks.csv", "latency.svg"})
      EXPECT_EQ(read(listed / file), read(other / file)) << file;
    for (const char* file : {"messages.csv", "operations.csv"}) EXPECT_FALSE(std::filesystem::exists(other / file));
  }
}

TEST_F(ProgramRuns, HaveTheSameBytesInAnyOrder) {
  scratch_.write(
      "p.yaml",
      "schema: 1\nranks: 16\nreduce: 0.3\ngroups: {tp: {blocks: 4}}\nprogram:\n"
      "  - {repeat: 2, body: [{compute: 7}, {op: all-reduce, algorithm: tree, flits: 20, chunk: 5, group: tp, "
      "root: 2}]}\n  - {op: barrier, after: []}\n  - {op: all-to-all, flits: 48}\n");
  for (const char* routing : {vc, greedy})
    expect_same_bytes_in_any_order(standard_catalogue(),
                                   experiment("topology: mesh, shape: [4, 4]", routing, "program, file: p.yaml"));
}

}  // namespace
}  // namespace starloom
