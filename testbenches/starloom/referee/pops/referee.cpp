// SPDX-License-Identifier: Apache-2.0
#include <starloom/referee/pops/referee.hpp>

#include <algorithm>
#include <string>
#include <utility>

#include <starloom/referee/breach.hpp>
#include <starloom/referee/pops/custody.hpp>

namespace starloom::pops {

/// Checks couplers, row by row, and passes valid rows on.
class Referee::Replay {
 public:
  Replay(const Pops& pops, Rules rules, const std::vector<Packet>& packets, const DeadCouplers* dead)
      : pops_(pops),
        may_reach_all_(rules.arrival == Rules::Arrival::everywhere),
        dead_(dead),
        couplers_(static_cast<std::size_t>(pops.couplers())),
        custody_(pops, std::move(rules), packets) {}

  void rows(const std::vector<TraceRow>& batch) {
    const Step slot = batch.front().slot;
    if (slot < 0 || slot <= slot_)
      Custody::reject(slot, no_node, "the network", "has rows after those of slot " + std::to_string(slot_));
    slot_ = slot;
    counts_.push_back({slot, {}});
    custody_.begin_slot(slot);
    const TraceRow* previous = nullptr;
    for (const TraceRow& row : batch) {
      check_form(row);
      if (previous != nullptr && !(*previous < row)) custody_.reject(row, "has a row twice or out of order");
      const bool same = previous != nullptr && previous->event == row.event && previous->processor == row.processor;
      if (row.event == TraceEvent::drive) drive(row, same ? previous : nullptr);
      else listen(row, same);
      previous = &row;
      ++seen_;
    }
  }

  void finish(const std::vector<Step>& delivered, const std::vector<SlotCounts>& slots, bool complete) {
    if (slot_ != no_step && slot_ >= static_cast<Step>(slots.size()))
      reject_end("rows go on to slot " + std::to_string(slot_) + ", but " + std::to_string(slots.size()) +
                 " slots are reported");
    auto counted = counts_.begin();
    for (std::size_t slot = 0; slot < slots.size(); ++slot) {
      const bool rows = counted != counts_.end() && counted->slot == static_cast<Step>(slot);
      const SlotCounts seen = rows ? (counted++)->counts : SlotCounts();
      if (!(slots[slot] == seen))
        Custody::reject(static_cast<Step>(slot), no_node, "the network",
                        "reported: " + text_of(slots[slot]) + ", but by the rows there are " + text_of(seen));
    }
    custody_.finish(static_cast<Step>(slots.size()));
    if (delivered.size() != custody_.delivered().size())
      reject_end(std::to_string(delivered.size()) + " packets are reported, " +
                 std::to_string(custody_.delivered().size()) + " were created");
    for (std::size_t p = 0; p < delivered.size(); ++p) {
      const Step seen = custody_.delivered()[p];
      if (delivered[p] != seen)
        reject_end("packet " + std::to_string(p) + " is reported " + text_of(delivered[p]) +
                   ", but by the rows it is " + text_of(seen));
      if (complete && seen == no_step) reject_end("packet " + std::to_string(p) + " never arrives");
    }
  }

  std::int64_t seen() const { return seen_; }
  MessageKind kind_of(Step slot) const { return custody_.kind_of(slot); }

 private:
  /// In the current slot.
  struct Coupler {
    Step slot = no_step;
    std::int32_t drivers = 0;
    MessageKind kind = MessageKind::data;
    PacketId packet = no_packet;
    NodeId driver = no_node;
  };

  struct SlotWithRows {
    Step slot;
    SlotCounts counts;
  };

  static std::string text_of(const SlotCounts& counts) {
    return std::to_string(counts.drives) + " drives, " + std::to_string(counts.delivered) + " messages heard, " +
           std::to_string(counts.collisions) + " collisions and " + std::to_string(counts.listeners) + " listeners";
  }
  static std::string text_of(Step delivered) {
    return delivered == no_step ? "undelivered" : "delivered at " + std::to_string(delivered);
  }
  [[noreturn]] void reject_end(const std::string& text) const {
    Custody::reject(std::max<Step>(slot_, 0), no_node, "the network", text);
  }

  void check_form(const TraceRow& row) const {
    const auto reject = [&](const std::string& text) { Custody::reject(slot_, no_node, "the network", text); };
    if (row.slot != slot_) reject("a row of slot " + std::to_string(row.slot) + " is among the rows of another slot");
    if (row.processor < 0 || row.processor >= pops_.nodes())
      reject("a row names processor " + std::to_string(row.processor) + ", which does not exist");
    const bool drives = row.event == TraceEvent::drive;
    if (row.packet >= custody_.packets())
      reject("a row names packet " + std::to_string(row.packet) + ", which does not exist");
    if (drives && row.silent()) reject("a row drives a coupler without a message");
    const auto outside = [&](std::int32_t group) { return group < 0 || group >= pops_.groups(); };
    if (outside(row.source_group) || outside(row.destination_group))
      reject("a row of " + pops_.node_name(row.processor) + " names a group that does not exist");
    const std::int32_t own = drives ? row.source_group : row.destination_group;
    if (own != pops_.group_of(row.processor))
      reject(pops_.node_name(row.processor) + (drives ? " drives" : " samples") + " a coupler of group " +
             std::to_string(own) + ", which is not its own");
  }

  Coupler& coupler(const TraceRow& row) {
    Coupler& found = couplers_[static_cast<std::size_t>(pops_.coupler(row.destination_group, row.source_group))];
    if (found.slot != row.slot) found = {row.slot, 0, MessageKind::data, no_packet, no_node};
    return found;
  }
  std::string name(const TraceRow& row) const { return pops_.coupler_name(row.destination_group, row.source_group); }

  /// `other`: the row before, if it is a drive of the same processor.
  void drive(const TraceRow& row, const TraceRow* other) {
    if (other != nullptr && (other->packet != row.packet || other->kind != row.kind))
      custody_.reject(row, "is driven, but the processor drives another message in this slot");
    if (other != nullptr && !may_reach_all_) custody_.reject(row, "is driven over a second coupler");
    if (other == nullptr || may_reach_all_) custody_.drive(row);
    SlotCounts& counts = counts_.back().counts;
    ++counts.drives;
    Coupler& driven = coupler(row);
    if (++driven.drivers == 1) {
      driven.kind = row.kind;
      driven.packet = row.packet;
      driven.driver = row.processor;
      return;
    }
    if (driven.drivers == 2) ++counts.collisions;
    if (!custody_.now().may_collide)
      custody_.reject(row, "meets packet " + std::to_string(driven.packet) + " of " + pops_.node_name(driven.driver) +
                               " on " + name(row));
  }

  void listen(const TraceRow& row, bool again) {
    if (again) Custody::reject(row.slot, row.processor, pops_.node_name(row.processor), "samples two couplers");
    SlotCounts& counts = counts_.back().counts;
    ++counts.listeners;
    const Coupler& sampled = coupler(row);
    const bool dead = dead_ != nullptr && dead_->contains(row.destination_group, row.source_group);
    const bool carries = sampled.drivers == 1 && !dead;
    const bool same = carries ? row.packet == sampled.packet && row.kind == sampled.kind : row.silent();
    if (!same)
      Custody::reject(row.slot, row.processor, pops_.node_name(row.processor),
                      (row.silent() ? "hears no message" : "hears packet " + std::to_string(row.packet)) + " from " +
                          name(row) + ", which " +
                          (dead                   ? "is dead"
                           : carries              ? "carries packet " + std::to_string(sampled.packet)
                           : sampled.drivers == 0 ? "no processor drives"
                                                  : std::to_string(sampled.drivers) + " processors drive"));
    if (row.silent()) return;
    ++counts.delivered;
    custody_.hear(row);
  }

  const Pops pops_;
  const bool may_reach_all_;
  const DeadCouplers* const dead_;
  std::vector<Coupler> couplers_;  ///< [Pops::coupler]
  std::vector<SlotWithRows> counts_;
  Custody custody_;
  Step slot_ = no_step;
  std::int64_t seen_ = 0;
};

Referee::Referee(const Pops& pops, Rules rules, const std::vector<Packet>& packets, const DeadCouplers* dead) {
  try {
    checker_ = std::make_unique<Replay>(pops, std::move(rules), packets, dead);
  } catch (const Breach& breach) {
    violation_ = breach.violation;
  }
}

Referee::~Referee() = default;

void Referee::rows(const std::vector<TraceRow>& of_one_slot) try {
  if (ok() && !of_one_slot.empty()) checker_->rows(of_one_slot);
} catch (const Breach& breach) {
  violation_ = breach.violation;
}

void Referee::finish(const std::vector<Step>& delivered, const std::vector<SlotCounts>& slots, bool complete) try {
  if (ok()) checker_->finish(delivered, slots, complete);
} catch (const Breach& breach) {
  violation_ = breach.violation;
}

std::int64_t Referee::rows_seen() const { return checker_ == nullptr ? 0 : checker_->seen(); }

MessageKind Referee::kind_of(Step slot) const { return checker_->kind_of(slot); }

}  // namespace starloom::pops
