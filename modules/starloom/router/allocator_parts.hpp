// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The two allocators of a `VcRouter`: built in, or any through the interface. Both kinds have the same
/// functions.
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include <starloom/control/allocators.hpp>
#include <starloom/router/channel_allocator.hpp>
#include <starloom/router/switch_allocator.hpp>

namespace starloom::links {

/// `separable` allocators with `round-robin` arbiters.
template <int capacity>
struct RoundRobinParts {
  explicit RoundRobinParts(const router::RouterShape& shape) : channels(shape.size()), switches(shape) {}

  router::ChannelAllocator<capacity> channels;
  router::SwitchAllocator<capacity> switches;
};

/// As router::ChannelAllocator, through the interface.
template <int capacity>
class OwnChannelAllocator {
 public:
  using Set = router::ChannelSet<(capacity + 63) / 64>;

  explicit OwnChannelAllocator(std::unique_ptr<Allocator> allocator) : allocator_(std::move(allocator)) {}

  template <class Win>
  Set allocate(const Set& outputs, const std::array<Set, capacity>& requesters, Win&& win) {
    Set winners{};
    requests_.clear();
    grants_.clear();
    outputs.for_each([&](int out) {
      requesters[out].for_each([&](int in) {
        requests_.push_back({static_cast<std::uint16_t>(in), static_cast<std::uint16_t>(out), false});
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

/// As router::SwitchAllocator, through the interface. The allocator matches ports. If several channels of an in-port
/// request the same out-port, a non-speculative request takes precedence over a speculative one; among equals the
/// arbiter of the in-port picks.
template <int capacity>
class OwnSwitchAllocator {
 public:
  static constexpr int words = (capacity + 63) / 64;
  using Set = router::ChannelSet<words>;

  OwnSwitchAllocator(const router::RouterShape& shape, std::unique_ptr<Allocator> allocator,
                     const MakeArbiter& make_arbiter)
      : channels_(shape.channels), allocator_(std::move(allocator)) {
    for (int in = 0; in < shape.port_count(); ++in) channel_arbiters_.emplace_back(make_arbiter(channels_));
  }

  /// Never takes this shortcut: each step runs the allocator.
  template <class Go>
  bool grant_all(const router::ChannelTable<words>&, const Set&, Go&&) {
    return false;
  }
  template <class Go>
  void allocate(const router::RouterShape& shape, const router::SwitchRequests<words>& requests, Go&& go) {
    requests_.clear();
    grants_.clear();
    for (std::uint64_t left = requests.outs(); left != 0; left &= left - 1) {
      const int out = __builtin_ctzll(left);
      std::uint64_t nonspeculative = 0, all = 0;
      requests.nonspeculative(out).for_each(
          [&](int channel) { nonspeculative |= std::uint64_t{1} << shape.port_index(channel); });
      requests.speculative(out).for_each([&](int channel) { all |= std::uint64_t{1} << shape.port_index(channel); });
      for (all |= nonspeculative; all != 0; all &= all - 1) {
        const int in = __builtin_ctzll(all);
        requests_.push_back(
            {static_cast<std::uint16_t>(in), static_cast<std::uint16_t>(out), (nonspeculative >> in & 1) == 0});
      }
    }
    if (requests_.empty()) return;
    allocator_->allocate(requests_.data(), requests_.size(), grants_);
    for (const Request& grant : grants_) grant_port(shape, requests, grant.in, grant.out, go);
  }

 private:
  template <class Go>
  void grant_port(const router::RouterShape& shape, const router::SwitchRequests<words>& requests, int in, int out,
                  Go&& go) {
    const Set of_port = Set::range(shape.first(in), channels_);
    const Set nonspeculative = requests.nonspeculative(out) & of_port;
    const bool is_nonspeculative = !nonspeculative.empty();
    std::array<std::uint64_t, words> requesters{};
    (is_nonspeculative ? nonspeculative : requests.speculative(out) & of_port).for_each([&](int channel) {
      const int number = shape.number(channel);
      requesters[static_cast<std::size_t>(number / 64)] |= std::uint64_t{1} << number % 64;
    });
    Arbiter& arbiter = *channel_arbiters_[static_cast<std::size_t>(in)];
    const int number = arbiter.pick(requesters.data(), (channels_ + 63) / 64);
    arbiter.granted(number);
    go(shape.first(in) + number, out, is_nonspeculative);
  }

  int channels_;
  Cloned<Allocator> allocator_;
  std::vector<Cloned<Arbiter>> channel_arbiters_{};  ///< [in-port index] pick one of its channels
  std::vector<Request> requests_{}, grants_{};       ///< of a step, between port indices
};

/// Any allocators, with any arbiters.
template <int capacity>
struct OwnParts {
  OwnChannelAllocator<capacity> channels;
  OwnSwitchAllocator<capacity> switches;
};

}  // namespace starloom::links
