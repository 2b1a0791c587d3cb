// SPDX-License-Identifier: Apache-2.0
#include <starloom/simulation/links/starvation.hpp>

#include <algorithm>

namespace starloom::links {

std::optional<Starvation::Found> Starvation::look(Step done, const RunRecord& record) {
  for (std::size_t number = 0; number < classes_.size(); ++number) {
    OfClass& own = classes_[number];
    const std::int64_t delivered = record.class_flits_delivered[number];
    if (delivered != own.delivered) {
      own = {delivered, done};
      continue;
    }
    if (done - own.since < quiet_) continue;
    // Packets are looked at only now. If none was in the network all the time, the count of steps begins anew.
    const Step oldest = oldest_in_network(record, number);
    own.since = oldest == no_step ? done : std::max(own.since, oldest);
    if (done - own.since >= quiet_) return Found{number, own.since};
  }
  return std::nullopt;
}

/// The step in which it was injected, or `no_step`.
Step Starvation::oldest_in_network(const RunRecord& record, std::size_t number) {
  Step oldest = no_step;
  for (std::size_t i = 0; i < record.injected.size(); ++i) {
    const Step injected = record.injected[i];
    const bool there = injected != no_step && record.delivered[i] == no_step;
    if (there && record.packets[i].traffic_class == number && (oldest == no_step || injected < oldest))
      oldest = injected;
  }
  return oldest;
}

}  // namespace starloom::links
