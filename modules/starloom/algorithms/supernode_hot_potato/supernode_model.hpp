// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Supernodes as arrays: the packet routing algorithm with slots and rings, without nodes and flits.
#include <cstdint>
#include <vector>

#include <starloom/algorithms/supernode_hot_potato/superstep_decision.hpp>

namespace starloom::links {

/// The worms of one round between supersteps. All decisions are those of command processors.
class SupernodeModel {
 public:
  /// `side`: N; `slots`: of one ring.
  SupernodeModel(const SupernodeRouter& router, std::int32_t side, std::int32_t slots);

  /// Puts worm `worm` (>= 0) for a supernode into a free slot.
  void store(std::int32_t supernode, std::int32_t index, std::int32_t worm, std::int32_t destination);
  /// One superstep, with all exchanges.
  void run_superstep();
  /// Runs supersteps until all worms are at their supernodes, and one in which they stay there. `consumed_at_once`:
  /// worms at their supernode are removed after each.
  void run_until_home(bool consumed_at_once = false);

  /// Removes the worms that are at their supernode.
  void consume();

  bool all_home() const;
  /// The destinations (supernodes) of the worms of a supernode, by slot.
  std::vector<std::int32_t> destinations(std::int32_t supernode) const;
  /// Worms that are stored, and those removed so far.
  std::int32_t worms() const;
  std::int32_t consumed() const { return consumed_; }
  std::int32_t supersteps() const { return supersteps_; }
  /// The greatest number of worms that a supernode has kept after sending, and the lowest such supernode in the first
  /// such superstep.
  std::int32_t most_kept() const { return most_kept_; }
  std::int32_t fullest() const { return fullest_; }
  std::int64_t swaps() const { return swaps_; }
  /// The worm with the highest number that the fullest supernode kept then.
  std::int32_t kept_worm() const { return kept_worm_; }

 private:
  struct Supernode {
    SupernodeNotes notes;             ///< [slot]
    std::vector<std::int32_t> worms;  ///< [slot], `no_worm` if there is none
    SuperstepDecision decision;
  };

  SupernodePosition position_of(std::int32_t supernode) const { return {supernode / side_, supernode % side_}; }

  const SupernodeRouter& router_;
  std::int32_t side_, slots_;
  std::vector<Supernode> supernodes_;
  std::int32_t supersteps_ = 0, most_kept_ = 0, fullest_ = 0, kept_worm_ = no_worm, consumed_ = 0;
  std::int64_t swaps_ = 0;
};

}  // namespace starloom::links
