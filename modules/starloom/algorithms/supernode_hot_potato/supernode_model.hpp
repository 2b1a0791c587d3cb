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

  /// Puts worm `worm` (>= 0) for a supernode into a free place.
  void store(std::int32_t supernode, std::int32_t place, std::int32_t worm, std::int32_t destination);
  /// One superstep, with all exchanges.
  void run_superstep();
  /// Supersteps until all worms are at their supernodes, and one in which they stay there.
  /// `consumed_at_once`: worms at their supernode are taken away after each.
  void run_until_home(bool consumed_at_once = false);

  /// Takes away the worms that are at their supernode.
  void consume();

  bool all_home() const;
  /// The supernodes to which the worms of one go, by place.
  std::vector<std::int32_t> destinations(std::int32_t supernode) const;
  /// Worms that are stored, and those that have been taken away.
  std::int32_t worms() const;
  std::int32_t consumed() const { return consumed_; }
  std::int32_t supersteps() const { return supersteps_; }
  /// The most worms that a supernode has kept after sending, and the lowest such supernode in the first superstep of
  /// those.
  std::int32_t most_kept() const { return most_kept_; }
  std::int32_t fullest() const { return fullest_; }
  std::int64_t swaps() const { return swaps_; }
  /// A worm that the fullest supernode kept then, the highest number of them.
  std::int32_t kept_worm() const { return kept_worm_; }

 private:
  struct Supernode {
    SupernodeNotes notes;             ///< [place]
    std::vector<std::int32_t> worms;  ///< [place], nobody where none is
    SuperstepDecision decision;
  };

  SupernodePlace place_of(std::int32_t supernode) const { return {supernode / side_, supernode % side_}; }

  const SupernodeRouter& router_;
  std::int32_t side_, slots_;
  std::vector<Supernode> supernodes_;
  std::int32_t supersteps_ = 0, most_kept_ = 0, fullest_ = 0, kept_worm_ = nobody, consumed_ = 0;
  std::int64_t swaps_ = 0;
};

}  // namespace starloom::links
