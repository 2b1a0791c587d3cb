// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The general multistage offline method (Symvonis and Tidswell, TR 477, section 3): any grid, any traffic, any
/// number of residents of a node. Packets are served one after the other; each takes a path of earliest arrival
/// through the remaining time-expanded graph, straight or not.
#include <cstdint>
#include <vector>

#include <starloom/control/links/plan.hpp>
#include <starloom/core/packet.hpp>
#include <starloom/planning/links/multistage/packet_order.hpp>
#include <starloom/topology/grid/grid.hpp>

namespace starloom::links {

struct EarliestArrivalOptions {
  Ordering ordering{};
  /// The number of packets that may stay in a node in one stage: one number for all nodes, or one per node. A packet
  /// that has not left its source does not count.
  std::vector<std::int64_t> residents{0};
};

/// \throws InputError if `residents` is neither one number nor one per node, or has a negative one.
void check_residents(const Grid& grid, const std::vector<std::int64_t>& residents);

/// Scheme `any`. Among paths of earliest arrival it takes one of fewest links. Ties are broken backwards from the
/// destination, at every stage by the first possible of: staying, the link into in-port 0, in-port 1, and so on.
/// Every packet arrives, because links are free in the end.
///
/// \throws InputError as PacketSorter, `check_packets` and `check_residents` do.
Plan plan_earliest_arrival(const Grid& grid, const std::vector<Packet>& packets, const EarliestArrivalOptions& options);

}  // namespace starloom::links
