#include <starloom/planners/pops/adversary.hpp>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

#include <starloom/planners/completed.hpp>

namespace starloom::pops {
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
    const std::vector<NodeId>& ways = ways_[static_cast<std::size_t>(source)];
    return std::any_of(ways.begin(), ways.end(), [&](NodeId to) {
      const auto at = static_cast<std::size_t>(to);
      if (seen_[at] == search) return false;
      seen_[at] = search;
      if (source_of_[at] != no_node && !augment(source_of_[at], search)) return false;
      source_of_[at] = source;
      return true;
    });
  }

  const std::vector<std::vector<NodeId>>& ways_;
  std::vector<NodeId> source_of_;
  std::vector<NodeId> seen_;  ///< [destination] by which search last
  std::int64_t size_ = 0;
};

/// Packets for one group that keep each other back for some cycles.
class Conspiracy {
 public:
  /// `members`: [node] whether it may be one of them.
  Conspiracy(const Pops& pops, const TwoHopsTable& sends, std::int64_t cycles, std::vector<char> members)
      : pops_(pops), sends_(sends), cycles_(cycles), members_(std::move(members)) {
    for (std::int64_t cycle = 0; cycle < cycles_; ++cycle) {
      alone_.push_back(alone_in(cycle));
      senders_.emplace_back(static_cast<std::size_t>(pops.groups()));
      for (NodeId node = 0; node < pops.nodes(); ++node)
        senders_.back()[static_cast<std::size_t>(target(node, cycle))].push_back(node);
    }
  }

  /// Leaves those that have `partners` others in every cycle.
  void prune(std::int64_t partners) {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::int64_t cycle = 0; cycle < cycles_; ++cycle) {
        count(cycle);
        for (NodeId node = 0; node < pops_.nodes(); ++node) {
          if (!member(node) || partners_of(node, cycle) >= partners) continue;
          members_[static_cast<std::size_t>(node)] = 0;
          changed = true;
        }
      }
    }
  }

  /// Sources of packets, the first of which is kept back in every cycle; empty if they run out.
  std::vector<NodeId> keep_back(NodeId first) const {
    std::vector<NodeId> marked = {first};
    for (std::int64_t cycle = cycles_; cycle-- > 0;)
      for (std::size_t i = 0, before = marked.size(); i < before; ++i) {
        const auto helps = [&](NodeId partner) { return keeps_back(partner, marked[i], cycle); };
        // All that are marked are still there in this cycle.
        if (std::any_of(marked.begin(), marked.end(), helps)) continue;
        const auto& senders =
            senders_[static_cast<std::size_t>(cycle)][static_cast<std::size_t>(target(marked[i], cycle))];
        const auto partner = std::find_if(senders.begin(), senders.end(), helps);
        if (partner == senders.end() || marked.size() == static_cast<std::size_t>(pops_.group_size())) return {};
        marked.push_back(*partner);
      }
    return marked;
  }
  bool member(NodeId node) const { return members_[static_cast<std::size_t>(node)] != 0; }

 private:
  std::int32_t target(NodeId node, std::int64_t cycle) const {
    return sends_[static_cast<std::size_t>(cycle)][static_cast<std::size_t>(node)];
  }
  /// [node] whether its first hop meets no other, whoever still has a packet.
  std::vector<char> alone_in(std::int64_t cycle) const {
    std::vector<std::int32_t> drivers(static_cast<std::size_t>(pops_.couplers()), 0);
    const auto driven = [&](NodeId node) -> std::int32_t& {
      return drivers[static_cast<std::size_t>(pops_.coupler(target(node, cycle), pops_.group_of(node)))];
    };
    for (NodeId node = 0; node < pops_.nodes(); ++node) ++driven(node);
    std::vector<char> alone(static_cast<std::size_t>(pops_.nodes()));
    for (NodeId node = 0; node < pops_.nodes(); ++node)
      alone[static_cast<std::size_t>(node)] = driven(node) == 1 ? 1 : 0;
    return alone;
  }
  bool alone(NodeId node, std::int64_t cycle) const {
    return alone_[static_cast<std::size_t>(cycle)][static_cast<std::size_t>(node)] != 0;
  }
  bool keeps_back(NodeId partner, NodeId node, std::int64_t cycle) const {
    return partner != node && member(partner) && target(partner, cycle) == target(node, cycle) &&
           (pops_.group_of(partner) == pops_.group_of(node) || alone(partner, cycle));
  }
  void count(std::int64_t cycle) {
    same_hop_.assign(static_cast<std::size_t>(pops_.couplers()), 0);
    alone_to_.assign(static_cast<std::size_t>(pops_.groups()), 0);
    for (NodeId node = 0; node < pops_.nodes(); ++node) {
      if (!member(node)) continue;
      ++same_hop_[static_cast<std::size_t>(pops_.coupler(target(node, cycle), pops_.group_of(node)))];
      if (alone(node, cycle)) ++alone_to_[static_cast<std::size_t>(target(node, cycle))];
    }
  }
  /// As counted last, itself left out.
  std::int64_t partners_of(NodeId node, std::int64_t cycle) const {
    const std::int32_t to = target(node, cycle);
    // Whoever is alone has no other of its group, so nobody is in both counts but the node itself.
    const std::int64_t own = same_hop_[static_cast<std::size_t>(pops_.coupler(to, pops_.group_of(node)))] - 1;
    return own + alone_to_[static_cast<std::size_t>(to)] - (alone(node, cycle) ? 1 : 0);
  }
  const Pops& pops_;
  const TwoHopsTable& sends_;
  std::int64_t cycles_;
  std::vector<char> members_;                              ///< [node]
  std::vector<std::vector<char>> alone_;                   ///< [cycle][node]
  std::vector<std::vector<std::vector<NodeId>>> senders_;  ///< [cycle][group]
  std::vector<std::int64_t> same_hop_;                     ///< [coupler] members that drive it
  std::vector<std::int64_t> alone_to_;                     ///< [group] members that reach it, whatever the others do
};

/// [node] whether it never sends to the group.
std::vector<char> never_sending_to(std::int32_t group, const Pops& pops, const TwoHopsTable& sends,
                                   std::int64_t cycles) {
  std::vector<char> never(static_cast<std::size_t>(pops.nodes()), 1);
  for (std::int64_t cycle = 0; cycle < cycles; ++cycle)
    for (std::size_t node = 0; node < never.size(); ++node)
      if (sends[static_cast<std::size_t>(cycle)][node] == group) never[node] = 0;
  return never;
}

/// Packets to `group` of which the first is kept back for `cycles`; empty if none are found.
std::vector<NodeId> packets_kept_back(std::int32_t group, const Pops& pops, const TwoHopsTable& sends,
                                      std::int64_t cycles) {
  // With 2^cycles partners success is certain; with fewer it is likely.
  for (std::int64_t partners = pops.group_size(); partners > 0; partners /= 2) {
    Conspiracy packets(pops, sends, cycles, never_sending_to(group, pops, sends, cycles));
    packets.prune(partners);
    for (NodeId first = 0; first < pops.nodes(); ++first)
      if (packets.member(first))
        if (auto found = packets.keep_back(first); !found.empty()) return found;
  }
  return {};
}

void require_two_hops(const Pops& pops, const TwoHopsTable& sends) {
  if (pops.group_size() != pops.groups()) throw std::invalid_argument("two-hops tables are defined for d = g");
  for (const auto& cycle : sends) {
    const bool legal = std::all_of(cycle.begin(), cycle.end(),
                                   [&](std::int32_t group) { return group >= 0 && group < pops.groups(); });
    if (cycle.size() != static_cast<std::size_t>(pops.nodes()) || !legal)
      throw std::invalid_argument("a two-hops table has a group for each processor");
  }
}

}  // namespace

Congestion congested_permutation(const Pops& pops, const ObliviousPath& path, int candidates) {
  std::vector<std::int64_t> paths(static_cast<std::size_t>(pops.couplers() + pops.nodes()), 0);
  for (NodeId source = 0; source < pops.nodes(); ++source)
    for (NodeId to = 0; to < pops.nodes(); ++to)
      for (const PlanPlace place : path(source, to)) ++paths[static_cast<std::size_t>(place)];
  std::vector<PlanPlace> places(paths.size());
  std::iota(places.begin(), places.end(), PlanPlace{0});
  std::stable_sort(places.begin(), places.end(), [&](PlanPlace a, PlanPlace b) {
    return paths[static_cast<std::size_t>(a)] > paths[static_cast<std::size_t>(b)];
  });
  places.resize(std::min(places.size(), static_cast<std::size_t>(candidates)));
  Congestion best;
  for (const PlanPlace place : places) {
    std::vector<std::vector<NodeId>> ways(static_cast<std::size_t>(pops.nodes()));
    for (NodeId source = 0; source < pops.nodes(); ++source)
      for (NodeId to = 0; to < pops.nodes(); ++to) {
        const std::vector<PlanPlace> on_path = path(source, to);
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

Starved starved_permutation(const Pops& pops, const TwoHopsTable& sends) {
  require_two_hops(pops, sends);
  Starved found;
  found.source = 0;
  found.destination.assign(static_cast<std::size_t>(pops.nodes()), no_node);
  for (bool more = true; more && found.cycles < static_cast<std::int64_t>(sends.size());) {
    more = false;
    for (std::int32_t group = 0; group < pops.groups() && !more; ++group) {
      const std::vector<NodeId> packets = packets_kept_back(group, pops, sends, found.cycles + 1);
      if (packets.empty()) continue;
      more = true;
      ++found.cycles;
      found.source = packets.front();
      std::fill(found.destination.begin(), found.destination.end(), no_node);
      for (std::size_t i = 0; i < packets.size(); ++i)
        found.destination[static_cast<std::size_t>(packets[i])] = pops.node_at(group, static_cast<std::int32_t>(i));
    }
  }
  found.destination = completed(std::move(found.destination));
  return found;
}

}  // namespace starloom::pops
