// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Permutations that defeat a given routing algorithm on POPS networks: lower bounds of Mei and Rizzi, "Online
/// permutation routing ..", as constructions (docs/adversaries.md). No algorithm of Starloom uses them.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include <starloom/planning/completed.hpp>
#include <starloom/topology/pops/pops.hpp>

namespace starloom::pops {

/// A maximum matching by augmenting paths (Kuhn). `paths[source]`: destinations. Returns [destination] its source.
class Matching {
 public:
  explicit Matching(const std::vector<std::vector<NodeId>>& paths)
      : paths_(paths), source_of_(paths.size(), no_node), seen_(paths.size(), no_node) {
    for (std::size_t source = 0; source < paths.size(); ++source)
      size_ += augment(static_cast<NodeId>(source), static_cast<NodeId>(source)) ? 1 : 0;
  }
  std::int64_t size() const { return size_; }
  const std::vector<NodeId>& source_of() const { return source_of_; }

 private:
  bool augment(NodeId source, NodeId search) {
    const std::vector<NodeId>& paths = paths_[static_cast<std::size_t>(source)];
    return std::any_of(paths.begin(), paths.end(), [&](NodeId to) {
      const auto at = static_cast<std::size_t>(to);
      if (seen_[at] == search) return false;
      seen_[at] = search;
      if (source_of_[at] != no_node && !augment(source_of_[at], search)) return false;
      source_of_[at] = source;
      return true;
    });
  }

  const std::vector<std::vector<NodeId>>& paths_;
  std::vector<NodeId> source_of_;
  std::vector<NodeId> seen_;  ///< [destination] by which search last
  std::int64_t size_ = 0;
};

/// A resource that serves at most one packet per slot: a coupler (its number), or a processor (couplers + number).
using Resource = std::int64_t;
/// The resources on the path from a source to a destination, without the source, with the destination.
using ObliviousPath = std::function<std::vector<Resource>(NodeId source, NodeId destination)>;

struct Congestion {
  std::vector<NodeId> destination;  ///< a full permutation
  Resource place = 0;               ///< where its paths meet
  std::int64_t packets = 0;         ///< how many of them: no routing along these paths takes fewer slots
};

/// Attacks oblivious algorithms, whose paths depend on source and destination only (theorem II.5: some permutation
/// needs sqrt(g)/2 slots for d = g). Returns the one of the `candidates` resources on most paths that a permutation
/// can load most: a maximum matching of the pairs whose path uses it. Evaluates all n^2 paths; 8 bytes of memory each
/// while a candidate is tried.
inline Congestion congested_permutation(const Pops& pops, const ObliviousPath& path, int candidates = 16) {
  std::vector<std::int64_t> paths(static_cast<std::size_t>(pops.couplers() + pops.nodes()), 0);
  for (NodeId source = 0; source < pops.nodes(); ++source)
    for (NodeId to = 0; to < pops.nodes(); ++to)
      for (const Resource place : path(source, to)) ++paths[static_cast<std::size_t>(place)];
  std::vector<Resource> places(paths.size());
  std::iota(places.begin(), places.end(), Resource{0});
  std::stable_sort(places.begin(), places.end(), [&](Resource a, Resource b) {
    return paths[static_cast<std::size_t>(a)] > paths[static_cast<std::size_t>(b)];
  });
  places.resize(std::min(places.size(), static_cast<std::size_t>(candidates)));
  Congestion best;
  for (const Resource place : places) {
    std::vector<std::vector<NodeId>> paths(static_cast<std::size_t>(pops.nodes()));
    for (NodeId source = 0; source < pops.nodes(); ++source)
      for (NodeId to = 0; to < pops.nodes(); ++to) {
        const std::vector<Resource> on_path = path(source, to);
        if (std::find(on_path.begin(), on_path.end(), place) != on_path.end())
          paths[static_cast<std::size_t>(source)].push_back(to);
      }
    const Matching matching(paths);
    if (matching.size() <= best.packets) continue;
    best.packets = matching.size();
    best.place = place;
    best.destination.assign(paths.size(), no_node);
    for (std::size_t to = 0; to < paths.size(); ++to)
      if (matching.source_of()[to] != no_node)
        best.destination[static_cast<std::size_t>(matching.source_of()[to])] = static_cast<NodeId>(to);
  }
  if (best.destination.empty()) best.destination.assign(static_cast<std::size_t>(pops.nodes()), no_node);
  best.destination = completed(std::move(best.destination));
  return best;
}

/// The processor whose message processor `node` hears in a slot, or no_node; independent of the packets.
using HearingPattern = std::function<NodeId(NodeId node, std::int64_t slot)>;

/// A packet that cannot have reached its destination.
struct Unreached {
  std::vector<NodeId> destination;  ///< a full permutation
  NodeId source = no_node;          ///< of the packet
};

/// Attacks rigid algorithms, whose processors hear others by a fixed pattern (theorem II.8: at least log2 n slots): a
/// permutation with a packet that cannot have reached its destination after `slots` slots; empty if every processor
/// can have heard of every other. n^2 bits.
inline std::optional<Unreached> unreached_permutation(NodeId nodes, const HearingPattern& hears, std::int64_t slots) {
  // cone[i]: the processors whose packets i can have. It at most doubles in a slot.
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

}  // namespace starloom::pops
