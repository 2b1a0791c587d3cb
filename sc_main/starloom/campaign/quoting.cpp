// SPDX-License-Identifier: Apache-2.0
#include <starloom/campaign/quoting.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include <starloom/support/escape.hpp>

namespace starloom {
namespace {

using Json = nlohmann::ordered_json;

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20; }
bool is_one_of(std::string_view characters, char c) { return characters.find(c) != std::string_view::npos; }
bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

/// The text in quotes; inner quotes are doubled.
std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) out.append(c == '"' ? 2 : 1, c);
  return out + "\"";
}

bool must_be_json(const std::string& text) {
  if (text.empty()) return false;
  // A number below 0 is not a formula.
  const bool formula = is_one_of("=+@", text[0]) || (text[0] == '-' && !Json::accept(text));
  return formula || is_one_of("\"[{", text[0]) || std::any_of(text.begin(), text.end(), is_control);
}

}  // namespace

std::string csv_cell(const Json& value) {
  if (value.is_string()) {
    const auto& text = value.get_ref<const std::string&>();
    if (!must_be_json(text)) return text.find_first_of(",\"") == std::string::npos ? text : in_quotes(text);
  }
  const std::string json = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  return value.is_string() || value.is_structured() ? in_quotes(json) : json;
}

std::string markdown_text(const std::string& text) {
  const std::string shown = escape(text);
  // `[a]: b` at the beginning of a line is the target of a link.
  const std::size_t begin = shown.find_first_not_of(' ');
  const bool bracketed = begin != std::string::npos && shown[begin] == '[';
  std::string out;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const char c = shown[i], before = i > 0 ? shown[i - 1] : ' ', after = i + 1 < shown.size() ? shown[i + 1] : ' ';
    // As entities, because not every dialect of Markdown supports them after a backslash.
    if (c == '<') out += "&lt;";
    else if (c == '>') out += "&gt;";
    else if (c == '&') out += "&amp;";
    // [8,8] alone is not a link, and flit_hops is not emphasised: they stay readable.
    else if (is_one_of("\\`*|~$#", c) || (c == ']' && is_one_of(bracketed ? "([:" : "([", after)) ||
             (c == '_' && !(in_word(before) && in_word(after))))
      out += {'\\', c};
    else out += c;
  }
  return out;
}

std::string latex_text(const std::string& text) {
  std::string out;
  for (const char c : escape(text)) {
    if (is_one_of("&%$#_{}", c)) out += {'\\', c};
    else if (c == '\\') out += "\\textbackslash{}";
    else if (c == '~') out += "\\textasciitilde{}";
    else if (c == '^') out += "\\textasciicircum{}";
    else if (is_one_of("<>|\"", c)) out += fmt::format("{{\\char{}}}", static_cast<int>(c));
    else if (is_one_of("-`'", c)) out += std::string(1, c) + "{}";  // no ligatures
    else out += c;
  }
  return out;
}

std::string gnuplot_text(const std::string& text) {
  // A doubled quote would be sufficient for one, but gnuplot 5.4 ends the constant at two of them ('a''''b') and
  // executes the rest. When it searches for macros it also loses count of the quotes, so no name may follow an @.
  std::string out = "'";
  for (const char c : escape(text))
    out += c == '\'' ? std::string("'.\"'\".'") : c == '@' ? std::string("@'.'") : std::string(1, c);
  return out + "'";
}

}  // namespace starloom
