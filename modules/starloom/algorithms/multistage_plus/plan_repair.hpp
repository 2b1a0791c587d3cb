// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Shortens a plan of one-bend paths: late packets displace others, which look for new starts and paths, until
/// all packets are placed. Every other packet may be displaced, so the search is complete: if it ends without
/// success, there is no plan.
#include <cstdint>
#include <vector>

#include <starloom/core/packet.hpp>
#include <starloom/planning/links/multistage/one_bend_planner.hpp>
#include <starloom/planning/links/schedules.hpp>
#include <starloom/topology/grid/grid.hpp>

namespace starloom::links {

/// Repairs repeatedly on one mesh; keeps its memory from call to call.
class PlanRepair {
 public:
  explicit PlanRepair(const Grid& mesh) : mesh_(mesh) {}

  /// Searches for a plan of at most `length` stages, starting from the one given, which it then replaces.
  /// \param plan   of packets of one flit, all of them planned
  /// \param steps  packets placed until the search gives up, `unknown`
  Answer shorten(const std::vector<Packet>& packets, OneBendPlan& plan, Step length, std::int64_t steps);

 private:
  /// A start and a path.
  struct Choice {
    std::int32_t start;
    FirstSegment first;
  };
  enum class PacketState : std::uint8_t { movable, fixed };

  /// Calls `visit(user)` for each link of the path in its stage, with a reference to the packet on it, or
  /// `no_packet`. Stops when it returns false, and then returns false.
  template <class Visit>
  bool along(PacketId packet, Choice choice, const Visit& visit);
  std::vector<Choice> choices(PacketId packet) const;
  bool is_open(PacketId packet, Choice choice);
  void set_users(PacketId packet, PacketId user);
  /// Places all waiting packets. False: impossible with the fixed ones, or out of steps.
  bool place_all();
  bool place(PacketId packet, Choice choice);

  Grid mesh_;
  const std::vector<Packet>* packets_ = nullptr;
  std::int32_t length_ = 0;
  std::int64_t steps_left_ = 0;
  std::vector<PacketId> users_;      ///< by stage, node, port
  std::vector<Choice> taken_;        ///< by packet
  std::vector<PacketState> states_;  ///< by packet
  std::vector<PacketId> waiting_;    ///< packets not placed
};

}  // namespace starloom::links
