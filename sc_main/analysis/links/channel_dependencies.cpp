#include <starloom/analysis/links/channel_dependencies.hpp>

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>

#include <starloom/analysis/links/link_demand.hpp>

namespace starloom::links {
namespace {

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;

/// The edges, as the out-ports that a packet may take behind a link.
class Edges {
 public:
  explicit Edges(const Grid& topology)
      : topology_(topology),
        ports_(static_cast<std::size_t>(topology.ports())),
        behind_(static_cast<std::size_t>(topology.nodes()) * ports_, 0),
        used_(behind_.size(), false) {}

  /// Adds the ways of all packets for one destination. False if some node has no way.
  bool add(const Algorithm& algorithm, NodeId destination) {
    std::vector<Port> port(static_cast<std::size_t>(topology_.nodes()), no_port);
    for (NodeId node = 0; node < topology_.nodes(); ++node)
      if (node != destination) port[static_cast<std::size_t>(node)] = routed_port(algorithm, node, destination);
    for (NodeId node = 0; node < topology_.nodes(); ++node) {
      if (node == destination) continue;
      const Port out = port[static_cast<std::size_t>(node)];
      const NodeId next = out == no_port ? no_node : topology_.neighbour(node, out);
      if (next == no_node) return false;
      const std::size_t link = index({node, out});
      used_[link] = true;
      const Port after = port[static_cast<std::size_t>(next)];
      if (after != no_port) behind_[link] |= PortMask{1} << after;
    }
    return true;
  }

  std::size_t index(Channel channel) const {
    return static_cast<std::size_t>(channel.node) * ports_ + static_cast<std::size_t>(channel.port);
  }
  Channel channel(std::size_t link) const {
    return {static_cast<NodeId>(link / ports_), static_cast<Port>(link % ports_)};
  }
  std::size_t links() const { return behind_.size(); }
  bool used(std::size_t link) const { return used_[link]; }
  template <class Visit>
  void each_behind(std::size_t link, const Visit& visit) const {
    const Channel from = channel(link);
    for (PortMask left = behind_[link]; left != 0; left &= left - 1)
      visit(index({topology_.neighbour(from.node, from.port), lowest_port(left)}));
  }

 private:
  const Grid& topology_;
  std::size_t ports_;
  std::vector<PortMask> behind_;  ///< [link]
  std::vector<bool> used_;
};

/// A shortest circle through a link of a strong component, breadth first.
std::vector<Channel> circle_through(std::size_t start, const Edges& edges, const std::vector<std::size_t>& component) {
  constexpr std::size_t nobody = ~std::size_t{0};
  std::vector<std::size_t> before(edges.links(), nobody), reached = {start};
  for (std::size_t i = 0; before[start] == nobody; ++i)
    edges.each_behind(reached[i], [&, from = reached[i]](std::size_t next) {
      if (component[next] != component[start] || before[next] != nobody) return;
      before[next] = from;
      reached.push_back(next);
    });
  std::vector<Channel> circle = {edges.channel(start)};
  for (std::size_t link = before[start]; link != start; link = before[link]) circle.push_back(edges.channel(link));
  std::reverse(circle.begin() + 1, circle.end());
  return circle;
}

}  // namespace

std::optional<ChannelDependencies> channel_dependencies(const Grid& topology, const Algorithm& algorithm) {
  Edges edges(topology);
  for (NodeId destination = 0; destination < topology.nodes(); ++destination)
    if (!edges.add(algorithm, destination)) return std::nullopt;

  ChannelDependencies found;
  Graph graph(edges.links());
  for (std::size_t link = 0; link < edges.links(); ++link) {
    if (edges.used(link)) ++found.channels;
    edges.each_behind(link, [&](std::size_t next) {
      boost::add_edge(link, next, graph);
      ++found.dependencies;
    });
  }
  std::vector<std::size_t> component(edges.links());
  const auto count = boost::strong_components(
      graph, boost::make_iterator_property_map(component.begin(), boost::get(boost::vertex_index, graph)));
  std::vector<std::int64_t> size(count, 0);
  for (const std::size_t c : component) ++size[c];
  for (const std::int64_t links : size)
    if (links > 1) {
      ++found.components;
      found.in_circles += links;
    }
  for (std::size_t link = 0; link < edges.links() && found.circle.empty(); ++link)
    if (size[component[link]] > 1) found.circle = circle_through(link, edges, component);
  return found;
}

}  // namespace starloom::links
