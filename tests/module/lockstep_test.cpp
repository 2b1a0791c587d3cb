// SPDX-License-Identifier: Apache-2.0
/// \file The netlist of SystemC modules and the reference simulator agree on every row.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <tuple>

#include <starloom/algorithms/supernode_hot_potato/ring_stress.hpp>
#include <starloom/algorithms/table/algorithm_table.hpp>
#include <starloom/support/error.hpp>
#include "support/lockstep.hpp"
#include "support/named_algorithm.hpp"
#include "support/networks.hpp"
#include "support/permutations.hpp"
#include "support/supernodes.hpp"
#include "unit/traffic_support.hpp"

namespace starloom::links {
namespace {

struct Case {
  std::string name;
  std::string algorithm;
  bool torus;
  std::vector<std::int64_t> shape;
  std::map<std::string, KeyValue> keys;
  std::int32_t flits;
  std::int32_t latency;
  Step max_steps;
  int runs;                                    ///< packet lists
  StepperEnd end = StepperEnd::all_delivered;  ///< how at least one of the runs ends
  bool permutations = false;                   ///< the algorithm supports only permutations
};

std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }

class Lockstep : public testing::TestWithParam<Case> {};

/// A random permutation for even seeds; for odd ones a random function in bursts, which queues up.
std::vector<Packet> traffic_of(const Grid& grid, std::int32_t flits, std::uint64_t seed) {
  if (seed % 2 == 0) return permutation_packets(random_permutation(grid.nodes(), seed), flits);
  std::vector<Packet> packets;
  for (NodeId node = 0; node < grid.nodes(); ++node)
    for (Step burst = 0; burst < 3; ++burst) {
      RandomStream random(seed, Purpose::destination, node, burst);
      packets.push_back({node, static_cast<NodeId>(random.bounded(static_cast<std::uint32_t>(grid.nodes()))), flits,
                         burst * static_cast<Step>(random.bounded(9))});
    }
  return packets;
}

/// Algorithms that plan, or count steps together, need at most one packet per node, all created at once: a random
/// permutation for even seeds, for odd ones a random function of a part of the nodes.
std::vector<Packet> traffic_to_plan(const Grid& grid, std::int32_t flits, std::uint64_t seed) {
  if (seed % 2 == 0) return permutation_packets(random_permutation(grid.nodes(), seed), flits);
  std::vector<Packet> packets;
  for (NodeId node = 0; node < grid.nodes(); ++node) {
    RandomStream random(seed, Purpose::destination, node, 0);
    const auto destination = static_cast<NodeId>(random.bounded(static_cast<std::uint32_t>(grid.nodes())));
    if (!random.bernoulli(0.2)) packets.push_back({node, destination, flits, 0});
  }
  return packets;
}

bool all_at_once(const std::string& algorithm) {
  const AlgorithmEntry& entry = tested_algorithm(algorithm);
  return entry.off_line || entry.in_lockstep;
}

// ---- every algorithm of the table

/// Algorithms that are not in lockstep here, and why.
const std::map<std::string, std::string> not_in_lockstep = {
    {"nearest-ancestor", "it serves no grid: LockstepOnGraphs.FatTree"},
    {"supernode-hot-potato", "its timetable is long: LockstepOfSupernodes"}};

using Keys = std::map<std::string, KeyValue>;

/// Keys given besides those of a variant: without them an algorithm would take too long, or a key would have no
/// meaning.
const std::map<std::string, Keys> given_with_algorithm = {{"probe-sleeper", {{"delay", std::int64_t{700}}}},
                                                          {"vc-wormhole", {{"channels", std::int64_t{4}}}}};
/// By a key, or by a key and its value.
const std::map<std::string, Keys> given_with_key = {
    {"buffers.policy", {{"buffers.places", std::int64_t{12}}}},
    {"buffers.policy limited", {{"buffers.limit", std::int64_t{5}}}},
    {"flow", {{"buffer", std::int64_t{12}}}},
    {"flow bubble", {{"function", std::string("dimension-order-plain")}}},
    {"lexicographic", {{"order", std::string("LLH")}}},
    {"selection", {{"function", std::string("adaptive")}}},
    {"spread", {{"function", std::string("up-down")}}},
    {"turns", {{"function", std::string("legal-ways")}}},
    {"layering", {{"function", std::string("layered")}}},
    {"donate", {{"allocator", PartValue{"priority-islip"}}, {"priority", std::string("age")}}},
    {"next_hop_channels", {{"channels", std::int64_t{14}}}},
    {"speculation.mask", {{"speculation.allocator", PartValue{"islip", 1}}}}};

/// Values of keys that no grid is served with: RoutingFunctions.
const std::set<std::string> not_on_grids = {
    "nearest-ancestor", "destination-tag", "dragonfly-minimal", "dragonfly-valiant", "ugal", "table"};

/// Keys of functions that no grid is served with: RoutingFunctions.
const std::set<std::string> keys_not_on_grids = {"nearest-ancestor.ascent", "ugal.threshold"};

/// Keys of which RouterFamily runs random mixes.
const std::set<std::string> mixed_elsewhere = {"allocator",
                                               "arbiter",
                                               "donate",
                                               "prefer_empty",
                                               "priority",
                                               "speculation.check",
                                               "speculation.mask",
                                               "hold_switch",
                                               "wait_for_tail_credit",
                                               "busy_when_full",
                                               "shuffle_requests",
                                               "next_hop_channels",
                                               "buffers.policy",
                                               "flow"};

/// Networks that show more of an algorithm than the small ones below.
const std::map<std::string, std::vector<Grid>> larger_networks = {{"constant-queue", {Grid::mesh({24, 24})}},
                                                                  {"direct-diagonals", {Grid::torus({6, 6})}},
                                                                  {"mesh-sort", {Grid::mesh({16, 8})}},
                                                                  {"sliding-diagonals", {Grid::torus({8, 8})}}};

/// An algorithm with its default keys, or one of them changed.
struct Variant {
  std::string algorithm;
  Keys keys;
};

std::string word(const KeyValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* part = std::get_if<PartValue>(&value)) return part_text(*part);
  return std::get<bool>(value) ? "true" : "false";
}

/// Each algorithm with its defaults, and with each other value of each of its keys that is a truth value or a word.
std::vector<Variant> variants() {
  std::vector<Variant> all;
  for (const AlgorithmEntry& entry : tested_algorithms()) {
    if (not_in_lockstep.count(entry.name) != 0) continue;
    all.push_back({entry.name, {}});
    for (const KeySpec& key : entry.keys) {
      // A key without a default depends on other keys.
      if (std::holds_alternative<std::monostate>(key.default_value) || keys_not_on_grids.count(key.name) != 0) continue;
      if (key.type == KeyType::boolean) all.push_back({entry.name, {{key.name, !std::get<bool>(key.default_value)}}});
      for (const PartForm& form : key.parts.outer) {
        PartValue part{form.name};
        if (form.number) part.number = form.number->by_default ? 2 : form.number->least;
        if (key.default_value != KeyValue(part)) all.push_back({entry.name, {{key.name, part}}});
      }
      if (key.type != KeyType::choice) continue;
      for (const std::string& choice : key.choices)
        if (key.default_value != KeyValue(choice) && not_on_grids.count(choice) == 0)
          all.push_back({entry.name, {{key.name, choice}}});
    }
  }
  return all;
}

std::vector<Grid> networks(const AlgorithmEntry& entry) {
  std::vector<Grid> list;
  if (entry.serves({"mesh", connected}))
    for (const std::vector<std::int64_t>& shape :
         std::vector<std::vector<std::int64_t>>{{4, 4}, {3, 7}, {8, 4}, {1, 9}, {2, 3, 4}})
      list.push_back(Grid::mesh(shape));
  if (entry.serves({"torus", connected}))
    for (const std::vector<std::int64_t>& shape :
         std::vector<std::vector<std::int64_t>>{{5, 4}, {2, 2, 3}, {6}, {1, 6}})
      list.push_back(Grid::torus(shape));
  return list;
}

class EveryAlgorithm : public testing::TestWithParam<Variant> {
 protected:
  /// The keys of the variant, and those given besides.
  static Keys all_keys() {
    Keys keys = GetParam().keys;
    const auto give = [&keys](const std::map<std::string, Keys>& table, const std::string& name) {
      if (const auto more = table.find(name); more != table.end())
        keys.insert(more->second.begin(), more->second.end());
    };
    for (const auto& [key, value] : GetParam().keys) {
      give(given_with_key, key + " " + word(value));
      give(given_with_key, key);
    }
    give(given_with_algorithm, GetParam().algorithm);
    return keys;
  }
  /// Null if the algorithm does not serve such a network, with its keys, or such packets.
  std::unique_ptr<Algorithm> made(const Grid& grid, const std::vector<Packet>& packets) const {
    try {
      return named_algorithm(GetParam().algorithm, grid, all_keys(), at_once_ ? &packets : nullptr);
    } catch (const InputError&) {
      return nullptr;
    }
  }

  void run(const Grid& grid, int seeds) {
    for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(seeds) && !HasFailure(); ++seed)
      for (const std::int32_t flits : {1, 4}) {
        SCOPED_TRACE(grid.kind_name() + " of " + std::to_string(grid.nodes()) + " nodes, seed " + std::to_string(seed) +
                     ", flits " + std::to_string(flits));
        const std::vector<Packet> packets =
            at_once_ ? traffic_to_plan(grid, flits, seed) : traffic_of(grid, flits, seed);
        const auto algorithm = made(grid, packets);
        if (algorithm == nullptr || (flits > 1 && algorithm->declaration().most_flits != 0)) continue;
        const bool waits = at_once_ || moves_worms(algorithm->declaration().storage);
        const std::int32_t latency = !waits && seed % 4 >= 2 ? 3 : 1;
        // A timetable is long, and ends by itself.
        const Step most_steps = at_once_ ? 100'000 : 2000;
        const auto selection = GetParam().keys.find("selection");
        const LinkNetwork& even = network_of(grid, latency);
        const bool uneven = !waits && seed % 8 >= 4;
        const StepperEnd end = expect_lockstep(
            uneven ? with_uneven_links(even, seed) : even, *algorithm, packets, seed, most_steps, 0,
            selection == GetParam().keys.end() ? "least-occupied" : word(selection->second), plain_rules(all_keys()));
        EXPECT_FALSE(uneven && end == StepperEnd::violation) << "a packet does not wait for the interval of a link";
        ends_.insert(end);
        programs_end_ = programs_end_ || algorithm->declaration().program_end != no_step;
      }
  }

  const bool at_once_ = all_at_once(GetParam().algorithm);
  std::set<StepperEnd> ends_;
  bool programs_end_ = false;
};

TEST_P(EveryAlgorithm, IsInLockstep) {
  const AlgorithmEntry& entry = tested_algorithm(GetParam().algorithm);
  // For planning algorithms, the keys select a plan; the controllers are the same.
  const bool one_of_many = entry.off_line && !GetParam().keys.empty();
  const bool in_mixes = !GetParam().keys.empty() && mixed_elsewhere.count(GetParam().keys.begin()->first) != 0;
  for (const Grid& grid : networks(entry)) run(grid, in_mixes ? 2 : one_of_many ? 6 : 24);
  if (const auto larger = larger_networks.find(entry.name); larger != larger_networks.end())
    for (const Grid& grid : larger->second) run(grid, 3);
  if (HasFailure()) return;
  const bool for_ever = GetParam().keys == Keys{{"absorb", false}};
  EXPECT_TRUE(ends_.count(for_ever ? StepperEnd::step_limit : StepperEnd::all_delivered) != 0 ||
              (programs_end_ && ends_.count(StepperEnd::program_end) != 0))
      << "no run ends well";
}

INSTANTIATE_TEST_SUITE_P(Table, EveryAlgorithm, testing::ValuesIn(variants()), [](const auto& instance) {
  std::string name = instance.param.algorithm;
  for (const auto& [key, value] : instance.param.keys) name += "_" + key + "_" + word(value);
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
});

// ---- what the table does not lead to

TEST_P(Lockstep, NetlistAndStepperAgree) {
  const Case& c = GetParam();
  const Grid grid = c.torus ? Grid::torus(c.shape) : Grid::mesh(c.shape);
  const bool at_once = all_at_once(c.algorithm);
  auto algorithm = at_once ? nullptr : named_algorithm(c.algorithm, grid, c.keys);
  std::set<StepperEnd> ends;
  for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(c.runs); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const std::vector<Packet> packets =
        at_once ? traffic_to_plan(grid, c.flits, c.permutations ? 2 * seed : seed) : traffic_of(grid, c.flits, seed);
    if (at_once) algorithm = named_algorithm(c.algorithm, grid, c.keys, &packets);
    ends.insert(expect_lockstep(network_of(grid, c.latency), *algorithm, packets, seed, c.max_steps));
    if (HasFatalFailure()) return;
  }
  EXPECT_THAT(ends, testing::Contains(c.end));
}

std::string name_of(const testing::TestParamInfo<Case>& instance) { return instance.param.name; }

KeyValue number(std::int64_t value) { return value; }
KeyValue text(const char* value) { return std::string(value); }

INSTANTIATE_TEST_SUITE_P(
    Greedy, Lockstep,
    testing::Values(
        Case{"torus1x6_latency5", "greedy", true, {1, 6}, {}, 1, 5, 1000, 60},
        Case{"ties_balanced", "greedy", true, {4, 6}, {{"ties", text("balanced")}}, 1, 1, 1000, 20},
        Case{
            "ties_random", "greedy", true, {4, 2, 3}, {{"ties", text("random")}, {"bound", number(2)}}, 1, 1, 1000, 20},
        Case{"yx", "greedy", false, {4, 5}, {{"function", std::string("yx")}}, 1, 1, 1000, 20},
        Case{"up_down", "greedy", true, {4, 3}, {{"function", std::string("up-down")}}, 1, 2, 1000, 20},
        Case{"shortest", "greedy", true, {4, 3}, {{"function", std::string("shortest")}}, 1, 1, 1000, 20},
        Case{"bounded", "greedy", false, {5, 5}, {{"bound", number(1)}}, 1, 1, 1000, 80, StepperEnd::violation}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    ThreePhase, Lockstep,
    testing::Values(Case{"mesh7x4_slices", "three-phase", false, {7, 4}, {{"slice", number(3)}}, 1, 1, 1000, 80},
                    Case{"torus5x4", "three-phase", true, {5, 4}, {{"slice", number(2)}}, 1, 1, 1000, 80}),
    name_of);

Keys grid_router(std::int64_t channels, std::int64_t buffer, std::int64_t pipeline = 3, bool speculative = true) {
  return {{"channels", channels}, {"buffer", buffer}, {"pipeline", pipeline}, {"speculative", speculative}};
}
Keys tie_router(const char* tie_break) {
  Keys keys = grid_router(2, 3);
  keys["ties"] = text(tie_break);
  return keys;
}
Keys function_router(const char* function, std::int64_t channels, std::int64_t buffer, std::int64_t pipeline = 3) {
  Keys keys = grid_router(channels, buffer, pipeline, pipeline == 3);
  keys["function"] = text(function);
  return keys;
}
Keys torus_router(std::int64_t channels, std::int64_t buffer) {
  Keys keys = grid_router(channels, buffer);
  keys["function"] = text("dimension-order-plain");
  return keys;
}
Keys slow_credits(Keys keys, std::int64_t latency) {
  keys["credit_latency"] = latency;
  return keys;
}

INSTANTIATE_TEST_SUITE_P(
    Routers, Lockstep,
    testing::Values(
        Case{"mesh44_v1_b8", "vc-wormhole", false, {4, 4}, grid_router(1, 8), 8, 1, 5000, 30},
        Case{"mesh44_v2_b1", "vc-wormhole", false, {4, 4}, grid_router(2, 1), 3, 1, 5000, 20},
        Case{"mesh44_v4_b4", "vc-wormhole", false, {4, 4}, grid_router(4, 4), 5, 1, 5000, 20},
        Case{"mesh34_v8_b2_routing", "vc-wormhole", false, {3, 4}, grid_router(8, 2, 4), 5, 1, 5000, 10},
        Case{"mesh35_v3_b3_four", "vc-wormhole", false, {3, 5}, grid_router(3, 3, 4, false), 2, 1, 5000, 20},
        Case{"mesh53_v1_b5_five", "vc-wormhole", false, {5, 3}, grid_router(1, 5, 5, false), 1, 1, 5000, 20},
        Case{"mesh223_v2_b2_latency3", "vc-wormhole", false, {2, 2, 3}, grid_router(2, 2), 4, 3, 5000, 20},
        Case{"mesh33_v20", "vc-wormhole", false, {3, 3}, grid_router(20, 2), 3, 1, 5000, 4},
        Case{"mesh33_credits", "vc-wormhole", false, {3, 3}, slow_credits(grid_router(2, 4), 7), 6, 2, 5000, 20},
        Case{"odd_even_v1_b2", "vc-wormhole", false, {4, 5}, function_router("odd-even", 1, 2), 5, 1, 5000, 20},
        Case{"adaptive_v2_b2_five", "vc-wormhole", false, {4, 4}, function_router("adaptive", 2, 2, 5), 5, 1, 5000, 20},
        Case{"adaptive_v3_b6", "vc-wormhole", true, {5, 4}, function_router("adaptive", 3, 6), 3, 2, 5000, 20},
        Case{"adaptive_v16", "vc-wormhole", false, {3, 3}, function_router("adaptive", 16, 2), 4, 1, 5000, 4},
        Case{"valiant_v4_b2", "vc-wormhole", true, {4, 3}, function_router("valiant", 4, 2), 4, 1, 5000, 20},
        Case{"torus43_v2_b2", "vc-wormhole", true, {4, 3}, grid_router(2, 2), 3, 2, 5000, 20},
        Case{"torus42_v2_ties", "vc-wormhole", true, {4, 2}, tie_router("balanced"), 3, 1, 5000, 10},
        Case{"torus46_v2_ties_drawn", "vc-wormhole", true, {4, 6}, tie_router("random"), 3, 1, 5000, 10},
        Case{"torus53_v3_b4_five", "vc-wormhole", true, {5, 3}, grid_router(3, 4, 5, false), 6, 1, 5000, 20},
        Case{"ring_deadlocks",
             "vc-wormhole",
             true,
             {6},
             torus_router(1, 2),
             16,
             1,
             5000,
             60,
             StepperEnd::nothing_pending}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Hold, Lockstep,
    testing::Values(Case{"mesh223", "probe-hold", false, {2, 2, 3}, {}, 7, 1, 5000, 120},
                    Case{"torus2x4", "probe-hold", true, {2, 4}, {}, 3, 1, 5000, 120},
                    Case{"ring_deadlocks", "probe-hold", true, {6}, {}, 8, 1, 5000, 120, StepperEnd::nothing_pending}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    HotPotato, Lockstep,
    testing::Values(
        Case{"laps", "probe-hot-potato", true, {12}, {{"flits", number(3)}, {"laps", number(1)}}, 3, 1, 5000, 120},
        Case{"whole_ring", "probe-hot-potato", true, {5}, {{"flits", number(5)}}, 5, 1, 5000, 80}),
    name_of);

INSTANTIATE_TEST_SUITE_P(Keys, Lockstep,
                         testing::Values(Case{
                             "torus3x4", "probe-keys", true, {3, 4}, {{"rounds", number(7)}}, 1, 2, 1000, 80}),
                         name_of);

INSTANTIATE_TEST_SUITE_P(Plans, Lockstep,
                         testing::Values(Case{"vertical_first",
                                              "multistage",
                                              false,
                                              {6, 4},
                                              {{"scheme", text("VF")}, {"order", text("RND")}},
                                              1,
                                              1,
                                              1000,
                                              80},
                                         Case{"places",
                                              "multistage",
                                              false,
                                              {4, 4},
                                              {{"scheme", text("any")}, {"places", std::vector<std::int64_t>{1}}},
                                              1,
                                              1,
                                              1000,
                                              80}),
                         name_of);

INSTANTIATE_TEST_SUITE_P(
    MeshSort, Lockstep,
    testing::Values(
        Case{"mesh6x9", "mesh-sort", false, {6, 9}, {{"s", number(3)}}, 1, 1, 1000, 60, StepperEnd::program_end},
        Case{"pairs", "mesh-sort", false, {4, 4}, {{"s", number(2)}}, 1, 1, 1000, 60, StepperEnd::program_end},
        Case{"merge", "mesh-sort", false, {16, 8}, {{"sort", text("merge")}}, 1, 1, 1000, 20, StepperEnd::program_end}),
    name_of);

INSTANTIATE_TEST_SUITE_P(Kunde, Lockstep,
                         testing::Values(Case{"mesh8x4", "kunde", false, {8, 4}, {{"s", number(4)}}, 1, 1, 1000, 60},
                                         Case{"mesh6x9", "kunde", false, {6, 9}, {{"s", number(3)}}, 1, 1, 1000, 60},
                                         Case{"permutations",
                                              "kunde",
                                              false,
                                              {8, 8},
                                              {{"s", number(2)}},
                                              1,
                                              1,
                                              1000,
                                              40,
                                              StepperEnd::all_delivered,
                                              true}),
                         name_of);

INSTANTIATE_TEST_SUITE_P(
    ConstantQueue, Lockstep,
    testing::Values(Case{"mesh48_frozen",
                         "constant-queue",
                         false,
                         {48, 48},
                         {{"column", text("frozen")}},
                         1,
                         1,
                         1000,
                         2,
                         StepperEnd::all_delivered,
                         true},
                    Case{"mesh48_snake",
                         "constant-queue",
                         false,
                         {48, 48},
                         {{"order", text("snake")}},
                         1,
                         1,
                         1000,
                         2,
                         StepperEnd::all_delivered,
                         true},
                    Case{"base", "constant-queue", false, {9, 9}, {}, 1, 1, 1000, 20, StepperEnd::all_delivered, true}),
    name_of);

/// The test cases of constant-queue, on a mesh with sorted subsquares and a nested level.
TEST(LockstepOfConstantQueue, OnAdversaries) {
  const Grid mesh = Grid::mesh({64, 64});
  for (const char* pattern : {"transpose", "cross-corner", "queue-middle", "late-rows", "structured"}) {
    SCOPED_TRACE(pattern);
    std::vector<Packet> packets;
    const std::vector<NodeId> to = destinations_of(pattern, mesh);
    for (NodeId node = 0; node < mesh.nodes(); ++node)
      if (to[static_cast<std::size_t>(node)] != no_node)
        packets.push_back({node, to[static_cast<std::size_t>(node)], 1, 0});
    const auto algorithm = named_algorithm("constant-queue", mesh, {}, &packets);
    ListSource for_stepper(packets), for_netlist(packets);
    NetlistRunOptions options;
    options.network.shuffle = 5;
    expect_same(run_netlist(mesh, *algorithm, for_netlist, options), run_stepper(mesh, *algorithm, for_stepper));
    if (HasFatalFailure()) return;
  }
}

/// Several packets of one source leave it in the order of the plan, one a step.
TEST(LockstepOfMultistage, WithSeveralPacketsOfOneSource) {
  const Grid mesh = Grid::mesh({4, 5});
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    std::vector<Packet> packets;
    for (NodeId node = 0; node < mesh.nodes(); ++node) {
      RandomStream random(seed, Purpose::destination, node, 0);
      for (std::uint32_t left = random.bounded(5); left > 0; --left)
        packets.push_back({node, static_cast<NodeId>(random.bounded(20)), 1, 0});
    }
    const auto algorithm =
        named_algorithm("multistage", mesh, {{"order", text(seed % 2 == 0 ? "RND" : "LTD")}}, &packets);
    EXPECT_EQ(expect_lockstep(network_of(mesh), *algorithm, packets, seed, 1000), StepperEnd::all_delivered);
    if (HasFatalFailure()) return;
  }
}

/// Worms of the first rounds: from one cell of each supernode to several cells of others, or, preloaded, from slots.
std::vector<Packet> early_worms(const SupernodeCase& c) {
  std::vector<Packet> packets;
  for (std::int32_t s = 0; s < c.side * c.side; ++s)
    for (Cell to = 0; to < 5; ++to) {
      const NodeId destination = c.node((s * (to + 1) + to) % (c.side * c.side), to);
      if (const NodeId source = c.node(s, 0); source != destination) packets.push_back({source, destination, c.k, 0});
    }
  return packets;
}

TEST(LockstepOfSupernodes, InTheFirstRounds) {
  for (const std::string router : {"row-first", "sorted"})
    for (const std::string consumption : {"round", "superstep"})
      for (const std::int32_t side : {1, 2, 3}) {
        SCOPED_TRACE(testing::Message() << router << ", " << consumption << ", N " << side);
        SupernodeCase c;
        c.side = side;
        c.router = router;
        c.consumption = consumption;
        if (side == 3 && router == "sorted") continue;
        const std::vector<Packet> packets = early_worms(c);
        EXPECT_EQ(expect_lockstep(network_of(c.mesh()), *c.make(packets), packets, 1, 100'000),
                  StepperEnd::all_delivered);
        if (HasFailure()) return;
      }
}

TEST(LockstepOfSupernodes, WithFullRings) {
  for (const std::string consumption : {"round", "superstep"}) {
    SupernodeCase c;
    c.consumption = consumption;
    c.preloaded = true;
    std::vector<Packet> packets;
    const SupernodeGeometry geometry(c.size());
    for (const Packet& packet : patterns::ring_stress(processors_of(network_of(c.mesh())), 1, c.k, c.f, 40))
      if (packet.destination / c.n() % 9 == 0) packets.push_back(packet);  // of early rounds
    EXPECT_EQ(expect_lockstep(network_of(c.mesh()), *c.make(packets), packets, 1, 100'000), StepperEnd::all_delivered);
  }
}

// All rounds: between two with worms time jumps.
TEST(LockstepOfSupernodes, OnPermutations) {
  for (const std::int32_t side : {1, 2}) {
    SupernodeCase c;
    c.side = side;
    std::vector<Packet> packets;
    for (const Packet& packet : permutation_packets(random_permutation(c.n() * c.n(), 4), c.k))
      if (side == 1 || packet.source % 3 == 0) packets.push_back(packet);
    const auto algorithm = c.make(packets);
    ListSource for_netlist(packets);
    NetlistRunOptions options;
    options.network.shuffle = 9;
    options.max_steps = algorithm->declaration().program_end;
    const NetlistRun netlist = run_netlist(c.mesh(), *algorithm, for_netlist, options);
    EXPECT_EQ(netlist.end, StepperEnd::all_delivered);
    expect_same(netlist, step_supernodes(c, packets));
  }
}

TEST(OfflineWorms, CrossEachLinkInAsManyStepsInARowAsTheyHaveFlits) {
  const Grid mesh = Grid::mesh({6, 5});
  const std::int32_t flits = 4;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const std::vector<Packet> worms = permutation_packets(random_permutation(mesh.nodes(), seed), flits);
    const auto algorithm = named_algorithm("offline-worms", mesh, {}, &worms);
    ListSource source(worms);
    const NetlistRun run = run_netlist(mesh, *algorithm, source);
    ASSERT_EQ(run.end, StepperEnd::all_delivered);
    std::map<std::tuple<PacketId, NodeId, Port>, std::vector<Step>> crossings;
    for (const TraceRow& row : run.rows)
      if (row.event == TraceEvent::hop) crossings[{row.packet, row.node, row.port}].push_back(row.step);
    ASSERT_FALSE(crossings.empty());
    for (const auto& [crossing, steps] : crossings) {
      ASSERT_EQ(steps.size(), static_cast<std::size_t>(flits)) << "packet " << std::get<0>(crossing);
      ASSERT_EQ(steps.back() - steps.front(), flits - 1) << "packet " << std::get<0>(crossing);
    }
  }
}

// ---- routers

TEST(RouterLockstep, WithLinksThatStall) {
  const Grid mesh = Grid::mesh({4, 3});
  for (const double rate : {0.1, 0.5, 0.9})
    for (const auto& keys : {grid_router(1, 4), grid_router(2, 2, 4, true), grid_router(4, 3, 5, false)})
      for (std::uint64_t seed = 0; seed < 4; ++seed) {
        const auto algorithm = named_algorithm("vc-wormhole", mesh, keys);
        EXPECT_EQ(expect_lockstep(network_of(mesh), *algorithm, traffic_of(mesh, 5, seed), seed, 20'000, rate),
                  StepperEnd::all_delivered);
        if (HasFatalFailure()) return;
      }
}

TEST(RouterLockstep, OfPacketsOfManyLengths) {
  const Grid torus = Grid::torus({4, 4});
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    std::vector<Packet> packets = traffic_of(torus, 1, 2 * seed + 1);
    for (std::size_t i = 0; i < packets.size(); ++i)
      packets[i].flits = 1 + static_cast<std::int32_t>(random_word(seed, Purpose::destination, 0, 0, i) % 9);
    const auto algorithm = named_algorithm("vc-wormhole", torus, grid_router(4, 3));
    EXPECT_EQ(expect_lockstep(network_of(torus), *algorithm, packets, seed, 20'000), StepperEnd::all_delivered);
    if (HasFatalFailure()) return;
  }
}

// Requests and replies never meet in a channel.
TEST(RouterLockstep, WithChannelsForReplies) {
  const Grid torus = Grid::torus({3, 3});
  AlgorithmContext context{&network_of(torus), 1};
  context.reply_channels = 2;
  const auto algorithm = make_algorithm(tested_algorithm("vc-wormhole"), context, grid_router(5, 2));
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    std::vector<Packet> packets = traffic_of(torus, 4, 2 * seed + 1);
    for (std::size_t i = 0; i < packets.size(); ++i) packets[i].reply = i % 2 == 1;
    EXPECT_EQ(expect_lockstep(network_of(torus), *algorithm, packets, seed, 20'000), StepperEnd::all_delivered);
    ListSource source(packets);
    const NetlistRun run = run_netlist(torus, *algorithm, source);
    for (const TraceRow& row : run.rows)
      if (row.channel >= 0) {
        ASSERT_EQ(row.channel >= 3, run.record.packets[row.packet].reply);
      }
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace starloom::links
