// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The keys `order`, `lexicographic` and `tie` of planners that serve one packet after the other.
#include <string>
#include <vector>

#include <starloom/planning/links/multistage/packet_order.hpp>
#include <starloom/schema/keys.hpp>

namespace starloom::links {

inline std::vector<KeySpec> order_keys(const std::string& default_order) {
  return {
      choice_key(
          "order", packet_order_names(),
          "order in which packets are planned: by position of the source (RM, CM, snakes SRM, SCM), at random (RND), "
          "or by the longest (or shortest) total, horizontal or vertical distance (LTD, LLH, LLV; STD, SLH, SLV)")
          .by_default(default_order),
      boolean_key("lexicographic", "LLH, LLV, SLH and SLV break ties by the other distance").by_default(false),
      choice_key("tie", tie_break_names(), "order among equal packets, by position of the source")
          .by_default(tie_break_names().front())};
}

/// The ordering given by those keys. Absent keys have their defaults.
inline Ordering ordering_of(const KeyValues& keys, std::uint64_t seed) {
  Ordering ordering;
  ordering.order = packet_order_named(keys.text("order"));
  ordering.tie = tie_break_named(keys.text("tie"));
  ordering.lexicographic = keys.has("lexicographic") && keys.boolean("lexicographic");
  ordering.seed = seed;
  return ordering;
}

}  // namespace starloom::links
