// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The selection: which of the choices that an adaptive routing function gives to a waiting head is requested
/// in a step.
#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>

#include <starloom/control/router_parts.hpp>
#include <starloom/router/channel_controller.hpp>
#include <starloom/router/router_shape.hpp>
#include <starloom/routing/routing_function.hpp>

namespace starloom::links {

/// The choices of a head in a router, with their state at the beginning of a step.
template <int words>
class OpenChoices {
 public:
  using Set = router::ChannelSet<words>;

  /// \param free the output channels that the head may get. \param flits of its packet.
  OpenChoices(const ChannelView<words>& view, const Set& free, std::int32_t flits)
      : view_(view), free_(free), shape_(view.shape()), flits_(flits) {}

  /// The free channels of a choice. With a priority above 0, only those with room for the whole packet, or with an
  /// empty buffer.
  Set open(const routing::Choice& choice) const {
    Set open = Set::range(shape_.channel(choice.port, choice.first), choice.count) & free_;
    if (choice.priority > 0)
      Set(open).for_each([&](int out) {
        if (!view_.is_empty_behind(out) && view_.sure_credits(out) < flits_) open.remove(out);
      });
    return open;
  }

  /// The open channels of the choice that the head requests; none if no choice has any.
  struct Selected {
    Set outputs{};
    int priority = 0;  ///< of the choice
  };
  /// Greater priorities come first.
  template <class Word>
  Selected selected(const routing::Choices& choices, BuiltInSelection selection, const Word& random_word) const {
    const Best best = best_of(choices);
    if (best.count == 0) return {};
    const routing::Choice* selected = best.list[0];
    if (best.count > 1 && selection == BuiltInSelection::random) {
      selected = best.list[static_cast<std::size_t>(std::uint64_t{random_word()} * best.count >> 32)];
    } else if (selection == BuiltInSelection::least_occupied) {
      std::array<int, routing::Choices::most> of;
      for (std::size_t i = 0; i < best.count; ++i) of[i] = credits(*best.list[i]);
      const int most = *std::max_element(of.begin(), of.begin() + best.count);
      const int enough = std::max(most - choices.tolerance(), (most + 1) / 2);
      std::size_t first = 0;
      while (of[first] < enough) ++first;
      selected = best.list[first];
    }
    return requested(*selected);
  }
  /// The same with a selection that is not built in.
  Selected selected(const routing::Choices& choices, const Selection& selection, NodeId node,
                    const std::function<std::uint32_t()>& random_word) const {
    const Best best = best_of(choices);
    if (best.count == 0) return {};
    if (best.count == 1) return requested(*best.list[0]);
    std::array<Candidate, routing::Choices::most> candidates;
    for (std::size_t i = 0; i < best.count; ++i)
      candidates[i] = {*best.list[i], open(*best.list[i]).count(), credits(*best.list[i])};
    return requested(*best.list[selection.select(candidates.data(), best.count, node, random_word)]);
  }

 private:
  Selected requested(const routing::Choice& choice) const { return {open(choice), choice.priority}; }
  /// The open choices of the greatest priority, in their order.
  struct Best {
    std::size_t count = 0;
    std::array<const routing::Choice*, routing::Choices::most> list;
  };
  Best best_of(const routing::Choices& choices) const {
    Best best;
    int priority = -1;
    for (const routing::Choice& choice : choices) {
      if (choice.priority < priority || open(choice).empty()) continue;
      if (choice.priority > priority) best.count = 0;
      priority = choice.priority;
      best.list[best.count++] = &choice;
    }
    return best;
  }
  int credits(const routing::Choice& choice) const {
    int sum = 0;
    const int first = shape_.channel(choice.port, choice.first);
    for (int out = first; out < first + choice.count; ++out) sum += view_.channels().output(out).credits;
    return sum;
  }

  const ChannelView<words>& view_;
  const Set& free_;
  const router::RouterShape& shape_;
  const std::int32_t flits_;
};

}  // namespace starloom::links
