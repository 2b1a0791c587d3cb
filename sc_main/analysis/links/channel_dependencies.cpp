#include <starloom/analysis/links/channel_dependencies.hpp>

#include <algorithm>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/strong_components.hpp>
#include <unordered_set>
#include <utility>

#include <starloom/analysis/links/head_ways.hpp>
#include <starloom/analysis/links/link_demand.hpp>

namespace starloom::links {
namespace {

using DependencyGraph = boost::compressed_sparse_row_graph<boost::directedS>;
using Edge = std::pair<std::uint32_t, std::uint32_t>;

/// Where worms are routed by node and destination alone.
class NextPort final : public routing::RoutingFunction {
 public:
  NextPort(const NetworkGraph& graph, const Algorithm& algorithm) : graph_(graph), algorithm_(algorithm) {}
  void route(const routing::Head& head, routing::Choices& choices) const override {
    const Port port =
        head.node == head.destination ? graph_.ports() : routed_port(algorithm_, head.node, head.destination);
    if (port != no_port) choices.add(port, 0, 1);
  }

 private:
  const NetworkGraph graph_;
  const Algorithm& algorithm_;
};

/// Edges as they are found, again and again.
class EdgeSet {
 public:
  void add(std::size_t from, std::size_t to) { edges_.insert(std::uint64_t{from} << 32 | to); }
  /// Each once, in order.
  std::vector<Edge> all() const {
    std::vector<std::uint64_t> sorted(edges_.begin(), edges_.end());
    std::sort(sorted.begin(), sorted.end());
    std::vector<Edge> list;
    list.reserve(sorted.size());
    for (const std::uint64_t edge : sorted)
      list.emplace_back(static_cast<std::uint32_t>(edge >> 32), static_cast<std::uint32_t>(edge));
    return list;
  }

 private:
  std::unordered_set<std::uint64_t> edges_;
};

/// Walks through the ways of all packets.
class Surveyor {
 public:
  Surveyor(const NetworkGraph& graph, std::vector<const routing::RoutingFunction*> functions)
      : graph_(graph), functions_(std::move(functions)), classes_(graph), ways_(graph, classes_) {}

  ChannelDependencies survey() {
    do {
      found_ = {};
      used_.assign(classes_.vertices(), false);
      escape_ = used_;
    } while (!each_search([this](NodeId destination) { look_at(destination); }));
    found_.classes = static_cast<std::int32_t>(classes_.count());
    found_.channels = std::count(used_.begin(), used_.end(), true);
    if (!found_.extended) escape_ = used_;
    found_.vertices = std::count(escape_.begin(), escape_.end(), true);
    EdgeSet edges;
    each_search([&](NodeId) {
      each_dependency([&](std::size_t from, std::size_t to, std::size_t) {
        edges.add(from, to);
        return true;
      });
    });
    find_circle(edges.all());
    return std::move(found_);
  }

 private:
  /// False if classes were divided, which ends it.
  template <class Visit>
  bool each_search(const Visit& visit) {
    for (const routing::RoutingFunction* function : functions_)
      for (NodeId processor = 0; processor < graph_.processors(); ++processor)
        for (std::uint32_t drawn = 0; drawn < function->draws(); ++drawn) {
          destination_ = graph_.processor(processor);
          if (!ways_.search(*function, destination_, drawn)) return false;
          visit(destination_);
        }
    return true;
  }

  PacketAt stop(std::size_t state) const { return {ways_.states()[state].node, {ways_.source(state), destination_}}; }

  void look_at(NodeId destination) {
    found_.pairs = std::int64_t{graph_.processors()} * (graph_.processors() - 1);
    for (std::size_t i = 0; i < ways_.states().size(); ++i) {
      const HeadWays::State& state = ways_.states()[i];
      if (state.vertex >= 0) used_[static_cast<std::size_t>(state.vertex)] = true;
      bool escapes = state.arrived;
      for (const HeadWays::Move* move = ways_.begin(i); move != ways_.end(i); ++move) {
        escapes = escapes || move->escape;
        found_.extended = found_.extended || !move->escape;
        if (move->escape) escape_[static_cast<std::size_t>(ways_.states()[move->to].vertex)] = true;
      }
      const bool leads_on = ways_.begin(i) != ways_.end(i);
      if (!state.arrived && !leads_on && !found_.lost) found_.lost = stop(i);
      if (leads_on && !escapes && !found_.without_escape) found_.without_escape = stop(i);
    }
    measure(destination);
  }

  /// The longest way from each state, depth first; a state that is met on the way to itself lies on a circle.
  void measure(NodeId destination) {
    constexpr std::int32_t fresh = -1, on_way = -2;
    const auto& states = ways_.states();
    left_.assign(states.size(), fresh);
    std::vector<std::pair<std::size_t, const HeadWays::Move*>> way;
    for (std::size_t source = 0; source < states.size() && states[source].vertex < 0; ++source) {
      if (left_[source] == fresh) way.push_back({source, ways_.begin(source)});
      while (!way.empty()) {
        const std::size_t state = way.back().first;
        if (way.back().second == ways_.end(state)) {
          std::int32_t longest = 0;
          for (const HeadWays::Move* move = ways_.begin(state); move != ways_.end(state); ++move)
            longest = std::max(longest, left_[move->to] + 1);
          left_[state] = longest;
          way.pop_back();
          continue;
        }
        left_[state] = on_way;
        const std::uint32_t next = way.back().second++->to;
        if (left_[next] == on_way && !found_.astray) found_.astray = stop(next);
        if (left_[next] == fresh) way.push_back({next, ways_.begin(next)});
      }
      if (left_[source] > found_.longest && states[source].node != destination) {
        found_.longest = left_[source];
        found_.furthest = {states[source].node, destination};
      }
    }
  }

  /// Calls `visit` with (vertex, vertex, state that holds the first) for every dependency of the ways that were searched last,
  /// some more than once, as long as it returns true.
  template <class Visit>
  void each_dependency(const Visit& visit) {
    const auto& states = ways_.states();
    const auto vertex_of = [&](std::size_t state) { return static_cast<std::size_t>(states[state].vertex); };
    std::vector<std::size_t> reached;
    seen_.assign(states.size(), 0);
    for (std::size_t i = 0; i < states.size(); ++i) {
      if (states[i].vertex < 0 || !escape_[vertex_of(i)]) continue;
      // From there over channels that are no escape channels for this destination.
      reached.assign(1, i);
      seen_[i] = static_cast<std::uint32_t>(i) + 1;
      for (std::size_t r = 0; r < reached.size(); ++r)
        for (const HeadWays::Move* move = ways_.begin(reached[r]); move != ways_.end(reached[r]); ++move) {
          if (move->escape) {
            if (!visit(vertex_of(i), vertex_of(move->to), i)) return;
          } else if (seen_[move->to] != i + 1) {
            seen_[move->to] = static_cast<std::uint32_t>(i) + 1;
            reached.push_back(move->to);
          }
        }
    }
  }

  void find_circle(const std::vector<Edge>& edges) {
    found_.dependencies = static_cast<std::int64_t>(edges.size());
    const DependencyGraph graph(boost::edges_are_sorted, edges.begin(), edges.end(), used_.size());
    std::vector<std::size_t> component(used_.size());
    const auto count = boost::strong_components(
        graph, boost::make_iterator_property_map(component.begin(), boost::get(boost::vertex_index, graph)));
    std::vector<std::int64_t> size(count, 0);
    for (const std::size_t c : component) ++size[c];
    for (const std::int64_t links : size)
      if (links > 1) {
        ++found_.components;
        found_.in_circles += links;
      }
    std::vector<std::size_t> shortest;
    for (std::size_t vertex = 0; vertex < used_.size(); ++vertex)
      if (size[component[vertex]] > 1) circle_through(vertex, graph, component, shortest);
    if (!shortest.empty()) name_packets(shortest);
  }

  /// Puts a shortest circle through `start` into `shortest` if that is empty or longer. Breadth first, no further than to a
  /// circle of that length.
  void circle_through(std::size_t start, const DependencyGraph& graph, const std::vector<std::size_t>& component,
                      std::vector<std::size_t>& shortest) {
    constexpr std::uint32_t nobody = ~std::uint32_t{0};
    before_.resize(used_.size(), nobody);
    std::vector<std::size_t> reached = {start};
    std::size_t links = 1, end_of_level = 1;
    for (std::size_t i = 0; i < reached.size() && before_[start] == nobody; ++i) {
      if (i == end_of_level) {
        ++links;
        end_of_level = reached.size();
      }
      if (!shortest.empty() && links >= shortest.size()) break;
      for (auto [edge, end] = boost::out_edges(reached[i], graph); edge != end; ++edge) {
        const std::size_t next = boost::target(*edge, graph);
        if (component[next] != component[start] || before_[next] != nobody) continue;
        before_[next] = static_cast<std::uint32_t>(reached[i]);
        reached.push_back(next);
      }
    }
    if (before_[start] != nobody) {
      shortest.assign(1, start);
      for (std::size_t vertex = before_[start]; vertex != start; vertex = before_[vertex]) shortest.push_back(vertex);
      std::reverse(shortest.begin() + 1, shortest.end());
    }
    for (const std::size_t vertex : reached) before_[vertex] = nobody;
  }

  /// For each channel of the circle, the first packet that holds it and asks for the next.
  void name_packets(const std::vector<std::size_t>& circle) {
    for (const std::size_t vertex : circle) {
      HeldChannel held;
      held.node = classes_.node(vertex);
      held.port = classes_.port(vertex);
      if (found_.classes > 1) held.first = classes_.first(vertex);
      found_.circle.push_back(held);
    }
    std::size_t left = circle.size();
    each_search([&](NodeId destination) {
      if (left == 0) return;
      each_dependency([&](std::size_t from, std::size_t to, std::size_t state) {
        const auto at = static_cast<std::size_t>(std::find(circle.begin(), circle.end(), from) - circle.begin());
        if (at == circle.size() || circle[(at + 1) % circle.size()] != to) return true;
        PacketEnds& packet = found_.circle[at].packet;
        if (packet.source != no_node) return true;
        packet = {ways_.source(state), destination};
        return --left > 0;
      });
    });
  }

  const NetworkGraph graph_;
  const std::vector<const routing::RoutingFunction*> functions_;
  ChannelClasses classes_;
  HeadWays ways_;
  NodeId destination_ = no_node;
  ChannelDependencies found_;
  std::vector<bool> used_;             ///< [vertex] some packet comes over it
  std::vector<bool> escape_;           ///< [vertex] it is one of the graph
  std::vector<std::int32_t> left_;     ///< [state] links of the longest way from there
  std::vector<std::uint32_t> seen_;    ///< [state] the last one from which it was reached, + 1
  std::vector<std::uint32_t> before_;  ///< [vertex] of a breadth-first search
};

std::vector<const routing::RoutingFunction*> functions_of(const Algorithm& algorithm) {
  std::vector<const routing::RoutingFunction*> functions;
  for (const bool replies : {false, true})
    if (const auto* function = algorithm.routing_function(replies);
        function != nullptr && (functions.empty() || functions.front() != function))
      functions.push_back(function);
  return functions;
}

}  // namespace

bool too_many_ways(const NetworkGraph& graph, const Algorithm& algorithm) {
  double searches = 0;
  for (const routing::RoutingFunction* function : functions_of(algorithm)) searches += function->draws();
  return searches > 2 && searches * graph.processors() * graph.nodes() > 1e8;
}

std::optional<ChannelDependencies> channel_dependencies(const NetworkGraph& graph, const Algorithm& algorithm) {
  std::vector<const routing::RoutingFunction*> functions = functions_of(algorithm);
  const NextPort next_port(graph, algorithm);
  const bool by_node = functions.empty();
  if (by_node) functions.push_back(&next_port);
  else if (too_many_ways(graph, algorithm)) return std::nullopt;
  ChannelDependencies found = Surveyor(graph, std::move(functions)).survey();
  if (by_node && found.lost) return std::nullopt;
  return found;
}

}  // namespace starloom::links
