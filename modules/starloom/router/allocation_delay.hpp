// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file An allocation that takes more than one step (docs/router-stages.md).
#include <vector>

#include <starloom/core/ids.hpp>
#include <starloom/router/channel_set.hpp>

namespace starloom::links {

/// A channel requests in the step in which it begins to wait, and again in the step after each answer. An allocation of
/// n steps answers in the last of them, n - 1 steps after the request; until then a grant is pending.
template <int words>
class AllocationDelay {
 public:
  using Set = router::ChannelSet<words>;

  /// \param steps at least 1. \param channels of the router.
  AllocationDelay(int steps, int channels)
      : steps_(steps), entries_(steps > 1 ? static_cast<std::size_t>(channels) : 0) {}

  /// False: requests are answered in their step, and the other functions are not called.
  bool is_long() const { return steps_ > 1; }

  /// \param waiting the channels that wait in this step; those with a pending grant also do.
  /// \return those of them that request in this step.
  Set requesting(const Set& waiting, Step now) {
    const Set all = waiting | granted_;
    (all - waiting_).for_each([&](int in) { entry(in).since = now; });
    waiting_ = all;
    Set requesting{};
    all.for_each([&](int in) { requesting.add_if((now - entry(in).since) % steps_ == 0, in); });
    return requesting;
  }
  /// The request of a channel in this step is granted. \param to what it gets.
  void grant(int in, int to) {
    granted_.add(in);
    entry(in).to = to;
  }
  /// Calls `end(channel, what it gets)` for each pending grant whose last step this is.
  template <class End>
  void finish(Step now, const End& end) {
    granted_.for_each([&](int in) {
      if ((now - entry(in).since) % steps_ != steps_ - 1) return;
      granted_.remove(in);
      end(in, entry(in).to);
    });
  }
  /// The channel does not wait any more; if it does in the next step, it requests in that step.
  void leave(int in) { waiting_.remove(in); }
  bool pending() const { return !granted_.empty(); }

 private:
  struct Entry {
    Step since = no_step;  ///< its first request
    int to = -1;           ///< of a pending grant
  };
  Entry& entry(int in) { return entries_[static_cast<std::size_t>(in)]; }

  int steps_;
  Set waiting_{}, granted_{};
  std::vector<Entry> entries_;  ///< [channel], valid for those in `waiting_`
};

}  // namespace starloom::links
