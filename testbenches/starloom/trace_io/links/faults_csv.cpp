// SPDX-License-Identifier: Apache-2.0
#include <starloom/trace_io/links/faults_csv.hpp>

#include <limits>
#include <string>
#include <string_view>

#include <starloom/core/most_steps.hpp>
#include <starloom/support/text_writer.hpp>
#include <starloom/trace_io/csv_reader.hpp>

namespace starloom::links {
namespace {

constexpr std::string_view faults_header = "step,event,node,port,to";
constexpr std::string_view dead = "dead", repaired = "repaired";

}  // namespace

std::vector<FaultRow> fault_rows(const Faults& start, const std::vector<FaultEvent>& events, Step last) {
  const NetworkGraph& graph = start.graph();
  std::vector<FaultRow> rows;
  for (NodeId node = 0; node < graph.nodes(); ++node) {
    if (start.router_is_dead(node)) rows.push_back({0, true, node});
    for (const Port port : graph.out_ports(node))
      if (start.link_is_dead(node, port)) rows.push_back({0, true, node, port, graph.far_end(node, port).node});
    if (start.processor_is_dead(node)) rows.push_back({0, true, node, graph.ports()});
  }
  for (const FaultEvent& event : events) {
    if (event.step > last) break;
    const bool is_link = event.port != no_port && event.port < graph.ports();
    rows.push_back({event.step, event.dies, event.node, event.port,
                    is_link ? graph.far_end(event.node, event.port).node : no_node});
  }
  return rows;
}

void write_faults(const std::filesystem::path& file, const std::vector<FaultRow>& rows) {
  TextWriter out(file);
  out << faults_header << '\n';
  for (const FaultRow& row : rows) {
    out << row.step << ',' << (row.dies ? dead : repaired) << ',' << row.node << ',';
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
    const std::string event(csv.cell());
    if (event != dead && event != repaired) csv.fail("the event is dead or repaired");
    row.dies = event == dead;
    row.node = static_cast<NodeId>(csv.number(most));
    row.port = static_cast<Port>(csv.number_or_empty(most));
    row.to = static_cast<NodeId>(csv.number_or_empty(most));
    rows.push_back(row);
  }
  return rows;
}

}  // namespace starloom::links
