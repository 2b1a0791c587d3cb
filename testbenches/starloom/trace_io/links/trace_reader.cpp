// SPDX-License-Identifier: Apache-2.0
#include <starloom/trace_io/links/trace_reader.hpp>

#include <algorithm>
#include <limits>

#include <starloom/core/most_steps.hpp>
#include <starloom/trace_io/links/trace_writer.hpp>
#include <starloom/trace_io/rows_together.hpp>

namespace starloom::links {
namespace {

constexpr std::int64_t max_id = std::numeric_limits<std::int32_t>::max();

TraceEvent read_event(CsvReader& csv) {
  const std::string_view name = csv.cell();
  for (std::size_t event = 0; event < std::size(trace_event_names); ++event)
    if (trace_event_names[event] == name) return static_cast<TraceEvent>(event);
  csv.fail("'" + std::string(name.substr(0, 40)) + "' is not an event (inject, hop, eject, store, key, token, drop)");
}

std::int32_t read_id(CsvReader& csv) { return static_cast<std::int32_t>(csv.number_or_empty(max_id)); }

}  // namespace

TraceReader::TraceReader(const std::filesystem::path& file, const SubnetRows& subnets,
                         const std::vector<Packet>* packets)
    : csv_(file, {trace_header, channel_trace_header}),
      subnets_(subnets),
      packets_(packets),
      has_channels_(csv_.header() == 1),
      has_ahead_(read_row()) {}

bool TraceReader::read_row() {
  if (!csv_.next_line()) return false;
  ahead_.step = csv_.number(most_steps);
  ahead_.event = read_event(csv_);
  ahead_.packet = read_id(csv_);
  ahead_.flit = read_id(csv_);
  ahead_.node = read_id(csv_);
  ahead_.port = read_id(csv_);
  ahead_.to = read_id(csv_);
  if (has_channels_) ahead_.channel = read_id(csv_);
  if (!subnets_.several()) return true;
  subnets_.check(csv_, in_file_, ahead_);
  in_file_ = ahead_;
  ahead_ = subnets_.from_file(ahead_, *packets_);
  return true;
}

void TraceReader::skip_to(Step step) {
  if (!csv_.skip_below(step)) return;
  in_file_ = {no_step};
  has_ahead_ = read_row();
}

bool TraceReader::next(std::vector<TraceRow>& rows) {
  const bool any = rows_together(rows, ahead_, has_ahead_, &TraceRow::step, [this] { return read_row(); });
  if (subnets_.several()) std::sort(rows.begin(), rows.end());
  return any;
}

}  // namespace starloom::links
