// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/table/make_algorithm.hpp>
#include <starloom/results/result.hpp>
#include <starloom/run/links/metrics.hpp>
#include <starloom/run/prepared_run.hpp>
#include <starloom/run/standard_catalogue.hpp>
#include <starloom/simulation/links/packet_sums.hpp>
#include <starloom/simulation/links/simulation.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <starloom/experiment/metric_table.hpp>
#include <starloom/results/digest.hpp>
#include <starloom/results/latency_csv.hpp>
#include <starloom/results/output_folder.hpp>
#include <starloom/results/statistics.hpp>
#include <starloom/support/error.hpp>
#include "unit/scratch_folder.hpp"

namespace starloom {
namespace {

using Json = nlohmann::ordered_json;

Histogram histogram(const std::vector<std::int64_t>& values) {
  Histogram all;
  for (const std::int64_t value : values) all.add(value);
  return all;
}

TEST(Statistics, NearestRank) {
  EXPECT_EQ(nearest_rank(histogram({7}), 1), 7);
  EXPECT_EQ(nearest_rank(histogram({7}), 99), 7);
  EXPECT_EQ(nearest_rank(histogram({1, 2}), 50), 1);
  EXPECT_EQ(nearest_rank(histogram({1, 2}), 51), 2);
  EXPECT_EQ(nearest_rank(histogram({15, 20, 35, 40, 50}), 30), 20);
  EXPECT_EQ(nearest_rank(histogram({15, 20, 35, 40, 50}), 40), 20);
  EXPECT_EQ(nearest_rank(histogram({15, 20, 35, 40, 50}), 100), 50);
  Histogram hundred;
  for (int i = 1; i <= 100; ++i) hundred.add(i);
  EXPECT_EQ(nearest_rank(hundred, 50), 50);
  EXPECT_EQ(nearest_rank(hundred, 95), 95);
  EXPECT_EQ(nearest_rank(hundred, 99), 99);
  hundred.add(101);
  EXPECT_EQ(nearest_rank(hundred, 99), 100);
}

TEST(Statistics, MeanOfTheExactSum) {
  EXPECT_FALSE(statistics_of(Histogram()));
  const auto metrics = statistics_of(histogram({3, 1, 1}));
  EXPECT_EQ(metrics->mean, 5.0 / 3.0);
  EXPECT_EQ(metrics->p50, 1);
  EXPECT_EQ(metrics->max, 3);
}

TEST(Digest, KnownAnswers) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  const ScratchFolder scratch;
  EXPECT_EQ(sha256_of_files({scratch.write("abc", "abc")}), sha256("abc"));
  EXPECT_EQ(sha256_of_files({scratch.write("long", std::string(200'000, 'x'))}), sha256(std::string(200'000, 'x')));
  EXPECT_EQ(sha256_of_files({scratch.file("abc"), scratch.file("abc")}), sha256("abcabc"));
  EXPECT_THROW(sha256_of_files({scratch.file("none")}), InputError);
}

/// Results of runs that are made up here.
class ResultTest : public testing::Test {
 protected:
  /// A run on a mesh as if it had left this record.
  Json make(const std::string& routing, const std::string& traffic, const links::SimulationResult& result) {
    experiment_ = load_experiment(catalogue_, scratch_.write("e.yaml",
                                                             "schema: 1\nnetwork: {topology: mesh, shape: [2, 3]}\n"
                                                             "routing: {" +
                                                                 routing + "}\ntraffic: {" + traffic + "}\n"));
    const auto phases = prepare(experiment_)->facts().phases;
    const LinkNetwork network = link_network(Grid::mesh({2, 3}));
    RunReport run;
    run.outcome = result.outcome;
    links::SimulationResult summed = result;
    summed.sums = run.sums = links::sums_of(result.record, network.graph, links::Declaration{}, phases);
    run.metrics = links::metrics_of(network.graph, *links::make_algorithm("greedy", {&network}), summed, phases);
    return result_json(*experiment_.algorithm, experiment_json(experiment_), phases, run);
  }

  static links::SimulationResult two_packets() {
    links::SimulationResult run;
    run.record.packets = {{0, 5, 1, 0}, {4, 3, 1, 2}};
    run.record.delivered = {6, 3};
    run.record.delivered_count = 2;
    run.record.hops = {3, 5};
    run.record.link_load = {0, 3, 1};
    run.record.flit_hops = 4;
    run.record.queue.update(2, 1, 3);
    return run;
  }

  ScratchFolder scratch_;
  const Catalogue catalogue_ = standard_catalogue();
  Experiment experiment_;
};

TEST_F(ResultTest, HasExactlyTheKeysOfTheInterface) {
  const Json result = make("algorithm: greedy", "pattern: identity", two_packets());
  std::vector<std::string> keys;
  for (const auto& [key, value] : result.items()) keys.push_back(key);
  // Those of classes of traffic, faults, task graphs, workloads, and transactions alone.
  for (const char* const own : {"classes", "faults", "energy", "application", "workload", "transactions"})
    keys.insert(std::find(keys.begin(), keys.end(), "bounds"), own);
  keys.push_back("optics");  // present if an experiment gives it, on POPS networks
  EXPECT_EQ(keys, top_level_metrics(common_metrics()));
}

TEST_F(ResultTest, Metrics) {
  const Json result = make("algorithm: greedy", "pattern: identity", two_packets());
  EXPECT_EQ(result["schema"], 1);
  EXPECT_EQ(result["outcome"], "completed");
  EXPECT_EQ(result["steps"], 6);
  EXPECT_TRUE(result["schedule"].is_null());
  EXPECT_EQ(result["packets"].dump(), R"({"total":2,"delivered":2,"undelivered":0})");
  EXPECT_EQ(result["distance"].dump(), R"({"max":3,"mean":2.0})");
  EXPECT_EQ(result["hops"].dump(), R"({"max":5,"mean":4.0})");
  EXPECT_EQ(result["latency"].dump(),
            R"({"mean":3.5,"p50":1,"p95":6,"p99":6,"max":6,"per_hop":0.875,"partial":false})");
  EXPECT_TRUE(result["throughput"].is_null());
  EXPECT_TRUE(result["saturated"].is_null());
  EXPECT_TRUE(result["network_latency"].is_null());
  EXPECT_EQ(result["queue"].dump(), R"({"max":2,"node":1,"step":3})");
  EXPECT_EQ(result["links"].dump(), R"({"flit_hops":4,"control_hops":0,"max_load":3})");
  EXPECT_EQ(result["algorithm"].dump(), "{}");
  EXPECT_EQ(result["storage"].dump(),
            R"({"model":"store-and-forward","bound":0,"channels":1,"capacity":0,"routes_own":false})");
}

TEST_F(ResultTest, NothingDeliveredIsNull) {
  links::SimulationResult run = two_packets();
  run.record.delivered = {no_step, no_step};
  run.record.queue = {};
  run.outcome = Outcome::deadlock;
  const Json result = make("algorithm: greedy", "pattern: identity", run);
  EXPECT_EQ(result["outcome"], "deadlock");
  EXPECT_EQ(result["steps"], 0);
  EXPECT_EQ(result["packets"].dump(), R"({"total":2,"delivered":0,"undelivered":2})");
  EXPECT_EQ(result["latency"].dump(),
            R"({"mean":null,"p50":null,"p95":null,"p99":null,"max":null,"per_hop":null,"partial":true})");
  EXPECT_EQ(result["hops"].dump(), R"({"max":null,"mean":null})");
  EXPECT_EQ(result["queue"].dump(), R"({"max":0,"node":null,"step":null})");
}

TEST_F(ResultTest, NoPacketsAtAll) {
  const Json result = make("algorithm: greedy", "pattern: identity", links::SimulationResult{});
  EXPECT_EQ(result["distance"].dump(), R"({"max":null,"mean":null})");
  EXPECT_EQ(result["links"].dump(), R"({"flit_hops":0,"control_hops":0,"max_load":0})");
}

TEST_F(ResultTest, ModelsOfMessagesCountNoHops) {
  links::SimulationResult run = two_packets();
  run.hops_counted = false;
  const Json result = make("algorithm: greedy", "pattern: identity", run);
  EXPECT_TRUE(result["hops"].is_null());
  EXPECT_TRUE(result["latency"]["per_hop"].is_null());
}

// Packets, distance and latency count those created in steps 2 and 3; `steps` counts all.
TEST_F(ResultTest, OpenLoopCountsTheMeasurementPhase) {
  links::SimulationResult run;
  run.record.packets = {{0, 5, 1, 1}, {0, 1, 1, 2}, {1, 4, 1, 3}, {2, 3, 1, 4}};
  run.record.delivered = {9, 4, no_step, 12};
  run.record.hops = {7, 1, 7, 7};
  run.outcome = Outcome::saturated;
  const Json result = make("algorithm: greedy", "pattern: uniform, rate: 0.1, warmup: 2, measure: 2, drain: 5", run);
  EXPECT_EQ(result["steps"], 12);
  EXPECT_EQ(result["packets"].dump(), R"({"total":2,"delivered":1,"undelivered":1})");
  EXPECT_EQ(result["distance"].dump(), R"({"max":1,"mean":1.0})");
  EXPECT_EQ(result["hops"].dump(), R"({"max":1,"mean":1.0})");
  EXPECT_EQ(result["latency"].dump(), R"({"mean":2.0,"p50":2,"p95":2,"p99":2,"max":2,"per_hop":2.0,"partial":true})");
  EXPECT_EQ(result["saturated"], true);
  EXPECT_TRUE(result["network_latency"].is_null());
}

TEST_F(ResultTest, ThroughputIsByProcessorAndStepMeasured) {
  links::SimulationResult run = two_packets();
  const char* const traffic = "pattern: uniform, rate: 0.1, warmup: 0, measure: 20";
  run.measured = Measured{10, 30, 15};
  const Json result = make("algorithm: greedy", traffic, run);
  EXPECT_EQ(result["throughput"].dump(), R"({"offered":0.5,"accepted":0.25})");
  EXPECT_EQ(result["saturated"], false);
  run.measured = Measured{};
  EXPECT_EQ(make("algorithm: greedy", traffic, run)["throughput"].dump(), R"({"offered":null,"accepted":null})");
}

TEST_F(ResultTest, NetworkLatencyIsFromTheFirstFlitOn) {
  links::SimulationResult run = two_packets();
  run.record.injected = {2, 2};  // created in 0 and 2, delivered in 6 and 3, 3 and 1 links
  const Json result = make("algorithm: greedy", "pattern: identity", run);
  EXPECT_EQ(result["network_latency"].dump(),
            R"({"mean":2.5,"p50":1,"p95":4,"p99":4,"max":4,"per_hop":0.625,"partial":false})");
  run.record.delivered = {no_step, no_step};
  run.record.injected = {2, no_step};
  EXPECT_EQ(make("algorithm: greedy", "pattern: identity", run)["network_latency"].dump(),
            R"({"mean":null,"p50":null,"p95":null,"p99":null,"max":null,"per_hop":null,"partial":true})");
}

TEST(LatencyCsv, HasARowForEveryLatencyThatOccurs) {
  EXPECT_EQ(latency_csv(histogram({7, 3, 7, 7}), {}), "latency,packets\n3,1\n7,3\n");
  EXPECT_EQ(latency_csv(histogram({7, 9}), histogram({7, 5})),
            "latency,packets,network_packets\n5,0,1\n7,1,1\n9,1,0\n");
  EXPECT_EQ(latency_csv({}, {}), "latency,packets\n");
}

TEST_F(ResultTest, PhasesHaveTheirDefaults) {
  const Json result = make("algorithm: greedy", "pattern: shift, offset: 1, rate: 0.25, measure: 7", two_packets());
  EXPECT_EQ(result["experiment"]["traffic"].dump(),
            R"({"pattern":"shift","offset":1,"flits":1,"rate":0.25,"warmup":1000,"measure":7,"drain":100000,)"
            R"("injection":"bernoulli","reply":null})");
}

TEST_F(ResultTest, SectionsInsideTheTraffic) {
  const Json result = make("algorithm: vc-wormhole, channels: 2",
                           "pattern: uniform, rate: 0.25, flits: {mix: [[1, 0.5], [4, 0.5]]}, measure: 7, "
                           "injection: {on_off: {on: 5, off: 7.5}}, reply: {flits: 2, service: 9, channels: 1}",
                           two_packets());
  EXPECT_EQ(
      result["experiment"]["traffic"].dump(),
      R"({"pattern":"uniform","flits":{"mix":[[1,0.5],[4,0.5]]},"rate":0.25,"warmup":1000,"measure":7,)"
      R"("drain":100000,"injection":{"on_off":{"on":5,"off":7.5}},"reply":{"flits":2,"service":9,"channels":1}})");
  EXPECT_EQ(result["experiment"]["limits"]["latency"], 20);
}

TEST_F(ResultTest, TheExperimentHasAllDefaultsAndDigests) {
  scratch_.write("p.txt", "1 0 3 2 5 4\n");
  const Json result = make("algorithm: greedy", "pattern: file, file: p.txt", two_packets());
  EXPECT_EQ(result["experiment"].dump(),
            R"({"schema":1,"network":{"topology":"mesh","shape":[2,3],"link_latency":1},"model":"netlist",)"
            R"("routing":{"algorithm":"greedy","discipline":"furthest-destination","bound":0,)"
            R"("function":null,"root":null,"table":null,"ties":"positive"},)"
            R"("traffic":{"pattern":"file","file":"p.txt","file_sha256":")" +
                sha256("1 0 3 2 5 4\n") +
                R"(","flits":1,"rate":null,"warmup":null,"measure":null,"drain":null,"injection":null,)"
                R"("reply":null},"seed":1,"limits":{"steps":null,"quiet":100000,"latency":"off"},)"
                R"("units":{"clock_ns":1,"flit_bytes":16}})");
}

// Results of files with old names stay what they were.
TEST_F(ResultTest, RepeatsTheOldNameOfAPattern) {
  EXPECT_EQ(make("algorithm: greedy", "pattern: colreverse", two_packets())["experiment"]["traffic"]["pattern"],
            "colreverse");
}

// A key that is quiet is written only where it is given.
TEST_F(ResultTest, TheExperimentHasNoQuietKeyThatIsNotGiven) {
  scratch_.write("p.txt", "1 0 3 2 5 4\n");
  const auto routing = [&](const std::string& keys) {
    return make("algorithm: greedy, function: shortest" + keys, "pattern: file, file: p.txt",
                two_packets())["experiment"]["routing"];
  };
  EXPECT_FALSE(routing("").contains("weight"));
  EXPECT_EQ(routing(", weight: links")["weight"], "links");
}

/// Output folders in a scratch folder.
class OutputFolderTest : public testing::Test {
 protected:
  static std::string refusal(const std::filesystem::path& target, bool force) {
    try {
      OutputFolder folder(target, force);
    } catch (const OutputError& error) {
      return error.what();
    }
    return "none";
  }
  std::vector<std::string> names(const std::filesystem::path& folder) const {
    std::vector<std::string> all;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      all.push_back(entry.path().filename().string());
    return all;
  }
  void publish(const std::string& name, const std::string& text, bool force) const {
    OutputFolder folder(scratch_.file(name), force);
    folder.write("result.json", text);
    folder.publish();
  }
  ScratchFolder scratch_;
};

TEST_F(OutputFolderTest, IsWrittenAsideAndRenamed) {
  {
    OutputFolder folder(scratch_.file("a/b/c"), false);
    folder.write("result.json", "1");
    EXPECT_FALSE(std::filesystem::exists(scratch_.file("a/b/c")));
    folder.publish();
  }
  EXPECT_EQ(scratch_.read("a/b/c/result.json"), "1");
  EXPECT_THAT(names(scratch_.file("a/b")), testing::ElementsAre("c"));
}

TEST_F(OutputFolderTest, NothingIsLeftOfARunThatNeverBegan) {
  { OutputFolder folder(scratch_.file("a"), false); }
  EXPECT_THAT(names(scratch_.path()), testing::IsEmpty());
}

TEST_F(OutputFolderTest, WhatWasWrittenBeforeAFaultStaysAside) {
  {
    OutputFolder folder(scratch_.file("a"), false);
    folder.write("trace.csv", "1");
  }
  EXPECT_THAT(names(scratch_.path()), testing::ElementsAre(testing::StartsWith("a.partial-")));
}

TEST_F(OutputFolderTest, AResultIsReplacedByForceAlone) {
  publish("a", "1", false);
  EXPECT_THAT(refusal(scratch_.file("a"), false),
              testing::EndsWith("/a: exists; --force replaces it, --out DIR writes elsewhere"));
  EXPECT_EQ(scratch_.read("a/result.json"), "1");
  publish("a", "2", true);
  EXPECT_EQ(scratch_.read("a/result.json"), "2");
  EXPECT_THAT(names(scratch_.path()), testing::ElementsAre("a"));
}

TEST_F(OutputFolderTest, ForceKeepsWhatIsNotOurs) {
  publish("a", "1", false);
  scratch_.write("a/notes.txt", "mine");
  scratch_.write("a/trace.csv", "old");
  publish("a", "2", true);
  EXPECT_THAT(names(scratch_.file("a")), testing::UnorderedElementsAre("notes.txt", "result.json"));
}

TEST_F(OutputFolderTest, AnEmptyFolderIsTaken) {
  std::filesystem::create_directory(scratch_.file("a"));
  publish("a", "1", false);
  EXPECT_EQ(scratch_.read("a/result.json"), "1");
}

TEST_F(OutputFolderTest, TwoRunsDoNotWriteThere) {
  const std::string begun = "/a: another run is writing there; wait for it, or choose another --out";
  {
    const OutputFolder first(scratch_.file("a"), false);
    EXPECT_THAT(refusal(scratch_.file("a"), false), testing::EndsWith(begun));
    EXPECT_EQ(refusal(scratch_.file("aa"), false), "none");
    EXPECT_THAT(names(scratch_.path()), testing::SizeIs(1)) << "of those that were refused nothing is left";
  }
  publish("a", "1", false);
  const OutputFolder second(scratch_.file("a"), true);
  EXPECT_THAT(refusal(scratch_.file("a"), true), testing::EndsWith(begun));
}

TEST_F(OutputFolderTest, NamesThatLeadBackAreOfTheFolderTheyMean) {
  publish("a/.", "1", false);
  EXPECT_EQ(scratch_.read("a/result.json"), "1");
  publish("b/c/..", "1", false);
  EXPECT_EQ(scratch_.read("b/result.json"), "1");
  EXPECT_THAT(names(scratch_.path()), testing::UnorderedElementsAre("a", "b"));
  std::filesystem::create_directory_symlink("nowhere", scratch_.file("l"));
  EXPECT_THAT(refusal(scratch_.file("l"), true),
              testing::EndsWith("/l: is a dangling symbolic link; choose another --out"));
}

TEST_F(OutputFolderTest, AnAbandonedFolderIsRemovedOrNamed) {
  {
    const OutputFolder folder(scratch_.file("a"), false);
    OutputFolder::abandon();
    EXPECT_THAT(names(scratch_.path()), testing::IsEmpty());
  }
  const OutputFolder folder(scratch_.file("a"), false);
  folder.write("trace.csv", "1");
  testing::internal::CaptureStderr();
  OutputFolder::abandon();
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              testing::MatchesRegex("starloom: the partial results are in .*/a.partial-[0-9]+\n"));
  EXPECT_EQ(names(scratch_.path()).size(), 1u);
}

TEST_F(OutputFolderTest, AFileIsNoFolder) {
  scratch_.write("f", "");
  EXPECT_THAT(refusal(scratch_.file("f"), true),
              testing::EndsWith("/f: exists and is not a folder; choose another --out"));
  EXPECT_THAT(refusal(scratch_.file("f/x"), true),
              testing::EndsWith("/f/x: its parent folder cannot be created: Not a directory"));
}

}  // namespace
}  // namespace starloom
