// SPDX-License-Identifier: Apache-2.0
#include <starloom/planning/links/plan.hpp>

#include <algorithm>
#include <string>

#include <starloom/support/error.hpp>

namespace starloom::links {

Step Plan::length() const {
  Step last = 0;
  for (const Journey& journey : journeys) last = std::max(last, journey.arrival(flits));
  return last;
}

std::int32_t greatest_distance(const Grid& grid, const std::vector<Packet>& packets) {
  std::int32_t greatest = 0;
  for (const Packet& packet : packets) greatest = std::max(greatest, grid.distance(packet.source, packet.destination));
  return greatest;
}

void check_packets(const Grid& grid, const std::vector<Packet>& packets) {
  const auto check = [&grid](std::size_t packet, const char* what, NodeId node) {
    if (node >= 0 && node < grid.nodes()) return;
    throw InputError("packet " + std::to_string(packet) + ": " + what + " " + std::to_string(node) +
                     " is not a node; the nodes are 0 to " + std::to_string(grid.nodes() - 1));
  };
  for (std::size_t p = 0; p < packets.size(); ++p) {
    check(p, "source", packets[p].source);
    check(p, "destination", packets[p].destination);
  }
}

}  // namespace starloom::links
