// SPDX-License-Identifier: Apache-2.0
#include <starloom/verify/links/power_windows.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <starloom/core/most_steps.hpp>
#include <starloom/energy/report.hpp>

namespace starloom::links {

PowerWindows::PowerWindows(const std::filesystem::path& folder, const ResultDocument& result, const NetworkGraph& graph,
                           const RefereeRules& rules, Step measured_from, std::int64_t most)
    : graph_(graph),
      facts_(read_energy_facts(folder, result, graph, rules)),
      steps_(result.integer("energy.steps", 0, most_steps)),
      measured_(graph, facts_, rules.faults != nullptr, measured_from, measured_from + steps_, window(most),
                [this](Step from, const energy::Events& events) { add(from, events); }) {}

Step PowerWindows::window(std::int64_t most) const {
  const Step all = std::max<Step>(steps_, 1), window = facts_.window > 0 ? std::min(facts_.window, all) : all;
  const Step windows = (all + window - 1) / window;
  const std::int64_t numbers = graph_.nodes() + static_cast<std::int64_t>(graph_.link_slots());
  const Step room = std::max<Step>(most / numbers, 1);
  return window * ((windows + room - 1) / room);
}

void PowerWindows::add(Step from, const energy::Events& events) {
  const energy::Duration duration = energy::duration_of(events.steps, facts_.clock_ns);
  const auto power = [&](const energy::Use& use) {
    constexpr double nw_per_mw = 1e6;
    return static_cast<std::int64_t>(std::llround(mean_power_mw(use, duration) * nw_per_mw));
  };
  PowerWindow window{from, from + events.steps, {}, {}};
  for (NodeId node = 0; node < graph_.nodes(); ++node)
    window.routers.push_back(power(use_of_router(facts_.hardware, events, node)));
  for (std::size_t link = 0; link < graph_.link_slots(); ++link)
    window.links.push_back(power(use_of_link(facts_.hardware, events, link)));
  list_.push_back(std::move(window));
}

std::vector<PowerWindow> PowerWindows::finish() {
  measured_.finish(steps_);
  return std::move(list_);
}

}  // namespace starloom::links
