#include <starloom/config/place.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include <starloom/core/error.hpp>
#include <starloom/core/printable.hpp>

namespace starloom {

std::string Place::text() const { return line == 0 ? source : fmt::format("{}:{}:{}", source, line, column); }

void Faults::add(const Place& place, const std::string& text) {
  faults_.push_back({place, fmt::format("{}: {}", place.text(), printable(text))});
}

void Faults::add_placed(const std::string& text) { faults_.push_back(Fault{Place(), text}); }

void Faults::raise() const {
  if (faults_.empty()) return;
  auto sorted = faults_;
  // Options have no line; they were applied after the file, so they come after it.
  const auto order = [](const Fault& fault) {
    return std::tuple(fault.place.line == 0, fault.place.line, fault.place.column);
  };
  std::stable_sort(sorted.begin(), sorted.end(), [&](const Fault& a, const Fault& b) { return order(a) < order(b); });
  std::string text;
  for (const Fault& fault : sorted) text += (text.empty() ? "" : "\n") + fault.line;
  throw InputError(text);
}

}  // namespace starloom
