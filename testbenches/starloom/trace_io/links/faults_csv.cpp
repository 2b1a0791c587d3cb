// SPDX-License-Identifier: Apache-2.0
#include <starloom/trace_io/links/faults_csv.hpp>

#include <algorithm>
#include <iterator>
#include <limits>
#include <string>
#include <string_view>
#include <tuple>

#include <starloom/core/most_steps.hpp>
#include <starloom/support/text_writer.hpp>
#include <starloom/trace_io/csv_reader.hpp>

namespace starloom::links {
namespace {

constexpr std::string_view faults_header = "step,event,node,port,to";
constexpr std::string_view event_names[] = {"repaired", "dead", "stopped", "changed"};

}  // namespace

std::vector<FaultRow> fault_rows(const Faults& start, const std::vector<FaultEvent>& events,
                                 const std::vector<Step>& drains, const std::vector<Step>& reroutes, Step last) {
  using Event = FaultRow::Event;
  const NetworkGraph& graph = start.graph();
  std::vector<FaultRow> rows;
  for (NodeId node = 0; node < graph.nodes(); ++node) {
    if (start.router_is_dead(node)) rows.push_back({0, Event::dead, node});
    for (const Port port : graph.out_ports(node))
      if (start.link_is_dead(node, port)) rows.push_back({0, Event::dead, node, port, graph.far_end(node, port).node});
    if (start.processor_is_dead(node)) rows.push_back({0, Event::dead, node, graph.ports()});
  }
  for (const FaultEvent& event : events) {
    const bool is_link = event.port != no_port && event.port < graph.ports();
    rows.push_back({event.step, event.dies ? Event::dead : Event::repaired, event.node, event.port,
                    is_link ? graph.far_end(event.node, event.port).node : no_node});
  }
  for (const Step step : drains) rows.push_back({step, Event::stopped});
  for (const Step step : reroutes) rows.push_back({step, Event::changed});
  rows.erase(std::remove_if(rows.begin(), rows.end(), [last](const FaultRow& row) { return row.step > last; }),
             rows.end());
  std::stable_sort(rows.begin(), rows.end(), [](const FaultRow& a, const FaultRow& b) {
    return std::tie(a.step, a.event) < std::tie(b.step, b.event);
  });
  return rows;
}

void make_known(FaultTimeline& timeline, const std::vector<FaultRow>& rows) {
  if (rows.empty()) return;
  for (std::size_t event = 0; event <= rows.size() && timeline.find(event, rows.back().step) != nullptr; ++event)
    continue;
}

void write_faults(const std::filesystem::path& file, const std::vector<FaultRow>& rows) {
  TextWriter out(file);
  out << faults_header << '\n';
  for (const FaultRow& row : rows) {
    out << row.step << ',' << event_names[static_cast<std::size_t>(row.event)] << ',';
    if (row.node != no_node) out << row.node;
    out << ',';
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
    const auto name = std::find(std::begin(event_names), std::end(event_names), csv.cell());
    if (name == std::end(event_names)) csv.fail("the event is repaired, dead, stopped or changed");
    row.event = static_cast<FaultRow::Event>(name - std::begin(event_names));
    row.node = static_cast<NodeId>(csv.number_or_empty(most));
    row.port = static_cast<Port>(csv.number_or_empty(most));
    row.to = static_cast<NodeId>(csv.number_or_empty(most));
    rows.push_back(row);
  }
  return rows;
}

}  // namespace starloom::links
