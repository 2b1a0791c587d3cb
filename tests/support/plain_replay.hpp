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
  void grant(const Object& object, Step enters) { kept_.push_back({next_number(), object, enters}); }
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
    bool corrupt;
    bool asks_again;  ///< the sender is to repeat it
    bool blank;
  };
  struct Arrival {
    Object object;
    bool accepted;
    bool blank;
  };
  /// The object that the receiver gets in a step, and whether it accepts that.
  /// \throws std::logic_error if the number is not the next one.
  std::optional<Arrival> receive(Step now) {
    const auto at = on_link_.find(now);
    if (at == on_link_.end()) return std::nullopt;
    const Crossing crossing = at->second;
    on_link_.erase(at);
    const Kept& sent = kept_of(crossing.number);
    if (now <= deaf_until_) return Arrival{crossing.object, false, sent.blank};
    if (crossing.corrupt) {
      if (!crossing.asks_again) throw std::logic_error("a link is asked to repeat what it has not counted");
      deaf_until_ = now + 2 * latency_ - 1;
      nacks_[now + latency_] = crossing.number;
      return Arrival{crossing.object, false, sent.blank};
    }
    if (crossing.number != expected_) throw std::logic_error("a link delivers flits out of order");
    expected_ = (expected_ + 1) % (2 * places_);
    acknowledgements_[now + latency_] = crossing.number;
    kept_of(crossing.number).accepted = true;
    return Arrival{crossing.object, true, sent.blank};
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
    const bool corrupt = corrupts(), asks_again = corrupt && now >= asks_until_;
    if (asks_again) asks_until_ = now + 2 * latency_;
    on_link_[now + latency_] = {kept.number, kept.object, corrupt, asks_again};
    const bool repeated = kept.crossed;
    kept.crossed = true;
    return Entry{kept.object, repeated, corrupt, asks_again, kept.blank};
  }
  /// The link dies; repaired, it begins anew.
  void reset() { *this = PlainReplay(places_, latency_); }
  /// Objects that the receiver has not accepted.
  std::vector<Object> not_accepted() const {
    std::vector<Object> objects;
    for (const Kept& kept : kept_)
      if (!kept.accepted && !kept.blank) objects.push_back(kept.object);
    return objects;
  }
  /// Some of them vanish. The link carries a blank instead, which takes their place in all else.
  void blank(const std::function<bool(const Object&)>& vanishes) {
    for (Kept& kept : kept_)
      if (!kept.accepted && vanishes(kept.object)) kept.blank = true;
  }

 private:
  struct Kept {
    int number;
    Object object;
    Step enters;
    bool crossed = false, accepted = false, blank = false;
  };
  struct Crossing {
    int number;
    Object object;
    bool corrupt, asks_again;
  };
  Kept& kept_of(int number) {
    for (Kept& kept : kept_)
      if (kept.number == number) return kept;
    throw std::logic_error("a link carries what its sender does not keep");
  }
  int next_number() {
    const int number = number_;
    number_ = (number_ + 1) % (2 * places_);
    return number;
  }

  int places_, latency_;
  int number_ = 0;          ///< of the next object
  std::vector<Kept> kept_;  ///< not acknowledged
  std::size_t turn_ = 0;    ///< the one that enters the link next
  int expected_ = 0;        ///< by the receiver
  Step deaf_until_ = no_step;
  Step asks_until_ = no_step;                     ///< what enters the link before this step is ignored
  std::map<Step, Crossing> on_link_;              ///< by the step in which it arrives
  std::map<Step, int> acknowledgements_, nacks_;  ///< numbers, by the step in which the sender gets them
};

}  // namespace starloom::links
