#include "support/pops_cases.hpp"

#include <starloom/controllers/pops/randomized/randomized_algorithm.hpp>
#include "support/permutations.hpp"

namespace starloom::pops {
namespace {

std::string named(const std::string& algorithm, const Pops& pops) {
  return algorithm + " on POPS(" + std::to_string(pops.group_size()) + "," + std::to_string(pops.groups()) + ")";
}

AlgorithmContext permutation_on(std::int32_t d, std::int32_t g, std::uint64_t seed) {
  AlgorithmContext context{Pops(d, g), seed, {}};
  for (const NodeId to : random_permutation(context.pops.nodes(), seed))
    context.packets.push_back({static_cast<NodeId>(context.packets.size()), to});
  return context;
}

/// With the packets that the algorithm serves.
Case plain_case(const AlgorithmEntry& entry, std::int32_t d, std::int32_t g, std::uint64_t seed) {
  AlgorithmContext context = permutation_on(d, g, seed);
  std::vector<Packet>& packets = context.packets;
  if (entry.name == "broadcast") {
    const NodeId one = packets.front().destination, other = packets.back().destination;
    packets = {{one}, {other}, {one}};
  }
  if (entry.name == "data-sum")
    for (Packet& packet : packets) packet.destination = 0;
  return {named(entry.name, context.pops), packets, std::get<MakeAlgorithm>(entry.make)(context, {})};
}

}  // namespace

SteppedRun Case::run_plain(std::uint64_t seed, Stepping stepping) const {
  const Crew crew = algorithm->make_crew();
  stepping.dead = algorithm->dead();
  SteppedRun run = run_stepper(pops(), *crew.controllers, crew.program, seed, stepping);
  run.delivered.resize(packets.size());  // by packet
  return run;
}

Case randomized_case(std::int32_t d, std::int32_t g, std::uint64_t seed, bool literal, const DeadCouplers* dead) {
  AlgorithmContext context = permutation_on(d, g, seed);
  if (dead != nullptr) context.dead = *dead;
  RandomizedOptions options;
  options.literal = literal;
  options.shift = dead != nullptr;
  return {named(literal ? "literal randomized" : "randomized", context.pops), context.packets,
          std::make_shared<RandomizedAlgorithm>(context, options), literal};
}

std::vector<Case> cases(std::uint64_t seed) {
  const DeadCouplers dead = DeadCouplers::at_random(Pops(9, 9), 0.1, 3);
  std::vector<Case> cases;
  for (const auto& [d, g] :
       {std::pair{1, 1}, {5, 1}, {1, 4}, {2, 2}, {8, 8}, {13, 13}, {8, 2}, {15, 5}, {32, 8}, {3, 12}, {8, 32}})
    cases.push_back(randomized_case(d, g, seed));
  cases.push_back(randomized_case(32, 8, seed, true));
  cases.push_back(randomized_case(9, 9, seed, false, &dead));
  for (const auto& [d, g] : {std::pair{1, 6}, {4, 4}, {8, 3}, {3, 8}, {5, 1}})
    for (const AlgorithmEntry& entry : algorithm_table())
      if (entry.keys.empty()) cases.push_back(plain_case(entry, d, g, seed));
  return cases;
}

}  // namespace starloom::pops
