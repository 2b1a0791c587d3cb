// SPDX-License-Identifier: Apache-2.0
#include <starloom/control/links/reroutes.hpp>

#include <string>
#include <utility>

#include <starloom/schema/config_error.hpp>

namespace starloom::links {

Reroutes::Reroutes(const RerouteRules& rules, const Faults& start, const std::vector<FaultEvent>& events,
                   const std::function<std::unique_ptr<Algorithm>(const Faults&)>& make)
    : rules_(rules) {
  for (Reroute& reroute : reroutes_of(start, events, rules)) {
    const std::string step = std::to_string(reroute.event);
    try {
      changes_.emplace_back(std::move(reroute), make);
    } catch (const ConfigError& error) {
      std::vector<ConfigError::Diagnostic> diagnostics = error.diagnostics();
      for (ConfigError::Diagnostic& diagnostic : diagnostics)
        diagnostic.text += " (with the hardware that is dead from step " + step + " on)";
      throw ConfigError(diagnostics);
    }
  }
}

}  // namespace starloom::links
