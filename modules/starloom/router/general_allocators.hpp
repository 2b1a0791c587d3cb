// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The allocators of a `GeneralRouter`: any through the interface of control/allocators.hpp.
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include <starloom/control/allocators.hpp>
#include <starloom/router/channel_rules.hpp>
#include <starloom/router/channel_set.hpp>
#include <starloom/router/router_shape.hpp>
#include <starloom/router/switch_allocator.hpp>

namespace starloom::links {

/// As router::ChannelAllocator, through the interface.
template <int words>
class GeneralChannelAllocator {
 public:
  using Set = router::ChannelSet<words>;
  static constexpr int capacity = Set::capacity;

  /// \param shuffle inputs of the allocator have the number: channel * ports + port; else that of their input channel.
  GeneralChannelAllocator(const router::RouterShape& shape, std::unique_ptr<Allocator> allocator, bool shuffle)
      : allocator_(std::move(allocator)) {
    for (int line = 0; line < shape.size(); ++line)
      inputs_.push_back(static_cast<std::uint16_t>(
          shuffle ? shape.first(line % shape.port_count()) + line / shape.port_count() : line));
    for (int line = 0; line < shape.size(); ++line)
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
    winners.for_each([&](int in) { win(in, given_[static_cast<std::size_t>(in)]); });
    return winners;
  }

 private:
  Cloned<Allocator> allocator_;
  std::vector<Request> requests_{}, grants_{};   ///< of a step
  std::vector<std::uint16_t> inputs_{};          ///< [line of the allocator] input channel
  std::array<std::uint16_t, capacity> lines_{};  ///< [input channel] its line
  std::array<std::uint16_t, capacity>
      given_{};  ///< [input channel] its output channel, valid for the winners of a step
};

/// As router::SwitchAllocator, through the interface. The allocator matches ports. If several channels of an in-port
/// request the same out-port, a non-speculative request takes precedence over a speculative one, then one of greater
/// priority; among equals the arbiter of the in-port picks.
template <int words>
class GeneralSwitchAllocator {
 public:
  using Set = router::ChannelSet<words>;
  using Requests = router::SwitchRequests<words>;

  /// \param speculative of speculative requests; null: `allocator` grants all requests.
  GeneralSwitchAllocator(const router::RouterShape& shape, std::unique_ptr<Allocator> allocator,
                         std::unique_ptr<Allocator> speculative, SpeculationMask mask, const MakeArbiter& make_arbiter)
      : channels_(shape.channels), allocator_(std::move(allocator)), mask_(mask) {
    if (speculative != nullptr) speculative_.emplace_back(std::move(speculative));
    for (int in = 0; in < shape.port_count(); ++in) channel_arbiters_.emplace_back(make_arbiter(channels_));
  }

  /// \param priority of an input channel.
  /// \param go called with (input channel, out-port index, true if non-speculative) for every pair.
  template <class Priority, class Go>
  void allocate(const router::RouterShape& shape, const Requests& requests, const Priority& priority, Go&& go) {
    if (speculative_.empty()) {
      collect(shape, requests, true, true, priority);
      for (const Request& grant : granted(*allocator_)) {
        const Set of_port = Set::range(shape.first(grant.in), channels_);
        const bool speculative = (requests.nonspeculative(grant.out) & of_port).empty();
        grant_port(shape, requests, grant, speculative, priority, go);
      }
      return;
    }
    collect(shape, requests, true, false, priority);
    std::uint64_t ins = 0, outs = 0;  // that speculative grants must not take
    if (mask_ == SpeculationMask::requests)
      for (const Request& request : requests_) outs |= std::uint64_t{1} << request.out;
    for (const Request& grant : granted(*allocator_)) {
      ins |= std::uint64_t{1} << grant.in;
      outs |= std::uint64_t{1} << grant.out;
      grant_port(shape, requests, grant, false, priority, go);
    }
    collect(shape, requests, false, true, priority);
    for (const Request& grant : granted(*speculative_.front()))
      if ((ins >> grant.in & 1) == 0 && (outs >> grant.out & 1) == 0)
        grant_port(shape, requests, grant, true, priority, go);
  }

 private:
  /// The requests between ports, each from the channel that speaks for it, of the kinds asked for.
  template <class Priority>
  void collect(const router::RouterShape& shape, const Requests& requests, bool nonspeculative, bool speculative,
               const Priority& priority) {
    requests_.clear();
    std::array<Request, router::most_router_ports> of_port;  // [in-port index], valid for those in `ports`
    for (std::uint64_t left = requests.outs(); left != 0; left &= left - 1) {
      const int out = __builtin_ctzll(left);
      std::uint64_t ports = 0;
      const auto add = [&](const Set& channels, bool is_speculative) {
        const std::uint64_t taken = is_speculative ? ports : 0;  // by non-speculative requests
        channels.for_each([&](int channel) {
          const int in = shape.port_index(channel);
          const std::uint64_t bit = std::uint64_t{1} << in;
          if ((taken & bit) != 0) return;
          const std::int64_t p = priority(channel) - (is_speculative ? priority_handicap : 0);
          if ((ports & bit) == 0 || p > of_port[in].in_priority)
            of_port[in] = {static_cast<std::uint16_t>(in), static_cast<std::uint16_t>(out), is_speculative, p, p};
          ports |= bit;
        });
      };
      if (nonspeculative) add(requests.nonspeculative(out), false);
      if (speculative) add(requests.speculative(out), true);
      for (; ports != 0; ports &= ports - 1) requests_.push_back(of_port[__builtin_ctzll(ports)]);
    }
  }
  const std::vector<Request>& granted(Allocator& allocator) {
    grants_.clear();
    if (!requests_.empty()) allocator.allocate(requests_.data(), requests_.size(), grants_);
    return grants_;
  }

  template <class Priority, class Go>
  void grant_port(const router::RouterShape& shape, const Requests& requests, const Request& grant, bool speculative,
                  const Priority& priority, Go&& go) {
    const Set of_port = Set::range(shape.first(grant.in), channels_);
    const Set asking = (speculative ? requests.speculative(grant.out) : requests.nonspeculative(grant.out)) & of_port;
    std::int64_t greatest = std::numeric_limits<std::int64_t>::min();
    std::array<std::uint64_t, words> speakers{};
    asking.for_each([&](int channel) {
      const std::int64_t p = priority(channel);
      if (p < greatest) return;
      if (p > greatest) speakers = {};
      greatest = p;
      const int number = shape.number(channel);
      speakers[static_cast<std::size_t>(number / 64)] |= std::uint64_t{1} << number % 64;
    });
    Arbiter& arbiter = *channel_arbiters_[grant.in];
    const int number = arbiter.pick(speakers.data(), (channels_ + 63) / 64);
    arbiter.granted(number);
    go(shape.first(grant.in) + number, grant.out, !speculative);
  }

  int channels_;
  Cloned<Allocator> allocator_;
  std::vector<Cloned<Allocator>> speculative_{};  ///< none or one
  SpeculationMask mask_;
  std::vector<Cloned<Arbiter>> channel_arbiters_{};  ///< [in-port index] pick one of its channels
  std::vector<Request> requests_{}, grants_{};       ///< of a step, between port indices
};

}  // namespace starloom::links
