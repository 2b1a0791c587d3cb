// SPDX-License-Identifier: Apache-2.0
#include <starloom/topology/fat_tree.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <starloom/support/error.hpp>
#include <starloom/topology/network_graph_builder.hpp>
#include <starloom/topology/padded.hpp>

namespace starloom {
namespace {

bool too_many(std::int64_t arity, std::int64_t levels) {
  const auto ports = static_cast<double>(levels == 1 ? arity : 2 * arity);
  return !NetworkGraph::has_room(fat_tree_size(arity, levels).nodes, ports);
}

/// Throws before anything is allocated.
std::int32_t checked_arity(std::int64_t arity, std::int64_t levels) {
  if (arity < FatTree::least_arity || arity > FatTree::most_arity)
    throw InputError("a fat tree has an arity of 2 to " + std::to_string(FatTree::most_arity) + ", not " +
                     std::to_string(arity) + ": its switches have twice as many ports, and at most " +
                     std::to_string(max_ports));
  if (levels < 1) throw InputError("a fat tree has at least one level of switches, not " + std::to_string(levels));
  if (too_many(arity, levels)) {
    std::int64_t most = 1;
    while (!too_many(arity, most + 1)) ++most;
    throw InputError("a fat tree of arity " + std::to_string(arity) + " has at most " + std::to_string(most) +
                     " levels, not " + std::to_string(levels) + ", because it has arity^levels processors");
  }
  return static_cast<std::int32_t>(arity);
}

}  // namespace

FatTree::FatTree(std::int64_t arity, std::int64_t levels)
    : arity_(checked_arity(arity, levels)), levels_(static_cast<int>(levels)), switches_(power(levels_ - 1)) {}

NetworkSize FatTree::size() const { return fat_tree_size(arity_, levels_); }

NodeId FatTree::power(int exponent) const {
  NodeId power = 1;
  for (int i = 0; i < exponent; ++i) power *= arity_;
  return power;
}

/// A link between levels l and l+1 sets digit l to any value and keeps the others. A shortest path from level a to
/// level b therefore runs down and up again between the lowest and the highest level that it needs for the digits
/// that differ. A processor has one link, to its switch.
std::int32_t FatTree::distance(NodeId from, NodeId to) const {
  if (from == to) return 0;
  std::int32_t links = 0;
  const auto climb = [&](NodeId& node) {
    if (level(node) >= 0) return;
    node = switch_at(0, node / arity_);
    ++links;
  };
  climb(from);
  climb(to);
  const int a = level(from), b = level(to);
  int lowest = std::min(a, b), highest = std::max(a, b);
  for (int position = 0; position < levels_ - 1; ++position) {
    if (digit(number(from), position) == digit(number(to), position)) continue;
    lowest = std::min(lowest, position);
    highest = std::max(highest, position + 1);
  }
  return links + 2 * (highest - lowest) - std::abs(a - b);
}

NetworkSize fat_tree_size(std::int64_t arity, std::int64_t levels) {
  const auto k = static_cast<double>(arity), n = static_cast<double>(levels);
  const double processors = std::pow(k, n);
  return {processors + n * processors / k, 2 * n * processors};
}

NetworkGraph make_fat_tree(const FatTree& tree, std::int32_t link_latency) {
  const std::int32_t k = tree.arity();
  const int levels = tree.levels();
  NetworkGraphBuilder builder;
  builder.expect(tree.nodes(), levels == 1 ? k : 2 * k);
  std::vector<std::string> names;
  for (const char* direction : {"down", "up"})
    for (Port port = 0; port < k; ++port) names.push_back(direction + index_text(port, k));
  const PortNaming one_port = builder.name_ports({"up"});
  const PortNaming below_top = builder.name_ports(names);
  names.resize(static_cast<std::size_t>(k));
  const PortNaming top = builder.name_ports(names);

  // A wide tree is drawn higher, so that steep links remain distinguishable.
  const double rise = std::max(2.0, std::floor(static_cast<double>(tree.processors()) / (4.0 * levels)));
  for (NodeId p = 0; p < tree.processors(); ++p)
    builder.add_node(NodeRole::processor, "proc_p" + padded(p, tree.processors()),
                     PaperPosition{static_cast<double>(p), levels * rise}, one_port);
  for (int level = 0; level < levels; ++level)
    for (NodeId w = 0; w < tree.switches_per_level(); ++w)
      builder.add_node(NodeRole::switch_node,
                       "switch_l" + index_text(level, levels) + "_" + padded(w, tree.switches_per_level()),
                       PaperPosition{w * static_cast<double>(k) + (k - 1) / 2.0, (levels - 1 - level) * rise},
                       level == levels - 1 ? top : below_top);

  const auto join = [&](LinkEnd lower, LinkEnd upper) {
    builder.add_link(lower, upper, {link_latency});
    builder.add_link(upper, lower, {link_latency});
  };
  for (NodeId p = 0; p < tree.processors(); ++p) join({p, 0}, {tree.switch_at(0, p / k), p % k});
  for (int level = 0; level + 1 < levels; ++level)
    for (NodeId w = 0; w < tree.switches_per_level(); ++w)
      for (std::int32_t j = 0; j < k; ++j) {
        const std::int32_t own = tree.digit(w, level);
        join({tree.switch_at(level, w), tree.up_port(j)},
             {tree.switch_at(level + 1, w + (j - own) * tree.power(level)), own});
      }
  builder.set_distance([tree](NodeId from, NodeId to) { return tree.distance(from, to); }, tree.diameter());
  return builder.build();
}

}  // namespace starloom
