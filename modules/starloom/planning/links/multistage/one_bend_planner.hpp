// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The multistage offline method on a mesh of rows and columns (Symvonis and Tidswell, TR 477, section 4):
/// packets are served one after the other, and each takes the first stage from which one of its two minimal paths
/// with one bend is completely free. No packet waits on its path. With worms of k flits it is Off-line_mesh_routing
/// of Roberts and Symvonis, TR 490, section 2.2 (stages counted from 0 here, from 1 there).
///
/// The paper's a x b mesh, a >= b, has a nodes in a row and b in a column: columns = a, rows = b. The method is not
/// symmetric: the 2 x 4 mesh never needs more than the greatest distance, the 4 x 2 mesh does.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <starloom/control/links/plan.hpp>
#include <starloom/core/packet.hpp>
#include <starloom/planning/links/multistage/diagonal_occupancy.hpp>
#include <starloom/planning/links/multistage/packet_order.hpp>
#include <starloom/planning/links/schedules.hpp>
#include <starloom/topology/grid/grid.hpp>

namespace starloom::links {

/// The abbreviations of path schemes, in the order of the enumerators.
const std::vector<std::string>& path_scheme_names();
/// \throws InputError for an unknown name, with the nearest known one.
PathScheme path_scheme_named(const std::string& name);

struct OneBendOptions {
  Ordering ordering{};
  PathScheme scheme = PathScheme::path_selection;
  std::int32_t flits = 1;  ///< of every packet, at least 1
  /// The paper's limit: a packet of distance d starts before stage a + 2b - d, or it has no path.
  bool stage_limit = false;
  /// A source starts one packet per stage, as a processor does in hardware; matters only if a source has several.
  bool one_start_per_stage = false;
};

enum class FirstSegment : std::uint8_t { horizontal, vertical };

/// The paper's O(ab) form of a plan: (start, first direction) per packet.
struct OneBendPlan {
  std::vector<std::int32_t> starts;  ///< by packet; 0 for a packet for its own node, -1 for one without a path
  std::vector<FirstSegment> first;   ///< by packet; horizontal if both paths are the same
  std::int32_t length = 0;           ///< max of start + d + flits - 1 over the packets that move
  std::int32_t distance = 0;         ///< max of d
  PacketId failed = no_packet;       ///< the packet that found no path below the stage limit; the plan then ends at it

  bool complete() const { return failed == no_packet; }
};

/// Plans repeatedly on one mesh; keeps its memory from call to call.
class OneBendPlanner {
 public:
  /// Limit of the memory of the occupancy: enough for permutations of 1024 x 1024 nodes.
  static constexpr std::size_t max_bytes = std::size_t{4} << 30;

  /// \throws InputError if the grid is not a mesh of rows and columns or needs more than `max_bytes`, if flits < 1,
  /// or as PacketSorter does.
  OneBendPlanner(const Grid& mesh, const OneBendOptions& options);

  /// Plans for any list of packets, with several of one source or for one destination. It uses only source and
  /// destination. Valid until the next call.
  /// \throws InputError as `check_packets` does, or if the plan would need more than `max_bytes`.
  const OneBendPlan& plan(const std::vector<Packet>& packets) {
    check_packets(mesh_, packets);
    return select_paths(packets, order(packets));
  }

  /// The two halves of `plan`, for packets with nodes of the mesh.
  const std::vector<PacketId>& order(const std::vector<Packet>& packets) { return sorter_.sorted(packets); }
  const OneBendPlan& select_paths(const std::vector<Packet>& packets, const std::vector<PacketId>& order);

 private:
  struct Position {
    std::int32_t row;
    std::int32_t column;
  };
  /// A minimal path with one bend.
  struct Path {
    DiagonalOccupancy::Segment horizontal;
    DiagonalOccupancy::Segment vertical;
  };
  bool free(const Path& path, std::int32_t start) const {
    return horizontal_.free(path.horizontal, start) && vertical_.free(path.vertical, start);
  }
  void take(const Path& path, std::int32_t start);
  Path path(Position from, Position to, FirstSegment first) const;
  /// True if the source at this position may start a packet in this stage.
  bool may_start(Position from, std::int32_t stage) const;
  /// Finds and takes the first free path; false if none starts before `limit`.
  bool place(Position from, Position to, std::int32_t distance, std::int32_t limit, PacketId packet);
  void extend();

  Grid mesh_;
  OneBendOptions options_;
  std::int32_t rows_;
  std::int32_t columns_;
  PacketSorter sorter_;
  std::vector<Position> positions_;  ///< by node
  DiagonalOccupancy horizontal_;
  DiagonalOccupancy vertical_;
  std::vector<std::vector<std::int32_t>> started_;  ///< [source] stages, with `one_start_per_stage`
  OneBendPlan plan_;
};

/// The plan, move by move.
Plan journeys(const Grid& mesh, const std::vector<Packet>& packets, const OneBendPlan& plan, std::int32_t flits = 1);

/// The path with one bend, move by move.
std::vector<Port> one_bend_moves(const Grid& mesh, NodeId from, NodeId to, FirstSegment first);

/// The first segments of a plan if all its paths have at most one bend, by packet; horizontal if there is no bend.
/// Empty if there are other paths.
std::optional<std::vector<FirstSegment>> first_segments(const Grid& grid, const std::vector<Packet>& packets,
                                                        const Plan& plan);

}  // namespace starloom::links
