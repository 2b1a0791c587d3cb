// SPDX-License-Identifier: Apache-2.0
#include <starloom/trace_io/links/trace_writer.hpp>

namespace starloom::links {
namespace {

void write_cell(TextWriter& out, std::int64_t value) {
  out << ',';
  if (value >= 0) out << value;
}

}  // namespace

TraceWriter::TraceWriter(const std::filesystem::path& file, TraceWindow window, bool channels,
                         const SubnetRows& subnets)
    : out_(file), window_(window), channels_(channels), subnets_(subnets) {
  out_ << (channels_ ? channel_trace_header : trace_header) << '\n';
}

void TraceWriter::write(const std::vector<TraceRow>& of_one_step) {
  for (const TraceRow& row : of_one_step) {
    if (row.step < window_.from || (window_.to != no_step && row.step >= window_.to)) continue;
    out_ << row.step << ',' << trace_event_names[static_cast<std::size_t>(row.event)];
    write_cell(out_, row.packet);
    write_cell(out_, row.flit);
    write_cell(out_, row.node);
    write_cell(out_, row.port);
    write_cell(out_, row.to);
    if (channels_) write_cell(out_, row.channel);
    out_ << '\n';
  }
}

}  // namespace starloom::links
