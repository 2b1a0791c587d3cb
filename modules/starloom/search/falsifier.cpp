// SPDX-License-Identifier: Apache-2.0
#include <starloom/search/falsifier.hpp>

#include <algorithm>
#include <numeric>
#include <utility>

#include <starloom/core/random.hpp>
#include <starloom/search/greedy_formula.hpp>

namespace starloom::links {
namespace {

using Permutation = std::vector<NodeId>;

class Falsifier {
 public:
  Falsifier(const Grid& mesh, const FalsifyOptions& options, const Deadline& deadline)
      : mesh_(mesh), options_(options), deadline_(deadline), planner_(mesh, options.planner) {}

  FalsifyResult falsify();

 private:
  struct Length {
    std::int32_t length;
    std::int32_t distance;
  };
  Length length_of(const Permutation& permutation);
  /// The bound that the plan exceeds, if any.
  std::optional<BoundKind> exceeded(const Length& length) const;
  /// Plans for a permutation and keeps it if it is the best so far.
  Length look_at(const Permutation& permutation, const char* found_by);
  void look_at_families();
  void walk(std::int32_t number);
  /// \return true if it is certain that there is none
  bool search_formulas(BoundKind bound_kind);
  void minimise();

  Permutation identity() const;
  /// Exchanges the destinations of two nodes, given by row and column; has no effect if one is outside.
  void exchange(Permutation& permutation, NodeId row, NodeId column, NodeId other_row, NodeId other_column) const;
  Permutation swallowed_centre(NodeId distance) const;

  const Grid& mesh_;
  const FalsifyOptions& options_;
  const Deadline& deadline_;
  OneBendPlanner planner_;
  std::vector<Packet> packets_;
  std::optional<Counterexample> best_;
};

Falsifier::Length Falsifier::length_of(const Permutation& permutation) {
  packets_.resize(permutation.size());
  for (std::size_t node = 0; node < permutation.size(); ++node)
    packets_[node] = {static_cast<NodeId>(node), permutation[node], 1, 0};
  const OneBendPlan& plan = planner_.plan(packets_);
  return {plan.length, plan.distance};
}

std::optional<BoundKind> Falsifier::exceeded(const Length& length) const {
  if (length.length > mesh_.diameter()) return BoundKind::diameter;
  if (length.length > length.distance) return BoundKind::distance;
  return std::nullopt;
}

Falsifier::Length Falsifier::look_at(const Permutation& permutation, const char* found_by) {
  const Length length = length_of(permutation);
  const auto worth = [](BoundKind bound_kind, std::int32_t gap) { return std::make_pair(bound_kind, gap); };
  if (const auto bound_kind = exceeded(length))
    if (!best_ ||
        worth(*bound_kind, length.length - length.distance) > worth(best_->exceeds, best_->length - best_->distance))
      best_ = Counterexample{*bound_kind, permutation, length.length, length.distance, found_by};
  return length;
}

Permutation Falsifier::identity() const {
  Permutation permutation(static_cast<std::size_t>(mesh_.nodes()));
  std::iota(permutation.begin(), permutation.end(), 0);
  return permutation;
}

void Falsifier::exchange(Permutation& permutation, NodeId row, NodeId column, NodeId other_row,
                         NodeId other_column) const {
  const NodeId rows = mesh_.side(0), columns = mesh_.side(1);
  if (std::min({row, column, other_row, other_column}) < 0 || std::max(row, other_row) >= rows ||
      std::max(column, other_column) >= columns)
    return;
  std::swap(permutation[static_cast<std::size_t>(row * columns + column)],
            permutation[static_cast<std::size_t>(other_row * columns + other_column)]);
}

/// The row and the column of the centre z are kept busy, so that the packet of z finds no start (the unbounded family
/// of Multistage), as far as the mesh reaches.
Permutation Falsifier::swallowed_centre(NodeId distance) const {
  Permutation permutation = identity();
  const NodeId r = mesh_.side(0) / 2, c = mesh_.side(1) / 2;
  const NodeId h = (distance - 1) / 2, v = distance - 1 - h;
  for (NodeId j = 1; j < distance; ++j) {
    exchange(permutation, r, c - j, r, c - j + distance);
    exchange(permutation, r - j, c, r - j + distance, c);
  }
  exchange(permutation, r - h, c + h, r - h + distance, c + h);
  exchange(permutation, r + v, c - v, r + v, c - v + distance);
  exchange(permutation, r, c, r + v, c + h);
  return permutation;
}

void Falsifier::look_at_families() {
  const NodeId rows = mesh_.side(0), columns = mesh_.side(1);
  for (NodeId distance = 3; distance <= std::max(rows, columns); ++distance)
    look_at(swallowed_centre(distance), "family");
  Permutation reversal = identity();
  std::reverse(reversal.begin(), reversal.end());
  look_at(reversal, "family");
  if (rows != columns) return;
  Permutation transpose, turn;
  for (NodeId r = 0; r < rows; ++r)
    for (NodeId c = 0; c < columns; ++c) {
      transpose.push_back(c * columns + r);
      turn.push_back(c * columns + columns - 1 - r);
    }
  look_at(transpose, "family");
  look_at(turn, "family");
}

void Falsifier::walk(std::int32_t number) {
  const std::int32_t nearest = 3;
  if (mesh_.diameter() < nearest) return;
  RandomStream random(options_.seed, Purpose::algorithm, number, 0);
  const auto below = [&random](std::int32_t range) {
    return static_cast<std::int32_t>(random.bounded(static_cast<std::uint32_t>(range)));
  };
  // Near ones more often, because plans are long there.
  std::int32_t farthest = nearest;
  while (farthest < mesh_.diameter() && below(2) == 0) ++farthest;
  Permutation permutation = identity();
  const auto exchange_two = [&] {
    const NodeId a = below(mesh_.nodes()), b = below(mesh_.nodes());
    NodeId& of_a = permutation[static_cast<std::size_t>(a)];
    NodeId& of_b = permutation[static_cast<std::size_t>(b)];
    if (a == b || mesh_.distance(a, of_b) > farthest || mesh_.distance(b, of_a) > farthest) return std::pair(a, a);
    std::swap(of_a, of_b);
    return std::pair(a, b);
  };
  for (std::int32_t i = 0; i < options_.exchanges * mesh_.nodes(); ++i) exchange_two();
  std::int32_t gap = -mesh_.diameter();
  for (std::int32_t i = 0; i < options_.exchanges; ++i) {
    const auto [a, b] = exchange_two();
    const Length length = look_at(permutation, "walk");
    if (length.length - length.distance < gap)
      std::swap(permutation[static_cast<std::size_t>(a)], permutation[static_cast<std::size_t>(b)]);
    else gap = length.length - length.distance;
  }
}

bool Falsifier::search_formulas(BoundKind bound_kind) {
  SolverLimits limits;
  limits.deadline = deadline_;
  limits.conflicts = options_.conflicts;
  const std::int32_t diameter = mesh_.diameter();
  bool certain = true;
  for (std::int32_t farthest = bound_kind == BoundKind::distance ? 1 : diameter; farthest <= diameter; ++farthest) {
    const LongPlan answer = find_long_plan(mesh_, options_.planner, {farthest, farthest}, limits);
    if (answer.found == Answer::yes) {
      look_at(answer.destinations, "formula");
      return false;
    }
    certain = certain && answer.found == Answer::no;
  }
  return certain;
}

void Falsifier::minimise() {
  // Removing a node from its cycle leaves one packet less to move; repeated until every node is needed.
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (NodeId node = 0; node < mesh_.nodes() && !deadline_.passed(); ++node) {
      Permutation without = best_->destinations;
      NodeId& to = without[static_cast<std::size_t>(node)];
      if (to == node) continue;
      *std::find(without.begin(), without.end(), node) = to;
      to = node;
      const Length length = length_of(without);
      const auto bound_kind = exceeded(length);
      if (!bound_kind || *bound_kind < best_->exceeds) continue;
      best_ = Counterexample{*bound_kind, without, length.length, length.distance, best_->found_by};
      smaller = true;
    }
  }
}

FalsifyResult Falsifier::falsify() {
  look_at_families();
  for (std::int32_t number = 0; number < options_.walks && !deadline_.passed(); ++number) walk(number);
  bool certain = false;
  if (!best_) certain = search_formulas(BoundKind::distance);
  if (best_ && best_->exceeds == BoundKind::distance) search_formulas(BoundKind::diameter);
  if (best_) minimise();
  if (deadline_.passed()) return {};
  if (!best_) return {certain ? Answer::no : Answer::unknown, std::nullopt};
  return {Answer::yes, best_};
}

}  // namespace

FalsifyResult falsify(const Grid& mesh, const FalsifyOptions& options, const Deadline& deadline) {
  return Falsifier(mesh, options, deadline).falsify();
}

}  // namespace starloom::links
