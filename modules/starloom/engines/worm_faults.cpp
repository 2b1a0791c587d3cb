// SPDX-License-Identifier: Apache-2.0
/// \file Hardware that dies and is repaired under worms of one flit (docs/faults.md).
#include <set>

#include <starloom/engines/worm_engine.hpp>

namespace starloom::links {

void WormEngine::act_on_faults(const std::vector<FaultEvent>& events) {
  std::set<NodeId> fewer_links;
  for (const FaultEvent& event : events) {
    NodeState& state = nodes_[static_cast<std::size_t>(event.node)];
    if (event.port == wiring_.ports) {
      if (event.dies) give_up_memory(event.node);
    } else if (event.port == no_port) {
      if (event.dies) lose_worms(event.node, state.heads, LossCause::cut);
    } else if (event.dies) {
      remove_port(state.out_ports, event.port);
      fewer_links.insert(event.node);
    } else {
      add_port(state.out_ports, event.port);
    }
  }
  for (const NodeId node : fewer_links) {
    const WormView view(frame_at(node));
    lose_worms(node, worm_controllers_[static_cast<std::size_t>(node)]->overflow(view), LossCause::overflow);
  }
}

void WormEngine::flush() {
  for (NodeId node = 0; node < wiring_.nodes; ++node)
    lose_worms(node, nodes_[static_cast<std::size_t>(node)].heads, LossCause::flush);
}

void WormEngine::reroute(const Algorithm& algorithm) {
  const std::unique_ptr<ControllerArray> others = algorithm.make_controllers();
  for (NodeId node = 0; node < wiring_.nodes; ++node) {
    const WormView view(frame_at(node));
    lose_worms(node,
               worm_controllers_[static_cast<std::size_t>(node)]->reroute(
                   view, dynamic_cast<const WormController&>(others->at(node))),
               LossCause::no_way);
  }
}

/// Those that have come to a dead processor.
void WormEngine::lose_heads() {
  for (NodeId node = 0; node < wiring_.nodes; ++node) {
    const PortMask heads = nodes_[static_cast<std::size_t>(node)].heads;
    if (heads == 0 || !hardware()->processor_is_dead(node)) continue;
    PortMask home = 0;
    for_each_port(heads, [&](Port in) {
      if (worms_[register_[wiring_.index(node, in)]].head.destination == node) add_port(home, in);
    });
    lose_worms(node, home, LossCause::no_way);
  }
}

/// For questions to the controller of a node before its step.
WormFrame& WormEngine::frame_at(NodeId node) {
  const NodeState& state = nodes_[static_cast<std::size_t>(node)];
  WormFrame& frame = parts_[partition_.part_of(node)].frame;
  frame.step = now_;
  frame.node = node;
  frame.in_ports = state.in_ports;
  frame.out_ports = state.out_ports;
  frame.arrived = state.heads;
  for_each_port(state.heads, [&](Port in) { frame.heads[in] = worms_[register_[wiring_.index(node, in)]].head; });
  return frame;
}

/// Worms of one flit whose heads have come to in-ports of a node.
void WormEngine::lose_worms(NodeId node, PortMask ins, LossCause cause) {
  WormPart& part = parts_[partition_.part_of(node)];
  nodes_[static_cast<std::size_t>(node)].heads &= ~ins;
  for_each_port(ins, [&](Port in) {
    const WormId id = std::exchange(register_[wiring_.index(node, in)], no_worm);
    const PacketId packet = worms_[id].head.packet;
    drop(part, packet, 0, node);
    lose(record_.packets[record_.at(packet)], cause);
    part.free.push_back(id);
  });
}

}  // namespace starloom::links
