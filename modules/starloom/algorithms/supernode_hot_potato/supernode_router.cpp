// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/supernode_hot_potato/supernode_router.hpp>

#include <algorithm>
#include <cstdlib>

#include <starloom/algorithms/mesh_sort/mesh_sort_program.hpp>
#include <starloom/algorithms/supernode_hot_potato/geometry.hpp>

namespace starloom::links {
namespace {

constexpr SupernodePicks no_worm_leaves = {no_worm, no_worm, no_worm, no_worm};

/// Supersteps in which a line of N supernodes delivers its worms, the longest path first, if each of them has at most
/// `of_one` and takes in at most `to_one`: the worms that cross a link, and the distance before and after it.
std::int32_t steps_of_line(std::int32_t side, std::int64_t of_one, std::int64_t to_one) {
  std::int64_t steps = 0;
  for (std::int32_t d = 1; d < side; ++d) steps = std::max(steps, std::min(of_one * d, to_one * (side - d)) + d - 1);
  return static_cast<std::int32_t>(std::min<std::int64_t>(steps, 1 << 30));
}

SupernodePosition position_of(std::int32_t supernode, std::int32_t side) {
  return {supernode / side, supernode % side};
}

/// The worm with the longest path for each port, the lowest slot first.
class LongestPath {
 public:
  void consider(Port port, std::int32_t length, std::int32_t index) {
    const auto p = static_cast<std::size_t>(port);
    if (length <= length_[p]) return;
    length_[p] = length;
    picks[p] = index;
  }
  void see_row(std::int32_t right, std::int32_t index) {
    consider(right > 0 ? compass::east : compass::west, std::abs(right), index);
  }
  void see_column(std::int32_t down, std::int32_t index) {
    consider(down > 0 ? compass::south : compass::north, std::abs(down), index);
  }

  SupernodePicks picks = no_worm_leaves;

 private:
  std::array<std::int32_t, 4> length_{};
};

SupernodePicks row_first(SupernodePosition here, std::int32_t side, const SupernodeNotes& notes) {
  LongestPath longest;
  for (std::size_t index = 0; index < notes.size(); ++index) {
    if (notes[index] == no_supernode) continue;
    const SupernodePosition to = position_of(notes[index], side);
    if (to.column != here.column) longest.see_row(to.column - here.column, static_cast<std::int32_t>(index));
    else longest.see_column(to.row - here.row, static_cast<std::int32_t>(index));
  }
  return longest.picks;
}

class RowFirstRouter final : public SupernodeRouter {
 public:
  explicit RowFirstRouter(const SupernodeTraffic& traffic) : traffic_(traffic) {}

  std::int32_t supersteps() const override {
    return traffic_.side - 1 + steps_of_line(traffic_.side, traffic_.side, traffic_.most_to_one);
  }
  /// Worms that wait for their column came along the row, at most N; those at their supernode are at most
  /// `most_to_one`.
  std::int32_t kept() const override {
    const std::int64_t n = traffic_.side, home = traffic_.consumed_at_once ? 0 : traffic_.most_to_one;
    return static_cast<std::int32_t>(std::min(n * traffic_.most_to_one, traffic_.most_to_one == 1 ? n : n + home));
  }
  SupernodePicks pick(SupernodePosition here, std::int32_t /*superstep*/, const SupernodeNotes& notes) const override {
    return row_first(here, traffic_.side, notes);
  }

 private:
  SupernodeTraffic traffic_;
};

class SortedRouter final : public SupernodeRouter {
 public:
  explicit SortedRouter(const SupernodeTraffic& traffic)
      : traffic_(traffic), sort_(MeshSortProgram::shearsort(traffic.side)) {
    for (const SortPhase& phase : sort_.phases())
      for (std::int32_t round = 0; round < phase.rounds; ++round) rounds_.push_back({&phase, round});
  }

  std::int32_t supersteps() const override { return columns_from() + steps_of_line(side(), to_one(), to_one()); }
  /// While worms are sorted one stays; while they move in rows one passes in each direction. After that at most
  /// `most_to_one` of a row have reached their column, and wait there for their turn, and as many are at their
  /// supernode.
  std::int32_t kept() const override { return traffic_.consumed_at_once || to_one() == 1 ? to_one() : 2 * to_one(); }
  /// A worm at its supernode takes part in the sort, which may send it away.
  std::int32_t first_consuming() const override { return rows_from(); }

  SupernodePicks pick(SupernodePosition here, std::int32_t superstep, const SupernodeNotes& notes) const override {
    if (superstep < rows_from()) return compare(here, superstep, notes);
    SupernodePicks picks = row_first(here, side(), notes);
    if (superstep < columns_from()) picks[compass::north] = picks[compass::south] = no_worm;
    return picks;
  }

 private:
  struct Round {
    const SortPhase* phase;
    std::int32_t number;
  };

  std::int32_t side() const { return traffic_.side; }
  std::int32_t to_one() const { return traffic_.most_to_one; }
  std::int32_t rows_from() const { return 2 * static_cast<std::int32_t>(rounds_.size()); }
  std::int32_t columns_from() const { return rows_from() + side() - 1; }

  /// The left or upper one of a pair sends its worm; then the worm for the lower supernode returns. A supernode
  /// without a worm counts as one with a key above all others: if no worm arrived, the other one was empty.
  SupernodePicks compare(SupernodePosition here, std::int32_t superstep, const SupernodeNotes& notes) const {
    const Round& round = rounds_[static_cast<std::size_t>(superstep / 2)];
    const SortPhase& phase = *round.phase;
    const bool vertical = phase.axis == 0;
    const std::int32_t index = vertical ? here.row : here.column, line = vertical ? here.column : here.row;
    const int partner = phase.partner(index, line, round.number);
    const bool goes_over = superstep % 2 == 0;
    SupernodePicks picks = no_worm_leaves;
    if (partner == 0 || (partner > 0) != goes_over) return picks;
    const Port forth = vertical ? compass::south : compass::east;
    if (goes_over) picks[static_cast<std::size_t>(forth)] = first(notes);
    else picks[static_cast<std::size_t>(opposite(forth))] = phase.ascends(line) ? first(notes) : last_of_two(notes);
    return picks;
  }
  /// The worm with the lowest key, the lowest slot first.
  std::int32_t first(const SupernodeNotes& notes) const {
    std::int32_t best = no_worm;
    for (std::size_t index = 0; index < notes.size(); ++index)
      if (notes[index] != no_supernode && (best == no_worm || key(notes[index]) < key_at(notes, best)))
        best = static_cast<std::int32_t>(index);
    return best;
  }
  /// The worm with the highest key, if there are two: with one, that supernode remains empty.
  std::int32_t last_of_two(const SupernodeNotes& notes) const {
    std::int32_t best = no_worm, worms = 0;
    for (std::size_t index = 0; index < notes.size(); ++index) {
      if (notes[index] == no_supernode) continue;
      ++worms;
      if (best == no_worm || key(notes[index]) > key_at(notes, best)) best = static_cast<std::int32_t>(index);
    }
    return worms > 1 ? best : no_worm;
  }
  std::int32_t key(std::int32_t supernode) const { return position_of(supernode, side()).column; }
  std::int32_t key_at(const SupernodeNotes& notes, std::int32_t index) const {
    return key(notes[static_cast<std::size_t>(index)]);
  }

  SupernodeTraffic traffic_;
  MeshSortProgram sort_;
  std::vector<Round> rounds_;
};

}  // namespace

std::unique_ptr<SupernodeRouter> row_first_router(const SupernodeTraffic& traffic) {
  return std::make_unique<RowFirstRouter>(traffic);
}

std::unique_ptr<SupernodeRouter> sorted_router(const SupernodeTraffic& traffic) {
  return std::make_unique<SortedRouter>(traffic);
}

}  // namespace starloom::links
