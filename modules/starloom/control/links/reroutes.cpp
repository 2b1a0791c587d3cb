// SPDX-License-Identifier: Apache-2.0
#include <starloom/control/links/reroutes.hpp>

#include <string>
#include <utility>

#include <starloom/schema/config_error.hpp>

namespace starloom::links {
namespace {

/// Routers that select one of several choices in every step are not those that keep the only one.
void require_same_kind(const Algorithm& before, const Algorithm& after) {
  for (int number = 0; number < before.class_count(); ++number) {
    const routing::RoutingFunction* const old = before.routing_function(number);
    if (old != nullptr && old->adaptive() != after.routing_function(number)->adaptive())
      throw ConfigError("function",
                        "the routing function is adaptive with some faults, and not with others, so that routers "
                        "cannot change to it; use another one, or reroute: {after: never} of faults");
  }
}

}  // namespace

Reroutes::Reroutes(const RerouteRules& rules, const Faults& start, const std::vector<FaultEvent>& events,
                   const Algorithm& algorithm, const std::function<std::unique_ptr<Algorithm>(const Faults&)>& make)
    : rules_(rules) {
  for (Reroute& reroute : reroutes_of(start, events, rules)) {
    const std::string step = std::to_string(reroute.event);
    try {
      require_same_kind(algorithm, *changes_.emplace_back(std::move(reroute), make).algorithm);
    } catch (const ConfigError& error) {
      std::vector<ConfigError::Diagnostic> diagnostics = error.diagnostics();
      for (ConfigError::Diagnostic& diagnostic : diagnostics)
        diagnostic.text += " (with the hardware that is dead from step " + step + " on)";
      throw ConfigError(diagnostics);
    }
  }
}

}  // namespace starloom::links
