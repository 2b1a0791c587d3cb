// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A(N): the packet routing algorithm that supernodes simulate, one step per superstep. Worms are its packets.
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <starloom/core/ids.hpp>

namespace starloom::links {

/// Row and column of a supernode, 0 .. N-1.
struct SupernodePosition {
  std::int32_t row = 0;
  std::int32_t column = 0;
};

/// The notes of the command processors of a supernode in a superstep: [slot] the destination (supernode) of the worm
/// stored there, row * N + column, or `no_supernode`. Slots are those of the left ring, then those of the right one.
using SupernodeNotes = std::vector<std::int32_t>;
inline constexpr std::int32_t no_supernode = -1;

/// The worms that leave: [port] the slot, or `no_worm`.
using SupernodePicks = std::array<std::int32_t, 4>;
inline constexpr std::int32_t no_worm = -1;

/// The routing algorithm. A supernode decides from its own position and worms, and the number of the superstep.
class SupernodeRouter {
 public:
  virtual ~SupernodeRouter() = default;

  /// Supersteps after which every worm is at its supernode, for every pattern.
  virtual std::int32_t supersteps() const = 0;
  /// The greatest number of worms that a supernode keeps after sending in a superstep, including those that have
  /// arrived.
  virtual std::int32_t kept() const = 0;
  /// Before this superstep worms at their supernode must not be consumed, because they take part in a sort.
  virtual std::int32_t first_consuming() const { return 0; }
  /// The worms that leave through each port of the supernode.
  virtual SupernodePicks pick(SupernodePosition here, std::int32_t superstep, const SupernodeNotes& notes) const = 0;
};

/// The traffic for which a router is made.
struct SupernodeTraffic {
  std::int32_t side = 1;  ///< N
  std::int32_t most_to_one =
      1;  ///< greatest number of worms of a round for one supernode; each supernode sends one or none
  bool consumed_at_once = false;  ///< worms at their supernode are consumed after the superstep
};

/// Row first, then column; of several worms for one port the one with the longest path along it. No worm waits in its
/// row, because there is at most one per port. A column of N supernodes takes in at most N worms of a row.
std::unique_ptr<SupernodeRouter> row_first_router(const SupernodeTraffic& traffic);

/// With queues that do not grow with N: worms are sorted by the column of their supernode into column-major order
/// (shearsort; a comparison takes two supersteps, in which one worm is sent and one returns), so that no row has more
/// worms for one supernode than it takes in. Then all rows, then all columns.
std::unique_ptr<SupernodeRouter> sorted_router(const SupernodeTraffic& traffic);

}  // namespace starloom::links
