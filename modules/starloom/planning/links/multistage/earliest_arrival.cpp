// SPDX-License-Identifier: Apache-2.0
#include <starloom/planning/links/multistage/earliest_arrival.hpp>

#include <algorithm>
#include <limits>
#include <string>

#include <starloom/planning/links/schedules.hpp>
#include <starloom/schema/config_error.hpp>
#include <starloom/support/error.hpp>

namespace starloom::links {
namespace {

/// The time-expanded graph, stage by stage as far as it is used, and the search in it.
class TimeExpandedGraph {
 public:
  TimeExpandedGraph(const Grid& grid, std::vector<std::int64_t> residents)
      : grid_(grid), residents_(std::move(residents)) {
    check_residents(grid, residents_);
    if (residents_.size() == 1) residents_.assign(static_cast<std::size_t>(grid.nodes()), residents_.front());
  }

  /// Finds a path of earliest arrival and takes its links and resident slots.
  Journey route(const Packet& packet);

 private:
  static constexpr std::int32_t unreached = std::numeric_limits<std::int32_t>::max();

  /// (node, stage): the packet is in the node at the beginning of the stage.
  struct State {
    NodeId node;
    std::int32_t stage;
  };
  struct Stage {
    std::vector<PortMask> taken;        ///< by node: out-links in use
    std::vector<std::int32_t> staying;  ///< by node: residents
    std::vector<std::int32_t> links;    ///< by node: fewest links on a path to the state, of the current search
  };

  Stage& stage(std::int32_t at) {
    const auto nodes = static_cast<std::size_t>(grid_.nodes());
    constexpr std::size_t most_states = (std::size_t{4} << 30) / (sizeof(PortMask) + 2 * sizeof(std::int32_t));
    if (static_cast<std::size_t>(at) >= most_states / nodes)
      throw InputError("a plan of " + std::to_string(at) + " stages for " + std::to_string(nodes) +
                       " nodes needs more than 4 GiB; use a smaller grid or fewer packets for one node");
    while (stages_.size() <= static_cast<std::size_t>(at))
      stages_.push_back({std::vector<PortMask>(nodes), std::vector<std::int32_t>(nodes),
                         std::vector<std::int32_t>(nodes, unreached)});
    return stages_[static_cast<std::size_t>(at)];
  }
  bool link_free(NodeId node, Port port, std::int32_t at) {
    return (stage(at).taken[static_cast<std::size_t>(node)] >> port & 1) == 0;
  }
  bool may_stay(NodeId node, std::int32_t at) {
    const auto n = static_cast<std::size_t>(node);
    return node == source_ || stage(at).staying[n] < residents_[n];
  }
  /// The packet can be in the node at the beginning of the stage, after crossing this number of links.
  void reach(NodeId node, std::int32_t at, std::int32_t links);
  /// Expands the state: by staying, and by every free link.
  void expand(State state);
  Journey walk_back(State arrival);

  const Grid& grid_;
  std::vector<std::int64_t> residents_;  ///< by node
  std::vector<Stage> stages_;

  // For the current search. A state belongs to the bucket of stage + distance to the destination, the earliest arrival
  // that it allows. This value never decreases along a path, so buckets are processed in order, and each by stage.
  NodeId source_ = no_node;
  NodeId destination_ = no_node;
  std::vector<std::vector<std::vector<NodeId>>> buckets_;  ///< by arrival, stage
  std::vector<State> reached_;
};

Journey TimeExpandedGraph::route(const Packet& packet) {
  source_ = packet.source;
  destination_ = packet.destination;
  if (source_ == destination_) return {};
  reach(source_, 0, 0);
  for (std::size_t arrival = 0;; ++arrival) {
    for (std::size_t at = 0; arrival < buckets_.size() && at < buckets_[arrival].size(); ++at) {
      // Expanding adds only to later stages and later buckets, but may move the lists.
      std::vector<NodeId> nodes;
      nodes.swap(buckets_[arrival][at]);
      for (const NodeId node : nodes) {
        const State state{node, static_cast<std::int32_t>(at)};
        if (node != destination_) {
          expand(state);
          continue;
        }
        Journey journey = walk_back(state);
        for (const State& old : reached_) stage(old.stage).links[static_cast<std::size_t>(old.node)] = unreached;
        reached_.clear();
        buckets_.clear();
        return journey;
      }
    }
  }
}

void TimeExpandedGraph::reach(NodeId node, std::int32_t at, std::int32_t links) {
  std::int32_t& fewest = stage(at).links[static_cast<std::size_t>(node)];
  if (fewest == unreached) {
    const auto arrival = static_cast<std::size_t>(at) + static_cast<std::size_t>(grid_.distance(node, destination_));
    if (buckets_.size() <= arrival) buckets_.resize(arrival + 1);
    if (buckets_[arrival].size() <= static_cast<std::size_t>(at))
      buckets_[arrival].resize(static_cast<std::size_t>(at) + 1);
    buckets_[arrival][static_cast<std::size_t>(at)].push_back(node);
    reached_.push_back({node, at});
  }
  fewest = std::min(fewest, links);
}

void TimeExpandedGraph::expand(State state) {
  const std::int32_t links = stage(state.stage).links[static_cast<std::size_t>(state.node)];
  if (may_stay(state.node, state.stage)) reach(state.node, state.stage + 1, links);
  for (Port port = 0; port < grid_.ports(); ++port) {
    const NodeId next = grid_.neighbour(state.node, port);
    if (next != no_node && link_free(state.node, port, state.stage)) reach(next, state.stage + 1, links + 1);
  }
}

Journey TimeExpandedGraph::walk_back(State arrival) {
  Journey journey;
  State state = arrival;
  while (state.node != source_ || stage(state.stage).links[static_cast<std::size_t>(source_)] != 0) {
    const std::int32_t links = stage(state.stage).links[static_cast<std::size_t>(state.node)];
    const std::int32_t before = state.stage - 1;
    const auto n = static_cast<std::size_t>(state.node);
    if (stage(before).links[n] == links && may_stay(state.node, before)) {
      ++stage(before).staying[n];
      journey.moves.push_back(no_port);
      --state.stage;
      continue;
    }
    for (Port in_port = 0; in_port < grid_.ports(); ++in_port) {
      const NodeId from = grid_.neighbour(state.node, in_port);
      const Port out_port = grid_.reverse(in_port);
      if (from == no_node || stage(before).links[static_cast<std::size_t>(from)] != links - 1 ||
          !link_free(from, out_port, before))
        continue;
      stage(before).taken[static_cast<std::size_t>(from)] |= PortMask{1} << out_port;
      journey.moves.push_back(out_port);
      state = {from, before};
      break;
    }
  }
  journey.start = state.stage;
  std::reverse(journey.moves.begin(), journey.moves.end());
  return journey;
}

}  // namespace

void check_residents(const Grid& grid, const std::vector<std::int64_t>& residents) {
  const auto nodes = static_cast<std::size_t>(grid.nodes());
  if (residents.size() != 1 && residents.size() != nodes)
    throw ConfigError("places", std::to_string(residents.size()) + " numbers for " + std::to_string(nodes) +
                                    " nodes; give one number, or one per node");
  for (std::size_t i = 0; i < residents.size(); ++i)
    if (residents[i] < 0)
      throw ConfigError("places", std::string(residents.size() == 1 ? "a node" : "node " + std::to_string(i)) +
                                      " has " + std::to_string(residents[i]) + " waiting places; the minimum is 0");
}

Plan plan_earliest_arrival(const Grid& grid, const std::vector<Packet>& packets,
                           const EarliestArrivalOptions& options) {
  check_packets(grid, packets);
  PacketSorter sorter(grid, options.ordering);
  TimeExpandedGraph graph(grid, options.residents);
  Plan plan;
  plan.journeys.resize(packets.size());
  for (const PacketId packet : sorter.sorted(packets))
    plan.journeys[static_cast<std::size_t>(packet)] = graph.route(packets[static_cast<std::size_t>(packet)]);
  return plan;
}

}  // namespace starloom::links
