// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Escaping of foreign text in messages.
#include <filesystem>
#include <string>
#include <string_view>

namespace starloom {

/// The number of bytes of the first character of a text; 0 if it is not well-formed UTF-8 (Unicode 15, table 3-7).
inline std::size_t character_bytes(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const unsigned first = byte(0), second = byte(1);
  if (first < 0x80) return text.empty() ? 0 : 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  for (std::size_t i = 1; i < length; ++i)
    if (byte(i) < 0x80 || byte(i) > 0xbf) return 0;
  const bool too_long = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
  const bool no_character = (first == 0xed && second > 0x9f) || (first == 0xf4 && second > 0x8f);
  return too_long || no_character ? 0 : length;
}

/// True for a character that changes the display order of others, or ends a line: the marks of right-to-left text
/// (Unicode 15, annex 9, table 1), the separators of lines and paragraphs.
inline bool changes_layout(std::string_view character) {
  if (character == "\xd8\x9c") return true;  // U+061C
  if (character.size() != 3 || character.substr(0, 2) != "\xe2\x80") {
    const bool isolate = character.substr(0, 2) == "\xe2\x81";  // U+2066 to U+2069
    return isolate && character[2] >= '\xa6' && character[2] <= '\xa9';
  }
  const char last = character[2];  // U+200E, U+200F, U+2028 to U+202E
  return last == '\x8e' || last == '\x8f' || (last >= '\xa8' && last <= '\xae');
}

/// As `character_bytes`, but 0 for characters that cannot be displayed as they are: control characters, those that
/// change the layout, and U+FFFE and U+FFFF, which XML does not allow.
inline std::size_t shown_bytes(std::string_view text) {
  const std::size_t bytes = character_bytes(text);
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (changes_layout(text.substr(0, bytes))) return 0;
  if (bytes == 1) return byte(0) >= 0x20 && byte(0) != 0x7f ? 1 : 0;
  if (bytes == 2 && byte(0) == 0xc2 && byte(1) < 0xa0) return 0;
  if (bytes == 3 && byte(0) == 0xef && byte(1) == 0xbf && byte(2) > 0xbd) return 0;
  return bytes;
}

/// The text as UTF-8 in one line: control characters, marks that change the order of letters, and bytes that are not
/// UTF-8, are written as `\x0d`. A message stays on its line, and a file cannot send control sequences to a terminal.
inline std::string escape(std::string_view text) {
  constexpr char digits[] = "0123456789abcdef";
  std::string shown;
  while (!text.empty()) {
    const std::size_t bytes = shown_bytes(text);
    const auto byte = static_cast<unsigned char>(text[0]);
    if (bytes > 0) shown += text.substr(0, bytes);
    else shown += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
    text.remove_prefix(bytes > 0 ? bytes : 1);
  }
  return shown;
}

/// The name of a file for tables, reports and success lines: printable, and different for different names, because a
/// backslash that could be taken for the start of an escape is itself escaped.
inline std::string shown(const std::filesystem::path& name) {
  std::string escaped;
  const std::string& bytes = name.native();
  for (std::size_t i = 0; i < bytes.size(); ++i)
    if (bytes.compare(i, 2, "\\x") == 0) escaped += "\\x5c";
    else escaped += bytes[i];
  return escape(escaped);
}

/// A message of at most 600 bytes: the middle of a longer one is omitted, at character boundaries.
inline std::string shortened(const std::string& text) {
  constexpr std::size_t most = 600, half = (most - 5) / 2;
  if (text.size() <= most) return text;
  const auto inside = [&](std::size_t at) { return (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80; };
  std::size_t head = half, tail = text.size() - half;
  while (head > 0 && inside(head)) --head;
  while (tail < text.size() && inside(tail)) ++tail;
  return text.substr(0, head) + " ... " + text.substr(tail);
}

/// The text as a cell of a CSV file without quotes: commas, quotes and control characters are written as `_`.
inline std::string unquoted_cell(std::string text) {
  for (char& c : text)
    if (c == ',' || c == '"' || static_cast<unsigned char>(c) < ' ') c = '_';
  return text;
}

}  // namespace starloom
