// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Which of its choices a waiting head asks for in a step, where an adaptive routing function gives it several.
#include <algorithm>
#include <cstdint>

#include <starloom/router/channel_table.hpp>
#include <starloom/router/router_shape.hpp>
#include <starloom/routing/routing_function.hpp>

namespace starloom::links {

/// How a head selects among choices of the same priority.
enum class Selection { least_occupied, first, random };
inline constexpr const char* selection_names[] = {"least-occupied", "first", "random"};

/// The choices of a head in a router, as they stand at the beginning of a step.
template <int words>
class OpenChoices {
 public:
  using Set = router::ChannelSet<words>;

  /// \param flits of the packet. \param capacity flits of a buffer.
  OpenChoices(const router::ChannelTable<words>& channels, const router::RouterShape& shape, std::int32_t flits,
              std::int32_t capacity)
      : channels_(channels), shape_(shape), room_(std::min(flits, capacity)) {}

  /// The free channels of a choice. With a priority above 0, of those that have room for the whole packet, or an empty buffer.
  Set open(const routing::Choice& choice) const {
    Set open = Set::range(shape_.channel(choice.port, choice.first), choice.count) & channels_.free();
    if (choice.priority > 0)
      Set(open).for_each([&](int out) {
        if (channels_.output(out).credits < room_) open.remove(out);
      });
    return open;
  }

  /// What the head asks for: the open channels of one choice, or none, if none is open. Greater priorities come first. Of
  /// several choices `least_occupied` selects the one with the most credits in all its channels, and of equals the one that
  /// the function names first; `first` the one named first; `random` each with the same probability, by a random word.
  template <class Word>
  Set selected(const routing::Choices& choices, Selection selection, const Word& random_word) const {
    int priority = -1, count = 0;
    std::array<const routing::Choice*, routing::Choices::most> best;
    for (const routing::Choice& choice : choices) {
      if (choice.priority < priority || open(choice).empty()) continue;
      if (choice.priority > priority) count = 0;
      priority = choice.priority;
      best[static_cast<std::size_t>(count++)] = &choice;
    }
    if (count == 0) return Set{};
    const routing::Choice* selected = best[0];
    if (count > 1 && selection == Selection::random) {
      selected = best[static_cast<std::size_t>(std::uint64_t{random_word()} * static_cast<std::uint64_t>(count) >> 32)];
    } else if (selection == Selection::least_occupied) {
      for (int i = 1; i < count; ++i)
        if (credits(*best[static_cast<std::size_t>(i)]) > credits(*selected))
          selected = best[static_cast<std::size_t>(i)];
    }
    return open(*selected);
  }

 private:
  int credits(const routing::Choice& choice) const {
    int sum = 0;
    const int first = shape_.channel(choice.port, choice.first);
    for (int out = first; out < first + choice.count; ++out) sum += channels_.output(out).credits;
    return sum;
  }

  const router::ChannelTable<words>& channels_;
  const router::RouterShape& shape_;
  const std::int32_t room_;
};

}  // namespace starloom::links
