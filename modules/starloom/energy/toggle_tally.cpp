// SPDX-License-Identifier: Apache-2.0
#include <starloom/energy/toggle_tally.hpp>

namespace starloom::energy {

using links::TraceEvent;

void ToggleTally::rows(const std::vector<links::TraceRow>& of_one_step) {
  for (const links::TraceRow& row : of_one_step)
    if (row.event == TraceEvent::hop || row.event == TraceEvent::resend) cross(row);
    else if (row.event == TraceEvent::eject) contents_.arrived(row.packet, row.flit);
}

void ToggleTally::cross(const links::TraceRow& row) {
  const std::size_t link = graph_.index(row.node, row.port), bytes = contents_.flit_bytes();
  const std::uint8_t* const content = contents_.of(row.packet, row.flit);
  std::uint8_t* const last = last_.data() + link * bytes;
  for (std::size_t i = 0; i < bytes; ++i) {
    toggles_[link] += __builtin_popcount(static_cast<unsigned>(content[i] ^ last[i]));
    last[i] = content[i];
  }
}

}  // namespace starloom::energy
