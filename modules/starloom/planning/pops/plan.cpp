// SPDX-License-Identifier: Apache-2.0
#include <starloom/planning/pops/plan.hpp>

#include <algorithm>
#include <stdexcept>

#include <starloom/planning/completed.hpp>
#include <starloom/planning/edge_colouring.hpp>

namespace starloom::pops {
namespace {

using Edges = std::vector<std::int32_t>;

/// The demand graph: one edge per packet, from source group to destination group.
struct Demand {
  std::int32_t groups;
  std::vector<std::int32_t> left, right;
};

/// Makes the sizes of two matchings more equal: moves `count` edges net from the greater to the smaller one. In their
/// union some paths have one edge more of the greater; they begin at a left vertex that the smaller one lacks.
class Equalizer {
 public:
  explicit Equalizer(const Demand& demand) : demand_(demand) {
    for (auto* at : {&left_[0], &left_[1], &right_[0], &right_[1]})
      at->assign(static_cast<std::size_t>(demand.groups), none);
  }

  void move(Edges& greater, Edges& smaller, std::size_t count) {
    Edges* const both[] = {&greater, &smaller};
    for (int side = 0; side < 2; ++side) enter(*both[side], side, true);
    Edges starts;
    for (const std::int32_t edge : greater)
      if (left_[1][left(edge)] == none) starts.push_back(edge);
    std::vector<Edges> changed(2);
    for (std::size_t at = 0; at < starts.size() && count > 0; ++at) {
      Edges path{starts[at]};
      for (int side = 1;; side = 1 - side) {
        const std::int32_t last = path.back();
        const std::int32_t next = side == 1 ? right_[1][right(last)] : left_[0][left(last)];
        if (next == none) break;
        path.push_back(next);
      }
      if (path.size() % 2 == 0) continue;  // ends with an edge of the smaller one
      --count;
      for (std::size_t place = 0; place < path.size(); ++place) changed[place % 2].push_back(path[place]);
    }
    if (count > 0) throw std::logic_error("two matchings have fewer alternating paths than their sizes differ");
    for (int side = 0; side < 2; ++side) enter(*both[side], side, false);
    for (int side = 0; side < 2; ++side) {
      std::sort(changed[side].begin(), changed[side].end());
      Edges& edges = *both[side];
      edges.erase(std::remove_if(edges.begin(), edges.end(),
                                 [&](std::int32_t edge) {
                                   return std::binary_search(changed[side].begin(), changed[side].end(), edge);
                                 }),
                  edges.end());
    }
    for (int side = 0; side < 2; ++side)
      both[1 - side]->insert(both[1 - side]->end(), changed[side].begin(), changed[side].end());
  }

 private:
  static constexpr std::int32_t none = -1;
  std::size_t left(std::int32_t edge) const {
    return static_cast<std::size_t>(demand_.left[static_cast<std::size_t>(edge)]);
  }
  std::size_t right(std::int32_t edge) const {
    return static_cast<std::size_t>(demand_.right[static_cast<std::size_t>(edge)]);
  }
  void enter(const Edges& edges, int side, bool present) {
    for (const std::int32_t edge : edges) {
      left_[side][left(edge)] = present ? edge : none;
      right_[side][right(edge)] = present ? edge : none;
    }
  }

  const Demand& demand_;
  std::vector<std::int32_t> left_[2], right_[2];  ///< [matching][vertex] its edge there
};

/// d < g: divides d perfect matchings into g matchings of d edges each, because a group has only d relays.
std::vector<Edges> cut_into_relay_classes(const Demand& demand, const Edges& colours, std::size_t d) {
  std::vector<Edges> classes;
  Edges open;  // too small so far
  Equalizer equalizer(demand);
  const auto g = static_cast<std::size_t>(demand.groups);
  for (std::size_t colour = 0; colour < d; ++colour) {
    auto next = colours.begin() + static_cast<std::ptrdiff_t>(colour * g);
    const auto end = next + static_cast<std::ptrdiff_t>(g);
    const auto step = static_cast<std::ptrdiff_t>(d);
    for (; end - next >= 2 * step; next += step) classes.emplace_back(next, next + step);
    Edges rest(next, end);  // d to 2d - 1 edges
    while (rest.size() > d) {
      equalizer.move(rest, open, std::min(rest.size() - d, d - open.size()));
      if (open.size() < d) continue;
      classes.push_back(std::move(open));
      open.clear();
    }
    classes.push_back(std::move(rest));
  }
  return classes;
}

}  // namespace

Plan plan_permutation(const Pops& pops, const std::vector<NodeId>& destination) {
  const std::int32_t d = pops.group_size(), g = pops.groups();
  Plan plan;
  plan.round.assign(destination.size(), 0);
  plan.relay.assign(destination.size(), no_node);
  if (d == 1) {
    plan.rounds = plan.slots_per_round = 1;
    return plan;
  }
  plan.rounds = (d + g - 1) / g;
  const std::vector<NodeId> to = completed(destination);  // so that the demand graph is regular
  Demand demand{g, {}, {}};
  for (std::size_t source = 0; source < to.size(); ++source) {
    demand.left.push_back(pops.group_of(static_cast<NodeId>(source)));
    demand.right.push_back(pops.group_of(to[source]));
  }
  const Edges colours = edge_colouring(g, demand.left, demand.right);
  if (d >= g) {
    // A colour is a round and a relaying group; its processor a relays for group a.
    for (std::size_t at = 0; at < colours.size(); ++at) {
      const auto colour = static_cast<std::int32_t>(at / static_cast<std::size_t>(g));
      const auto source = static_cast<std::size_t>(colours[at]);
      plan.round[source] = colour / g;
      plan.relay[source] = pops.node_at(colour % g, demand.left[source]);
    }
  } else {
    const std::vector<Edges> classes = cut_into_relay_classes(demand, colours, static_cast<std::size_t>(d));
    for (std::size_t group = 0; group < classes.size(); ++group)
      for (std::size_t k = 0; k < classes[group].size(); ++k)
        plan.relay[static_cast<std::size_t>(classes[group][k])] =
            pops.node_at(static_cast<std::int32_t>(group), static_cast<std::int32_t>(k));
  }
  for (std::size_t source = 0; source < destination.size(); ++source)
    if (destination[source] == no_node) plan.relay[source] = no_node;
  return plan;
}

}  // namespace starloom::pops
