// SPDX-License-Identifier: Apache-2.0
#include <starloom/simulation/links/measurement.hpp>

#include <algorithm>

namespace starloom::links {

void Measurement::look(Step next, const RunRecord& record) {
  const auto passed = [next](Step step) { return next == no_step || next >= step; };
  if (!before_ && passed(from_)) before_ = record.flits_delivered;
  if (!until_ && passed(to_)) until_ = record.flits_delivered;
}

Measured Measurement::finish(Step end, const RunRecord& record, std::int64_t created) const {
  Measured measured;
  measured.steps = std::clamp(end, from_, to_) - from_;
  if (measured.steps == 0) return measured;
  measured.offered = created;
  measured.accepted = until_.value_or(record.flits_delivered) - before_.value_or(record.flits_delivered);
  return measured;
}

}  // namespace starloom::links
