// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The numbers of nodes and ports in the rows of a run with subnets (docs/subnets.md).
#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include <starloom/core/links/trace.hpp>
#include <starloom/topology/network_graph.hpp>
#include <starloom/trace_io/csv_reader.hpp>

namespace starloom::links {

/// In a program, rows have the numbers of NetworkGraph, in files those of `NetworkGraph::in_files`. A row without a
/// port is in the subnet of its packet.
class SubnetRows {
 public:
  /// One subnet: both are the same.
  SubnetRows() = default;
  explicit SubnetRows(const NetworkGraph& graph) {
    if (graph.subnets() > 1) graph_ = graph;
  }

  bool several() const { return graph_.has_value(); }

  /// The rows of a step, which are sorted, as the file has them.
  template <class Row>
  std::vector<Row> to_file(std::vector<Row> rows) const {
    for (Row& row : rows) {
      const LinkEnd end = graph_->in_files({row.node, row.port});
      row.node = end.node;
      row.port = end.port;
      if constexpr (std::is_same_v<Row, TraceRow>)
        if (row.to != no_node) row.to = graph_->home(row.to);
    }
    std::sort(rows.begin(), rows.end());
    return rows;
  }
  /// Checks a row of a file before its numbers change, and with them its order. \param before the row before it.
  /// \throws InputError at the cell read last
  template <class Row>
  void check(const CsvReader& csv, const Row& before, const Row& row) const {
    const NodeId nodes = graph_->nodes_of_subnet();
    bool known = row.node < nodes;
    if constexpr (std::is_same_v<Row, TraceRow>) known = known && row.to < nodes;
    if (!known) csv.fail("the nodes of this run are 0 to " + std::to_string(nodes - 1));
    if (!(before < row)) csv.fail("the row is out of order");
  }
  /// A row of a file that `check` accepts.
  TraceRow from_file(TraceRow row, const std::vector<Packet>& packets) const {
    const bool known = row.packet >= 0 && static_cast<std::size_t>(row.packet) < packets.size();
    const int of_packet = known ? packets[static_cast<std::size_t>(row.packet)].subnet : 0;
    const LinkEnd end = graph_->from_files({row.node, row.port}, std::max(of_packet, 0));
    if (row.to != no_node) row.to += end.node - row.node;
    row.node = end.node;
    row.port = end.port;
    return row;
  }
  CreditRow from_file(CreditRow row) const {
    const LinkEnd end = graph_->from_files({row.node, row.port});
    return {row.step, end.node, end.port, row.channel};
  }

 private:
  std::optional<NetworkGraph> graph_{};  ///< none: one subnet
};

}  // namespace starloom::links
