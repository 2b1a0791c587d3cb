#include "message/randomized_model.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>

#include "core/error.hpp"
#include "message/destinations.hpp"
#include "message/randomized_audit.hpp"

namespace starloom {
namespace {

constexpr int cycle_slots = RandomizedRules::cycle_slots;

/// Drawn groups as places in their block: at most 2^15 of them, for width^2 <= n <= 2^30.
using Drawn = std::uint16_t;
constexpr Drawn not_drawn = 0xFFFF;
constexpr Drawn collided = 0x8000;  ///< flag: lost in slot 1

/// Slots 1 and 2 decide everything: acknowledgements take the mirrored couplers, and for a given cycle the class and the
/// place of a destination tell when and where slot 5 delivers its packet. So two tables suffice, one of a group's couplers
/// and one of all; nothing is kept of the buffers.
class RandomizedModel {
 public:
  RandomizedModel(const Pops& pops, const RandomizedRules& rules, const std::vector<NodeId>& destination,
                  std::uint64_t seed, bool check)
      : pops_(pops),
        rules_(rules),
        destination_(destination),
        seed_(seed),
        width_(static_cast<std::size_t>(rules.width())),
        senders_(destination.size()),
        drawn_(destination.size()),
        sender_count_(static_cast<std::size_t>(pops.groups()), 0),
        from_group_(width_),
        from_relay_(static_cast<std::size_t>(pops.groups()) * width_),
        load_(static_cast<std::size_t>(pops.couplers()), 0),
        words_(static_cast<std::size_t>(pops.group_size()) + 8),
        missing_(static_cast<std::size_t>(rules.classes()), std::int64_t{pops.groups()} * rules.width()),
        due_(missing_.size(), 0) {
    if (check) audit_ = std::make_unique<RandomizedAudit>(pops, rules);
    if (rules.options().literal) {
      final_drivers_.resize(load_.size());
      final_missing_.assign(load_.size(), static_cast<std::uint32_t>(rules.classes()));
    }
    run_.delivered.assign(destination.size(), -1);
    for (NodeId node = 0; node < pops.nodes(); ++node) {
      if (destination[static_cast<std::size_t>(node)] == no_node) continue;
      const auto group = static_cast<std::size_t>(pops.group_of(node));
      senders_[first_of(group) + sender_count_[group]++] = node;
      ++waiting_;
    }
    packets_ = waiting_;
  }

  MessageRun run(Step slot_limit) {
    std::int64_t cycle = 0;
    for (; waiting_ > 0 && cycle * cycle_slots < slot_limit; ++cycle) {
      copies_.clear();
      threshold_ = rules_.participation(cycle);
      SlotCounts rows[cycle_slots];
      send_copies(cycle, rows);
      acknowledge(cycle, rows);
      rows[4] = last_slot(cycle);
      for (const SlotCounts& row : rows) run_.slots.push_back(row);
      if (audit_) audit_->cycle(cycle, copies_, rows);
      run_.data_drives += rows[0].drives + rows[1].drives + rows[4].drives;
      run_.ack_drives += rows[2].drives + rows[3].drives;
    }
    run_.units = cycle;
    run_.finished = waiting_ == 0;
    const std::int64_t drain = run_.finished ? rules_.drain_slots() : 0;
    for (std::int64_t slot = 0; slot < drain; ++slot) {
      const SlotCounts row = last_slot(cycle + slot);
      run_.slots.push_back(row);
      if (audit_) audit_->drain(cycle + slot, row);
      run_.data_drives += row.drives;
    }
    settle(cycle, cycle + drain);
    return std::move(run_);
  }

 private:
  std::size_t first_of(std::size_t group) const { return group * static_cast<std::size_t>(pops_.group_size()); }

  /// Slot 1, and what slot 2 then brings to the couplers of the intermediate groups.
  void send_copies(std::int64_t cycle, SlotCounts* rows) {
    std::fill(from_relay_.begin(), from_relay_.end(), std::uint8_t{0});
    std::int64_t sent = 0, collisions = 0, relayed = 0, relay_collisions = 0, kept = 0;
    const bool keep_losers = audit_ != nullptr;
    const auto groups = static_cast<std::size_t>(pops_.groups());
    for (std::size_t group = 0; group < groups; ++group) {
      const std::size_t first = first_of(group), count = sender_count_[group];
      if (count == 0) continue;
      const auto block = static_cast<std::size_t>(rules_.block_of(static_cast<std::int32_t>(group))) * width_;
      NodeId* const senders = senders_.data() + first;
      Drawn* const drawn = drawn_.data() + first;
      std::uint32_t* const load = load_.data() + group * groups + block;
      std::fill(from_group_.begin(), from_group_.end(), std::uint8_t{0});
      draw(cycle, group, senders, count, drawn);
      for (std::size_t at = 0; at < count; ++at) {
        if (drawn[at] == not_drawn) continue;
        ++sent;
        ++load[drawn[at]];
        std::uint8_t& drivers = from_group_[drawn[at]];
        collisions += drivers == 1 ? 1 : 0;
        drivers = static_cast<std::uint8_t>(drivers + (drivers < 2 ? 1 : 0));
      }
      for (std::size_t at = 0; at < count; ++at) {
        if (drawn[at] == not_drawn) continue;
        if (from_group_[drawn[at]] != 1) {
          drawn[at] |= collided;
          continue;
        }
        ++relayed;
        const std::int32_t temporary =
            rules_.temporary_group(destination_[static_cast<std::size_t>(senders[at])], cycle);
        const std::size_t relay = block + drawn[at];
        ++load_[relay * groups + static_cast<std::size_t>(temporary)];
        std::uint8_t& drivers = from_relay_[relay * width_ + place_of(temporary)];
        relay_collisions += drivers == 1 ? 1 : 0;
        kept += drivers == 0 ? 1 : drivers == 1 ? -1 : 0;
        drivers = static_cast<std::uint8_t>(drivers + (drivers < 2 ? 1 : 0));
      }
    }
    (void)keep_losers;
    const auto relays = static_cast<std::int64_t>(groups * width_);
    rows[0] = {sent, relayed, collisions, relays};
    rows[1] = {relayed, kept, relay_collisions, relays};
    rows[2] = {kept, kept, 0, relayed};
    rows[3] = {kept, kept, 0, sent};
  }

  std::size_t place_of(std::int32_t group) const {
    return static_cast<std::size_t>(group - rules_.block_of(group) * rules_.width());
  }

  /// The rule `drawn_group` for all senders of a group. Words of neighbours come from one block, so while many are left
  /// all words of the group are made at once.
  void draw(std::int64_t cycle, std::size_t group, const NodeId* senders, std::size_t count, Drawn* drawn) {
    const auto d = static_cast<std::size_t>(pops_.group_size());
    const Step step = cycle * cycle_slots;
    const auto first_node = static_cast<std::uint32_t>(first_of(group));
    const auto range = static_cast<std::uint32_t>(width_);
    const bool all = threshold_ > ~std::uint32_t{0};
    if (count * 16 < d || rules_.blocks() > 1) {
      for (std::size_t at = 0; at < count; ++at) drawn[at] = drawn_alone(senders[at], cycle);
      return;
    }
    const std::uint32_t first_block = first_node >> 2;
    random_words(seed_, Purpose::algorithm, first_block, (first_node + d - 1) / 4 - first_block + 1, step, 0,
                 words_.data());
    const std::uint32_t* const words = words_.data() - std::size_t{4} * first_block;
    for (std::size_t at = 0; at < count; ++at) {
      const std::uint32_t word = words[senders[at]];
      if (all) {
        const std::uint64_t product = std::uint64_t{word} * range;
        drawn[at] = static_cast<Drawn>(product >> 32);
        // Rejections are rare, and the rule knows what to do.
        if (static_cast<std::uint32_t>(product) < range) drawn[at] = drawn_alone(senders[at], cycle);
      } else {
        drawn[at] = word < threshold_ ? drawn_alone(senders[at], cycle) : not_drawn;
      }
    }
  }

  Drawn drawn_alone(NodeId node, std::int64_t cycle) const {
    const std::int32_t group =
        rules_.drawn_group(seed_, node, destination_[static_cast<std::size_t>(node)], cycle, threshold_);
    return group == no_group ? not_drawn : static_cast<Drawn>(place_of(group));
  }

  /// Slots 3 and 4: senders whose copy met nobody drop their packet, the others keep it.
  void acknowledge(std::int64_t cycle, SlotCounts* /*rows*/) {
    kept_.clear();
    const auto groups = static_cast<std::size_t>(pops_.groups());
    for (std::size_t group = 0; group < groups; ++group) {
      const std::size_t first = first_of(group), count = sender_count_[group];
      const std::int32_t block = rules_.block_of(static_cast<std::int32_t>(group)) * rules_.width();
      std::size_t left = 0;
      for (std::size_t at = 0; at < count; ++at) {
        const NodeId sender = senders_[first + at];
        const Drawn drawn = drawn_[first + at];
        bool acknowledged = false;
        if (drawn < collided) {
          const NodeId destination = destination_[static_cast<std::size_t>(sender)];
          const std::size_t relay = static_cast<std::size_t>(block) + drawn;
          acknowledged = from_relay_[relay * width_ + place_of(rules_.temporary_group(destination, cycle))] == 1;
        }
        if (audit_ && drawn != not_drawn)
          copies_.push_back(
              {sender, destination_[static_cast<std::size_t>(sender)], block + (drawn & ~collided), acknowledged});
        if (acknowledged) take(sender, cycle);
        else senders_[first + left++] = sender;
      }
      sender_count_[group] = left;
    }
  }

  /// The temporary group has the packet: slot 5 delivers it in this cycle or in the next one that serves its class.
  void take(NodeId sender, std::int64_t cycle) {
    --waiting_;
    if (rules_.options().literal) return kept_.push_back(sender);
    const std::int32_t its_class =
        classes_are_one() ? 0 : rules_.class_of(destination_[static_cast<std::size_t>(sender)]);
    ++due_[static_cast<std::size_t>(its_class)];
    const std::int32_t wait = its_class - rules_.served_class(cycle);
    run_.delivered[static_cast<std::size_t>(sender)] =
        static_cast<std::int32_t>(cycle + (wait < 0 ? wait + rules_.classes() : wait));
  }
  bool classes_are_one() const { return rules_.classes() == 1; }

  SlotCounts last_slot(std::int64_t cycle) {
    if (rules_.options().literal) return literal_last_slot(cycle);
    const auto served = static_cast<std::size_t>(rules_.served_class(cycle));
    const std::int64_t sent = due_[served];
    const SlotCounts row{sent, sent, 0, missing_[served]};
    missing_[served] -= sent;
    due_[served] = 0;
    return row;
  }

  /// The paper's own slot 5: packets of one cycle for different processors of a group may meet on the way to it.
  SlotCounts literal_last_slot(std::int64_t cycle) {
    std::fill(final_drivers_.begin(), final_drivers_.end(), 0u);
    const auto coupler_of = [&](NodeId sender) {
      const NodeId to = destination_[static_cast<std::size_t>(sender)];
      return static_cast<std::size_t>(pops_.coupler(pops_.group_of(to), rules_.temporary_group(to, cycle)));
    };
    SlotCounts row{static_cast<std::int64_t>(kept_.size()), 0, 0, 0};
    for (const std::int64_t missing : missing_) row.listeners += missing;
    for (const NodeId sender : kept_) {
      std::uint32_t& drivers = final_drivers_[coupler_of(sender)];
      if (++drivers == 2) ++row.collisions;
      ++load_[coupler_of(sender)];
    }
    for (const NodeId sender : kept_) {
      const std::size_t coupler = coupler_of(sender);
      if (final_drivers_[coupler] != 1) continue;
      row.delivered += final_missing_[coupler]--;
      --missing_[static_cast<std::size_t>(rules_.class_of(destination_[static_cast<std::size_t>(sender)]))];
      run_.delivered[static_cast<std::size_t>(sender)] = static_cast<std::int32_t>(cycle);
    }
    return row;
  }

  /// Turns cycles into slots, and counts what slot 5 drove and what did not arrive.
  void settle(std::int64_t cycles, std::int64_t end) {
    std::int64_t arrived = 0;
    for (std::size_t node = 0; node < destination_.size(); ++node) {
      std::int32_t& delivered = run_.delivered[node];
      if (delivered < 0) continue;
      if (delivered >= end) {
        delivered = -1;
        continue;
      }
      ++arrived;
      if (!rules_.options().literal) {
        const NodeId to = destination_[node];
        ++load_[static_cast<std::size_t>(pops_.coupler(pops_.group_of(to), rules_.temporary_group(to, delivered)))];
      }
      delivered = static_cast<std::int32_t>(delivered < cycles ? (delivered + std::int64_t{1}) * cycle_slots
                                                               : cycles * cycle_slots + delivered - cycles + 1);
    }
    run_.undelivered = packets_ - arrived;
    run_.max_load = *std::max_element(load_.begin(), load_.end());
    if (audit_ && audit_->arrived() != arrived)
      throw std::logic_error("check of randomized: packets at their destinations differ from the model's");
  }

  Pops pops_;
  const RandomizedRules& rules_;
  const std::vector<NodeId>& destination_;
  std::uint64_t seed_;
  std::size_t width_;
  std::vector<NodeId> senders_;            ///< [group * d + ..] those with a packet of their own, ascending
  std::vector<Drawn> drawn_;               ///< what they drew in this cycle
  std::vector<std::size_t> sender_count_;  ///< [group]
  std::vector<std::uint8_t> from_group_;   ///< [place of destination group] drivers in slot 1: 0, 1, more
  std::vector<std::uint8_t> from_relay_;   ///< [group * width + place of destination group] the same in slot 2
  std::vector<std::uint32_t> load_;        ///< [coupler] data drives
  std::vector<std::uint32_t> words_;
  std::vector<std::int64_t> missing_;         ///< [class] processors without their packet
  std::vector<std::int64_t> due_;             ///< [class] packets that its next slot 5 delivers
  std::vector<NodeId> kept_;                  ///< literal: sources of the packets of this cycle's slot 5
  std::vector<std::uint32_t> final_drivers_;  ///< literal: [coupler] drivers in slot 5
  std::vector<std::uint32_t> final_missing_;  ///< literal: [coupler] its samplers in slot 5
  std::unique_ptr<RandomizedAudit> audit_;
  std::vector<SentCopy> copies_;
  std::uint64_t threshold_ = 0;
  std::int64_t packets_ = 0;
  std::int64_t waiting_ = 0;  ///< packets at their sources
  MessageRun run_;
};

/// One coupler: processor i speaks in slot i, and all sample.
MessageRun take_turns(const Pops& pops, const std::vector<NodeId>& destination, Step slot_limit) {
  MessageRun run;
  const Step slots = std::min<Step>(pops.nodes(), slot_limit);
  run.delivered.assign(destination.size(), -1);
  for (NodeId node = 0; node < pops.nodes(); ++node) {
    const bool speaks = destination[static_cast<std::size_t>(node)] != no_node;
    if (node >= slots) {
      run.undelivered += speaks ? 1 : 0;
      continue;
    }
    run.slots.push_back({speaks ? 1 : 0, speaks ? pops.nodes() : 0, 0, pops.nodes()});
    run.data_drives += speaks ? 1 : 0;
    if (speaks) run.delivered[static_cast<std::size_t>(node)] = node + 1;
  }
  run.units = slots;
  run.max_load = run.data_drives;
  run.finished = slots == pops.nodes();
  return run;
}

}  // namespace

MessageRun route_randomized(const Pops& pops, const RandomizedRules& rules, const std::vector<NodeId>& destination,
                            std::uint64_t seed, Step slot_limit, bool check) {
  require_permutation(pops, destination);
  if (pops.couplers() > std::int64_t{1} << 29)
    throw InputError("a model of " + std::to_string(pops.couplers()) + " couplers needs " +
                     std::to_string(pops.couplers() >> 28) + " GiB; it takes up to 2^29 couplers");
  if (rules.round_robin()) return take_turns(pops, destination, slot_limit);
  return RandomizedModel(pops, rules, destination, seed, check).run(slot_limit);
}

}  // namespace starloom
