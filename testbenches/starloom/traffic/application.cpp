// SPDX-License-Identifier: Apache-2.0
#include <starloom/traffic/application.hpp>

#include <algorithm>
#include <cmath>
#include <tuple>

#include <starloom/schema/config_error.hpp>
#include <starloom/traffic/application_graph.hpp>

namespace starloom {
namespace {

/// Products of a step number and a growth do not fit 64 bits.
__extension__ using Wide = __int128;

constexpr std::int64_t units_per_byte = 1'000'000'000;
constexpr std::int64_t most_bytes = 4'000'000'000;  ///< of a packet; packet_units_ and growth stay below 2^62

}  // namespace

Application::Application(const ApplicationGraph& graph, const std::vector<NodeId>& mapping, const Units& units,
                         const ApplicationRun& run)
    : tasks_{graph.tasks, mapping, {}}, flits_(run.flits), steps_(run.steps) {
  if (units.flit_bytes > most_bytes / run.flits)
    throw ConfigError("flits", "a packet of " + std::to_string(run.flits) + " flits of " +
                                   std::to_string(units.flit_bytes) + " bytes is more than " +
                                   std::to_string(most_bytes) + " bytes");
  packet_units_ = run.flits * units.flit_bytes * units_per_byte;
  // The capacity of all links of a node with the most ports: packets beyond it would only fill the memory.
  const std::int64_t most_per_step = std::min(most_bytes, max_ports * units.flit_bytes);
  for (const ApplicationEdge& edge : graph.edges) {
    const double growth = std::nearbyint(edge.bandwidth * run.scale * units.clock_ns * 1e6);
    if (!(growth <= static_cast<double>(most_per_step * units_per_byte)))
      throw ConfigError("scale", "the edge from " + graph.tasks[edge.from] + " to " + graph.tasks[edge.to] +
                                     " has more than " + std::to_string(most_per_step) +
                                     " bytes per step, more than a node can send; lower scale or clock_ns");
    const Flow flow{mapping[edge.from], mapping[edge.to], static_cast<std::int64_t>(growth)};
    if (flow.growth == 0) continue;
    tasks_.edges.push_back({flow.source, flow.destination,
                            growth / (static_cast<double>(units.flit_bytes) * static_cast<double>(units_per_byte))});
    const std::int64_t all = created_before(flow, steps_);
    if (all == 0) continue;
    flows_.push_back(flow);
    packet_count_ += all;
    end_ = std::max(end_, creation_of(flow, all - 1) + 1);
  }
}

std::int64_t Application::created_before(const Flow& flow, Step step) const {
  return static_cast<std::int64_t>(static_cast<Wide>(step) * flow.growth / packet_units_);
}

Step Application::creation_of(const Flow& flow, std::int64_t packet) const {
  const Wide needed = (static_cast<Wide>(packet) + 1) * packet_units_;
  return static_cast<Step>((needed + flow.growth - 1) / flow.growth) - 1;
}

void Application::generate(Step from, Step to, std::vector<Packet>& out) {
  to = std::min(to, steps_);
  if (from >= to) return;
  const auto old_size = static_cast<std::ptrdiff_t>(out.size());
  for (const Flow& flow : flows_) {
    const std::int64_t last = created_before(flow, to);
    for (std::int64_t packet = created_before(flow, from); packet < last; ++packet)
      out.push_back({flow.source, flow.destination, flits_, creation_of(flow, packet)});
  }
  // Sorted by edge so far, and the sort is stable: equal packets stay in the order of the edges.
  std::stable_sort(out.begin() + old_size, out.end(), [](const Packet& a, const Packet& b) {
    return std::tie(a.created, a.source) < std::tie(b.created, b.source);
  });
}

Step Application::next_creation(Step from) const {
  Step next = no_step;
  for (const Flow& flow : flows_) {
    const Step step = creation_of(flow, created_before(flow, from));
    if (step < steps_ && (next == no_step || step < next)) next = step;
  }
  return next;
}

}  // namespace starloom
