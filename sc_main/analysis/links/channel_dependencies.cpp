#include <starloom/analysis/links/channel_dependencies.hpp>

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>

#include <starloom/analysis/links/link_demand.hpp>

namespace starloom::links {
namespace {

using DependencyGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;

/// The edges, as the out-ports that a packet may take behind a link.
class Edges {
 public:
  explicit Edges(const NetworkGraph& graph)
      : graph_(graph), behind_(graph.link_places(), 0), used_(behind_.size(), false) {}

  /// Adds the ways of the packets of all processors for one destination. False if one of them has no way.
  bool add(const Algorithm& algorithm, NodeId destination) {
    std::vector<Port> port(static_cast<std::size_t>(graph_.nodes()), no_port);
    for (NodeId processor = 0; processor < graph_.processors(); ++processor)
      for (NodeId node = graph_.processor(processor);
           node != destination && port[static_cast<std::size_t>(node)] == no_port;) {
        const Port out = routed_port(algorithm, node, destination);
        port[static_cast<std::size_t>(node)] = out;
        node = out == no_port ? no_node : graph_.far_end(node, out).node;
        if (node == no_node) return false;
      }
    for (NodeId node = 0; node < graph_.nodes(); ++node) {
      const Port out = port[static_cast<std::size_t>(node)];
      if (out == no_port) continue;
      const std::size_t link = graph_.index(node, out);
      used_[link] = true;
      const Port after = port[static_cast<std::size_t>(graph_.far_end(node, out).node)];
      if (after != no_port) behind_[link] |= PortMask{1} << after;
    }
    return true;
  }

  Channel channel(std::size_t link) const {
    const auto ports = static_cast<std::size_t>(graph_.ports());
    return {static_cast<NodeId>(link / ports), static_cast<Port>(link % ports)};
  }
  std::size_t links() const { return behind_.size(); }
  bool used(std::size_t link) const { return used_[link]; }
  template <class Visit>
  void each_behind(std::size_t link, const Visit& visit) const {
    const Channel from = channel(link);
    for (PortMask left = behind_[link]; left != 0; left &= left - 1)
      visit(graph_.index(graph_.far_end(from.node, from.port).node, lowest_port(left)));
  }

 private:
  const NetworkGraph graph_;
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

std::optional<ChannelDependencies> channel_dependencies(const NetworkGraph& graph, const Algorithm& algorithm) {
  Edges edges(graph);
  for (NodeId processor = 0; processor < graph.processors(); ++processor)
    if (!edges.add(algorithm, graph.processor(processor))) return std::nullopt;

  ChannelDependencies found;
  DependencyGraph dependencies(edges.links());
  for (std::size_t link = 0; link < edges.links(); ++link) {
    if (edges.used(link)) ++found.channels;
    edges.each_behind(link, [&](std::size_t next) {
      boost::add_edge(link, next, dependencies);
      ++found.dependencies;
    });
  }
  std::vector<std::size_t> component(edges.links());
  const auto count = boost::strong_components(
      dependencies,
      boost::make_iterator_property_map(component.begin(), boost::get(boost::vertex_index, dependencies)));
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
