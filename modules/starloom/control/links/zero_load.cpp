// SPDX-License-Identifier: Apache-2.0
#include <starloom/control/links/zero_load.hpp>

#include <algorithm>
#include <functional>
#include <vector>

#include <starloom/control/links/pipeline.hpp>
#include <starloom/topology/clocks.hpp>

namespace starloom::links {
namespace {

std::int32_t least_latency_of(const NetworkGraph& graph) {
  std::int32_t least = graph.greatest_latency();
  if (least == 1) return least;
  for (NodeId node = 0; node < graph.nodes(); ++node)
    for (const Port port : graph.out_ports(node)) least = std::min(least, graph.latency(node, port));
  return least;
}

std::int32_t least_period_of(const NetworkGraph& graph) {
  std::int32_t least = graph.period(0);
  for (NodeId node = 1; node < graph.nodes() && graph.has_clocks(); ++node) least = std::min(least, graph.period(node));
  return least;
}

/// True if a buffer slot is always free again before the next flit needs it, also after a head.
bool loops_are_short(const NetworkGraph& graph, const Declaration& declared) {
  const router::Pipeline& pipeline = declared.pipelines.common;
  const int of_link =
      pipeline.flit_delay(graph.greatest_latency()) + router::credit_delay(graph.greatest_wire_cycles());
  const int of_terminal = pipeline.flit_delay(graph.greatest_latency()) + router::terminal_credit;
  const int of_source = router::injection + router::source_credit;
  // A flit that leaves in the last round of a step is behind the switch in the next one.
  const int late = pipeline.speedup.internal > 1 ? 1 : 0;
  const int longest = std::max({of_link, of_terminal, pipeline.exit_credit(), of_source}) + late;
  return declared.least_capacity() * pipeline.flit_steps() >=
         longest + declared.credit_extra + pipeline.head_steps() - 1 + pipeline.flit_steps() - 1;
}

}  // namespace

ZeroLoad::ZeroLoad(const NetworkGraph& graph, const Algorithm& algorithm)
    : graph_(graph),
      algorithm_(algorithm),
      least_latency_(least_latency_of(graph)),
      least_period_(least_period_of(graph)),
      least_to_link_(least_period_ *
                     algorithm.declaration().pipelines.least(std::mem_fn(&router::Pipeline::head_to_link))),
      flit_steps_(routers() ? least_period_ *
                                  algorithm.declaration().pipelines.least(std::mem_fn(&router::Pipeline::flit_steps))
                            : 1),
      never_stretches_(!routers() || (!graph.has_clocks() && graph.greatest_interval() == 1 &&
                                      algorithm.declaration().pipelines.alike() &&
                                      loops_are_short(graph, algorithm.declaration()))) {}

Step ZeroLoad::head_start() const { return routers() ? least_period_ * (router::injection + 1) + least_to_link_ : 0; }

Step ZeroLoad::head_steps(std::size_t link) const {
  if (!routers()) return latency_of(link);
  // The link of a terminal replaces a local port, which takes as long as a link of latency 1.
  if (of_terminal(link)) return latency_of(link) - least_period_;
  const NodeId node = node_of(link);
  return Step{graph_.period(node)} * algorithm_.declaration().pipelines.at(node).head_to_link() + latency_of(link);
}

/// The link of a path behind a router or terminal, with the FIFO between its two clocks.
class ZeroLoad::LinkOfPath {
 public:
  LinkOfPath() = default;
  explicit LinkOfPath(const ClockCrossing& crossing) : crossing_(crossing), direct_(crossing.is_direct()) {}

  /// The step in which a flit is readable that leaves the link in a step; flits are sent in their order.
  Step read(Step arrival) {
    if (direct_) return arrival;
    last_ = std::max(crossing_.readable(arrival), last_ + crossing_.receiver);
    if (crossing_.fifo > 0) read_.push_back(last_);
    return last_;
  }
  /// The first step of the sender from this one on in which the link takes the next flit.
  Step takes(Step from) const {
    const auto limit = static_cast<std::size_t>(crossing_.fifo);
    if (limit == 0 || read_.size() < limit) return from;
    return std::max(from, edge_from(read_[read_.size() - limit] + Step{crossing_.synchroniser} * crossing_.sender,
                                    crossing_.sender));
  }
  /// The step in which a credit is available that reaches the sender in this one.
  Step available(Step arrival) const { return direct_ ? arrival : crossing_.available(arrival); }

 private:
  ClockCrossing crossing_{};
  bool direct_ = true;
  Step last_ = -most_clock_period;  ///< in which the last flit is readable
  std::vector<Step> read_{};        ///< [flit] the same of all flits; only with a limit
};

/// The flits of a packet in one router. Rounds are numbered over all cycles of its clock; without internal speed-up and
/// clocks they are steps.
struct ZeroLoad::Passage {
  Passage(std::size_t buffer, const router::Pipeline& of_router)
      : slots(buffer), room(static_cast<std::int32_t>(buffer)), pipeline(&of_router) {}

  /// \param leaves the round in which a flit leaves its buffer. \param crossed the round in which it joins the FIFO.
  /// \param entered the cycle in which it enters the link, or the register in front of the processor.
  void pass(std::size_t slot, Step leaves, Step crossed, Step entered, const router::Speedup& speedup) {
    left = leaves;
    // That words of later rounds wait makes no difference to a sender that sends one flit in a step.
    last = slots[slot] = {period * (leaves / speedup.internal + router::credit_word), entered, -1};
    if (speedup.fifo == 0) return;
    const auto gone = [now = leaves / speedup.internal](const Queued& flit) { return flit.entered <= now; };
    in_fifo.erase(std::remove_if(in_fifo.begin(), in_fifo.end(), gone), in_fifo.end());
    in_fifo.push_back({crossed, entered});
  }
  /// True if the FIFO takes no flit that requests the switch in a round.
  bool is_full(Step round, const router::Speedup& speedup) const {
    if (speedup.fifo == 0) return false;
    return std::count_if(in_fifo.begin(), in_fifo.end(), [&](const Queued& flit) {
             return flit.crossed < round && flit.entered > round / speedup.internal;
           }) >= speedup.fifo;
  }

  struct Left {
    Step word = -1;     ///< of its credit, in steps
    Step entry = -1;    ///< into the link, in cycles
    Step arrival = -1;  ///< behind the link, in steps
  };
  struct Queued {
    Step crossed, entered;
  };
  const Left& of(std::int32_t flit) const { return slots[static_cast<std::size_t>(flit) % slots.size()]; }

  std::vector<Left> slots;  ///< [flit modulo the slots of the largest buffer]
  std::int32_t room;        ///< slots of the buffer that the router sends into
  const router::Pipeline* pipeline;
  Step period = 1;  ///< of the clock of the router
  Left last{};
  Step left = 0;                  ///< the round in which the last flit left its buffer
  std::vector<Queued> in_fifo{};  ///< behind the switch; only with a limit
};

template <class Visit>
void ZeroLoad::each_arrival(const PacketPath& path, std::int32_t flits, Step created, Visit&& visit) const {
  if (never_stretches_) {
    Step head = head_start();
    for (const std::size_t link : path.links) head += head_steps(link);
    for (std::int32_t flit = 0; flit < flits; ++flit) visit(head + flit * flit_steps());
    return;
  }
  const Declaration& declared = algorithm_.declaration();
  const router::Speedup& speedup = declared.pipelines.common.speedup;
  const Step extra = declared.credit_extra, rounds = speedup.internal;
  const auto buffer = static_cast<std::size_t>(declared.capacity);
  const bool from_terminal = graph_.is_terminal(path.source), to_terminal = graph_.is_terminal(path.destination);
  const std::size_t first = from_terminal ? 1 : 0;
  std::vector<Passage> passages(path.links.size() - first + (to_terminal ? 0 : 1),
                                Passage(buffer, declared.pipelines.common));
  Step sent = edge_from(created, graph_.period(path.source));
  std::vector<LinkOfPath> links;  // without clocks, all are `direct`
  for (std::size_t i = 0; i < path.links.size() && graph_.has_clocks(); ++i)
    links.emplace_back(graph_.crossing(node_of(path.links[i]), port_of(path.links[i])));
  LinkOfPath direct;
  const auto link_at = [&](std::size_t i) -> LinkOfPath& { return links.empty() ? direct : links[i]; };
  const auto node_behind = [this](std::size_t link) { return graph_.far_end(node_of(link), port_of(link)).node; };
  // The channel that a packet takes is not known; with dead places, it is the one with the most room.
  const auto room_behind = [&](std::size_t link) {
    const std::int32_t whole = declared.capacity_at(node_behind(link));
    std::int32_t most = declared.faults == nullptr ? whole : 1;
    for (int channel = 0; declared.faults != nullptr && channel < declared.channels_at(node_behind(link)); ++channel)
      most = std::max(most, whole - declared.faults->dead_places(node_of(link), port_of(link), channel));
    return most;
  };
  const bool differ = !declared.capacities.empty() || declared.faults != nullptr;
  for (std::size_t router = 0; router < passages.size() && differ; ++router) {
    const bool local = first + router == path.links.size();
    passages[router].room = local ? declared.capacity_at(path.destination) : room_behind(path.links[first + router]);
  }
  for (std::size_t router = 0; router < passages.size() && !declared.pipelines.alike(); ++router) {
    const std::size_t before = first + router;  // links that lead to it
    passages[router].pipeline = &declared.pipelines.at(before == 0 ? path.source : node_behind(path.links[before - 1]));
  }
  for (std::size_t router = 0; router < passages.size() && graph_.has_clocks(); ++router) {
    const std::size_t before = first + router;
    passages[router].period = graph_.period(before == 0 ? path.source : node_behind(path.links[before - 1]));
  }
  const Step of_source = graph_.period(path.source), of_destination = graph_.period(path.destination);
  const std::int32_t first_room = declared.capacity_at(from_terminal ? node_behind(path.links[0]) : path.source);
  for (std::int32_t flit = 0; flit < flits; ++flit) {
    const std::size_t slot = static_cast<std::size_t>(flit) % buffer;
    const std::int32_t in_first_slot = flit - first_room;
    Step readable = 0;
    if (from_terminal) {
      const Step latency = latency_of(path.links[0]);
      if (flit > 0) sent += interval_of(path.links[0]);
      if (in_first_slot >= 0)
        sent =
            std::max(sent, link_at(0).available(passages[0].of(in_first_slot).word + wire_latency_of(path.links[0])));
      sent = link_at(0).takes(sent);
      readable = link_at(0).read(sent + of_source * router::terminal_entry + latency);
    } else {
      if (flit > 0) sent += of_source;
      if (in_first_slot >= 0)
        sent = std::max(sent,
                        passages[0].of(in_first_slot).word + of_source * (router::source_credit - router::credit_word));
      readable = sent + of_source * router::injection;
    }
    for (std::size_t router = 0; router < passages.size(); ++router) {
      Passage& passage = passages[router];
      const router::Pipeline& pipeline = *passage.pipeline;
      const Step of_switch = pipeline.flit_steps();
      const bool local = first + router == path.links.size();
      const std::size_t link = local ? 0 : path.links[first + router];
      const bool last_link = to_terminal && first + router + 1 == path.links.size();
      const Step period = passage.period, now = readable / period;
      const Step interval = local ? 1 : interval_of(link) / period;
      // The first round in which it requests the switch.
      Step requests =
          flit == 0 ? now * rounds + pipeline.head_rounds() - of_switch : std::max(now * rounds, passage.left + 1);
      Step free = requests;
      if (flit > 0 && !speedup.has_fifo()) free = passage.left + interval - (of_switch - 1);
      if (!local && !speedup.has_fifo()) free = std::max(free, link_at(first + router).takes(0) / period);
      Step credit = requests;
      const std::int32_t in_slot = flit - passage.room;
      if (in_slot >= 0) {
        Step cycle = passage.of(in_slot).entry + router::terminal_credit + extra;
        if (local) {
          cycle += pipeline.consumption() - pipeline.link_entry();
        } else {
          const LinkOfPath& behind = link_at(first + router);
          const Step arrival =
              last_link ? passage.of(in_slot).arrival + of_destination + period * (router::terminal_credit - 1)
                        : passages[router + 1].of(in_slot).word + wire_latency_of(link);
          cycle = behind.available(arrival + period * extra) / period;
        }
        credit = cycle * rounds;
      }
      // Without a credit, or with a full FIFO, it requests again when the switch would have been granted; with a
      // credit, when the link is free.
      if (free > std::max(requests, credit)) requests = free;
      else if (credit > requests) requests += (credit - requests + of_switch - 1) / of_switch * of_switch;
      while (passage.is_full(requests, speedup)) requests += of_switch;
      const Step leaves = requests + of_switch - 1;
      const Step crossed = leaves + pipeline.crossbar_steps;
      Step entry = crossed / rounds + 1;
      if (flit > 0 && speedup.has_fifo()) entry = std::max(entry, passage.last.entry + interval);
      if (!local && speedup.has_fifo()) entry = std::max(entry, link_at(first + router).takes(0) / period + 1);
      passage.pass(slot, leaves, crossed, entry, speedup);
      readable = local ? (entry + 1) * period : link_at(first + router).read(entry * period + latency_of(link));
      passage.slots[slot].arrival = readable;
    }
    visit(readable - created);
  }
}

Step ZeroLoad::latency(const PacketPath& path, std::int32_t flits, Step created) const {
  Step last = 0;
  if (never_stretches_) {
    // Only the head is followed, whatever the length of the packet.
    each_arrival(path, 1, created, [&](Step arrival) { last = arrival; });
    return last + (flits - 1) * flit_steps();
  }
  each_arrival(path, flits, created, [&](Step arrival) { last = arrival; });
  return last;
}

std::vector<Step> ZeroLoad::latencies(const PacketPath& path, std::int32_t longest) const {
  std::vector<Step> all;
  all.reserve(static_cast<std::size_t>(longest));
  each_arrival(path, longest, 0, [&](Step arrival) { all.push_back(arrival); });
  return all;
}

Step ZeroLoad::latency(const Packet& packet, std::uint32_t random_choice) const {
  if (is_group(packet.destination)) return least(packet.source, packet.destination, packet.flits);
  PacketPath path;
  if (packet.source == packet.destination && !algorithm_.declaration().routes_own) return 0;
  return offered_path(graph_, algorithm_, packet, random_choice, path)
             ? latency(path, packet.flits, packet.created)
             : least(packet.source, packet.destination, packet.flits);
}

Step ZeroLoad::least(NodeId source, NodeId destination, std::int32_t flits) const {
  if (is_group(destination)) {
    Step farthest = 0;
    for (const NodeId one : algorithm_.declaration().tree_of(destination).group.destinations)
      farthest = std::max(farthest, least(source, one, flits));
    return farthest;
  }
  if (source == destination && !algorithm_.declaration().routes_own) return 0;
  if (!routers()) return Step{graph_.distance(source, destination)} * least_latency_ + flits - 1;
  const int terminals = (graph_.is_terminal(source) ? 1 : 0) + (graph_.is_terminal(destination) ? 1 : 0);
  return head_start() + Step{graph_.router_distance(source, destination)} * (least_to_link_ + least_latency_) +
         terminals * (least_latency_ - least_period_) + (flits - 1) * flit_steps();
}

}  // namespace starloom::links
