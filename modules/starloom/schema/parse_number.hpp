// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Numbers in data files: the text has to be a number completely, in any locale.
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <starloom/core/ids.hpp>

namespace starloom {

/// A decimal integer that fits into 64 bits; no other characters before or after it, no plus sign.
inline std::optional<std::int64_t> parse_integer(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// A finite decimal number, with or without decimal point and exponent.
inline std::optional<double> parse_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

/// The error in `text` as an integer of `least` to `most`; empty if there is none.
inline std::optional<std::string> integer_error(std::string_view text, std::int64_t least, std::int64_t most) {
  const std::optional<std::int64_t> value = parse_integer(text);
  if (!value) return "'" + std::string(text) + "' is not an integer";
  if (*value < least) return std::to_string(*value) + " is less than " + std::to_string(least);
  if (*value > most) return std::to_string(*value) + " is more than " + std::to_string(most);
  return std::nullopt;
}

/// The error in `text` as the number of a node of a network of `nodes` nodes; empty if there is none.
inline std::optional<std::string> node_error(std::string_view text, NodeId nodes) {
  const std::optional<std::int64_t> value = parse_integer(text);
  if (!value) return "'" + std::string(text) + "' is not an integer";
  if (*value < 0 || *value >= nodes)
    return std::to_string(*value) + " is not a node: nodes are 0 to " + std::to_string(nodes - 1);
  return std::nullopt;
}

}  // namespace starloom
