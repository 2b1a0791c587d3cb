// SPDX-License-Identifier: Apache-2.0
#include <starloom/planning/links/schedules.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>

#include <starloom/planning/links/multistage/earliest_arrival.hpp>
#include <starloom/planning/links/multistage/one_bend_planner.hpp>
#include <starloom/support/error.hpp>

namespace starloom::links {

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

bool belongs_to(const ScheduleSpace& space, const Grid& grid, const std::vector<Packet>& packets, const Plan& plan) {
  if (plan.flits != space.flits) return false;
  std::map<std::pair<NodeId, Step>, std::int64_t> staying;
  std::set<std::pair<NodeId, Step>> leaving;
  for (std::size_t p = 0; p < packets.size(); ++p) {
    const Journey& journey = plan.journeys[p];
    if (!journey.planned()) return false;
    if (!journey.moves.empty() && !leaving.insert({packets[p].source, journey.start}).second) return false;
    std::vector<Port> moves;
    NodeId node = packets[p].source;
    for (std::size_t i = 0; i < journey.moves.size(); ++i) {
      const Port port = journey.moves[i];
      if (port != no_port) {
        moves.push_back(port);
        node = grid.neighbour(node, port);
      } else if (++staying[{node, journey.start + static_cast<Step>(i)}] > space.residents_of(node)) {
        return false;
      }
    }
    const auto takes = [&](FirstSegment first) {
      return moves == one_bend_moves(grid, packets[p].source, packets[p].destination, first);
    };
    if (!space.scheme) continue;
    if (!(*space.scheme != PathScheme::vertical_first && takes(FirstSegment::horizontal)) &&
        !(*space.scheme != PathScheme::horizontal_first && takes(FirstSegment::vertical)))
      return false;
  }
  return true;
}

void check_space(const Grid& grid, const ScheduleSpace& space) {
  if (space.scheme && !grid.has_rows_and_columns())
    throw InputError("one-bend paths need a two-dimensional mesh; scheme any works on every grid");
  check_residents(grid, space.residents);
  if (space.flits > 1 && space.has_residents())
    throw InputError("only packets of one flit may wait in nodes on their path");
}

Deadline::Deadline(std::optional<double> seconds) {
  using Clock = std::chrono::steady_clock;
  // A limit beyond the range of the clock has no effect.
  constexpr double longest = 1e9;
  if (seconds && *seconds < longest)
    end_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(*seconds));
}

double Deadline::seconds_left() const {
  if (!end_) return std::numeric_limits<double>::infinity();
  return std::chrono::duration<double>(*end_ - std::chrono::steady_clock::now()).count();
}

}  // namespace starloom::links
