// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/randomized/starved_permutation.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <starloom/planning/completed.hpp>

namespace starloom::pops {
namespace {

/// The first hops of a two-hops table.
class FirstHops {
 public:
  FirstHops(const Pops& pops, const TwoHopsTable& sends) : pops_(pops), sends_(sends) {
    for (const auto& targets : sends) {
      std::vector<std::int32_t> drivers(static_cast<std::size_t>(pops.couplers()), 0);
      std::vector<std::size_t> couplers;
      for (NodeId node = 0; node < pops.nodes(); ++node) {
        couplers.push_back(
            static_cast<std::size_t>(pops.coupler(targets[static_cast<std::size_t>(node)], pops.group_of(node))));
        ++drivers[couplers.back()];
      }
      alone_.emplace_back();
      for (const std::size_t coupler : couplers) alone_.back().push_back(drivers[coupler] == 1 ? 1 : 0);
      couplers_.push_back(std::move(couplers));
    }
  }
  const Pops& pops() const { return pops_; }
  std::size_t coupler(NodeId node, std::int64_t cycle) const { return at(couplers_, node, cycle); }
  std::size_t group(NodeId node, std::int64_t cycle) const { return static_cast<std::size_t>(at(sends_, node, cycle)); }
  /// True if it meets no other packet, whichever processors still have one.
  bool alone(NodeId node, std::int64_t cycle) const { return at(alone_, node, cycle) != 0; }

 private:
  template <class T>
  static T at(const std::vector<std::vector<T>>& table, NodeId node, std::int64_t cycle) {
    return table[static_cast<std::size_t>(cycle)][static_cast<std::size_t>(node)];
  }
  const Pops& pops_;
  const TwoHopsTable& sends_;
  std::vector<std::vector<std::size_t>> couplers_;  ///< [cycle][node]
  std::vector<std::vector<char>> alone_;            ///< [cycle][node]
};

/// Packets for one group that block each other for some cycles.
class StarvationSet {
 public:
  /// From `members`, [node] true if it may be a member, those that have `partners` others in each of the cycles.
  StarvationSet(const FirstHops& hops, std::int64_t cycles, std::vector<char> members, std::int64_t partners)
      : hops_(hops),
        members_(std::move(members)),
        cycles_(static_cast<std::size_t>(cycles), Cycle(static_cast<std::size_t>(hops.pops().couplers()),
                                                        static_cast<std::size_t>(hops.pops().groups()))) {
    for (NodeId node = 0; node < hops_.pops().nodes(); ++node)
      if (member(node)) count_everywhere(node, 1);
    for (bool changed = true; changed;) {
      changed = false;
      for (NodeId node = 0; node < hops_.pops().nodes(); ++node) {
        if (!member(node) || fewest_partners_of(node) >= partners) continue;
        members_[static_cast<std::size_t>(node)] = 0;
        count_everywhere(node, -1);
        changed = true;
      }
    }
    for (NodeId node = 0; node < hops_.pops().nodes(); ++node) {
      if (!member(node)) continue;
      count_everywhere(node, -1);
      for (std::int64_t cycle = 0; cycle < cycles; ++cycle) {
        of(cycle).driving[hops_.coupler(node, cycle)].add(node);
        if (hops_.alone(node, cycle)) of(cycle).alone_to[hops_.group(node, cycle)].add(node);
      }
    }
  }

  /// Sources of packets, the first of which is blocked in every cycle; empty if there are not enough.
  std::vector<NodeId> keep_back(NodeId first) {
    std::vector<NodeId> marked = {first};
    bool enough = true;
    for (auto cycle = static_cast<std::int64_t>(cycles_.size()); enough && cycle-- > 0;) {
      // All marked ones still have their packets in this cycle.
      for (const NodeId node : marked) count(node, cycle, 1);
      for (std::size_t i = 0, before = marked.size(); i < before; ++i) {
        if (partners_of(marked[i], cycle) > 0) continue;
        const NodeId partner = first_partner(marked[i], cycle);
        enough = partner != no_node && marked.size() < static_cast<std::size_t>(hops_.pops().group_size());
        if (!enough) break;
        marked.push_back(partner);
        count(partner, cycle, 1);
      }
      for (const NodeId node : marked) count(node, cycle, -1);
    }
    if (!enough) marked.clear();
    return marked;
  }
  bool member(NodeId node) const { return members_[static_cast<std::size_t>(node)] != 0; }
  const std::vector<char>& members() const { return members_; }

 private:
  /// Some of the members: the number of those counted, and the two lowest of all.
  struct Some {
    std::int64_t count = 0;
    NodeId lowest[2] = {no_node, no_node};

    /// Called in ascending order.
    void add(NodeId node) {
      if (lowest[0] == no_node) lowest[0] = node;
      else if (lowest[1] == no_node) lowest[1] = node;
    }
    NodeId lowest_other_than(NodeId node) const { return lowest[0] == node ? lowest[1] : lowest[0]; }
  };
  struct Cycle {
    Cycle(std::size_t couplers, std::size_t groups) : driving(couplers), alone_to(groups) {}
    std::vector<Some> driving;   ///< [coupler]
    std::vector<Some> alone_to;  ///< [group] those that reach it independently of the others
  };

  Cycle& of(std::int64_t cycle) { return cycles_[static_cast<std::size_t>(cycle)]; }
  const Cycle& of(std::int64_t cycle) const { return cycles_[static_cast<std::size_t>(cycle)]; }
  void count(NodeId node, std::int64_t cycle, std::int64_t by) {
    of(cycle).driving[hops_.coupler(node, cycle)].count += by;
    if (hops_.alone(node, cycle)) of(cycle).alone_to[hops_.group(node, cycle)].count += by;
  }
  void count_everywhere(NodeId node, std::int64_t by) {
    for (std::size_t cycle = 0; cycle < cycles_.size(); ++cycle) count(node, static_cast<std::int64_t>(cycle), by);
  }
  /// Number of counted members that block it; it is one of them.
  std::int64_t partners_of(NodeId node, std::int64_t cycle) const {
    // A member that is alone has no other of its group, so only the node itself is in both counts.
    return of(cycle).driving[hops_.coupler(node, cycle)].count - 1 +
           of(cycle).alone_to[hops_.group(node, cycle)].count - (hops_.alone(node, cycle) ? 1 : 0);
  }
  /// The minimum over the cycles.
  std::int64_t fewest_partners_of(NodeId node) const {
    std::int64_t fewest = hops_.pops().nodes();
    for (std::size_t cycle = 0; cycle < cycles_.size(); ++cycle)
      fewest = std::min(fewest, partners_of(node, static_cast<std::int64_t>(cycle)));
    return fewest;
  }
  /// The lowest member that blocks it, or `no_node`.
  NodeId first_partner(NodeId node, std::int64_t cycle) const {
    const NodeId same = of(cycle).driving[hops_.coupler(node, cycle)].lowest_other_than(node);
    const NodeId alone = of(cycle).alone_to[hops_.group(node, cycle)].lowest_other_than(node);
    return same == no_node || (alone != no_node && alone < same) ? alone : same;
  }

  const FirstHops& hops_;
  std::vector<char> members_;  ///< [node]
  std::vector<Cycle> cycles_;
};

/// [node] true if it never sends to the group.
std::vector<char> never_sending_to(std::int32_t group, const Pops& pops, const TwoHopsTable& sends,
                                   std::int64_t cycles) {
  std::vector<char> never(static_cast<std::size_t>(pops.nodes()), 1);
  for (std::int64_t cycle = 0; cycle < cycles; ++cycle)
    for (std::size_t node = 0; node < never.size(); ++node)
      if (sends[static_cast<std::size_t>(cycle)][node] == group) never[node] = 0;
  return never;
}

/// Packets to `group` of which the first is blocked for `cycles`; empty if none are found.
std::vector<NodeId> packets_kept_back(std::int32_t group, const FirstHops& hops, const TwoHopsTable& sends,
                                      std::int64_t cycles) {
  const Pops& pops = hops.pops();
  const std::vector<char> members = never_sending_to(group, pops, sends, cycles);
  std::vector<char> tried;
  // With 2^cycles partners success is certain; with fewer it is likely.
  for (std::int64_t partners = pops.group_size(); partners > 0; partners /= 2) {
    StarvationSet packets(hops, cycles, members, partners);
    if (packets.members() == tried) continue;
    tried = packets.members();
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

Starved starved_permutation(const Pops& pops, const TwoHopsTable& sends) {
  require_two_hops(pops, sends);
  const FirstHops hops(pops, sends);
  Starved found;
  found.source = 0;
  found.destination.assign(static_cast<std::size_t>(pops.nodes()), no_node);
  for (bool more = true; more && found.cycles < static_cast<std::int64_t>(sends.size());) {
    more = false;
    for (std::int32_t group = 0; group < pops.groups() && !more; ++group) {
      const std::vector<NodeId> packets = packets_kept_back(group, hops, sends, found.cycles + 1);
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
