// SPDX-License-Identifier: Apache-2.0
#include "support/plain_worms.hpp"

#include <starloom/core/payload.hpp>

namespace starloom::links {

/// By in-port.
std::map<Port, PacketId> PlainWorms::arrivals(NodeId node) const {
  std::map<Port, PacketId> packets;
  for (const auto& [packet, worm] : worms_)
    if (const Place at = far_end(worm.links.front()); at.first == node) packets[at.second] = packet;
  return packets;
}

/// For questions to a controller before its step.
WormFrame PlainWorms::frame_with(NodeId node, const std::map<Port, PacketId>& arrivals) {
  WormFrame frame;
  prepare(frame, node);
  for (const auto& [in, packet] : arrivals) {
    frame.arrived |= PortMask{1} << in;
    frame.heads[static_cast<std::size_t>(in)] = worms_.at(packet).head;
  }
  return frame;
}

void PlainWorms::lose_worm(PacketId packet, NodeId node, LossCause cause) {
  drop_single(worms_.at(packet).head, node, cause);
  worms_.erase(packet);
}

void PlainWorms::act_on_faults(const std::vector<FaultEvent>& events) {
  std::set<NodeId> lost_links;
  for (const FaultEvent& event : events) {
    if (!event.dies) continue;
    if (event.port == graph_.ports()) give_up_memory(event.node);
    else if (event.port != no_port) lost_links.insert(event.node);
    else
      for (const auto& [in, packet] : arrivals(event.node)) lose_worm(packet, event.node, LossCause::cut);
  }
  for (const NodeId node : lost_links) {
    const auto packets = arrivals(node);
    WormFrame frame = frame_with(node, packets);
    const PortMask lost = dynamic_cast<WormController&>(controller(node)).overflow(WormView(frame));
    for (const auto& [in, packet] : packets)
      if ((lost >> in & 1) != 0) lose_worm(packet, node, LossCause::overflow);
  }
}

void PlainWorms::flush() {
  for (NodeId node = 0; node < graph_.nodes(); ++node)
    for (const auto& [in, packet] : arrivals(node)) lose_worm(packet, node, LossCause::flush);
}

void PlainWorms::reroute(ControllerArray& others) {
  for (NodeId node = 0; node < graph_.nodes(); ++node) {
    const auto packets = arrivals(node);
    WormFrame frame = frame_with(node, packets);
    const PortMask lost = dynamic_cast<WormController&>(controller(node))
                              .reroute(WormView(frame), dynamic_cast<WormController&>(others.at(node)));
    for (const auto& [in, packet] : packets)
      if ((lost >> in & 1) != 0) lose_worm(packet, node, LossCause::no_way);
  }
}

void PlainWorms::lose_heads() {
  for (NodeId node = 0; node < graph_.nodes(); ++node)
    for (const auto& [in, packet] : arrivals(node))
      if (worms_.at(packet).head.destination == node && is_dead({node, graph_.ports()}))
        lose_worm(packet, node, LossCause::no_way);
}

bool PlainWorms::in_motion() const {
  if (!controls_.empty()) return true;
  for (const auto& [packet, worm] : worms_)
    if (worm.state != State::held) return true;
  return false;
}

void PlainWorms::execute_step() {
  look_around();
  sent_controls_.clear();
  for (NodeId node = 0; node < graph_.nodes(); ++node) run_node(node);
  move_worms();
}

void PlainWorms::look_around() {
  heads_.clear();
  bound_.clear();
  for (const auto& [packet, worm] : worms_) {
    if (worm.state != State::consuming) heads_[far_end(worm.links.front())] = packet;
    for (const Place& link : worm.links) {
      const bool last = &link == &worm.links.back();
      if (!last || worm.emitted < worm.flits) bound_[link.first] |= PortMask{1} << link.second;
    }
  }
}

void PlainWorms::run_node(NodeId node) {
  const auto first_head = first_of(heads_, node);
  const auto first_control = first_of(controls_, node);
  if (first_head == heads_.end() && first_control == controls_.end() && !awake(node)) return;
  WormFrame frame;
  for (auto at = first_head; at != heads_.end() && at->first.first == node; ++at) {
    const Worm& worm = worms_.at(at->second);
    frame.heads[static_cast<std::size_t>(at->first.second)] = worm.head;
    (worm.state == State::held ? frame.parked : frame.arrived) |= PortMask{1} << at->first.second;
  }
  for (auto at = first_control; at != controls_.end() && at->first.first == node; ++at) {
    frame.heads[static_cast<std::size_t>(at->first.second)] = at->second;
    frame.arrived |= PortMask{1} << at->first.second;
  }
  if (frame.arrived == 0 && !awake(node)) return;
  prepare(frame, node);
  frame.arrivals = frame.heads.data();
  frame.bound_out = bound_[node];

  WormView view(frame);
  dynamic_cast<WormController&>(controller(node)).step(view);

  commit(frame);
  carry_out(frame);
}

void PlainWorms::carry_out(const WormFrame& frame) {
  const NodeId node = frame.node;
  for (Port port = 0; port < graph_.ports(); ++port) {
    const auto i = static_cast<std::size_t>(port);
    const auto head = heads_.find({node, port});
    if (head == heads_.end()) continue;
    Worm& worm = worms_.at(head->second);
    worm.head.tag = frame.heads[i].tag;
    worm.head.header = frame.heads[i].header;
    const bool decided = (frame.decided >> port & 1) != 0;
    if (!decided && worm.state == State::held) continue;
    if (!decided) violate(node, "left the head of a worm undecided");
    switch (frame.act[i]) {
      case WormFrame::Act::route:
        worm.state = State::moving;
        worm.next = frame.route_to[i];
        break;
      case WormFrame::Act::eject:
        worm.state = State::consuming;
        worm.consumer = node;
        break;
      case WormFrame::Act::hold:
        if (declaration_.storage == StorageModel::never_standing) violate(node, "held a worm that may never stand");
        worm.state = State::held;
        break;
      case WormFrame::Act::none: break;
    }
  }
  if (frame.inject_to != no_port) {
    const PacketId packet_id = frame.inject_head.packet;
    memory_.take_packet(node, packet_id);
    Worm& worm = worms_[packet_id];
    worm.flits = packet(packet_id).flits;
    worm.head = frame.inject_head;
    worm.head.destination = packet(packet_id).destination;
    worm.head.index = 0;
    worm.head.kind = flit_kind(0, worm.flits);
    worm.links.push_front({node, frame.inject_to});
  }
  for (Port port = 0; port < graph_.ports(); ++port)
    if ((frame.controls_sent >> port & 1) != 0)
      sent_controls_[{node, port}] = frame.outgoing[static_cast<std::size_t>(port)];
}

void PlainWorms::move_worms() {
  taken_.clear();
  for (const auto& [packet, worm] : worms_)
    if (worm.state == State::held) taken_.insert(worm.links.begin(), worm.links.end());

  for (auto it = worms_.begin(); it != worms_.end();) {
    Worm& worm = it->second;
    if (worm.state != State::held) advance(worm);
    it = worm.consumed == worm.flits ? worms_.erase(it) : std::next(it);
  }

  controls_.clear();
  for (const auto& [out, object] : sent_controls_) {
    enter(out);
    cross(out, object);
    controls_[far_end(out)] = object;
  }
}

/// Every flit of the worm enters the next register. A worm that starts has its first link already, without a flit on
/// it.
void PlainWorms::advance(Worm& worm) {
  const bool starts = worm.emitted == 0;
  Flit flit;
  flit.packet = worm.head.packet;
  flit.destination = worm.head.destination;
  flit.kind = FlitKind::body;
  if (worm.state == State::consuming) {
    flit.index = worm.consumed++;
    if (declaration_.payload) {
      if (worm.payload.front() != payload_word(packet(flit.packet).source, flit.index))
        violate(worm.consumer, "consumed a flit with a payload that its source has not given it");
      worm.payload.pop_front();
    }
    if (worm.consumer == flit.destination) eject(flit, worm.consumer);
    else store(flit, worm.consumer);
  } else if (!starts) {
    const NodeId at = far_end(worm.links.front()).first;
    worm.links.push_front({at, worm.next});
  }
  if (worm.emitted < worm.flits) {
    flit.index = worm.emitted++;
    if (declaration_.payload) worm.payload.push_back(payload_word(packet(flit.packet).source, flit.index));
    row(TraceEvent::inject, flit, worm.links.back().first);
  } else {
    worm.links.pop_back();
  }
  flit.index = worm.consumed;
  for (const Place& link : worm.links) {
    enter(link);
    cross(link, flit);
    ++flit.index;
  }
}

void PlainWorms::enter(Place link) {
  if (!taken_.insert(link).second)
    violate(link.first, "put a flit into the occupied register of " + graph_.link_name(link.first, link.second));
}

}  // namespace starloom::links
