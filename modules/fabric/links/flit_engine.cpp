#include <starloom/fabric/links/flit_engine.hpp>

#include <stdexcept>

namespace starloom::links {

FlitEngine::FlitEngine(EngineSetup& setup)
    : Engine(setup),
      extras_(declaration_.reverse_wire || declaration_.forward_wire || has_intervals()),
      node_ports_(static_cast<std::size_t>(wiring_.ports)),
      buffers_per_node_(declaration_.buffers == BufferSide::none ? 0 : wiring_.ports * declaration_.channels),
      buffers_(static_cast<std::size_t>(wiring_.nodes) * static_cast<std::size_t>(buffers_per_node_)),
      nodes_(in_ports_.size()),
      links_(wiring_.out.size()),
      slots_(calendar_.phases() * wiring_.out.size()),
      arrived_(calendar_.phases() * in_ports_.size(), 0),
      later_(calendar_.phases()) {
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    nodes_[n].controller = dynamic_cast<FlitController*>(controllers_[n]);
    nodes_[n].in_ports = in_ports_[n];
    nodes_[n].out_ports = out_ports_[n];
    if (nodes_[n].controller == nullptr)
      throw std::invalid_argument("a network that stores flits needs a FlitController in every node");
  }
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const Wiring::End to = wiring_.out[i];
    if (!to.connected()) continue;
    links_[i] = {static_cast<std::uint32_t>(wiring_.index(to.node, to.port)), to.node,
                 static_cast<std::int16_t>(to.port), static_cast<std::int16_t>(wiring_.latency[i])};
  }
  frame_.grid = grid_;
  frame_.packets = &record_.packets;
  frame_.memory = &memory_;
  frame_.seed = seed_;
  frame_.buffers = &buffers_;
  frame_.buffer_count = buffers_per_node_;
  frame_.ejected = &ejected_;
  frame_.stored = &taken_;
  frame_.accepted = &accepted_;
}

Later FlitEngine::later(Step step) {
  const std::size_t phase = calendar_.phase(step);
  const WakeCalendar::Lane lane = calendar_.lane(step);
  return {&slots_[phase * wiring_.out.size()], &arrived_[phase * in_ports_.size()], lane.bits, lane.any};
}

void FlitEngine::run_nodes(Step step, WakeCalendar::Bitmap& awake) {
  for (std::size_t distance = 0; distance < later_.size(); ++distance)
    later_[distance] = later(step + static_cast<Step>(distance));
  frame_.step = step;
  frame_.first_packet = record_.first;
  frame_.later = later_.data();
  const auto prepare = [this, slots = later_[0].registers](NodeId node) {
    const auto n = static_cast<std::size_t>(node);
    const char* const first = reinterpret_cast<const char*>(slots + n * node_ports_);
    for (std::size_t byte = 0; byte < node_ports_ * sizeof(Flit); byte += 64) __builtin_prefetch(first + byte);
    buffers_.prefetch(n * static_cast<std::size_t>(buffers_per_node_));
    memory_.prefetch(node);
    __builtin_prefetch(&nodes_[n]);
    __builtin_prefetch(&links_[n * node_ports_]);
    __builtin_prefetch(&record_.link_load[n * node_ports_]);
  };
  for_each_awake(awake, prepare, [this](NodeId node) { run_node(node); });
}

void FlitEngine::run_node(NodeId node) {
  const auto n = static_cast<std::size_t>(node);
  NodeState& state = nodes_[n];
  FlitFrame& frame = frame_;
  frame.node = node;
  frame.in_ports = state.in_ports;
  frame.out_ports = state.out_ports;
  const PortMask arrived = std::exchange(later_[0].arrived[n], 0);
  Flit* const arrivals = later_[0].registers + n * node_ports_;
  frame.arrived = arrived;
  frame.arrivals = arrivals;
  frame.first_buffer = n * static_cast<std::size_t>(buffers_per_node_);
  frame.links = &links_[n * node_ports_];
  frame.load = &record_.link_load[n * node_ports_];
  frame.clear_decisions();
  frame.packets_sent = frame.controls_sent = 0;
  if (extras_) gather_extras(frame);

  std::uint64_t balance = 0;
  std::int32_t arrived_packets = 0;
  std::int32_t passing = 0;  // those that are not at home
  for (PortMask left = arrived; left != 0; left &= left - 1) {
    const Flit& flit = arrivals[lowest_port(left)];
    if (is_control(flit.kind)) continue;
    balance += FlitFrame::token(flit);
    ++arrived_packets;
    passing += flit.destination != node ? 1 : 0;
  }
  frame.balance = balance;
  const std::int32_t before = state.stored;
  // The end of the step before, now that it is known what arrived: buffered, just arrived, own unsent.
  if (passing != 0)
    record_.queue.see(before + passing + (count_memory_ ? memory_.packets(node) - fresh_[n] : 0), node, now_ - 1);
  fresh_[n] = 0;

  FlitView view(frame);
  state.controller->step(view);
  ++record_.activations;

  if (frame.balance != 0 && frame.breach == nullptr)
    frame.breach =
        "lost or doubled a flit: every arrival, and every flit taken from a buffer or the memory, must be "
        "sent, pushed or ejected in the same step";
  if (frame.breach != nullptr) return refuse(node);

  std::int32_t stored = before + arrived_packets;
  if (!accepted_.empty()) {
    stored += static_cast<std::int32_t>(accepted_.size());
    if (tracing())
      for (const Flit& flit : accepted_) row(TraceEvent::inject, flit.packet, flit.index, node);
    accepted_.clear();
  }
  if (frame.sent != 0) {
    stored -= frame.packets_sent;
    hops_in_step_ += frame.packets_sent;
    if (frame.controls_sent != 0 || tracing()) record_sends(node, frame);
  }
  if (!ejected_.empty() || !taken_.empty()) {
    stored -= static_cast<std::int32_t>(ejected_.size() + taken_.size());
    commit_ejections(node);
  }
  if (extras_ || (frame.reverse_written | frame.forward_written) != 0) commit_extras(frame);
  if (frame.wake != no_step) calendar_.wake(node, now_, frame.wake);
  state.stored = stored;

  if (declaration_.limits_staying()) check_storage(node, stored);
  record_.queue.see(stored + (count_memory_ ? memory_.packets(node) : 0), node, now_);
}

/// What an illegal step decided may make no sense: it is not carried out.
void FlitEngine::refuse(NodeId node) {
  stop(now_, node, std::exchange(frame_.breach, nullptr));
  accepted_.clear();
  ejected_.clear();
  taken_.clear();
}

void FlitEngine::record_sends(NodeId node, const FlitFrame& frame) {
  for (PortMask left = frame.sent; left != 0; left &= left - 1) {
    const Port port = lowest_port(left);
    const OutLink& link = frame.links[port];
    record_hop(later_[static_cast<std::size_t>(link.latency)].registers[link.slot], node, port, link.node);
  }
}

void FlitEngine::commit_ejections(NodeId node) {
  if (wiring_.is_switch(node)) {
    frame_.breach = "is a switch, but it ejects or stores a flit, which only a processor can";
    return refuse(node);
  }
  for (const Flit& flit : ejected_) deliver_flit(flit, node);
  for (const Flit& flit : taken_) store_flit(flit, node);
  ejected_.clear();
  taken_.clear();
}

void FlitEngine::check_storage(NodeId node, std::int32_t stored) {
  const std::int32_t most = declaration_.most_staying(node);
  if (stored > most)
    stop(now_, node, "keeps " + std::to_string(stored) + " packets, more than its bound of " + std::to_string(most));
}

void FlitEngine::close_record(Step last) {
  if (last < 0) return;
  const std::size_t phase = calendar_.phase(last + 1);
  for (NodeId node = 0; node < wiring_.nodes; ++node) {
    const auto n = static_cast<std::size_t>(node);
    std::int32_t passing = 0;
    for (PortMask left = arrived_[phase * in_ports_.size() + n]; left != 0; left &= left - 1) {
      const Flit& flit = slots_[phase * wiring_.out.size() + n * wiring_.ports + lowest_port(left)];
      passing += !is_control(flit.kind) && flit.destination != node ? 1 : 0;
    }
    if (passing > 0)
      record_.queue.see(nodes_[n].stored + passing + (count_memory_ ? memory_.packets(node) : 0), node, last);
  }
}

std::optional<Flit> FlitEngine::on_link(NodeId node, Port out) const {
  const OutLink& link = links_[wiring_.index(node, out)];
  const std::size_t phase = calendar_.phase(now_ + link.latency);
  const PortMask arrived = arrived_[phase * in_ports_.size() + static_cast<std::size_t>(link.node)];
  if ((arrived >> link.port & 1) == 0) return std::nullopt;
  return slots_[phase * wiring_.out.size() + link.slot];
}

std::vector<PacketId> FlitEngine::stored_packets(NodeId node) const {
  std::vector<PacketId> list;
  const std::size_t first = static_cast<std::size_t>(node) * static_cast<std::size_t>(buffers_per_node_);
  for (std::size_t b = first; b < first + static_cast<std::size_t>(buffers_per_node_); ++b)
    for (auto place = buffers_.first(b); place != BufferPool::none; place = buffers_.next(place))
      list.push_back(buffers_.flit(place).packet);
  return list;
}

Flit FlitEngine::stored(NodeId node, std::int32_t buffer, std::int32_t i) const {
  BufferPool::Place place = buffers_.first(buffer_index(node, buffer));
  while (i-- > 0) place = buffers_.next(place);
  return buffers_.flit(place);
}

/// Who holds what a flit needs to cross a link: places of the node beyond, if it has a bound.
std::vector<PacketId> FlitEngine::holders(const Flit& flit, const OutLink& link) const {
  if (link.node == no_node || !declaration_.limits_staying() || flit.destination == link.node) return {};
  const bool full = nodes_[static_cast<std::size_t>(link.node)].stored >= declaration_.most_staying(link.node);
  return full ? stored_packets(link.node) : std::vector<PacketId>();
}

std::vector<Engine::Waiting> FlitEngine::waiting(const Algorithm& algorithm) const {
  std::vector<Waiting> list = waiting_in_memories(algorithm);
  for (std::size_t b = 0; b < buffers_.count(); ++b) {
    const auto node = static_cast<NodeId>(b / static_cast<std::size_t>(buffers_per_node_));
    const auto port = static_cast<Port>(b % static_cast<std::size_t>(buffers_per_node_)) / declaration_.channels;
    for (auto place = buffers_.first(b); place != BufferPool::none; place = buffers_.next(place)) {
      const Flit& flit = buffers_.flit(place);
      if (!list.empty() && list.back().packet == flit.packet && list.back().node == node) continue;
      const Port wants = declaration_.buffers == BufferSide::out_ports ? port : algorithm.next_port(node, flit);
      list.push_back({flit.packet, node, wants, false, flit.index});
      if (wants != no_port) list.back().behind = holders(flit, links_[wiring_.index(node, wants)]);
    }
  }
  return list;
}

}  // namespace starloom::links
