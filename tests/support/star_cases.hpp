#pragma once
/// \file POPS runs that exist at all levels: controllers for stepper and netlist, and the message-level model.
#include <functional>
#include <string>
#include <vector>

#include "support/star_stepper.hpp"

namespace starloom {

struct StarCase {
  std::string name;
  Pops pops;
  StarProgram program;
  std::vector<NodeId> destination;  ///< [packet], `no_node`: everyone
  std::vector<NodeId> source;       ///< [packet]
  const DeadCouplers* dead = nullptr;
  bool literal = false;    ///< may lose packets
  bool exchanges = false;  ///< packets change hands until the end (comparator-sort)
  std::function<std::unique_ptr<StarControllers>()> controllers;
  std::function<MessageRun(Step slot_limit)> model;
};

/// Each algorithm on networks of all proportions, with options; permutations and draws by `seed`.
std::vector<StarCase> star_cases(std::uint64_t seed);
/// One of them; the rest of the network's options are the algorithm's defaults.
StarCase randomized_case(std::int32_t d, std::int32_t g, std::uint64_t seed, bool literal = false,
                         const DeadCouplers* dead = nullptr);

}  // namespace starloom
