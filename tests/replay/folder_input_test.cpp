// SPDX-License-Identifier: Apache-2.0
// The errors of `why` and `replay` for folders without the required files, and that no incomplete file is left.
#include <sys/stat.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/child_run.hpp"
#include "support/scenario_files.hpp"

namespace starloom {
namespace {

using testing::HasSubstr;

class FolderInput : public ChildTest {
 protected:
  FolderInput() {
    scratch_.write("small.yaml", small_experiment);
    EXPECT_EQ(starloom("run small.yaml --trace --quiet --out out").status, 0);
  }
  void both_refuse(const std::string& folder, const std::string& text) const {
    refuses("why " + folder, 2, text);
    refuses("replay " + folder + " --out page.html", 2, text);
    EXPECT_FALSE(exists("page.html"));
  }
  /// Writes a file of the folder with one text replaced.
  void change(const std::string& name, const std::string& from, const std::string& to) const {
    std::string text = scratch_.read("out/" + name);
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    scratch_.write("out/" + name, text.replace(at, from.size(), to));
  }
};

TEST_F(FolderInput, WithoutATraceOrAResult) {
  std::filesystem::remove(scratch_.file("out/trace.csv"));
  both_refuse("out", "out: there is no trace.csv or trace.csv.gz; run with --trace");
  both_refuse("nowhere", "nowhere: there is no such folder; the output folder of a run is expected");
}

TEST_F(FolderInput, DamagedTraces) {
  change("trace.csv", "0,hop,0,0,0,1,1\n", "0,hop,0,0,0,9,1\n");
  both_refuse("out", "out/trace.csv: step 0: a row names a link that does not exist");
  change("trace.csv", "0,hop,0,0,0,9,1\n", "0,hop,99,0,0,1,1\n");
  both_refuse("out", "out/trace.csv: step 0: a row names a packet that is not in packets.csv");
  change("trace.csv", "0,hop,99,0,0,1,1\n", "");
  both_refuse("out",
              "out/trace.csv: step 1: packet 0 is not in node_r00_c01; the trace is damaged or incomplete (the whole "
              "run is needed: run with --trace, without FROM:TO)");
  change("trace.csv", "step,event", "step,evnt");
  EXPECT_THAT(starloom("replay out").err, HasSubstr("out/trace.csv:1:1: the first line must be "));
  EXPECT_FALSE(exists("out/replay.html"));
}

TEST_F(FolderInput, DamagedWorkloads) {
  const auto run = [this] {
    ASSERT_EQ(
        starloom("run '" + scenario_file("training_step").string() + "' --trace --quiet --force --out out").status, 0);
  };
  const auto replay_refuses = [this](const std::string& text) {
    refuses("replay out --out page.html", 2, text);
    EXPECT_FALSE(exists("page.html"));
  };
  run();
  change("messages.csv", ",160,183,\n4,", ",160,,\n4,");
  both_refuse("out", "out/messages.csv: message 6 is released by message 3, which was not delivered");
  run();
  change("critical_path.csv", "\n1,", "\n99,");
  replay_refuses("out/critical_path.csv: message 99 was not delivered, by messages.csv");
  run();
  change("operations.csv", "forward,0,compute,1,1,", "forward,0,compute,1,7,");
  replay_refuses("out/operations.csv: node 7 is not in the network");
  std::filesystem::remove(scratch_.file("out/operations.csv"));
  replay_refuses("out/operations.csv: cannot be read: No such file or directory");
}

// Tables would have this size: readers would need gigabytes.
TEST_F(FolderInput, NumbersThatNoRunHas) {
  scratch_.write("small.yaml",
                 "schema: 1\nnetwork: {topology: torus, shape: [3, 3]}\nrouting: {algorithm: vc-wormhole, channels: 2, "
                 "credit_latency: 3}\ntraffic: {pattern: uniform, rate: 0.2, warmup: 5, measure: 20, drain: 100}\n"
                 "limits: {steps: 500}\n");
  ASSERT_EQ(starloom("run small.yaml --trace --quiet --force --out out").status, 0);
  const auto result = nlohmann::ordered_json::parse(scratch_.read("out/result.json"));
  struct Number {
    const char* path;
    double least_wrong;
  };
  for (const Number& number :
       {Number{"storage.channels", 32768}, Number{"storage.channels", 1 << 20}, Number{"storage.channels", 2147483647},
        Number{"storage.channels", 0}, Number{"storage.capacity", 2147483648.0},
        Number{"experiment.routing.channels", 257}, Number{"experiment.routing.buffer", 65536},
        Number{"experiment.routing.pipeline", 6}, Number{"experiment.routing.credit_latency", 66560},
        Number{"experiment.traffic.warmup", -1}, Number{"experiment.traffic.measure", -1},
        Number{"experiment.limits.steps", -1}, Number{"experiment.units.flit_bytes", 0},
        Number{"experiment.units.clock_ns", -1}, Number{"experiment.seed", -1},
        Number{"experiment.network.shape", 0}}) {
    auto changed = result;
    std::string pointer = "/" + std::string(number.path);
    std::replace(pointer.begin(), pointer.end(), '.', '/');
    auto& value = changed[nlohmann::ordered_json::json_pointer(pointer)];
    const auto wrong = static_cast<std::int64_t>(number.least_wrong);
    if (value.is_array()) value[0] = wrong;
    else value = wrong;
    scratch_.write("out/result.json", changed.dump());
    const std::string text = std::string("out/result.json: '") + number.path + "' is out of range";
    both_refuse("out", text);
    refuses("verify out", 2, text);
  }
  scratch_.write("out/result.json", result.dump());
  EXPECT_EQ(starloom("verify out").status, 0);
}

// A pipe would block.
TEST_F(FolderInput, FilesThatAreNotFiles) {
  ASSERT_EQ(starloom("run small.yaml --trace --waves --quiet --set routing.algorithm=constant-queue --force --out out")
                .status,
            0);
  int read = 0;
  for (const std::string& name : files("out")) {
    const std::string ending = std::filesystem::path(name).extension().string();
    if (ending == ".svg" || ending == ".gtkw" || name == "timing.json" || name == "waves.flit_kind.filter") continue;
    ++read;
    std::filesystem::rename(scratch_.file("out/" + name), scratch_.file("kept"));
    ASSERT_EQ(mkfifo(scratch_.file("out/" + name).c_str(), 0600), 0);
    const ProgramRun run = starloom("replay out");
    EXPECT_EQ(run.status, 2) << name << ": " << run.err;
    EXPECT_THAT(run.err, HasSubstr("out/" + name)) << name;
    EXPECT_THAT(run.err, HasSubstr("a device or a pipe")) << name;
    std::filesystem::rename(scratch_.file("kept"), scratch_.file("out/" + name));
  }
  EXPECT_GE(read, 5);
  EXPECT_EQ(starloom("replay out").status, 0);
}

TEST_F(FolderInput, PacketsThatAreNotThere) {
  refuses("why out --packet 16", 2, "--packet 16: out has no such packet; packets are 0 to 15");
  EXPECT_THAT(starloom("why out --packet -1").err, HasSubstr("a packet is an integer from 0, not -1"));
  EXPECT_EQ(starloom("why out --packet x").status, 2);
}

TEST_F(FolderInput, WindowsInWhichNothingIs) {
  refuses("replay out --from 5 --to 5", 2, "--from 5 --to 5: the interval is empty; --from is included, --to is not");
  EXPECT_THAT(starloom("replay out --from 1000").err, HasSubstr("--from 1000: the trace ends in step "));
  EXPECT_THAT(starloom("replay out --from=-1").err, HasSubstr("a step is an integer from 0, not -1"));
}

TEST_F(FolderInput, ATraceOfAWindowIsShownAsSuch) {
  ASSERT_EQ(starloom("run small.yaml --trace 1:3 --quiet --out part").status, 0);
  EXPECT_EQ(starloom("replay part").status, 0);
  EXPECT_TRUE(exists("part/replay.html"));
  EXPECT_THAT(starloom("why part").err, HasSubstr("damaged or incomplete (the whole run is needed"));
}

TEST_F(FolderInput, PagesAreWholeAndTheSameEachTime) {
  ASSERT_EQ(starloom("replay out").status, 0);
  const std::string page = scratch_.read("out/replay.html");
  ASSERT_EQ(starloom("replay out --out again.html").status, 0);
  EXPECT_EQ(page, scratch_.read("again.html"));
  EXPECT_THAT(page, HasSubstr("<title>greedy on mesh 4 x 4, reversal, seed "));
  // A name in which the title and the data of the page are marked.
  scratch_.write("@data@@title@.txt", "router 0 node 0 router 1\nrouter 1 node 1\n");
  ASSERT_EQ(starloom("run small.yaml --trace --quiet --out named --set 'network={topology: graph, file: "
                     "\"@data@@title@.txt\"}' --set 'routing={algorithm: greedy, function: shortest}'")
                .status,
            0);
  ASSERT_EQ(starloom("replay named").status, 0);
  EXPECT_THAT(scratch_.read("named/replay.html"), HasSubstr("<title>greedy on graph @data@@title@, reversal, seed "));
  EXPECT_EQ(scratch_.read("named/replay.html").find(">@data@<"), std::string::npos);
  // No external resources, no module, no mark left.
  for (const char* const other : {"src=", "href=", "http://", "https://", "\nimport ", "\nexport ", ".js@", ".css@"})
    EXPECT_EQ(page.find(other), std::string::npos) << other;
  ASSERT_EQ(starloom("run small.yaml --replay --quiet --out once").status, 0);
  EXPECT_EQ(page, scratch_.read("once/replay.html"));
  refuses("run small.yaml --replay --no-packets --out never", 2, "--replay: needs packets.csv; leave out --no-packets");
  scratch_.write("mine.txt", "mine");
  refuses("replay out --out mine.txt", 5,
          "mine.txt: exists and is not a replay page, so it is not replaced; choose another --out");
  EXPECT_EQ(scratch_.read("mine.txt"), "mine");
  const ProgramRun full = starloom("replay out --out /dev/full");
  EXPECT_EQ(full.status, 5);
}

TEST_F(FolderInput, TooManyRowsForAPage) {
  std::string trace = "step,event,packet,flit,node,port,to\n0,inject,0,0,0,,\n";
  for (int step = 0; step < 4'000'100; ++step) trace += std::to_string(step) + ",key,,,0,1,1\n";
  scratch_.write("out/trace.csv", trace);
  refuses("replay out", 2,
          "out/trace.csv: has 4000101 rows; a page of all of them would have about 12 MB, and the limit is 4000000 "
          "rows: choose about 3999999 steps of 0 to 4000099 with --from and --to");
  EXPECT_FALSE(exists("out/replay.html"));
}

}  // namespace
}  // namespace starloom
