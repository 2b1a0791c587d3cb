// SPDX-License-Identifier: Apache-2.0
#include <starloom/routing/up_down.hpp>

#include <algorithm>
#include <charconv>
#include <tuple>
#include <utility>

#include <starloom/routing/pairs_without_path.hpp>
#include <starloom/routing/pruned.hpp>
#include <starloom/routing/spread.hpp>
#include <starloom/schema/config_error.hpp>
#include <starloom/support/names.hpp>
#include <starloom/support/nearest.hpp>

namespace starloom::routing {
namespace {

/// Refuses a link without one back.
void refuse_one_way(const NetworkGraph& graph, const std::string& function) {
  for (NodeId node = 0; node < graph.nodes(); ++node)
    for (const Port port : graph.out_ports(node)) {
      const NodeId there = graph.far_end(node, port).node;
      bool back = false;
      for (const Port other : graph.out_ports(there)) back = back || graph.far_end(there, other).node == node;
      if (!back)
        throw ConfigError("function", function + " needs links in both directions, but no link leads back beside " +
                                          graph.link_name(node, port));
    }
}

NodeId root_of(const NetworkGraph& graph, const std::string& name) {
  NodeId number = no_node;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  const bool is_number = error == std::errc{} && end == name.data() + name.size();
  if (is_number && number >= 0 && number < graph.nodes()) return number;
  std::vector<std::string> names;
  for (NodeId node = 0; node < graph.nodes(); ++node) {
    names.push_back(graph.node_name(node));
    if (names.back() == name) return node;
  }
  throw ConfigError("root", name + " is not a node; nodes are 0 to " + std::to_string(graph.nodes() - 1) + ", or " +
                                names.front() + " to " + names.back() + did_you_mean(name, names));
}

NodeId root_that_forwards(const NetworkGraph& graph, const Faults* faults, const std::string& name) {
  const NodeId root = root_of(graph, name);
  if (faults != nullptr && faults->node_is_dead(root))
    throw ConfigError("root", graph.node_name(root) + " is dead; choose another root, or leave this key out");
  if (graph.is_host(root))
    throw ConfigError(
        "root", graph.node_name(root) + " is a host, which does not forward packets; choose a switch or a processor");
  return root;
}

/// [node] Links from the nearest root. Below all nodes that have a path from a root are those that have none, and below
/// these the hosts and terminals, also a terminal that is a root: their links are the first or the last ones of paths.
std::vector<std::int32_t> levels(const NetworkGraph& graph, const std::vector<NodeId>& roots) {
  std::vector<std::int32_t> level = graph.distances_from_nearest(roots);
  for (NodeId node = 0; node < graph.nodes(); ++node) {
    std::int32_t& links = level[static_cast<std::size_t>(node)];
    if (!graph.forwards(node, false)) links = graph.nodes() + 1;
    else if (links < 0) links = graph.nodes();
  }
  return level;
}

class UpDown final : public RoutingFunction {
 public:
  UpDown(const NetworkGraph& graph, const Faults* faults, std::vector<NodeId> roots, ChannelRange channels,
         NextHops::Kept kept)
      : graph_(graph),
        roots_(std::move(roots)),
        channels_(channels),
        next_hops_("up-down", graph, 2 * static_cast<std::size_t>(graph.nodes()), kept),
        level_(levels(graph, roots_)),
        without_path_(graph, remedy(), faults) {
    for (NodeId processor = 0; processor < graph.processors(); ++processor) fill(processor);
  }

  void route(const Head& head, Choices& choices) const override {
    if (head.node == head.destination) return choices.add(graph_.ports(), channels_.first, channels_.count);
    next_hops_.offer(graph_.processor_of(head.destination), state(head.node, came_down(head)), channels_, choices);
  }
  bool adaptive() const override { return next_hops_.keeps_all(); }
  const PairsWithoutPath* without_path() const override { return without_path_.if_any(); }
  double table_bytes() const override { return next_hops_.bytes(); }

 private:
  static std::size_t state(NodeId node, bool down) { return 2 * static_cast<std::size_t>(node) + (down ? 1 : 0); }
  bool leads_up(NodeId from, NodeId to) const {
    const auto rank = [this](NodeId node) { return std::pair{level_[static_cast<std::size_t>(node)], node}; };
    return rank(to) < rank(from);
  }
  bool came_down(const Head& head) const {
    return head.in_port != graph_.ports() && !leads_up(graph_.near_end(head.node, head.in_port).node, head.node);
  }

  /// Breadth first from the destination, against the links. Packets that have gone down continue down.
  void fill(NodeId processor) {
    const NodeId destination = graph_.processor(processor);
    std::vector<std::int32_t> left(2 * static_cast<std::size_t>(graph_.nodes()), -1);
    std::vector<std::size_t> reached;
    const auto reach = [&](std::size_t s, std::int32_t links) {
      if (left[s] >= 0) return;
      left[s] = links;
      reached.push_back(s);
    };
    reach(state(destination, true), 0);
    reach(state(destination, false), 0);
    for (std::size_t i = 0; i < reached.size(); ++i) {
      const auto node = static_cast<NodeId>(reached[i] / 2);
      const bool after_down = reached[i] % 2 != 0;
      if (node != destination && graph_.is_host(node)) continue;
      for (const Port port : graph_.in_ports(node)) {
        const NodeId from = graph_.near_end(node, port).node;
        const bool up = leads_up(from, node);
        if (up == after_down) continue;  // only packets that may still go up take a link up, and may go up afterwards
        const std::int32_t links = left[reached[i]] + 1;
        reach(state(from, false), links);
        if (!up) reach(state(from, true), links);
      }
    }
    for (NodeId source = 0; source < graph_.processors(); ++source)
      if (left[state(graph_.processor(source), false)] < 0) without_path_.add(graph_.processor(source), destination);
    std::vector<Port> shortest;
    for (NodeId node = 0; node < graph_.nodes(); ++node)
      for (const bool down : {false, true}) {
        shortest.clear();
        for (const Port port : graph_.out_ports(node)) {
          const NodeId to = graph_.far_end(node, port).node;
          const bool up = leads_up(node, to);
          if ((up && down) || (to != destination && graph_.is_host(to))) continue;
          const std::int32_t behind = left[state(to, !up)];
          if (behind >= 0 && behind + 1 == left[state(node, down)]) shortest.push_back(port);
        }
        next_hops_.set(processor, state(node, down), shortest);
      }
  }

  /// With one root in each part of a network, all nodes of a part have a path up to it and one down from it.
  std::string remedy() const {
    std::vector<std::string> names;
    for (const NodeId root : roots_) names.push_back(graph_.node_name(root));
    return std::string("with the root") + (names.size() == 1 ? " " : "s ") + joined_with_and(names) +
           " of up-down, links up from the two meet in no node: choose one root, or roots with the same neighbours";
  }

  const NetworkGraph graph_;
  const std::vector<NodeId> roots_;
  ChannelRange channels_;
  NextHops next_hops_;               ///< [processor][node, gone down]
  std::vector<std::int32_t> level_;  ///< [node] see `levels`
  PairsWithoutPath without_path_;
};

/// One for each part that has none.
void add_roots_of_parts(const NetworkGraph& left, std::vector<NodeId>& roots) {
  const std::vector<std::int32_t> reached = left.distances_from_nearest(roots);
  for (const NodeId root : chosen_roots(left))
    if (reached[static_cast<std::size_t>(root)] < 0) roots.push_back(root);
}

}  // namespace

std::vector<NodeId> chosen_roots(const NetworkGraph& graph) {
  constexpr std::size_t none = -1;
  std::vector<std::size_t> part(static_cast<std::size_t>(graph.nodes()), none);
  std::vector<std::tuple<std::int32_t, int, NodeId>> best;  // [part]
  for (NodeId node = 0; node < graph.nodes(); ++node) {
    if (graph.is_host(node)) continue;
    const std::vector<std::int32_t> distances = graph.distances_from(node);
    if (part[static_cast<std::size_t>(node)] == none) {
      for (NodeId other = node; other < graph.nodes(); ++other)
        if (const auto at = static_cast<std::size_t>(other); distances[at] >= 0) part[at] = best.size();
      best.emplace_back(graph.nodes(), 0, no_node);
    }
    auto& of_part = best[part[static_cast<std::size_t>(node)]];
    of_part =
        std::min(of_part, {*std::max_element(distances.begin(), distances.end()), -graph.out_ports(node).size(), node});
  }
  std::vector<NodeId> roots;
  for (const auto& [farthest, links, node] : best) roots.push_back(node);
  return roots;
}

NetworkGraph cables_alive(const FunctionContext& context, const std::string& function) {
  refuse_one_way(context.graph(), function);
  return context.faults == nullptr ? context.graph() : context.faults->left_both_ways();
}

std::vector<NodeId> roots_of(const FunctionContext& context, const KeyValues& keys, const NetworkGraph& left) {
  std::vector<NodeId> roots = context.network->roots;
  if (keys.has("root")) {
    roots.clear();
    for (const std::string& name : keys.texts("root"))
      roots.push_back(root_that_forwards(context.graph(), context.faults, name));
  }
  if (roots.empty()) roots = chosen_roots(left);
  else if (context.faults != nullptr) add_roots_of_parts(left, roots);
  return roots;
}

std::unique_ptr<RoutingFunction> up_down(const FunctionContext& context, const KeyValues& keys, ChannelRange channels,
                                         NextHops::Kept kept) {
  const NetworkGraph left = cables_alive(context, "up-down");
  return std::make_unique<UpDown>(left, context.faults, roots_of(context, keys, left), channels, kept);
}

KeySpec root_key() {
  return text_or_list_key(
      "root",
      "root of up-down, a node by name or number, or a list of several; default: the top switches of "
      "leaf-spine and clos, elsewhere the most central node (ties: most links, then lowest number)");
}

FunctionEntry up_down_entry() {
  FunctionEntry entry;
  entry.name = "up-down";
  entry.meaning = "shortest paths up towards a root and then down (Schroeder et al. 1991)";
  entry.serves = {{connected}};
  entry.fixed = true;
  entry.by_in_port = true;
  entry.knows_faults = true;
  entry.keys = {root_key(), spread_key()};
  entry.make = [](const FunctionContext& context, const KeyValues& keys) {
    const Spread spread = spread_of(keys);
    auto paths = up_down(context, keys, context.all_channels(), kept_for(spread));
    return spread_over(spread, without_dead_channels(std::move(paths), context), context);
  };
  return entry;
}

}  // namespace starloom::routing
