// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Distances in a network by breadth-first search.
#include <cstdint>
#include <mutex>
#include <vector>

#include <starloom/core/ids.hpp>

namespace starloom {

struct NetworkTables;

/// [node] Links of the shortest path from the nearest of `nodes` on which no host forwards; -1 if there is none.
std::vector<std::int32_t> searched_distances_from(const NetworkTables& tables, const std::vector<NodeId>& nodes);
/// [node] The same to the nearest of `nodes`.
std::vector<std::int32_t> searched_distances_to(const NetworkTables& tables, const std::vector<NodeId>& nodes);

/// A cache of rows of distances with bounded memory; the oldest row is replaced first. Several threads may use it.
class DistanceRows {
 public:
  static constexpr std::size_t most_bytes = std::size_t{64} << 20;

  explicit DistanceRows(const NetworkTables& tables) : tables_(tables) {}

  std::int32_t distance(NodeId from, NodeId to);
  /// The greatest distance from one processor to another; the first call searches from every processor.
  std::int32_t diameter();

 private:
  const std::vector<std::int32_t>& row_from(NodeId node);

  const NetworkTables& tables_;
  std::mutex mutex_;
  std::vector<std::vector<std::int32_t>> rows_;
  std::vector<NodeId> owner_;      ///< [row]: the node that the row starts from
  std::vector<std::int32_t> row_;  ///< [node]: its row, or -1
  std::size_t oldest_ = 0;         ///< the row to replace next, once all rows are in use
  std::int32_t diameter_ = -1;
};

}  // namespace starloom
