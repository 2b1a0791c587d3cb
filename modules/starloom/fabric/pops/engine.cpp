// SPDX-License-Identifier: Apache-2.0
#include <starloom/fabric/pops/engine.hpp>

#include <algorithm>
#include <stdexcept>
#include <string>

#include <starloom/engines/permuted_order.hpp>

namespace starloom::pops {
namespace {

/// Processors that a thread processes together: enough for a loop, few enough for the first-level cache.
constexpr std::size_t turns_at_once = 64;

}  // namespace

Engine::Engine(EngineSetup setup)
    : pops_(*setup.pops),
      controllers_(*setup.controllers),
      program_(setup.program),
      processors_(static_cast<std::size_t>(setup.controllers->size())),
      half_size_(setup.wiring.couplers() + 1),
      entries_(2 * half_size_),
      dark_(std::move(setup.wiring.dark)),
      first_wins_(std::move(setup.wiring.first_wins)),
      destination_(std::move(setup.destination)),
      checker_(setup.checker) {
  if (controllers_.size() != pops_.nodes() || setup.wiring.nodes() != pops_.nodes())
    throw std::invalid_argument("a network of " + std::to_string(pops_.nodes()) + " processors got " +
                                std::to_string(setup.controllers->size()) + " controllers");
  const auto groups = static_cast<std::size_t>(setup.wiring.groups);
  for (std::size_t entry = 0; entry < setup.wiring.sampled.size(); ++entry) {
    const auto is_undriven = static_cast<std::int32_t>(half_size_ - 1), coupler = setup.wiring.sampled[entry];
    if (entry % groups == 0) sampled_.push_back(is_undriven);
    sampled_.push_back(dark_[static_cast<std::size_t>(coupler)] ? is_undriven : coupler);
  }
  for (std::size_t node = 0; node < processors_.size(); ++node)
    processors_[node] = {setup.wiring.row_of[node] * setup.wiring.groups,
                         setup.wiring.column_of[node] * (setup.wiring.groups + 1) + 1, no_group};
  if (std::find(first_wins_.begin(), first_wins_.end(), true) == first_wins_.end()) first_wins_.clear();
  met_.resize(first_wins_.size(), no_step);
  for (const NodeId to : destination_) missing_.push_back(to == no_node ? pops_.nodes() : 1);
  record_.delivered.assign(destination_.size(), -1);
  make_parts(setup.wiring, setup);
  if (parts_.size() > 1) pool_ = std::make_unique<ThreadPool>(static_cast<int>(parts_.size()));
}

/// The processors of a row stay together. A checker takes longer than they do, so the last of several threads, which
/// serves it, has no processors.
void Engine::make_parts(const Wiring& wiring, const EngineSetup& setup) {
  const std::size_t nodes = processors_.size();
  std::vector<std::size_t> last_of(static_cast<std::size_t>(wiring.groups), 0);  // [row]
  for (std::size_t node = 0; node < nodes; ++node) last_of[static_cast<std::size_t>(wiring.row_of[node])] = node;
  std::vector<std::size_t> cuts{0};  // if no row has processors on both sides
  std::size_t open_until = 0;
  for (std::size_t node = 0; node < nodes; ++node) {
    if (node > open_until) cuts.push_back(node);
    open_until = std::max(open_until, last_of[static_cast<std::size_t>(wiring.row_of[node])]);
  }
  const std::size_t count =
      std::clamp<std::size_t>(static_cast<std::size_t>(std::max(setup.threads, 1)), 1, cuts.size());
  const std::size_t sharing = count > 1 && setup.checker != nullptr ? count - 1 : count;
  const auto cut = [&](std::size_t i) { return i < sharing ? cuts[i * cuts.size() / sharing] : nodes; };
  for (std::size_t i = 0; i < count; ++i) {
    Part& part = parts_.emplace_back();
    part.first = cut(i);
    part.last = cut(i + 1);
    part.context.pops = &pops_;
    part.context.seed = setup.seed;
    if (setup.shuffle != 0)
      for (const NodeId node : permuted_order(wiring.nodes(), setup.shuffle, evaluation_order))
        if (static_cast<std::size_t>(node) >= part.first && static_cast<std::size_t>(node) < part.last)
          part.order.push_back(node);
    part.frames.resize(part.order.empty() ? turns_at_once : 1);
    part.drivers.resize(part.frames.size());
  }
}

bool Engine::program_over(Step slot) {
  if (program_.slots != no_step) {
    record_.finished = slot >= program_.slots;
    return record_.finished;
  }
  if (cycle_begins(slot)) {
    // One processor that is not ready is enough, and it is probably the one found last time.
    for (std::size_t looked = 0; !controllers_.at(static_cast<NodeId>(unfinished_)).unfinished(); ++looked) {
      if (looked + 1 == processors_.size()) {
        drain_from_ = record_.drain_from = slot;
        record_.units = slot / program_.cycle_slots;
        break;
      }
      unfinished_ = unfinished_ + 1 == processors_.size() ? 0 : unfinished_ + 1;
    }
  }
  record_.finished = draining() && slot >= drain_from_ + program_.drain_slots;
  return record_.finished;
}

/// Passes on what the processors from `first` on heard in the slot before; returns the number of those that heard a
/// message.
std::int64_t Engine::hear(Part& part, std::size_t first, std::size_t count) {
  const auto heard = static_cast<std::int32_t>(2 * (slot_ - 1));
  const CouplerEntry* const before = half(slot_ - 1);
  const std::int32_t* const couplers = sampled_.data();
  const Processor* const processors = processors_.data() + first;
  SlotFrame* const frames = part.frames.data();
  std::int64_t hearing = 0;
  for (std::size_t at = 0; at < count; ++at) {
    const CouplerEntry& entry = before[couplers[processors[at].column + processors[at].listens]];
    SlotFrame& frame = frames[at];
    frame.node = static_cast<NodeId>(first + at);
    const bool hears = entry.word == heard;
    frame.heard = hears ? &entry.message : nullptr;
    frame.driven = frame.sampled = no_group;
    hearing += hears ? 1 : 0;
  }
  return hearing;
}

/// Records what the processors from `first` on sample, and lists those that drive; returns their number.
std::size_t Engine::note_decisions(Part& part, std::size_t first, std::size_t count) {
  const SlotFrame* const frames = part.frames.data();
  Processor* const processors = processors_.data() + first;
  const SlotFrame** const drivers = part.drivers.data();
  std::size_t driving = 0;
  std::int64_t listeners = 0;
  for (std::size_t at = 0; at < count; ++at) {
    drivers[driving] = &frames[at];
    driving += frames[at].driven != no_group ? 1 : 0;
    processors[at].listens = frames[at].sampled;
    listeners += frames[at].sampled != no_group ? 1 : 0;
  }
  part.counts.listeners += listeners;
  return driving;
}

void Engine::drive(Part& part, std::size_t drivers) {
  const auto word = static_cast<std::int32_t>(2 * slot_);
  const SlotFrame* const* const driving = part.drivers.data();
  const Processor* const processors = processors_.data();
  CouplerEntry* const entries = half(slot_);
  const bool plain = first_wins_.empty();
  std::int64_t drives = 0, data_drives = 0, collisions = 0;
  const auto put = [&](const SlotFrame& frame, std::int32_t group) {
    const auto coupler = static_cast<std::size_t>(processors[frame.node].row + group);
    CouplerEntry& entry = entries[coupler];
    if (entry.word < word) {
      entry.message = frame.sent;
      entry.word = word;
    } else if (plain || !first_of_several(coupler, part.counts)) {
      collisions += entry.word == word ? 1 : 0;
      entry.word = word + 1;
    }
    const std::uint32_t data = frame.sent.kind == MessageKind::data ? 1 : 0;
    entry.load += data;
    data_drives += data;
    ++drives;
  };
  const SlotContext::Drive* further = part.context.further.data();
  const SlotContext::Drive* const end = further + part.context.further.size();
  for (std::size_t at = 0; at < drivers; ++at) {
    const SlotFrame& frame = *driving[at];
    put(frame, frame.driven);
    for (; further != end && further->node == frame.node; ++further) put(frame, further->group);
  }
  part.counts.drives += drives;
  part.counts.collisions += collisions;
  part.data_drives += data_drives;
}

/// Called for a second driver: true if the coupler still carries the message of the first one.
bool Engine::first_of_several(std::size_t coupler, SlotCounts& counts) {
  if (!first_wins_[coupler]) return false;
  counts.collisions += met_[coupler] != slot_ ? 1 : 0;
  met_[coupler] = slot_;
  return true;
}

void Engine::deliver(const Part& part) {
  for (const auto& [node, packet] : part.context.delivered) {
    if (packet < 0 || packet >= static_cast<PacketId>(missing_.size())) {
      stop(slot_, node, "delivered packet " + std::to_string(packet) + ", which does not exist");
      continue;
    }
    last_delivery_ = slot_;
    if (--missing_[static_cast<std::size_t>(packet)] > 0) continue;
    record_.delivered[static_cast<std::size_t>(packet)] = static_cast<std::int32_t>(slot_);
    ++delivered_count_;
  }
}

void Engine::run(Step slot, bool look_only) {
  slot_ = slot;
  if (pool_ == nullptr) run_part(parts_[0], look_only);
  else
    pool_->run([&](int i) {
      run_part(parts_[static_cast<std::size_t>(i)], look_only);
      if (static_cast<std::size_t>(i) + 1 == parts_.size()) report_step();
    });
  if (checker_ != nullptr && !checker_->violation().text.empty()) {
    stop(checker_->violation());
    take_back();
  }
  SlotCounts counts;
  std::int64_t heard_before = 0;
  for (Part& part : parts_) {
    deliver(part);
    for (const auto& [node, rule] : part.context.breaches) stop(slot, node, rule);
    counts.drives += part.counts.drives;
    counts.collisions += part.counts.collisions;
    counts.listeners += part.counts.listeners;
    heard_before += part.heard;
    record_.data_drives += part.data_drives;
    record_.ack_drives += part.counts.drives - part.data_drives;
    rows_.insert(rows_.end(), part.rows.begin(), part.rows.end());
  }
  if (slot > 0) record_.slots.back().delivered = heard_before;
  if (look_only || stopped()) return;
  record_.slots.push_back(counts);
  give_rows();
}

void Engine::run_part(Part& part, bool look_only) {
  SlotContext& context = part.context;
  context.slot = slot_;
  context.drain_from = drain_from_;
  context.delivered.clear();
  context.breaches.clear();
  part.counts = {};
  part.heard = part.data_drives = 0;
  part.rows.clear();
  for (std::size_t turn = part.first; turn < part.last; turn += part.frames.size()) {
    const std::size_t first = part.order.empty() ? turn : static_cast<std::size_t>(part.order[turn - part.first]);
    const std::size_t count = std::min(part.frames.size(), part.last - turn);
    part.heard += hear(part, first, count);
    context.further.clear();
    controllers_.slots(context, part.frames.data(), part.frames.data() + count);
    if (look_only) continue;
    drive(part, note_decisions(part, first, count));
    if (tracing())
      for (std::size_t at = 0; at < count; ++at) note_rows(part, part.frames[at]);
  }
}

void Engine::run_slot(Step slot) { run(slot, false); }

void Engine::run_last_look(Step slot) { run(slot, true); }

void Engine::note_rows(Part& part, const SlotFrame& frame) const {
  const NodeId node = frame.node;
  const std::int32_t group = pops_.group_of(node);
  const auto drove = [&](std::int32_t to) {
    part.rows.push_back({slot_, TraceEvent::drive, frame.sent.kind, node, group, to, frame.sent.packet});
  };
  if (frame.driven != no_group) drove(frame.driven);
  for (const auto& [driver, to] : part.context.further)
    if (driver == node) drove(to);
  // The message is known once all have driven.
  if (frame.sampled != no_group)
    part.rows.push_back({slot_, TraceEvent::listen, MessageKind::data, node, frame.sampled, group, no_packet});
}

void Engine::give_rows() {
  for (TraceRow& row : rows_) {
    if (row.event != TraceEvent::listen) continue;
    const CouplerEntry& entry = sampled(processors_[static_cast<std::size_t>(row.processor)], slot_);
    if (entry.word != 2 * slot_) continue;
    row.kind = entry.message.kind;
    row.packet = entry.message.packet;
  }
  std::sort(rows_.begin(), rows_.end());
  if (!rows_.empty())
    for (TraceSink* sink : sinks_) sink->rows(rows_);
  if (checker_ != nullptr) unreported_.swap(rows_);
  rows_.clear();
  if (pool_ == nullptr) report_step();
}

void Engine::report_step() {
  if (unreported_.empty()) return;
  checker_->rows(unreported_);
  unreported_.clear();
}

/// Undoes the drives and samples of this slot, which are known from its rows.
void Engine::take_back() {
  for (Part& part : parts_) {
    for (const TraceRow& row : part.rows) {
      if (row.event != TraceEvent::drive) continue;
      const Processor& driver = processors_[static_cast<std::size_t>(row.processor)];
      CouplerEntry& entry = half(slot_)[driver.row + row.destination_group];
      entry.word = -1;
      entry.load -= row.kind == MessageKind::data ? 1 : 0;
    }
    part.rows.clear();
    part.counts = {};
    part.data_drives = 0;
  }
}

bool Engine::heard_by_destination() const {
  if (slot_ == no_step) return false;
  for (std::size_t node = 0; node < processors_.size(); ++node) {
    const CouplerEntry& entry = sampled(processors_[node], slot_);
    if (entry.word == 2 * slot_ && entry.message.kind == MessageKind::data &&
        entry.message.destination == static_cast<NodeId>(node))
      return true;
  }
  return false;
}

void Engine::finish() {
  for (std::size_t coupler = 0; coupler < half_size_; ++coupler)
    record_.max_load = std::max(record_.max_load, load(coupler));
  record_.undelivered = static_cast<std::int64_t>(destination_.size()) - delivered_count_;
  if (program_.slots != no_step) record_.units = static_cast<std::int64_t>(record_.slots.size());
}

void Engine::stop(const Violation& violation) { keep_first(violation_, violation); }

CouplerState Engine::state(std::size_t coupler) const {
  if (slot_ == no_step || dark_[coupler]) return CouplerState::idle;
  const Step word = now(coupler).word;
  if (word < 2 * slot_) return CouplerState::idle;
  return word == 2 * slot_ ? CouplerState::carrying : CouplerState::collision;
}

}  // namespace starloom::pops
