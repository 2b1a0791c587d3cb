// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The references of the offline planners: the same rules in the plainest form, and a checker of finished
/// plans. They share only the description of the options with the planners.
#include <string>
#include <utility>
#include <vector>

#include <starloom/control/links/plan.hpp>
#include <starloom/planning/links/multistage/one_bend_planner.hpp>

namespace starloom::links {

/// Walks every candidate path link by link over a table of (link, stage).
class PlainPlanner {
 public:
  PlainPlanner(Grid mesh, const OneBendOptions& options) : mesh_(std::move(mesh)), options_(options) {}

  OneBendPlan plan(const std::vector<Packet>& packets) { return select_paths(packets, order(packets)); }
  std::vector<PacketId> order(const std::vector<Packet>& packets) const;
  OneBendPlan select_paths(const std::vector<Packet>& packets, const std::vector<PacketId>& order);
  /// How often it has looked whether a link is free in a stage.
  std::int64_t looks() const { return looks_; }

 private:
  /// The links of the path in the order in which they are crossed.
  std::vector<LinkId> path(const Packet& packet, bool horizontal_first) const;
  bool free(const std::vector<LinkId>& path, std::int32_t start);
  void take(const std::vector<LinkId>& path, std::int32_t start);

  Grid mesh_;
  OneBendOptions options_;
  std::size_t stages_ = 0;
  std::int64_t looks_ = 0;
  std::vector<char> taken_;           ///< by link, stage
  std::vector<std::size_t> touched_;  ///< entries of `taken_` that are set
};

/// The error in a plan, empty if there is none: a walk that leaves the grid or ends in another node, a start below 0,
/// a link with two flits in one stage, or more than `residents` packets that stay in a node other than their source.
std::string plan_error(const Grid& grid, const std::vector<Packet>& packets, const Plan& plan,
                       const std::vector<std::int64_t>& residents = {0});

}  // namespace starloom::links
