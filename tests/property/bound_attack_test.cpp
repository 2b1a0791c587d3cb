// SPDX-License-Identifier: Apache-2.0
// Every bound of `result.json` under attack: structured inputs, odd sizes, latencies of links. A run must complete
// (fabric and referee hold it to its queue bound) within its own `bounds`, which must be there.
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "cli/program_run.hpp"

namespace starloom {
namespace {

using Texts = std::vector<std::string>;

/// One algorithm on all of these networks with all of these packets.
struct Attack {
  std::string name;
  std::string routing, bound;  ///< keys; below `bounds`
  Texts networks, traffics;
};

void PrintTo(const Attack& attack, std::ostream* out) { *out << attack.routing; }

const Texts permutations = {
    "reversal", "tornado", "neighbour", "shift, offset: 3", "random-permutation", "bounded, distance: 2"};
const Texts square = {"transpose", "quarter-turn", "reversal", "tornado", "greedykill", "greedykill, column: 2"};
const Texts of_blocks = {"corner",        "cross-corner", "specials",   "into-middle",     "queue-middle",
                         "queue-outside", "queue-snake",  "late-rows",  "late-rows-alone", "queue-asap",
                         "queue-crossed", "greedykill",   "structured", "quarter-turn"};

Texts meshes(const Texts& shapes, const Texts& latencies = {"1"}) {
  Texts networks;
  for (const std::string& shape : shapes)
    for (const std::string& latency : latencies)
      networks.push_back("mesh, shape: [" + shape + "], link_latency: " + latency);
  return networks;
}
Texts pops(const Texts& sizes) {
  Texts networks;
  for (const std::string& size : sizes)
    networks.push_back("pops, group_size: " + size.substr(0, size.find(' ')) +
                       ", groups: " + size.substr(size.find(' ') + 1));
  return networks;
}
Texts with_flits(Texts traffics, const std::string& flits) {
  for (std::string& traffic : traffics) traffic += ", flits: " + flits;
  return traffics;
}

std::vector<Attack> attacks() {
  const Texts odd = {"1, 9", "9, 1", "5, 7", "7, 5", "9, 9"};
  return {
      {"greedy", "greedy", "steps", meshes(odd, {"1", "2", "5"}), permutations},
      {"greedy_square", "greedy", "steps", meshes({"7, 7", "12, 12"}, {"1", "3"}), square},
      {"deflection", "deflection", "steps", meshes({"5, 7", "7, 7"}), permutations},
      {"deflection_torus", "deflection", "steps", {"torus, shape: [5, 7]"}, permutations},
      {"kunde", "kunde, s: 3", "steps", meshes({"9, 15", "15, 9", "15, 15"}), permutations},
      {"kunde_square", "kunde, s: 4", "steps", meshes({"16, 16", "24, 24"}), square},
      {"queue_kunde", "kunde, s: 4", "steps", meshes({"32, 32", "48, 48"}), {"queue-kunde, s: 4"}},
      {"mesh_sort", "mesh-sort, s: 5", "steps", meshes({"5, 5", "5, 15", "15, 10"}), permutations},
      {"asap", "constant-queue", "steps", meshes({"24, 24", "40, 40", "48, 48"}), of_blocks},
      {"frozen", "constant-queue, column: frozen", "steps", meshes({"24, 24", "40, 40"}), of_blocks},
      {"multistage_any_order", "multistage, scheme: HF, order: STD", "steps", meshes(odd), permutations},
      {"multistage_LLH", "multistage, scheme: HF, order: LLH", "steps", meshes(odd), permutations},
      {"product", "product", "steps", meshes(odd), permutations},
      {"offline_worms", "offline-worms, order: LTD", "steps", meshes({"7, 7", "9, 9"}), with_flits(square, "5")},
      {"offline", "offline", "slots", pops({"3 5", "5 3", "1 7", "7 1", "6 4"}), {"reversal", "shift, offset: 3"}},
      {"comparator_sort",
       "comparator-sort",
       "slots",
       pops({"3 5", "5 3", "1 7", "6 4"}),
       {"reversal", "shift, offset: 3"}},
      {"data_sum", "data-sum", "slots", pops({"3 5", "5 3", "1 7", "7 1", "37 4"}), {"hot-spot, targets: [0]"}},
      {"broadcast", "broadcast", "slots", pops({"3 5", "5 3", "1 7", "7 1"}), {"packets, file: speakers.csv"}},
      {"supernode", "supernode-hot-potato, f: 12, k: 4", "steps", meshes({"18, 18"}),
       with_flits({"greedykill", "reversal", "tornado"}, "4")},
  };
}

class BoundAttack : public ProgramTest, public testing::WithParamInterface<Attack> {};

TEST_P(BoundAttack, EndsWithinItsBound) {
  const Attack& attack = GetParam();
  scratch_.write("speakers.csv", "cycle,source,destination,flits\n0,6,,1\n0,0,,1\n0,2,,1\n");
  for (const std::string& network : attack.networks)
    for (const std::string& traffic : attack.traffics) {
      const std::string experiment = "schema: 1\nnetwork: {topology: " + network +
                                     "}\nrouting: {algorithm: " + attack.routing + "}\ntraffic: {pattern: " + traffic +
                                     "}\n";
      scratch_.write("e.yaml", experiment);
      const ProgramRun run = starloom("run e.yaml --quiet --force --no-packets");
      ASSERT_EQ(run.status, 0) << experiment << run.err;
      const auto result = nlohmann::json::parse(scratch_.read("out/e/result.json"));
      ASSERT_EQ(result["outcome"], "completed") << experiment;
      ASSERT_TRUE(result["bounds"].contains(attack.bound)) << experiment;
      const auto& steps = result["schedule"].is_null() ? result["steps"] : result["schedule"]["steps"];
      EXPECT_LE((attack.bound == "slots" ? steps : result["steps"]).get<double>(),
                result["bounds"][attack.bound].get<double>())
          << experiment;
      // No packet is faster than its path; mesh-sort routes only packets that end at their destination.
      if (result["distance"].is_null() || result["packets"]["undelivered"] != 0) continue;
      EXPECT_LE(result["distance"]["max"].get<double>(), result["steps"].get<double>()) << experiment;
    }
}

INSTANTIATE_TEST_SUITE_P(Algorithms, BoundAttack, testing::ValuesIn(attacks()),
                         [](const auto& attack) { return attack.param.name; });

const Texts with_least_steps = {"direct-diagonals", "sliding-diagonals"};

/// No run is faster than what its own lower bound allows.
using LeastSteps = ProgramTest;

TEST_F(LeastSteps, NobodyIsFasterThanTheLeastSteps) {
  for (const std::string& routing : with_least_steps)
    for (const std::string traffic : {"random-function", "reversal", "tornado"})
      for (const std::string flits : {"1", "2"}) {
        scratch_.write("e.yaml", "schema: 1\nnetwork: {topology: torus, shape: [33, 33]}\nrouting: {algorithm: " +
                                     routing + "}\ntraffic: {pattern: " + traffic + ", flits: " + flits + "}\n");
        const ProgramRun run = starloom("run e.yaml --quiet --force --no-packets");
        ASSERT_EQ(run.status, 0) << run.err;
        const auto result = nlohmann::json::parse(scratch_.read("out/e/result.json"));
        EXPECT_GE(result["steps"].get<double>(), result["bounds"]["least_steps"].get<double>()) << routing << traffic;
      }
}

using Attacked = ProgramTest;

TEST_F(Attacked, AreAllAlgorithmsWithABound) {
  std::set<std::string> attacked;
  for (const std::string& algorithm : with_least_steps) attacked.insert("least_steps of " + algorithm);
  for (const Attack& attack : attacks()) {
    const std::string algorithm = attack.routing.substr(0, attack.routing.find(','));
    attacked.insert(attack.bound + " of " + algorithm);
    attacked.insert("queue of " + algorithm);  // fabric and referee hold every run to it
  }
  // | `bounds.steps` | `greedy`, `kunde` | ...
  const std::string table = starloom("explain --figures --markdown").out;
  const std::regex row("\\| `bounds\\.([a-z_]+)` \\| (`[^|]+) \\|"), name("[a-z-]+");
  int rows = 0;
  for (std::sregex_iterator at(table.begin(), table.end(), row), end; at != end; ++at, ++rows) {
    const std::string of = (*at)[2];
    for (std::sregex_iterator word(of.begin(), of.end(), name); word != end; ++word)
      EXPECT_EQ(attacked.count((*at)[1].str() + " of " + word->str()), 1U) << (*at)[1] << " of " << word->str();
  }
  EXPECT_GT(rows, 10);
}

}  // namespace
}  // namespace starloom
