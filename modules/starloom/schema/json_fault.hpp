// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Where a JSON file stops being one, for messages in our words.
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace starloom {

/// "NAME:LINE:COLUMN: this is not JSON" for the byte at which a parser stopped, counted from 1. A byte after the text
/// means that the file ends too early.
inline std::string json_fault(const std::string& name, std::string_view text, std::size_t byte) {
  const std::size_t at = std::min(byte > 0 ? byte - 1 : 0, text.size());
  const std::string_view before = text.substr(0, at);
  const auto lines = std::count(before.begin(), before.end(), '\n');
  const std::size_t newline = before.rfind('\n');
  const std::size_t column = newline == std::string_view::npos ? at + 1 : at - newline;
  return name + ":" + std::to_string(lines + 1) + ":" + std::to_string(column) + ": this is not JSON" +
         (at == text.size() ? ": the file ends here" : "");
}

/// What the library says of a value, without the library's name: `[json.exception.type_error.302] type must be ...`.
inline std::string without_library(const std::string& text) {
  const std::size_t end = text.find("] ");
  return text.rfind("[json.exception.", 0) == 0 && end != std::string::npos ? text.substr(end + 2) : text;
}

}  // namespace starloom
