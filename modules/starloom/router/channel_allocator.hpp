// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The allocator of virtual channels.
#include <cstdint>
#include <type_traits>

#include <starloom/router/channel_set.hpp>
#include <starloom/router/entries.hpp>

namespace starloom::router {

/// Allocates output channels to input channels: separable, output side first, round robin, one iteration (iSLIP: N.
/// McKeown, IEEE/ACM Trans. Networking 7(2), 1999, with pointers that move only when a grant is accepted).
///
/// Each output channel picks the first of its requesters from its pointer on; each input channel that was picked
/// accepts the first such output channel from its own pointer on. Both pointers then move one past the other side.
template <int capacity>
class ChannelAllocator {
 public:
  using Set = ChannelSet<words_of(capacity)>;

  /// \param size number of channels of all in-ports, or of all out-ports; at most `capacity`, unless that
  /// is 0.
  explicit ChannelAllocator(int size)
      : last_input_(size, static_cast<Number>(size - 1)), last_output_(size, static_cast<Number>(size - 1)) {}

  /// \param outputs output channels that are requested and free.
  /// \param requesters [output channel] the input channels that request it, not empty for those in `outputs`.
  /// \param win called with (input channel, output channel) for every pair, in the order of input channels.
  /// \return the input channels that got an output channel.
  template <class Requesters, class Win>
  Set allocate(const Set& outputs, const Requesters& requesters, Win&& win) {
    Set picked{};
    Entries<Set, capacity> picked_by(last_output_.size());  // [input channel], valid for those in `picked`
    outputs.for_each([&](int out) {
      const int in = requesters[out].first_behind(last_input_[out]);
      if (!picked.has(in)) picked_by[in] = {};
      picked.add(in);
      picked_by[in].add(out);
    });
    picked.for_each([&](int in) {
      const int out = picked_by[in].first_behind(last_output_[in]);
      last_input_[out] = static_cast<Number>(in);
      last_output_[in] = static_cast<Number>(out);
      win(in, out);
    });
    return picked;
  }

 private:
  using Number = std::conditional_t<capacity == 0, std::uint16_t, std::uint8_t>;
  // The pointer is one past the last choice.
  Entries<Number, capacity> last_input_;   ///< [output channel]
  Entries<Number, capacity> last_output_;  ///< [input channel]
};

}  // namespace starloom::router
