// SPDX-License-Identifier: Apache-2.0
#include <starloom/control/links/reroutes.hpp>

#include <algorithm>
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
                   const Algorithm& algorithm, Make make)
    : rules_(rules), start_(start), algorithm_(algorithm), make_(std::move(make)) {
  for (Reroute& reroute : reroutes_of(start, events, rules)) changes_.push_back(made(std::move(reroute)));
}

std::shared_ptr<const RerouteKnowledge> Reroutes::made(Reroute reroute) const {
  const std::string step = std::to_string(reroute.event);
  try {
    auto knowledge = std::make_shared<const RerouteKnowledge>(std::move(reroute), make_);
    require_same_kind(algorithm_, *knowledge->algorithm);
    return knowledge;
  } catch (const ConfigError& error) {
    std::vector<ConfigError::Diagnostic> diagnostics = error.diagnostics();
    for (ConfigError::Diagnostic& diagnostic : diagnostics)
      diagnostic.text += " (with the hardware that is dead from step " + step + " on)";
    throw ConfigError(diagnostics);
  }
}

std::shared_ptr<const RerouteKnowledge> Reroutes::after(const std::vector<FaultEvent>& events,
                                                        const LivingHardware& hardware) const {
  const auto known = std::find_if(changes_.begin(), changes_.end(), [&events](const auto& change) {
    return change->reroute.event == events.front().step;
  });
  return known == changes_.end() ? made(reroute_after(start_, hardware, events, rules_)) : *known;
}

}  // namespace starloom::links
