// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Distances in a network by breadth-first search.
#include <cstdint>
#include <mutex>
#include <vector>

#include <starloom/core/ids.hpp>

namespace starloom {

struct NetworkTables;

/// Links of a shortest way from a node to every node; -1 where no way leads.
std::vector<std::int32_t> searched_distances_from(const NetworkTables& tables, NodeId node);
/// Links of a shortest way from every node to a node; -1 where no way leads.
std::vector<std::int32_t> searched_distances_to(const NetworkTables& tables, NodeId node);

/// Remembers rows of distances up to a bound of memory, the oldest row going first. Several threads may ask at once.
class DistanceRows {
 public:
  static constexpr std::size_t most_bytes = std::size_t{64} << 20;

  explicit DistanceRows(const NetworkTables& tables) : tables_(tables) {}

  std::int32_t distance(NodeId from, NodeId to);
  /// The greatest distance from one processor to another: a search from every processor, once.
  std::int32_t diameter();

 private:
  const std::vector<std::int32_t>& row_from(NodeId node);

  const NetworkTables& tables_;
  std::mutex mutex_;
  std::vector<std::vector<std::int32_t>> rows_;
  std::vector<NodeId> owner_;      ///< [row]: the node that it starts from
  std::vector<std::int32_t> row_;  ///< [node]: its row, or -1
  std::size_t oldest_ = 0;         ///< the row to go next, once all have an owner
  std::int32_t diameter_ = -1;
};

}  // namespace starloom
