// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The allocator of the switch (crossbar).
#include <cstdint>
#include <type_traits>

#include <starloom/router/channel_table.hpp>
#include <starloom/router/entries.hpp>
#include <starloom/router/router_shape.hpp>

namespace starloom::router {

/// The requests of input channels to the switch in a step.
template <int words>
class SwitchRequests {
 public:
  using Set = ChannelSet<words>;

  explicit SwitchRequests(const RouterShape& shape)
      : nonspeculative_(shape.port_count()), speculative_(shape.port_count()) {}

  /// Channel `in` owns an output channel of out-port index `out` and can send over it.
  void nonspeculative(int out, int in) {
    touch(out);
    nonspeculative_[out].add(in);
  }
  /// Channels `in`, those in `but` excepted, may get an output channel there in this step.
  void speculative(int out, const Set& in, const Set& but) {
    touch(out);
    speculative_[out].add_all(in, but);
  }
  /// Removes the requests for these out-port indices. True if there were any.
  bool withdraw_outs(const PortIndices<words>& outs) {
    const bool requested = !(outs_ & outs).empty();
    outs_ -= outs;
    return requested;
  }

  /// Removes the requests of these input channels.
  void withdraw_ins(const Set& ins) {
    outs_.for_each([&](int out) { withdraw(out, ins); });
  }
  /// Removes the requests of these input channels for an out-port.
  void withdraw(int out, const Set& ins) {
    if (!outs_.has(out)) return;
    nonspeculative_[out] -= ins;
    speculative_[out] -= ins;
    if (nonspeculative_[out].empty() && speculative_[out].empty()) outs_.remove(out);
  }

  /// The input channels that make requests.
  Set ins() const {
    Set all{};
    outs_.for_each([&](int out) { all |= nonspeculative_[out] | speculative_[out]; });
    return all;
  }
  /// Requested out-port indices.
  const PortIndices<words>& outs() const { return outs_; }
  const Set& nonspeculative(int out) const { return nonspeculative_[out]; }
  const Set& speculative(int out) const { return speculative_[out]; }

 private:
  void touch(int out) {
    if (outs_.has(out)) return;
    outs_.add(out);
    nonspeculative_[out] = speculative_[out] = {};
  }

  PortIndices<words> outs_{};
  Entries<Set, most_ports<words>> nonspeculative_;  ///< [out-port index], valid for those in `outs_`
  Entries<Set, most_ports<words>> speculative_;     ///< [out-port index], valid for those in `outs_`
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
  static constexpr int words = words_of(capacity);
  using Set = ChannelSet<words>;
  using Requests = SwitchRequests<words>;

  explicit SwitchAllocator(const RouterShape& shape)
      : channels_(shape.channels),
        last_in_(shape.port_count(), static_cast<Number>(shape.local_index())),
        last_out_(shape.port_count()),
        last_channel_(shape.port_count()) {
    for (int in = 0; in < shape.port_count(); ++in) accept(in, shape.local_index(), shape.first(in) + channels_ - 1);
  }

  /// A shortcut for non-speculative requests only, if no two are for one out-port, or from one in-port: does what
  /// `allocate` would do. Otherwise does not change anything.
  /// \param in channels with a non-speculative request; `table` has the in-port and the out-port of each.
  /// \param go called with every channel.
  /// \return true if it has done it.
  template <class Go>
  bool grant_all(const ChannelTable<words>& table, const Set& in, Go&& go) {
    PortIndices<words> ins{}, outs{};
    bool clash = false;
    in.for_each([&](int channel) {
      const InputChannel& input = table.input(channel);
      clash |= !ins.insert(input.port_index) | !outs.insert(input.out_index);
    });
    if (clash) return false;
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
    PortIndices<words> picked{};
    // [in-port index] out-port indices, valid for those in `picked`
    Entries<PortIndices<words>, most_ports<words>> picked_by(shape.port_count());
    requests.outs().for_each([&](int out) {
      const int in = shape.port_index(
          (requests.nonspeculative(out) | requests.speculative(out)).first_behind((last_in_[out] + 1) * channels_ - 1));
      if (picked.insert(in)) picked_by[in] = {};
      picked_by[in].add(out);
    });
    picked.for_each([&](int in) {
      const int out = picked_by[in].first_behind(last_out_[in]);
      const Set of_port = Set::range(in * channels_, channels_);
      const Set nonspeculative = requests.nonspeculative(out) & of_port;
      const bool is_nonspeculative = !nonspeculative.empty();
      const Set speakers = is_nonspeculative ? nonspeculative : requests.speculative(out) & of_port;
      const int channel = speakers.first_behind(last_channel_[in]);
      accept(in, out, channel);
      go(channel, out, is_nonspeculative);
    });
  }

 private:
  using Number = std::conditional_t<capacity == 0, std::uint16_t, std::uint8_t>;
  void accept(int in, int out, int channel) {
    last_in_[out] = static_cast<Number>(in);
    last_out_[in] = static_cast<Number>(out);
    last_channel_[in] = static_cast<Number>(channel);
  }
  static constexpr int ports = std::min(capacity, most_ports<words>);

  int channels_;
  // The pointer is one past the last choice.
  Entries<Number, ports> last_in_;       ///< [out-port index]
  Entries<Number, ports> last_out_;      ///< [in-port index]
  Entries<Number, ports> last_channel_;  ///< [in-port index]
};

}  // namespace starloom::router
