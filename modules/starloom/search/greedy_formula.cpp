// SPDX-License-Identifier: Apache-2.0
#include <starloom/search/greedy_formula.hpp>

#include <map>
#include <tuple>

#include <starloom/core/packet.hpp>
#include <starloom/planning/links/multistage/packet_order.hpp>

namespace starloom::links {
namespace {

class GreedyFormula {
 public:
  GreedyFormula(const Grid& mesh, const OneBendOptions& options, const GreedyQuestion& question);
  const Formula& formula() const { return formula_; }
  std::vector<NodeId> destinations(const Solution& solution) const;

 private:
  static constexpr Literal never = 0;  ///< of an impossible event

  void choose_permutation();
  /// Follows the planner for one pair; adds a literal if the planner finds no start within the bound.
  void serve(const Packet& pair, Literal chosen);
  /// A variable that is true if one of the literals is; `never` for an empty list.
  Literal any_of(const std::vector<Literal>& literals);
  Literal both(Literal one, Literal other);

  const Grid& mesh_;
  const OneBendOptions& options_;
  GreedyQuestion question_;
  Formula formula_;
  std::map<std::pair<NodeId, NodeId>, Literal> sends_;       ///< by source and destination
  std::map<std::tuple<NodeId, Port, Step>, Literal> taken_;  ///< links in stages, by pairs served so far
  std::vector<Literal> late_;                                ///< pairs without a start within the bound
};

Literal GreedyFormula::any_of(const std::vector<Literal>& literals) {
  if (literals.empty()) return never;
  if (literals.size() == 1) return literals.front();
  const Literal any = formula_.new_variable();
  std::vector<Literal> clause = {-any};
  for (const Literal literal : literals) {
    formula_.add({-literal, any});
    clause.push_back(literal);
  }
  formula_.add(clause);
  return any;
}

Literal GreedyFormula::both(Literal one, Literal other) {
  const Literal both = formula_.new_variable();
  formula_.add({-both, one});
  formula_.add({-both, other});
  formula_.add({-one, -other, both});
  return both;
}

void GreedyFormula::choose_permutation() {
  std::map<NodeId, std::vector<Literal>> out, in;
  for (NodeId from = 0; from < mesh_.nodes(); ++from)
    for (NodeId to = 0; to < mesh_.nodes(); ++to) {
      if (mesh_.distance(from, to) > question_.farthest) continue;
      const Literal literal = sends_[{from, to}] = formula_.new_variable();
      out[from].push_back(literal);
      in[to].push_back(literal);
    }
  for (const auto& ends : {out, in})
    for (const auto& [node, literals] : ends) {
      formula_.add(literals);
      formula_.at_most(1, literals);
    }
}

void GreedyFormula::serve(const Packet& pair, Literal chosen) {
  std::vector<FirstSegment> segments;
  const bool straight =
      mesh_.offset(pair.source, pair.destination, 0) == 0 || mesh_.offset(pair.source, pair.destination, 1) == 0;
  if (straight || options_.scheme != PathScheme::vertical_first) segments.push_back(FirstSegment::horizontal);
  if (!straight && options_.scheme != PathScheme::horizontal_first) segments.push_back(FirstSegment::vertical);
  Literal seeking = chosen;  // the pair is chosen and has no start yet
  const Step distance = mesh_.distance(pair.source, pair.destination);
  for (Step start = 0; start + distance <= question_.bound; ++start)
    for (const FirstSegment first : segments) {
      std::vector<std::tuple<NodeId, Port, Step>> links;
      std::vector<Literal> obstacles;
      NodeId node = pair.source;
      for (const Port port : one_bend_moves(mesh_, pair.source, pair.destination, first)) {
        links.emplace_back(node, port, start + static_cast<Step>(links.size()));
        if (const auto user = taken_.find(links.back()); user != taken_.end()) obstacles.push_back(user->second);
        node = mesh_.neighbour(node, port);
      }
      const Literal blocked = any_of(obstacles);
      const Literal placed = blocked == never ? seeking : both(seeking, -blocked);
      for (const auto& link : links) {
        Literal& user = taken_[link];
        user = user == never ? placed : any_of({user, placed});
      }
      if (blocked == never) return;  // it starts here at the latest
      seeking = both(seeking, blocked);
    }
  late_.push_back(seeking);
}

GreedyFormula::GreedyFormula(const Grid& mesh, const OneBendOptions& options, const GreedyQuestion& question)
    : mesh_(mesh), options_(options), question_(question) {
  choose_permutation();
  std::vector<Packet> pairs;
  for (const auto& [ends, literal] : sends_)
    if (ends.first != ends.second) pairs.push_back({ends.first, ends.second, 1, 0});
  PacketSorter sorter(mesh, options.ordering);
  for (const PacketId id : sorter.sorted(pairs)) {
    const Packet& pair = pairs[static_cast<std::size_t>(id)];
    serve(pair, sends_.at({pair.source, pair.destination}));
  }
  // Pairs served after the first late one may start elsewhere than the planner says, but the first one is late in any
  // case.
  formula_.add(late_);
}

std::vector<NodeId> GreedyFormula::destinations(const Solution& solution) const {
  std::vector<NodeId> destinations(static_cast<std::size_t>(mesh_.nodes()));
  for (const auto& [ends, literal] : sends_)
    if (solution.is_true(literal)) destinations[static_cast<std::size_t>(ends.first)] = ends.second;
  return destinations;
}

std::int64_t size_of(const Grid& mesh, const GreedyQuestion& question) {
  std::int64_t size = 0;
  for (NodeId from = 0; from < mesh.nodes(); ++from)
    for (NodeId to = 0; to < mesh.nodes(); ++to) {
      const std::int64_t distance = mesh.distance(from, to);
      if (distance <= question.farthest) size += 2 * distance * (question.bound - distance + 1);
    }
  return size;
}

}  // namespace

LongPlan find_long_plan(const Grid& mesh, const OneBendOptions& options, const GreedyQuestion& question,
                        const SolverLimits& limits) {
  const bool random = options.ordering.order == PacketOrder::random || options.ordering.tie == TieBreak::random;
  if (random || options.flits != 1 || options.stage_limit || size_of(mesh, question) > largest_greedy_formula)
    return {};
  const GreedyFormula greedy(mesh, options, question);
  const Solution solution = solve(greedy.formula(), limits);
  if (solution.found != Answer::yes) return {solution.found, {}};
  return {Answer::yes, greedy.destinations(solution)};
}

}  // namespace starloom::links
