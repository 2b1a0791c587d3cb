// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Rules of links that repeat corrupt flits.
#include <cstdint>
#include <map>
#include <optional>
#include <set>
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
///   after the crossing;
/// - a flit that vanishes behind the switch, before the receiver of a living link has accepted it, enters the link like
///   all others, but without rows.
///
/// If it is not known when such a flit left its buffer, the link is *unsure* for as long as the flit may be in the
/// replay buffer. Meanwhile, a flit is accepted if its crossing is not corrupt and has no `discard`; and it may have
/// one if its crossing is corrupt, or follows a corrupt one within 2 l - 1 steps.
class RetryAudit {
 public:
  /// Checks `context.rules().errors`, which is given.
  explicit RetryAudit(const CheckContext& context);

  struct Crossing {
    bool accepted = true;
    Step free_from = 0;    ///< the first step in which it could begin, because of the crossings before
    bool refutes = false;  ///< an earlier crossing of the flit has been taken to be accepted, but was not
  };
  /// For a `hop` or `resend`.
  Crossing cross(const TraceRow& row, LinkId link);
  /// \return true if `cross` has returned that the flit was accepted, which the row refutes. Its link is unsure.
  bool discard(const TraceRow& row);
  /// For the flit of a `hop`, in the order of these. \param left the step in which it left its buffer or processor.
  /// \param entry steps from then until it can enter the link. \param free_from of its crossing
  void enter(const TraceRow& row, LinkId link, Step left, Step entry, Step free_from);
  /// All rows before a step are known.
  void begin_step(Step step);

  // Of hardware that dies:
  /// A flit vanishes that has entered the link. \param accepted the same of it as `cross` or `discard` returned last
  void vanish(const TraceRow& row, LinkId link, bool accepted);
  /// A flit vanishes that has passed the switch, but has not entered the link. \param left the step in which it left
  /// its buffer; no_step: not known
  void vanish_in_front(const TraceRow& row, LinkId link, Step left, Step entry);
  /// True if a flit that vanishes in front of the far end, where it would be accepted in this step, shows thereby that
  /// it is not. Its link is unsure.
  bool refutes(const TraceRow& row, LinkId link);
  /// A link has died: none of its flits is left.
  void kill(LinkId link, Step death);

  /// Corrupt crossings that were not ignored; empty: not known, because a link was unsure.
  std::optional<std::int64_t> nacks() const { return was_unsure_ ? std::nullopt : std::optional(nacks_); }

 private:
  struct Kept {
    PacketId packet;  ///< no_packet: it has vanished
    std::int32_t flit;
  };
  struct Link {
    Queue<Kept> kept;             ///< flits that have entered it and are not accepted
    std::size_t turn = 0;         ///< the one of them that enters it again next
    Step repeats_from = no_step;  ///< the first of them enters it again then
    Step free_from = 0;           ///< the step behind the last crossing
    Step idle = no_step;          ///< the last step in which it was free for a flit of the switch, before `free_from`
    Queue<Step> acknowledged;     ///< steps from which the places of accepted flits are free
    std::multiset<Step> vanished{};  ///< steps in which flits that have vanished in front of it can enter it
  };
  using FlitName = std::pair<PacketId, std::int32_t>;
  /// A flit that has not been accepted for certain.
  struct Sent {
    Queue<Step> crossings{};  ///< those that may have no `discard` yet
    bool accepted = false;    ///< as far as is known, by the last of them
  };
  struct Unsure {
    Step until;  ///< the first step in which it is sure again
    Step entry;  ///< from the switch to the link
    Step drawn;  ///< crossings before this step are known to be corrupt, or not
    std::map<FlitName, Sent> flits{};
  };
  using Due = std::map<std::pair<Step, LinkId>, Kept>;

  Link& state_of(LinkId link) { return links_[static_cast<std::size_t>(link)]; }
  Unsure* unsure(LinkId link) {
    const auto found = unsure_.find(link);
    return found == unsure_.end() ? nullptr : &found->second;
  }
  bool corrupts(LinkId link, Step step) const {
    return context_.rules().errors->corrupts(context_.near_end(link), context_.near_port(link), step);
  }
  int places(LinkId link, Step entry) const {
    return context_.rules().errors->places(static_cast<int>(entry), static_cast<int>(context_.latency(link)));
  }
  bool carry(LinkId link, Step step);
  void advance(LinkId link, Step until);
  static bool has_vanished(const Link& state);
  Crossing cross_unsure(const TraceRow& row, LinkId link, Unsure& unsure);
  void make_unsure(LinkId link, Step step, Step entry);
  bool settle(LinkId link, Unsure& unsure, Step step);
  static void forget(Due& due, LinkId link, const TraceRow& row);

  const CheckContext& context_;
  std::vector<Link> links_;         ///< [link]
  Due due_;                         ///< flits that enter their links again in these steps
  Due discards_;                    ///< flits that are not accepted in these steps
  std::set<LinkId> with_vanished_;  ///< links that flits without rows are to enter
  std::map<LinkId, Unsure> unsure_;
  bool was_unsure_ = false;
  std::int64_t nacks_ = 0;
};

}  // namespace starloom::links
