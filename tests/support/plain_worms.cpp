// SPDX-License-Identifier: Apache-2.0
#include "support/plain_worms.hpp"

#include <starloom/core/payload.hpp>

namespace starloom::links {

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
