// SPDX-License-Identifier: Apache-2.0
// Damaged files through the program: status 2 with a sentence or what a sound file gives, never 1, never a signal, in
// time.
#include <sys/resource.h>

#include <chrono>

#include "cli/child_run.hpp"
#include "fuzz/damage.hpp"
#include "fuzz/readers.hpp"

namespace starloom {
namespace {

using std::chrono::steady_clock;

/// The commands that read a file, and what it is called there; `reader` has sound ones.
struct Invocation {
  const char* reader;
  const char* file;
  const char* words;
};

const Invocation invocations[] = {
    {"experiment", "e.yaml", "check e.yaml"},
    {"campaign", "c.yaml", "campaign c.yaml --dry-run"},
    {"permutation", "data", "check p.yaml"},
    {"packets", "data", "check k.yaml"},
    {"application", "data", "check a.yaml"},
    {"transactions", "data", "check t.yaml"},
    {"graph", "data", "check g.yaml"},
    {"routing_table", "data", "check r.yaml"},
    {"plan", "plan.json", "run saved.yaml --quiet --force --out o"},
    {"trace", "run/trace.csv", "verify run"},
    {"packets_csv", "run/packets.csv", "verify run"},
    {"trace", "run/trace.csv", "why run"},
    {"trace", "run/trace.csv", "replay run --out page.html"},
    {"packets_csv", "run/packets.csv", "replay run --out page.html"},
    {"result", "run/result.json", "show run --step 1"},
    {"result", "run/result.json", "why run --packet 5"},
    {"store", "s", "report few.yaml --store s --out r"},
};

class ProgramFuzz : public ChildTest, public testing::WithParamInterface<Invocation> {
 protected:
  void SetUp() override {
    const auto data = [this](const char* name, const std::string& traffic, const std::string& more = "") {
      scratch_.write(name,
                     "schema: 1\nnetwork: {topology: torus, shape: [3, 4]}\n"
                     "routing: {algorithm: vc-wormhole, channels: 4}\ntraffic: {" +
                         traffic + ", file: data}\n" + more);
    };
    data("p.yaml", "pattern: file");
    data("k.yaml", "pattern: packets");
    data("a.yaml", "pattern: application, steps: 30");
    data("t.yaml", "pattern: transactions",
         "tlm: {initiators: [0, 3], targets: [{node: 5, base: 0x1000, size: 256}]}\n");
    scratch_.write("g.yaml",
                   "schema: 1\nnetwork: {topology: graph, file: data}\n"
                   "routing: {algorithm: vc-wormhole, function: up-down}\ntraffic: {pattern: reversal}\n");
    scratch_.write("r.yaml",
                   "schema: 1\nnetwork: {topology: ring, nodes: 4}\n"
                   "routing: {algorithm: vc-wormhole, function: table, table: data, channels: 2}\n"
                   "traffic: {pattern: reversal}\n");
    scratch_.write(
        "saved.yaml",
        "schema: 1\nnetwork: {topology: mesh, shape: [2, 2]}\nrouting: {algorithm: multistage, plan: plan.json}\n"
        "traffic: {pattern: file, file: two.txt}\n");
    scratch_.write("two.txt", "3 2 - -\n");
    scratch_.write("few.yaml",
                   "schema: 1\nname: few\nbase: {schema: 1, network: {topology: mesh, shape: [2, 2]}, routing: "
                   "{algorithm: greedy}, traffic: {pattern: reversal}}\nkeep: [steps]\n");
    scratch_.write("small.yaml", small_experiment);
    ASSERT_EQ(starloom("run small.yaml --trace --quiet --out run").status, 0);
  }
  static void limit_memory() {
    const rlimit limit{4'096'000'000, 4'096'000'000};
    setrlimit(RLIMIT_AS, &limit);
  }
  const FileReader& reader() const {
    for (const FileReader& reader : file_readers())
      if (reader.name == GetParam().reader) return reader;
    throw std::logic_error("no such reader");
  }
};

TEST_P(ProgramFuzz, DamagedFilesEndInASentence) {
  std::vector<std::string> sound = reader().seeds;
  // In the folder that the program has just written, its own file.
  if (exists(GetParam().file)) sound = {scratch_.read(GetParam().file)};
  Dice dice(6);
  // Two seconds of mutation for each reader: this number of files on a slow machine.
  for (int i = 0; i < 60; ++i) {
    const std::string bytes = damaged(dice.one_of(sound), dice);
    scratch_.write(GetParam().file, bytes);
    const auto begun = steady_clock::now();
    const ProgramRun run = starloom(GetParam().words, limit_memory);
    const double seconds = std::chrono::duration<double>(steady_clock::now() - begun).count();
    ASSERT_THAT(run.status, testing::AnyOf(0, 2, 3, 4, 5, 6)) << run.err << "\nof:\n" << bytes;
    ASSERT_LT(std::count(run.err.begin(), run.err.end(), '\n'), 24) << run.err << "\nof:\n" << bytes;
    ASSERT_LT(seconds, 10) << bytes;
  }
}

INSTANTIATE_TEST_SUITE_P(Ways, ProgramFuzz, testing::ValuesIn(invocations), [](const auto& invocation) {
  const std::string words = invocation.param.words;
  return words.substr(0, words.find(' ')) + "_" + invocation.param.reader;
});

}  // namespace
}  // namespace starloom
