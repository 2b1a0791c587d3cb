// SPDX-License-Identifier: Apache-2.0
#include <starloom/sockets/placement.hpp>

#include <stdexcept>
#include <string>

namespace starloom {
namespace {

void check_node(const NetworkGraph& graph, const char* what, std::size_t number, NodeId node) {
  const std::string index = std::string(what) + " " + std::to_string(number) + " is at ";
  if (node < 0 || node >= graph.nodes())
    throw std::invalid_argument(index + "node " + std::to_string(node) + ", but the nodes are 0 to " +
                                std::to_string(graph.nodes() - 1));
  if (graph.role(node) == NodeRole::switch_node)
    throw std::invalid_argument(index + graph.node_name(node) + ", which is a switch, not a processor");
}

}  // namespace

AddressMap checked_map(const NetworkGraph& graph, const std::vector<NodeId>& initiators,
                       const std::vector<PlacedTarget>& targets) {
  for (std::size_t i = 0; i < initiators.size(); ++i) check_node(graph, "initiator", i, initiators[i]);
  std::vector<AddressRange> ranges;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    check_node(graph, "target", i, targets[i].node);
    ranges.push_back(targets[i].addresses);
  }
  return AddressMap(std::move(ranges));
}

}  // namespace starloom
