// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The reference for searches for schedules: tries all of them.
#include <algorithm>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include <starloom/control/links/plan.hpp>
#include <starloom/planning/links/multistage/one_bend_planner.hpp>
#include <starloom/topology/grid/grid.hpp>

namespace starloom::links {

/// Searches for a schedule of at most `length` stages among all that exist: any walk, from any stage, without
/// waiting; with a scheme, only its paths. The packets are tried in the given order.
class ExhaustiveSearch {
 public:
  ExhaustiveSearch(Grid mesh, std::vector<Packet> packets, std::int32_t length,
                   std::optional<PathScheme> scheme = std::nullopt)
      : mesh_(std::move(mesh)), packets_(std::move(packets)), length_(length), scheme_(scheme) {}

  bool finds_schedule() { return next_packet(0); }
  /// After a success.
  Plan plan() const { return {journeys_, 1}; }

 private:
  bool next_packet(std::size_t p) {
    if (p == packets_.size()) return true;
    journeys_.resize(p + 1);
    const std::int32_t distance = mesh_.distance(packets_[p].source, packets_[p].destination);
    if (distance == 0) return next_packet(p + 1);
    for (std::int32_t start = 0; start + distance <= length_; ++start) {
      journeys_.resize(p + 1);
      journeys_[p] = {start, {}};
      if (walk(p, packets_[p].source, start)) return true;
    }
    return false;
  }
  bool walk(std::size_t p, NodeId node, std::int32_t stage) {
    if (node == packets_[p].destination) return next_packet(p + 1);
    if (stage + mesh_.distance(node, packets_[p].destination) > length_) return false;
    for (Port port = 0; port < mesh_.ports(); ++port) {
      const NodeId next = mesh_.neighbour(node, port);
      if (next == no_node || !allowed(packets_[p], journeys_[p].moves, port)) continue;
      if (!taken_.insert({node, port, stage}).second) continue;
      journeys_[p].moves.push_back(port);
      if (walk(p, next, stage + 1)) return true;
      journeys_.resize(p + 1);
      journeys_[p].moves.pop_back();
      taken_.erase({node, port, stage});
    }
    return false;
  }

  /// True if a path with these moves may continue through the port according to the scheme.
  bool allowed(const Packet& packet, std::vector<Port> moves, Port port) const {
    if (!scheme_) return true;
    moves.push_back(port);
    for (const FirstSegment first : {FirstSegment::horizontal, FirstSegment::vertical}) {
      const std::vector<Port> path = one_bend_moves(mesh_, packet.source, packet.destination, first);
      const bool straight = path == one_bend_moves(mesh_, packet.source, packet.destination, FirstSegment::vertical) &&
                            path == one_bend_moves(mesh_, packet.source, packet.destination, FirstSegment::horizontal);
      const auto other = first == FirstSegment::horizontal ? PathScheme::vertical_first : PathScheme::horizontal_first;
      if (!straight && *scheme_ == other) continue;
      if (moves.size() <= path.size() && std::equal(moves.begin(), moves.end(), path.begin())) return true;
    }
    return false;
  }

  Grid mesh_;
  std::vector<Packet> packets_;
  std::int32_t length_;
  std::optional<PathScheme> scheme_;
  std::set<std::tuple<NodeId, Port, std::int32_t>> taken_;
  std::vector<Journey> journeys_;
};

}  // namespace starloom::links
