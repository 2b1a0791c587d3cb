// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The fractional multicommodity-flow bound (Symvonis and Tidswell, TR 477, section 3.2): packets that can be
/// split flow through the time-expanded graph. If not even these arrive within L stages, every schedule has length L
/// + 1 or more.
///
/// CLP solves the linear program in floating point. Only the prices of links and residents are taken from its
/// solution: as integers they prove, by an exact computation of cheapest paths, that there is no such flow. The bound
/// is therefore exact.
#include <cstdint>
#include <optional>
#include <vector>

#include <starloom/control/links/plan.hpp>
#include <starloom/core/packet.hpp>
#include <starloom/planning/links/schedules.hpp>
#include <starloom/topology/grid/grid.hpp>

namespace starloom::links {

/// Larger linear programs are not attempted: they would take hours.
inline constexpr std::int64_t most_flow_variables = 2'000'000;

/// Whether a flow brings all packets to their destinations within this number of stages. The scheme of the space does
/// not count: a flow takes any path. A packet of several flits holds a link for as many stages, and its last flit
/// counts. `no` is proved; `unknown` if the deadline has passed or the program would have too many variables.
/// \throws InputError as `check_space` and `check_packets` do.
Answer flow_exists(const Grid& grid, const std::vector<Packet>& packets, const ScheduleSpace& space, Step length,
                   const Deadline& deadline = Deadline());

/// The least length that has a flow. Climbs from `least`, by doubling steps and then by halves.
/// \param least  a known bound; at least that of the distances
/// \param known  the length of a known schedule, if there is one, because a schedule is a flow
/// \return empty if one of the answers on the way is `unknown`
std::optional<Step> flow_bound(const Grid& grid, const std::vector<Packet>& packets, const ScheduleSpace& space,
                               Step least, std::optional<Step> known = std::nullopt,
                               const Deadline& deadline = Deadline());

}  // namespace starloom::links
