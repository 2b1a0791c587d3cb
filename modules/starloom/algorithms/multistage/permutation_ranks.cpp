// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/multistage/permutation_ranks.hpp>

#include <algorithm>
#include <numeric>
#include <string>

#include <starloom/support/error.hpp>

namespace starloom::links {

std::uint64_t permutations_of(NodeId nodes) {
  if (nodes > max_ranked_nodes)
    throw InputError("the permutations of " + std::to_string(nodes) + " nodes cannot be ranked; at most " +
                     std::to_string(max_ranked_nodes) + " nodes");
  std::uint64_t product = 1;
  for (NodeId factor = 2; factor <= nodes; ++factor) product *= static_cast<std::uint64_t>(factor);
  return product;
}

std::vector<NodeId> permutation_of_rank(NodeId nodes, std::uint64_t rank) {
  std::uint64_t block = permutations_of(nodes);
  if (rank >= block)
    throw InputError("there is no permutation of rank " + std::to_string(rank) + "; the ranks of " +
                     std::to_string(nodes) + " nodes are 0 to " + std::to_string(block - 1));
  std::vector<NodeId> left(static_cast<std::size_t>(nodes));
  std::iota(left.begin(), left.end(), 0);
  std::vector<NodeId> destinations;
  while (!left.empty()) {
    block /= left.size();
    const auto chosen = left.begin() + static_cast<std::ptrdiff_t>(rank / block);
    destinations.push_back(*chosen);
    left.erase(chosen);
    rank %= block;
  }
  return destinations;
}

void RankCounts::add(const RankCounts& other) {
  planned += other.planned;
  above_distance += other.above_distance;
  worst_gap = std::max(worst_gap, other.worst_gap);
}

RankCounts count_ranks(const Grid& mesh, const OneBendOptions& options, std::uint64_t from, std::uint64_t count,
                       const std::function<void(const std::vector<NodeId>&)>& above) {
  const std::uint64_t all = permutations_of(mesh.nodes());
  if (from > all || count > all - from)
    throw InputError("ranks " + std::to_string(from) + " and the " + std::to_string(count) +
                     " from there on are too many; " + std::to_string(mesh.nodes()) + " nodes have the ranks 0 to " +
                     std::to_string(all - 1));
  RankCounts counts;
  if (count == 0) return counts;
  OneBendPlanner planner(mesh, options);
  std::vector<NodeId> destinations = permutation_of_rank(mesh.nodes(), from);
  std::vector<Packet> packets(destinations.size());
  for (std::size_t p = 0; p < packets.size(); ++p) packets[p].source = static_cast<NodeId>(p);
  for (; counts.planned < count; ++counts.planned) {
    for (std::size_t p = 0; p < packets.size(); ++p) packets[p].destination = destinations[p];
    const OneBendPlan& plan = planner.plan(packets);
    if (plan.length > plan.distance) {
      ++counts.above_distance;
      counts.worst_gap = std::max(counts.worst_gap, plan.length - plan.distance);
      if (above) above(destinations);
    }
    std::next_permutation(destinations.begin(), destinations.end());
  }
  return counts;
}

}  // namespace starloom::links
