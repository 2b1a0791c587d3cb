// SPDX-License-Identifier: Apache-2.0
#include <starloom/fabric/links/node_socket.hpp>

namespace starloom::links {

NodeSocket::NodeSocket(const sc_core::sc_module_name& name, NodeId id, PortList out_ports, PortList in_ports,
                       Controller& controller, const MakeBuffers& make_buffers, Fabric& fabric)
    : RoutingNode(name, id, std::move(out_ports), std::move(in_ports), controller, make_buffers),
      fabric_(fabric),
      agent_(*this, dynamic_cast<FlitController&>(controller)),
      arrived_("arrived") {}

void NodeSocket::send(NodeId destination) {
  Packet packet;
  packet.source = id();
  packet.destination = destination;
  fabric_.create_packet(packet);
}

void NodeSocket::see_transit(bool on) {
  fabric_.call([this, on](Engine&, Step) { agent_.sees_transit = on; });
}

void NodeSocket::act(std::function<void(FlitView&)> action) {
  fabric_.call([this, action = std::move(action)](Engine& engine, Step step) {
    agent_.actions.push_back(action);
    engine.wake(id(), step);
  });
}

bool NodeSocket::take(Flit& flit) {
  if (received_.empty()) return false;
  flit = received_.front();
  received_.pop_front();
  return true;
}

Packet NodeSocket::packet(PacketId packet) const {
  const RunRecord& record = fabric_.engine().record();
  return record.packets[record.at(packet)];
}

void NodeSocket::hand_over(const Flit& flit) {
  received_.push_back(flit);
  arrived_.notify(sc_core::SC_ZERO_TIME);
}

void NodeSocket::Agent::step(FlitView& view) {
  if (!actions.empty() || sees_transit)
    view.eject_arrivals([&](const Flit& flit) {
      if (sees_transit || flit.destination == view.node()) socket_.hand_over(flit);
    });
  if (!actions.empty()) {
    for (; !actions.empty(); actions.pop_front()) actions.front()(view);
    view.wake_at(view.step() + 1);  // the algorithm has not seen this step
    return;
  }
  const std::size_t before = view.consumed().size();
  algorithm_.step(view);
  for (std::size_t i = before; i < view.consumed().size(); ++i) socket_.hand_over(view.consumed()[i]);
}

}  // namespace starloom::links
