#include <starloom/config/place.hpp>

#include <fmt/format.h>

#include <sstream>

#include <starloom/core/error.hpp>
#include <starloom/core/printable.hpp>

namespace starloom {

std::string Place::text() const { return line == 0 ? source : fmt::format("{}:{}:{}", source, line, column); }

void Faults::add(const Place& place, const std::string& text) {
  faults_.add({place.line == 0, place.line, place.column}, fmt::format("{}: {}", place.text(), printable(text)));
}

void Faults::add_placed(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) faults_.add({true, 0, 0}, line);
}

void Faults::raise() const {
  if (faults_.any()) throw InputError(faults_.text());
}

}  // namespace starloom
