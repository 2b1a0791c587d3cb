// SPDX-License-Identifier: Apache-2.0
#include "support/plain_flits.hpp"

namespace starloom::links {

template <class Ports>
PlainFlits<Ports>::PlainFlits(const LinkNetwork& network, const Algorithm& algorithm, PacketSource& source,
                              const StepperOptions& options)
    : PlainEngine(network, algorithm, source, options),
      buffers_per_node_(network.graph.ports() * declaration_.channels),
      buffers_(static_cast<std::size_t>(network.graph.nodes()) * buffers_per_node_),
      arrived_(static_cast<std::size_t>(network.graph.ports())),
      tray_(arrived_.size()),
      links_(arrived_.size()) {
  for (Port port = 0; port < network.graph.ports(); ++port)
    links_[static_cast<std::size_t>(port)] = {static_cast<std::uint32_t>(port), 0, static_cast<std::int16_t>(port), 0};
}

template <class Ports>
std::size_t PlainFlits<Ports>::first_buffer(NodeId node) const {
  return static_cast<std::size_t>(node) * buffers_per_node_;
}

template <class Ports>
bool PlainFlits<Ports>::in_motion() const {
  return !in_flight_.empty();
}

/// \param is_lost takes a flit, the node where it is, or entered the link that it is on, and the buffer or in-port
/// there; no_port: it is on a link.
template <class Ports>
template <class Condition>
void PlainFlits<Ports>::lose_if(LossCause cause, const Condition& is_lost) {
  for (auto& [step, flits] : in_flight_)
    for (auto at = flits.begin(); at != flits.end();) {
      const auto& [node, in] = at->first;
      const LinkEnd from = graph_.near_end(node, in);
      const bool on_link = step > now_;
      const NodeId there = on_link ? from.node : node;
      if (!is_lost(at->second, Place{there, on_link ? from.port : in}, on_link, false)) {
        ++at;
        continue;
      }
      drop_single(at->second, there, cause);
      at = flits.erase(at);
    }
  for (std::size_t b = 0; b < buffers_.count(); ++b) {
    const auto node = static_cast<NodeId>(b / static_cast<std::size_t>(buffers_per_node_));
    const auto port = static_cast<Port>(b % static_cast<std::size_t>(buffers_per_node_)) / declaration_.channels;
    if (buffers_.empty(b) || !is_lost(buffers_.front(b), Place{node, port}, false, true)) continue;
    while (!buffers_.empty(b)) drop_single(buffers_.pop(b), node, cause);
  }
}

template <class Ports>
Ports PlainFlits<Ports>::dead_ports(NodeId node) const {
  Ports dead{};
  for (Port port = 0; port < graph_.ports(); ++port)
    if (is_dead({node, port})) add_port(dead, port);
  return dead;
}

template <class Ports>
void PlainFlits<Ports>::prepare_for_faults(FlitFrameOf<Ports>& frame, NodeId node) {
  prepare(frame, node);
  frame.buffers = &buffers_;
  frame.first_buffer = first_buffer(node);
  frame.buffer_count = buffers_per_node_;
  frame.arrivals = arrived_.data();
  const std::map<Place, Flit>& arrivals = in_flight_[now_];
  for (auto at = first_of(arrivals, node); at != arrivals.end() && at->first.first == node; ++at) {
    add_port(frame.arrived, at->first.second);
    arrived_[static_cast<std::size_t>(at->first.second)] = at->second;
  }
}

template <class Ports>
void PlainFlits<Ports>::refresh(NodeId node) {
  FlitFrameOf<Ports> frame;
  prepare_for_faults(frame, node);
  dynamic_cast<FlitControllerOf<Ports>&>(controller(node)).refresh(FlitViewOf<Ports>(frame));
}

template <class Ports>
void PlainFlits<Ports>::act_on_faults(const std::vector<FaultEvent>& events) {
  for (const FaultEvent& event : events) {
    if (!event.dies) continue;
    if (event.port == graph_.ports()) give_up_memory(event.node);
    else
      lose_if(LossCause::cut, [&event](const Flit&, Place place, bool on_link, bool) {
        return event.port == no_port ? !on_link && place.first == event.node
                                     : on_link && place == Place{event.node, event.port};
      });
  }
  for (const FaultEvent& event : events) refresh(event.node);
}

template <class Ports>
void PlainFlits<Ports>::flush() {
  lose_if(LossCause::flush, [](const Flit&, Place, bool, bool) { return true; });
  for (NodeId node = 0; node < graph_.nodes(); ++node) refresh(node);
}

template <class Ports>
void PlainFlits<Ports>::reroute(ControllerArray& others) {
  for (NodeId node = 0; node < graph_.nodes(); ++node) {
    FlitFrameOf<Ports> frame;
    prepare_for_faults(frame, node);
    FlitViewOf<Ports> view(frame);
    std::vector<Flit> lost;
    dynamic_cast<FlitControllerOf<Ports>&>(controller(node))
        .reroute(view, dynamic_cast<FlitControllerOf<Ports>&>(others.at(node)), dead_ports(node), lost);
    for (const Flit& flit : lost) drop_single(flit, node, LossCause::no_way);
  }
}

/// Flits at a dead processor; those whose path ends, or leads to a link that routers at it know to be dead.
template <class Ports>
void PlainFlits<Ports>::lose_heads() {
  lose_if(LossCause::no_way, [this](const Flit& flit, Place place, bool on_link, bool stored) {
    const auto& [node, port] = place;
    if (on_link) return false;
    if (stored) return !learns_of_faults() && is_dead(place);
    if (flit.destination == node) return is_dead({node, graph_.ports()});
    FlitFrameOf<Ports> frame;
    prepare_for_faults(frame, node);
    const Port asked =
        dynamic_cast<FlitControllerOf<Ports>&>(controller(node)).asked_port(FlitViewOf<Ports>(frame), port);
    return asked == no_port || (!learns_of_faults() && is_dead({node, asked}));
  });
  if (learns_of_faults()) return;
  for (NodeId node = 0; node < graph_.nodes(); ++node) refresh(node);
}

template <class Ports>
void PlainFlits<Ports>::execute_step() {
  const std::map<Place, Flit> arrivals = in_flight_[now_];
  in_flight_.erase(now_);
  auto next = arrivals.begin();
  for (NodeId node = 0; node < graph_.nodes(); ++node) {
    const bool reached = next != arrivals.end() && next->first.first == node;
    while (next != arrivals.end() && next->first.first == node) ++next;
    if (reached || awake(node)) run_node(node, arrivals);
  }
}

template <class Ports>
void PlainFlits<Ports>::run_node(NodeId node, const std::map<Place, Flit>& arrivals) {
  FlitFrameOf<Ports> frame;
  prepare(frame, node);
  for (auto at = first_of(arrivals, node); at != arrivals.end() && at->first.first == node; ++at) {
    add_port(frame.arrived, at->first.second);
    arrived_[static_cast<std::size_t>(at->first.second)] = at->second;
    if (!is_control(at->second.kind)) frame.balance += FlitFrameOf<Ports>::token(at->second);
  }
  frame.arrivals = arrived_.data();
  frame.buffers = &buffers_;
  frame.first_buffer = first_buffer(node);
  frame.buffer_count = declaration_.buffers == BufferSide::none ? 0 : buffers_per_node_;
  std::vector<Flit> accepted, ejected, stored;
  frame.accepted = &accepted;
  frame.ejected = &ejected;
  frame.stored = &stored;

  // Flits go into the tray, from which they are put on their links below.
  std::vector<std::int64_t> load(tray_.size());
  ArrivalSummaryOf<Ports> on_tray;
  WakeFlag awake_then = WakeFlag::no;
  std::int32_t any_awake = 0;
  const DelaySlotOf<Ports> delay_slots{tray_.data(), &on_tray, &awake_then, &any_awake};
  frame.links = links_.data();
  frame.delay_slots = &delay_slots;
  frame.load = load.data();

  FlitViewOf<Ports> view(frame);
  dynamic_cast<FlitControllerOf<Ports>&>(controller(node)).step(view);

  commit(frame);
  if (frame.balance != 0) violate(node, "lost or doubled a flit");
  if (graph_.role(node) == NodeRole::switch_node && !(ejected.empty() && stored.empty()))
    violate(node, "took a flit out of the network in a switch");
  for (const Flit& flit : accepted) row(TraceEvent::inject, flit, node);
  for (const Flit& flit : ejected) eject(flit, node);
  for (const Flit& flit : stored) store(flit, node);
  for (Port port = 0; port < graph_.ports(); ++port) {
    if (!has_port(on_tray.ports, port)) continue;
    const Flit& flit = tray_[static_cast<std::size_t>(port)];
    cross({node, port}, flit);
    in_flight_[readable({node, port})][far_end({node, port})] = flit;
  }
  check_storage(frame);
}

template <class Ports>
void PlainFlits<Ports>::check_storage(const FlitFrameOf<Ports>& frame) {
  std::int32_t stay = 0;
  for (std::int32_t buffer = 0; buffer < buffers_per_node_; ++buffer) {
    const std::int32_t size = buffers_.size(frame.first_buffer + static_cast<std::size_t>(buffer));
    stay += size;
  }
  if (declaration_.buffers == BufferSide::none && stay != 0) violate(frame.node, "kept a flit without a buffer");
  if (declaration_.limits_staying() && stay > declaration_.most_staying(frame.node))
    violate(frame.node, "kept more packets than its bound");
}

template <class Ports>
std::int64_t PlainFlits<Ports>::queued(NodeId node) const {
  std::set<PacketId> packets;
  for (std::size_t b = first_buffer(node); b < first_buffer(node + 1); ++b)
    if (buffers_.size(b) != 0)
      for (const Flit& flit : buffers_.flits(b)) packets.insert(flit.packet);
  const auto next = in_flight_.find(now_ + 1);
  if (next != in_flight_.end())
    for (auto it = first_of(next->second, node); it != next->second.end() && it->first.first == node; ++it)
      if (is_head(it->second.kind) && it->second.destination != node) packets.insert(it->second.packet);
  return static_cast<std::int64_t>(packets.size()) + (options_.count_memory ? memory_.packets(node) : 0);
}

template class PlainFlits<PortMask>;
template class PlainFlits<ManyPorts>;

}  // namespace starloom::links
