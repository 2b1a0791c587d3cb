// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The packets that faults make unreachable, so that they are never sent.
#include <optional>
#include <utility>

#include <starloom/core/links/losses.hpp>
#include <starloom/routing/pairs_without_path.hpp>
#include <starloom/topology/faults.hpp>

namespace starloom::links {

/// Faults, the network that they leave, and the pairs between which the routing function has no path there.
class Unreachable {
 public:
  /// \param without_path null: each pair of living processors has one. It outlives this, as the faults do.
  Unreachable(const Faults& faults, const routing::PairsWithoutPath* without_path)
      : faults_(faults), left_(faults.left()), without_path_(without_path) {}

  /// Why packets from a processor to another, given by their nodes, are lost; empty if they are sent.
  std::optional<LossCause> cause(NodeId source, NodeId destination) const {
    if (faults_.processor_is_dead(source)) return LossCause::dead_source;
    if (faults_.processor_is_dead(destination)) return LossCause::dead_destination;
    if (without_path_ == nullptr || !without_path_->contains(source, destination)) return std::nullopt;
    return left_.distance(source, destination) < 0 ? LossCause::disconnected : LossCause::no_route;
  }

  const Faults& faults() const { return faults_; }
  const NetworkGraph& left() const { return left_; }
  const routing::PairsWithoutPath* without_path() const { return without_path_; }

 private:
  const Faults& faults_;
  const NetworkGraph left_;
  const routing::PairsWithoutPath* const without_path_;
};

}  // namespace starloom::links
