// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Channels of a port, divided into classes.

namespace starloom::routing {

/// Channels first .. first + count - 1 of every port.
struct ChannelRange {
  int first = 0;
  int count = 1;

  bool has(int channel) const { return channel >= first && channel < first + count; }
  bool meets(const ChannelRange& other) const {
    return first < other.first + other.count && other.first < first + count;
  }
  /// Class `number` of `classes` classes, which begins at channel ceil(count * number / classes) of the range.
  ChannelRange part(int number, int classes) const {
    const auto begin = [&](int i) { return (count * i + classes - 1) / classes; };
    return {first + begin(number), begin(number + 1) - begin(number)};
  }
};

}  // namespace starloom::routing
