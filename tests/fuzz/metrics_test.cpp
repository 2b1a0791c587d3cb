// SPDX-License-Identifier: Apache-2.0
// Output folders in which one figure of result.json is wrong: `verify` finds it, or docs/output.md says why it cannot.
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include <starloom/commands/known_entries.hpp>
#include <starloom/core/outcome.hpp>
#include <starloom/inspection/run_folder.hpp>
#include <starloom/run/standard_catalogue.hpp>
#include <starloom/support/error.hpp>
#include "cli/child_run.hpp"

namespace starloom {
namespace {

using nlohmann::json;
using Names = std::set<std::string>;

/// The first column of the table below a heading of docs/output.md.
Names not_compared() {
  std::ifstream file(docs() / "output.md");
  const std::regex row("\\| `([a-z_.]+)` \\|.*");
  Names names;
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("## ", 0) == 0) inside = line == "## What `verify` compares";
    std::smatch match;
    if (inside && std::regex_match(line, match, row)) names.insert(match[1]);
  }
  return names;
}

/// Rows of the table that hold for nearly every run.
const Names always = {"algorithm", "bounds", "schedule", "storage", "version"};

struct Case {
  const char* name;
  const char* experiment;  ///< without the line of the schema
  Names unseen;            ///< the other rows: figures that can be wrong in this run without being found
};

/// Other values for a figure.
std::vector<json> wrong_values(const std::string& path, const json& value) {
  std::vector<json> wrong;
  const auto other_words = [&](const auto& words) {
    for (const std::string_view word : words)
      if (value != word) wrong.emplace_back(word);
  };
  if (value.is_number_integer()) wrong = {value.get<std::int64_t>() + 1};
  else if (value.is_number()) wrong = {value.get<double>() + 1};
  else if (value.is_boolean()) wrong = {!value.get<bool>()};
  else if (value.is_null()) wrong = {1};
  else if (path == "outcome") other_words(outcome_names);
  else if (path == "saturation.reason") other_words(saturation_reason_names);
  else if (value.is_string()) wrong = {value.get<std::string>() + "x"};
  return wrong;
}

class WrongMetrics : public ChildTest, public testing::WithParamInterface<Case> {
 protected:
  /// True if the folder is refused or a rule is found broken.
  bool is_found(const json& result) const {
    scratch_.write("out/result.json", result.dump());
    try {
      return !open_run_folder(scratch_.file("out"), known_entries(catalogue_))->verify().ok();
    } catch (const InputError&) {
      return true;
    }
  }

  const Catalogue catalogue_ = probe_catalogue();
};

TEST_P(WrongMetrics, AreFoundOrListed) {
  scratch_.write("e.yaml", std::string("schema: 1\n") + GetParam().experiment);
  scratch_.write("a.yaml", "tasks: [a, b]\nedges:\n  - {from: a, to: b, bandwidth: 4000}\nmapping: [0, 3]\n");
  scratch_.write("t.csv",
                 "time,initiator,command,address,length,data,byte_enable\n0,0,write,0,4,deadbeef,\n3,0,read,60,8,,\n");
  scratch_.write("p.csv", "cycle,source,destination,flits,id,after\n0,0,3,2,1,\n0,3,1,4,2,1\n");
  scratch_.write("p.yaml", "schema: 1\nranks: 4\nprogram: [{op: all-reduce, flits: 8}, {op: barrier}]\n");
  const ProgramRun run = starloom("run e.yaml --trace --out out");
  ASSERT_TRUE(exists("out")) << run.err;
  const json sound = json::parse(scratch_.read("out/result.json"));
  ASSERT_FALSE(is_found(sound));
  const Names listed = not_compared();
  Names unseen;
  const json metrics = sound.flatten();
  for (const auto& [pointer, value] : metrics.items()) {
    std::string path = pointer.substr(1);
    std::replace(path.begin(), path.end(), '/', '.');
    if (path.rfind("experiment.", 0) == 0) continue;
    for (const json& wrong : wrong_values(path, value)) {
      json damaged = sound;
      damaged[json::json_pointer(pointer)] = wrong;
      if (is_found(damaged)) continue;
      std::string row = path;
      for (const std::string& name : listed)
        if (path.rfind(name + ".", 0) == 0) row = name;
      if (always.count(row) == 0) unseen.insert(row);
    }
  }
  EXPECT_THAT(unseen, testing::ContainerEq(GetParam().unseen));
}

const Case cases[] = {
    {"Greedy",
     "network: {topology: mesh, shape: [4, 4]}\n"
     "routing: {algorithm: greedy}\n"
     "traffic: {pattern: transpose}\n",
     {"outcome"}},
    {"GreedyOpenLoop",
     "network: {topology: mesh, shape: [4, 4], link_latency: 2}\n"
     "routing: {algorithm: greedy}\n"
     "traffic: {pattern: uniform, rate: 0.3, warmup: 10, measure: 40, drain: 100}\n",
     {"outcome"}},
    {"Sort",
     "network: {topology: mesh, shape: [8, 8]}\n"
     "routing: {algorithm: mesh-sort}\n"
     "traffic: {pattern: reversal}\n",
     {"outcome", "queue"}},
    {"Worms",
     "network: {topology: mesh, shape: [3, 3]}\n"
     "routing: {algorithm: probe-hold}\n"
     "traffic: {pattern: reversal, flits: 3}\n",
     {"outcome"}},
    {"WormsInACircle",
     "network: {topology: torus, shape: [6]}\n"
     "routing: {algorithm: probe-hold}\n"
     "traffic: {pattern: shift, offset: 2, flits: 3}\n",
     {}},
    {"Diagonals",
     "network: {topology: torus, shape: [24, 24]}\n"
     "routing: {algorithm: sliding-diagonals}\n"
     "traffic: {pattern: random-permutation, flits: 2}\n",
     {"outcome"}},
    {"Router",
     "network: {topology: mesh, shape: [4, 4]}\n"
     "routing: {algorithm: vc-wormhole, channels: 2, buffer: 2}\n"
     "traffic: {pattern: reversal, flits: 3}\n",
     {"outcome"}},
    {"RouterOpenLoop",
     "network: {topology: fat-tree, arity: 2, levels: 3}\n"
     "routing: {algorithm: vc-wormhole, function: nearest-ancestor, channels: 2}\n"
     "traffic: {pattern: uniform, rate: 0.2, warmup: 20, measure: 100, drain: 1000}\n",
     {"outcome"}},
    {"Classes",
     "network: {topology: mesh, shape: [4, 4]}\n"
     "routing: {algorithm: vc-wormhole, channels: 2, priority: class}\n"
     "traffic: {classes: [{name: a, pattern: reversal, flits: 3}, {name: b, pattern: transpose, priority: 1}]}\n",
     {"outcome"}},
    {"FullLink",
     "network: {topology: mesh, shape: [4, 4]}\n"
     "routing: {algorithm: vc-wormhole, channels: 2}\n"
     "traffic: {pattern: transpose, rate: 0.9, warmup: 100, measure: 400}\n",
     {}},
    {"FullPort",
     "network: {topology: mesh, shape: [4, 4]}\n"
     "routing: {algorithm: vc-wormhole, channels: 4}\n"
     "traffic: {pattern: hot-spot, targets: [0], rate: 0.9, warmup: 200, measure: 400, drain: 10}\n"
     "limits: {latency: off}\n",
     {}},
    {"Backlog",
     "network: {topology: mesh, shape: [4, 4]}\n"
     "routing: {algorithm: vc-wormhole, channels: 1, buffer: 1}\n"
     "traffic: {pattern: uniform, rate: 0.5, warmup: 100, measure: 400}\n",
     {"saturation.reason"}},
    {"Drain",
     "network: {topology: mesh, shape: [4, 4]}\n"
     "routing: {algorithm: vc-wormhole, channels: 2}\n"
     "traffic: {pattern: uniform, rate: 0.2, warmup: 0, measure: 40, drain: 2}\n",
     {"saturation.reason"}},
    {"Latency",
     "network: {topology: mesh, shape: [4, 4]}\n"
     "routing: {algorithm: vc-wormhole, channels: 2}\n"
     "traffic: {pattern: uniform, rate: 0.5, warmup: 0, measure: 16}\n"
     "limits: {latency: 1}\n",
     {"queue", "saturation.step"}},
    {"Deadlock",
     "network: {topology: torus, shape: [6]}\n"
     "routing: {algorithm: vc-wormhole, function: dimension-order-plain, buffer: 1}\n"
     "traffic: {pattern: uniform, rate: 0.5, flits: 4, warmup: 100, measure: 1000}\n"
     "limits: {quiet: 50}\n",
     {"throughput"}},
    {"StepLimit",
     "network: {topology: mesh, shape: [4, 4]}\n"
     "routing: {algorithm: vc-wormhole, channels: 2}\n"
     "traffic: {pattern: uniform, rate: 0.2, warmup: 10, measure: 100}\n"
     "limits: {steps: 50}\n",
     {"outcome"}},
    {"Application",
     "network: {topology: mesh, shape: [2, 2]}\n"
     "routing: {algorithm: vc-wormhole, channels: 2}\n"
     "traffic: {pattern: application, file: a.yaml, steps: 200}\n",
     {"outcome", "application.placement", "saturated"}},
    {"Workload",
     "network: {topology: mesh, shape: [2, 2]}\n"
     "routing: {algorithm: vc-wormhole, channels: 2}\n"
     "traffic: {pattern: packets, file: p.csv}\n",
     {"outcome", "workload"}},
    {"Program",
     "network: {topology: mesh, shape: [2, 2]}\n"
     "routing: {algorithm: vc-wormhole, channels: 2}\n"
     "traffic: {pattern: program, file: p.yaml}\n",
     {"outcome", "workload"}},
    {"ClosedLoop",
     "network: {topology: mesh, shape: [2, 2]}\n"
     "routing: {algorithm: vc-wormhole, channels: 2}\n"
     "traffic: {pattern: closed-loop, servers: [0, 3], outstanding: 2, requests: 9,\n"
     "  reply: {flits: 3, service: 4, channels: 1}, server: {queue: 2, replies: 1}}\n",
     {"outcome", "queue", "workload"}},
    {"Faults",
     "network: {topology: mesh, shape: [4, 4]}\n"
     "routing: {algorithm: vc-wormhole, channels: 2}\n"
     "traffic: {pattern: transpose, flits: 2}\n"
     "faults: {dead: [link_r01_c01_east, {processor: 7}]}\n",
     {"outcome", "faults.unreachable_pairs", "faults.acyclic"}},
    {"Energy",
     "network: {topology: mesh, shape: [4, 4]}\n"
     "routing: {algorithm: vc-wormhole, channels: 2}\n"
     "traffic: {pattern: uniform, rate: 0.3, flits: 2, warmup: 10, measure: 40, drain: 200}\n"
     "energy: {}\n",
     {"outcome", "energy.counts"}},
    {"EnergyCut",
     "network: {topology: mesh, shape: [4, 4]}\n"
     "routing: {algorithm: greedy}\n"
     "traffic: {pattern: transpose}\n"
     "energy: {}\n"
     "limits: {steps: 4}\n",
     {"outcome"}},
    {"Transactions",
     "network: {topology: mesh, shape: [2, 2]}\n"
     "routing: {algorithm: vc-wormhole, channels: 2}\n"
     "traffic: {pattern: transactions, file: t.csv}\n"
     "tlm: {view: cycle-accurate, initiators: [0], targets: [{node: 3, base: 0, size: 64}]}\n",
     {"outcome"}},
    {"Pops",
     "network: {topology: pops, group_size: 4, groups: 4}\n"
     "routing: {algorithm: randomized}\n"
     "traffic: {pattern: random-permutation}\n"
     "optics: {}\n",
     {"outcome"}},
    {"PopsCut",
     "network: {topology: pops, group_size: 8, groups: 4}\n"
     "routing: {algorithm: randomized}\n"
     "traffic: {pattern: random-permutation}\n"
     "optics: {}\n"
     "limits: {steps: 12}\n",
     {"outcome"}},
    {"PopsParts",
     "network: {topology: pops, group_size: 8, groups: 4}\n"
     "routing: {algorithm: randomized}\n"
     "traffic: {pattern: random-permutation}\n"
     "optics: {transmitter: parts, tuning_mw: 0.1, losses: [{name: ring, db: 1, count: 2}]}\n",
     {"outcome"}},
    {"PopsPartsCut",
     "network: {topology: pops, group_size: 4, groups: 4}\n"
     "routing: {algorithm: direct}\n"
     "traffic: {pattern: random-permutation}\n"
     "optics: {transmitter: parts, launch_dbm: auto, laser: always, receivers: listening}\n"
     "limits: {steps: 7}\n",
     {"outcome"}},
};

INSTANTIATE_TEST_SUITE_P(Runs, WrongMetrics, testing::ValuesIn(cases),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(NotCompared, EveryRowOfTheTableHasARunThatShowsIt) {
  Names shown = always;
  for (const Case& one : cases) shown.insert(one.unseen.begin(), one.unseen.end());
  EXPECT_THAT(shown, testing::ContainerEq(not_compared()));
}

}  // namespace
}  // namespace starloom
