// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Rules of links that repeat corrupt flits.
#include <map>
#include <utility>
#include <vector>

#include <starloom/core/links/trace.hpp>
#include <starloom/core/queue.hpp>
#include <starloom/referee/links/check_context.hpp>

namespace starloom::links {

/// Follows the flits of each link from the row with which they first enter it until their receiver accepts them. Rows
/// are well formed. A broken rule is thrown as a Breach:
/// - flits enter a link in the order in which they are accepted; a receiver accepts a flit unless its crossing is
///   corrupt, or ignored: of a link of latency l, those that begin within 2 l - 1 steps after a corrupt one that is not
///   ignored itself;
/// - every crossing that is not accepted has a `discard` where and when it ends, and no other has one;
/// - 2 l steps after it began, a corrupt crossing that is not ignored begins again, and behind it in each step the next
///   one of those that have been made since then. Other flits enter the link at the first step after these;
/// - no more flits than the sender has places are between the switch and the acknowledgement, which comes 2 l steps
///   after the crossing.
class RetryAudit {
 public:
  /// Checks `context.rules().errors`, which is given.
  explicit RetryAudit(const CheckContext& context);

  struct Crossing {
    bool accepted = true;
    Step free_from = 0;  ///< the first step in which it could begin, because of the crossings before
  };
  /// For a `hop` or `resend`.
  Crossing cross(const TraceRow& row, LinkId link);
  void discard(const TraceRow& row);
  /// For the flit of a `hop`, in the order of these. \param left the step in which it left its buffer or processor.
  /// \param entry steps from then until it can enter the link. \param free_from of its crossing
  void enter(const TraceRow& row, LinkId link, Step left, Step entry, Step free_from);
  /// All rows before a step are known.
  void begin_step(Step step);

 private:
  struct Kept {
    PacketId packet;
    std::int32_t flit;
  };
  struct Link {
    Queue<Kept> kept;             ///< flits that have entered it and are not accepted
    std::size_t turn = 0;         ///< the one of them that enters it again next
    Step repeats_from = no_step;  ///< the first of them enters it again then
    Step free_from = 0;           ///< the step behind the last crossing
    Queue<Step> acknowledged;     ///< steps from which the places of accepted flits are free
  };

  const CheckContext& context_;
  std::vector<Link> links_;                           ///< [link]
  std::map<std::pair<Step, LinkId>, Kept> due_;       ///< flits that enter their links again in these steps
  std::map<std::pair<Step, LinkId>, Kept> discards_;  ///< flits that are not accepted in these steps
};

}  // namespace starloom::links
