// SPDX-License-Identifier: Apache-2.0
#include <starloom/trace_io/links/faults_csv.hpp>

#include <limits>
#include <string_view>

#include <starloom/core/most_steps.hpp>
#include <starloom/support/text_writer.hpp>
#include <starloom/trace_io/csv_reader.hpp>

namespace starloom::links {
namespace {

constexpr std::string_view faults_header = "step,event,node,port,to";
constexpr std::string_view dead = "dead";

}  // namespace

std::vector<FaultRow> fault_rows(const Faults& faults) {
  const NetworkGraph& graph = faults.graph();
  std::vector<FaultRow> rows;
  for (NodeId node = 0; node < graph.nodes(); ++node) {
    if (faults.router_is_dead(node)) rows.push_back({0, node});
    for (const Port port : graph.out_ports(node))
      if (faults.link_is_dead(node, port)) rows.push_back({0, node, port, graph.far_end(node, port).node});
    if (faults.processor_is_dead(node)) rows.push_back({0, node, graph.ports()});
  }
  return rows;
}

void write_faults(const std::filesystem::path& file, const std::vector<FaultRow>& rows) {
  TextWriter out(file);
  out << faults_header << '\n';
  for (const FaultRow& row : rows) {
    out << row.step << ',' << dead << ',' << row.node << ',';
    if (row.port != no_port) out << row.port;
    out << ',';
    if (row.to != no_node) out << row.to;
    out << '\n';
  }
  out.close();
}

std::vector<FaultRow> read_faults(const std::filesystem::path& file) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  CsvReader csv(file, faults_header);
  std::vector<FaultRow> rows;
  while (csv.next_line()) {
    FaultRow row;
    row.step = csv.number(most_steps);
    if (csv.cell() != dead) csv.fail("the event is dead");
    row.node = static_cast<NodeId>(csv.number(most));
    row.port = static_cast<Port>(csv.number_or_empty(most));
    row.to = static_cast<NodeId>(csv.number_or_empty(most));
    rows.push_back(row);
  }
  return rows;
}

}  // namespace starloom::links
