#include "message/plan_run.hpp"

#include <algorithm>
#include <tuple>

namespace starloom {
namespace {

/// A flit on a link.
struct Hop {
  Step step;
  std::size_t link;
  PacketId packet;
};

/// Packets in nodes at the end of each step: waiting in their source, or staying, or just arrived on the way.
QueueMaximum queues(const Topology& grid, const std::vector<Packet>& packets, const Plan& plan, Step steps) {
  struct Walk {
    NodeId at;
    std::size_t next = 0;
  };
  QueueMaximum maximum;
  std::vector<Walk> walks;
  std::vector<std::int64_t> count(static_cast<std::size_t>(grid.nodes()), 0);
  for (const Packet& packet : packets) walks.push_back({packet.source});
  for (Step step = 0; step < steps; ++step) {
    std::fill(count.begin(), count.end(), 0);
    for (std::size_t p = 0; p < packets.size(); ++p) {
      const Journey& journey = plan.journeys[p];
      Walk& walk = walks[p];
      if (journey.planned() && step >= journey.start && walk.next < journey.moves.size()) {
        const Port port = journey.moves[walk.next++];
        if (port != no_port) walk.at = grid.neighbour(walk.at, port);
      }
      if (walk.at != packets[p].destination) ++count[static_cast<std::size_t>(walk.at)];
    }
    for (NodeId node = 0; node < grid.nodes(); ++node) maximum.see(count[static_cast<std::size_t>(node)], node, step);
  }
  return maximum;
}

}  // namespace

PlanRun run_plan(const Topology& grid, const std::vector<Packet>& packets, const Plan& plan, bool count_queues) {
  PlanRun run;
  RunRecord& record = run.record;
  const auto ports = static_cast<std::size_t>(grid.ports());
  record.packets = packets;
  record.delivered.assign(packets.size(), no_step);
  record.link_load.assign(static_cast<std::size_t>(grid.nodes()) * ports, 0);
  const auto broken = [&run](Step step, NodeId node, const std::string& text) {
    if (!run.violation || step < run.violation->step) run.violation = Violation{step, node, text};
  };

  std::vector<Hop> hops;
  for (std::size_t p = 0; p < packets.size(); ++p) {
    const Journey& journey = plan.journeys[p];
    const std::string name = "packet " + std::to_string(p);
    NodeId at = packets[p].source;
    Step step = journey.start;
    for (const Port port : journey.moves) {
      if (port != no_port) {
        const NodeId to = port < 0 || port >= grid.ports() ? no_node : grid.neighbour(at, port);
        if (to == no_node) {
          broken(step, at, name + " leaves the grid");
          break;
        }
        const std::size_t link = static_cast<std::size_t>(at) * ports + static_cast<std::size_t>(port);
        for (std::int32_t flit = 0; flit < plan.flits; ++flit) hops.push_back({step + flit, link, static_cast<PacketId>(p)});
        record.link_load[link] += plan.flits;
        at = to;
      }
      ++step;
    }
    // A packet for its own node is there, with a place in the plan or without.
    if (!journey.planned() && at != packets[p].destination) continue;
    if (at != packets[p].destination) {
      broken(step, at, name + " ends at " + grid.node_name(at) + ", not at " + grid.node_name(packets[p].destination));
      continue;
    }
    record.delivered[p] = journey.arrival(plan.flits);
    ++record.delivered_count;
  }

  std::sort(hops.begin(), hops.end(), [](const Hop& a, const Hop& b) {
    return std::tie(a.step, a.link, a.packet) < std::tie(b.step, b.link, b.packet);
  });
  for (std::size_t i = 1; i < hops.size(); ++i)
    if (hops[i].step == hops[i - 1].step && hops[i].link == hops[i - 1].link) {
      const auto node = static_cast<NodeId>(hops[i].link / ports);
      const auto port = static_cast<Port>(hops[i].link % ports);
      broken(hops[i].step, node, "packets " + std::to_string(hops[i - 1].packet) + " and " +
                                     std::to_string(hops[i].packet) + " are both on " + grid.link_name(node, port));
      break;
    }
  record.flit_hops = static_cast<std::int64_t>(hops.size());
  record.steps_run = plan.length() + 1;
  if (count_queues) record.queue = queues(grid, packets, plan, record.steps_run);
  return run;
}

}  // namespace starloom
