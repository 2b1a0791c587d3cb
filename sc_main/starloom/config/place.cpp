// SPDX-License-Identifier: Apache-2.0
#include <starloom/config/place.hpp>

#include <fmt/format.h>

#include <sstream>
#include <starloom/support/error.hpp>
#include <starloom/support/printable.hpp>

namespace starloom {

std::string Place::text() const { return line == 0 ? source : fmt::format("{}:{}:{}", source, line, column); }

void Faults::add(const Place& place, const std::string& text) {
  faults_.add({place.line == 0, place.line, place.column}, fmt::format("{}: {}", place.text(), printable(text)));
}

void Faults::add_placed(const std::string& text) { placed_ += (placed_.empty() ? "" : "\n") + text; }

void Faults::raise() const {
  if (!any()) return;
  throw InputError(faults_.text() + (faults_.any() && !placed_.empty() ? "\n" : "") + placed_);
}

}  // namespace starloom
