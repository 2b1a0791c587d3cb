#pragma once
/// \file Foreign text quoted in a message.
#include <string>
#include <string_view>

namespace starloom {

/// The text with its control characters written as `\x0d`: a message stays on its line, and a file cannot steer the
/// terminal of its reader. Bytes from 128 on stay as they are (UTF-8).
inline std::string printable(std::string_view text) {
  constexpr char digits[] = "0123456789abcdef";
  std::string shown;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7f) shown += c;
    else shown += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
  }
  return shown;
}

}  // namespace starloom
