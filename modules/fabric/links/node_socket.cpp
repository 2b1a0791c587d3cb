#include <starloom/fabric/links/node_socket.hpp>

namespace starloom::links {

NodeSocket::NodeSocket(const sc_core::sc_module_name& name, NodeId id, PortList out_ports, PortList in_ports,
                       Fabric& fabric)
    : Node(name, id, std::move(out_ports), std::move(in_ports)), fabric_(fabric), arrived_("arrived") {}

void NodeSocket::send(NodeId destination) {
  Packet packet;
  packet.source = id();
  packet.destination = destination;
  fabric_.create_packet(packet);
}

void NodeSocket::act(std::function<void(FlitView&)> action) {
  fabric_.call([this, action = std::move(action)](Engine& engine, Step step) {
    agent_.actions.push_back(action);
    engine.wake(id(), step);
  });
}

bool NodeSocket::take(Flit& flit) {
  if (inbox_.empty()) return false;
  flit = inbox_.front();
  inbox_.pop_front();
  return true;
}

Packet NodeSocket::packet(PacketId packet) const {
  const RunRecord& record = fabric_.engine().record();
  return record.packets[record.at(packet)];
}

/// no_port at the destination.
Port NodeSocket::first_port(NodeId destination) const {
  const LinkNetwork& network = fabric_.network();
  if (const Grid* grid = network.as<Grid>()) return grid->dimension_order_port(id(), destination);
  const NetworkGraph& graph = network.graph;
  if (id() == destination) return no_port;
  const std::int32_t left = graph.distance(id(), destination);
  for (const Port port : out_ports().numbers)
    if (graph.distance(graph.far_end(id(), port).node, destination) == left - 1) return port;
  return no_port;
}

void NodeSocket::Agent::step(FlitView& view) {
  for (PortMask left = view.arrived(); left != 0; left &= left - 1) {
    const Flit& flit = view.arrival(lowest_port(left));
    if (is_control(flit.kind)) continue;
    view.eject(flit);
    socket_.inbox_.push_back(flit);
    socket_.arrived_.notify(sc_core::SC_ZERO_TIME);
  }
  const bool acted = !actions.empty();
  while (!actions.empty()) {
    actions.front()(view);
    actions.pop_front();
  }
  // The actions may have used any link, so packets that leave by themselves wait a step.
  PortMask used = 0;
  while (!acted && view.waiting() > 0) {
    const NodeId destination = view.packet(view.next_packet()).destination;
    const Port port = socket_.first_port(destination);
    if (port == no_port) {  // at home already
      view.eject(view.accept());
      continue;
    }
    const PortMask bit = PortMask{1} << port;
    if ((used & bit) != 0 || (view.out_ports() & bit) == 0) break;
    used |= bit;
    view.send(port, view.accept());
  }
  if (view.waiting() > 0) view.wake_at(view.step() + 1);
}

}  // namespace starloom::links
