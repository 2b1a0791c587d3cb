// SPDX-License-Identifier: Apache-2.0
#include <starloom/engines/worm_engine.hpp>

#include <algorithm>
#include <stdexcept>

#include <starloom/core/payload.hpp>

namespace starloom::links {

WormEngine::WormEngine(EngineSetup& setup)
    : Engine(setup),
      register_(wiring_.out.size(), no_worm),
      shown_(wiring_.out.size(), 0),
      nodes_(controllers_.size()),
      control_(wiring_.out.size()),
      parts_(make_parts<WormPart>()) {
  worm_controllers_.reserve(controllers_.size());
  for (Controller* controller : controllers_) {
    worm_controllers_.push_back(dynamic_cast<WormController*>(controller));
    if (worm_controllers_.back() == nullptr)
      throw std::invalid_argument("a network that stores no flits needs a WormController in every node");
  }
  for (std::size_t i = 0; i < wiring_.out.size(); ++i)
    if (wiring_.out[i].connected() && wiring_.latency[i] != 1)
      throw std::invalid_argument("worms that move as units need links of latency 1");
  if (has_intervals()) throw std::invalid_argument("worms that move as units need links of interval 1");
  if (hardware() != nullptr && declaration_.most_flits != 1)
    throw std::invalid_argument("worms that lose links during the run have one flit");
  const Faults* const faults = setup.unreachable == nullptr ? nullptr : &setup.unreachable->faults();
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    nodes_[n].in_ports = connected_ports<PortMask>(wiring_.in, static_cast<NodeId>(n));
    nodes_[n].out_ports = connected_ports<PortMask>(wiring_.out, static_cast<NodeId>(n));
    for (Port port = 0; faults != nullptr && port < wiring_.ports; ++port)
      if (faults->link_is_dead(static_cast<NodeId>(n), port)) remove_port(nodes_[n].out_ports, port);
  }
  if (declaration_.payload && declaration_.storage != StorageModel::never_standing)
    throw std::invalid_argument("only never-standing worms carry a payload");
  if (declaration_.payload)
    for (auto& face : payload_) face.resize(wiring_.out.size());
  for (WormPart& part : parts_) {
    part.frame.grid = grid_;
    part.frame.packets = &record_.packets;
    part.frame.memory = &memory_;
    part.frame.seed = seed_;
  }
}

void WormEngine::run_nodes(Step /*step*/, WakeCalendar::Bitmap& awake) {
  if (parts_.size() > 1) provide_worms(awake);
  for_each_part(parts_, [&](WormPart& part) { run_part(part, awake); });
  const bool broken = std::any_of(parts_.begin(), parts_.end(), [](const Part& part) { return part.stopped(); });
  if (!broken) for_each_part(parts_, [this](WormPart& part) { move_worms(part); });
  for (WormPart& part : parts_) {
    for (const Change& change : part.remote_changes) apply(parts_[partition_.part_of(change.node)], change);
    part.remote_changes.clear();
    join(part);
  }
}

/// Provides enough worms for all nodes that may start one in this step, because parts must not allocate while others
/// move their worms.
void WormEngine::provide_worms(const WakeCalendar::Bitmap& awake) {
  for (WormPart& part : parts_) {
    part.wanted = wake_all_ ? static_cast<std::size_t>(part.nodes.last - part.nodes.first) : 0;
    const auto count = [&](std::size_t first, std::size_t words) {
      for (std::size_t w = first; w < first + words && !wake_all_; ++w)
        part.wanted += static_cast<std::size_t>(__builtin_popcountll(awake[w]));
    };
    count(part.nodes.first_word(), part.nodes.last_word() - part.nodes.first_word());
    for (const Partition::Mirrors& mirrors : part.nodes.mirrored) count(mirrors.first_word, mirrors.words());
  }
  for (WormPart& part : parts_) {
    for (WormPart& other : parts_)
      for (; part.free.size() < part.wanted && other.free.size() > other.wanted; other.free.pop_back())
        part.free.push_back(other.free.back());
    for (; part.free.size() < part.wanted; worms_.emplace_back())
      part.free.push_back(static_cast<WormId>(worms_.size()));
  }
}

inline void WormEngine::prefetch_worm(WormId id) const {
  const char* const worm = reinterpret_cast<const char*>(worms_.data() + id);
  __builtin_prefetch(worm);
  __builtin_prefetch(worm + 64);
}

/// Prefetches a worm that is moved a little later, and then the data that its move reads.
inline void WormEngine::prefetch_worms(const WormPart& part, std::size_t i) const {
  constexpr std::size_t ahead = 6;
  if (i + 2 * ahead < part.moving.size()) prefetch_worm(part.moving[i + 2 * ahead]);
  if (i + ahead >= part.moving.size()) return;
  const Worm& worm = worms_[part.moving[i + ahead]];
  if (worm.state != State::moving) return;
  __builtin_prefetch(&register_[wiring_.index(worm.to.node, worm.to.port)], 1);
  __builtin_prefetch(&nodes_[static_cast<std::size_t>(worm.to.node)], 1);
  __builtin_prefetch(&record_.link_load[wiring_.index(worm.at, worm.leaves)], 1);
}

void WormEngine::run_part(WormPart& part, WakeCalendar::Bitmap& awake) {
  part.frame.first_packet = record_.first;
  part.moving.clear();
  part.next = calendar_.flags(now_ + 1, part.number);
  take_mirrored(part, awake, [this](NodeId mirror, NodeId lane) { take_mirrored_words(mirror, lane); });
  for (const WormId id : part.consuming) set_moving(part, id);
  part.consuming.clear();
  const auto prepare = [this](NodeId soon, NodeId sooner) __attribute__((always_inline)) {
    const auto n = static_cast<std::size_t>(soon);
    __builtin_prefetch(&nodes_[n]);
    __builtin_prefetch(&register_[wiring_.index(soon, 0)]);
    __builtin_prefetch(&wiring_.out[wiring_.index(soon, 0)]);
    const char* const controller = reinterpret_cast<const char*>(worm_controllers_[n]);
    __builtin_prefetch(controller);
    __builtin_prefetch(controller + 64);
    // The record of this node has been fetched by now, and names the worms that it will see.
    for (PortMask left = nodes_[static_cast<std::size_t>(sooner)].heads; left != 0; left &= left - 1)
      prefetch_worm(register_[wiring_.index(sooner, lowest_port(left))]);
  };
  for_each_awake(part, awake, prepare, [this, &part](NodeId node) { run_node(part, node); });
}

void WormEngine::run_node(WormPart& part, NodeId node) {
  const auto n = static_cast<std::size_t>(node);
  NodeState& state = nodes_[n];
  WormFrame& frame = part.frame;
  frame.step = now_;
  frame.node = node;
  frame.in_ports = state.in_ports;
  frame.out_ports = state.out_ports;
  const PortMask controls = std::exchange(state.controls, 0);
  frame.arrived = state.heads | controls;
  frame.parked = state.parked;
  frame.bound_out = state.bound;
  frame.clear_decisions();
  frame.decided = frame.controls_sent = 0;
  frame.inject_to = no_port;
  if (declaration_.reverse_wire || declaration_.forward_wire) gather_extras(part, frame);
  const std::size_t base = wiring_.index(node, 0);
  for (PortMask left = state.heads | state.parked; left != 0; left &= left - 1) {
    const Port port = lowest_port(left);
    frame.heads[port] = worms_[register_[base + static_cast<std::size_t>(port)]].head;
  }
  for (PortMask left = controls; left != 0; left &= left - 1) {
    const Port port = lowest_port(left);
    frame.heads[port] = control_[base + static_cast<std::size_t>(port)];
  }

  WormView view(frame);
  run_controller(part, node, *worm_controllers_[n], view, frame);
  ++part.activations;

  if ((state.heads & ~frame.decided) != 0 && frame.breach == nullptr)
    frame.breach = "left the head of a worm undecided: route, eject or hold it";
  // The decisions of an illegal step may be meaningless, so they are not carried out.
  if (frame.breach != nullptr) return part.stop(now_, node, std::exchange(frame.breach, nullptr));
  decide_heads(part, node);
  if (frame.inject_to != no_port) start_worm(part, node);
  for (PortMask left = frame.controls_sent; left != 0; left &= left - 1) {
    const Port port = lowest_port(left);
    part.controls_sent.emplace_back(in_slot(node, port), frame.outgoing[port]);
  }
  if ((frame.reverse_written | frame.forward_written) != 0) commit_extras(part, frame);
  if (frame.wake != no_step) wake_node(part, node, frame.wake);
}

void WormEngine::decide_heads(WormPart& part, NodeId node) {
  const WormFrame& frame = part.frame;
  NodeState& state = nodes_[static_cast<std::size_t>(node)];
  const std::size_t base = wiring_.index(node, 0);
  for (PortMask left = frame.decided; left != 0; left &= left - 1) {
    const Port in = lowest_port(left);
    const PortMask bit = PortMask{1} << in;
    const WormId id = register_[base + static_cast<std::size_t>(in)];
    Worm& worm = worms_[id];
    worm.head = frame.heads[in];
    switch (frame.act[in]) {
      case WormFrame::Act::hold:
        if (declaration_.storage == StorageModel::never_standing)
          part.stop(now_, node, "holds a worm, which must move in every step");
        worm.state = State::held;
        state.parked |= bit;
        break;
      case WormFrame::Act::route:
        worm.state = State::moving;
        send(worm, node, frame.route_to[in]);
        state.parked &= ~bit;
        set_moving(part, id);
        break;
      case WormFrame::Act::eject:
        if (wiring_.is_switch(node)) return refuse_ejection(part, node);
        worm.state = State::consuming;
        state.parked &= ~bit;
        set_moving(part, id);
        break;
      case WormFrame::Act::none: break;
    }
    state.heads &= ~bit;
  }
}

void WormEngine::refuse_ejection(Part& part, NodeId node) {
  part.stop(now_, node, "is a switch, but it ejects or stores a worm, which only a processor can");
}

void WormEngine::start_worm(WormPart& part, NodeId node) {
  const PacketId packet = part.frame.inject_head.packet;
  memory_.take_packet(node, packet);
  WormId id = static_cast<WormId>(worms_.size());
  if (part.free.empty()) {
    worms_.emplace_back();
  } else {
    id = part.free.back();
    part.free.pop_back();
  }
  const Packet& facts = record_.packets[record_.at(packet)];
  Worm& worm = worms_[id];
  worm.head = part.frame.inject_head;
  worm.head.destination = facts.destination;
  worm.head.index = 0;
  worm.head.kind = flit_kind(0, facts.flits);
  worm.flits = facts.flits;
  worm.emitted = worm.consumed = 0;
  worm.state = State::moving;
  worm.at = node;
  send(worm, node, part.frame.inject_to);
  worm.slots.reset(std::min(static_cast<std::size_t>(facts.flits), register_.size()));
  part.moving.push_back(id);
  part.frame.inject_head = Flit{};
}

void WormEngine::send(Worm& worm, NodeId node, Port out) {
  worm.leaves = out;
  worm.to = wiring_.out[wiring_.index(node, out)];
}

/// Registers are emptied before any is filled, so a worm may enter a register in the step in which another one leaves
/// it. No node reads the register of a last flit in between.
void WormEngine::set_moving(WormPart& part, WormId id) {
  part.moving.push_back(id);
  const Worm& worm = worms_[id];
  if (worm.emitted != worm.flits) return;
  register_[worm.slots.back()] = no_worm;
  if (observed()) touch(part, wiring_.in[worm.slots.back()].node);
}

void WormEngine::move_worms(WormPart& part) {
  for (std::size_t i = 0; i < part.moving.size(); ++i) {
    prefetch_worms(part, i);
    advance(part, part.moving[i]);
  }
  enter_controls(part);
}

void WormEngine::advance(WormPart& part, WormId id) {
  Worm& worm = worms_[id];
  const PacketId packet = worm.head.packet;
  const bool all_emitted = worm.emitted == worm.flits;
  const std::uint32_t last_before = all_emitted ? worm.slots.back() : 0;
  if (all_emitted) worm.slots.pop_back();
  if (worm.state == State::consuming) {
    Flit flit = worm.head;
    flit.index = worm.consumed;
    if (flit.destination == worm.at) deliver_flit(part, flit, worm.at);
    else store_flit(part, flit, worm.at);
    ++worm.consumed;
  } else {
    const auto slot = static_cast<std::uint32_t>(wiring_.index(worm.to.node, worm.to.port));
    if (register_[slot] != no_worm) {
      const PacketId other = worms_[register_[slot]].head.packet;
      return part.stop(now_, worm.at,
                       "sends packets " + std::to_string(std::min(packet, other)) + " and " +
                           std::to_string(std::max(packet, other)) + " into one register, that of " +
                           graph_.link_name(worm.at, worm.leaves));
    }
    register_[slot] = id;
    worm.slots.push_front(slot);
    ++worm.head.hops;
    // The flits after the head follow it through this node.
    if (worm.flits > 1) nodes_[static_cast<std::size_t>(worm.at)].bound |= PortMask{1} << worm.leaves;
    change(part, {worm.to.node, PortMask{1} << worm.to.port, 0, 0});
  }
  // A flit leaves the memory for the first link; now all flits of the worm have crossed a link in this step.
  if (!all_emitted) {
    const std::uint32_t first = worm.slots.back();
    if (noting()) note(part, TraceEvent::inject, packet, worm.emitted, wiring_.in[first].node);
    ++worm.emitted;
  }
  for (std::size_t i = 0; i < worm.slots.size(); ++i) {
    const bool front = i == 0 && worm.state == State::moving;
    const Wiring::End from = front ? Wiring::End{worm.at, worm.leaves} : wiring_.in[worm.slots[i]];
    const std::int32_t index = worm.consumed + static_cast<std::int32_t>(i);
    ++record_.link_load[wiring_.index(from.node, from.port)];
    ++part.hops;
    if (noting()) note(part, TraceEvent::hop, packet, index, from.node, from.port, node_of(worm.slots[i]));
    if (!observed()) continue;
    shown_[worm.slots[i]] = index;
    touch(part, from.node);
  }
  if (!payload_[0].empty()) carry_payload(part, worm, !all_emitted, last_before);
  if (worm.flits > 1 && worm.emitted == worm.flits && worm.slots.size() > 0) {
    const Wiring::End from = wiring_.in[worm.slots.back()];
    change(part, {from.node, 0, 0, PortMask{1} << from.port});
  }
  if (worm.state == State::moving) worm.at = worm.to.node;
  if (worm.state != State::consuming) return;
  if (worm.consumed == worm.flits) {
    part.free.push_back(id);
    return;
  }
  part.consuming.push_back(id);
  part.next.wake(part.lane(worm.at));
}

/// Moves each payload with its flit into the register in front. \param last_before the register in which the last flit
/// was. The payload of a consumed flit is compared with the word of its source.
void WormEngine::carry_payload(Part& part, const Worm& worm, bool emits, std::uint32_t last_before) {
  const NodeId source = record_.packets[record_.at(worm.head.packet)].source;
  const std::vector<std::uint32_t>& before = payload_[static_cast<std::size_t>(now_ & 1)];
  std::vector<std::uint32_t>& after = payload_[static_cast<std::size_t>(~now_ & 1)];
  const std::size_t count = worm.slots.size();
  const auto was_in = [&](std::size_t i) { return i < count ? worm.slots[i] : last_before; };
  for (std::size_t i = 0; i < count; ++i)
    after[worm.slots[i]] = emits && i + 1 == count ? payload_word(source, worm.emitted - 1) : before[was_in(i + 1)];
  if (worm.state == State::consuming && before[was_in(0)] != payload_word(source, worm.consumed - 1))
    part.stop(now_, worm.at,
              "consumes flit " + std::to_string(worm.consumed - 1) + " of packet " + std::to_string(worm.head.packet) +
                  " with a payload that its source has not given it");
}

void WormEngine::enter_controls(WormPart& part) {
  for (const auto& [slot, object] : part.controls_sent) {
    const Wiring::End from = wiring_.in[slot];
    if (register_[slot] != no_worm) {
      part.stop(now_, from.node,
                "sends a control object into the register of " + graph_.link_name(from.node, from.port) +
                    ", which a worm occupies");
      continue;
    }
    control_[slot] = object;
    const NodeId node = node_of(slot);
    change(part, {node, 0, PortMask{1} << port_of(slot), 0});
    record_hop(part, object, from.node, from.port, node);
  }
  part.controls_sent.clear();
}

std::optional<Flit> WormEngine::on_link(NodeId node, Port out) const {
  const std::uint32_t slot = in_slot(node, out);
  if (register_[slot] != no_worm) {
    const Worm& worm = worms_[register_[slot]];
    Flit flit = worm.head;
    flit.index = shown_[slot];
    flit.kind = flit_kind(flit.index, worm.flits);
    if (!payload_[0].empty()) flit.header[0] = payload_[static_cast<std::size_t>(~now_ & 1)][slot];
    return flit;
  }
  if ((nodes_[static_cast<std::size_t>(node_of(slot))].controls >> port_of(slot) & 1) != 0) return control_[slot];
  return std::nullopt;
}

std::vector<Engine::Waiting> WormEngine::waiting(const Algorithm& algorithm, std::size_t most) const {
  std::vector<Waiting> list = waiting_in_memories(algorithm, most);
  for (std::size_t slot = 0; slot < register_.size(); ++slot) {
    if (register_[slot] == no_worm) continue;
    const Worm& worm = worms_[register_[slot]];
    if (worm.slots.front() != slot) continue;
    if (list.size() >= most) return list;
    const NodeId node = node_of(static_cast<std::uint32_t>(slot));
    const Port wants = algorithm.next_port(node, worm.head);
    list.push_back({worm.head.packet, node, wants, false, worm.consumed});
    // A worm blocks others by the registers of its flits.
    if (wants == no_port || !wiring_.out[wiring_.index(node, wants)].connected()) continue;
    const WormId holder = register_[in_slot(node, wants)];
    if (holder != no_worm) list.back().behind = {worms_[holder].head.packet};
  }
  return list;
}

}  // namespace starloom::links
