// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The allocators of a `GeneralRouter`: any through the interface of control/allocators.hpp.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include <starloom/control/allocators.hpp>
#include <starloom/control/number_set.hpp>
#include <starloom/router/channel_rules.hpp>
#include <starloom/router/channel_set.hpp>
#include <starloom/router/entries.hpp>
#include <starloom/router/router_shape.hpp>
#include <starloom/router/switch_allocator.hpp>
#include <starloom/router/switch_lines.hpp>

namespace starloom::links {

/// As router::ChannelAllocator, through the interface.
template <int words>
class GeneralChannelAllocator {
 public:
  using Set = router::ChannelSet<words>;
  static constexpr int capacity = 64 * words;

  /// \param shuffle inputs of the allocator have the number: channel * ports + port; else that of their input channel.
  GeneralChannelAllocator(const router::RouterShape& shape, std::unique_ptr<Allocator> allocator, bool shuffle)
      : allocator_(std::move(allocator)), lines_(shape.size()), given_(shape.size()) {
    const int ports = shape.matched_ports(), lines = ports * shape.channels;
    for (int line = 0; line < lines; ++line)
      inputs_.push_back(static_cast<std::uint16_t>(shuffle ? shape.first(line % ports) + line / ports : line));
    for (int line = 0; line < lines; ++line)
      lines_[inputs_[static_cast<std::size_t>(line)]] = static_cast<std::uint16_t>(line);
  }

  /// \param in_priority, out_priority of a request of (input channel, output channel).
  /// \param win called with (input channel, output channel) for every pair, in the order of input channels.
  /// \return the input channels that got an output channel.
  template <class Requesters, class InPriority, class OutPriority, class Win>
  Set allocate(const Set& outputs, const Requesters& requesters, const InPriority& in_priority,
               const OutPriority& out_priority, Win&& win) {
    Set winners{};
    requests_.clear();
    grants_.clear();
    outputs.for_each([&](int out) {
      requesters[out].for_each([&](int in) {
        requests_.push_back(
            {lines_[in], static_cast<std::uint16_t>(out), false, in_priority(in, out), out_priority(in)});
      });
    });
    if (requests_.empty()) return winners;
    allocator_->allocate(requests_.data(), requests_.size(), grants_);
    for (const Request& grant : grants_) {
      const int in = inputs_[grant.in];
      winners.add(in);
      given_[in] = grant.out;
    }
    winners.for_each([&](int in) { win(in, given_[in]); });
    return winners;
  }

 private:
  Cloned<Allocator> allocator_;
  std::vector<Request> requests_{}, grants_{};      ///< of a step
  std::vector<std::uint16_t> inputs_{};             ///< [line of the allocator] input channel
  router::Entries<std::uint16_t, capacity> lines_;  ///< [input channel] its line
  router::Entries<std::uint16_t, capacity>
      given_;  ///< [input channel] its output channel, valid for the winners of a step
};

/// As router::SwitchAllocator, through the interface. The allocator matches lines (router::SwitchLines). If several
/// channels of an in-line request the same out-port, a non-speculative request takes precedence over a speculative one,
/// then one of greater priority; among equals the arbiter of the in-line picks.
template <int words>
class GeneralSwitchAllocator {
 public:
  using Set = router::ChannelSet<words>;
  using Requests = router::SwitchRequests<words>;

  /// \param speculative of speculative requests; null: `allocator` grants all requests.
  /// \param speaker_step after a grant to channel v, the arbiter of its in-line is updated as if it had picked channel
  /// v + `speaker_step` - 1, modulo the channels: a round robin then begins `speaker_step` behind v, as in BookSim2.
  GeneralSwitchAllocator(const router::RouterShape& shape, const router::SwitchLines<words>& lines,
                         std::unique_ptr<Allocator> allocator, std::unique_ptr<Allocator> speculative,
                         SpeculationMask mask, const MakeArbiter& make_arbiter, int speaker_step = 1)
      : lines_(lines),
        channels_(shape.channels),
        speaker_step_(speaker_step),
        allocator_(std::move(allocator)),
        mask_(mask),
        taken_(lines.outs()) {
    if (speculative != nullptr) speculative_.emplace_back(std::move(speculative));
    for (int line = 0; line < lines.ins(); ++line) speakers_.emplace_back(make_arbiter(channels_));
  }

  const router::SwitchLines<words>& lines() const { return lines_; }

  /// \param priority of an input channel.
  /// \param go called with (input channel, out-port index, true if non-speculative) for every pair.
  template <class Priority, class Go>
  void allocate(const router::RouterShape& shape, const Requests& requests, const Priority& priority, Go&& go) {
    if (speculative_.empty()) {
      collect(requests, true, true, priority);
      for (const Request& grant : granted(*allocator_)) {
        const Set& of_line = lines_.channels(grant.in);
        const bool speculative = (requests.nonspeculative(lines_.out_index(grant.out)) & of_line).empty();
        grant_line(shape, requests, grant, speculative, priority, go);
      }
      return;
    }
    collect(requests, true, false, priority);
    Set ins{};  // that speculative grants must not take
    taken_.clear();
    if (mask_ == SpeculationMask::requests)
      for (const Request& request : requests_) taken_.add(request.out);
    for (const Request& grant : granted(*allocator_)) {
      ins.add(grant.in);
      taken_.add(grant.out);
      grant_line(shape, requests, grant, false, priority, go);
    }
    collect(requests, false, true, priority);
    for (const Request& grant : granted(*speculative_.front()))
      if (!ins.has(grant.in) && !taken_.has(grant.out)) grant_line(shape, requests, grant, true, priority, go);
  }

 private:
  /// The requests between lines, each from the channel that speaks for it, of the kinds asked for.
  template <class Priority>
  void collect(const Requests& requests, bool nonspeculative, bool speculative, const Priority& priority) {
    requests_.clear();
    router::Entries<Request, 64 * words> of_line(lines_.ins());  // [in-line], valid for those in `ins`
    requests.outs().for_each([&](int out) {
      Set ins{};
      const auto add = [&](const Set& channels, bool is_speculative) {
        const Set taken = is_speculative ? ins : Set{};  // by non-speculative requests
        channels.for_each([&](int channel) {
          const int in = lines_.in_line(channel);
          if (taken.has(in)) return;
          const std::int64_t p = priority(channel) - (is_speculative ? priority_handicap : 0);
          if (!ins.has(in) || p > of_line[in].in_priority)
            of_line[in] = {static_cast<std::uint16_t>(in), static_cast<std::uint16_t>(lines_.out_line(in, out)),
                           is_speculative, p, p};
          ins.add(in);
        });
      };
      if (nonspeculative) add(requests.nonspeculative(out), false);
      if (speculative) add(requests.speculative(out), true);
      const auto first = static_cast<std::ptrdiff_t>(requests_.size());
      ins.for_each([&](int in) { requests_.push_back(of_line[in]); });
      if (lines_.per_out_port() > 1)
        std::sort(requests_.begin() + first, requests_.end(),
                  [](const Request& a, const Request& b) { return std::pair(a.out, a.in) < std::pair(b.out, b.in); });
    });
  }
  const std::vector<Request>& granted(Allocator& allocator) {
    grants_.clear();
    if (!requests_.empty()) allocator.allocate(requests_.data(), requests_.size(), grants_);
    // Two grants for an out-port may bring a channel of it each (piggyback).
    if (lines_.per_out_port() > 1)
      std::sort(grants_.begin(), grants_.end(), [](const Request& a, const Request& b) { return a.in < b.in; });
    return grants_;
  }

  template <class Priority, class Go>
  void grant_line(const router::RouterShape& shape, const Requests& requests, const Request& grant, bool speculative,
                  const Priority& priority, Go&& go) {
    const int out = lines_.out_index(grant.out);
    const Set asking =
        (speculative ? requests.speculative(out) : requests.nonspeculative(out)) & lines_.channels(grant.in);
    std::int64_t greatest = std::numeric_limits<std::int64_t>::min();
    NumberSet asking_numbers(channels_);
    asking.for_each([&](int channel) {
      const std::int64_t p = priority(channel);
      if (p < greatest) return;
      if (p > greatest) asking_numbers.clear();
      greatest = p;
      asking_numbers.add(shape.number(channel));
    });
    Arbiter& speaker = *speakers_[grant.in];
    const int number = speaker.pick(asking_numbers.data(), asking_numbers.words());
    speaker.granted((number + speaker_step_ - 1) % channels_);
    go(shape.first(grant.in / lines_.per_in_port()) + number, out, !speculative);
  }

  router::SwitchLines<words> lines_;
  int channels_;
  int speaker_step_;
  Cloned<Allocator> allocator_;
  std::vector<Cloned<Allocator>> speculative_{};  ///< none or one
  SpeculationMask mask_;
  NumberSet taken_;                             ///< out-lines that speculative grants must not take, of a step
  std::vector<Cloned<Arbiter>> speakers_{};     ///< [in-line] picks one of its channels, by their numbers
  std::vector<Request> requests_{}, grants_{};  ///< of a step, between lines
};

}  // namespace starloom::links
