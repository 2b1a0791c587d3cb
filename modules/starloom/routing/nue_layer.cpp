// SPDX-License-Identifier: Apache-2.0
#include <starloom/routing/nue_layer.hpp>

#include <algorithm>
#include <functional>
#include <queue>
#include <tuple>
#include <utility>

#include <starloom/topology/cables.hpp>

namespace starloom::routing {
namespace {

std::size_t at(NodeId node) { return static_cast<std::size_t>(node); }

}  // namespace

/// A spanning tree of the nodes of a part that forward.
class NueLayer::Tree {
 public:
  Tree(const NueLayer& layer, NodeId root) : layer_(layer), place_(at(layer.graph_.nodes()), nowhere) {
    grow(root, {});
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const NodeId node = nodes_[i].node;
      for (const Port port : layer_.graph_.out_ports(node)) grow(layer_.far_node({node, port}), {node, port});
    }
  }

  bool contains(NodeId node) const { return place_[at(node)] != nowhere; }
  /// Counts a destination that is the node, or beside it.
  void count_destination(NodeId node) { ++nodes_[place_[at(node)]].destinations; }
  /// Marks the links in the layer, and adds the edges of the paths from all nodes to the destinations.
  void plant(NueLayer& layer) {
    for (std::size_t i = nodes_.size(); i-- > 1;) nodes_[parent(i)].destinations += nodes_[i].destinations;
    std::vector<std::vector<Branch>> branches(nodes_.size());
    for (std::size_t i = 1; i < nodes_.size(); ++i) {
      const LinkEnd link = nodes_[i].down;
      const std::size_t down = layer.index(link), up = layer.index(partner_of(layer.graph_, link));
      layer.in_tree_[down] = layer.in_tree_[up] = true;
      branches[i].push_back({up, down, nodes_[i].destinations < nodes_.front().destinations});
      branches[parent(i)].push_back({down, up, nodes_[i].destinations > 0});
    }
    for (const std::vector<Branch>& of_node : branches)
      for (const Branch& from : of_node)
        for (const Branch& to : of_node)
          if (&from != &to && to.leads_to_destination) layer.edges_.add({from.in, to.out});
  }

 private:
  static constexpr std::size_t nowhere = static_cast<std::size_t>(-1);
  struct Grown {
    NodeId node;
    LinkEnd down;                   ///< the link from its parent
    std::int64_t destinations = 0;  ///< at the node; when planted, at it and below
  };
  /// The links of a node to and from a neighbor in the tree.
  struct Branch {
    std::size_t out, in;
    bool leads_to_destination;
  };

  void grow(NodeId node, LinkEnd down) {
    if (!layer_.forwards(node) || contains(node)) return;
    place_[at(node)] = nodes_.size();
    nodes_.push_back({node, down});
  }
  std::size_t parent(std::size_t place) const { return place_[at(nodes_[place].down.node)]; }

  const NueLayer& layer_;
  std::vector<std::size_t> place_;  ///< [node] in `nodes_`
  std::vector<Grown> nodes_;        ///< parents first
};

NueLayer::NueLayer(NetworkGraph cables, bool through_terminals, const std::vector<NodeId>& destinations)
    : graph_(std::move(cables)),
      through_terminals_(through_terminals),
      in_tree_(graph_.link_slots(), false),
      edges_(graph_.link_slots()),
      closing_(graph_.link_slots() * static_cast<std::size_t>(graph_.ports()), false) {
  std::vector<Tree> trees;
  const auto count = [&](NodeId node) {
    if (!forwards(node)) return;
    const auto holds = [node](const Tree& tree) { return tree.contains(node); };
    if (std::none_of(trees.begin(), trees.end(), holds)) trees.emplace_back(*this, node);
    std::find_if(trees.begin(), trees.end(), holds)->count_destination(node);
  };
  for (const NodeId destination : destinations) {
    count(destination);
    if (forwards(destination)) continue;
    for (const Port port : graph_.in_ports(destination)) count(graph_.near_end(destination, port).node);
  }
  for (Tree& tree : trees) tree.plant(*this);
}

/// The search from one destination.
class NueLayer::Search {
 public:
  enum class Over { all_links, tree };  ///< links between nodes that forward

  Search(NueLayer& layer, NodeId destination, const std::vector<std::int64_t>& load, Over links)
      : layer_(layer),
        graph_(layer.graph_),
        destination_(destination),
        load_(load),
        links_(links),
        next_(at(graph_.nodes()), no_port) {
    reach(destination, {0, 0});
    do find_paths();
    while (escape());
  }

  const std::vector<Port>& next_ports() const { return next_; }

 private:
  struct Length {
    std::int32_t links;
    std::int64_t load;
  };
  struct Path {
    Length length;
    LinkEnd first;

    bool operator>(const Path& other) const {
      return std::tie(length.links, length.load, first.node, first.port) >
             std::tie(other.length.links, other.length.load, other.first.node, other.first.port);
    }
  };

  bool has_path(NodeId node) const { return node == destination_ || next_[at(node)] != no_port; }
  LinkEnd next_link(NodeId node) const { return {node, next_[at(node)]}; }
  Length length_of(NodeId node) const {
    Length length{0, 0};
    for (; node != destination_; node = layer_.far_node(next_link(node))) {
      ++length.links;
      length.load += load_[layer_.index(next_link(node))];
    }
    return length;
  }

  /// Considers the links to a node that has a path.
  void reach(NodeId node, const Length& length) {
    if (node != destination_ && !layer_.forwards(node)) return;
    for (const Port port : graph_.in_ports(node)) {
      const LinkEnd first = graph_.near_end(node, port);
      const std::size_t link = layer_.index(first);
      if (has_path(first.node)) continue;
      if (links_ == Over::tree && layer_.forwards(first.node) && layer_.forwards(node) && !layer_.in_tree_[link])
        continue;
      paths_.push({{length.links + 1, length.load + load_[link]}, first});
    }
  }
  void find_paths() {
    while (!paths_.empty()) {
      const auto [length, first] = paths_.top();
      paths_.pop();
      if (has_path(first.node)) continue;
      if (!joins(first)) {
        remaining_.push_back(first.node);
        continue;
      }
      next_[at(first.node)] = first.port;
      reach(first.node, length);
    }
  }
  /// False if the edge from a link to the next one of its far node would close a cycle. Links from or to nodes that do
  /// not forward are in no cycle.
  bool joins(LinkEnd first) {
    const NodeId node = layer_.far_node(first);
    if (node == destination_ || !layer_.forwards(first.node) || !layer_.forwards(layer_.far_node(next_link(node))))
      return true;
    const LinkEdge edge{layer_.index(first), layer_.index(next_link(node))};
    const std::size_t number = edge.first * static_cast<std::size_t>(graph_.ports()) + at(next_[at(node)]);
    if (layer_.closing_[number]) return false;
    if (layer_.edges_.contains(edge) || layer_.edges_.add(edge)) return true;
    layer_.closing_[number] = true;
    return false;
  }

  /// Serves a remaining node by the tree. False if there is none.
  bool escape() {
    while (!remaining_.empty() && has_path(remaining_.back())) remaining_.pop_back();
    if (remaining_.empty()) return false;
    if (on_tree_.empty()) {
      tree_ = Search(layer_, destination_, load_, Over::tree).next_;
      on_tree_.assign(next_.size(), false);
    }
    std::vector<NodeId> turned = {};
    follow_tree(remaining_.back(), turned);
    for (std::size_t i = 0; i < turned.size(); ++i)
      for (const Port port : graph_.in_ports(turned[i]))
        if (const LinkEnd before = graph_.near_end(turned[i], port);
            next_[at(before.node)] == before.port && !on_tree_[at(before.node)] && !joins(before))
          follow_tree(before.node, turned);
    for (const NodeId node : turned) reach(node, length_of(node));
    return true;
  }
  /// \param turned the nodes that now take another link are appended.
  void follow_tree(NodeId node, std::vector<NodeId>& turned) {
    for (; node != destination_ && !on_tree_[at(node)]; node = layer_.far_node(next_link(node))) {
      on_tree_[at(node)] = true;
      if (next_[at(node)] != tree_[at(node)]) turned.push_back(node);
      next_[at(node)] = tree_[at(node)];
    }
  }

  NueLayer& layer_;
  const NetworkGraph& graph_;
  const NodeId destination_;
  const std::vector<std::int64_t>& load_;
  const Over links_;
  std::vector<Port> next_;  ///< [node]
  std::priority_queue<Path, std::vector<Path>, std::greater<>> paths_;
  std::vector<NodeId> remaining_;  ///< a path of theirs would close a cycle
  std::vector<Port> tree_;         ///< [node] the out-port along the tree; empty until a node needs it
  std::vector<bool> on_tree_;      ///< [node] the rest of the path is that of the tree
};

std::vector<Port> NueLayer::next_ports(NodeId destination, std::vector<std::int64_t>& load) {
  std::vector<Port> next = Search(*this, destination, load, Search::Over::all_links).next_ports();
  add_load(destination, next, load);
  return next;
}

/// Each node passes on its paths when all nodes before it have done so.
void NueLayer::add_load(NodeId destination, const std::vector<Port>& next, std::vector<std::int64_t>& load) const {
  std::vector<std::int32_t> before(next.size(), 0);
  std::vector<std::int64_t> paths(next.size(), 0);
  const auto link = [&next](NodeId node) { return LinkEnd{node, next[at(node)]}; };
  for (NodeId node = 0; node < graph_.nodes(); ++node) {
    if (next[at(node)] == no_port) continue;
    paths[at(node)] = graph_.processor_of(node) < 0 ? 0 : 1;
    ++before[at(far_node(link(node)))];
  }
  std::vector<NodeId> complete;
  for (NodeId node = 0; node < graph_.nodes(); ++node)
    if (next[at(node)] != no_port && before[at(node)] == 0) complete.push_back(node);
  for (std::size_t i = 0; i < complete.size(); ++i) {
    const NodeId node = complete[i], to = far_node(link(node));
    load[index(link(node))] += paths[at(node)];
    paths[at(to)] += paths[at(node)];
    if (--before[at(to)] == 0 && to != destination) complete.push_back(to);
  }
}

}  // namespace starloom::routing
