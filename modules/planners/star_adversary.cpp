#include "planners/star_adversary.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace starloom {
namespace {

/// A maximum matching by augmenting paths (Kuhn). `ways[source]`: destinations. Returns [destination] its source.
class Matching {
 public:
  explicit Matching(const std::vector<std::vector<NodeId>>& ways)
      : ways_(ways), source_of_(ways.size(), no_node), seen_(ways.size(), no_node) {
    for (std::size_t source = 0; source < ways.size(); ++source)
      size_ += augment(static_cast<NodeId>(source), static_cast<NodeId>(source)) ? 1 : 0;
  }
  std::int64_t size() const { return size_; }
  const std::vector<NodeId>& source_of() const { return source_of_; }

 private:
  bool augment(NodeId source, NodeId search) {
    for (const NodeId to : ways_[static_cast<std::size_t>(source)]) {
      const auto at = static_cast<std::size_t>(to);
      if (seen_[at] == search) continue;
      seen_[at] = search;
      if (source_of_[at] != no_node && !augment(source_of_[at], search)) continue;
      source_of_[at] = source;
      return true;
    }
    return false;
  }

  const std::vector<std::vector<NodeId>>& ways_;
  std::vector<NodeId> source_of_;
  std::vector<NodeId> seen_;  ///< [destination] by which search last
  std::int64_t size_ = 0;
};

/// Fills up a partial permutation: free sources get free destinations, in order.
std::vector<NodeId> completed(std::vector<NodeId> destination) {
  std::vector<char> taken(destination.size(), 0);
  for (const NodeId to : destination)
    if (to != no_node) taken[static_cast<std::size_t>(to)] = 1;
  std::size_t next = 0;
  for (NodeId& to : destination) {
    if (to != no_node) continue;
    while (taken[next] != 0) ++next;
    to = static_cast<NodeId>(next++);
  }
  return destination;
}

}  // namespace

Congestion congested_permutation(const Pops& pops, const ObliviousPath& path, int candidates) {
  std::vector<std::int64_t> paths(static_cast<std::size_t>(pops.couplers() + pops.nodes()), 0);
  for (NodeId source = 0; source < pops.nodes(); ++source)
    for (NodeId to = 0; to < pops.nodes(); ++to)
      for (const StarPlace place : path(source, to)) ++paths[static_cast<std::size_t>(place)];
  std::vector<StarPlace> places(paths.size());
  std::iota(places.begin(), places.end(), StarPlace{0});
  std::stable_sort(places.begin(), places.end(), [&](StarPlace a, StarPlace b) {
    return paths[static_cast<std::size_t>(a)] > paths[static_cast<std::size_t>(b)];
  });
  places.resize(std::min(places.size(), static_cast<std::size_t>(candidates)));
  Congestion best;
  for (const StarPlace place : places) {
    std::vector<std::vector<NodeId>> ways(static_cast<std::size_t>(pops.nodes()));
    for (NodeId source = 0; source < pops.nodes(); ++source)
      for (NodeId to = 0; to < pops.nodes(); ++to) {
        const std::vector<StarPlace> on_path = path(source, to);
        if (std::find(on_path.begin(), on_path.end(), place) != on_path.end())
          ways[static_cast<std::size_t>(source)].push_back(to);
      }
    const Matching matching(ways);
    if (matching.size() <= best.packets) continue;
    best.packets = matching.size();
    best.place = place;
    best.destination.assign(ways.size(), no_node);
    for (std::size_t to = 0; to < ways.size(); ++to)
      if (matching.source_of()[to] != no_node)
        best.destination[static_cast<std::size_t>(matching.source_of()[to])] = static_cast<NodeId>(to);
  }
  if (best.destination.empty()) best.destination.assign(static_cast<std::size_t>(pops.nodes()), no_node);
  best.destination = completed(std::move(best.destination));
  return best;
}

std::optional<Unreached> unreached_permutation(NodeId nodes, const HearingPattern& hears, std::int64_t slots) {
  // cone[i]: the processors whose packets i can hold. It at most doubles in a slot.
  const auto count = static_cast<std::size_t>(nodes);
  std::vector<std::vector<bool>> cone(count, std::vector<bool>(count, false));
  for (std::size_t node = 0; node < count; ++node) cone[node][node] = true;
  for (std::int64_t slot = 0; slot < slots; ++slot) {
    const std::vector<std::vector<bool>> before = cone;
    for (std::size_t node = 0; node < count; ++node) {
      const NodeId heard = hears(static_cast<NodeId>(node), slot);
      if (heard == no_node) continue;
      for (std::size_t from = 0; from < count; ++from)
        if (before[static_cast<std::size_t>(heard)][from]) cone[node][from] = true;
    }
  }
  for (std::size_t node = 0; node < count; ++node)
    for (std::size_t from = 0; from < count; ++from) {
      if (cone[node][from]) continue;
      Unreached late;
      late.source = static_cast<NodeId>(from);
      late.destination.assign(count, no_node);
      late.destination[from] = static_cast<NodeId>(node);
      late.destination = completed(std::move(late.destination));
      return late;
    }
  return std::nullopt;
}

}  // namespace starloom
