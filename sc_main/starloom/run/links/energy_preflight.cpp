// SPDX-License-Identifier: Apache-2.0
#include <starloom/run/links/energy_preflight.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <starloom/core/links/event_counts.hpp>
#include <starloom/energy/totals.hpp>
#include <starloom/results/lines.hpp>
#include <starloom/results/run_report.hpp>
#include <starloom/schema/parse_number.hpp>

namespace starloom::links {
namespace {

constexpr int decimals_of_power = 6;  // nW in mW

/// The greatest load has that many bits before its point, so that sums over the ports of a router fit in 64 bits.
constexpr int bits_of_greatest_load = 46;

std::string area_text(energy::Exact area) { return energy::exact_text(area, energy::decimals_of_area); }
std::string leakage_text(const energy::Use& silicon) {
  return energy::exact_text(silicon.all_leakage(), decimals_of_power);
}
nlohmann::ordered_json json_of(const std::string& number) { return number_json(*parse_number(number)); }

/// The greatest load of a link or a processor in a subnet.
double greatest(const std::vector<OfferedLoad>& loads) {
  double most = 0;
  for (const OfferedLoad& load : loads) {
    most = std::max(most, load.links()->most());
    for (const auto* list : {&load.sent(), &load.received()})
      most = std::max(most, *std::max_element(list->begin(), list->end()));
  }
  return most;
}

}  // namespace

std::vector<std::string> silicon_lines(const energy::Hardware& hardware) {
  const energy::Use silicon = silicon_of_network(hardware);
  std::vector<std::string> parts;
  for (std::size_t part = 0; part < energy::silicon_count; ++part)
    if (silicon.area[part] != 0)
      parts.push_back(fmt::format("{} {}", energy::silicon_names[part], area_text(silicon.area[part])));
  return {line_text("area", fmt::format("{} um2: {}", area_text(silicon.all_area()), fmt::join(parts, ", "))),
          line_text("leakage", leakage_text(silicon) + " mW")};
}

nlohmann::ordered_json silicon_facts(const energy::Hardware& hardware) {
  const energy::Use silicon = silicon_of_network(hardware);
  nlohmann::ordered_json facts;
  for (std::size_t part = 0; part < energy::silicon_count; ++part)
    facts["area"][std::string(energy::silicon_names[part])] = json_of(area_text(silicon.area[part]));
  facts["area"]["total"] = json_of(area_text(silicon.all_area()));
  facts["leakage"] = json_of(leakage_text(silicon));
  return facts;
}

std::optional<double> zero_load_energy(const PricedNetwork& network, const Declaration& declaration,
                                       const std::vector<OfferedLoad>& flits, const std::vector<OfferedLoad>& heads) {
  const NetworkGraph& graph = network.graph;
  const double most = greatest(flits);
  if (most == 0) return std::nullopt;
  // A power of two for each flit, or flit per step. Whole loads stay exact, and the quotient has the digits of a run.
  const int exponent = bits_of_greatest_load - std::ilogb(most);
  const auto count = [exponent](double load) { return static_cast<std::int64_t>(std::ldexp(load, exponent)); };
  const bool switched = !moves_worms(declaration.storage);  // where they are consumed
  EventCounts counts(graph.link_slots(), static_cast<std::size_t>(graph.nodes()));
  for (std::size_t subnet = 0; subnet < flits.size(); ++subnet) {
    const std::size_t first = subnet * flits[subnet].sent().size();
    const auto at = [&](NodeId node) { return first + static_cast<std::size_t>(node); };
    flits[subnet].each_link([&](NodeId node, Port port, double load) {
      counts.flits[graph.index(static_cast<NodeId>(at(node)), port)] = count(load);
    });
    heads[subnet].each_link([&](NodeId node, Port /*port*/, double load) { counts.heads[at(node)] += count(load); });
    for (std::size_t node = 0; node < flits[subnet].sent().size(); ++node) {
      counts.injected[first + node] = count(flits[subnet].sent()[node]);
      counts.ejected[first + node] = count(flits[subnet].received()[node]);
      if (switched) counts.heads[first + node] += count(heads[subnet].received()[node]);
    }
  }
  const energy::Events events = energy::events_of(graph, declaration, counts, 0);
  if (events.ejected == 0) return std::nullopt;
  return energy::picojoules(dynamic_of_network(network.costs, events)) / static_cast<double>(events.ejected);
}

}  // namespace starloom::links
