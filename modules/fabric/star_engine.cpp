#include "fabric/star_engine.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "fabric/permuted_order.hpp"

namespace starloom {

StarEngine::StarEngine(StarEngineSetup setup)
    : pops_(*setup.pops),
      program_(setup.program),
      order_(setup.shuffle == 0 ? std::vector<NodeId>()
                                : permuted_order(setup.wiring.nodes(), setup.shuffle, evaluation_order)),
      processors_(setup.controllers.size()),
      half_size_(setup.wiring.couplers() + 1),
      places_(2 * half_size_),
      sampled_(std::move(setup.wiring.sampled)),
      dark_(std::move(setup.wiring.dark)),
      first_wins_(std::move(setup.wiring.first_wins)),
      load_(half_size_, 0),
      destination_(std::move(setup.destination)) {
  if (setup.controllers.size() != static_cast<std::size_t>(pops_.nodes()) || setup.wiring.nodes() != pops_.nodes())
    throw std::invalid_argument("a network of " + std::to_string(pops_.nodes()) + " processors got " +
                                std::to_string(setup.controllers.size()) + " controllers");
  const auto nobody_drives = static_cast<std::int32_t>(half_size_ - 1);
  for (std::int32_t& coupler : sampled_)
    if (dark_[static_cast<std::size_t>(coupler)]) coupler = nobody_drives;
  for (std::size_t node = 0; node < processors_.size(); ++node)
    processors_[node] = {setup.controllers[node], setup.wiring.row_of[node] * setup.wiring.groups,
                         setup.wiring.column_of[node] * setup.wiring.groups, nobody_drives, no_group};
  if (std::find(first_wins_.begin(), first_wins_.end(), true) == first_wins_.end()) first_wins_.clear();
  met_.resize(first_wins_.size(), no_step);
  for (const NodeId to : destination_) missing_.push_back(to == no_node ? pops_.nodes() : 1);
  record_.delivered.assign(destination_.size(), -1);
  frame_.pops = &pops_;
  frame_.seed = setup.seed;
  frame_.driven.reserve(static_cast<std::size_t>(pops_.groups()));
}

bool StarEngine::program_over(Step slot) {
  if (program_.slots != no_step) {
    record_.finished = slot >= program_.slots;
    return record_.finished;
  }
  if (cycle_begins(slot)) {
    // One processor that is not ready is enough, and it will most likely be the one of last time.
    for (std::size_t looked = 0; !processors_[witness_].controller->unfinished(); ++looked) {
      if (looked == processors_.size()) {
        frame_.drain_from = slot;
        record_.units = slot / program_.cycle_slots;
        break;
      }
      witness_ = witness_ + 1 == processors_.size() ? 0 : witness_ + 1;
    }
  }
  record_.finished = frame_.drain_from != no_step && slot >= frame_.drain_from + program_.drain_slots;
  return record_.finished;
}

/// A second driver arrives.
void StarEngine::meet(std::size_t coupler, Place& place, SlotCounts& counts) {
  if (first_wins_.empty() || !first_wins_[coupler]) {
    ++place.word;
    ++counts.collisions;
  } else if (met_[coupler] != slot_) {
    met_[coupler] = slot_;
    ++counts.collisions;
  }
}

inline void StarEngine::drive(Processor& processor, Place* places, SlotCounts& counts) {
  const Step word = 2 * slot_;
  const bool data = frame_.sent.kind == StarKind::data;
  for (const std::int32_t group : frame_.driven) {
    const auto coupler = static_cast<std::size_t>(processor.row) + static_cast<std::size_t>(group);
    Place& place = places[coupler];
    if (place.word < word) {
      place.message = frame_.sent;
      place.word = word;
    } else if (place.word == word) {
      meet(coupler, place, counts);
    }
    load_[coupler] += data ? 1 : 0;
  }
  const auto drives = static_cast<std::int64_t>(frame_.driven.size());
  counts.drives += drives;
  (data ? record_.data_drives : record_.ack_drives) += drives;
}

void StarEngine::deliver(Step slot) {
  for (const PacketId packet : frame_.delivered) {
    if (packet < 0 || packet >= static_cast<PacketId>(missing_.size())) {
      stop(slot, frame_.node, "delivered packet " + std::to_string(packet) + ", which does not exist");
      continue;
    }
    last_delivery_ = slot;
    if (--missing_[static_cast<std::size_t>(packet)] > 0) continue;
    record_.delivered[static_cast<std::size_t>(packet)] = static_cast<std::int32_t>(slot);
    ++delivered_count_;
  }
}

template <bool look_only, bool tracing>
void StarEngine::run(Step slot) {
  slot_ = slot;
  auto* const places = const_cast<Place*>(half(slot));
  const Place* const before = half(slot + 1);
  const Step heard = 2 * (slot - 1);
  SlotCounts counts;
  std::int64_t heard_before = 0;
  frame_.slot = slot;
  SlotView view(frame_);
  for (std::size_t turn = 0; turn < processors_.size(); ++turn) {
    const std::size_t node = order_.empty() ? turn : static_cast<std::size_t>(order_[turn]);
    Processor& processor = processors_[node];
    frame_.node = static_cast<NodeId>(node);
    const Place& sampled = before[processor.sampled];
    const bool carried = sampled.word == heard;
    frame_.heard = carried ? &sampled.message : nullptr;
    heard_before += carried ? 1 : 0;
    frame_.clear_decisions();
    processor.controller->slot(view);
    if (!frame_.delivered.empty()) deliver(slot);
    if (frame_.breach != nullptr) stop(slot, frame_.node, std::exchange(frame_.breach, nullptr));
    if (look_only) continue;
    if (tracing) note_rows(slot, processor);
    if (!frame_.driven.empty()) drive(processor, places, counts);
    processor.listens = frame_.sampled;
    if (frame_.sampled == no_group) {
      processor.sampled = static_cast<std::int32_t>(half_size_ - 1);
    } else {
      processor.sampled =
          sampled_[static_cast<std::size_t>(processor.column) + static_cast<std::size_t>(frame_.sampled)];
      ++counts.listeners;
    }
  }
  if (slot > 0) record_.slots.back().delivered = heard_before;
  if (look_only || stopped()) return;
  record_.slots.push_back(counts);
  if (tracing) give_rows(slot);
}

void StarEngine::run_slot(Step slot) {
  if (sinks_.empty()) run<false, false>(slot);
  else run<false, true>(slot);
}

void StarEngine::run_last_look(Step slot) { run<true, false>(slot); }

void StarEngine::note_rows(Step slot, const Processor& processor) {
  const NodeId node = frame_.node;
  for (const std::int32_t to : frame_.driven)
    rows_.push_back({slot, StarEvent::drive, frame_.sent.kind, node, pops_.group_of(node), to, frame_.sent.packet});
  if (frame_.sampled == no_group) return;
  // The packet, once all have driven; until then the coupler.
  rows_.push_back({slot, StarEvent::listen, StarKind::data, node, frame_.sampled, pops_.group_of(node),
                   sampled_[static_cast<std::size_t>(processor.column) + static_cast<std::size_t>(frame_.sampled)]});
}

void StarEngine::give_rows(Step slot) {
  for (StarRow& row : rows_) {
    if (row.event != StarEvent::listen) continue;
    const Place& place = half(slot)[row.packet];
    const bool carried = place.word == 2 * slot;
    row.kind = carried ? place.message.kind : StarKind::data;
    row.packet = carried ? place.message.packet : no_packet;
  }
  std::sort(rows_.begin(), rows_.end());
  if (!rows_.empty())
    for (StarTraceSink* sink : sinks_) sink->rows(rows_);
  rows_.clear();
}

bool StarEngine::heard_by_destination() const {
  if (slot_ == no_step) return false;
  for (std::size_t node = 0; node < processors_.size(); ++node) {
    const Place& sampled = half(slot_)[processors_[node].sampled];
    if (sampled.word == 2 * slot_ && sampled.message.kind == StarKind::data &&
        sampled.message.destination == static_cast<NodeId>(node))
      return true;
  }
  return false;
}

void StarEngine::finish() {
  record_.max_load = *std::max_element(load_.begin(), load_.end());
  record_.undelivered = static_cast<std::int64_t>(destination_.size()) - delivered_count_;
  if (program_.slots != no_step) record_.units = static_cast<std::int64_t>(record_.slots.size());
}

void StarEngine::stop(Step slot, NodeId node, std::string text) {
  if (stopped() && (violation_.step != slot || violation_.node <= node)) return;
  violation_ = {slot, node, std::move(text)};
}

CouplerState StarEngine::state(std::size_t coupler) const {
  if (slot_ == no_step || dark_[coupler]) return CouplerState::idle;
  const Step word = now(coupler).word;
  if (word < 2 * slot_) return CouplerState::idle;
  return word == 2 * slot_ ? CouplerState::carrying : CouplerState::collision;
}

}  // namespace starloom
