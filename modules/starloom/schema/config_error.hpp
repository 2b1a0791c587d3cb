// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Errors in the keys of an experiment.
#include <string>
#include <utility>
#include <vector>

#include <starloom/support/error.hpp>

namespace starloom {

/// Keys with invalid values, by themselves or in combination.
class ConfigError : public InputError {
 public:
  /// A key within its section, `flits.mix`, or an empty name for the section as a whole; and the error.
  struct Diagnostic {
    std::string key, text;
  };

  ConfigError(std::string key, std::string text) : ConfigError({{std::move(key), std::move(text)}}) {}
  /// \param diagnostics at least one.
  explicit ConfigError(std::vector<Diagnostic> diagnostics)
      : InputError(texts(diagnostics)), diagnostics_(std::move(diagnostics)) {}
  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

 private:
  static std::string texts(const std::vector<Diagnostic>& diagnostics) {
    std::string lines;
    for (const Diagnostic& error : diagnostics) lines += (lines.empty() ? "" : "\n") + error.text;
    return lines;
  }

  std::vector<Diagnostic> diagnostics_;
};

}  // namespace starloom
