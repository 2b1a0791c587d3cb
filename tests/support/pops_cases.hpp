// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file POPS runs that exist at all levels: algorithms for stepper, netlist and message-level model.
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <starloom/control/pops/algorithm.hpp>
#include "support/pops_stepper.hpp"

namespace starloom::pops {

struct Case {
  std::string name;
  std::vector<Packet> packets;
  std::shared_ptr<const Algorithm> algorithm;
  Rules rules;           ///< what the referee holds it to
  bool literal = false;  ///< may lose packets

  const Pops& pops() const { return algorithm->pops(); }
  /// In the reference simulator.
  SteppedRun run_plain(std::uint64_t seed, Stepping stepping = {}) const;
};

/// The entry of the table. \throws std::logic_error if there is none.
const AlgorithmEntry& entry_named(const std::string& algorithm);
/// The values of its keys: defaults except those given.
KeyValues keys_of(const AlgorithmEntry& entry, const std::map<std::string, KeyValue>& given = {});

/// Each algorithm of the table on networks of all proportions that it supports: with its defaults, and with each
/// other value of each of its keys that is a truth value or a word; permutations and random choices by `seed`.
std::vector<Case> cases(std::uint64_t seed);
/// A permutation by `randomized`; with dead couplers, its key `shift` is on.
Case randomized_case(std::int32_t d, std::int32_t g, std::uint64_t seed, bool literal = false,
                     const DeadCouplers* dead = nullptr);

}  // namespace starloom::pops
