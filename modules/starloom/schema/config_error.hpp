// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Faults of keys of an experiment.
#include <string>
#include <utility>
#include <vector>

#include <starloom/support/error.hpp>

namespace starloom {

/// Keys whose values do not serve, by themselves or beside others.
class ConfigError : public InputError {
 public:
  /// A key within its section, `flits.mix`, or nothing for the section as a whole; and what is wrong with it.
  struct Diagnostic {
    std::string key, text;
  };

  ConfigError(std::string key, std::string text) : ConfigError({{std::move(key), std::move(text)}}) {}
  /// \param faults at least one.
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
