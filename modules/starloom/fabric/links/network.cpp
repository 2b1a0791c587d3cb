// SPDX-License-Identifier: Apache-2.0
#include <starloom/fabric/links/network.hpp>

#include <algorithm>

#include <starloom/engines/permuted_order.hpp>

namespace starloom::links {

namespace {

PortList list_of(const NetworkGraph& graph, NodeId node, const PortSet& ports,
                 std::string (NetworkGraph::*name)(NodeId, Port) const) {
  PortList list;
  for (const Port port : ports) {
    list.numbers.push_back(port);
    list.names.push_back((graph.*name)(node, port));
  }
  return list;
}

}  // namespace

Network::Network(const sc_core::sc_module_name& name, const LinkNetwork& network, const Algorithm& algorithm,
                 const NetworkOptions& options)
    : sc_module(name),
      fabric("fabric",
             Fabric::Setup{&network, &algorithm.declaration(), options.seed, options.count_memory, options.shuffle,
                           options.wake_all, options.stall_rate, options.threads, options.unreachable, options.errors,
                           options.count_events},
             options.period.value_or(sc_core::sc_time(1, sc_core::SC_NS))),
      ports_(static_cast<std::size_t>(network.graph.ports())),
      controllers_(algorithm.make_controllers()) {
  const NetworkGraph& graph = network.graph;
  const auto count = static_cast<std::size_t>(graph.nodes());
  const std::vector<NodeId> order = permuted_order(graph.nodes(), options.shuffle, construction_order);
  nodes_.resize(count);
  links_.resize(count * ports_);
  for (const NodeId id : order) build_node(id, graph, algorithm.declaration(), options);
  for (const NodeId id : order)
    for (const Port port : nodes_[static_cast<std::size_t>(id)]->out_ports().numbers) {
      links_[graph.index(id, port)] = std::make_unique<Link>(graph.link_name(id, port).c_str(), graph.timing(id, port));
      ++module_count_;
    }
  for (const NodeId id : order) bind(id, graph);
}

void Network::build_node(NodeId id, const NetworkGraph& graph, const Declaration& declaration,
                         const NetworkOptions& options) {
  PortList out = list_of(graph, id, graph.out_ports(id), &NetworkGraph::out_port_name);
  PortList in = list_of(graph, id, graph.in_ports(id), &NetworkGraph::in_port_name);
  const std::string name = graph.node_name(id);
  const bool passes_on = graph.role(id) == NodeRole::switch_node;
  const bool has_buffers = declaration.storage != StorageModel::virtual_channels || !graph.is_terminal(id);
  const auto make_buffers = [&](const Node& node) {
    return has_buffers ? build_buffers(node, !passes_on, declaration, options)
                       : std::vector<std::unique_ptr<FlitBuffer>>();
  };
  std::unique_ptr<Node>& node = nodes_[static_cast<std::size_t>(id)];
  if (std::find(options.foreign.begin(), options.foreign.end(), id) != options.foreign.end()) {
    if (declaration.storage != StorageModel::store_and_forward)
      netlist_error(name + ": a foreign node needs a store-and-forward algorithm");
    if (graph.ports() > ports_per_word)
      netlist_error(name + ": a foreign node needs a network whose nodes have at most " +
                    std::to_string(ports_per_word) + " ports, but there are nodes of " + std::to_string(graph.ports()) +
                    " ports");
    if (passes_on) netlist_error(name + ": a foreign node takes the place of a processor, and this node is a switch");
    node = std::make_unique<NodeSocket>(name.c_str(), id, std::move(out), std::move(in), controllers_->at(id),
                                        make_buffers, fabric);
  } else if (passes_on) {
    node =
        std::make_unique<Switch>(name.c_str(), id, std::move(out), std::move(in), controllers_->at(id), make_buffers);
  } else {
    node = std::make_unique<RouterNode>(name.c_str(), id, std::move(out), std::move(in), controllers_->at(id),
                                        make_buffers);
  }
  fabric.add(*node);
  ++module_count_;
}

std::vector<std::unique_ptr<FlitBuffer>> Network::build_buffers(const Node& node, bool has_processor,
                                                                const Declaration& declaration,
                                                                const NetworkOptions& options) {
  if (declaration.buffers == BufferSide::none) return {};
  PortList ports = declaration.buffers == BufferSide::in_ports ? node.in_ports() : node.out_ports();
  const bool has_local_port = declaration.storage == StorageModel::virtual_channels;
  if (has_local_port && has_processor) {
    ports.numbers.push_back(static_cast<Port>(ports_));
    ports.names.emplace_back(local_port_name);
  }
  const auto channels = static_cast<std::size_t>(declaration.channels);
  const std::int32_t capacity = declaration.capacity_at(node.id());
  std::vector<std::unique_ptr<FlitBuffer>> buffers((ports_ + (has_local_port ? 1 : 0)) * channels);
  for (std::size_t k = 0; k < ports.numbers.size(); ++k) {
    const Port port = ports.numbers[k];
    for (std::size_t channel = 0; channel < static_cast<std::size_t>(declaration.channels_at(node.id())); ++channel) {
      const std::string name = buffer_name(ports.names[k], static_cast<std::int32_t>(channel));
      buffers[static_cast<std::size_t>(port) * channels + channel] =
          options.make_buffer ? options.make_buffer(name.c_str(), node.id(), port, capacity)
                              : std::make_unique<FlitBuffer>(name.c_str(), capacity);
      ++module_count_;
    }
  }
  return buffers;
}

void Network::bind(NodeId id, const NetworkGraph& graph) {
  Node& here = *nodes_[static_cast<std::size_t>(id)];
  for (const Port port : here.out_ports().numbers) here.out.bind(link(id, port));
  for (const Port port : here.in_ports().numbers) {
    const LinkEnd from = graph.near_end(id, port);
    here.in.bind(link(from.node, from.port));
  }
}

NodeSocket& Network::socket(NodeId id) {
  Node& node = *nodes_[static_cast<std::size_t>(id)];
  auto* socket = dynamic_cast<NodeSocket*>(&node);
  if (socket != nullptr) return *socket;
  const std::string text = std::string(node.name()) + " is not a foreign node: list it in NetworkOptions::foreign";
  netlist_error(text);
  throw std::logic_error(text);  // if the program has set reports not to throw
}

}  // namespace starloom::links
