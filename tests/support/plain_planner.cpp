// SPDX-License-Identifier: Apache-2.0
#include "support/plain_planner.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include <starloom/core/random.hpp>

namespace starloom::links {

std::vector<PacketId> PlainPlanner::order(const std::vector<Packet>& packets) const {
  const Ordering& how = options_.ordering;
  const int columns = mesh_.side(1);
  std::vector<PacketId> order(packets.size());
  std::iota(order.begin(), order.end(), 0);
  if (how.order == PacketOrder::random || how.tie == TieBreak::random) {
    for (int j = static_cast<int>(packets.size()) - 1; j > 0; --j) {
      RandomStream random(how.seed.value(), Purpose::algorithm, j, 0);
      std::swap(order[static_cast<std::size_t>(j)],
                order[static_cast<std::size_t>(random.bounded(static_cast<std::uint32_t>(j) + 1))]);
    }
  }
  if (how.order == PacketOrder::random) return order;
  const auto key = [&](PacketId p) {
    const Packet& packet = packets[static_cast<std::size_t>(p)];
    const int r = packet.source / columns;
    const int c = packet.source % columns;
    const int h = std::abs(packet.destination % columns - c);
    const int v = std::abs(packet.destination / columns - r);
    using Key = std::tuple<int, int>;
    Key tie{0, 0};
    switch (how.tie) {
      case TieBreak::row_major: tie = {r, c}; break;
      case TieBreak::column_major: tie = {c, r}; break;
      case TieBreak::snake_row: tie = {r, r % 2 == 0 ? c : -c}; break;
      case TieBreak::snake_column: tie = {c, c % 2 == 0 ? r : -r}; break;
      case TieBreak::reverse_row: tie = {-r, -c}; break;
      case TieBreak::random: break;
    }
    Key main{0, 0};
    switch (how.order) {
      case PacketOrder::row_major: main = {r, c}; break;
      case PacketOrder::column_major: main = {c, r}; break;
      case PacketOrder::snake_row: main = {r, r % 2 == 0 ? c : -c}; break;
      case PacketOrder::snake_column: main = {c, c % 2 == 0 ? r : -r}; break;
      case PacketOrder::random: break;
      case PacketOrder::longest_total: main = {-(h + v), 0}; break;
      case PacketOrder::longest_horizontal: main = {-h, how.lexicographic ? -v : 0}; break;
      case PacketOrder::longest_vertical: main = {-v, how.lexicographic ? -h : 0}; break;
      case PacketOrder::shortest_total: main = {h + v, 0}; break;
      case PacketOrder::shortest_horizontal: main = {h, how.lexicographic ? v : 0}; break;
      case PacketOrder::shortest_vertical: main = {v, how.lexicographic ? h : 0}; break;
    }
    return std::make_pair(main, tie);
  };
  std::stable_sort(order.begin(), order.end(), [&](PacketId a, PacketId b) { return key(a) < key(b); });
  return order;
}

OneBendPlan PlainPlanner::select_paths(const std::vector<Packet>& packets, const std::vector<PacketId>& order) {
  const int columns = mesh_.side(1);
  OneBendPlan plan;
  plan.starts.assign(packets.size(), -1);
  plan.first.assign(packets.size(), FirstSegment::horizontal);
  for (const PacketId p : order) {
    const Packet& packet = packets[static_cast<std::size_t>(p)];
    const int h = std::abs(packet.destination % columns - packet.source % columns);
    const int v = std::abs(packet.destination / columns - packet.source / columns);
    plan.distance = std::max(plan.distance, h + v);
    if (h + v == 0) {
      plan.starts[static_cast<std::size_t>(p)] = 0;
      continue;
    }
    std::vector<std::pair<FirstSegment, std::vector<LinkId>>> paths;
    if (options_.scheme != PathScheme::vertical_first || h == 0 || v == 0)
      paths.emplace_back(FirstSegment::horizontal, path(packet, true));
    if (options_.scheme != PathScheme::horizontal_first && h > 0 && v > 0)
      paths.emplace_back(FirstSegment::vertical, path(packet, false));
    bool placed = false;
    for (std::int32_t start = 0; !placed; ++start) {
      if (options_.stage_limit && start >= mesh_.side(1) + 2 * mesh_.side(0) - h - v) {
        plan.failed = p;
        break;
      }
      for (const auto& [first, links] : paths) {
        bool all = true;
        for (std::int32_t flit = 0; flit < options_.flits && all; ++flit) all = free(links, start + flit);
        for (std::size_t q = 0; q < packets.size() && options_.one_start_per_stage && all; ++q)
          all =
              packets[q].source != packet.source || packets[q].destination == packet.source || plan.starts[q] != start;
        if (!all) continue;
        for (std::int32_t flit = 0; flit < options_.flits; ++flit) take(links, start + flit);
        plan.starts[static_cast<std::size_t>(p)] = start;
        plan.first[static_cast<std::size_t>(p)] = first;
        plan.length = std::max(plan.length, start + h + v + options_.flits - 1);
        placed = true;
        break;
      }
    }
    if (!placed) break;
  }
  for (const std::size_t entry : touched_) taken_[entry] = 0;
  touched_.clear();
  return plan;
}

std::vector<LinkId> PlainPlanner::path(const Packet& packet, bool horizontal_first) const {
  const int columns = mesh_.side(1);
  const int to_row = packet.destination / columns;
  const int to_column = packet.destination % columns;
  int row = packet.source / columns;
  int column = packet.source % columns;
  std::vector<LinkId> links;
  const auto cross = [&](Port port) { links.push_back((row * columns + column) * 4 + port); };
  for (int segment = 0; segment < 2; ++segment) {
    if ((segment == 0) == horizontal_first) {
      for (; column < to_column; ++column) cross(1);
      for (; column > to_column; --column) cross(3);
    } else {
      for (; row < to_row; ++row) cross(2);
      for (; row > to_row; --row) cross(0);
    }
  }
  return links;
}

bool PlainPlanner::free(const std::vector<LinkId>& path, std::int32_t start) {
  auto stage = static_cast<std::size_t>(start);
  for (const LinkId link : path) {
    ++looks_;
    if (stage >= stages_) return true;
    if (taken_[static_cast<std::size_t>(link) * stages_ + stage] != 0) return false;
    ++stage;
  }
  return true;
}

void PlainPlanner::take(const std::vector<LinkId>& path, std::int32_t start) {
  const std::size_t end = static_cast<std::size_t>(start) + path.size();
  if (end > stages_) {
    const std::size_t wider = 2 * end;
    std::vector<char> taken(static_cast<std::size_t>(mesh_.nodes()) * 4 * wider);
    for (std::size_t& entry : touched_) {
      entry = entry / stages_ * wider + entry % stages_;
      taken[entry] = 1;
    }
    taken_.swap(taken);
    stages_ = wider;
  }
  auto stage = static_cast<std::size_t>(start);
  for (const LinkId link : path) {
    touched_.push_back(static_cast<std::size_t>(link) * stages_ + stage++);
    taken_[touched_.back()] = 1;
  }
}

std::string plan_error(const Grid& grid, const std::vector<Packet>& packets, const Plan& plan,
                       const std::vector<std::int64_t>& residents) {
  if (plan.journeys.size() != packets.size()) return "not one journey a packet";
  std::set<std::tuple<NodeId, Port, Step>> crossed;
  std::map<std::pair<NodeId, Step>, std::int64_t> staying;
  for (std::size_t p = 0; p < packets.size(); ++p) {
    const std::string who = "packet " + std::to_string(p);
    const Journey& journey = plan.journeys[p];
    if (journey.start < 0) return who + " starts before stage 0";
    NodeId node = packets[p].source;
    Step stage = journey.start;
    for (const Port port : journey.moves) {
      if (port == no_port) {
        const std::int64_t room = residents.size() == 1 ? residents[0] : residents.at(static_cast<std::size_t>(node));
        if (++staying[{node, stage}] > room) return who + " stays in a full node " + std::to_string(node);
      } else {
        for (std::int32_t flit = 0; flit < plan.flits; ++flit)
          if (!crossed.insert({node, port, stage + flit}).second)
            return who + " meets another on a link of node " + std::to_string(node);
        node = port >= 0 && port < grid.ports() ? grid.neighbour(node, port) : no_node;
        if (node == no_node) return who + " leaves the grid";
      }
      ++stage;
    }
    if (node != packets[p].destination) return who + " ends in node " + std::to_string(node);
  }
  return "";
}

}  // namespace starloom::links
