// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The promises of the constant-queue router at every level of its recursion, checked in the rows of a run.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include <starloom/algorithms/constant_queue/levels.hpp>
#include <starloom/algorithms/constant_queue/packet_class.hpp>
#include <starloom/core/links/run_record.hpp>
#include <starloom/core/links/trace.hpp>
#include <starloom/topology/grid/grid.hpp>
#include "unit/traffic_support.hpp"

namespace starloom::links {

inline std::vector<Packet> packets_of_pattern(const std::string& pattern, const Grid& mesh, std::uint64_t seed = 1) {
  std::vector<Packet> packets;
  const std::vector<NodeId> to = destinations_of(pattern, mesh, {}, seed);
  for (NodeId node = 0; node < mesh.nodes(); ++node)
    if (const NodeId destination = to[static_cast<std::size_t>(node)]; destination != no_node)
      packets.push_back({node, destination, 1, 0});
  return packets;
}

/// A packet in one level of the recursion. Places count from the corner of its region.
struct Visitor {
  PacketId packet = no_packet;
  Local corner, from, to;
  PacketClass packet_class = PacketClass::greedy;

  bool is_critical() const { return packet_class == PacketClass::critical; }
  bool is_special(std::int32_t m) const {
    return packet_class >= PacketClass::type_one_b && (to.row < m || to.row >= 7 * m);
  }
};

/// A run of the router on an n x n mesh, and what its rows say of each level.
class Routed {
 public:
  /// `frozen`: the mode of the columns.
  Routed(const Grid& mesh, std::vector<Level> levels, std::vector<TraceRow> rows, RunRecord record, bool frozen)
      : mesh_(mesh), levels_(std::move(levels)), rows_(std::move(rows)), record_(std::move(record)), frozen_(frozen) {}

  const Level& level(std::size_t number = 0) const { return levels_.at(number); }
  Step steps() const {
    Step last = 0;
    for (const Step step : record_.delivered) last = std::max(last, step);
    return last;
  }

  void expect_sound() const {
    ASSERT_EQ(record_.delivered_count, static_cast<std::int64_t>(record_.packets.size()));
    EXPECT_LE(steps(), 2 * level().side - 2);
    std::vector<Visitor> visitors;
    for (PacketId p = 0; p < static_cast<PacketId>(record_.packets.size()); ++p) {
      const Packet& packet = record_.packets[static_cast<std::size_t>(p)];
      visitors.push_back(visitor(level(), p, {}, place(packet.source), place(packet.destination)));
    }
    if (!level().is_base()) expect_arrivals_by_the_clock(visitors);
    for (std::size_t number = 0;; ++number) {
      SCOPED_TRACE("level " + std::to_string(number));
      const Level& level = levels_[number];
      expect_ranks(level, visitors);
      if (level.is_base() || testing::Test::HasFatalFailure()) return;
      const std::vector<const Visitor*> of_packet = by_packet(visitors);
      expect_axes(level, of_packet);
      expect_sorted(level, visitors);
      expect_rows_in_time(level, of_packet);
      expect_evacuated(level, of_packet);
      if (testing::Test::HasFatalFailure()) return;
      visitors = expect_critical_in_place(level, levels_[number + 1], visitors);
    }
  }

 private:
  static Visitor visitor(const Level& level, PacketId packet, Local corner, Local from, Local to) {
    return {packet, corner, from, to, level.is_base() ? PacketClass::greedy : classify(level, from, to)};
  }
  Local place(NodeId node) const { return {mesh_.coordinate(node, 0), mesh_.coordinate(node, 1)}; }
  Local within(const Visitor& visitor, NodeId node) const {
    return {place(node).row - visitor.corner.row, place(node).column - visitor.corner.column};
  }
  NodeId node(Local corner, Local at) const {
    return (corner.row + at.row) * mesh_.side(1) + corner.column + at.column;
  }
  /// [packet] its visit to a level; null if it has none.
  std::vector<const Visitor*> by_packet(const std::vector<Visitor>& visitors) const {
    std::vector<const Visitor*> of_packet(record_.packets.size());
    for (const Visitor& visitor : visitors) of_packet[static_cast<std::size_t>(visitor.packet)] = &visitor;
    return of_packet;
  }
  /// [packet] where it is after `steps` steps.
  std::vector<NodeId> places_at(Step steps) const {
    std::vector<NodeId> at;
    for (const Packet& packet : record_.packets) at.push_back(packet.source);
    for (const TraceRow& row : rows_)
      if (row.event == TraceEvent::hop && row.step < steps) at[static_cast<std::size_t>(row.packet)] = row.to;
    return at;
  }
  /// Calls with every row of a packet of a level that crosses a link in steps [from, to) of the level.
  template <class Visit>
  void each_hop(const Level& level, const std::vector<const Visitor*>& of_packet, Step from, Step to,
                const Visit& visit) const {
    for (const TraceRow& row : rows_) {
      const Step tau = row.step - level.start;
      if (row.event != TraceEvent::hop || tau < from || tau >= to) continue;
      const Visitor* visitor = of_packet[static_cast<std::size_t>(row.packet)];
      if (visitor != nullptr) visit(row, tau, *visitor);
      if (testing::Test::HasFatalFailure()) return;
    }
  }

  /// The order on a link: a smaller rank, then the longer path, then the lower number.
  using Turn = std::tuple<int, std::int32_t, PacketId>;
  struct Wish {
    Port port;
    Turn turn;
  };

  /// The link for which a packet queues that is at `at` and has arrived there by `tau`; none if it never queues there.
  std::optional<Wish> wish(const Level& level, const Visitor& visitor, Local at, Step tau, bool block_moved) const {
    enum : int { near_row, far_row, released, special, column };
    const Local to = visitor.to;
    if (at.column != to.column) {
      if (visitor.packet_class < PacketClass::near_block || !block_moved) return std::nullopt;
      const int rank = visitor.packet_class == PacketClass::near_block ? near_row : far_row;
      return Wish{mesh_.port_along(1, to.column - at.column), {rank, 0, visitor.packet}};
    }
    if (!block_moved) return std::nullopt;
    const bool is_special = !level.is_base() && visitor.is_special(level.m), held = is_special && tau < level.release();
    const std::int32_t row = !held ? to.row : to.row < level.m ? to.row + level.m : to.row - level.m;
    if (row == at.row) return std::nullopt;
    if (frozen_ && !level.is_base() && tau < level.columns()) return std::nullopt;
    const int rank = held ? special : is_special ? released : column;
    return Wish{mesh_.port_along(0, row - at.row), {rank, -std::abs(row - at.row), visitor.packet}};
  }

  /// The first of the packets that queue for a link leaves, in every step, unless one leaves that is never queued.
  void expect_ranks(const Level& level, std::vector<Visitor> left) const {
    const Step begin = level.start + level.rows(), end = level.start + 2 * Step{level.side} - 2;
    std::vector<NodeId> at = places_at(begin);
    std::vector<NodeId> block_end(at.size(), no_node);  ///< [packet] no_node once it was there
    for (const Visitor& visitor : left) {
      if (visitor.packet_class < PacketClass::near_block) continue;
      const auto p = static_cast<std::size_t>(visitor.packet);
      const Local from = within(visitor, at[p]), move = block_move(level, from);
      block_end[p] = node(visitor.corner, {from.row + move.row, from.column + move.column});
    }
    auto row = std::lower_bound(rows_.begin(), rows_.end(), begin,
                                [](const TraceRow& trace, Step step) { return trace.step < step; });
    const auto ports = static_cast<std::size_t>(mesh_.ports());
    std::vector<std::optional<Turn>> first(static_cast<std::size_t>(mesh_.nodes()) * ports);  ///< [link]
    for (Step step = begin; step < end; ++step) {
      std::map<PacketId, Turn> turns;
      std::vector<std::size_t> wanted;
      left.erase(std::remove_if(left.begin(), left.end(),
                                [&](const Visitor& visitor) {
                                  return visitor.is_critical() ||
                                         record_.delivered[static_cast<std::size_t>(visitor.packet)] <= step;
                                }),
                 left.end());
      for (const Visitor& visitor : left) {
        const auto p = static_cast<std::size_t>(visitor.packet);
        if (at[p] == block_end[p]) block_end[p] = no_node;
        const std::optional<Wish> wished =
            wish(level, visitor, within(visitor, at[p]), step - level.start, block_end[p] == no_node);
        if (!wished) continue;
        turns.emplace_hint(turns.end(), visitor.packet, wished->turn);
        wanted.push_back(static_cast<std::size_t>(at[p]) * ports + static_cast<std::size_t>(wished->port));
        std::optional<Turn>& best = first[wanted.back()];
        if (!best || wished->turn < *best) best = wished->turn;
      }
      for (; row != rows_.end() && row->step == step; ++row) {
        if (row->event != TraceEvent::hop) continue;
        std::optional<Turn>& best =
            first[static_cast<std::size_t>(row->node) * ports + static_cast<std::size_t>(row->port)];
        const auto turn = turns.find(row->packet);
        ASSERT_TRUE(turn == turns.end() || turn->second == best) << "packet " << row->packet << ", step " << step;
        best.reset();
        at[static_cast<std::size_t>(row->packet)] = row->to;
      }
      for (const std::size_t link : wanted)
        ASSERT_FALSE(first[link]) << "a free link of packet " << std::get<2>(*first[link]) << ", step " << step;
    }
  }

  /// Critical packets of the mesh arrive in step 2n - 2, special ones once they may leave their temporary rows.
  void expect_arrivals_by_the_clock(const std::vector<Visitor>& visitors) const {
    const std::int32_t m = level().m;
    for (const Visitor& visitor : visitors) {
      const Step delivered = record_.delivered[static_cast<std::size_t>(visitor.packet)];
      ASSERT_TRUE(!visitor.is_critical() || delivered == 16 * m - 2) << "packet " << visitor.packet;
      ASSERT_TRUE(!visitor.is_special(m) || delivered > 14 * m - 2) << "packet " << visitor.packet;
    }
  }
  /// While subsquares are sorted, keys and ordinary packets use one axis, critical packets the other.
  void expect_axes(const Level& level, const std::vector<const Visitor*>& of_packet) const {
    each_hop(level, of_packet, 0, level.m, [&](const TraceRow& row, Step tau, const Visitor& visitor) {
      ASSERT_TRUE(visitor.is_critical() || tau < level.sort.steps()) << "step " << tau;
      const int axis = tau < level.sort.steps() ? level.sort.phase(tau).axis : 1;
      ASSERT_EQ(mesh_.axis_of(row.port), visitor.is_critical() ? 1 - axis : axis) << "step " << tau;
    });
    for (const TraceRow& row : rows_) {
      const Step tau = row.step - level.start;
      if (row.event != TraceEvent::key || tau < 0 || tau >= level.m) continue;
      ASSERT_LT(tau, level.sort.steps());
      ASSERT_EQ(mesh_.axis_of(row.port), level.sort.phase(tau).axis) << "step " << tau;
    }
  }
  /// Keys cross links if there is anything to sort; then ordinary packets are in column-major order in each
  /// subsquare.
  void expect_sorted(const Level& level, const std::vector<Visitor>& visitors) const {
    constexpr std::int32_t none = std::numeric_limits<std::int32_t>::max();
    const std::vector<NodeId> at = places_at(level.start + level.sort.steps());
    std::vector<std::int32_t> columns(static_cast<std::size_t>(mesh_.nodes()), none);  ///< [node] of the destination
    bool ordinary = false;
    for (const Visitor& visitor : visitors) {
      if (visitor.is_critical()) continue;
      columns[static_cast<std::size_t>(at[static_cast<std::size_t>(visitor.packet)])] = visitor.to.column;
      ordinary = true;
    }
    const bool keys = std::any_of(rows_.begin(), rows_.end(), [&](const TraceRow& row) {
      return row.event == TraceEvent::key && row.step >= level.start && row.step < level.start + level.m;
    });
    EXPECT_EQ(keys, ordinary && level.s > 1);
    const std::int32_t n = mesh_.side(0), s = level.s;
    for (std::int32_t top = 0; top < n; top += s)
      for (std::int32_t left = 0; left < n; left += s) {
        std::int32_t before = 0;
        for (std::int32_t p = 0; p < s * s; ++p) {
          const std::int32_t column = columns[static_cast<std::size_t>((top + p % s) * n + left + p / s)];
          ASSERT_LE(before, column) << "subsquare at row " << top << ", column " << left;
          before = column;
        }
      }
  }
  /// Rows end by 9m - 1 for type II and by 8 2/3 m for type I.
  void expect_rows_in_time(const Level& level, const std::vector<const Visitor*>& of_packet) const {
    const std::int32_t m = level.m;
    each_hop(level, of_packet, m, 2 * level.side - 2, [&](const TraceRow& row, Step tau, const Visitor& visitor) {
      if (visitor.is_critical() || mesh_.axis_of(row.port) == 0) return;
      ASSERT_LT(tau, visitor.packet_class == PacketClass::type_two ? 9 * m - 1 : (26 * m + 2) / 3)
          << "packet " << row.packet;
    });
  }
  /// Others leave the regions of the next level before it begins in step 11m, and do not enter them before 14m - 2,
  /// when critical packets have left them and special ones go home.
  void expect_evacuated(const Level& level, const std::vector<const Visitor*>& of_packet) const {
    const std::int32_t m = level.m;
    const auto in_region = [&](NodeId node, const Visitor& visitor) {
      const std::int32_t R = (place(node).row - visitor.corner.row) / m;
      const std::int32_t C = (place(node).column - visitor.corner.column) / m;
      return (R == 0 || R == 7) && (C == 3 || C == 4);
    };
    const std::vector<NodeId> places = places_at(level.start + 11 * m);
    for (const Visitor* visitor : of_packet) {
      if (visitor == nullptr || visitor->is_critical()) continue;
      const auto p = static_cast<std::size_t>(visitor->packet);
      ASSERT_FALSE(record_.delivered[p] > level.start + 11 * m && in_region(places[p], *visitor)) << "packet " << p;
    }
    each_hop(level, of_packet, 11 * m, 14 * m - 2, [&](const TraceRow& row, Step tau, const Visitor& visitor) {
      ASSERT_FALSE(!visitor.is_critical() && in_region(row.to, visitor)) << "packet " << row.packet << ", step " << tau;
    });
  }
  /// Critical packets are in the regions of the next level from step 11m to 13m - 2, each at its position when it
  /// begins and when it ends. Returns their visits there.
  std::vector<Visitor> expect_critical_in_place(const Level& level, const Level& next,
                                                const std::vector<Visitor>& visitors) const {
    const std::int32_t m = level.m;
    EXPECT_EQ(next.start, level.start + 11 * m);
    const std::vector<NodeId> down = places_at(level.start + 11 * m), up = places_at(level.start + 13 * m - 2);
    std::vector<Visitor> inner;
    for (const Visitor& outer : visitors) {
      if (!outer.is_critical()) continue;
      const Local corner{outer.corner.row + (outer.from.row < m ? 7 * m : 0),
                         outer.corner.column + (outer.from.column < m ? 4 * m : 3 * m)};
      inner.push_back(visitor(next, outer.packet, corner, {outer.from.row % m, outer.from.column % m},
                              {outer.to.row % m, outer.to.column % m}));
      const auto p = static_cast<std::size_t>(outer.packet);
      EXPECT_EQ(down[p], node(corner, inner.back().from)) << "packet " << p;
      EXPECT_EQ(up[p], node(corner, inner.back().to)) << "packet " << p;
    }
    return inner;
  }

  const Grid& mesh_;
  std::vector<Level> levels_;
  std::vector<TraceRow> rows_;
  RunRecord record_;
  bool frozen_;
};

}  // namespace starloom::links
