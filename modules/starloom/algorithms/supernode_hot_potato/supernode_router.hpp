// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A(N): the packet routing algorithm that supernodes simulate, one step of it in a superstep. Worms are its
/// packets.
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <starloom/core/ids.hpp>

namespace starloom::links {

/// Row and column of a supernode, 0 .. N-1.
struct SupernodePlace {
  std::int32_t row = 0;
  std::int32_t column = 0;
};

/// What the command processors of a supernode have noted in a superstep: [place] the supernode to which the worm stored
/// there goes, row * N + column, or `no_supernode`. Places are the slots of the left ring, then those of the right one.
using SupernodeNotes = std::vector<std::int32_t>;
inline constexpr std::int32_t no_supernode = -1;

/// The worms that leave: [port] its place, or `nobody`.
using SupernodePicks = std::array<std::int32_t, 4>;
inline constexpr std::int32_t nobody = -1;

/// The routing algorithm. A supernode decides alone: by its own place and worms, and by the number of the superstep.
class SupernodeRouter {
 public:
  virtual ~SupernodeRouter() = default;

  /// Supersteps after which every worm is at its supernode, whatever the pattern.
  virtual std::int32_t supersteps() const = 0;
  /// Worms that a supernode keeps at most when it has sent in a superstep, those that have arrived included.
  virtual std::int32_t kept() const = 0;
  /// Before this superstep worms at their supernode must not be consumed: they take part in something.
  virtual std::int32_t first_consuming() const { return 0; }
  /// Who leaves through which port of the supernode.
  virtual SupernodePicks pick(SupernodePlace here, std::int32_t superstep, const SupernodeNotes& notes) const = 0;
};

/// What a router can count on.
struct SupernodeTraffic {
  std::int32_t side = 1;  ///< N
  std::int32_t most_to_one =
      1;  ///< worms of a round that go to one supernode, at most; each supernode sends one or none
  bool consumed_at_once = false;  ///< worms at their supernode are gone after the superstep
};

/// Row first, then column; of several worms for one port the one with the longest way along it. No worm waits in its
/// row: there is at most one a port. A column of N supernodes takes in at most N worms of a row.
std::unique_ptr<SupernodeRouter> row_first_router(const SupernodeTraffic& traffic);

/// With queues that do not grow with N: worms are sorted by the column of their supernode into column-major order
/// (shearsort; a comparison takes two supersteps: one worm goes over, one comes back), so that no row has more worms
/// for one supernode than it takes in. Then all rows, then all columns.
std::unique_ptr<SupernodeRouter> sorted_router(const SupernodeTraffic& traffic);

}  // namespace starloom::links
