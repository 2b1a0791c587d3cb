// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The interface to CaDiCaL; other files do not use the solver.
#include <cstddef>
#include <filesystem>
#include <optional>
#include <vector>

#include <starloom/planning/links/schedules.hpp>
#include <starloom/search/formula.hpp>

namespace starloom::links {

struct SolverLimits {
  Deadline deadline{};
  /// Conflicts after which the solver gives up; negative: never. Unlike time, the same on every machine.
  int conflicts = -1;
  /// If there is no solution, a DRAT proof in text is written to this file, and the formula to FILE.cnf. The solver
  /// then also checks every step of its proof.
  std::optional<std::filesystem::path> proof{};
};

struct Solution {
  Answer found = Answer::unknown;
  std::vector<bool> truth{};  ///< by variable, if found

  bool is_true(Literal literal) const {
    return truth[static_cast<std::size_t>(literal < 0 ? -literal : literal)] == (literal > 0);
  }
};

/// Equal formulas have equal solutions. \throws OutputError if the proof cannot be written.
Solution solve(const Formula& formula, const SolverLimits& limits = {});

}  // namespace starloom::links
