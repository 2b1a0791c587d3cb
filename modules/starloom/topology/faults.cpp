// SPDX-License-Identifier: Apache-2.0
#include <starloom/topology/faults.hpp>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

#include <starloom/core/random.hpp>

namespace starloom {
namespace {

// The steps of random words: below these, `step` is the port of a link.
constexpr Step cables_by_number = 64, routers_by_number = 65, routers_by_rate = 66;

/// The first `count` places of a list of which place j has changed with a random one from j on.
std::vector<std::size_t> drawn(std::size_t size, std::int64_t count, std::uint64_t seed, Step step) {
  std::vector<std::size_t> places(size);
  std::iota(places.begin(), places.end(), std::size_t{0});
  const auto chosen = static_cast<std::size_t>(count);
  for (std::size_t j = 0; j < chosen; ++j) {
    RandomStream words(seed, Purpose::faults, static_cast<NodeId>(j), step);
    std::swap(places[j], places[j + words.bounded(static_cast<std::uint32_t>(size - j))]);
  }
  places.resize(chosen);
  return places;
}

std::vector<NodeId> routers_of(const NetworkGraph& graph) {
  std::vector<NodeId> routers;
  for (NodeId node = 0; node < graph.nodes(); ++node)
    if (!graph.is_terminal(node)) routers.push_back(node);
  return routers;
}

/// The cables of a network whose links all have a partner, as an undirected graph without its hosts. Bridges by depth
/// first search (R. Tarjan, "A note on finding the bridges of a graph", Information Processing Letters 2(6), 1974).
class BridgeSearch {
 public:
  BridgeSearch(const NetworkGraph& graph, const std::vector<Cable>& cables)
      : cables_(cables),
        at_(static_cast<std::size_t>(graph.nodes())),
        found_(at_.size(), 0),
        lowest_(at_.size(), 0),
        bridge_(cables.size(), false) {
    for (std::size_t cable = 0; cable < cables.size(); ++cable)
      for (const NodeId node : {cables[cable].lower.node, cables[cable].upper.node})
        at_[static_cast<std::size_t>(node)].push_back(cable);
    // A host that has one cable is behind a bridge; no path between others goes through it.
    for (NodeId node = 0; node < graph.nodes(); ++node)
      if (auto& own = at_[static_cast<std::size_t>(node)]; graph.is_host(node)) {
        if (own.size() == 1) bridge_[own.front()] = true;
        for (const std::size_t cable : own) {
          auto& other = at_[static_cast<std::size_t>(other_end(cable, node))];
          other.erase(std::remove(other.begin(), other.end(), cable), other.end());
        }
        own.clear();
      }
    for (NodeId node = 0; node < graph.nodes(); ++node)
      if (found_[static_cast<std::size_t>(node)] == 0) search_from(node);
  }

  bool is_bridge(std::size_t cable) const { return bridge_[cable]; }

 private:
  static constexpr std::size_t no_cable = -1;

  NodeId other_end(std::size_t cable, NodeId node) const {
    return cables_[cable].lower.node == node ? cables_[cable].upper.node : cables_[cable].lower.node;
  }

  void search_from(NodeId root) {
    struct Visit {
      NodeId node;
      std::size_t came_over;
      std::size_t next = 0;
    };
    std::vector<Visit> path;
    const auto find = [&](NodeId node, std::size_t cable) {
      found_[static_cast<std::size_t>(node)] = lowest_[static_cast<std::size_t>(node)] = ++order_;
      path.push_back({node, cable});
    };
    find(root, no_cable);
    while (!path.empty()) {
      Visit& visit = path.back();
      const auto node = static_cast<std::size_t>(visit.node);
      if (visit.next < at_[node].size()) {
        const std::size_t cable = at_[node][visit.next++];
        if (cable == visit.came_over) continue;
        const NodeId other = other_end(cable, visit.node);
        if (found_[static_cast<std::size_t>(other)] == 0) find(other, cable);
        else lowest_[node] = std::min(lowest_[node], found_[static_cast<std::size_t>(other)]);
        continue;
      }
      const std::size_t cable = visit.came_over;
      path.pop_back();
      if (path.empty()) return;
      const auto before = static_cast<std::size_t>(path.back().node);
      lowest_[before] = std::min(lowest_[before], lowest_[node]);
      bridge_[cable] = lowest_[node] > found_[before];
    }
  }

  const std::vector<Cable>& cables_;
  std::vector<std::vector<std::size_t>> at_;  ///< [node] its cables
  std::vector<std::int32_t> found_, lowest_;  ///< [node] order of the search, and the first one that a subtree reaches
  std::vector<bool> bridge_;                  ///< [cable]
  std::int32_t order_ = 0;
};

}  // namespace

Faults::Faults(NetworkGraph graph)
    : graph_(std::move(graph)),
      dead_links_(graph_.link_slots(), 0),
      dead_routers_(static_cast<std::size_t>(graph_.nodes()), 0),
      dead_processors_(dead_routers_) {}

void Faults::count_link(LinkEnd link, Count faults) {
  Count& count = dead_links_[graph_.index(link.node, link.port)];
  const bool was_dead = count > 0;
  count += faults;
  links_ += (count > 0) - was_dead;
  for (const NodeId end : {link.node, graph_.far_end(link.node, link.port).node})
    if (graph_.is_terminal(end)) dead_processors_[static_cast<std::size_t>(end)] += faults;
}

void Faults::kill_link(LinkEnd link) { count_link(link, 1); }

void Faults::repair_link(LinkEnd link) { count_link(link, -1); }

void Faults::kill_cable(const Cable& cable) {
  kill_link(cable.lower);
  if (cable.upper.connected()) kill_link(cable.upper);
}

void Faults::repair_cable(const Cable& cable) {
  repair_link(cable.lower);
  if (cable.upper.connected()) repair_link(cable.upper);
}

void Faults::count_router(NodeId node, Count faults) {
  dead_routers_[static_cast<std::size_t>(node)] += faults;
  if (graph_.processor_of(node) >= 0) dead_processors_[static_cast<std::size_t>(node)] += faults;
  for (const Port port : graph_.out_ports(node)) count_link({node, port}, faults);
  for (const Port port : graph_.in_ports(node)) count_link(graph_.near_end(node, port), faults);
}

void Faults::kill_router(NodeId node) { count_router(node, 1); }

void Faults::repair_router(NodeId node) { count_router(node, -1); }

std::vector<bool> Faults::dead_links() const {
  std::vector<bool> dead;
  dead.reserve(dead_links_.size());
  for (const Count count : dead_links_) dead.push_back(count > 0);
  return dead;
}

std::int64_t Faults::cables() const {
  const std::vector<Cable> cables = cables_of(graph_);
  return std::count_if(cables.begin(), cables.end(), [this](const Cable& cable) { return cable_is_dead(cable); });
}

std::int64_t Faults::routers() const {
  return std::count_if(dead_routers_.begin(), dead_routers_.end(), [](Count count) { return count > 0; });
}

bool Faults::any() const {
  const auto is_dead = [](Count count) { return count > 0; };
  return links_ > 0 || !dead_channels_.empty() || !dead_places_.empty() ||
         std::any_of(dead_routers_.begin(), dead_routers_.end(), is_dead) ||
         std::any_of(dead_processors_.begin(), dead_processors_.end(), is_dead);
}

std::int64_t Faults::processors() const {
  return graph_.processors() -
         std::count_if(dead_processors_.begin(), dead_processors_.end(), [](Count count) { return count > 0; });
}

Faults Faults::of_channels() const {
  Faults faults(graph_);
  faults.dead_channels_ = dead_channels_;
  faults.dead_places_ = dead_places_;
  return faults;
}

NetworkGraph Faults::left_both_ways() const {
  std::vector<bool> without = dead_links();
  for (const Cable& cable : cables_of(graph_))
    if (cable.upper.connected() &&
        link_is_dead(cable.lower.node, cable.lower.port) != link_is_dead(cable.upper.node, cable.upper.port))
      without[graph_.index(cable.lower.node, cable.lower.port)] =
          without[graph_.index(cable.upper.node, cable.upper.port)] = true;
  return graph_.without_links(without);
}

std::vector<Cable> random_cables(const std::vector<Cable>& cables, std::int64_t count, std::uint64_t seed) {
  std::vector<Cable> chosen;
  for (const std::size_t place : drawn(cables.size(), count, seed, cables_by_number)) chosen.push_back(cables[place]);
  return chosen;
}

std::vector<Cable> random_cables(const std::vector<Cable>& cables, double rate, std::uint64_t seed) {
  const std::uint64_t threshold = bernoulli_threshold(rate);
  std::vector<Cable> chosen;
  for (const Cable& cable : cables)
    if (random_word(seed, Purpose::faults, cable.lower.node, cable.lower.port, 0) < threshold) chosen.push_back(cable);
  return chosen;
}

std::vector<NodeId> random_routers(const NetworkGraph& graph, std::int64_t count, std::uint64_t seed) {
  const std::vector<NodeId> routers = routers_of(graph);
  std::vector<NodeId> chosen;
  for (const std::size_t place : drawn(routers.size(), count, seed, routers_by_number))
    chosen.push_back(routers[place]);
  return chosen;
}

std::vector<NodeId> random_routers(const NetworkGraph& graph, double rate, std::uint64_t seed) {
  const std::uint64_t threshold = bernoulli_threshold(rate);
  std::vector<NodeId> chosen;
  for (const NodeId node : routers_of(graph))
    if (random_word(seed, Purpose::faults, node, routers_by_rate, 0) < threshold) chosen.push_back(node);
  return chosen;
}

Parts parts_of(const Faults& faults, const NetworkGraph& left) {
  Parts parts;
  parts.of_node.assign(static_cast<std::size_t>(left.nodes()), -1);
  // A host reaches the parts of all its neighbours; it belongs to the first.
  for (const bool hosts : {false, true})
    for (NodeId node = 0; node < left.nodes(); ++node) {
      if (parts.of_node[static_cast<std::size_t>(node)] >= 0 || left.is_host(node) != hosts ||
          faults.node_is_dead(node))
        continue;
      const std::vector<std::int32_t> there = left.distances_from(node), back = left.distances_to(node);
      for (std::size_t other = 0; other < there.size(); ++other)
        if (there[other] >= 0 && back[other] >= 0 && parts.of_node[other] < 0) parts.of_node[other] = parts.count;
      ++parts.count;
    }
  return parts;
}

std::vector<Cable> bridges_of(const NetworkGraph& left) {
  std::vector<Cable> cables = cables_of(left);
  cables.erase(
      std::remove_if(cables.begin(), cables.end(), [](const Cable& cable) { return !cable.upper.connected(); }),
      cables.end());
  const BridgeSearch search(left, cables);
  std::vector<Cable> bridges;
  for (std::size_t cable = 0; cable < cables.size(); ++cable)
    if (search.is_bridge(cable)) bridges.push_back(cables[cable]);
  return bridges;
}

}  // namespace starloom
