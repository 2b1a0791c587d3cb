// SPDX-License-Identifier: Apache-2.0
#include <starloom/config/place.hpp>

#include <fmt/format.h>

#include <sstream>
#include <starloom/support/error.hpp>
#include <starloom/support/printable.hpp>

namespace starloom {

std::string Place::text() const { return line == 0 ? source : fmt::format("{}:{}:{}", source, line, column); }

std::string Place::before(const std::string& fault) const {
  const std::string key = line == 0 ? source.substr(source.find_last_of(" -") + 1) + ": " : "";
  const bool again = !key.empty() && fault.rfind(key, 0) == 0;
  return fmt::format("{}: {}", text(), again ? fault.substr(key.size()) : fault);
}

void Faults::add(const Place& place, const std::string& text) {
  faults_.add({place.line == 0, place.line, place.column}, place.before(printable(text)));
}

void Faults::add_placed(const std::string& text) { placed_ += (placed_.empty() ? "" : "\n") + text; }

void Faults::raise() const {
  if (!any()) return;
  throw InputError(faults_.text() + (faults_.any() && !placed_.empty() ? "\n" : "") + placed_);
}

}  // namespace starloom
