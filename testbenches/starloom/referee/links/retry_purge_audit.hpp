// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The credits of routers in which flits vanish, if links repeat flits.
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <starloom/referee/links/check_context.hpp>
#include <starloom/referee/links/side_wires.hpp>
#include <starloom/topology/fault_timeline.hpp>

namespace starloom::links {

/// A flit may wait behind the switch for any time before its link has carried it; but if it vanishes, its row names the
/// link that it was on the way to. So it is known which words in step s + 1 are those of flits that vanished in s: one
/// from a buffer for each flit in it, or on the way to it; and one from the buffer behind a link for each flit in front
/// of the link, which had reserved a place there. The other words of a buffer are those of flits that have left it, in
/// its order.
///
/// After the death of its side wire a buffer is in *doubt*, until it is found empty after the repair: it is not known
/// when the flits in it leave. Those that leave before the repair never have a word.
class RetryPurgeAudit {
 public:
  /// \param context outlives it; its rules have fault events.
  explicit RetryPurgeAudit(const CheckContext& context)
      : wires_(context),
        last_word_(context.link_slots() + static_cast<std::size_t>(context.graph().nodes()), no_step) {}

  /// Hardware dies or is repaired, before the words and rows of the step.
  void change(const FaultEvent& event);
  /// The side wire of a buffer is repaired. \param flits that have not been seen to leave it
  void repair(std::size_t buffer, std::int64_t flits) { doubts_[buffer] = {true, flits, 0}; }

  enum class Word {
    of_flit,      ///< that has left the buffer
    of_vanished,  ///< from a place that its row has shown to be taken
    of_reserved   ///< from a place that it had reserved only
  };
  /// A word is on a side wire.
  Word word(Step step, std::size_t buffer);
  /// A flit vanishes, and with it a place becomes free. \param may_be_free it may have been free before
  void vanish(Step purged, std::size_t buffer, Word word, bool may_be_free = false);
  /// All words of the steps before this one are known.
  void begin_step(Step step) { check_until(step - 1); }

  bool is_in_doubt(std::size_t buffer) const { return doubts_.count(buffer) != 0; }
  /// Flits in a buffer, at most, that do not take a place there any more.
  std::int64_t most_gone(std::size_t buffer) const {
    const auto doubt = doubts_.find(buffer);
    return doubt == doubts_.end() ? 0 : doubt->second.flits;
  }
  /// A flit of a buffer in doubt has left it.
  void leave(std::size_t buffer) {
    if (Doubt& doubt = doubts_.at(buffer); doubt.is_repaired) ++doubt.without_word;
  }
  /// A buffer is empty; all words up to step `now` are known. \return the flits that left it in doubt and have no word.
  std::int64_t settle(std::size_t buffer, Step now);

 private:
  struct Doubt {
    bool is_repaired = false;
    std::int64_t flits = 0;         ///< in it at the repair
    std::int64_t without_word = 0;  ///< that have left it since then; less than 0: words of flits that are to leave
  };
  struct Vanished {
    std::int64_t taken = 0, reserved = 0;  ///< places
    std::int64_t unsure = 0;               ///< flits that may have left
  };

  void check_until(Step last);

  SideWires wires_;
  std::vector<Step> last_word_;                                  ///< [location] of a flit that has left
  std::map<std::pair<Step, std::size_t>, Vanished> vanished_{};  ///< by step of the words, and buffer
  std::map<std::size_t, Doubt> doubts_{};                        ///< by buffer
};

}  // namespace starloom::links
