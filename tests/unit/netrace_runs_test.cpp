// SPDX-License-Identifier: Apache-2.0
/// \file Runs of netrace files (docs/workloads.md).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include <starloom/run/standard_catalogue.hpp>
#include "unit/catalogue_runs.hpp"
#include "unit/netrace_trace.hpp"

namespace starloom {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;

class NetraceRuns : public CatalogueRuns {
 protected:
  static constexpr const char* vc = "vc-wormhole, channels: 1, buffer: 8, pipeline: 3";
  static std::string text(const std::string& routing, const std::string& keys = "",
                          const std::string& network = "topology: mesh, shape: [4, 4]") {
    return experiment(network, routing, "netrace, file: t.tra.bz2" + keys);
  }
  void write(const NetraceTrace& trace) const { scratch_.write("t.tra.bz2", bzip2(trace.bytes())); }
};

/// The first packets of a run that waits for each other. From the definition: a hop takes 3 steps, the local ports 5.
NetraceTrace fork_trace() {
  NetraceTrace trace;
  trace.nodes = 16;
  trace.cycles = 100;
  trace.notes = "a fork";
  trace.records = {{0, 7, 1, 0, 3, {8, 9, 11}}, {2, 8, 2, 3, 0, {11}}, {90, 9, 1, 3, 3}, {91, 11, 6, 0, 5}};
  return trace;
}

TEST_F(NetraceRuns, CreatePacketsByTheirRecords) {
  write(fork_trace());
  run(standard_catalogue(), text(vc), "out");
  EXPECT_EQ(column("packets.csv", 0), "0 1 2 3");
  EXPECT_EQ(column("packets.csv", 3), "1 5 1 5");
  // 3 links of 3 steps and 5 steps in the local ports
  EXPECT_EQ(column("packets.csv", 4), "0 14 90 91");
  EXPECT_EQ(column("packets.csv", 5), "14 33 95 106");
  EXPECT_EQ(column("packets.csv", 6), "0 15 90 91");
  EXPECT_EQ(column("messages.csv", 1), "7 8 9 11");
  EXPECT_EQ(column("messages.csv", 9), "- 0 0 1");
  const Json found = result();
  EXPECT_EQ(found["workload"].dump(),
            R"({"messages":{"total":4,"delivered":4},"end":106,"late":1,"paused":0,"classes":[{"name":"","messages":4,)"
            R"("latency":{"mean":13.25,"p50":14,"p95":19,"p99":19,"max":19},"missed":0}],)"
            R"("netrace":{"records":4,"trace_cycles":100,"slowdown":1.06}})");
  EXPECT_EQ(found["bounds"]["critical_path"], 106);
  EXPECT_EQ(found["experiment"]["traffic"]["pattern"], "netrace");
  EXPECT_EQ(found["experiment"]["traffic"]["window"], 4194304);
  EXPECT_EQ(found["experiment"]["traffic"]["file_sha256"].get<std::string>().size(), 64u);
  EXPECT_EQ(verdict(), "");
  EXPECT_THAT(check_of(standard_catalogue(), text(vc)),
              HasSubstr("netrace       test, 16 nodes, 4 records in 100 cycles: a fork\n"));

  run(standard_catalogue(), text(vc, ", pace: timestamps"), "out");
  EXPECT_EQ(column("packets.csv", 4), "0 2 90 91");
  EXPECT_EQ(result()["workload"]["late"], 0);
  EXPECT_EQ(verdict(), "");
  run(standard_catalogue(), text(vc, ", pace: throttled, delay: 4"), "out");
  EXPECT_EQ(column("packets.csv", 4), "0 18 18 40");
  EXPECT_EQ(column("packets.csv", 5), "14 36 28 55");
  EXPECT_EQ(verdict(), "");
  run(standard_catalogue(), text(vc, ", pace: throttled"), "out");
  EXPECT_EQ(column("packets.csv", 4), "0 14 14 33");
  EXPECT_EQ(column("packets.csv", 5), "14 33 25 49");
  EXPECT_EQ(verdict(), "");
  run(standard_catalogue(), text("greedy", ", flits: 1"), "out");
  EXPECT_EQ(column("packets.csv", 4), "0 3 90 91");
  EXPECT_EQ(column("packets.csv", 5), "3 7 90 93");
  EXPECT_EQ(verdict(), "");
  // A packet for its own processor is delivered when it enters the memory, the step after it is released.
  run(standard_catalogue(), text("greedy", ", flits: 1, pace: throttled"), "out");
  EXPECT_EQ(column("packets.csv", 4), "0 3 3 7");
  EXPECT_EQ(column("packets.csv", 5), "3 7 4 10");
  EXPECT_EQ(verdict(), "");
  EXPECT_THAT(verdict_with("packets.csv", "2,3,3,1,3,4\n", "2,3,3,1,3,5\n"), HasSubstr("packet 2"));
}

/// A file of more than 16 MiB is read again during the run.
TEST_F(NetraceRuns, ReadLongFilesAgain) {
  NetraceTrace trace = fork_trace();
  write(trace);
  run(standard_catalogue(), text(vc), "out");
  const std::string packets = scratch_.read("out/packets.csv");
  trace.notes = std::string(std::size_t{17} << 20, 'n');
  write(trace);
  run(standard_catalogue(), text(vc), "out");
  EXPECT_EQ(verdict(), "");
  EXPECT_EQ(scratch_.read("out/packets.csv"), packets);
}

TEST_F(NetraceRuns, MapNodesToProcessors) {
  write(fork_trace());
  const auto ends = [&](const std::string& keys, const std::string& network) {
    run(standard_catalogue(), text(vc, keys, network), "out");
    EXPECT_EQ(verdict(), "");
    return column("packets.csv", 1) + ", " + column("packets.csv", 2);
  };
  EXPECT_EQ(ends("", "topology: mesh, shape: [4, 8]"), "0 3 3 0, 3 0 3 5");
  EXPECT_EQ(ends(", mapping: spread", "topology: mesh, shape: [4, 8]"), "0 6 6 0, 6 0 6 10");
  EXPECT_EQ(ends(", mapping: [1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]", "topology: mesh, shape: [1, 2]"),
            "1 0 0 1, 0 1 0 0");
  const std::string random = ends(", mapping: random", "topology: mesh, shape: [4, 4]");
  EXPECT_NE(random, "0 3 3 0, 3 0 3 5");
  const auto fault = [&](const std::string& keys, const std::string& network = "topology: mesh, shape: [2, 2]") {
    return refusal(standard_catalogue(), text(vc, keys, network));
  };
  EXPECT_THAT(fault(""), HasSubstr("traffic.mapping: the trace has 16 nodes, but the network has 4 processors; give a "
                                   "list, in which several nodes may share a processor"));
  EXPECT_THAT(fault(", mapping: [0, 1]"),
              HasSubstr("traffic.mapping: it has 2 processors, but the trace has 16 nodes"));
  EXPECT_THAT(fault(", mapping: [0, 1, 2, 3, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5]"),
              HasSubstr("traffic.mapping: node 4 of the trace: 4 is not a processor: processors are 0 to 3"));
}

TEST_F(NetraceRuns, NameTheKeyOfAFault) {
  write(fork_trace());
  const auto fault = [&](const std::string& routing, const std::string& keys) {
    return refusal(standard_catalogue(), text(routing, keys));
  };
  EXPECT_THAT(fault("greedy", ""), HasSubstr("packets of 5 flits, but greedy moves only packets of one flit"));
  EXPECT_EQ(fault("greedy", ", flits: 1"), "");
  EXPECT_THAT(fault(vc, ", region: 0"), HasSubstr("traffic.region: the trace has no regions; leave out this key"));
  EXPECT_THAT(fault(vc, ", pace: throttle"), HasSubstr("did you mean throttled?"));
  EXPECT_THAT(fault(vc, ", window: 0"), HasSubstr("traffic.window"));
  EXPECT_THAT(fault("multistage", ", flits: 1"), HasSubstr("e.yaml:4:"));
  NetraceTrace trace = fork_trace();
  trace.records[3].type = 7;
  write(trace);
  EXPECT_EQ(fault(vc, ""), "t.tra.bz2: record 3 (offset 79): type 7 is not a packet type");
}

TEST_F(NetraceRuns, AreTheSameInAnyOrderNumberOfThreadsAndWindow) {
  write(random_netrace(3, 400, 16, 9));
  for (const char* pace : {", pace: dependencies, delay: 2", ", pace: timestamps", ", pace: throttled"}) {
    expect_same_bytes_in_any_order(standard_catalogue(), text(vc, pace));
    EXPECT_GE(result()["steps"], result()["bounds"]["critical_path"]);
    const auto other = run(standard_catalogue(), text(vc, std::string(pace) + ", window: 400"), "other");
    EXPECT_TRUE(same_rows(scratch_.file("out"), other)) << pace;
    run(standard_catalogue(), text(vc, std::string(pace) + ", window: 3"), "out");
    EXPECT_GT(result()["workload"]["paused"], 0) << pace;
    EXPECT_EQ(result()["packets"]["undelivered"], 0) << pace;
    EXPECT_GE(result()["steps"], result()["bounds"]["critical_path"]) << pace;
    EXPECT_EQ(verdict(), "") << pace;
  }
}

/// A packet file with the same dependencies has the same deliveries; of the packets that others release, it counts the
/// step after the delivery as that of the creation.
TEST_F(NetraceRuns, HaveTheDeliveriesOfAPacketFile) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    const NetraceTrace trace = random_netrace(seed, 200, 16, 20);
    write(trace);
    std::map<std::uint32_t, std::string> after;
    for (const NetraceTrace::Record& record : trace.records)
      for (const std::uint32_t id : record.dependants)
        after[id] += (after[id].empty() ? "" : " ") + std::to_string(record.id);
    std::ostringstream file;
    file << "cycle,source,destination,flits,id,after\n";
    for (const NetraceTrace::Record& record : trace.records)
      file << record.cycle << ',' << record.source << ',' << record.destination << ','
           << (record.type == 2 || record.type == 6 || record.type == 16 ? 5 : 1) << ',' << record.id << ','
           << after[record.id] << '\n';
    scratch_.write("p.csv", file.str());
    for (const char* routing : {vc, "vc-wormhole, channels: 2, buffer: 4"}) {
      run(standard_catalogue(), text(routing), "out");
      EXPECT_EQ(verdict(), "");
      const Json own = result();
      std::map<std::string, std::string> delivered;
      const auto times = [&] {
        std::map<std::string, std::string> of;
        std::istringstream ids(column("messages.csv", 1)), steps(column("messages.csv", 8));
        for (std::string id, step; ids >> id && steps >> step;) of[id] = step;
        return of;
      };
      const auto expected = times();
      run(standard_catalogue(), experiment("topology: mesh, shape: [4, 4]", routing, "packets, file: p.csv"), "out");
      EXPECT_EQ(times(), expected) << seed;
      EXPECT_EQ(result()["steps"], own["steps"]);
      EXPECT_EQ(result()["bounds"], own["bounds"]);
      EXPECT_EQ(result()["links"], own["links"]);
    }
  }
}

/// Packets keep the numbers of their records, so a run that ends early has gaps between them.
TEST_F(NetraceRuns, MayEndWithGapsBetweenTheNumbersOfPackets) {
  write(random_netrace(5, 200, 16, 3));
  for (const char* routing : {vc, "greedy", "deflection"}) {
    const std::string keys = std::string(", pace: throttled, delay: 5") + (routing == vc ? "" : ", flits: 1");
    status_of_run(standard_catalogue(), text(routing, keys) + "limits: {steps: 25}\n", "out");
    const Json found = result();
    EXPECT_THAT(output_of(standard_catalogue(),
                          {"run", scratch_.file("e.yaml").string(), "--out", scratch_.file("again").string()}),
                HasSubstr(std::to_string(200 - found["packets"]["total"].get<int>()) + " more not created"));
    std::filesystem::remove_all(scratch_.file("again"));
    EXPECT_EQ(found["outcome"], "step-limit");
    const std::int64_t total = found["packets"]["total"];
    std::istringstream numbers(column("packets.csv", 0));
    std::int64_t count = 0, last = -1;
    for (std::int64_t number = 0; numbers >> number; last = number, ++count) EXPECT_GT(number, last);
    EXPECT_EQ(count, total) << routing;
    EXPECT_GT(last, total) << routing << ": there are gaps";
    EXPECT_EQ(column("messages.csv", 0), column("packets.csv", 0));
    EXPECT_EQ(verdict(), "") << routing;
    EXPECT_THAT(output_of(standard_catalogue(), {"why", scratch_.file("out").string()}),
                HasSubstr("packets with the highest latency"));
    EXPECT_EQ(output_of(standard_catalogue(), {"why", scratch_.file("out").string()})
                  .find("packet " + std::to_string(last + 1)),
              std::string::npos);
    EXPECT_THAT(output_of(standard_catalogue(), {"show", scratch_.file("out").string(), "--step", "20"}),
                HasSubstr("step 20"));
    output_of(standard_catalogue(),
              {"replay", scratch_.file("out").string(), "--out", scratch_.file("r.html").string()});
  }
}

TEST_F(NetraceRuns, AreRejectedWithWrongRowsOrNumbers) {
  write(fork_trace());
  run(standard_catalogue(), text(vc), "out");
  const std::string packets = scratch_.read("out/packets.csv"), messages = scratch_.read("out/messages.csv");
  const auto without = [](std::string text, const std::string& line) {
    return text.erase(text.find(line), line.size());
  };
  EXPECT_THAT(verdict_with("packets.csv", "1,3,0,5,14,33,15\n", "1,3,0,5,13,33,15\n"),
              HasSubstr("message 1 does not have its packets in packets.csv"));
  scratch_.write("out/messages.csv", without(messages, "2,9,3->3,,3,3,1,90,95,0\n"));
  EXPECT_THAT(verdict(), HasSubstr("is not a packet of a message"));
  scratch_.write("out/packets.csv", without(packets, "2,3,3,1,90,95,90\n"));
  EXPECT_NE(verdict(), "") << "the row is in neither file";
  scratch_.write("out/messages.csv", messages);
  EXPECT_THAT(verdict(), HasSubstr("message 2 does not have its packets in packets.csv"));
  scratch_.write("out/packets.csv", packets);
  EXPECT_EQ(verdict(), "");
  EXPECT_THAT(verdict_with("packets.csv", "3,0,5,5,91,106,91\n", "2,0,5,5,91,106,91\n"),
              HasSubstr("packet 3, or one of the next 4194304, is expected here"));
  // A packet that leaves in the step of the delivery for which it waits.
  scratch_.write("out/messages.csv", std::string(messages).replace(messages.find("11,0->5,,0,5,5,91,106,1"), 23,
                                                                   "11,0->5,,0,5,5,91,106,2"));
  EXPECT_THAT(verdict(), HasSubstr("is created, but waits for packet 2, which has not arrived"));
  scratch_.write("out/messages.csv", messages);
  EXPECT_THAT(verdict_with("result.json", "\"pattern\": \"netrace\"", "\"pattern\": \"packets\""),
              HasSubstr("packet 1"));
}

}  // namespace
}  // namespace starloom
