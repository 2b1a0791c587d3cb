// SPDX-License-Identifier: Apache-2.0
#include <starloom/topology/processors.hpp>

#include <starloom/support/error.hpp>

namespace starloom {
namespace {

std::string described(const Grid& grid) {
  std::string text = "the " + grid.kind_name() + " [";
  for (std::size_t axis = 0; axis < grid.shape().size(); ++axis)
    text += (axis == 0 ? "" : ", ") + std::to_string(grid.shape()[axis]);
  return text + "]";
}

}  // namespace

const Grid& Processors::coordinates(const std::string& pattern) const {
  if (!arrangement)
    refuse(pattern + " needs coordinates, and the processors of " + network +
           " have none; choose a pattern on node numbers, for instance random-permutation or reversal");
  return *arrangement;
}

void Processors::refuse(const std::string& text) const { throw InputError(text + remark); }

Processors processors_of(const LinkNetwork& network) {
  const NetworkGraph& graph = network.graph;
  const Grid* const grid = network.as<Grid>();
  Processors processors;
  processors.count = graph.processors();
  processors.arrangement = graph.arrangement();
  processors.distance = [graph](NodeId from, NodeId to) {
    const std::int32_t links = graph.distance(graph.processor(from), graph.processor(to));
    return links < 0 ? graph.nodes() : links;
  };
  processors.name = [graph](NodeId processor) { return graph.node_name(graph.processor(processor)); };
  const NodeId last = processors.count - 1;
  if (graph.processor(last) != last)  // numbers ascend with those of nodes
    for (NodeId processor = 0; processor <= last; ++processor) processors.node.push_back(graph.processor(processor));
  processors.network = grid != nullptr ? described(*grid) : "the " + network.title;
  return processors;
}

Processors processors_of(const Pops& pops) {
  const Grid grid = Grid::mesh({pops.groups(), pops.group_size()});
  Processors processors;
  processors.count = grid.nodes();
  processors.arrangement = grid;
  processors.distance = [grid](NodeId from, NodeId to) { return grid.distance(from, to); };
  processors.network = described(grid);
  processors.remark = " (patterns see POPS(" + std::to_string(pops.group_size()) + "," + std::to_string(pops.groups()) +
                      ") as " + processors.network + ", a row for each group)";
  return processors;
}

}  // namespace starloom
