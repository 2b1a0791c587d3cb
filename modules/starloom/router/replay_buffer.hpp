// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The flits of a link that its sender keeps, because it may have to send them again (docs/link-errors.md).
#include <cstdint>

#include <starloom/core/ids.hpp>
#include <starloom/core/queue.hpp>
#include <starloom/router/ring_flit.hpp>

namespace starloom::router {

/// Go-back-N: a flit that arrives corrupt is sent again, and so are all behind it; the receiver discards these in the
/// meantime. Which crossings are corrupt is known before they begin, so the answers of the receiver need no words, and
/// the receiver no state. Nor is a flit kept here that will be accepted, only the time until its place is free.
class ReplayBuffer {
 public:
  /// A flit that has won the switch, in the order in which flits enter the link.
  struct Kept {
    RingFlit flit;  ///< without a packet: a blank, which the receiver accepts, but does not store
    int out;        ///< output channel
    Step enters;    ///< the first step in which it may enter the link
  };
  enum class Fate { accepted, corrupt, ignored };

  ReplayBuffer() = default;
  /// \param places at least 1. \param latency of the link
  ReplayBuffer(int places, int latency) : places_(places), round_trip_(2 * latency) {}

  /// The flits that are not accepted yet, with blanks.
  Queue<Kept>& kept() { return kept_; }
  const Queue<Kept>& kept() const { return kept_; }
  /// The link dies; repaired, it begins anew.
  void reset() {
    kept_.clear();
    frees_.clear();
    next_ = sent_ = 0;
    sent_at_ = repeats_at_ = no_step;
  }

  /// True if the link repeats no flit, so that the next one enters it as soon as it can.
  bool is_idle() const { return kept_.empty(); }
  /// A flit that will enter the idle link in a step, and be accepted.
  void accept(Step entry) { frees_.push_back(entry + round_trip_); }
  /// Any other flit.
  void join(const Kept& kept) { kept_.push_back(kept); }
  /// True if a flit that wins the switch in a step has no place.
  bool is_full(Step now) {
    while (!frees_.empty() && frees_.front() <= now) frees_.pop_front();
    return taken() >= places_;
  }
  /// Places taken in the step for which `is_full` was called last.
  int taken() const { return static_cast<int>(kept_.size() + frees_.size()); }

  /// Places taken at the end of a step.
  int taken_at(Step step) const {
    auto places = static_cast<int>(kept_.size());
    for (std::size_t i = 0; i < frees_.size(); ++i) places += frees_[i] > step ? 1 : 0;
    return places;
  }

  /// The flit that enters the link in a step; null: none, or `send` has been called in this step.
  const Kept* next(Step now) {
    if (now == repeats_at_) {
      next_ = 0;
      repeats_at_ = no_step;
    }
    return now != sent_at_ && has_next(now) ? &kept_[next_] : nullptr;
  }
  /// True if a flit may enter the link in a step.
  bool has_next(Step now) const { return next_ < kept_.size() && kept_[next_].enters <= now; }
  /// True if that flit has entered the link before.
  bool is_repeated() const { return next_ < sent_; }
  /// Sends it. Until the sender learns that a flit was corrupt, the receiver ignores all behind that. An accepted flit
  /// is kept no longer.
  Fate send(Step now, bool corrupt) {
    sent_at_ = now;
    if (!is_repeated()) ++sent_;
    if (repeats_at_ == no_step && !corrupt) {
      kept_.pop_front();
      --sent_;
      frees_.push_back(now + round_trip_);
      return Fate::accepted;
    }
    ++next_;
    if (repeats_at_ != no_step) return Fate::ignored;
    repeats_at_ = now + round_trip_;
    return Fate::corrupt;
  }

 private:
  int places_ = 0, round_trip_ = 0;
  Queue<Kept> kept_{};         ///< not accepted yet
  std::size_t next_ = 0;       ///< position of the next one to enter the link
  std::size_t sent_ = 0;       ///< those in front have entered it
  Queue<Step> frees_{};        ///< the steps from which the places of accepted flits are free
  Step sent_at_ = no_step;     ///< the last step with a call of `send`
  Step repeats_at_ = no_step;  ///< the sender learns of a corrupt flit, the first of `kept_`
};

}  // namespace starloom::router
