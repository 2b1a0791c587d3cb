// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The priorities of the flits at the fronts of input channels.
#include <algorithm>
#include <cstdint>
#include <string_view>

#include <starloom/router/channel_requests.hpp>

namespace starloom::links {

/// The rules by which flits come first (docs/router-family.md, "Priorities").
enum class PriorityRule { none, of_class, age, network_age, local_age, hop_count, queue_length, sequence };
/// Their names, in the order of the enumeration.
inline constexpr std::string_view priority_rule_names[] = {"none",      "class",     "age",          "network-age",
                                                           "local-age", "hop-count", "queue-length", "sequence"};

/// The keys of priorities.
struct PriorityKeys {
  PriorityRule rule = PriorityRule::none;
  bool donate = false;        ///< the greatest priority of all flits of a channel counts, not that of its front
  bool prefer_empty = false;  ///< heads prefer output channels whose buffer is empty

  /// A priority as a wave shows it: an age, or a sequence, as the step or number that it counts from.
  std::uint32_t shown(std::int64_t priority) const {
    const bool is_greater =
        rule == PriorityRule::of_class || rule == PriorityRule::hop_count || rule == PriorityRule::queue_length;
    return static_cast<std::uint32_t>(is_greater ? priority : -priority);
  }
  bool needs_records() const {
    switch (rule) {
      case PriorityRule::none:
      case PriorityRule::of_class:
      case PriorityRule::age:
      case PriorityRule::queue_length: return false;
      case PriorityRule::network_age:
      case PriorityRule::local_age:
      case PriorityRule::hop_count:
      case PriorityRule::sequence: return true;
    }
    return false;
  }
};

/// The priority of a flit in a buffer; greater ones come first. \param i its position from the front.
template <int words>
std::int64_t flit_priority(const ChannelView<words>& view, const RoutedClasses& classes, PriorityRule rule, int in,
                           int i) {
  switch (rule) {
    case PriorityRule::none: break;
    case PriorityRule::of_class: return classes.of(view.packet(view.flit(in, i).packet)).priority;
    case PriorityRule::age: return -view.packet(view.flit(in, i).packet).created;
    case PriorityRule::network_age: return -view.record(in, i).injected;
    case PriorityRule::local_age: return -view.record(in, i).readable;
    case PriorityRule::hop_count: return view.record(in, i).switches;
    case PriorityRule::queue_length: return view.channels().input(in).flits;
    case PriorityRule::sequence: return -view.record(in, i).sequence;
  }
  return 0;
}

/// The priority of an input channel with a flit.
template <int words>
std::int64_t channel_priority(const ChannelView<words>& view, const RoutedClasses& classes, const PriorityKeys& keys,
                              int in) {
  std::int64_t greatest = flit_priority(view, classes, keys.rule, in, 0);
  // A flit behind the front is never longer in the buffer, and the number of flits is that of the channel.
  if (!keys.donate || keys.rule == PriorityRule::local_age || keys.rule == PriorityRule::queue_length) return greatest;
  for (int i = 1; i < view.channels().input(in).flits; ++i)
    greatest = std::max(greatest, flit_priority(view, classes, keys.rule, in, i));
  return greatest;
}

}  // namespace starloom::links
