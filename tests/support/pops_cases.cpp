// SPDX-License-Identifier: Apache-2.0
#include "support/pops_cases.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include <starloom/algorithms/table/algorithm_table.hpp>
#include <starloom/schema/key_check.hpp>

#include "support/permutations.hpp"

namespace starloom::pops {
namespace {

using Given = std::map<std::string, KeyValue>;

/// The packets that an algorithm serves, of a permutation.
std::vector<Packet> packets_for(const std::string& algorithm, const std::vector<NodeId>& destination) {
  std::vector<Packet> packets;
  for (const NodeId to : destination) packets.push_back({static_cast<NodeId>(packets.size()), to});
  if (algorithm == "broadcast") {
    const NodeId one = packets.front().destination, other = packets.back().destination;
    packets = {{one}, {other}, {one}};
    // the reference simulator supports one packet per processor
    packets.resize(std::min(packets.size(), destination.size()));
  }
  if (algorithm == "data-sum")
    for (Packet& packet : packets) packet.destination = 0;
  return packets;
}

bool is_on(const Given& given, const std::string& key) {
  const auto found = given.find(key);
  return found != given.end() && found->second == KeyValue(true);
}

std::string named(const AlgorithmEntry& entry, const Given& given, const Pops& pops) {
  std::string name = entry.name;
  for (const auto& [key, value] : given)
    name += " " + key + (std::holds_alternative<std::string>(value) ? " " + std::get<std::string>(value) : "");
  return name + " on POPS(" + std::to_string(pops.group_size()) + "," + std::to_string(pops.groups()) + ")";
}

/// \throws InputError if the algorithm does not serve such a network with such keys.
Case make_case(const AlgorithmEntry& entry, const Given& given, const Pops& pops, std::uint64_t seed,
               std::optional<DeadCouplers> dead = std::nullopt) {
  AlgorithmContext context{pops, seed, packets_for(entry.name, random_permutation(pops.nodes(), seed)),
                           std::move(dead)};
  const KeyValues keys = keys_of(entry, given);
  return {named(entry, given, pops), context.packets.list(), std::get<MakeAlgorithm>(entry.make)(context, keys),
          entry.rules ? entry.rules(pops, keys) : couplers_alone(), is_on(given, "literal")};
}

/// The defaults, and each other value of a key that has few.
std::vector<Given> variants(const AlgorithmEntry& entry) {
  std::vector<Given> all = {{}};
  for (const KeySpec& key : entry.keys) {
    if (key.type == KeyType::boolean) all.push_back({{key.name, !std::get<bool>(key.default_value)}});
    for (const std::string& choice : key.choices)
      if (key.default_value != KeyValue(choice)) all.push_back({{key.name, choice}});
  }
  return all;
}

/// On all of the networks that are served.
void add_cases(std::vector<Case>& list, const AlgorithmEntry& entry, const Given& given, std::uint64_t seed) {
  const std::size_t before = list.size();
  for (const auto& [d, g] : {std::pair{1, 1},
                             {5, 1},
                             {1, 4},
                             {1, 6},
                             {2, 2},
                             {4, 4},
                             {8, 8},
                             {13, 13},
                             {8, 2},
                             {8, 3},
                             {15, 5},
                             {32, 8},
                             {3, 8},
                             {3, 12},
                             {8, 32}}) {
    try {
      Case made = make_case(entry, given, Pops(d, g), seed);
      // Tables for many processors take long to make.
      if (made.pops().nodes() <= 64 || made.algorithm->table_bytes() == 0) list.push_back(std::move(made));
    } catch (const InputError&) {
    }
  }
  if (list.size() == before) throw std::logic_error(named(entry, given, Pops(1, 1)) + " and any other is refused");
}

}  // namespace

SteppedRun Case::run_plain(std::uint64_t seed, Stepping stepping) const {
  const ControllerSetup control = algorithm->make_controllers();
  stepping.dead = algorithm->dead();
  SteppedRun run = run_stepper(pops(), *control.controllers, control.program, seed, stepping);
  run.delivered.resize(packets.size());  // by packet
  return run;
}

const AlgorithmEntry& entry_named(const std::string& algorithm) {
  for (const AlgorithmEntry& entry : algorithm_table())
    if (entry.name == algorithm) return entry;
  throw std::logic_error("no algorithm " + algorithm);
}

KeyValues keys_of(const AlgorithmEntry& entry, const Given& given) {
  return checked_values(entry.keys, given, entry.name);
}

Case randomized_case(std::int32_t d, std::int32_t g, std::uint64_t seed, bool literal, const DeadCouplers* dead) {
  Given given;
  if (literal) given["literal"] = true;
  if (dead != nullptr) given["shift"] = true;
  return make_case(entry_named("randomized"), given, Pops(d, g), seed,
                   dead != nullptr ? std::optional(*dead) : std::nullopt);
}

std::vector<Case> cases(std::uint64_t seed) {
  std::vector<Case> list;
  for (const AlgorithmEntry& entry : algorithm_table())
    for (const Given& given : variants(entry)) add_cases(list, entry, given, seed);
  const DeadCouplers dead = DeadCouplers::at_random(Pops(9, 9), 0.1, 3);
  list.push_back(randomized_case(9, 9, seed, false, &dead));
  return list;
}

}  // namespace starloom::pops
