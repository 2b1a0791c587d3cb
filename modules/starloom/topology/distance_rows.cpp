// SPDX-License-Identifier: Apache-2.0
#include <starloom/topology/distance_rows.hpp>

#include <algorithm>

#include <starloom/topology/network_tables.hpp>

namespace starloom {
namespace {

std::vector<std::int32_t> searched(const NetworkTables& tables, std::vector<NodeId> reached,
                                   const std::vector<LinkEnd>& ends, const std::vector<PortMask>& ports) {
  std::vector<std::int32_t> distance(static_cast<std::size_t>(tables.nodes), -1);
  for (const NodeId start : reached) distance[static_cast<std::size_t>(start)] = 0;
  for (std::size_t next = 0; next < reached.size(); ++next) {
    const NodeId node = reached[next];
    const std::int32_t beyond = distance[static_cast<std::size_t>(node)] + 1;
    if (beyond > 1 && tables.is_host(node)) continue;
    for (const Port port : tables.ports_in(ports, node)) {
      const NodeId neighbour = ends[tables.index(node, port)].node;
      std::int32_t& found = distance[static_cast<std::size_t>(neighbour)];
      if (found >= 0) continue;
      found = beyond;
      reached.push_back(neighbour);
    }
  }
  return distance;
}

}  // namespace

std::vector<std::int32_t> searched_distances_from(const NetworkTables& tables, const std::vector<NodeId>& nodes) {
  return searched(tables, nodes, tables.out, tables.out_ports);
}

std::vector<std::int32_t> searched_distances_to(const NetworkTables& tables, const std::vector<NodeId>& nodes) {
  return searched(tables, nodes, tables.in, tables.in_ports);
}

std::int32_t DistanceRows::distance(NodeId from, NodeId to) {
  const std::lock_guard<std::mutex> lock(mutex_);
  return row_from(from)[static_cast<std::size_t>(to)];
}

std::int32_t DistanceRows::diameter() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (diameter_ >= 0) return diameter_;
  std::int32_t greatest = 0;
  for (NodeId from = 0; from < tables_.processors; ++from) {
    const std::vector<std::int32_t> row = searched_distances_from(tables_, {tables_.processor_at(from)});
    for (NodeId to = 0; to < tables_.processors; ++to)
      greatest = std::max(greatest, row[static_cast<std::size_t>(tables_.processor_at(to))]);
  }
  return diameter_ = greatest;
}

const std::vector<std::int32_t>& DistanceRows::row_from(NodeId node) {
  if (row_.empty()) row_.assign(static_cast<std::size_t>(tables_.nodes), -1);
  std::int32_t& row = row_[static_cast<std::size_t>(node)];
  if (row >= 0) return rows_[static_cast<std::size_t>(row)];

  const std::size_t most_rows = std::max<std::size_t>(1, most_bytes / (sizeof(std::int32_t) * row_.size()));
  std::size_t slot = rows_.size();
  if (slot < most_rows) {
    rows_.emplace_back();
    owner_.push_back(node);
  } else {
    slot = oldest_;
    oldest_ = (oldest_ + 1) % most_rows;
    row_[static_cast<std::size_t>(owner_[slot])] = -1;
    owner_[slot] = node;
  }
  rows_[slot] = searched_distances_from(tables_, {node});
  row = static_cast<std::int32_t>(slot);
  return rows_[slot];
}

}  // namespace starloom
