// SPDX-License-Identifier: Apache-2.0
// Random experiments, valid and damaged: every error is reported with its location, and an accepted experiment runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <starloom/experiment/experiment.hpp>
#include <starloom/run/prepared_run.hpp>
#include <starloom/run/standard_catalogue.hpp>
#include <starloom/support/error.hpp>
#include "fuzz/damage.hpp"
#include "fuzz/placed_faults.hpp"
#include "fuzz/random_experiment.hpp"
#include "unit/chakra_traces.hpp"
#include "unit/netrace_trace.hpp"
#include "unit/scratch_folder.hpp"

namespace starloom {
namespace {

constexpr std::int64_t most_nodes = 4096;

class ExperimentFuzz : public testing::Test {
 protected:
  /// Writes data files, each of them damaged once in `damage` times (0: never).
  void write_data(Dice& dice, std::int64_t nodes, std::size_t damage) const {
    const auto put = [&](const char* name, const std::string& text) {
      scratch_.write(name, damage != 0 && dice.one_in(damage) ? damaged(text, dice) : text);
    };
    put("permutation.txt", random_permutation_file(dice, nodes));
    put("packets.csv", random_packet_file(dice, nodes));
    put("rates.csv", random_rates_file(dice, nodes));
    put("graph.yaml", random_graph_file(dice, nodes));
    put("program.yaml", random_program_file(dice, nodes));
    write_trace(dice, nodes, damage);
    if (damage != 0 || !std::filesystem::exists(scratch_.file("table.yaml")))
      put("table.yaml", random_energy_table(dice));
    put("groups.json", "{\"a\": [1, 0], \"b\": [1]}");
    for (const char* name : {"t.0.et", "t.1.et"}) put(name, random_chakra(dice, name[2] - '0'));
  }
  /// The same with energy, or that of optics, in one of six experiments, if it has one clock.
  static std::string with_energy(const std::string& text, Dice& dice) {
    const bool added = text.find("clocks:") == std::string::npos && dice.one_in(6);
    if (!added) return text;
    return text + (text.find("topology: pops") == std::string::npos ? random_energy_section(dice)
                                                                    : random_optics_section(dice));
  }
  /// The trace of one of two ranks.
  static std::string random_chakra(Dice& dice, int rank) {
    using namespace chakra_traces;
    std::vector<std::string> nodes = {compute(1, dice.below(3)), collective(2, 0, 200, {1}, "a"),
                                      send(5, 1 - rank, 40, {2}, 1), receive(4, 1 - rank, {1}, 1),
                                      collective(7, 9, 0, {4})};
    if (rank == 1) nodes.push_back(collective(6, 5, 30, {5}, "b"));
    if (dice.one_in(2)) std::swap(nodes[2], nodes[3]);
    return trace(nodes);
  }
  /// Writes a netrace file, which is damaged before it is compressed, or after. A sound one that is there stays.
  void write_trace(Dice& dice, std::int64_t nodes, std::size_t damage) const {
    if (damage == 0 && std::filesystem::exists(scratch_.file("t.tra.bz2"))) return;
    const std::string trace =
        random_netrace(static_cast<unsigned>(dice.below(1000)), 12, static_cast<int>(dice.between(1, nodes)), 30)
            .bytes();
    const bool before = damage != 0 && dice.one_in(damage), after = before && dice.one_in(4);
    const std::string packed = bzip2(before && !after ? damaged(trace, dice) : trace);
    scratch_.write("t.tra.bz2", after ? damaged(packed, dice) : packed);
  }

  /// Reads the experiment and, if it is not huge, sets it up. Null if it is refused.
  std::unique_ptr<PreparedRun> load(const std::string& text) {
    try {
      experiment_ = load_experiment(catalogue_, scratch_.write("e.yaml", text));
      if (nodes_of(experiment_) > most_nodes) return nullptr;
      return prepare(experiment_);
    } catch (const InputError& error) {
      error_ = error.what();
      EXPECT_TRUE(are_placed(error_)) << error_ << "\nof:\n" << text;
    } catch (const std::exception& error) {
      ADD_FAILURE() << "an unexpected fault: " << error.what() << "\nof:\n" << text;
    }
    return nullptr;
  }
  static std::int64_t nodes_of(const Experiment& experiment) {
    return static_cast<std::int64_t>(std::min(experiment.topology->size(experiment.network).nodes, most_nodes + 1.0));
  }

  const ScratchFolder scratch_;
  const Catalogue catalogue_ = standard_catalogue();
  Experiment experiment_;
  std::string error_;
};

TEST_F(ExperimentFuzz, LegalKeysAreAcceptedAndWhatFitsRuns) {
  Dice dice(1), of_energy(4);
  int run = 0, completed = 0;
  scratch_.write("table.yaml", random_energy_table(of_energy));
  for (int i = 0; i < 1700; ++i) {
    const std::string text = with_energy(random_experiment(dice), of_energy);
    // Keys that are legal by themselves: an incompatible combination is refused by prepare.
    Experiment read;
    try {
      read = load_experiment(catalogue_, scratch_.write("e.yaml", text));
    } catch (const InputError& error) {
      // Only two faults are legitimate: the algorithm does not serve the network, or the pattern transactions lacks
      // its section, which is never drawn.
      ASSERT_THAT(error.what(), testing::ContainsRegex(text.find("pattern: transactions") != std::string::npos
                                                           ? ":[0-9]+: (routing[.:]|tlm is missing: )"
                                                           : ":[0-9]+: routing[.:]"))
          << text;
      continue;
    }
    write_data(dice, nodes_of(read), 0);
    const auto setup = load(text);
    if (setup == nullptr) continue;
    experiment_.limits.steps = 300;
    const RunReport result = setup->run({});
    ++run;
    completed += result.outcome == Outcome::completed ? 1 : 0;
    // Only a bound on queues may be broken.
    if (result.metrics.at("storage.bound") == 0) {
      EXPECT_NE(result.outcome, Outcome::violation) << result.violation.text << "\nof:\n" << text;
    }
  }
  EXPECT_GE(run, 150);
  EXPECT_GE(completed, 80);
}

TEST_F(ExperimentFuzz, DamagedExperimentsAreReadOrRefusedWithPlaces) {
  Dice dice(2), of_energy(5);
  int refused = 0;
  for (int i = 0; i < 6000; ++i) {
    const std::string text = with_energy(random_experiment(dice), of_energy);
    write_data(dice, 16, 0);
    error_.clear();
    load(damaged(text, dice));
    refused += error_.empty() ? 0 : 1;
    if (HasFailure()) return;
  }
  EXPECT_GE(refused, 2000);
}

TEST_F(ExperimentFuzz, DamagedDataFilesAreReadOrRefusedWithPlaces) {
  Dice dice(3);
  int refused = 0;
  for (int i = 0; i < 2000; ++i) {
    write_data(dice, 12, 1);
    for (const char* traffic :
         {"{pattern: file, file: permutation.txt}", "{pattern: transpose}\nenergy: {table: table.yaml}",
          "{pattern: packets, file: packets.csv}", "{pattern: matrix, file: rates.csv, measure: 50}",
          "{pattern: application, file: graph.yaml, steps: 30}", "{pattern: program, file: program.yaml}",
          "{pattern: chakra, file: t, groups: groups.json}", "{pattern: netrace, file: t.tra.bz2}"}) {
      const std::string text = traffic;
      const bool is_long = text.find("netrace") != std::string::npos || text.find("energy") != std::string::npos;
      if (i % 3 != 0 && is_long) continue;
      error_.clear();
      load(std::string("schema: 1\nnetwork: {topology: torus, shape: [3, 4]}\n"
                       "routing: {algorithm: vc-wormhole, channels: 2}\ntraffic: ") +
           traffic + "\n");
      refused += error_.empty() ? 0 : 1;
      if (HasFailure()) return;
    }
  }
  EXPECT_GE(refused, 2000);
}

TEST_F(ExperimentFuzz, NoiseIsRefused) {
  Dice dice(4);
  for (int i = 0; i < 1500; ++i) {
    std::string noise;
    for (std::size_t left = 1 + dice.below(80); left > 0; --left) {
      const bool text = dice.one_in(2);
      noise +=
          text ? dice.one_of<char>({':', ' ', '\n', '{', '}', '[', ']', ',', '-', '#', 'a', '1', '"', '\'', '&', '*'})
               : static_cast<char>(dice.below(256));
    }
    error_.clear();
    EXPECT_EQ(load(noise), nullptr);
    EXPECT_NE(error_, "") << noise;
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace starloom
