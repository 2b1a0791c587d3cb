// SPDX-License-Identifier: Apache-2.0
#include <starloom/analysis/links/link_demand.hpp>

#include <algorithm>
#include <numeric>

#include <starloom/control/links/paths.hpp>

namespace starloom::links {
namespace {

LinkDemand none(const NetworkGraph& graph) {
  LinkDemand demand;
  demand.load.assign(graph.link_slots(), 0);
  return demand;
}

LinkDemand summed(LinkDemand demand) {
  demand.hops = std::accumulate(demand.load.begin(), demand.load.end(), 0.0);
  return demand;
}

/// False if its path is not fixed.
bool add_flow(const NetworkGraph& graph, const Algorithm& algorithm, const Flow& flow, LinkDemand& demand) {
  return follow_fixed_paths(graph, algorithm, flow.source, flow.destination,
                            [&](NodeId node, Port port) { demand.load[graph.index(node, port)] += flow.flits; });
}

/// The tree of paths to one destination: flows merge on the path to its root.
class RouteTree {
 public:
  explicit RouteTree(const NetworkGraph& graph)
      : graph_(graph), port_(static_cast<std::size_t>(graph.nodes())), next_(port_.size()), above_(port_.size()) {}

  /// False if a processor has no path to the destination.
  bool grow(const Algorithm& algorithm, NodeId destination) {
    std::fill(above_.begin(), above_.end(), 0);
    std::fill(port_.begin(), port_.end(), no_port);
    members_ = 0;
    for (NodeId processor = 0; processor < graph_.processors(); ++processor)
      for (NodeId node = graph_.processor(processor);
           node != destination && port_[static_cast<std::size_t>(node)] == no_port;) {
        const auto n = static_cast<std::size_t>(node);
        port_[n] = routed_port(algorithm, node, destination);
        next_[n] = port_[n] == no_port ? no_node : graph_.far_end(node, port_[n]).node;
        if (next_[n] == no_node) return false;
        ++members_;
        node = next_[n];
        ++above_[static_cast<std::size_t>(node)];
      }
    leaves_.clear();
    for (NodeId node = 0; node < graph_.nodes(); ++node)
      if (port_[static_cast<std::size_t>(node)] != no_port && above_[static_cast<std::size_t>(node)] == 0)
        leaves_.push_back(node);
    return true;
  }

  /// Sends `flits` from every other processor down to the destination. False if the paths contain a cycle.
  bool flow(NodeId destination, double flits, LinkDemand& demand) {
    carried_.assign(port_.size(), 0);
    for (NodeId processor = 0; processor < graph_.processors(); ++processor)
      carried_[static_cast<std::size_t>(graph_.processor(processor))] = flits;
    NodeId served = 0;
    for (; !leaves_.empty(); ++served) {
      const NodeId node = leaves_.back();
      leaves_.pop_back();
      const auto n = static_cast<std::size_t>(node), next = static_cast<std::size_t>(next_[n]);
      demand.load[graph_.index(node, port_[n])] += carried_[n];
      carried_[next] += carried_[n];
      if (--above_[next] == 0 && next_[n] != destination) leaves_.push_back(next_[n]);
    }
    return served == members_;
  }

 private:
  const NetworkGraph graph_;
  std::vector<Port> port_;
  std::vector<NodeId> next_;
  NodeId members_ = 0;               ///< nodes on a path, except the destination
  std::vector<std::int32_t> above_;  ///< predecessors whose flows have not arrived yet
  std::vector<NodeId> leaves_;
  std::vector<double> carried_;
};

/// The same if the next link of a path depends on the link before: flows merge from their first common link on.
class LinkForest {
 public:
  explicit LinkForest(const NetworkGraph& graph) : graph_(graph) {}

  /// Sends `flits` from every other processor to the destination. False if some have no path, or the paths contain a
  /// cycle.
  bool flow(const Algorithm& algorithm, NodeId destination, double flits, LinkDemand& demand) {
    next_.assign(graph_.link_slots(), unseen);
    above_.assign(graph_.link_slots(), 0);
    carried_.assign(graph_.link_slots(), 0);
    seen_.clear();
    for (NodeId processor = 0; processor < graph_.processors(); ++processor)
      if (!follow(algorithm, graph_.processor(processor), destination, flits)) return false;
    std::vector<std::size_t> ready;
    for (const std::size_t link : seen_)
      if (above_[link] == 0) ready.push_back(link);
    std::size_t done = 0;
    for (; !ready.empty(); ++done) {
      const std::size_t link = ready.back(), next = next_[link];
      ready.pop_back();
      demand.load[link] += carried_[link];
      if (next == last) continue;
      carried_[next] += carried_[link];
      if (--above_[next] == 0) ready.push_back(next);
    }
    return done == seen_.size();
  }

 private:
  static constexpr std::size_t unseen = ~std::size_t{0}, last = unseen - 1;

  /// False if the packet has no path.
  bool follow(const Algorithm& algorithm, NodeId source, NodeId destination, double flits) {
    if (source == destination) return true;
    NodeId at = source;
    Port in_port = no_port;
    for (std::size_t before = unseen; at != destination;) {
      const Port port = routed_port(algorithm, at, in_port, destination);
      const LinkEnd end = port == no_port ? LinkEnd{} : graph_.far_end(at, port);
      if (!end.connected()) return false;
      const std::size_t link = graph_.index(at, port);
      if (before == unseen) carried_[link] += flits;
      else next_[before] = link, ++above_[link];
      if (next_[link] != unseen) return true;
      next_[link] = last;
      seen_.push_back(link);
      before = link;
      at = end.node;
      in_port = end.port;
    }
    return true;
  }

  const NetworkGraph graph_;
  std::vector<std::size_t> next_;    ///< [link] the next link, `last` before the destination
  std::vector<std::int32_t> above_;  ///< [link] predecessors whose flows have not arrived yet
  std::vector<std::size_t> seen_;
  std::vector<double> carried_;
};

}  // namespace

double LinkDemand::most() const { return load.empty() ? 0 : *std::max_element(load.begin(), load.end()); }

std::size_t LinkDemand::busiest() const {
  // Sums of rates that are mathematically equal differ in their last digits.
  const double nearly = most() * (1 - 1e-9);
  return static_cast<std::size_t>(
      std::find_if(load.begin(), load.end(), [nearly](double one) { return one >= nearly; }) - load.begin());
}

std::optional<LinkDemand> demand_of(const NetworkGraph& graph, const Algorithm& algorithm,
                                    const std::vector<Flow>& flows) {
  LinkDemand demand = none(graph);
  for (const Flow& flow : flows)
    if (!add_flow(graph, algorithm, flow, demand)) return std::nullopt;
  return summed(std::move(demand));
}

LinkDemand demand_of_plan(const NetworkGraph& graph, const Plan& plan, const std::vector<Packet>& packets) {
  LinkDemand demand = none(graph);
  for (std::size_t p = 0; p < packets.size(); ++p) {
    NodeId at = packets[p].source;
    for (const Port port : plan.journeys[p].moves) {
      if (port == no_port) continue;
      demand.load[graph.index(at, port)] += packets[p].flits;
      at = graph.far_end(at, port).node;
    }
  }
  return summed(std::move(demand));
}

std::optional<LinkDemand> uniform_demand(const NetworkGraph& graph, const Algorithm& algorithm, double rate,
                                         bool to_itself) {
  LinkDemand demand = none(graph);
  RouteTree tree(graph);
  LinkForest forest(graph);
  const double flits = rate / (graph.processors() - (to_itself ? 0 : 1));
  for (NodeId processor = 0; processor < graph.processors(); ++processor) {
    const NodeId destination = graph.processor(processor);
    // The tree has the paths of all other sources; a path from the destination to itself, if there is one, is a
    // cycle.
    const bool known = tree.grow(algorithm, destination) ? tree.flow(destination, flits, demand)
                                                         : forest.flow(algorithm, destination, flits, demand);
    const Flow own{destination, destination, to_itself ? flits : 0};
    if (!known || !add_flow(graph, algorithm, own, demand)) return std::nullopt;
  }
  return summed(std::move(demand));
}

}  // namespace starloom::links
