// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Text in XML.
#include <string>
#include <string_view>

#include <starloom/support/escape.hpp>

namespace starloom {

/// The text for contents and attributes: characters that XML reserves are entities, and those that XML 1.0 does not
/// allow at all (control characters, bytes that are not UTF-8) are escaped as by `escape`.
inline std::string escaped(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t bytes = shown_bytes(text);
    const std::string_view character = text.substr(0, bytes > 0 ? bytes : 1);
    switch (character[0]) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\n': out += "&#10;"; break;
      case '\t': out += "&#9;"; break;
      default: out += escape(character);
    }
    text.remove_prefix(character.size());
  }
  return out;
}

}  // namespace starloom
