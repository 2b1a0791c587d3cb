#include <starloom/fabric/links/network.hpp>

#include <algorithm>

#include <starloom/fabric/clock/permuted_order.hpp>

namespace starloom::links {

Network::Network(const sc_core::sc_module_name& name, const Grid& topology, const Algorithm& algorithm,
                 const NetworkOptions& options)
    : sc_module(name),
      fabric("fabric",
             Fabric::Setup{&topology, &algorithm.declaration(), options.seed, options.count_memory, options.shuffle,
                           options.wake_all},
             options.period),
      ports_(static_cast<std::size_t>(topology.ports())),
      controllers_(algorithm.make_controllers()) {
  const auto count = static_cast<std::size_t>(topology.nodes());
  const std::vector<NodeId> order = permuted_order(topology.nodes(), options.shuffle, construction_order);
  nodes_.resize(count);
  links_.resize(count * ports_);
  for (const NodeId id : order) build_node(id, topology, algorithm.declaration(), options);
  for (const NodeId id : order)
    for (const Port port : nodes_[static_cast<std::size_t>(id)]->port_numbers()) {
      links_[static_cast<std::size_t>(id) * ports_ + static_cast<std::size_t>(port)] =
          std::make_unique<Link>(topology.link_name(id, port).c_str(), options.link_latency);
      ++module_count_;
    }
  for (const NodeId id : order) bind(id, topology);
}

void Network::build_node(NodeId id, const Grid& topology, const Declaration& declaration,
                         const NetworkOptions& options) {
  std::vector<Port> numbers;
  std::vector<std::string> names;
  for (Port port = 0; port < topology.ports(); ++port) {
    if (topology.neighbour(id, port) == no_node) continue;
    numbers.push_back(port);
    names.push_back(topology.port_name(port));
  }
  const std::string name = topology.node_name(id);
  std::unique_ptr<Node>& node = nodes_[static_cast<std::size_t>(id)];
  if (std::find(options.foreign.begin(), options.foreign.end(), id) != options.foreign.end()) {
    if (declaration.storage != StorageModel::store_and_forward)
      netlist_error(name + ": a foreign node needs a store-and-forward algorithm");
    node = std::make_unique<NodeSocket>(name.c_str(), id, std::move(numbers), std::move(names), fabric);
  } else {
    node = std::make_unique<Processor>(
        name.c_str(), id, std::move(numbers), std::move(names), controllers_->at(id),
        [&](const Node& under_construction) { return build_buffers(under_construction, declaration, options); });
  }
  fabric.add(*node);
  ++module_count_;
}

std::vector<std::unique_ptr<FlitBuffer>> Network::build_buffers(const Node& node, const Declaration& declaration,
                                                                const NetworkOptions& options) {
  if (declaration.buffers == BufferSide::none) return {};
  const auto channels = static_cast<std::size_t>(declaration.channels);
  std::vector<std::unique_ptr<FlitBuffer>> buffers(ports_ * channels);
  for (std::size_t k = 0; k < node.port_numbers().size(); ++k) {
    const Port port = node.port_numbers()[k];
    for (std::size_t channel = 0; channel < channels; ++channel) {
      const std::string name = buffer_name(node.port_names()[k], static_cast<std::int32_t>(channel));
      buffers[static_cast<std::size_t>(port) * channels + channel] =
          options.make_buffer ? options.make_buffer(name.c_str(), node.id(), port, declaration.capacity)
                              : std::make_unique<FlitBuffer>(name.c_str(), declaration.capacity);
      ++module_count_;
    }
  }
  return buffers;
}

void Network::bind(NodeId id, const Grid& topology) {
  Node& here = *nodes_[static_cast<std::size_t>(id)];
  for (const Port port : here.port_numbers()) {
    here.out.bind(link(id, port));
    here.in.bind(link(topology.neighbour(id, port), topology.reverse(port)));
  }
}

NodeSocket& Network::socket(NodeId id) {
  Node& node = *nodes_[static_cast<std::size_t>(id)];
  auto* socket = dynamic_cast<NodeSocket*>(&node);
  if (socket != nullptr) return *socket;
  const std::string text = std::string(node.name()) + " is not a foreign node: list it in NetworkOptions::foreign";
  netlist_error(text);
  throw std::logic_error(text);  // where somebody has told reports not to throw
}

}  // namespace starloom::links
