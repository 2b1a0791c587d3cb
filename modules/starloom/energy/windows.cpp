// SPDX-License-Identifier: Apache-2.0
#include <starloom/energy/windows.hpp>

#include <fmt/format.h>

#include <algorithm>

#include <starloom/energy/report.hpp>

namespace starloom::energy {
Windows::Windows(const Hardware& hardware, double clock_ns)
    : hardware_(hardware), clock_ns_(clock_ns), leakage_(silicon_of_network(hardware).leakage) {}

void Windows::add(Step from, const Events& events) {
  const Duration duration = duration_of(events.steps, clock_ns_);
  Window window{from, from + events.steps, dynamic_of_network(hardware_, events), 0, 0};
  for (const Exact power : leakage_) window.leakage += duration.leaked(power);
  window.power_mw = picojoules(window.dynamic + window.leakage) / duration.nanoseconds();
  list_.push_back(window);
}

std::optional<double> Windows::peak_mw() const {
  if (list_.empty()) return std::nullopt;
  return std::max_element(list_.begin(), list_.end(),
                          [](const Window& a, const Window& b) { return a.power_mw < b.power_mw; })
      ->power_mw;
}

std::string Windows::csv() const {
  std::string text = "from,to,dynamic_pj,leakage_pj,power_mw\n";
  for (const Window& window : list_)
    text += fmt::format("{},{},{},{},{}\n", window.from, window.to, exact_text(window.dynamic, decimals_of_energy),
                        exact_text(window.leakage, decimals_of_energy), window.power_mw);
  return text;
}

}  // namespace starloom::energy
