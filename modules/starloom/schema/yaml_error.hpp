// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file What is wrong with a text that is not YAML, in words for its writer.
#include <string>
#include <string_view>

namespace starloom {

/// A fault and its place, counted from 1.
struct YamlError {
  int line = 1;
  int column = 1;
  std::string text;
};

/// What a parser noticed at a place, or the tab at which its line begins: YAML wants spaces there, of which parsers
/// say other things.
/// \param told the parser's own words.
YamlError yaml_error(std::string_view text, int line, int column, const std::string& told);

}  // namespace starloom
