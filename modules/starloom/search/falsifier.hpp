// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Searches for permutations on which the multistage method takes longer than expected: longer than the
/// greatest distance, or even than the diameter of the mesh. Uniform random permutations rarely contain them.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <starloom/planning/links/multistage/one_bend_planner.hpp>
#include <starloom/planning/links/schedules.hpp>
#include <starloom/topology/grid/grid.hpp>

namespace starloom::links {

struct FalsifyOptions {
  OneBendOptions planner{};     ///< of packets of one flit
  std::uint64_t seed = 1;       ///< of the random permutations
  std::int32_t walks = 200;     ///< random ones, each from the identity
  std::int32_t exchanges = 60;  ///< per walk and node
  int conflicts = 200'000;      ///< of the solver, per question
};

/// The bound that a plan is to exceed.
enum class BoundKind { distance, diameter };

/// A permutation on which the plan is too long.
struct Counterexample {
  BoundKind exceeds = BoundKind::distance;
  std::vector<NodeId> destinations;  ///< by node; minimal: without any one of its packets it is not a counterexample
  std::int32_t length = 0;
  std::int32_t distance = 0;
  std::string found_by;  ///< `family`, `walk` or `formula`
};

struct FalsifyResult {
  /// `no`: proved that no plan exceeds even the greatest distance. `unknown`: none found, or the deadline has passed.
  Answer found = Answer::unknown;
  std::optional<Counterexample>
      counterexample{};  ///< if found: one that exceeds the diameter if there was one, else the distance
};

/// Structured families first; then walks through permutations of short distances that keep to long plans; then
/// formulas. Equal options give equal results.
/// \throws InputError as OneBendPlanner does.
FalsifyResult falsify(const Grid& mesh, const FalsifyOptions& options, const Deadline& deadline = Deadline());

}  // namespace starloom::links
