// SPDX-License-Identifier: Apache-2.0
#include <starloom/simulation/links/record_compactor.hpp>

#include <algorithm>

namespace starloom::links {

void RecordCompactor::between_steps(Engine& engine) {
  const RunRecord& record = engine.record();
  if (record.delivered.size() < look_at_) return;
  std::size_t arrived = 0;
  while (arrived < record.delivered.size() && !record.is_left(arrived)) ++arrived;
  const PacketId first = record.first + static_cast<PacketId>(arrived);
  watchdog_.before_removal(first, record);
  engine.report_step();
  if (referee_ != nullptr) referee_->remove_before(first, record.delivered, record.lost);
  add_packets(sums_, record, graph_, declaration_, arrived);
  engine.remove_before(first);
  // The remaining packets are moved: at most half of the next list.
  look_at_ = std::max<std::size_t>(4096, 2 * record.packets.size());
}

}  // namespace starloom::links
