#include "message/requirements.hpp"

#include <string>

#include "core/error.hpp"

namespace starloom {

void require_permutation(const Pops& pops, const std::vector<NodeId>& destination) {
  const auto nodes = static_cast<std::size_t>(pops.nodes());
  if (destination.size() != nodes)
    throw InputError("the permutation has " + std::to_string(destination.size()) + " entries, but the network " +
                     std::to_string(nodes) + " processors");
  std::vector<bool> taken(nodes, false);
  for (std::size_t node = 0; node < nodes; ++node) {
    const NodeId to = destination[node];
    if (to == no_node) continue;
    if (to < 0 || to >= pops.nodes())
      throw InputError("the packet of processor " + std::to_string(node) + " goes to " + std::to_string(to) +
                       ", but processors end at " + std::to_string(nodes - 1));
    if (taken[static_cast<std::size_t>(to)])
      throw InputError("two packets go to processor " + std::to_string(to) + ", the second from " +
                       std::to_string(node) + "; POPS algorithms route permutations");
    taken[static_cast<std::size_t>(to)] = true;
  }
}

void require_full_permutation(const Pops& pops, const std::vector<NodeId>& destination) {
  require_permutation(pops, destination);
  for (std::size_t node = 0; node < destination.size(); ++node)
    if (destination[node] == no_node)
      throw InputError("comparator-sort needs a packet in every processor, but " +
                       pops.node_name(static_cast<NodeId>(node)) + " has none; randomized and offline do not");
}

void require_couplers(const Pops& pops) {
  if (pops.couplers() > std::int64_t{1} << 29)
    throw InputError("a model of " + std::to_string(pops.couplers()) + " couplers needs " +
                     std::to_string(pops.couplers() >> 28) + " GiB; it takes up to 2^29 couplers");
}

}  // namespace starloom
