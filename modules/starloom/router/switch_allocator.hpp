// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The allocator of the switch (crossbar).
#include <array>
#include <cstdint>

#include <starloom/router/channel_table.hpp>
#include <starloom/router/router_shape.hpp>

namespace starloom::router {

/// The requests of input channels to the switch in a step.
template <int words>
class SwitchRequests {
 public:
  using Set = ChannelSet<words>;

  /// Channel `in` owns an output channel of out-port index `out` and can send over it.
  void nonspeculative(int out, int in) {
    touch(out);
    nonspeculative_[out].add(in);
  }
  /// Channels `in` may get an output channel there in this step.
  void speculative(int out, const Set& in) {
    touch(out);
    speculative_[out] |= in;
  }
  /// Removes the requests for these out-port indices. True if there were any.
  bool withdraw(std::uint64_t outs) {
    const bool requested = (outs_ & outs) != 0;
    outs_ &= ~outs;
    return requested;
  }

  /// Removes the requests of these input channels.
  void withdraw(const Set& ins) {
    for (std::uint64_t left = outs_; left != 0; left &= left - 1) withdraw(__builtin_ctzll(left), ins);
  }
  /// Removes the requests of these input channels for an out-port.
  void withdraw(int out, const Set& ins) {
    if ((outs_ >> out & 1) == 0) return;
    nonspeculative_[out] -= ins;
    speculative_[out] -= ins;
    if (nonspeculative_[out].empty() && speculative_[out].empty()) outs_ &= ~(std::uint64_t{1} << out);
  }

  /// Requested out-port indices, as a mask.
  std::uint64_t outs() const { return outs_; }
  const Set& nonspeculative(int out) const { return nonspeculative_[out]; }
  const Set& speculative(int out) const { return speculative_[out]; }

 private:
  void touch(int out) {
    const std::uint64_t bit = std::uint64_t{1} << out;
    if ((outs_ & bit) != 0) return;
    outs_ |= bit;
    nonspeculative_[out] = speculative_[out] = {};
  }

  std::uint64_t outs_ = 0;
  std::array<Set, most_router_ports> nonspeculative_;  ///< [out-port index], valid for those in `outs_`
  std::array<Set, most_router_ports> speculative_;     ///< [out-port index], valid for those in `outs_`
};

/// Matches in-ports and out-ports, each at most once per step: separable, output side first, round robin, one
/// iteration.
///
/// Each pair of an in-port and an out-port makes one request, from one channel: a non-speculative request before a
/// speculative one, then the first from the pointer of the in-port on. Each out-port picks the first in-port from its
/// pointer on among all requesters, speculative or not; each in-port accepts the first out-port from its own. All
/// three pointers then move one past their choice, also if a speculative grant is not used.
template <int capacity>
class SwitchAllocator {
 public:
  static constexpr int words = (capacity + 63) / 64;
  using Set = ChannelSet<words>;
  using Requests = SwitchRequests<words>;

  explicit SwitchAllocator(const RouterShape& shape) : channels_(shape.channels) {
    for (int in = 0; in < shape.port_count(); ++in) accept(in, shape.local_index(), shape.first(in) + channels_ - 1);
    last_in_.fill(static_cast<Number>(shape.local_index()));
  }

  /// A shortcut for non-speculative requests only, if no two are for one out-port, or from one in-port: does what
  /// `allocate` would do. Otherwise does not change anything.
  /// \param in channels with a non-speculative request; `table` has the in-port and the out-port of each.
  /// \param go called with every channel.
  /// \return true if it has done it.
  template <class Go>
  bool grant_all(const ChannelTable<words>& table, const Set& in, Go&& go) {
    std::uint64_t ins = 0, outs = 0, clash = 0;
    in.for_each([&](int channel) {
      const InputChannel& input = table.input(channel);
      const std::uint64_t from = std::uint64_t{1} << input.port_index, to = std::uint64_t{1} << input.out_index;
      clash |= (ins & from) | (outs & to);
      ins |= from;
      outs |= to;
    });
    if (clash != 0) return false;
    in.for_each([&](int channel) {
      const InputChannel& input = table.input(channel);
      accept(input.port_index, input.out_index, channel);
      go(channel);
    });
    return true;
  }

  /// \param go called with (input channel, out-port index, true if non-speculative) for every pair.
  template <class Go>
  void allocate(const RouterShape& shape, const Requests& requests, Go&& go) {
    std::uint64_t picked = 0;
    // [in-port index] out-port indices, valid for those in `picked`
    std::array<std::uint64_t, most_router_ports> picked_by;
    for (std::uint64_t left = requests.outs(); left != 0; left &= left - 1) {
      const int out = __builtin_ctzll(left);
      const int in = shape.port_index(
          (requests.nonspeculative(out) | requests.speculative(out)).first_behind((last_in_[out] + 1) * channels_ - 1));
      const std::uint64_t bit = std::uint64_t{1} << in;
      if ((picked & bit) == 0) picked_by[in] = 0;
      picked |= bit;
      picked_by[in] |= std::uint64_t{1} << out;
    }
    for (; picked != 0; picked &= picked - 1) {
      const int in = __builtin_ctzll(picked);
      const int out = bit_behind(picked_by[in], last_out_[in]);
      const Set of_port = Set::range(in * channels_, channels_);
      const Set nonspeculative = requests.nonspeculative(out) & of_port;
      const bool is_nonspeculative = !nonspeculative.empty();
      const Set speakers = is_nonspeculative ? nonspeculative : requests.speculative(out) & of_port;
      const int channel = speakers.first_behind(last_channel_[in]);
      accept(in, out, channel);
      go(channel, out, is_nonspeculative);
    }
  }

 private:
  using Number = std::uint16_t;
  void accept(int in, int out, int channel) {
    last_in_[out] = static_cast<Number>(in);
    last_out_[in] = static_cast<Number>(out);
    last_channel_[in] = static_cast<Number>(channel);
  }
  static constexpr int ports = capacity < most_router_ports ? capacity : most_router_ports;

  int channels_;
  // The pointer is one past the last choice.
  std::array<Number, ports> last_in_;       ///< [out-port index]
  std::array<Number, ports> last_out_;      ///< [in-port index]
  std::array<Number, ports> last_channel_;  ///< [in-port index]
};

}  // namespace starloom::router
