// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The packets that faults make unreachable, so that they are never sent.
#include <optional>
#include <utility>
#include <vector>

#include <starloom/core/links/losses.hpp>
#include <starloom/routing/pairs_without_path.hpp>
#include <starloom/topology/fault_timeline.hpp>

namespace starloom::links {

class Reroutes;

/// The faults of step 0, the network that they leave, and the pairs between which the routing function has no path
/// there. Sources do not know of what dies or is repaired later, unless routing functions learn of it.
class Unreachable {
 public:
  /// \param without_path null: each pair of living processors has one. It outlives this, as the faults do.
  /// \param timeline deaths and repairs after step 0; null: there are none. It outlives this.
  /// \param reroutes null: routing functions never learn of them. They outlive this.
  Unreachable(const Faults& faults, const routing::PairsWithoutPath* without_path,
              const FaultTimeline* timeline = nullptr, const Reroutes* reroutes = nullptr)
      : faults_(faults),
        left_(faults.left()),
        without_path_(without_path),
        timeline_(timeline != nullptr && timeline->changes() ? timeline : nullptr),
        reroutes_(reroutes) {}

  /// Why packets from a processor to another, given by their nodes, are lost; empty if they are sent.
  std::optional<LossCause> cause(NodeId source, NodeId destination) const {
    return cause(source, destination, faults_.processor_is_dead(source));
  }
  /// The same later. A processor knows whether it is dead itself.
  std::optional<LossCause> cause(NodeId source, NodeId destination, bool source_is_dead) const {
    if (source_is_dead) return LossCause::dead_source;
    if (faults_.processor_is_dead(destination)) return LossCause::dead_destination;
    if (without_path_ == nullptr || !without_path_->contains(source, destination)) return std::nullopt;
    return left_.distance(source, destination) < 0 ? LossCause::disconnected : LossCause::no_route;
  }

  const Faults& faults() const { return faults_; }
  const NetworkGraph& left() const { return left_; }
  const routing::PairsWithoutPath* without_path() const { return without_path_; }
  /// Null: no hardware dies or is repaired after step 0.
  const FaultTimeline* timeline() const { return timeline_; }
  const Reroutes* reroutes() const { return reroutes_; }

 private:
  const Faults& faults_;
  const NetworkGraph left_;
  const routing::PairsWithoutPath* const without_path_;
  const FaultTimeline* const timeline_;
  const Reroutes* const reroutes_;
};

}  // namespace starloom::links
