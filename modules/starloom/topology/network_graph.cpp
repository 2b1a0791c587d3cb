// SPDX-License-Identifier: Apache-2.0
#include <starloom/topology/network_graph.hpp>

#include <algorithm>
#include <iterator>

#include <starloom/support/error.hpp>

namespace starloom {
namespace {

constexpr NodeId most_nodes_verified = 1024;
constexpr NodeId sampled_nodes = 16;

/// The nodes from which distances are checked: all of a small network, else a sample spread over it.
std::vector<NodeId> verified_nodes(NodeId nodes) {
  const NodeId count = nodes <= most_nodes_verified ? nodes : sampled_nodes;
  std::vector<NodeId> chosen;
  for (std::int64_t i = 0; i < count; ++i)
    chosen.push_back(count == 1 ? 0 : static_cast<NodeId>(i * (nodes - 1) / (count - 1)));
  return chosen;
}

}  // namespace

std::optional<NodeRole> node_role(std::string_view word) {
  const auto found = std::find(std::begin(node_role_names), std::end(node_role_names), word);
  if (found == std::end(node_role_names)) return std::nullopt;
  return static_cast<NodeRole>(found - std::begin(node_role_names));
}

std::string_view name_stem(std::string_view node_name) {
  constexpr std::string_view prefix = "node_";
  return node_name.substr(0, prefix.size()) == prefix ? node_name.substr(prefix.size()) : node_name;
}

bool NetworkGraph::is_terminal(NodeId node) const {
  if (!tables_->terminal.empty()) return tables_->terminal[static_cast<std::size_t>(node)];
  const PortSet out = out_ports(node), in = in_ports(node);
  return role(node) != NodeRole::switch_node && out.size() == 1 && in.size() == 1 &&
         role(far_end(node, out.lowest()).node) == NodeRole::switch_node &&
         role(near_end(node, in.lowest()).node) == NodeRole::switch_node;
}

std::int32_t NetworkGraph::router_distance(NodeId from, NodeId to) const {
  if (from != to) return distance(from, to) - (is_terminal(from) ? 1 : 0) - (is_terminal(to) ? 1 : 0);
  if (!is_terminal(from)) return 0;
  return distance(far_end(from, out_ports(from).lowest()).node, near_end(from, in_ports(from).lowest()).node);
}

ClockCrossing NetworkGraph::crossing(NodeId node, Port out_port) const {
  ClockCrossing crossing{period(node), period(far_end(node, out_port).node)};
  crossing.synchroniser = ClockCrossing::usual_synchroniser(crossing.sender, crossing.receiver);
  if (tables_->crossing.empty()) return crossing;
  const CrossingKeys& keys = tables_->crossing[index(node, out_port)];
  crossing.synchroniser = keys.synchroniser.value_or(crossing.synchroniser);
  crossing.fifo = keys.fifo;
  return crossing;
}

std::string NetworkGraph::link_name(NodeId node, Port out_port) const {
  std::string name = "link_";
  name += name_stem(tables_->name(node));
  name += '_';
  name += out_port_name(node, out_port);
  return name;
}

NetworkGraph NetworkGraph::without_links(const std::vector<bool>& links) const {
  auto tables = std::make_shared<NetworkTables>(*tables_);
  const auto remove = [words = PortSet::words_for(ports())](std::vector<PortMask>& table, LinkEnd end) {
    const auto port = static_cast<std::size_t>(end.port);
    table[static_cast<std::size_t>(end.node) * words + port / ports_per_word] &=
        ~(PortMask{1} << port % ports_per_word);
  };
  tables->terminal.clear();
  for (NodeId node = 0; node < nodes(); ++node) {
    tables->terminal.push_back(is_terminal(node));
    for (const Port port : out_ports(node)) {
      if (!links[index(node, port)]) continue;
      const LinkEnd far = far_end(node, port);
      tables->out[index(node, port)] = tables->in[index(far.node, far.port)] = {};
      remove(tables->out_ports, {node, port});
      remove(tables->in_ports, far);
      --tables->links;
    }
  }
  tables->distance = nullptr;
  tables->diameter = -1;
  tables->rows = std::make_shared<DistanceRows>(*tables);
  return NetworkGraph(std::move(tables));
}

void NetworkGraph::verify() const {
  const auto fail = [](const std::string& text) { throw InputError("the network contradicts itself: " + text); };

  std::int64_t leaving = 0, entering = 0;
  for (NodeId node = 0; node < nodes(); ++node)
    for (Port port = 0; port < ports(); ++port) {
      const LinkEnd far = far_end(node, port), near = near_end(node, port);
      leaving += far.connected() ? 1 : 0;
      entering += near.connected() ? 1 : 0;
      if (far.connected() != out_ports(node).has(port) ||
          (far.connected() && near_end(far.node, far.port) != LinkEnd{node, port}))
        fail(node_name(node) + " and the far end of its out-port " + std::to_string(port) + " disagree");
      if (near.connected() != in_ports(node).has(port))
        fail(node_name(node) + " and the link of its in-port " + std::to_string(port) + " disagree");
    }
  if (leaving != links() || entering != links())
    fail("it says " + std::to_string(links()) + " links, but " + std::to_string(leaving) + " leave a node and " +
         std::to_string(entering) + " enter one");

  std::int32_t greatest = 0;
  const auto compare = [&](NodeId from, NodeId to, std::int32_t searched) {
    if (processor_of(from) >= 0 && processor_of(to) >= 0) greatest = std::max(greatest, searched);
    if (distance(from, to) == searched) return;
    fail("from " + node_name(from) + " to " + node_name(to) + " its formula says a distance of " +
         std::to_string(distance(from, to)) + " links, a search " + std::to_string(searched));
  };
  const bool all = nodes() <= most_nodes_verified;
  for (const NodeId node : verified_nodes(nodes())) {
    const std::vector<std::int32_t> from = distances_from(node);
    for (NodeId other = 0; other < nodes(); ++other) compare(node, other, from[static_cast<std::size_t>(other)]);
    if (all) continue;
    const std::vector<std::int32_t> to = distances_to(node);
    for (NodeId other = 0; other < nodes(); ++other) compare(other, node, to[static_cast<std::size_t>(other)]);
  }
  // From a sample of nodes, the greatest distance is only a lower bound.
  if (all ? tables_->diameter >= 0 && tables_->diameter != greatest
          : tables_->diameter >= 0 && tables_->diameter < greatest)
    fail("its formula says a diameter of " + std::to_string(diameter()) + ", but processors are " +
         std::to_string(greatest) + " links apart");
}

}  // namespace starloom
