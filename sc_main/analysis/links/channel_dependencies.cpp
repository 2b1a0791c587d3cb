#include <starloom/analysis/links/channel_dependencies.hpp>

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>
#include <set>
#include <utility>

#include <starloom/analysis/links/link_demand.hpp>

namespace starloom::links {
namespace {

using DependencyGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;

/// The edges, as the out-ports and classes that a packet may take behind a link.
class Edges {
 public:
  /// \param firsts the first virtual channel of each class, ascending from 0.
  Edges(const NetworkGraph& graph, std::vector<std::int32_t> firsts)
      : graph_(graph),
        firsts_(std::move(firsts)),
        classes_(firsts_.size()),
        behind_(graph.link_places() * classes_ * classes_, 0),
        used_(graph.link_places() * classes_, false) {}

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

  /// The same, where a function routes heads from channel to channel.
  void add(const routing::RoutingFunction& function, NodeId destination) {
    const auto ports = static_cast<std::size_t>(graph_.ports());
    // Places of heads: local in-ports, and classes of channels behind links.
    std::vector<bool> seen(static_cast<std::size_t>(graph_.nodes()) * (ports + 1) * classes_, false);
    std::vector<routing::Head> left;
    const auto visit = [&](NodeId node, Port in_port, std::size_t in_class) {
      const std::size_t place =
          (static_cast<std::size_t>(node) * (ports + 1) + static_cast<std::size_t>(in_port)) * classes_ + in_class;
      if (!seen[place]) left.push_back({node, in_port, firsts_[in_class], destination});
      seen[place] = true;
    };
    for (NodeId processor = 0; processor < graph_.processors(); ++processor)
      visit(graph_.processor(processor), graph_.ports(), 0);
    while (!left.empty()) {
      const routing::Head head = left.back();
      left.pop_back();
      routing::Choices choices;
      function.route(head, choices);
      for (const routing::Choice& choice : choices) {
        if (choice.port == graph_.ports()) continue;
        const LinkEnd far = graph_.far_end(head.node, choice.port);
        for (std::size_t c = 0; c < classes_; ++c) {
          if (firsts_[c] < choice.first || firsts_[c] >= choice.first + choice.count) continue;
          used_[graph_.index(head.node, choice.port) * classes_ + c] = true;
          if (head.in_port != graph_.ports()) {
            const LinkEnd from = graph_.near_end(head.node, head.in_port);
            const std::size_t vertex = graph_.index(from.node, from.port) * classes_ + class_of(head.in_channel);
            behind_[vertex * classes_ + c] |= PortMask{1} << choice.port;
          }
          visit(far.node, far.port, c);
        }
      }
    }
  }

  Channel channel(std::size_t vertex) const {
    const auto ports = static_cast<std::size_t>(graph_.ports());
    const std::size_t link = vertex / classes_;
    return {static_cast<NodeId>(link / ports), static_cast<Port>(link % ports),
            classes_ == 1 ? -1 : firsts_[vertex % classes_]};
  }
  std::int32_t classes() const { return static_cast<std::int32_t>(classes_); }
  std::size_t count() const { return used_.size(); }
  bool used(std::size_t vertex) const { return used_[vertex]; }
  template <class Visit>
  void each_behind(std::size_t vertex, const Visit& visit) const {
    const Channel from = channel(vertex);
    for (std::size_t c = 0; c < classes_; ++c)
      for (PortMask left = behind_[vertex * classes_ + c]; left != 0; left &= left - 1)
        visit(graph_.index(graph_.far_end(from.node, from.port).node, lowest_port(left)) * classes_ + c);
  }

 private:
  std::size_t class_of(std::int32_t first) const {
    return static_cast<std::size_t>(std::find(firsts_.begin(), firsts_.end(), first) - firsts_.begin());
  }

  const NetworkGraph graph_;
  const std::vector<std::int32_t> firsts_;
  const std::size_t classes_;
  std::vector<PortMask> behind_;  ///< [vertex, class of the next]
  std::vector<bool> used_;        ///< [link, class]
};

/// Where ranges of channels that a function offers begin or end: what lies between is never divided.
std::vector<std::int32_t> class_limits(const NetworkGraph& graph,
                                       const std::vector<const routing::RoutingFunction*>& functions,
                                       std::int32_t channels) {
  std::set<std::int32_t> limits = {0};
  for (const routing::RoutingFunction* function : functions)
    for (NodeId node = 0; node < graph.nodes(); ++node)
      for (NodeId processor = 0; processor < graph.processors(); ++processor) {
        routing::Choices choices;
        function->route({node, graph.ports(), 0, graph.processor(processor)}, choices);
        for (const routing::Choice& choice : choices) {
          limits.insert(choice.first);
          if (choice.first + choice.count < channels) limits.insert(choice.first + choice.count);
        }
      }
  return {limits.begin(), limits.end()};
}

std::optional<Edges> edges_of(const NetworkGraph& graph, const Algorithm& algorithm) {
  std::vector<const routing::RoutingFunction*> functions;
  for (const bool replies : {false, true})
    if (const auto* function = algorithm.routing_function(replies);
        function != nullptr && (functions.empty() || functions.front() != function))
      functions.push_back(function);
  if (functions.empty()) {
    Edges edges(graph, {0});
    for (NodeId processor = 0; processor < graph.processors(); ++processor)
      if (!edges.add(algorithm, graph.processor(processor))) return std::nullopt;
    return edges;
  }
  Edges edges(graph, class_limits(graph, functions, algorithm.declaration().channels));
  for (const routing::RoutingFunction* function : functions)
    for (NodeId processor = 0; processor < graph.processors(); ++processor)
      edges.add(*function, graph.processor(processor));
  return edges;
}

/// A shortest circle through a link of a strong component, breadth first.
std::vector<Channel> circle_through(std::size_t start, const Edges& edges, const std::vector<std::size_t>& component) {
  constexpr std::size_t nobody = ~std::size_t{0};
  std::vector<std::size_t> before(edges.count(), nobody), reached = {start};
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
  const std::optional<Edges> known = edges_of(graph, algorithm);
  if (!known) return std::nullopt;
  const Edges& edges = *known;

  ChannelDependencies found;
  found.classes = edges.classes();
  DependencyGraph dependencies(edges.count());
  for (std::size_t link = 0; link < edges.count(); ++link) {
    if (edges.used(link)) ++found.channels;
    edges.each_behind(link, [&](std::size_t next) {
      boost::add_edge(link, next, dependencies);
      ++found.dependencies;
    });
  }
  std::vector<std::size_t> component(edges.count());
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
  for (std::size_t link = 0; link < edges.count() && found.circle.empty(); ++link)
    if (size[component[link]] > 1) found.circle = circle_through(link, edges, component);
  return found;
}

}  // namespace starloom::links
