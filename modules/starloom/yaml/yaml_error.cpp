// SPDX-License-Identifier: Apache-2.0
#include <starloom/yaml/yaml_error.hpp>

namespace starloom {

YamlError yaml_error(std::string_view text, int line, int column, const std::string& parser_text) {
  for (int at = 1; at < line; ++at) {
    const std::size_t end = text.find('\n');
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  const std::size_t tab = text.substr(0, text.find_first_not_of(" \t")).find('\t');
  if (tab == std::string_view::npos) return {line, column, "not YAML: " + parser_text};
  return {line, static_cast<int>(tab) + 1, "a tab at the beginning of the line; YAML allows only spaces there"};
}

}  // namespace starloom
