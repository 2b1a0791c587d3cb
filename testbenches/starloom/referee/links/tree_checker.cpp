// SPDX-License-Identifier: Apache-2.0
#include <starloom/referee/links/tree_checker.hpp>

#include <algorithm>
#include <stdexcept>
#include <string>

namespace starloom::links {
namespace {

/// The nodes in which the flits of a group are consumed, ascending; none if its paths come to a node twice.
std::vector<NodeId> ends_of(const MulticastTree& tree, const NetworkGraph& graph) {
  std::vector<NodeId> ends, open = {tree.group.source};
  for (std::size_t visited = 0; visited < open.size() && visited <= static_cast<std::size_t>(graph.nodes()); ++visited)
    for (Port port = 0; port <= graph.ports(); ++port) {
      if ((tree.at(open[visited]) >> port & 1) == 0) continue;
      if (port == graph.ports()) ends.push_back(open[visited]);
      else if (const NodeId next = graph.far_end(open[visited], port).node; next != no_node) open.push_back(next);
    }
  std::sort(open.begin(), open.end());
  if (std::adjacent_find(open.begin(), open.end()) != open.end()) return {};
  std::sort(ends.begin(), ends.end());
  return ends;
}

}  // namespace

TreeChecker::TreeChecker(const CheckContext& context) : context_(context) {
  for (const MulticastTree& tree : *context.rules().trees)
    if (ends_of(tree, context.graph()) != tree.group.destinations)
      throw std::invalid_argument("the paths of packets from " + context.node_name(tree.group.source) +
                                  " to several destinations are not a tree that ends in these");
}

const MulticastTree& TreeChecker::tree(PacketId packet) const {
  return (*context_.rules().trees)[group_index(context_.packet(packet).destination)];
}

void TreeChecker::inject(const TraceRow& row) {
  AtNode& source = packets_[row.packet].nodes[row.node];
  if (static_cast<std::size_t>(row.flit) < source.readable.size()) context_.reject(row, "is injected a second time");
  if (static_cast<std::size_t>(row.flit) > source.readable.size())
    context_.reject(row, "is injected before flit " + std::to_string(source.readable.size()) + " of its packet");
  source.readable.push_back(row.step);
}

void TreeChecker::leave(const TraceRow& row, Port port) {
  std::map<NodeId, AtNode>& nodes = packets_[row.packet].nodes;
  const auto here = nodes.find(row.node);
  if (here == nodes.end() || static_cast<std::size_t>(row.flit) >= here->second.readable.size())
    context_.reject(row, "moves, but no copy of it is in " + context_.node_name(row.node));
  if ((tree(row.packet).at(row.node) >> port & 1) == 0)
    context_.reject(row, "leaves the paths to the destinations of its packet");
  const auto flit = static_cast<std::size_t>(row.flit);
  std::size_t& left = here->second.left[port];
  if (flit < left) context_.reject(row, "takes the same way a second time");
  if (flit > left) context_.reject(row, "overtakes flit " + std::to_string(left) + " of its packet");
  if (const Step readable = here->second.readable[flit]; row.step < readable)
    context_.reject(row, "moves before step " + std::to_string(readable) + ", when it is readable");
  ++left;
}

void TreeChecker::hop(const TraceRow& row, LinkId link) {
  leave(row, row.port);
  AtNode& there = packets_[row.packet].nodes[row.to];
  there.link = link;
  there.readable.push_back(row.step + context_.latency(link));
}

bool TreeChecker::consume(const TraceRow& row) {
  leave(row, context_.graph().ports());
  Copies& copies = packets_[row.packet];
  const auto ends = static_cast<std::int64_t>(tree(row.packet).group.destinations.size());
  if (++copies.consumed < context_.packet(row.packet).flits * ends) return false;
  packets_.erase(row.packet);
  return true;
}

bool TreeChecker::has_left(const TraceRow& row) const {
  const auto packet = packets_.find(row.packet);
  if (packet == packets_.end()) return true;
  const AtNode& here = packet->second.nodes.at(row.node);
  const auto ports = static_cast<std::size_t>(__builtin_popcountll(tree(row.packet).at(row.node)));
  return here.left.size() == ports && std::all_of(here.left.begin(), here.left.end(), [&](const auto& port) {
           return port.second > static_cast<std::size_t>(row.flit);
         });
}

LinkId TreeChecker::link_to(PacketId packet, NodeId node) const {
  const auto found = packets_.find(packet);
  if (found == packets_.end()) return -1;
  const auto here = found->second.nodes.find(node);
  return here == found->second.nodes.end() ? -1 : here->second.link;
}

NodeId TreeChecker::location(PacketId packet) const {
  const std::map<NodeId, AtNode>& nodes = packets_.at(packet).nodes;
  const auto flits = static_cast<std::size_t>(context_.packet(packet).flits);
  for (const auto& [node, here] : nodes) {
    const auto ports = static_cast<std::size_t>(__builtin_popcountll(tree(packet).at(node)));
    if (here.left.size() < ports) return node;
    for (const auto& [port, left] : here.left)
      if (left < flits) return node;
  }
  return context_.packet(packet).source;
}

}  // namespace starloom::links
