// SPDX-License-Identifier: Apache-2.0
#include <starloom/planning/links/schedules.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include <starloom/planning/links/multistage/earliest_arrival.hpp>
#include <starloom/support/error.hpp>

namespace starloom::links {

bool ScheduleSpace::has_places() const {
  return std::any_of(places.begin(), places.end(), [](std::int64_t most) { return most > 0; });
}

bool ScheduleSpace::contains(const Grid& grid, const std::vector<Packet>& packets, const Plan& plan) const {
  if (plan.flits != flits) return false;
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
      } else if (++staying[{node, journey.start + static_cast<Step>(i)}] > places_of(node)) {
        return false;
      }
    }
    const auto takes = [&](FirstLeg first) {
      return moves == one_bend_moves(grid, packets[p].source, packets[p].destination, first);
    };
    if (!scheme) continue;
    if (!(*scheme != PathScheme::vertical_first && takes(FirstLeg::horizontal)) &&
        !(*scheme != PathScheme::horizontal_first && takes(FirstLeg::vertical)))
      return false;
  }
  return true;
}

void check_space(const Grid& grid, const ScheduleSpace& space) {
  if (space.scheme && !has_rows_and_columns(grid))
    throw InputError("one-bend paths need a two-dimensional mesh; scheme any works on every grid");
  check_places(grid, space.places);
  if (space.flits > 1 && space.has_places())
    throw InputError("only packets of one flit may wait in nodes on their path");
}

Deadline::Deadline(std::optional<double> seconds) {
  using Clock = std::chrono::steady_clock;
  // Beyond what a clock can count, a limit is none.
  constexpr double longest = 1e9;
  if (seconds && *seconds < longest)
    end_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(*seconds));
}

double Deadline::seconds_left() const {
  if (!end_) return std::numeric_limits<double>::infinity();
  return std::chrono::duration<double>(*end_ - std::chrono::steady_clock::now()).count();
}

}  // namespace starloom::links
