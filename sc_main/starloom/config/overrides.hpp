// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Values given on the command line that replace those of the file.
#include <string>

#include <starloom/config/document.hpp>

namespace starloom {

/// `--set key.path=value`, or an option for one key.
struct Override {
  std::string option;  ///< its location in messages: `--set limits.steps`, `--seed`
  std::string path;    ///< `limits.steps`; after `expect.` the rest is one key, because such keys contain dots
  std::string value;   ///< YAML
};

/// \throws InputError if the text is not of the form `key.path=value`.
Override parse_override(const std::string& text);

/// Writes the value into the document, with missing sections. \throws InputError if the path leads through a value
/// that is not a section, or the value is not YAML.
void apply_override(DocumentValue& document, const Override& given);
/// The same for a value that is already parsed; `location` is that of the key. \throws InputError as above.
void put_value(DocumentValue& document, const std::string& path, const SourceLocation& location,
               const DocumentValue& value);

}  // namespace starloom
