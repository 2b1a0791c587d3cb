// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Text in XML.
#include <string>

namespace starloom {

/// With the characters that XML keeps for itself written as entities, for contents and attributes.
inline std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\n': out += "&#10;"; break;
      // Other control characters are no XML at all.
      default: out += static_cast<unsigned char>(c) < 0x20 && c != '\t' ? '?' : c;
    }
  }
  return out;
}

}  // namespace starloom
