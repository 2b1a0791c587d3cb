// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The paths of worms inside a supernode: storage rings with their folds, buffers, paths in and out (Roberts
/// and Symvonis 1994, section 3.2; gaps in the paper: docs/algorithms/supernode-hot-potato.md).
#include <array>
#include <cstdint>
#include <vector>

#include <starloom/algorithms/supernode_hot_potato/supernode_size.hpp>
#include <starloom/core/ids.hpp>

namespace starloom::links {

/// A node within its supernode: row * S + column.
using Cell = std::int32_t;

/// Ports of a mesh of rows and columns.
namespace compass {
inline constexpr Port north = 0, east = 1, south = 2, west = 3;
}
/// The opposite direction; also the same port after half a turn of the supernode.
inline constexpr Port opposite(Port port) { return port ^ 2; }

/// The storage rings: the right one is the left one after half a turn.
enum Ring : std::int32_t { left_ring, right_ring };

/// The roles of cells.
enum class SupernodeRole : std::uint8_t {
  storage,  ///< forwards worms by a fixed table, on the ring of its half
  buffer,   ///< forwards worms by a fixed table, on the cycle of its buffer
  lane,     ///< forwards worms straight on by a fixed table; where the horizontal lane crosses a ring, on both
  gate,     ///< on the vertical lane, where the rings leave it
  command,  ///< command processor: records stored worms, takes some out of their ring, admits others
  centre,   ///< the crossing of the lanes: exchanges worms of the rings, turns worms back
  beside,   ///< beside the centre on the horizontal lane
  head      ///< the first cell of a buffer: decides when its worm leaves
};

/// A buffer: a cycle of k cells in an inner corner of a quadrant.
struct SupernodeBuffer {
  std::vector<Cell> cells;      ///< in the order of a passing worm, its head processor first
  Port to_command = no_port;    ///< ports of the head processor: to the command processor,
  Port to_beside = no_port;     ///< to the cell beside the centre,
  Port to_neighbour = no_port;  ///< and to the neighbouring supernode, where its worm leaves
};

/// The path between a cell and a storage ring.
struct RingAccess {
  Ring ring = left_ring;
  std::int32_t position = 0;  ///< of the ring where the path ends: its first visit there
  std::int32_t length = 0;    ///< links; 0: the cell is on the ring
  Port towards = no_port;     ///< first port of the path to the ring; no_port if it is there
};

/// Tables of one supernode. All positions of a ring count steps from its first cell on.
class SupernodeGeometry {
 public:
  /// `delay`: steps that folds add to a ring, even; values other than size.delay() are for tests.
  /// \throws InputError if a ring has no room for its folds
  /// \throws std::logic_error if a table contradicts itself: two uses of one link, a ring that is not closed
  SupernodeGeometry(const SupernodeSize& size, std::int32_t delay);
  explicit SupernodeGeometry(const SupernodeSize& size) : SupernodeGeometry(size, size.delay()) {}

  const SupernodeSize& size() const { return size_; }
  Cell cell(std::int32_t row, std::int32_t column) const { return row * size_.side() + column; }
  std::int32_t row(Cell cell) const { return cell / size_.side(); }
  std::int32_t column(Cell cell) const { return cell % size_.side(); }
  Cell centre() const { return cell(size_.h(), size_.h()); }
  /// The cell after half a turn of the supernode.
  Cell turned(Cell cell) const { return size_.cells() - 1 - cell; }
  /// The port that leads from a cell to one beside it.
  Port port_between(Cell from, Cell to) const;
  Cell neighbour(Cell cell, Port port) const;

  /// Steps of one rotation, C.
  std::int32_t rotation() const { return static_cast<std::int32_t>(rings_[left_ring].size()); }
  /// The closed walk of a ring; a cell that occurs twice in it is a fold or the end of one.
  const std::vector<Cell>& ring(Ring ring) const { return rings_[ring]; }
  /// Steps of a ring without folds.
  std::int32_t base_cycle() const { return base_cycle_; }
  Port ring_out(Ring ring, std::int32_t position) const;
  Port ring_in(Ring ring, std::int32_t position) const;
  /// The position of the head of a slot when worms begin that are in the rings from the start: `head_start()` steps
  /// before slot 0 is at position 0, the least number for which no two of them begin in one node.
  std::int32_t slot_position(std::int32_t slot) const {
    return (2 * rotation() - slot * size_.k - head_start_) % rotation();
  }
  std::int32_t head_start() const { return head_start_; }

  /// The slot (of the left ring, then of the right one) that begins in this cell, or -1.
  std::int32_t starting_slot(Cell cell) const { return starting_slot_[static_cast<std::size_t>(cell)]; }
  /// That cell.
  Cell start_of_slot(std::int32_t place) const {
    const Ring ring = place < size_.slots() ? left_ring : right_ring;
    return rings_[ring][static_cast<std::size_t>(slot_position(place % size_.slots()))];
  }

  /// The buffer whose worms leave through this port of the supernode: N top right, E bottom right, S bottom left, W
  /// top left.
  const SupernodeBuffer& buffer(Port sends) const { return buffers_[static_cast<std::size_t>(sends)]; }
  /// The buffer of this cell, or no_port.
  Port buffer_of(Cell cell) const { return buffer_of_[static_cast<std::size_t>(cell)]; }

  SupernodeRole role(Cell cell) const { return role_[static_cast<std::size_t>(cell)]; }
  /// The out-port of a fixed table for arrivals at `in`; no_port if there is none.
  Port next(Cell cell, Port in) const { return next_[link(cell, in)]; }
  /// The ring and the position of a worm that arrives at `in`; position -1 if it is on no ring then.
  struct RingPosition {
    Ring ring = left_ring;
    std::int32_t position = -1;
  };
  RingPosition ring_position(Cell cell, Port in) const { return ring_position_[link(cell, in)]; }

  const RingAccess& access(Cell cell) const { return access_[static_cast<std::size_t>(cell)]; }
  /// Lambda: steps before a ring begins to turn in a round, so that every new worm reaches it in time.
  std::int32_t lead() const { return lead_; }
  /// The longest path between a cell and a ring, in links.
  std::int32_t longest_access() const { return longest_access_; }

 private:
  std::size_t link(Cell cell, Port port) const {
    return static_cast<std::size_t>(cell) * 4 + static_cast<std::size_t>(port);
  }
  void place_buffers();
  std::vector<Cell> left_base_cycle() const;
  bool is_storage(Cell cell) const;
  std::vector<Cell> folded(const std::vector<Cell>& base, std::int32_t delay) const;
  void find_roles();
  void fill_tables();
  void pass_on(Cell cell, Port in, Port out);
  void find_accesses();
  bool slots_begin_apart() const;
  void find_starts();
  void check() const;

  SupernodeSize size_;
  std::int32_t base_cycle_ = 0;
  std::array<std::vector<Cell>, 2> rings_;
  std::array<SupernodeBuffer, 4> buffers_;
  std::vector<Port> buffer_of_;              ///< [cell]
  std::vector<SupernodeRole> role_;          ///< [cell]
  std::vector<Port> next_;                   ///< [cell, in-port]
  std::vector<RingPosition> ring_position_;  ///< [cell, in-port]
  std::vector<std::int32_t> starting_slot_;  ///< [cell]
  std::vector<RingAccess> access_;           ///< [cell]
  std::int32_t head_start_ = 0;
  std::int32_t lead_ = 0;
  std::int32_t longest_access_ = 0;
};

}  // namespace starloom::links
