// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The allocators of a `GeneralRouter`: any through the interface of control/allocators.hpp.
#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <starloom/control/allocators.hpp>
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

  explicit GeneralChannelAllocator(std::unique_ptr<Allocator> allocator) : allocator_(std::move(allocator)) {}

  /// \param priority of the choice that an input channel requests.
  /// \param win called with (input channel, output channel) for every pair, in the order of input channels.
  /// \return the input channels that got an output channel.
  template <class Requesters, class Priority, class Win>
  Set allocate(const Set& outputs, const Requesters& requesters, const Priority& priority, Win&& win) {
    Set winners{};
    requests_.clear();
    grants_.clear();
    outputs.for_each([&](int out) {
      requesters[out].for_each([&](int in) {
        requests_.push_back({static_cast<std::uint16_t>(in), static_cast<std::uint16_t>(out), false, priority(in)});
      });
    });
    if (requests_.empty()) return winners;
    allocator_->allocate(requests_.data(), requests_.size(), grants_);
    for (const Request& grant : grants_) {
      winners.add(grant.in);
      given_[grant.in] = grant.out;
    }
    winners.for_each([&](int in) { win(in, given_[static_cast<std::size_t>(in)]); });
    return winners;
  }

 private:
  Cloned<Allocator> allocator_;
  std::vector<Request> requests_{}, grants_{};  ///< of a step
  std::array<std::uint16_t, capacity>
      given_{};  ///< [input channel] its output channel, valid for the winners of a step
};

/// The rule by which speculative requests for the switch are granted apart from the others.
enum class SpeculationMask {
  grants,    ///< void if a non-speculative grant takes the in-port or the out-port
  requests,  ///< void if a non-speculative grant takes the in-port, or there is such a request for the out-port
};

/// As router::SwitchAllocator, through the interface. The allocator matches ports. If several channels of an in-port
/// request the same out-port, a non-speculative request takes precedence over a speculative one; among equals the
/// arbiter of the in-port picks.
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

  /// \param go called with (input channel, out-port index, true if non-speculative) for every pair.
  template <class Go>
  void allocate(const router::RouterShape& shape, const Requests& requests, Go&& go) {
    if (speculative_.empty()) {
      collect(shape, requests, true, true);
      for (const Request& grant : granted(*allocator_)) {
        const Set of_port = Set::range(shape.first(grant.in), channels_);
        grant_port(shape, requests, grant, (requests.nonspeculative(grant.out) & of_port).empty(), go);
      }
      return;
    }
    collect(shape, requests, true, false);
    std::uint64_t ins = 0, outs = 0;  // that speculative grants must not take
    if (mask_ == SpeculationMask::requests)
      for (const Request& request : requests_) outs |= std::uint64_t{1} << request.out;
    for (const Request& grant : granted(*allocator_)) {
      ins |= std::uint64_t{1} << grant.in;
      outs |= std::uint64_t{1} << grant.out;
      grant_port(shape, requests, grant, false, go);
    }
    collect(shape, requests, false, true);
    for (const Request& grant : granted(*speculative_.front()))
      if ((ins >> grant.in & 1) == 0 && (outs >> grant.out & 1) == 0) grant_port(shape, requests, grant, true, go);
  }

 private:
  /// The requests between ports, each from a non-speculative channel if there is one, among those asked for.
  void collect(const router::RouterShape& shape, const Requests& requests, bool nonspeculative, bool speculative) {
    requests_.clear();
    for (std::uint64_t left = requests.outs(); left != 0; left &= left - 1) {
      const int out = __builtin_ctzll(left);
      const std::uint64_t first = nonspeculative ? ports_of(shape, requests.nonspeculative(out)) : 0;
      const std::uint64_t second = speculative ? ports_of(shape, requests.speculative(out)) : 0;
      for (std::uint64_t all = first | second; all != 0; all &= all - 1) {
        const int in = __builtin_ctzll(all);
        const bool guess = (first >> in & 1) == 0;
        const std::int64_t priority = guess ? -speculative_handicap : 0;
        requests_.push_back(
            {static_cast<std::uint16_t>(in), static_cast<std::uint16_t>(out), guess, priority, priority});
      }
    }
  }
  static std::uint64_t ports_of(const router::RouterShape& shape, const Set& channels) {
    std::uint64_t ports = 0;
    channels.for_each([&](int channel) { ports |= std::uint64_t{1} << shape.port_index(channel); });
    return ports;
  }
  const std::vector<Request>& granted(Allocator& allocator) {
    grants_.clear();
    if (!requests_.empty()) allocator.allocate(requests_.data(), requests_.size(), grants_);
    return grants_;
  }

  template <class Go>
  void grant_port(const router::RouterShape& shape, const Requests& requests, const Request& grant, bool speculative,
                  Go&& go) {
    const Set of_port = Set::range(shape.first(grant.in), channels_);
    std::array<std::uint64_t, words> requesters{};
    ((speculative ? requests.speculative(grant.out) : requests.nonspeculative(grant.out)) & of_port)
        .for_each([&](int channel) {
          const int number = shape.number(channel);
          requesters[static_cast<std::size_t>(number / 64)] |= std::uint64_t{1} << number % 64;
        });
    Arbiter& arbiter = *channel_arbiters_[grant.in];
    const int number = arbiter.pick(requesters.data(), (channels_ + 63) / 64);
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
