// SPDX-License-Identifier: Apache-2.0
#include <starloom/planning/links/multistage/one_bend_planner.hpp>

#include <algorithm>
#include <cstdlib>
#include <limits>

#include <starloom/support/error.hpp>
#include <starloom/support/escape.hpp>
#include <starloom/support/nearest.hpp>

namespace starloom::links {
namespace {

/// Throws unless the occupancy of this number of stages fits into memory.
void check_size(std::int64_t rows, std::int64_t columns, std::int64_t stages) {
  const std::int64_t words =
      (columns + 62) / 64 * 2 * rows * (stages + columns) + (rows + 62) / 64 * 2 * columns * (stages + rows);
  if (words <= static_cast<std::int64_t>(OneBendPlanner::max_bytes / sizeof(std::uint64_t))) return;
  throw InputError("a plan of " + std::to_string(stages) + " stages on a mesh of " + std::to_string(rows) + " x " +
                   std::to_string(columns) + " nodes needs more than " +
                   std::to_string(OneBendPlanner::max_bytes >> 30) +
                   " GiB; use a smaller mesh, fewer packets for one node or shorter worms");
}

const Grid& checked(const Grid& mesh) {
  if (!mesh.has_rows_and_columns())
    throw InputError("paths with one bend need a two-dimensional mesh; scheme any plans for every grid");
  check_size(mesh.side(0), mesh.side(1), std::int64_t{mesh.side(0)} + mesh.side(1));
  return mesh;
}

}  // namespace

const std::vector<std::string>& path_scheme_names() {
  static const std::vector<std::string> names = {"PS", "HF", "VF"};
  return names;
}

PathScheme path_scheme_named(const std::string& name) {
  const auto& names = path_scheme_names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    throw InputError("'" + escape(name) + "' is not a path scheme" + did_you_mean(name, names) + "; known: PS, HF, VF");
  return static_cast<PathScheme>(found - names.begin());
}

OneBendPlanner::OneBendPlanner(const Grid& mesh, const OneBendOptions& options)
    : mesh_(checked(mesh)),
      options_(options),
      rows_(mesh.side(0)),
      columns_(mesh.side(1)),
      sorter_(mesh, options.ordering),
      horizontal_(rows_, columns_, rows_ + columns_),
      vertical_(columns_, rows_, rows_ + columns_) {
  if (options.flits < 1) throw InputError("a worm has at least 1 flit, not " + std::to_string(options.flits));
  for (NodeId node = 0; node < mesh.nodes(); ++node)
    positions_.push_back({mesh.coordinate(node, 0), mesh.coordinate(node, 1)});
}

const OneBendPlan& OneBendPlanner::select_paths(const std::vector<Packet>& packets,
                                                const std::vector<PacketId>& order) {
  plan_.starts.assign(packets.size(), -1);
  plan_.first.assign(packets.size(), FirstSegment::horizontal);
  plan_.length = 0;
  plan_.distance = 0;
  plan_.failed = no_packet;
  if (options_.one_start_per_stage) started_.assign(positions_.size(), {});
  const std::int32_t paper_stages = columns_ + 2 * rows_;
  for (const PacketId id : order) {
    const auto p = static_cast<std::size_t>(id);
    const Position from = positions_[static_cast<std::size_t>(packets[p].source)];
    const Position to = positions_[static_cast<std::size_t>(packets[p].destination)];
    const std::int32_t distance = std::abs(to.row - from.row) + std::abs(to.column - from.column);
    plan_.distance = std::max(plan_.distance, distance);
    if (distance == 0) {
      plan_.starts[p] = 0;
      continue;
    }
    const std::int32_t limit =
        options_.stage_limit ? paper_stages - distance : std::numeric_limits<std::int32_t>::max();
    if (!place(from, to, distance, limit, id)) {
      plan_.failed = id;
      break;
    }
    plan_.length = std::max(plan_.length, plan_.starts[p] + distance + options_.flits - 1);
  }
  horizontal_.clear();
  vertical_.clear();
  return plan_;
}

OneBendPlanner::Path OneBendPlanner::path(Position from, Position to, FirstSegment first) const {
  if (first == FirstSegment::horizontal)
    return {horizontal_.segment(from.row, from.column, to.column, 0),
            vertical_.segment(to.column, from.row, to.row, std::abs(to.column - from.column))};
  return {horizontal_.segment(to.row, from.column, to.column, std::abs(to.row - from.row)),
          vertical_.segment(from.column, from.row, to.row, 0)};
}

bool OneBendPlanner::may_start(Position from, std::int32_t stage) const {
  if (!options_.one_start_per_stage) return true;
  const auto& stages = started_[static_cast<std::size_t>(from.row * columns_ + from.column)];
  return std::find(stages.begin(), stages.end(), stage) == stages.end();
}

bool OneBendPlanner::place(Position from, Position to, std::int32_t distance, std::int32_t limit, PacketId packet) {
  const bool straight = from.row == to.row || from.column == to.column;
  const bool try_horizontal = straight || options_.scheme != PathScheme::vertical_first;
  const bool try_vertical = !straight && options_.scheme != PathScheme::horizontal_first;
  const auto settle = [&](const Path& path, std::int32_t start, FirstSegment first) {
    for (std::int32_t flit = 0; flit < options_.flits; ++flit) take(path, start + flit);
    plan_.starts[static_cast<std::size_t>(packet)] = start;
    plan_.first[static_cast<std::size_t>(packet)] = first;
    if (options_.one_start_per_stage)
      started_[static_cast<std::size_t>(from.row * columns_ + from.column)].push_back(start);
  };
  // A worm may start at s if a packet may start at s, s+1, .., s+flits-1: count the consecutive free starts.
  std::int32_t horizontal_run = 0;
  std::int32_t vertical_run = 0;
  std::int32_t start = 0;  // of the flit tested
  for (;; extend()) {
    const Path horizontal = try_horizontal ? path(from, to, FirstSegment::horizontal) : Path{};
    const Path vertical = try_vertical ? path(from, to, FirstSegment::vertical) : Path{};
    for (; start + distance <= horizontal_.stages(); ++start) {
      const std::int32_t head = start - options_.flits + 1;
      if (head >= limit) return false;
      if (try_horizontal) {
        horizontal_run = free(horizontal, start) ? horizontal_run + 1 : 0;
        if (horizontal_run >= options_.flits && may_start(from, head)) {
          settle(horizontal, head, FirstSegment::horizontal);
          return true;
        }
      }
      if (try_vertical) {
        vertical_run = free(vertical, start) ? vertical_run + 1 : 0;
        if (vertical_run >= options_.flits && may_start(from, head)) {
          settle(vertical, head, FirstSegment::vertical);
          return true;
        }
      }
    }
  }
}

void OneBendPlanner::take(const Path& path, std::int32_t start) {
  horizontal_.take(path.horizontal, start);
  vertical_.take(path.vertical, start);
}

void OneBendPlanner::extend() {
  const std::int64_t stages = std::int64_t{2} * horizontal_.stages();
  try {
    check_size(rows_, columns_, stages);
  } catch (const InputError&) {
    horizontal_.clear();
    vertical_.clear();
    throw;
  }
  horizontal_.extend(static_cast<std::int32_t>(stages));
  vertical_.extend(static_cast<std::int32_t>(stages));
}

std::vector<Port> one_bend_moves(const Grid& mesh, NodeId from, NodeId to, FirstSegment first) {
  std::vector<Port> moves;
  const int horizontal_axis = 1;
  const int axes[2] = {first == FirstSegment::horizontal ? horizontal_axis : 0,
                       first == FirstSegment::horizontal ? 0 : horizontal_axis};
  for (const int axis : axes) {
    const std::int32_t offset = mesh.offset(from, to, axis);
    moves.insert(moves.end(), static_cast<std::size_t>(std::abs(offset)), mesh.port_along(axis, offset));
  }
  return moves;
}

Plan journeys(const Grid& mesh, const std::vector<Packet>& packets, const OneBendPlan& plan, std::int32_t flits) {
  Plan written;
  written.flits = flits;
  for (std::size_t p = 0; p < packets.size(); ++p) {
    Journey journey{plan.starts[p], {}};
    if (journey.planned())
      journey.moves = one_bend_moves(mesh, packets[p].source, packets[p].destination, plan.first[p]);
    written.journeys.push_back(std::move(journey));
  }
  return written;
}

std::optional<std::vector<FirstSegment>> first_segments(const Grid& grid, const std::vector<Packet>& packets,
                                                        const Plan& plan) {
  if (!grid.has_rows_and_columns()) return std::nullopt;
  std::vector<FirstSegment> segments;
  for (std::size_t p = 0; p < packets.size(); ++p) {
    const Journey& journey = plan.journeys[p];
    segments.push_back(FirstSegment::horizontal);
    if (!journey.planned()) continue;
    const auto is = [&](FirstSegment first) {
      return journey.moves == one_bend_moves(grid, packets[p].source, packets[p].destination, first);
    };
    if (is(FirstSegment::horizontal)) continue;
    if (!is(FirstSegment::vertical)) return std::nullopt;
    segments.back() = FirstSegment::vertical;
  }
  return segments;
}

}  // namespace starloom::links
