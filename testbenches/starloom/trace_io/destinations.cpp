// SPDX-License-Identifier: Apache-2.0
#include <starloom/trace_io/destinations.hpp>

#include <algorithm>
#include <functional>
#include <limits>

namespace starloom {

NodeId DestinationCells::read(CsvReader& csv, NodeId source) {
  csv.numbers(std::numeric_limits<NodeId>::max(), cell_);
  if (cell_.size() <= 1) return cell_.empty() ? no_node : static_cast<NodeId>(cell_.front());
  std::vector<NodeId> destinations(cell_.begin(), cell_.end());
  if (std::adjacent_find(destinations.begin(), destinations.end(), std::greater_equal<>()) != destinations.end())
    csv.fail("several destinations are in ascending order");
  if (std::binary_search(destinations.begin(), destinations.end(), source))
    csv.fail("the source is not one of several destinations");
  const auto [at, is_new] = numbers_.try_emplace({source, destinations}, groups_.size());
  if (is_new) groups_.push_back({source, std::move(destinations)});
  return group_destination(at->second);
}

std::string destination_text(NodeId destination, const std::vector<MulticastGroup>& groups) {
  if (destination == no_node) return "";
  if (!is_group(destination)) return std::to_string(destination);
  std::string text;
  for (const NodeId node : groups[group_index(destination)].destinations)
    text += (text.empty() ? "" : " ") + std::to_string(node);
  return text;
}

}  // namespace starloom
