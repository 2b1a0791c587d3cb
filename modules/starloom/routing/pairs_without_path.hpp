// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The pairs of processors between which a routing function has no path.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <starloom/topology/faults.hpp>
#include <starloom/topology/network_graph.hpp>

namespace starloom::routing {

/// Sources and destinations, which are nodes of processors. Only a dead processor has no path to itself.
class PairsWithoutPath {
 public:
  /// \param remedy for pairs that have a path in the network, which the function does not take: `give ..., or ...`.
  /// \param faults pairs of a dead processor and another are contained from the beginning; null: all are alive.
  PairsWithoutPath(NetworkGraph graph, std::string remedy, const Faults* faults = nullptr);

  void add(NodeId source, NodeId destination) {
    if (contained_.empty()) contained_.resize(processors() * processors(), false);
    if (contained_[index(source, destination)]) return;
    contained_[index(source, destination)] = true;
    if (source != destination) ++count_;
  }
  bool contains(NodeId source, NodeId destination) const {
    return !contained_.empty() && contained_[index(source, destination)];
  }
  /// Those of two processors.
  std::int64_t count() const { return count_; }
  /// Itself, or null if there is none.
  const PairsWithoutPath* if_any() const { return contained_.empty() ? nullptr : this; }
  /// The changes after which a pair has a path.
  std::string remedy(NodeId source, NodeId destination) const;

 private:
  std::size_t processors() const { return static_cast<std::size_t>(graph_.processors()); }
  std::size_t index(NodeId source, NodeId destination) const {
    return static_cast<std::size_t>(graph_.processor_of(source)) * processors() +
           static_cast<std::size_t>(graph_.processor_of(destination));
  }

  const NetworkGraph graph_;
  const std::string remedy_;
  std::vector<bool> contained_;  ///< [source, destination], numbers of processors; empty: none
  std::int64_t count_ = 0;
};

}  // namespace starloom::routing
