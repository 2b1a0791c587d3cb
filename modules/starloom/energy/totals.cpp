// SPDX-License-Identifier: Apache-2.0
#include <starloom/energy/totals.hpp>

#include <algorithm>

namespace starloom::energy {
namespace {

Use use_of(const Cost& cost, const ByEvent& counts) {
  Use use;
  use.counts = counts;
  for (std::size_t event = 0; event < event_count; ++event)
    use.dynamic[event] = Exact{counts[event]} * cost.energy[event];
  std::copy(cost.leakage.begin(), cost.leakage.end(), use.leakage.begin());
  std::copy(cost.area.begin(), cost.area.end(), use.area.begin());
  return use;
}

/// \param kind -1: nothing is there
Use silicon_of(const std::vector<Cost>& costs, std::int32_t kind) {
  return kind < 0 ? Use() : use_of(costs[static_cast<std::size_t>(kind)], {});
}

/// To the nearest.
Exact quotient(Exact dividend, std::int64_t divisor) { return (2 * dividend + divisor) / (2 * Exact{divisor}); }

template <class Values, class More>
void add(Values& values, const More& more) {
  for (std::size_t i = 0; i < values.size(); ++i) values[i] += more[i];
}

}  // namespace

std::string exact_text(Exact value, int decimals) {
  std::string digits;
  for (Exact left = value < 0 ? -value : value; left > 0; left /= 10)
    digits += static_cast<char>('0' + static_cast<int>(left % 10));
  digits.resize(std::max<std::size_t>(digits.size(), static_cast<std::size_t>(decimals) + 1), '0');
  std::reverse(digits.begin(), digits.end());
  digits.insert(digits.size() - static_cast<std::size_t>(decimals), ".");
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.back() == '.') digits.pop_back();
  return value < 0 ? "-" + digits : digits;
}

Use& Use::operator+=(const Use& more) {
  add(counts, more.counts);
  add(dynamic, more.dynamic);
  add(leakage, more.leakage);
  add(area, more.area);
  return *this;
}

double mean_power_mw(const Use& use, const Duration& duration) {
  if (duration.steps == 0) return 0;
  return picojoules(use.all_dynamic() + duration.leaked(use.all_leakage())) / duration.nanoseconds();
}

Use use_of_router(const Hardware& hardware, const Events& events, NodeId node) {
  return hardware.has_router(node) ? use_of(hardware.router(node), events.routers[static_cast<std::size_t>(node)])
                                   : Use();
}

Use use_of_link(const Hardware& hardware, const Events& events, std::size_t link) {
  if (hardware.links[link] < 0) return {};
  ByEvent counts{};
  counts[static_cast<std::size_t>(Event::link)] = events.crossings[link];
  if (!events.credits.empty()) counts[static_cast<std::size_t>(Event::credit)] = events.credits[link];
  Use use = use_of(hardware.link(link), counts);
  if (!events.toggles.empty())
    use.dynamic[static_cast<std::size_t>(Event::link)] +=
        quotient(Exact{events.toggles[link]} * hardware.link(link).wires * 1'000'000, hardware.assumed_toggles);
  return use;
}

Use use_of_network(const Hardware& hardware, const Events& events) {
  Use all;
  for (std::size_t node = 0; node < hardware.routers.size(); ++node)
    all += use_of_router(hardware, events, static_cast<NodeId>(node));
  for (std::size_t link = 0; link < hardware.links.size(); ++link) all += use_of_link(hardware, events, link);
  return all;
}

Exact dynamic_of_network(const Hardware& hardware, const Events& events) {
  Exact sum = 0;
  for (std::size_t node = 0; node < hardware.routers.size(); ++node) {
    if (hardware.routers[node] < 0) continue;
    const Cost& cost = hardware.router(static_cast<NodeId>(node));
    for (std::size_t event = 0; event < event_count; ++event)
      sum += Exact{events.routers[node][event]} * cost.energy[event];
  }
  for (std::size_t link = 0; link < hardware.links.size(); ++link) {
    if (hardware.links[link] < 0) continue;
    const Cost& cost = hardware.link(link);
    sum += Exact{events.crossings[link]} * cost.energy[static_cast<std::size_t>(Event::link)];
    if (!events.credits.empty())
      sum += Exact{events.credits[link]} * cost.energy[static_cast<std::size_t>(Event::credit)];
  }
  return sum;
}

Use silicon_of_network(const Hardware& hardware) {
  Use all;
  for (const std::int32_t kind : hardware.routers) all += silicon_of(hardware.router_costs, kind);
  for (const std::int32_t kind : hardware.links) all += silicon_of(hardware.link_costs, kind);
  return all;
}

}  // namespace starloom::energy
