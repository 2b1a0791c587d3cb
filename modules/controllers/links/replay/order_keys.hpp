#pragma once
/// \file The keys `order`, `lexicographic` and `tie` of planners that serve one packet after the other.
#include <string>
#include <vector>

#include <starloom/core/keys.hpp>
#include <starloom/planners/links/multistage/packet_order.hpp>

namespace starloom::links {

inline std::vector<KeySpec> order_keys(const std::string& default_order) {
  KeySpec order;
  order.name = "order";
  order.type = KeyType::choice;
  order.choices = packet_order_names();
  order.default_value = default_order;
  order.meaning =
      "who is served first: by place (RM, CM, snakes SRM, SCM), at random (RND), or by the longest (or "
      "shortest, STD) total, horizontal or vertical distance (LTD, LLH, LLV)";
  KeySpec lexicographic;
  lexicographic.name = "lexicographic";
  lexicographic.type = KeyType::boolean;
  lexicographic.default_value = false;
  lexicographic.meaning = "LLH and LLV compare the other distance, too, where the first is equal";
  KeySpec tie;
  tie.name = "tie";
  tie.type = KeyType::choice;
  tie.choices = tie_break_names();
  tie.default_value = tie.choices.front();
  tie.meaning = "who is served first of equals, by the place of the source";
  return {order, lexicographic, tie};
}

/// The ordering that those keys ask for. Keys that are absent stay at their defaults.
inline Ordering ordering_of(const KeyValues& keys, std::uint64_t seed) {
  Ordering ordering;
  ordering.order = packet_order_named(keys.text("order"));
  ordering.tie = tie_break_named(keys.text("tie"));
  ordering.lexicographic = keys.has("lexicographic") && keys.boolean("lexicographic");
  ordering.seed = seed;
  return ordering;
}

}  // namespace starloom::links
