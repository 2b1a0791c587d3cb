// SPDX-License-Identifier: Apache-2.0
#include <starloom/run/pops/row_text.hpp>

#include <fmt/format.h>

namespace starloom::pops {

std::string describe(const TraceRow& row, const Pops& pops) {
  const std::string coupler = pops.coupler_name(row.destination_group, row.source_group);
  const std::string node = pops.node_name(row.processor);
  const std::string message =
      fmt::format("{}packet {}", row.kind == MessageKind::ack ? "the acknowledgement of " : "", row.packet);
  if (row.event == TraceEvent::drive)
    return fmt::format("slot {}: {} drives {} with {}", row.slot, node, coupler, message);
  return fmt::format("slot {}: {} hears {} from {}", row.slot, node, message, coupler);
}

}  // namespace starloom::pops
