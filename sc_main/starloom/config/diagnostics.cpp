// SPDX-License-Identifier: Apache-2.0
#include <starloom/config/diagnostics.hpp>

#include <fmt/format.h>

#include <sstream>
#include <starloom/support/error.hpp>
#include <starloom/support/escape.hpp>

namespace starloom {

std::string SourceLocation::text() const { return line == 0 ? source : fmt::format("{}:{}:{}", source, line, column); }

std::string SourceLocation::before(const std::string& error) const {
  if (line > 0) return fmt::format("{}: {}", text(), error);
  const std::string key = source.substr(source.find_last_of(" -") + 1), unknown = "unknown key " + key;
  if (error.rfind(key + ": ", 0) == 0) return fmt::format("{}: {}", text(), error.substr(key.size() + 2));
  const bool is_unknown = error == unknown || error.rfind(unknown + " (", 0) == 0;
  return fmt::format("{}: {}", text(), is_unknown ? "unknown key" + error.substr(unknown.size()) : error);
}

void Diagnostics::add(const SourceLocation& location, const std::string& text) {
  diagnostics_.add({location.line == 0, location.line, location.column}, location.before(escape(text)));
}

void Diagnostics::add_placed(const std::string& text) { placed_ += (placed_.empty() ? "" : "\n") + text; }

void Diagnostics::raise() const {
  if (!any()) return;
  throw InputError(diagnostics_.text() + (diagnostics_.any() && !placed_.empty() ? "\n" : "") + placed_);
}

}  // namespace starloom
