// SPDX-License-Identifier: Apache-2.0
#include "fuzz/damage.hpp"

#include <algorithm>
#include <cctype>
#include <cstring>

namespace starloom {
namespace {

/// Words that are often mistaken for numbers, names and signs.
const std::vector<std::string> awkward_words = {"",      "-1",     "0",          "1",
                                                "-0",    "+1",     "007",        "1.5",
                                                "1e400", "nan",    "2147483648", "9223372036854775808",
                                                "null",  "true",   "~",          "-",
                                                "[]",    "{}",     "[1, ]",      "{a: 1, a: 2}",
                                                "\"",    "'",      "#",          ":",
                                                ": ",    "- -",    ",",          "&a",
                                                "*a",    "!!int",  "|",          "?",
                                                "%",     "@",      "\t",         "\r\n",
                                                "\n\n",  "---",    "...",        "ä",
                                                "\xff",  "schema", "x y"};

std::size_t place_in(const std::string& text, Dice& dice) { return dice.below(text.size() + 1); }

bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || std::strchr("_-.", c) != nullptr; }

/// The word around or after a position: begin and length.
std::pair<std::size_t, std::size_t> word_at(const std::string& text, std::size_t at) {
  while (at < text.size() && !in_word(text[at])) ++at;
  std::size_t begin = at, end = at;
  while (begin > 0 && in_word(text[begin - 1])) --begin;
  while (end < text.size() && in_word(text[end])) ++end;
  return {begin, end - begin};
}

/// The line around a position, including its newline: begin and length.
std::pair<std::size_t, std::size_t> line_at(const std::string& text, std::size_t at) {
  const std::size_t before = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
  const std::size_t begin = before == std::string::npos ? 0 : before + 1;
  const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
  return {begin, end - begin};
}

void damage_once(std::string& text, Dice& dice) {
  const std::size_t at = place_in(text, dice);
  const auto [word, word_length] = word_at(text, at);
  switch (dice.below(9)) {
    case 0:
      if (at < text.size()) text[at] = static_cast<char>(dice.below(256));
      break;
    case 1: text.insert(at, 1, static_cast<char>(dice.between(1, 126))); break;
    case 2: text.erase(at, 1 + dice.below(5)); break;
    case 3: text.replace(word, word_length, dice.one_of(awkward_words)); break;
    case 4: {
      const auto [other, other_length] = word_at(text, place_in(text, dice));
      text.replace(word, word_length, std::string(text, other, other_length));
      break;
    }
    case 5:
      // A digit more or less, or another one.
      if (word_length > 0) text.replace(word, 1, dice.one_of<std::string>({"", "9", "99", "-"}));
      break;
    case 6: {
      const auto [line, length] = line_at(text, at);
      text.erase(line, length);
      break;
    }
    case 7: {
      const auto [line, length] = line_at(text, at);
      const std::string copy(text, line, length);
      text.insert(line_at(text, place_in(text, dice)).first, copy);
      break;
    }
    default:
      if (dice.one_in(4)) text.resize(at);
      else text.insert(at, dice.one_of(awkward_words));
  }
}

}  // namespace

std::string damaged(std::string text, Dice& dice) {
  for (std::size_t left = 1 + dice.below(3); left > 0 && !text.empty(); --left) damage_once(text, dice);
  return text;
}

}  // namespace starloom
