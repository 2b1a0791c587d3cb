// SPDX-License-Identifier: Apache-2.0
// Output folders with damaged files: they are checked or refused with the location of the error, without a crash.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include <starloom/experiment/experiment.hpp>
#include <starloom/inspection/run_folder.hpp>
#include <starloom/results/result.hpp>
#include <starloom/run/prepared_run.hpp>
#include <starloom/run/standard_catalogue.hpp>
#include <starloom/support/error.hpp>
#include <starloom/topologies/topology_table.hpp>
#include <starloom/trace_io/packets_csv.hpp>
#include "fuzz/damage.hpp"
#include "fuzz/placed_faults.hpp"
#include "probes/probe_catalogue.hpp"
#include "unit/scratch_folder.hpp"

namespace starloom {
namespace {

struct Sample {
  const char* name;
  const char* network;
  const char* routing;
  const char* traffic;
};

/// One of each storage model, and keys.
const Sample samples[] = {
    {"greedy", "{topology: mesh, shape: [4, 4]}", "{algorithm: greedy, bound: 3}", "{pattern: transpose}"},
    {"channels", "{topology: mesh, shape: [3, 3]}", "{algorithm: vc-wormhole, channels: 2, buffer: 2}",
     "{pattern: reversal, flits: 3}"},
    {"hold", "{topology: mesh, shape: [3, 3]}", "{algorithm: probe-hold}", "{pattern: reversal, flits: 3}"},
    {"hot_potato", "{topology: torus, shape: [6]}", "{algorithm: probe-hot-potato, flits: 2}",
     "{pattern: shift, offset: 2, flits: 2}"},
    {"keys", "{topology: torus, shape: [3, 3]}", "{algorithm: probe-keys}", "{pattern: reversal}"}};

class FolderFuzz : public testing::TestWithParam<Sample> {
 protected:
  /// A sound folder.
  FolderFuzz() {
    const auto& [name, network, routing, traffic] = GetParam();
    const Catalogue catalogue = probe_catalogue();
    const Experiment experiment = load_experiment(
        catalogue, scratch_.write("e.yaml", std::string("schema: 1\nnetwork: ") + network + "\nrouting: " + routing +
                                                "\ntraffic: " + traffic + "\n"));
    RunRequest request;
    request.folder = scratch_.path();
    request.trace = TraceWindow();
    const RunReport run = prepare(experiment)->run(request);
    write_packets(scratch_.file("packets.csv"), run.packets, run.delivered);
    scratch_.write("result.json",
                   json_text(result_json(*experiment.algorithm, experiment_json(experiment), std::nullopt, run)));
  }

  /// Verifies the folder with one file damaged again and again. Returns how often that was noticed.
  int noticed(const std::string& file, int times, std::uint64_t seed) const {
    const std::string sound = scratch_.read(file);
    EXPECT_TRUE(open_run_folder(scratch_.path(), {topology_table()})->verify().ok());
    Dice dice(seed);
    int noticed = 0;
    for (int i = 0; i < times && !HasFailure(); ++i) {
      scratch_.write(file, damaged(sound, dice));
      try {
        noticed += open_run_folder(scratch_.path(), {topology_table()})->verify().ok() ? 0 : 1;
      } catch (const InputError& error) {
        ++noticed;
        // Keys of result.json have names instead of locations.
        EXPECT_TRUE(file == "result.json" || are_placed(error.what())) << error.what();
      } catch (const std::exception& error) {
        ADD_FAILURE() << "an unexpected fault: " << error.what() << "\nof:\n" << scratch_.read(file);
      }
    }
    scratch_.write(file, sound);
    return noticed;
  }

  const ScratchFolder scratch_;
};

// Some damages make another run that keeps the rules: a packet that enters its first queue a step later, say.
TEST_P(FolderFuzz, Trace) { EXPECT_GE(noticed("trace.csv", 1000, 11), 950); }
TEST_P(FolderFuzz, Packets) { EXPECT_GE(noticed("packets.csv", 500, 12), 450); }
// Much of it is for people and is not judged.
TEST_P(FolderFuzz, Result) { EXPECT_GE(noticed("result.json", 500, 13), 250); }

// The histories of packets, and the page of the run.
TEST_P(FolderFuzz, StoriesAndPages) {
  const std::unique_ptr<RunFolder> run = open_run_folder(scratch_.path(), {topology_table()});
  const auto refused = [](const std::function<void()>& read) {
    try {
      read();
      return 0;
    } catch (const InputError&) {
      return 1;
    }
  };
  EXPECT_EQ(refused([&] { run->histories({0, 1, 2}); }), 0);
  int refusals = 0;
  Dice dice(14);
  for (const char* const file : {"trace.csv", "packets.csv", "result.json"}) {
    const std::string sound = scratch_.read(file);
    for (int i = 0; i < 60; ++i) {
      scratch_.write(file, damaged(sound, dice));
      refusals += refused([&] { run->histories({0, 1, 2}); });
      refusals += refused([&] { run->waiting(); });
      refusals += refused([&] { run->replay({}); });
    }
    scratch_.write(file, sound);
  }
  EXPECT_GE(refusals, 200);
}

INSTANTIATE_TEST_SUITE_P(Runs, FolderFuzz, testing::ValuesIn(samples),
                         [](const auto& sample) { return std::string(sample.param.name); });

}  // namespace
}  // namespace starloom
