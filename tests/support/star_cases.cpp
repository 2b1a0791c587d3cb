#include "support/star_cases.hpp"

#include <numeric>

#include "controllers/broadcast/broadcast.hpp"
#include "controllers/comparator_sort/comparator_sort.hpp"
#include "controllers/data_sum/data_sum.hpp"
#include "controllers/direct/direct.hpp"
#include "controllers/offline/offline.hpp"
#include "controllers/randomized/randomized.hpp"
#include "message/collective_model.hpp"
#include "message/direct_model.hpp"
#include "message/plan_model.hpp"
#include "message/randomized_model.hpp"
#include "support/permutations.hpp"

namespace starloom {
namespace {

StarCase permutation_case(const std::string& algorithm, std::int32_t d, std::int32_t g, std::uint64_t seed) {
  StarCase c{algorithm + " on POPS(" + std::to_string(d) + "," + std::to_string(g) + ")",
             Pops(d, g),
             {},
             {},
             {},
             nullptr,
             false,
             false,
             {},
             {}};
  c.destination = random_permutation(c.pops.nodes(), seed);
  c.source = identity_permutation(c.pops.nodes());
  return c;
}

StarCase offline_case(std::int32_t d, std::int32_t g, std::uint64_t seed) {
  StarCase c = permutation_case("offline", d, g, seed);
  const auto plan = std::make_shared<StarPlan>(plan_permutation(c.pops, c.destination));
  const auto timetable = std::make_shared<StarTimetable>(c.pops, c.destination, *plan);
  c.program = {1, 0, plan->slots()};
  c.controllers = [=, pops = c.pops, to = c.destination] {
    return make_controllers(
        pops, [&](NodeId node) { return OfflineController(*timetable, node, to[static_cast<std::size_t>(node)]); });
  };
  c.model = [=, pops = c.pops, to = c.destination](Step) { return follow_plan(pops, to, *plan); };
  return c;
}

StarCase sort_case(std::int32_t d, std::int32_t g, std::uint64_t seed) {
  StarCase c = permutation_case("comparator-sort", d, g, seed);
  c.exchanges = true;
  const auto program = std::make_shared<SortProgram>(c.pops);
  c.program = {1, 0, program->slots()};
  c.controllers = [=, pops = c.pops, to = c.destination] {
    return make_controllers(pops, [&](NodeId node) {
      return ComparatorSortController(*program, node, to[static_cast<std::size_t>(node)]);
    });
  };
  c.model = [pops = c.pops, to = c.destination](Step) { return sort_packets(pops, to); };
  return c;
}

StarCase direct_case(std::int32_t d, std::int32_t g, std::uint64_t seed) {
  StarCase c = permutation_case("direct", d, g, seed);
  const auto rules = std::make_shared<DirectRules>(c.pops);
  c.program = {DirectRules::cycle_slots, 0, no_step};
  c.controllers = [=, pops = c.pops, to = c.destination] {
    std::vector<std::int32_t> source_group(to.size());
    for (std::size_t node = 0; node < to.size(); ++node)
      source_group[static_cast<std::size_t>(to[node])] = pops.group_of(static_cast<NodeId>(node));
    return make_controllers(pops, [&](NodeId node) {
      return DirectController(*rules, node, to[static_cast<std::size_t>(node)],
                              source_group[static_cast<std::size_t>(node)]);
    });
  };
  c.model = [=, pops = c.pops, to = c.destination](Step limit) { return route_direct(pops, to, seed, limit); };
  return c;
}

StarCase broadcast_case(std::int32_t d, std::int32_t g, std::uint64_t seed) {
  StarCase c = permutation_case("broadcast", d, g, seed);
  const auto speakers = std::make_shared<std::vector<NodeId>>(
      std::vector<NodeId>{c.destination.front(), c.destination.back(), c.destination.front()});
  c.source = *speakers;
  c.destination.assign(speakers->size(), no_node);
  c.program = {1, 0, static_cast<Step>(speakers->size())};
  c.controllers = [=, pops = c.pops] {
    return make_controllers(pops, [&](NodeId) { return BroadcastController(*speakers); });
  };
  c.model = [=, pops = c.pops](Step) { return broadcast(pops, *speakers); };
  return c;
}

StarCase sum_case(std::int32_t d, std::int32_t g) {
  StarCase c = permutation_case("data-sum", d, g, 1);
  c.destination.assign(static_cast<std::size_t>(c.pops.nodes()), 0);
  const auto program = std::make_shared<DataSumProgram>(c.pops);
  c.program = {1, 0, program->slots()};
  c.controllers = [=, pops = c.pops] {
    return make_controllers(pops, [&](NodeId node) { return DataSumController(*program, node + 1); });
  };
  c.model = [pops = c.pops](Step) {
    std::vector<std::int64_t> values(static_cast<std::size_t>(pops.nodes()));
    std::iota(values.begin(), values.end(), 1);
    return sum_values(pops, values);
  };
  return c;
}

}  // namespace

StarCase randomized_case(std::int32_t d, std::int32_t g, std::uint64_t seed, bool literal, const DeadCouplers* dead) {
  StarCase c = permutation_case(literal ? "literal randomized" : "randomized", d, g, seed);
  RandomizedOptions options;
  options.literal = literal;
  options.shift = dead != nullptr;
  const auto rules = std::make_shared<RandomizedRules>(c.pops, options, dead);
  c.literal = literal;
  c.dead = dead;
  c.program = {RandomizedRules::cycle_slots, rules->drain_slots(), no_step};
  if (rules->round_robin()) c.program = {1, 0, c.pops.nodes()};
  c.controllers = [=, pops = c.pops, to = c.destination] {
    return make_controllers(
        pops, [&](NodeId node) { return RandomizedController(*rules, node, to[static_cast<std::size_t>(node)]); });
  };
  c.model = [=, pops = c.pops, to = c.destination](Step limit) {
    return route_randomized(pops, *rules, to, seed, limit, true);
  };
  return c;
}

std::vector<StarCase> star_cases(std::uint64_t seed) {
  static const DeadCouplers dead = DeadCouplers::at_random(Pops(9, 9), 0.1, 3);
  std::vector<StarCase> cases;
  for (const auto& [d, g] :
       {std::pair{1, 1}, {5, 1}, {1, 4}, {2, 2}, {8, 8}, {13, 13}, {8, 2}, {15, 5}, {32, 8}, {3, 12}, {8, 32}})
    cases.push_back(randomized_case(d, g, seed));
  cases.push_back(randomized_case(32, 8, seed, true));
  cases.push_back(randomized_case(9, 9, seed, false, &dead));
  for (const auto& [d, g] : {std::pair{1, 6}, {4, 4}, {8, 3}, {3, 8}, {5, 1}}) {
    cases.push_back(offline_case(d, g, seed));
    cases.push_back(sort_case(d, g, seed));
    cases.push_back(direct_case(d, g, seed));
    cases.push_back(broadcast_case(d, g, seed));
    cases.push_back(sum_case(d, g));
  }
  return cases;
}

}  // namespace starloom
