// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The units of ranks, each of which does one part of a program after the other (docs/chakra.md).
#include <queue>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include <starloom/traffic/program/program.hpp>
#include <starloom/traffic/workloads/workload.hpp>

namespace starloom {

/// The completion of an item, as the items that wait for it see it.
struct Completion {
  Step step = -1;       ///< -1: none
  Step delivered = -1;  ///< the greatest delivery on which it depends; -1: none
  MessageNumber released_by = -1;

  /// Twice the step, and one more if it completes with a delivery: those of a step are behind its other events, because
  /// messages are created before others are delivered.
  Step moment() const { return 2 * step + (step >= 0 && step == delivered ? 1 : 0); }
};

/// Which part has each unit. Decisions are made moment by moment, when all that completes in a moment is known.
class RankUnits {
 public:
  explicit RankUnits(const Program& program);

  /// A part waits for its unit from a moment on.
  void request(ProgramPart part, Step moment);
  /// A part that has its unit finishes.
  void release(ProgramPart part, const Completion& finish);

  /// The moment of the next decision; no_step: none is due.
  Step next_moment() const { return due_.empty() ? no_step : due_.top().moment; }
  struct Entry {
    ProgramPart part = 0;
    Completion before{};  ///< the finish of the part that had the unit before it
  };
  /// The parts that enter in the next moment, at most one for each unit.
  std::vector<Entry> decide();

  /// Parts that wait for their unit, each with the part that has it, in ascending order.
  std::vector<std::pair<ProgramPart, ProgramPart>> blocked() const;

 private:
  struct Unit {
    bool busy = false;
    ProgramPart part = 0;                                     ///< that has it
    Completion before{};                                      ///< the last finish of a part that had it
    std::set<std::pair<std::uint32_t, ProgramPart>> waiting;  ///< by turn
  };
  /// A request or a release whose moment has not come.
  struct Due {
    Step moment;
    ProgramPart part;
    bool releases;
    Completion finish;
    bool operator>(const Due& other) const {
      return std::tie(moment, part, releases) > std::tie(other.moment, other.part, other.releases);
    }
  };
  std::size_t unit_of(ProgramPart part) const;

  const Program& program_;
  std::vector<Unit> units_;  ///< [rank and unit]
  std::priority_queue<Due, std::vector<Due>, std::greater<>> due_;
};

}  // namespace starloom
