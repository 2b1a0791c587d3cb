// SPDX-License-Identifier: Apache-2.0
#include <starloom/trace_io/pops/trace_writer.hpp>

namespace starloom::pops {

TraceWriter::TraceWriter(const std::filesystem::path& file, TraceWindow window) : out_(file), window_(window) {
  out_ << trace_header << '\n';
}

void TraceWriter::rows(const std::vector<TraceRow>& of_one_slot) {
  const Step slot = of_one_slot.front().slot;
  if (slot < window_.from || (window_.to != no_step && slot >= window_.to)) return;
  for (const TraceRow& row : of_one_slot) {
    out_ << row.slot << ',' << trace_event_names[static_cast<std::size_t>(row.event)] << ',' << row.processor << ','
         << row.source_group << ',' << row.destination_group << ',';
    if (!row.silent()) out_ << message_kind_names[static_cast<std::size_t>(row.kind)] << ',' << row.packet;
    else out_ << ',';
    out_ << '\n';
  }
}

}  // namespace starloom::pops
