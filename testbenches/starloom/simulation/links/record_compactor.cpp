// SPDX-License-Identifier: Apache-2.0
#include <starloom/simulation/links/record_compactor.hpp>

#include <algorithm>

namespace starloom::links {

void RecordCompactor::between_steps(Engine& engine) {
  const RunRecord& record = engine.record();
  if (record.delivered.size() < look_at_) return;
  const auto first_left = std::find(record.delivered.begin(), record.delivered.end(), no_step);
  const auto arrived = static_cast<std::size_t>(first_left - record.delivered.begin());
  const PacketId first = record.first + static_cast<PacketId>(arrived);
  watchdog_.before_removal(first, record);
  engine.report_step();
  if (referee_ != nullptr) referee_->remove_before(first, record.delivered);
  add_packets(sums_, record, graph_, declaration_, arrived);
  engine.remove_before(first);
  // The remaining packets are moved: at most half of the next list.
  look_at_ = std::max<std::size_t>(4096, 2 * record.packets.size());
}

}  // namespace starloom::links
