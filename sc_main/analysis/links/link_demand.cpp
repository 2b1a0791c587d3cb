#include <starloom/analysis/links/link_demand.hpp>

#include <algorithm>
#include <numeric>

namespace starloom::links {
namespace {

std::size_t index_of(const Grid& topology, NodeId node, Port port) {
  return static_cast<std::size_t>(node) * static_cast<std::size_t>(topology.ports()) + static_cast<std::size_t>(port);
}

LinkDemand none(const Grid& topology) {
  LinkDemand demand;
  demand.load.assign(index_of(topology, topology.nodes(), 0), 0);
  return demand;
}

LinkDemand summed(LinkDemand demand) {
  demand.hops = std::accumulate(demand.load.begin(), demand.load.end(), 0.0);
  return demand;
}

/// The tree of ways to one destination: flows run together on the way to its root.
class RouteTree {
 public:
  explicit RouteTree(const Grid& topology)
      : topology_(topology),
        port_(static_cast<std::size_t>(topology.nodes())),
        next_(port_.size()),
        above_(port_.size()) {}

  /// False if some node has no way to the destination.
  bool grow(const Algorithm& algorithm, NodeId destination) {
    std::fill(above_.begin(), above_.end(), 0);
    for (NodeId node = 0; node < topology_.nodes(); ++node) {
      if (node == destination) continue;
      const Port port = routed_port(algorithm, node, destination);
      const NodeId next = port == no_port ? no_node : topology_.neighbour(node, port);
      if (next == no_node) return false;
      port_[static_cast<std::size_t>(node)] = port;
      next_[static_cast<std::size_t>(node)] = next;
      ++above_[static_cast<std::size_t>(next)];
    }
    leaves_.clear();
    for (NodeId node = 0; node < topology_.nodes(); ++node)
      if (node != destination && above_[static_cast<std::size_t>(node)] == 0) leaves_.push_back(node);
    return true;
  }

  /// Sends `flits` from every node down to the destination. False if they go round in circles.
  bool flow(NodeId destination, double flits, LinkDemand& demand) {
    carried_.assign(port_.size(), flits);
    NodeId served = 0;
    for (; !leaves_.empty(); ++served) {
      const NodeId node = leaves_.back();
      leaves_.pop_back();
      const auto n = static_cast<std::size_t>(node), next = static_cast<std::size_t>(next_[n]);
      demand.load[index_of(topology_, node, port_[n])] += carried_[n];
      carried_[next] += carried_[n];
      if (--above_[next] == 0 && next_[n] != destination) leaves_.push_back(next_[n]);
    }
    return served == topology_.nodes() - 1;
  }

 private:
  const Grid& topology_;
  std::vector<Port> port_;
  std::vector<NodeId> next_;
  std::vector<std::int32_t> above_;  ///< nodes whose flows have not arrived yet
  std::vector<NodeId> leaves_;
  std::vector<double> carried_;
};

}  // namespace

double LinkDemand::most() const { return load.empty() ? 0 : *std::max_element(load.begin(), load.end()); }

std::size_t LinkDemand::busiest() const {
  // Sums of rates that are equal on paper differ in their last digits.
  const double nearly = most() * (1 - 1e-9);
  return static_cast<std::size_t>(
      std::find_if(load.begin(), load.end(), [nearly](double one) { return one >= nearly; }) - load.begin());
}

Port routed_port(const Algorithm& algorithm, NodeId at, NodeId destination) {
  Flit head;
  head.destination = destination;
  return algorithm.next_port(at, head);
}

std::optional<LinkDemand> demand_of(const Grid& topology, const Algorithm& algorithm, const std::vector<Flow>& flows) {
  LinkDemand demand = none(topology);
  for (const Flow& flow : flows) {
    NodeId left = topology.nodes();  // a way that is longer goes round in circles
    for (NodeId at = flow.source; at != flow.destination; --left) {
      const Port port = left == 0 ? no_port : routed_port(algorithm, at, flow.destination);
      const NodeId next = port == no_port ? no_node : topology.neighbour(at, port);
      if (next == no_node) return std::nullopt;
      demand.load[index_of(topology, at, port)] += flow.flits;
      at = next;
    }
  }
  return summed(std::move(demand));
}

LinkDemand demand_of_plan(const Grid& topology, const Plan& plan, const std::vector<Packet>& packets) {
  LinkDemand demand = none(topology);
  for (std::size_t p = 0; p < packets.size(); ++p) {
    NodeId at = packets[p].source;
    for (const Port port : plan.journeys[p].moves) {
      if (port == no_port) continue;
      demand.load[index_of(topology, at, port)] += packets[p].flits;
      at = topology.neighbour(at, port);
    }
  }
  return summed(std::move(demand));
}

std::optional<LinkDemand> uniform_demand(const Grid& topology, const Algorithm& algorithm, double rate) {
  LinkDemand demand = none(topology);
  RouteTree tree(topology);
  for (NodeId destination = 0; destination < topology.nodes(); ++destination)
    if (!tree.grow(algorithm, destination) || !tree.flow(destination, rate / topology.nodes(), demand))
      return std::nullopt;
  return summed(std::move(demand));
}

}  // namespace starloom::links
