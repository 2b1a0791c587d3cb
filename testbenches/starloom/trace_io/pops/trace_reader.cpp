// SPDX-License-Identifier: Apache-2.0
#include <starloom/trace_io/pops/trace_reader.hpp>

#include <limits>

#include <starloom/trace_io/pops/trace_writer.hpp>
#include <starloom/trace_io/rows_together.hpp>

namespace starloom::pops {
namespace {

constexpr std::int64_t max_id = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t max_slot = max_id;  // `delivered` is one more, in 32 bits

/// The index of the next cell in a list of names.
template <std::size_t count>
std::size_t read_name(CsvReader& csv, const std::string_view (&names)[count], const char* what) {
  const std::string_view name = csv.cell();
  for (std::size_t column = 0; column < count; ++column)
    if (names[column] == name) return column;
  csv.fail("'" + std::string(name.substr(0, 40)) + "' is not a valid " + what);
}

}  // namespace

TraceReader::TraceReader(const std::filesystem::path& file) : csv_(file, trace_header), has_ahead_(read_row()) {}

bool TraceReader::read_row() {
  if (!csv_.next_line()) return false;
  ahead_.slot = csv_.number(max_slot);
  ahead_.event = static_cast<TraceEvent>(read_name(csv_, trace_event_names, "event (drive, listen)"));
  ahead_.processor = static_cast<NodeId>(csv_.number(max_id));
  ahead_.source_group = static_cast<std::int32_t>(csv_.number(max_id));
  ahead_.destination_group = static_cast<std::int32_t>(csv_.number(max_id));
  constexpr std::string_view kinds[] = {message_kind_names[0], message_kind_names[1], ""};
  const std::size_t kind = read_name(csv_, kinds, "kind (data, ack, or empty)");
  ahead_.packet = static_cast<PacketId>(csv_.number_or_empty(max_id));
  if ((kind == 2) != ahead_.silent()) csv_.fail("kind and packet must both be present, or both empty");
  ahead_.kind = kind == 1 ? MessageKind::ack : MessageKind::data;
  return true;
}

void TraceReader::skip_to(Step slot) {
  if (csv_.skip_below(slot)) has_ahead_ = read_row();
}

bool TraceReader::next(std::vector<TraceRow>& rows) {
  return rows_together(rows, ahead_, has_ahead_, &TraceRow::slot, [this] { return read_row(); });
}

}  // namespace starloom::pops
