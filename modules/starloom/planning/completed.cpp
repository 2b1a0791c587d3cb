// SPDX-License-Identifier: Apache-2.0
#include <starloom/planning/completed.hpp>

namespace starloom {

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

}  // namespace starloom
