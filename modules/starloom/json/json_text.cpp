// SPDX-License-Identifier: Apache-2.0
#include <starloom/json/json_text.hpp>

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string_view>

#include <starloom/support/error.hpp>

namespace starloom {

using Json = nlohmann::ordered_json;

namespace {

/// ":LINE:COLUMN: this is not JSON" for the byte at which a parser stopped, counted from 1. A byte after the text means
/// that the file ends too early.
std::string not_json(std::string_view text, std::size_t byte) {
  const std::size_t at = std::min(byte > 0 ? byte - 1 : 0, text.size());
  const std::string_view before = text.substr(0, at);
  const auto lines = std::count(before.begin(), before.end(), '\n');
  const std::size_t newline = before.rfind('\n');
  const std::size_t column = newline == std::string_view::npos ? at + 1 : at - newline;
  return ":" + std::to_string(lines + 1) + ":" + std::to_string(column) + ": this is not JSON" +
         (at == text.size() ? ": the file ends here" : "");
}

}  // namespace

Json parse_json(const std::string& text) { return Json::parse(text); }

Json parse_json_file(const std::string& text, const std::string& name, const std::string& advice) try {
  return parse_json(text);
} catch (const Json::parse_error& error) {
  throw InputError(name + not_json(text, error.byte) + advice);
} catch (const Json::out_of_range&) {
  throw InputError(name + ": a number in the file is too large" + advice);
}

std::string without_library(const std::string& text) {
  const std::size_t end = text.find("] ");
  return text.rfind("[json.exception.", 0) == 0 && end != std::string::npos ? text.substr(end + 2) : text;
}

}  // namespace starloom
