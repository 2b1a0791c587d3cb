// SPDX-License-Identifier: Apache-2.0
#include <starloom/control/links/zero_load.hpp>

#include <algorithm>

#include <starloom/control/links/pipeline.hpp>

namespace starloom::links {
namespace {

std::int32_t least_latency_of(const NetworkGraph& graph) {
  std::int32_t least = graph.greatest_latency();
  if (least == 1) return least;
  for (NodeId node = 0; node < graph.nodes(); ++node)
    for (PortMask left = graph.out_mask(node); left != 0; left &= left - 1)
      least = std::min(least, graph.latency(node, lowest_port(left)));
  return least;
}

/// True if a buffer slot is always free again before the next flit needs it, also after a head.
bool loops_are_short(const NetworkGraph& graph, const Declaration& declared) {
  const router::Pipeline& pipeline = declared.pipeline;
  const int of_link = pipeline.flit_delay(graph.greatest_latency()) + router::credit_delay(graph.greatest_latency());
  const int of_terminal = pipeline.flit_delay(graph.greatest_latency()) + router::terminal_credit;
  const int of_source = router::injection + router::source_credit;
  const int longest = std::max({of_link, of_terminal, pipeline.exit_credit(), of_source});
  return declared.capacity * pipeline.flit_steps() >=
         longest + declared.credit_extra + pipeline.head_steps() - 1 + pipeline.flit_steps() - 1;
}

}  // namespace

ZeroLoad::ZeroLoad(const NetworkGraph& graph, const Algorithm& algorithm)
    : graph_(graph),
      algorithm_(algorithm),
      least_latency_(least_latency_of(graph)),
      never_stretches_(!routers() ||
                       (graph.greatest_interval() == 1 && loops_are_short(graph, algorithm.declaration()))) {}

Step ZeroLoad::head_start() const {
  if (!routers()) return 0;
  const router::Pipeline& pipeline = algorithm_.declaration().pipeline;
  return router::injection + pipeline.head_steps() - 1 + pipeline.consumption();
}

Step ZeroLoad::flit_steps() const { return routers() ? algorithm_.declaration().pipeline.flit_steps() : 1; }

Step ZeroLoad::head_steps(std::size_t link) const {
  if (!routers()) return latency_of(link);
  // The link of a terminal replaces a local port, which takes as long as a link of latency 1.
  return of_terminal(link) ? latency_of(link) - 1 : algorithm_.declaration().pipeline.hop_steps(latency_of(link));
}

template <class Visit>
void ZeroLoad::each_arrival(const PacketPath& path, std::int32_t flits, Visit&& visit) const {
  if (never_stretches_) {
    Step head = head_start();
    for (const std::size_t link : path.links) head += head_steps(link);
    for (std::int32_t flit = 0; flit < flits; ++flit) visit(head + flit * flit_steps());
    return;
  }
  const Declaration& declared = algorithm_.declaration();
  const router::Pipeline& pipeline = declared.pipeline;
  const Step extra = declared.credit_extra, of_switch = pipeline.flit_steps();
  const auto buffer = static_cast<std::size_t>(declared.capacity);
  const bool from_terminal = graph_.is_terminal(path.source), to_terminal = graph_.is_terminal(path.destination);
  const std::size_t first = from_terminal ? 1 : 0;
  const std::size_t routers_on_path = path.links.size() - first + (to_terminal ? 0 : 1);
  // [router][flit modulo buffer] the step in which a flit leaves its buffer there, and the same of the flit before.
  std::vector<std::vector<Step>> left(routers_on_path, std::vector<Step>(buffer));
  std::vector<Step> last(routers_on_path);
  Step sent = 0;
  for (std::int32_t flit = 0; flit < flits; ++flit) {
    const std::size_t slot = static_cast<std::size_t>(flit) % buffer;
    const bool needs_slot = static_cast<std::size_t>(flit) >= buffer;
    Step readable = 0;
    if (from_terminal) {
      const int latency = latency_of(path.links[0]);
      if (flit > 0) sent += interval_of(path.links[0]);
      if (needs_slot) sent = std::max(sent, left[0][slot] + router::credit_delay(latency));
      readable = sent + router::terminal_entry + latency;
    } else {
      if (flit > 0) ++sent;
      if (needs_slot) sent = std::max(sent, left[0][slot] + router::source_credit);
      readable = sent + router::injection;
    }
    for (std::size_t router = 0; router < routers_on_path; ++router) {
      const bool local = first + router == path.links.size();
      const std::size_t link = local ? 0 : path.links[first + router];
      const bool last_link = to_terminal && first + router + 1 == path.links.size();
      const int latency = local ? 0 : latency_of(link);
      // The first step in which it requests the switch.
      Step requests = flit == 0 ? readable + pipeline.head_steps() - of_switch : std::max(readable, last[router] + 1);
      const Step free = flit == 0 || local ? requests : last[router] + interval_of(link) - (of_switch - 1);
      Step credit = requests;
      if (needs_slot) {
        if (local) credit = left[router][slot] + pipeline.exit_credit() + extra;
        else if (last_link)
          credit = left[router][slot] + pipeline.flit_delay(latency) + router::terminal_credit + extra;
        else credit = left[router + 1][slot] + router::credit_delay(latency) + extra;
      }
      // Without a credit, it requests again when the switch would have been granted; with one, when the link is free.
      if (free > std::max(requests, credit)) requests = free;
      else if (credit > requests) requests += (credit - requests + of_switch - 1) / of_switch * of_switch;
      const Step leaves = requests + of_switch - 1;
      left[router][slot] = last[router] = leaves;
      readable = leaves + (local ? pipeline.consumption() : pipeline.flit_delay(latency));
    }
    visit(readable);
  }
}

Step ZeroLoad::latency(const PacketPath& path, std::int32_t flits) const {
  Step last = 0;
  if (never_stretches_) {
    // Only the head is followed, whatever the length of the packet.
    each_arrival(path, 1, [&](Step arrival) { last = arrival; });
    return last + (flits - 1) * flit_steps();
  }
  each_arrival(path, flits, [&](Step arrival) { last = arrival; });
  return last;
}

std::vector<Step> ZeroLoad::latencies(const PacketPath& path, std::int32_t longest) const {
  std::vector<Step> all;
  all.reserve(static_cast<std::size_t>(longest));
  each_arrival(path, longest, [&](Step arrival) { all.push_back(arrival); });
  return all;
}

Step ZeroLoad::latency(const Packet& packet, std::uint32_t random_choice) const {
  PacketPath path;
  if (packet.source == packet.destination && !algorithm_.declaration().routes_own) return 0;
  return offered_path(graph_, algorithm_, packet, random_choice, path)
             ? latency(path, packet.flits)
             : least(packet.source, packet.destination, packet.flits);
}

Step ZeroLoad::least(NodeId source, NodeId destination, std::int32_t flits) const {
  if (source == destination && !algorithm_.declaration().routes_own) return 0;
  if (!routers()) return Step{graph_.distance(source, destination)} * least_latency_ + flits - 1;
  const int terminals = (graph_.is_terminal(source) ? 1 : 0) + (graph_.is_terminal(destination) ? 1 : 0);
  return head_start() +
         Step{graph_.router_distance(source, destination)} *
             algorithm_.declaration().pipeline.hop_steps(least_latency_) +
         terminals * (least_latency_ - 1) + (flits - 1) * flit_steps();
}

}  // namespace starloom::links
