#pragma once
/// \file POPS runs that exist at all levels: algorithms for stepper, netlist and message-level model.
#include <memory>
#include <string>
#include <vector>

#include <starloom/controllers/pops/algorithm.hpp>
#include "support/pops_stepper.hpp"

namespace starloom::pops {

struct Case {
  std::string name;
  std::vector<Packet> packets;
  std::shared_ptr<const Algorithm> algorithm;
  bool literal = false;  ///< may lose packets

  const Pops& pops() const { return algorithm->pops(); }
  /// In the plain stepper.
  SteppedRun run_plain(std::uint64_t seed, Stepping stepping = {}) const;
};

/// Each algorithm on networks of all proportions, with options; permutations and draws by `seed`.
std::vector<Case> cases(std::uint64_t seed);
/// One of them; the rest of the network's options are the algorithm's defaults.
Case randomized_case(std::int32_t d, std::int32_t g, std::uint64_t seed, bool literal = false,
                     const DeadCouplers* dead = nullptr);

}  // namespace starloom::pops
