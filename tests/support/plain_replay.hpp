// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Go-back-N as the reference engine has it: both ends of each link, numbers modulo twice the places, and answers
/// that take their time.
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <vector>

#include <starloom/core/flit.hpp>
#include <starloom/core/ids.hpp>

namespace starloom::links {

/// One link. `Object` is what it carries, of which a copy stays with the sender until the receiver has accepted it.
template <class Object>
class PlainReplay {
 public:
  PlainReplay(int places, int latency) : places_(places), latency_(latency) {}

  /// The switch grants a place. \param enters the step in which the object is behind the crossbar.
  void grant(const Object& object, Step enters) { kept_.push_back({next_number(), object, enters, false}); }
  bool is_full() const { return static_cast<int>(kept_.size()) == places_; }
  bool is_busy() const {
    if (!on_link_.empty() || !nacks_.empty()) return true;
    for (const Kept& kept : kept_)
      if (!kept.crossed) return true;
    return false;
  }

  struct Entry {
    Object object;
    bool repeated;
  };
  struct Arrival {
    Object object;
    bool accepted;
    bool asks_again;  ///< the sender is to repeat it
  };
  /// The object that the receiver gets in a step, and whether it accepts that.
  /// \throws std::logic_error if the number is not the next one.
  std::optional<Arrival> receive(Step now) {
    const auto at = on_link_.find(now);
    if (at == on_link_.end()) return std::nullopt;
    const Crossing crossing = at->second;
    on_link_.erase(at);
    if (now <= deaf_until_) return Arrival{crossing.object, false, false};
    if (crossing.corrupt) {
      deaf_until_ = now + 2 * latency_ - 1;
      nacks_[now + latency_] = crossing.number;
      return Arrival{crossing.object, false, true};
    }
    if (crossing.number != expected_) throw std::logic_error("a link delivers flits out of order");
    expected_ = (expected_ + 1) % (2 * places_);
    acknowledgements_[now + latency_] = crossing.number;
    return Arrival{crossing.object, true, false};
  }
  /// The object that enters the link in a step. \param corrupts says whether what enters it now is corrupt.
  std::optional<Entry> send(Step now, const std::function<bool()>& corrupts) {
    while (!acknowledgements_.empty() && acknowledgements_.begin()->first <= now) {
      if (turn_ == 0 || kept_.front().number != acknowledgements_.begin()->second)
        throw std::logic_error("an acknowledgement is out of order");
      acknowledgements_.erase(acknowledgements_.begin());
      kept_.erase(kept_.begin());
      --turn_;
    }
    if (const auto at = nacks_.find(now); at != nacks_.end()) {
      turn_ = 0;
      while (kept_[turn_].number != at->second) ++turn_;
      nacks_.erase(at);
    }
    if (turn_ == kept_.size() || kept_[turn_].enters > now) return std::nullopt;
    Kept& kept = kept_[turn_++];
    on_link_[now + latency_] = {kept.number, kept.object, corrupts()};
    const bool repeated = kept.crossed;
    kept.crossed = true;
    return Entry{kept.object, repeated};
  }

 private:
  struct Kept {
    int number;
    Object object;
    Step enters;
    bool crossed;
  };
  struct Crossing {
    int number;
    Object object;
    bool corrupt;
  };
  int next_number() {
    const int number = number_;
    number_ = (number_ + 1) % (2 * places_);
    return number;
  }

  const int places_, latency_;
  int number_ = 0;          ///< of the next object
  std::vector<Kept> kept_;  ///< not acknowledged
  std::size_t turn_ = 0;    ///< the one that enters the link next
  int expected_ = 0;        ///< by the receiver
  Step deaf_until_ = no_step;
  std::map<Step, Crossing> on_link_;              ///< by the step in which it arrives
  std::map<Step, int> acknowledgements_, nacks_;  ///< numbers, by the step in which the sender gets them
};

}  // namespace starloom::links
