// SPDX-License-Identifier: Apache-2.0
#include <starloom/planning/links/multistage/packet_order.hpp>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <utility>

#include <starloom/core/random.hpp>
#include <starloom/schema/config_error.hpp>
#include <starloom/support/error.hpp>
#include <starloom/support/escape.hpp>
#include <starloom/support/names.hpp>

namespace starloom::links {
namespace {

std::size_t named(const std::string& name, const std::vector<std::string>& names, const std::string& what) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  throw InputError("'" + escape(name) + "' is not a " + what + did_you_mean(name, names) + "; known: " + joined(names));
}

bool by_position(PacketOrder order) { return order <= PacketOrder::snake_column; }

TieBreak as_tie(PacketOrder order) { return static_cast<TieBreak>(order); }

/// The rank of every node in an order by position.
std::vector<std::int32_t> ranks(const Grid& grid, TieBreak order) {
  std::vector<std::int32_t> rank(static_cast<std::size_t>(grid.nodes()));
  std::iota(rank.begin(), rank.end(), 0);
  if (order == TieBreak::row_major) return rank;
  if (order == TieBreak::reverse_row) {
    std::reverse(rank.begin(), rank.end());
    return rank;
  }
  const std::int32_t rows = grid.side(0);
  const std::int32_t columns = grid.side(1);
  for (NodeId node = 0; node < grid.nodes(); ++node) {
    const std::int32_t row = grid.coordinate(node, 0);
    const std::int32_t column = grid.coordinate(node, 1);
    auto& own = rank[static_cast<std::size_t>(node)];
    if (order == TieBreak::column_major) own = column * rows + row;
    else if (order == TieBreak::snake_row) own = row * columns + (row % 2 == 0 ? column : columns - 1 - column);
    else own = column * rows + (column % 2 == 0 ? row : rows - 1 - row);
  }
  return rank;
}

bool needs_rows_and_columns(const Ordering& ordering) {
  if (by_one_distance(ordering.order) || (by_position(ordering.order) && ordering.order != PacketOrder::row_major))
    return true;
  return ordering.tie == TieBreak::column_major || ordering.tie == TieBreak::snake_row ||
         ordering.tie == TieBreak::snake_column;
}

}  // namespace

const std::vector<std::string>& packet_order_names() {
  static const std::vector<std::string> names = {"RM",  "CM",  "SRM", "SCM", "RND", "LTD",
                                                 "LLH", "LLV", "STD", "SLH", "SLV"};
  return names;
}

const std::vector<std::string>& tie_break_names() {
  static const std::vector<std::string> names = {"row-major",    "column-major", "snake-row",
                                                 "snake-column", "reverse-row",  "random"};
  return names;
}

bool by_one_distance(PacketOrder order) {
  return order == PacketOrder::longest_horizontal || order == PacketOrder::longest_vertical ||
         order == PacketOrder::shortest_horizontal || order == PacketOrder::shortest_vertical;
}

PacketOrder packet_order_named(const std::string& name) {
  // RND is between the orders by position and those by distance in the enumeration.
  return static_cast<PacketOrder>(named(name, packet_order_names(), "packet order"));
}

TieBreak tie_break_named(const std::string& name) {
  return static_cast<TieBreak>(named(name, tie_break_names(), "tie-break"));
}

void check_ordering(const Grid& grid, const Ordering& ordering) {
  const std::string name = packet_order_names()[static_cast<std::size_t>(ordering.order)];
  if (needs_rows_and_columns(ordering) && !grid.has_rows_and_columns())
    throw ConfigError(
        "order", name + " with ties " + tie_break_names()[static_cast<std::size_t>(ordering.tie)] +
                     " needs a two-dimensional mesh; use RM, RND, LTD or STD with row-major, reverse-row or random");
  if (ordering.lexicographic && !by_one_distance(ordering.order))
    throw ConfigError("lexicographic",
                      "order " + name + " has no lexicographic variant; LLH, LLV, SLH and SLV have one");
}

PacketSorter::PacketSorter(const Grid& grid, const Ordering& ordering) : grid_(grid), ordering_(ordering) {
  check_ordering(grid, ordering);
  if ((ordering.order == PacketOrder::random || ordering.tie == TieBreak::random) && !ordering.seed)
    throw InputError("a random packet order or tie-break needs a seed");

  if (ordering.tie != TieBreak::random) tie_ranks_ = ranks(grid, ordering.tie);
  if (by_position(ordering.order)) position_ranks_ = ranks(grid, as_tie(ordering.order));
  if (grid.has_rows_and_columns()) {
    for (NodeId node = 0; node < grid.nodes(); ++node) {
      rows_.push_back(grid.coordinate(node, 0));
      columns_.push_back(grid.coordinate(node, 1));
    }
  }
}

const std::vector<PacketId>& PacketSorter::sorted(const std::vector<Packet>& packets) {
  const std::size_t count = packets.size();
  keys_.resize(count);
  order_.resize(count);
  std::iota(order_.begin(), order_.end(), 0);
  const auto keyed = [&](std::int32_t bound, const auto& key) {
    for (std::size_t p = 0; p < count; ++p) keys_[p] = key(packets[p].source, packets[p].destination);
    sort_by_keys(bound);
  };

  // Equal keys keep the order of the previous sort: first the tie break, then the order itself.
  if (ordering_.order == PacketOrder::random || ordering_.tie == TieBreak::random) shuffle();
  else keyed(grid_.nodes(), [this](NodeId from, NodeId) { return tie_ranks_[static_cast<std::size_t>(from)]; });
  if (ordering_.order == PacketOrder::random) return order_;

  if (by_position(ordering_.order)) {
    keyed(grid_.nodes(), [this](NodeId from, NodeId) { return position_ranks_[static_cast<std::size_t>(from)]; });
    return order_;
  }
  const bool shortest = ordering_.order == PacketOrder::shortest_total;
  if (rows_.empty()) {
    const std::int32_t most = grid_.diameter();
    keyed(most + 1, [&](NodeId from, NodeId to) {
      const std::int32_t d = grid_.distance(from, to);
      return shortest ? d : most - d;
    });
    return order_;
  }
  const std::int32_t most_h = grid_.side(1) - 1;
  const std::int32_t most_v = grid_.side(0) - 1;
  const auto h = [this](NodeId from, NodeId to) {
    return std::abs(columns_[static_cast<std::size_t>(to)] - columns_[static_cast<std::size_t>(from)]);
  };
  const auto v = [this](NodeId from, NodeId to) {
    return std::abs(rows_[static_cast<std::size_t>(to)] - rows_[static_cast<std::size_t>(from)]);
  };
  const auto shorter_h = [&](NodeId from, NodeId to) { return most_h - h(from, to); };
  const auto shorter_v = [&](NodeId from, NodeId to) { return most_v - v(from, to); };
  switch (ordering_.order) {
    case PacketOrder::longest_horizontal:
      if (ordering_.lexicographic) keyed(most_v + 1, shorter_v);
      keyed(most_h + 1, shorter_h);
      break;
    case PacketOrder::longest_vertical:
      if (ordering_.lexicographic) keyed(most_h + 1, shorter_h);
      keyed(most_v + 1, shorter_v);
      break;
    case PacketOrder::shortest_horizontal:
      if (ordering_.lexicographic) keyed(most_v + 1, v);
      keyed(most_h + 1, h);
      break;
    case PacketOrder::shortest_vertical:
      if (ordering_.lexicographic) keyed(most_h + 1, h);
      keyed(most_v + 1, v);
      break;
    case PacketOrder::shortest_total:
      keyed(most_h + most_v + 1, [&](NodeId from, NodeId to) { return h(from, to) + v(from, to); });
      break;
    default:
      keyed(most_h + most_v + 1, [&](NodeId from, NodeId to) { return shorter_h(from, to) + shorter_v(from, to); });
      break;
  }
  return order_;
}

void PacketSorter::shuffle() {
  for (std::size_t j = order_.size(); j-- > 1;) {
    RandomStream random(*ordering_.seed, Purpose::algorithm, static_cast<NodeId>(j), 0);
    std::swap(order_[j], order_[random.bounded(static_cast<std::uint32_t>(j) + 1)]);
  }
}

void PacketSorter::sort_by_keys(std::int32_t bound) {
  const auto key = [this](PacketId packet) { return keys_[static_cast<std::size_t>(packet)]; };
  // Packets are often sorted by source: then row-major ties need no sort.
  if (std::is_sorted(order_.begin(), order_.end(), [&](PacketId a, PacketId b) { return key(a) < key(b); })) return;
  first_.assign(static_cast<std::size_t>(bound) + 1, 0);
  for (const std::int32_t k : keys_) ++first_[static_cast<std::size_t>(k) + 1];
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  target_.resize(order_.size());
  for (const PacketId packet : order_)
    target_[static_cast<std::size_t>(first_[static_cast<std::size_t>(key(packet))]++)] = packet;
  order_.swap(target_);
}

}  // namespace starloom::links
