#include <starloom/simulation/links/measurement.hpp>

#include <algorithm>

namespace starloom::links {

void Measurement::look(Step next, const RunRecord& record) {
  const auto passed = [next](Step step) { return next == no_step || next >= step; };
  if (!before_ && passed(from_)) before_ = record.flits_delivered;
  if (!until_ && passed(to_)) until_ = record.flits_delivered;
}

Measured Measurement::finish(Step end, const RunRecord& record) const {
  Measured measured;
  const Step to = std::clamp(end, from_, to_);
  measured.steps = to - from_;
  if (measured.steps == 0) return measured;
  for (const Packet& packet : record.packets)
    if (packet.created >= from_ && packet.created < to) measured.offered += packet.flits;
  measured.accepted = until_.value_or(record.flits_delivered) - before_.value_or(record.flits_delivered);
  return measured;
}

}  // namespace starloom::links
