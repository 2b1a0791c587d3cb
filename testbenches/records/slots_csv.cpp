#include "records/slots_csv.hpp"

#include "records/text_writer.hpp"

namespace starloom {

void write_slots(const std::filesystem::path& file, const std::vector<SlotCounts>& slots) {
  TextWriter out(file);
  out << "slot,drives,delivered,collisions,listeners\n";
  for (std::size_t slot = 0; slot < slots.size(); ++slot) {
    const SlotCounts& row = slots[slot];
    out << static_cast<std::int64_t>(slot) << ',' << row.drives << ',' << row.delivered << ',' << row.collisions << ','
        << row.listeners << '\n';
  }
  out.close();
}

}  // namespace starloom
