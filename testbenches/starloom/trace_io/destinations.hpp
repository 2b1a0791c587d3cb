// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The destinations of packets and messages in CSV files: a node, or several, separated by spaces.
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <starloom/core/multicast.hpp>
#include <starloom/trace_io/csv_reader.hpp>

namespace starloom {

/// The groups that files name, numbered in the order in which they appear first.
class DestinationCells {
 public:
  /// Reads the next cell: a node, the number of a group (`group_destination`), or no_node if it is empty.
  /// \throws InputError
  NodeId read(CsvReader& csv, NodeId source);
  const std::vector<MulticastGroup>& groups() const { return groups_; }

 private:
  std::vector<MulticastGroup> groups_;
  std::vector<std::int64_t> cell_;                                         ///< the last one
  std::map<std::pair<NodeId, std::vector<NodeId>>, std::size_t> numbers_;  ///< [source, destinations]
};

/// The cell of a destination. \param groups by their numbers.
std::string destination_text(NodeId destination, const std::vector<MulticastGroup>& groups);

}  // namespace starloom
