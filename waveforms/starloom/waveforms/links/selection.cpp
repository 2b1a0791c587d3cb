// SPDX-License-Identifier: Apache-2.0
#include <starloom/waveforms/links/selection.hpp>

#include <algorithm>

#include <starloom/support/error.hpp>
#include <starloom/topology/instance_glob.hpp>

namespace starloom::links {
namespace {

/// Marks the instances that the globs select.
class Chooser {
 public:
  Chooser(const NetworkGraph& graph, const Declaration& declaration, const std::vector<std::string>& globs)
      : graph_(graph), declaration_(declaration), globs_(globs), nodes_(static_cast<std::size_t>(graph.nodes())) {
    for (NodeId id = 0; id < graph.nodes(); ++id) nodes_[static_cast<std::size_t>(id)].node = id;
  }

  std::vector<ShownNode> choose() {
    for (ShownNode& shown : nodes_) choose_at(shown);
    globs_.require_matches([this](const std::string& glob) { return refusal(glob); });
    std::vector<ShownNode> chosen;
    for (ShownNode& shown : nodes_) {
      if (!shown.state && shown.buffers.empty() && shown.links.empty()) continue;
      std::sort(shown.links.begin(), shown.links.end());
      shown.links.erase(std::unique(shown.links.begin(), shown.links.end()), shown.links.end());
      chosen.push_back(std::move(shown));
    }
    return chosen;
  }

 private:
  void choose_at(ShownNode& shown) {
    const std::string name = graph_.node_name(shown.node);
    shown.state = matches(name);
    for (const Port port : graph_.out_ports(shown.node)) {
      if (matches(graph_.link_name(shown.node, port)) || shown.state) shown.links.push_back(port);
    }
    if (shown.state)
      for (const Port port : graph_.in_ports(shown.node)) {
        const LinkEnd from = graph_.near_end(shown.node, port);
        nodes_[static_cast<std::size_t>(from.node)].links.push_back(from.port);
      }
    each_buffer(shown.node, [&](std::int32_t buffer) {
      if (matches(name + '.' + buffer_name(graph_, declaration_, shown.node, buffer)) || shown.state)
        shown.buffers.push_back(buffer);
    });
    if (lacks_router(shown.node)) shown.state = false;  // it has only links
    for (std::size_t field = 0; shown.state && field < declaration_.state.size(); ++field)
      if (has_port(shown.node, declaration_.state[field].port)) shown.fields.push_back(field);
  }

  /// For a node with a router. True also of `no_port`.
  bool has_port(NodeId node, Port port) const {
    if (port == graph_.ports()) return graph_.role(node) != NodeRole::switch_node;
    return port == no_port || graph_.out_ports(node).has(port) || graph_.in_ports(node).has(port);
  }

  bool lacks_router(NodeId node) const { return !has_router(graph_, declaration_, node); }

  template <class Visit>
  void each_buffer(NodeId node, const Visit& visit) const {
    if (declaration_.buffers == BufferSide::none || lacks_router(node)) return;
    const auto visit_port = [&](Port port) {
      const std::int32_t first = port * declaration_.channels;
      for (std::int32_t b = first; b < first + declaration_.channels; ++b) visit(b);
    };
    for (const Port port :
         declaration_.buffers == BufferSide::in_ports ? graph_.in_ports(node) : graph_.out_ports(node))
      visit_port(port);
    if (declaration_.storage == StorageModel::virtual_channels && graph_.role(node) != NodeRole::switch_node)
      visit_port(graph_.ports());
  }

  bool matches(const std::string& name) { return globs_.matches(name); }

  std::string refusal(const std::string& glob) const {
    std::vector<std::string> nodes, links, buffers;
    for (const ShownNode& shown : nodes_) {
      nodes.push_back(graph_.node_name(shown.node));
      for (const Port port : graph_.out_ports(shown.node)) links.push_back(graph_.link_name(shown.node, port));
      each_buffer(shown.node, [&](std::int32_t buffer) {
        buffers.push_back(nodes.back() + '.' + buffer_name(graph_, declaration_, shown.node, buffer));
      });
    }
    std::string kinds = "the nodes are " + nodes.front() + " to " + nodes.back();
    if (!links.empty()) kinds += ", a link is " + links.front();
    if (!buffers.empty()) kinds += ", a buffer is " + buffers.front();
    return no_match_text(glob, {nodes, links, buffers}, kinds);
  }

  const NetworkGraph& graph_;
  const Declaration& declaration_;
  GlobList globs_;
  std::vector<ShownNode> nodes_;  ///< [node]
};

}  // namespace

std::string buffer_name(const NetworkGraph& graph, const Declaration& declaration, NodeId node, std::int32_t buffer) {
  const Port port = buffer / declaration.channels;
  if (port == graph.ports()) return buffer_name(local_port_name, buffer % declaration.channels);
  return buffer_name(
      declaration.buffers == BufferSide::in_ports ? graph.in_port_name(node, port) : graph.out_port_name(node, port),
      buffer % declaration.channels);
}

std::vector<ShownNode> choose_instances(const NetworkGraph& graph, const Declaration& declaration,
                                        const std::vector<std::string>& globs) {
  return Chooser(graph, declaration, globs).choose();
}

}  // namespace starloom::links
