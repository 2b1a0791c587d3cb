// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The order in which a planner serves the packets (Symvonis and Tidswell, TR 477, section 4.1). Results depend
/// on the order and on the tie break, so both have names.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <starloom/control/links/plan.hpp>
#include <starloom/core/packet.hpp>
#include <starloom/topology/grid/grid.hpp>

namespace starloom::links {

/// By the position of the source (the first four), at random, or by the distance d = h + v to travel.
enum class PacketOrder {
  row_major,            ///< RM
  column_major,         ///< CM
  snake_row,            ///< SRM: row-major, odd rows from right to left
  snake_column,         ///< SCM: column-major, odd columns from bottom to top
  random,               ///< RND
  longest_total,        ///< LTD: longest d first
  longest_horizontal,   ///< LLH: longest h first
  longest_vertical,     ///< LLV: longest v first
  shortest_total,       ///< STD: shortest d first
  shortest_horizontal,  ///< SLH: shortest h first
  shortest_vertical,    ///< SLV: shortest v first
};

/// Between packets that are equal in the order: by the position of the source, or at random. Between packets of one
/// source: lower packet number.
enum class TieBreak { row_major, column_major, snake_row, snake_column, reverse_row, random };

/// The paper's abbreviations and the names of the tie breaks, in the order of the enumerators.
const std::vector<std::string>& packet_order_names();
const std::vector<std::string>& tie_break_names();
/// \throws InputError for an unknown name, with the nearest known one.
PacketOrder packet_order_named(const std::string& name);
TieBreak tie_break_named(const std::string& name);

/// True for orders by one of the two distances: LLH, LLV, SLH, SLV. They also have a lexicographic reading.
bool by_one_distance(PacketOrder order);

struct Ordering {
  PacketOrder order = PacketOrder::longest_total;
  TieBreak tie = TieBreak::row_major;
  /// LLH, LLV, SLH and SLV on the pair (h, v) or (v, h), as Roberts and Symvonis (TR 490) read them, not on one
  /// distance alone.
  bool lexicographic = false;
  std::optional<std::uint64_t> seed{};  ///< of a random order or tie-break
};

/// \throws InputError if the grid does not have this order, or the order does not have a lexicographic reading.
void check_ordering(const Grid& grid, const Ordering& ordering);

/// Sorts packets by counting, in time linear in packets and nodes. Keeps its memory from call to call.
class PacketSorter {
 public:
  /// Column-major, snakes and orders by one distance need rows and columns; row-major is the order of the node numbers
  /// on every grid.
  /// \throws InputError if the grid has no rows and columns but the ordering needs them, if a random one has no seed,
  /// or if `lexicographic` is set for an order without a pair.
  PacketSorter(const Grid& grid, const Ordering& ordering);

  /// Packet numbers in the order of service. Valid until the next call.
  const std::vector<PacketId>& sorted(const std::vector<Packet>& packets);

 private:
  void shuffle();
  /// Stable, by keys_[packet] in [0, bound).
  void sort_by_keys(std::int32_t bound);

  Grid grid_;
  Ordering ordering_;
  std::vector<std::int32_t> tie_ranks_;       ///< by node; empty for random ties
  std::vector<std::int32_t> position_ranks_;  ///< by node, for orders by position
  std::vector<std::int32_t> rows_;            ///< by node, for orders by distance on a mesh of rows and columns
  std::vector<std::int32_t> columns_;
  std::vector<std::int32_t> keys_;   ///< by packet
  std::vector<std::int32_t> first_;  ///< by key: index of its first packet
  std::vector<PacketId> order_;
  std::vector<PacketId> target_;
};

}  // namespace starloom::links
