// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Errors in a text that is not valid YAML, in words for its writer.
#include <string>
#include <string_view>

namespace starloom {

/// An error and its location, counted from 1.
struct YamlError {
  int line = 1;
  int column = 1;
  std::string text;
};

/// The error that a parser noticed at a location, or the tab at which its line begins: YAML requires spaces there,
/// and parsers report something else.
/// \param parser_text the parser's own words.
YamlError yaml_error(std::string_view text, int line, int column, const std::string& parser_text);

}  // namespace starloom
