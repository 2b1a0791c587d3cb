// SPDX-License-Identifier: Apache-2.0
#include <starloom/trace_io/links/flows_csv.hpp>

#include <limits>
#include <string_view>

#include <starloom/core/most_steps.hpp>
#include <starloom/support/text_writer.hpp>
#include <starloom/trace_io/csv_reader.hpp>

namespace starloom::links {
namespace {

constexpr std::string_view flows_header =
    "flow,class,source,destination,messages,flits,delivered,mean,p50,p95,p99,max,deadline,missed";

}  // namespace

void write_flows(const std::filesystem::path& file, const std::vector<FlowRow>& rows) {
  TextWriter out(file);
  out << flows_header << '\n';
  const auto or_empty = [&out](std::int64_t value) {
    if (value >= 0) out << value;
    out << ',';
  };
  for (const FlowRow& row : rows) {
    out << row.flow << ',' << row.traffic_class << ',';
    or_empty(row.source);
    or_empty(row.destination);
    out << row.messages << ',' << row.flits << ',' << row.delivered << ',';
    if (const auto& latency = row.latency)
      out << latency->mean << ',' << latency->p50 << ',' << latency->p95 << ',' << latency->p99 << ',' << latency->max;
    else out << ",,,,";
    out << ',';
    or_empty(row.deadline);
    out << row.missed << '\n';
  }
  out.close();
}

std::vector<FlowRow> read_flows(const std::filesystem::path& file) {
  constexpr std::int64_t max_node = std::numeric_limits<NodeId>::max();
  constexpr std::int64_t max_number = std::numeric_limits<std::int64_t>::max();
  CsvReader csv(file, flows_header);
  std::vector<FlowRow> rows;
  while (csv.next_line()) {
    FlowRow row;
    row.flow = csv.cell();
    if (!rows.empty() && row.flow <= rows.back().flow) csv.fail("flows are in ascending order of their names");
    row.traffic_class = csv.cell();
    row.source = static_cast<NodeId>(csv.number_or_empty(max_node));
    row.destination = static_cast<NodeId>(csv.number_or_empty(max_node));
    row.messages = csv.number(max_number);
    row.flits = csv.number(max_number);
    row.delivered = csv.number(max_number);
    FlowLatency latency;
    latency.mean = csv.fraction_or_empty().value_or(0);
    for (Step* const rank : {&latency.p50, &latency.p95, &latency.p99, &latency.max})
      *rank = csv.number_or_empty(most_steps);
    if (latency.max != no_step) row.latency = latency;
    row.deadline = csv.number_or_empty(most_steps);
    row.missed = csv.number(row.messages);
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace starloom::links
