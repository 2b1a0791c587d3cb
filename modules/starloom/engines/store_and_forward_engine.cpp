// SPDX-License-Identifier: Apache-2.0
#include <starloom/engines/store_and_forward_engine.hpp>

#include <set>
#include <stdexcept>

namespace starloom::links {

template <class Ports>
StoreAndForwardEngine<Ports>::StoreAndForwardEngine(EngineSetup& setup)
    : Engine(setup),
      extras_(declaration_.reverse_wire || declaration_.forward_wire || has_intervals() || hardware() != nullptr),
      node_ports_(static_cast<std::size_t>(wiring_.ports)),
      buffers_per_node_(declaration_.buffers == BufferSide::none ? 0 : wiring_.ports * declaration_.channels),
      nodes_(controllers_.size()),
      links_(wiring_.out.size()),
      slots_(calendar_.phases() * wiring_.out.size()),
      summaries_(calendar_.phases() * partition_.lanes()),
      dead_(hardware() == nullptr ? 0 : controllers_.size()),
      parts_(make_parts<FlitPart>()) {
  std::set<std::int32_t> distances(wiring_.latency.begin(), wiring_.latency.end());
  distances.insert({0, 1});
  distances_.assign(distances.begin(), distances.end());
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    nodes_[n].controller = dynamic_cast<FlitControllerOf<Ports>*>(controllers_[n]);
    nodes_[n].in_ports = connected_ports<Ports>(wiring_.in, static_cast<NodeId>(n));
    nodes_[n].out_ports = connected_ports<Ports>(wiring_.out, static_cast<NodeId>(n));
    if (nodes_[n].controller == nullptr)
      throw std::invalid_argument(most_ports_of<Ports> == ports_per_word
                                      ? "a network that stores flits needs a FlitController in every node"
                                      : "a network that stores flits needs a WideFlitController in every node, because "
                                        "it has nodes of more than " +
                                            std::to_string(ports_per_word) + " ports");
  }
  for (NodeId node = 0; node < wiring_.nodes; ++node) {
    const Partition::Part& part = partition_[partition_.part_of(node)];
    for (Port port = 0; port < wiring_.ports; ++port) {
      const std::size_t i = wiring_.index(node, port);
      const Wiring::End to = wiring_.out[i];
      if (!to.connected()) continue;
      if (!dead_.empty() && hardware()->link_is_dead(node, port)) add_port(dead_[static_cast<std::size_t>(node)], port);
      links_[i] = {static_cast<std::uint32_t>(wiring_.index(to.node, to.port)), partition_.lane(part, to.node),
                   static_cast<std::int16_t>(to.port), static_cast<std::uint16_t>(wiring_.latency[i])};
    }
  }
  for (FlitPart& part : parts_) {
    const auto nodes = static_cast<std::size_t>(part.nodes.last - part.nodes.first);
    part.buffers = BufferPool(nodes * static_cast<std::size_t>(buffers_per_node_));
    part.delay_slots.resize(calendar_.phases());
    // The lists of two parts share no cache line.
    for (std::vector<Flit>* list : {&part.ejected, &part.taken, &part.accepted}) list->reserve(64);
    FlitFrameOf<Ports>& frame = part.frame;
    frame.grid = grid_;
    frame.packets = &record_.packets;
    frame.memory = &memory_;
    frame.seed = seed_;
    frame.buffers = &part.buffers;
    frame.buffer_count = buffers_per_node_;
    frame.ejected = &part.ejected;
    frame.stored = &part.taken;
    frame.accepted = &part.accepted;
  }
}

template <class Ports>
DelaySlotOf<Ports> StoreAndForwardEngine<Ports>::delay_slot(Step step, const Part& part) {
  const std::size_t phase = calendar_.phase(step);
  const WakeCalendar::StepFlags flags = calendar_.flags(step, part.number);
  return {&slots_[phase * wiring_.out.size()], &summaries_[phase * partition_.lanes()], flags.awake, flags.any};
}

template <class Ports>
void StoreAndForwardEngine<Ports>::run_nodes(Step /*step*/, WakeCalendar::Bitmap& awake) {
  for_each_part(parts_, [&](FlitPart& part) { run_part(part, awake); });
  for (FlitPart& part : parts_) join(part);
}

template <class Ports>
void StoreAndForwardEngine<Ports>::run_part(FlitPart& part, WakeCalendar::Bitmap& awake) {
  for (const std::int32_t distance : distances_)
    part.delay_slots[static_cast<std::size_t>(distance)] = delay_slot(now_ + distance, part);
  part.frame.step = now_;
  part.frame.first_packet = record_.first;
  part.frame.delay_slots = part.delay_slots.data();
  part.checks_every_node = extras_ || noting() || declaration_.limits_staying();
  take_mirrored(part, awake, [&, summaries = part.delay_slots[0].summaries](NodeId mirror, NodeId lane) {
    summaries[lane].take(summaries[mirror]);
    take_mirrored_words(mirror, lane);
  });
  if (4 * part.ran_before < 3 * std::int64_t{part.nodes.last - part.nodes.first}) run_scattered(part, awake);
  else for_each_awake(part, awake, [this, &part](NodeId node) { run_node(part, node); });
  part.ran_before = part.activations;
}

/// Runs the awake nodes. Prefetches the data of a node while others run, and the register that its flit will most
/// likely enter: the one of the opposite port, whose number in grids differs by half the number of ports.
template <class Ports>
void StoreAndForwardEngine<Ports>::run_scattered(FlitPart& part, WakeCalendar::Bitmap& awake) {
  const auto prepare = [&, now = part.delay_slots[0] ](NodeId soon, NodeId sooner) __attribute__((always_inline)) {
    const auto n = static_cast<std::size_t>(soon);
    __builtin_prefetch(&nodes_[n]);
    __builtin_prefetch(&now.summaries[part.lane(soon)]);
    __builtin_prefetch(now.registers + n * node_ports_);
    __builtin_prefetch(now.registers + n * node_ports_ + node_ports_ / 2);
    __builtin_prefetch(&links_[n * node_ports_]);
    __builtin_prefetch(&record_.link_load[n * node_ports_]);
    memory_.prefetch(soon);
    // The state of this node has been fetched by now.
    const auto m = static_cast<std::size_t>(sooner);
    __builtin_prefetch(nodes_[m].controller);
    const Ports& arrived = now.summaries[part.lane(sooner)].ports;
    if (has_none(arrived)) return;
    const std::size_t in = static_cast<std::size_t>(lowest_port(arrived)), half = node_ports_ / 2;
    const OutLink& link = links_[m * node_ports_ + (in + half < node_ports_ ? in + half : in - half)];
    const DelaySlotOf<Ports>& then = part.delay_slots[static_cast<std::size_t>(link.latency)];
    __builtin_prefetch(&then.registers[link.slot], 1);
    __builtin_prefetch(&then.summaries[link.lane], 1);
  };
  for_each_awake(part, awake, prepare, [this, &part](NodeId node) { run_node(part, node); });
}

template <class Ports>
void StoreAndForwardEngine<Ports>::run_node(FlitPart& part, NodeId node) {
  const auto n = static_cast<std::size_t>(node);
  NodeState& state = nodes_[n];
  FlitFrameOf<Ports>& frame = part.frame;
  frame.node = node;
  frame.in_ports = state.in_ports;
  frame.out_ports = state.out_ports;
  const ArrivalSummaryOf<Ports> summary = std::exchange(part.delay_slots[0].summaries[part.lane(node)], {});
  frame.arrived = summary.ports;
  frame.arrivals = part.delay_slots[0].registers + n * node_ports_;
  frame.balance = summary.tokens;
  frame.first_buffer = buffer_index(part, node, 0);
  frame.links = &links_[n * node_ports_];
  frame.load = &record_.link_load[n * node_ports_];
  frame.clear_decisions();
  frame.packets_sent = frame.controls_sent = 0;
  if (extras_) {
    gather_extras(part, frame);
    if (!dead_.empty()) withhold_dead(frame);
  }

  const std::int32_t before = state.stored + summary.packets;
  // Most queues are shorter than the longest one, whatever has arrived.
  if (summary.packets != 0 && before + (count_memory_ ? memory_.packets(node) : 0) >= part.queue.max)
    record_arrivals(part, node);

  FlitViewOf<Ports> view(frame);
  run_controller(part, node, *state.controller, view, frame);
  ++part.activations;

  std::int32_t stored = before - frame.packets_sent;
  if ((frame.balance != 0 || frame.unusual || part.checks_every_node) && !carry_out(part, node, stored)) return;
  part.hops += frame.packets_sent;
  if (frame.wake != no_step) wake_node(part, node, frame.wake);
  state.stored = stored;
  part.queue.update(stored + (count_memory_ ? memory_.packets(node) : 0), node, now_);
}

/// Records the queue of a node at the end of the step before, when the arrivals are known: packets in buffers, those
/// that just arrived, and unsent ones of the node.
template <class Ports>
void StoreAndForwardEngine<Ports>::record_arrivals(FlitPart& part, NodeId node) {
  const FlitFrameOf<Ports>& frame = part.frame;
  const auto n = static_cast<std::size_t>(node);
  std::int32_t passing = 0;
  for_each_port(frame.arrived, [&](Port port) {
    const Flit& flit = frame.arrivals[port];
    passing += !is_control(flit.kind) && flit.destination != node ? 1 : 0;
  });
  if (passing != 0)
    part.queue.update(nodes_[n].stored + passing + (count_memory_ ? memory_.packets(node) - fresh_[n] : 0), node,
                      now_ - 1);
}

/// Carries out the decisions of a node other than flits sent and stored, and subtracts packets that thereby leave or
/// enter it from those it stores. False if the step is illegal.
template <class Ports>
bool StoreAndForwardEngine<Ports>::carry_out(FlitPart& part, NodeId node, std::int32_t& stored) {
  FlitFrameOf<Ports>& frame = part.frame;
  if (frame.balance != 0 && frame.breach == nullptr)
    frame.breach =
        "lost or doubled a flit: every arrival, and every flit taken from a buffer or the memory, must be "
        "sent, pushed or ejected in the same step";
  if (frame.breach != nullptr) {
    refuse(part, node);
    return false;
  }
  stored += static_cast<std::int32_t>(part.accepted.size());
  if (noting())
    for (const Flit& flit : part.accepted) note(part, TraceEvent::inject, flit.packet, flit.index, node);
  part.accepted.clear();
  if (frame.controls_sent != 0 || noting()) record_sends(part, node);
  if (!part.ejected.empty() || !part.taken.empty()) {
    stored -= static_cast<std::int32_t>(part.ejected.size() + part.taken.size());
    commit_ejections(part, node);
  }
  commit_extras(part, frame);
  if (declaration_.limits_staying()) check_storage(part, node, stored);
  return true;
}

/// Ends an illegal step, whose decisions may be meaningless: only flits that the view has already put on links and into
/// buffers are kept.
template <class Ports>
void StoreAndForwardEngine<Ports>::refuse(FlitPart& part, NodeId node) {
  part.stop(now_, node, std::exchange(part.frame.breach, nullptr));
  part.accepted.clear();
  part.ejected.clear();
  part.taken.clear();
}

template <class Ports>
void StoreAndForwardEngine<Ports>::record_sends(FlitPart& part, NodeId node) {
  for_each_port(part.frame.sent, [&](Port port) {
    const OutLink& link = part.frame.links[port];
    record_hop(part, part.delay_slots[static_cast<std::size_t>(link.latency)].registers[link.slot], node, port,
               wiring_.out[wiring_.index(node, port)].node);
  });
}

template <class Ports>
void StoreAndForwardEngine<Ports>::commit_ejections(FlitPart& part, NodeId node) {
  if (wiring_.is_switch(node)) {
    part.frame.breach = "is a switch, but it ejects or stores a flit, which only a processor can";
    return refuse(part, node);
  }
  for (const Flit& flit : part.ejected) deliver_flit(part, flit, node);
  for (const Flit& flit : part.taken) store_flit(part, flit, node);
  part.ejected.clear();
  part.taken.clear();
}

template <class Ports>
void StoreAndForwardEngine<Ports>::check_storage(Part& part, NodeId node, std::int32_t stored) {
  const std::int32_t most = declaration_.most_staying(node);
  if (stored > most)
    part.stop(now_, node,
              "keeps " + std::to_string(stored) + " packets, more than its bound of " + std::to_string(most));
}

template <class Ports>
void StoreAndForwardEngine<Ports>::close_record(Step last) {
  if (last < 0) return;
  const std::size_t phase = calendar_.phase(last + 1);
  const ArrivalSummaryOf<Ports>* const at_lanes = &summaries_[phase * partition_.lanes()];
  for (const FlitPart& part : parts_) {
    std::vector<Ports> arrived;  // [node - first]
    for (NodeId node = part.nodes.first; node < part.nodes.last; ++node)
      arrived.push_back(at_lanes[part.lane(node)].ports);
    for (const Partition::Mirrors& mirrors : part.nodes.mirrored)
      for (std::size_t i = 0; i < mirrors.nodes.size(); ++i)
        arrived[static_cast<std::size_t>(mirrors.nodes[i] - part.nodes.first)] |=
            at_lanes[64 * mirrors.first_word + i].ports;
    for (NodeId node = part.nodes.first; node < part.nodes.last; ++node) {
      std::int32_t passing = 0;
      for_each_port(arrived[static_cast<std::size_t>(node - part.nodes.first)], [&](Port port) {
        const Flit& flit = slots_[phase * wiring_.out.size() + wiring_.index(node, port)];
        passing += !is_control(flit.kind) && flit.destination != node ? 1 : 0;
      });
      if (passing > 0)
        record_.queue.update(
            nodes_[static_cast<std::size_t>(node)].stored + passing + (count_memory_ ? memory_.packets(node) : 0), node,
            last);
    }
  }
}

template <class Ports>
std::optional<Flit> StoreAndForwardEngine<Ports>::on_link(NodeId node, Port out) const {
  const OutLink& link = links_[wiring_.index(node, out)];
  const std::size_t phase = calendar_.phase(now_ + link.latency);
  const Ports& arrived = summaries_[phase * partition_.lanes() + static_cast<std::size_t>(link.lane)].ports;
  if (!has_port(arrived, link.port)) return std::nullopt;
  return slots_[phase * wiring_.out.size() + link.slot];
}

template <class Ports>
std::vector<PacketId> StoreAndForwardEngine<Ports>::stored_packets(NodeId node) const {
  std::vector<PacketId> list;
  const FlitPart& part = parts_[partition_.part_of(node)];
  for (std::int32_t buffer = 0; buffer < buffers_per_node_; ++buffer) {
    for (const Flit& flit : part.buffers.flits(buffer_index(part, node, buffer))) list.push_back(flit.packet);
  }
  return list;
}

template <class Ports>
Flit StoreAndForwardEngine<Ports>::stored(NodeId node, std::int32_t buffer, std::int32_t i) const {
  const FlitPart& part = parts_[partition_.part_of(node)];
  const std::size_t b = buffer_index(part, node, buffer);
  return i == 0 ? part.buffers.front(b) : part.buffers.flits(b)[static_cast<std::size_t>(i)];
}

/// The packets that block a flit from crossing a link: the residents of the next node, if it has a bound.
template <class Ports>
std::vector<PacketId> StoreAndForwardEngine<Ports>::holders(const Flit& flit, const Wiring::End& to) const {
  if (to.node == no_node || !declaration_.limits_staying() || flit.destination == to.node) return {};
  const bool full = nodes_[static_cast<std::size_t>(to.node)].stored >= declaration_.most_staying(to.node);
  return full ? stored_packets(to.node) : std::vector<PacketId>();
}

template <class Ports>
std::vector<Engine::Waiting> StoreAndForwardEngine<Ports>::waiting(const Algorithm& algorithm, std::size_t most) const {
  std::vector<Waiting> list = waiting_in_memories(algorithm, most);
  for (const FlitPart& part : parts_)
    for (std::size_t b = 0; b < part.buffers.count(); ++b) {
      const auto at = static_cast<std::int32_t>(b);
      const NodeId node = part.nodes.first + at / buffers_per_node_;
      const Port port = at % buffers_per_node_ / declaration_.channels;
      for (const Flit& flit : part.buffers.flits(b)) {
        if (!list.empty() && list.back().packet == flit.packet && list.back().node == node) continue;
        if (list.size() >= most) return list;
        const Port wants = declaration_.buffers == BufferSide::out_ports ? port : algorithm.next_port(node, flit);
        list.push_back({flit.packet, node, wants, false, flit.index});
        if (wants != no_port) list.back().behind = holders(flit, wiring_.out[wiring_.index(node, wants)]);
      }
    }
  return list;
}

template class StoreAndForwardEngine<PortMask>;
template class StoreAndForwardEngine<ManyPorts>;

}  // namespace starloom::links
