// SPDX-License-Identifier: Apache-2.0
/// \file Hardware that dies and is repaired under packets of one flit that nodes store (docs/faults.md).
#include <utility>

#include <starloom/engines/store_and_forward_engine.hpp>

namespace starloom::links {

template <class Ports>
void StoreAndForwardEngine<Ports>::act_on_faults(const std::vector<FaultEvent>& events) {
  count_queues();
  for (const FaultEvent& event : events) {
    const bool of_link = event.port != no_port && event.port != wiring_.ports;
    if (!event.dies) {
      if (of_link) remove_port(dead_[static_cast<std::size_t>(event.node)], event.port);
    } else if (of_link) {
      add_port(dead_[static_cast<std::size_t>(event.node)], event.port);
      // A flit that becomes readable in this step has crossed the link.
      const std::size_t link = wiring_.index(event.node, event.port);
      for (std::int32_t distance = 1; distance < links_[link].latency; ++distance)
        lose_on_link(link, distance, LossCause::cut);
    } else if (event.port == no_port) {
      lose_arrivals(event.node, LossCause::cut);
      lose_stored(event.node, nodes_[static_cast<std::size_t>(event.node)].out_ports, LossCause::cut);
    } else {
      give_up_memory(event.node);
    }
  }
  for (const FaultEvent& event : events)
    nodes_[static_cast<std::size_t>(event.node)].controller->refresh(FlitViewOf<Ports>(frame_at(event.node)));
}

template <class Ports>
void StoreAndForwardEngine<Ports>::flush() {
  for (NodeId node = 0; node < wiring_.nodes; ++node) {
    lose_arrivals(node, LossCause::flush);
    for_each_port(nodes_[static_cast<std::size_t>(node)].out_ports, [&](Port port) {
      const std::size_t link = wiring_.index(node, port);
      for (std::int32_t distance = 1; distance < links_[link].latency; ++distance)
        lose_on_link(link, distance, LossCause::flush);
    });
    if (lose_stored(node, nodes_[static_cast<std::size_t>(node)].out_ports, LossCause::flush))
      nodes_[static_cast<std::size_t>(node)].controller->refresh(FlitViewOf<Ports>(frame_at(node)));
  }
}

template <class Ports>
void StoreAndForwardEngine<Ports>::reroute(const Algorithm& algorithm) {
  const std::unique_ptr<ControllerArray> others = algorithm.make_controllers();
  std::vector<Flit> without_path;
  for (NodeId node = 0; node < wiring_.nodes; ++node) {
    const auto n = static_cast<std::size_t>(node);
    FlitViewOf<Ports> view(frame_at(node));
    nodes_[n].controller->reroute(view, dynamic_cast<const FlitControllerOf<Ports>&>(others->at(node)), dead_[n],
                                  without_path);
    nodes_[n].stored -= static_cast<std::int32_t>(without_path.size());
    for (const Flit& flit : without_path) lose(node, flit, LossCause::no_way);
    if (observed()) touch_twice(parts_[partition_.part_of(node)], node);
    without_path.clear();
  }
}

/// Packets that have come to a dead processor, or where no path leads on. If routing functions never learn of it, they
/// lead to dead links, too.
template <class Ports>
void StoreAndForwardEngine<Ports>::lose_heads() {
  for (NodeId node = 0; node < wiring_.nodes; ++node) {
    const auto n = static_cast<std::size_t>(node);
    const bool of_processor = hardware()->processor_is_dead(node);
    const bool of_links = learns_of_faults() ? may_lack_paths() : !has_none(dead_[n]);
    if (!of_processor && !of_links) continue;
    const FlitViewOf<Ports> view(frame_at(node));
    const auto leads_nowhere = [&](Port asked) {
      return asked == no_port || (!learns_of_faults() && has_port(dead_[n], asked));
    };
    for_each_port(view.arrived(), [&](Port in) {
      const bool lost = view.arrival(in).destination == node
                            ? of_processor
                            : of_links && leads_nowhere(nodes_[n].controller->asked_port(view, in));
      if (!lost) return;
      const Wiring::End from = wiring_.in[wiring_.index(node, in)];
      lose_on_link(wiring_.index(from.node, from.port), 0, LossCause::no_way);
    });
    if (!learns_of_faults() && lose_stored(node, dead_[n], LossCause::no_way)) nodes_[n].controller->refresh(view);
  }
}

/// At the end of the step before. Nodes do so when they run, but some of their packets may be lost before.
template <class Ports>
void StoreAndForwardEngine<Ports>::count_queues() {
  for (NodeId node = 0; node < wiring_.nodes; ++node) {
    std::int32_t passing = 0;
    const FlitFrameOf<Ports>& frame = frame_at(node);
    for_each_port(frame.arrived, [&](Port port) { passing += frame.arrivals[port].destination != node ? 1 : 0; });
    if (passing != 0)
      record_.queue.update(
          nodes_[static_cast<std::size_t>(node)].stored + passing + (count_memory_ ? memory_.packets(node) : 0), node,
          now_ - 1);
  }
}

/// For questions to the controller of a node before its step.
template <class Ports>
FlitFrameOf<Ports>& StoreAndForwardEngine<Ports>::frame_at(NodeId node) {
  const NodeState& state = nodes_[static_cast<std::size_t>(node)];
  FlitPart& part = parts_[partition_.part_of(node)];
  FlitFrameOf<Ports>& frame = part.frame;
  frame.step = now_;
  frame.node = node;
  frame.first_packet = record_.first;
  frame.in_ports = state.in_ports;
  frame.out_ports = state.out_ports;
  withhold_dead(frame);
  frame.first_buffer = buffer_index(part, node, 0);
  frame.arrivals = &slots_[calendar_.phase(now_) * wiring_.out.size()] + wiring_.index(node, 0);
  frame.arrived = {};
  for_each_port(state.in_ports, [&](Port in) {
    const Wiring::End from = wiring_.in[wiring_.index(node, in)];
    if (on_its_way(wiring_.index(from.node, from.port), 0) != nullptr) add_port(frame.arrived, in);
  });
  return frame;
}

/// The flit that becomes readable behind a link `distance` steps after this one; null: none.
template <class Ports>
const Flit* StoreAndForwardEngine<Ports>::on_its_way(std::size_t link, std::int32_t distance) const {
  const std::size_t phase = calendar_.phase(now_ + distance);
  const OutLink& to = links_[link];
  const bool is_there =
      has_port(summaries_[phase * partition_.lanes() + static_cast<std::size_t>(to.lane)].ports, to.port);
  return is_there ? &slots_[phase * wiring_.out.size() + to.slot] : nullptr;
}

template <class Ports>
void StoreAndForwardEngine<Ports>::lose(NodeId node, const Flit& flit, LossCause cause) {
  drop(parts_[partition_.part_of(node)], flit.packet, flit.index, node);
  Engine::lose(record_.packets[record_.at(flit.packet)], cause);
}

/// \param distance see `on_its_way`; if none is there, none is lost.
template <class Ports>
void StoreAndForwardEngine<Ports>::lose_on_link(std::size_t link, std::int32_t distance, LossCause cause) {
  const Flit* const flit = on_its_way(link, distance);
  if (flit == nullptr) return;
  const OutLink& to = links_[link];
  ArrivalSummaryOf<Ports>& summary =
      summaries_[calendar_.phase(now_ + distance) * partition_.lanes() + static_cast<std::size_t>(to.lane)];
  remove_port(summary.ports, to.port);
  summary.tokens -= FlitFrameOf<Ports>::token(*flit);
  --summary.packets;
  const auto near_end = static_cast<NodeId>(link / node_ports_);
  lose(distance == 0 ? wiring_.out[link].node : near_end, *flit, cause);
}

template <class Ports>
void StoreAndForwardEngine<Ports>::lose_arrivals(NodeId node, LossCause cause) {
  for_each_port(nodes_[static_cast<std::size_t>(node)].in_ports, [&](Port in) {
    const Wiring::End from = wiring_.in[wiring_.index(node, in)];
    lose_on_link(wiring_.index(from.node, from.port), 0, cause);
  });
}

/// \return true if any flits were in the buffers of these out-ports.
template <class Ports>
bool StoreAndForwardEngine<Ports>::lose_stored(NodeId node, const Ports& ports, LossCause cause) {
  FlitPart& part = parts_[partition_.part_of(node)];
  const std::int32_t before = nodes_[static_cast<std::size_t>(node)].stored;
  for_each_port(ports, [&](Port port) {
    for (std::int32_t channel = 0; channel < declaration_.channels; ++channel) {
      const std::size_t buffer = buffer_index(part, node, port * declaration_.channels + channel);
      while (!part.buffers.empty(buffer)) {
        --nodes_[static_cast<std::size_t>(node)].stored;
        lose(node, part.buffers.pop(buffer), cause);
      }
    }
  });
  if (nodes_[static_cast<std::size_t>(node)].stored == before) return false;
  if (observed()) touch_twice(part, node);
  return true;
}

template void StoreAndForwardEngine<PortMask>::act_on_faults(const std::vector<FaultEvent>&);
template void StoreAndForwardEngine<PortMask>::flush();
template void StoreAndForwardEngine<PortMask>::reroute(const Algorithm&);
template void StoreAndForwardEngine<PortMask>::lose_heads();
template void StoreAndForwardEngine<ManyPorts>::act_on_faults(const std::vector<FaultEvent>&);
template void StoreAndForwardEngine<ManyPorts>::flush();
template void StoreAndForwardEngine<ManyPorts>::reroute(const Algorithm&);
template void StoreAndForwardEngine<ManyPorts>::lose_heads();

}  // namespace starloom::links
