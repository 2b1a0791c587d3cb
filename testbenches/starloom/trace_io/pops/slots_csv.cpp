// SPDX-License-Identifier: Apache-2.0
#include <starloom/trace_io/pops/slots_csv.hpp>

#include <limits>
#include <string_view>

#include <starloom/support/text_writer.hpp>
#include <starloom/trace_io/csv_reader.hpp>

namespace starloom::pops {
namespace {

constexpr std::string_view header = "slot,drives,delivered,collisions,listeners";

}  // namespace

void write_slots(const std::filesystem::path& file, const std::vector<SlotCounts>& slots) {
  TextWriter out(file);
  out << header << '\n';
  for (std::size_t slot = 0; slot < slots.size(); ++slot) {
    const SlotCounts& row = slots[slot];
    out << static_cast<std::int64_t>(slot) << ',' << row.drives << ',' << row.delivered << ',' << row.collisions << ','
        << row.listeners << '\n';
  }
  out.close();
}

std::vector<SlotCounts> read_slots(const std::filesystem::path& file) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  CsvReader csv(file, header);
  std::vector<SlotCounts> slots;
  while (csv.next_line()) {
    if (csv.number(most) != static_cast<std::int64_t>(slots.size()))
      csv.fail("slot " + std::to_string(slots.size()) + " is expected here");
    SlotCounts& row = slots.emplace_back();
    for (std::int64_t* const count : {&row.drives, &row.delivered, &row.collisions, &row.listeners})
      *count = csv.number(most);
  }
  return slots;
}

}  // namespace starloom::pops
