// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The credits of routers in which flits vanish: which of them belong to flits that move on, and which to flits
/// that have vanished.
#include <cstddef>
#include <map>
#include <vector>

#include <starloom/core/most_steps.hpp>
#include <starloom/referee/links/check_context.hpp>
#include <starloom/referee/links/side_wires.hpp>
#include <starloom/topology/fault_timeline.hpp>

namespace starloom::links {

/// A flit that moves on shows by its row when it left its buffer, and takes the credit word of the step after that.
/// When all such rows are known, the other words are those of flits that vanished in a step s:
/// - of a flit that had left its buffer before s, the word of the step after that; and if it was on its way to a link
///   that is alive, a word in s + 1 from behind that link. Which link is not known of all flits;
/// - of another flit in a buffer or on its way to it, a word in s + 1 from there.
/// Each word has such a flit. Each such flit has its words if no others vanish a few steps before or after it; else the
/// words of one may be those of another, and a missing one is not found.
class PurgeAudit {
 public:
  /// \param context outlives it; its rules have fault events.
  explicit PurgeAudit(const CheckContext& context);

  /// Hardware dies or is repaired, before the words and rows of the step.
  void change(const FaultEvent& event) { wires_.change(event); }
  bool was_repaired(std::size_t location, Step left, Step row) const {
    return wires_.was_repaired(location, left, row);
  }

  /// A word is on a side wire.
  void word(Step step, std::size_t buffer);
  /// A flit has left a buffer in step `left`, and moves on. \return false if no credit was returned for it.
  bool take(std::size_t buffer, Step left);
  /// \return true if the flit may have left its buffer before a repair.
  bool vanish(const TraceRow& row, std::size_t buffer);
  /// True if a flit in the buffer may have left it, and its row is still to come.
  bool may_have_left(std::size_t buffer, Step step) const;

  /// A buffer in which flits have taken more places than their rows show, or fewer.
  struct Places {
    std::size_t buffer;
    std::int64_t more;
    Step returned;  ///< their words
  };
  /// Finds the words of flits that vanished long enough before step `now`, whose rows have not been seen.
  std::vector<Places> settle(Step now);

 private:
  static constexpr Step credit_word = SideWires::credit_word;
  /// The flits that vanish from a buffer in a step.
  struct Vanished {
    std::int64_t flits = 0;
    std::int64_t consumed_here = 0;  ///< at most: its node is their destination
  };
  struct Purge {
    std::map<std::size_t, Vanished> buffers{};  ///< by buffer
    bool settled = false;
    bool is_isolated = false;  ///< when it was settled: all of its words are known
  };

  std::size_t location_of(std::size_t buffer) const { return wires_.location_of(buffer); }
  NodeId node_of(std::size_t buffer) const { return wires_.node_of(buffer); }
  bool is_isolated(Step purged) const;
  bool may_settle(Step word) const;
  void settle(Step purged, const Purge& purge, std::vector<Places>& places);
  void explain(Step step, std::size_t buffer, std::vector<Places>& places) const;
  /// True if a flit that vanishes from a buffer in a step may have left it before the side wire was repaired.
  bool may_be_of_before(std::size_t buffer, Step step) const {
    return was_repaired(location_of(buffer), step - longest_, step);
  }
  std::int64_t take_words(std::size_t buffer, Step from, Step to, std::int64_t most);

  const CheckContext& context_;
  SideWires wires_;
  Step longest_ = 0;                                ///< steps from leaving a buffer to the row of a flit, at most
  std::map<std::size_t, std::vector<Step>> words_;  ///< by buffer, not taken yet
  std::map<Step, Purge> purges_;                    ///< by step, the recent ones
};

}  // namespace starloom::links
