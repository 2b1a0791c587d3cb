// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Numbers in data files: the whole text or nothing, whatever the locale.
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <starloom/core/ids.hpp>

namespace starloom {

/// A decimal integer that fits 64 bits; nothing before or behind it, no plus sign.
inline std::optional<std::int64_t> parse_integer(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// A finite decimal number, with or without point and exponent.
inline std::optional<double> parse_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

/// What is wrong with `text` as the number of a node of a network of `nodes` nodes; nothing if it is one.
inline std::optional<std::string> node_error(std::string_view text, NodeId nodes) {
  const std::optional<std::int64_t> value = parse_integer(text);
  if (!value) return "'" + std::string(text) + "' is not an integer";
  if (*value < 0 || *value >= nodes)
    return std::to_string(*value) + " is not a node: nodes are 0 to " + std::to_string(nodes - 1);
  return std::nullopt;
}

}  // namespace starloom
