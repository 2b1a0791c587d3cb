#include <starloom/message/pops/randomized_model.hpp>

#include <algorithm>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>

#include <starloom/message/pops/big_array.hpp>
#include <starloom/message/pops/literal_last_slot.hpp>
#include <starloom/message/pops/randomized_audit.hpp>
#include <starloom/message/pops/requirements.hpp>
#include <starloom/message/pops/round_robin_model.hpp>

namespace starloom::pops {
namespace {

constexpr int cycle_slots = RandomizedRules::cycle_slots;

/// A copy in slot 1, from one group; `asked` is the place of the intermediate group in its block.
struct Copy {
  NodeId sender;
  std::uint32_t asked;
};

/// A copy that reached an intermediate group, and the coupler that takes it on in slot 2: group and place of the
/// destination group in its block, side by side in one number.
struct Relayed {
  std::uint32_t copy;  ///< its sender; once sorted, its number among the relayed copies
  std::uint32_t coupler;
};

/// Couplers whose drivers are counted together in slot 2: their table stays in the second cache, and there are few
/// buckets to sort into.
constexpr int bucket_bits = 18;
constexpr std::uint32_t table_mask = (1u << bucket_bits) - 1;

int bits_for(std::int32_t values) {
  int bits = 0;
  while ((std::int64_t{1} << bits) < values) ++bits;
  return bits;
}

/// Slots 1 and 2 decide everything: acknowledgements take the mirrored couplers, and for a given cycle the class and
/// the place of a destination tell when and where slot 5 delivers its packet. So nothing is kept of the buffers. Slot
/// 1 is settled group by group, slot 2 bucket by bucket of intermediate groups: random accesses stay in small tables.
class RandomizedModel {
 public:
  RandomizedModel(const Pops& pops, const RandomizedRules& rules, const std::vector<NodeId>& destination,
                  std::uint64_t seed, bool check)
      : pops_(pops),
        rules_(rules),
        destination_(destination),
        seed_(seed),
        width_(static_cast<std::size_t>(rules.width())),
        place_bits_(bits_for(rules.width())),
        senders_(destination.size()),
        relayed_(destination.size()),
        sorted_(destination.size()),
        alone_(destination.size() / 64 + 1, 0),
        bucket_end_((static_cast<std::size_t>(pops.groups()) << place_bits_ >> bucket_bits) + 1),
        relayed_end_(static_cast<std::size_t>(pops.groups())),
        copies_(static_cast<std::size_t>(pops.group_size())),
        sender_count_(static_cast<std::size_t>(pops.groups()), 0),
        from_group_(width_, 0),
        from_relay_(std::min(std::size_t{1} << bucket_bits, static_cast<std::size_t>(pops.groups()) << place_bits_), 0),
        load_(static_cast<std::size_t>(pops.couplers())),
        words_(static_cast<std::size_t>(pops.group_size()) + 8),
        missing_(static_cast<std::size_t>(rules.classes()), std::int64_t{pops.groups()} * rules.width()),
        due_(missing_.size(), 0) {
    std::fill(load_.begin(), load_.end(), 0U);
    if (check) audit_ = std::make_unique<RandomizedAudit>(pops, rules);
    if (rules.options().literal) literal_ = std::make_unique<LiteralLastSlot>(pops_, rules, destination);
    run_.delivered.assign(destination.size(), -1);
    for (std::size_t group = 0; group < sender_count_.size(); ++group) {
      const std::size_t first = first_of(group), end = first_of(group + 1);
      std::size_t count = 0;
      for (std::size_t node = first; node < end; ++node) {
        senders_[first + count] = static_cast<NodeId>(node);
        count += destination[node] == no_node ? 0 : 1;
      }
      sender_count_[group] = count;
      waiting_ += static_cast<std::int64_t>(count);
    }
    packets_ = waiting_;
  }

  MessageRun run(const MessageLimits& limits) {
    std::int64_t cycle = 0;
    Step last_delivery = 0;  // and slot 0, before there is one
    for (; waiting_ > 0 && !limits.reached(cycle * cycle_slots, cycle_slots, last_delivery); ++cycle) {
      audited_.clear();
      threshold_ = rules_.participation(cycle);
      SlotCounts rows[cycle_slots];
      send_copies(cycle, rows);
      acknowledge(cycle);
      waiting_ -= rows[2].drives;
      rows[4] = last_slot(cycle);
      if (rows[4].delivered > 0) last_delivery = (cycle + 1) * cycle_slots;
      for (const SlotCounts& row : rows) run_.slots.push_back(row);
      if (audit_) audit_->cycle(cycle, audited_, rows);
      run_.data_drives += rows[0].drives + rows[1].drives + rows[4].drives;
      run_.ack_drives += rows[2].drives + rows[3].drives;
    }
    run_.units = cycle;
    const std::int64_t whole_drain = rules_.drain_slots();
    const std::int64_t drain = waiting_ > 0 ? 0 : std::min(whole_drain, limits.slots - cycle * cycle_slots);
    run_.finished = waiting_ == 0 && drain == whole_drain;
    for (std::int64_t slot = 0; slot < drain; ++slot) {
      const SlotCounts row = last_slot(cycle + slot);
      run_.slots.push_back(row);
      if (audit_) audit_->drain(cycle + slot, row);
      run_.data_drives += row.drives;
    }
    settle(cycle, drain);
    return std::move(run_);
  }

 private:
  std::size_t first_of(std::size_t group) const { return group * static_cast<std::size_t>(pops_.group_size()); }

  /// Parts the copies of a group: those alone on their coupler go on, the senders of the others stay. Returns how many
  /// go on. A function of its own, for among more variables the compiler takes to branches.
  [[gnu::noinline]] static std::size_t part(const Copy* copies, std::size_t count, const std::uint32_t* drivers,
                                            Relayed* go_on, NodeId* stay) {
    std::size_t going = 0;
    for (std::size_t at = 0; at < count; ++at) {
      const Copy copy = copies[at];
      const std::size_t alone = drivers[copy.asked] == 1 ? 1 : 0;
      go_on[going] = {static_cast<std::uint32_t>(copy.sender), copy.asked};
      stay[at - going] = copy.sender;
      going += alone;
    }
    return going;
  }

  /// Adds drivers of couplers in a slot to their loads; returns how many had more than one.
  template <class Count>
  static std::int64_t add_to(std::uint32_t* load, const Count* drivers, std::size_t couplers) {
    std::uint32_t collisions = 0;
    for (std::size_t at = 0; at < couplers; ++at) {
      load[at] += drivers[at];
      collisions += drivers[at] > 1 ? 1 : 0;
    }
    return collisions;
  }

  /// Slot 1, and what slot 2 then brings to the couplers of the intermediate groups. Whether a copy gets through is as
  /// good as random, so no branch depends on it.
  void send_copies(std::int64_t cycle, SlotCounts* rows) {
    // Locals, for the compiler must take stores into the tables for changes of the members.
    const RandomizedRules rules = rules_;
    const NodeId* const destination = destination_.data();
    const Copy* const copies = copies_.data();
    std::uint32_t* const drivers = from_group_.data();
    Relayed* const relayed = relayed_.data();
    std::size_t* const bucket_size = bucket_end_.data();
    const int place_bits = place_bits_;
    const bool checked = audit_ != nullptr;
    const DeadCouplers* const dead = rules.dead();
    const auto groups = static_cast<std::size_t>(pops_.groups());
    std::fill(bucket_end_.begin(), bucket_end_.end(), std::size_t{0});
    std::size_t relayed_count = 0;
    std::int64_t sent = 0, collisions = 0;
    for (std::size_t group = 0; group < groups; ++group) {
      NodeId* const senders = senders_.data() + first_of(group);
      const auto block = static_cast<std::size_t>(rules.block_of(static_cast<std::int32_t>(group))) * width_;
      std::uint32_t* const load = load_.data() + group * groups + block;
      const std::size_t count = draw(cycle, group);
      sent += static_cast<std::int64_t>(count);
      collisions += add_to(load, drivers, width_);
      if (dead != nullptr)  // dead couplers carry as little as those with two drivers
        for (std::size_t place = 0; place < width_; ++place)
          if (dead->contains(static_cast<std::int32_t>(block + place), static_cast<std::int32_t>(group)))
            drivers[place] = 2;
      if (checked)
        for (std::size_t at = 0; at < count; ++at)
          if (drivers[copies[at].asked] != 1) audit_copy(copies[at].sender, block + copies[at].asked, false);
      const std::size_t first = relayed_count;
      const std::size_t alone = part(copies, count, drivers, relayed + first, senders + sender_count_[group]);
      relayed_count += alone;
      relayed_end_[group] = relayed_count;
      sender_count_[group] += count - alone;
      std::fill_n(drivers, width_, 0u);
      for (std::size_t at = first; at < relayed_count; ++at) {
        const std::int32_t place = rules.temporary_place(destination[relayed[at].copy], cycle);
        const auto coupler =
            static_cast<std::uint32_t>((block + relayed[at].coupler) << place_bits) | static_cast<std::uint32_t>(place);
        relayed[at].coupler = coupler;
        ++bucket_size[coupler >> bucket_bits];
      }
    }
    relayed_count_ = relayed_count;
    const auto relays = static_cast<std::int64_t>(groups * width_);
    const auto passed_on = static_cast<std::int64_t>(relayed_count);
    rows[0] = {sent, passed_on, collisions, relays};
    rows[1] = pass_on(cycle);
    rows[1].drives = passed_on;
    rows[1].listeners = relays;
    const std::int64_t kept = dead == nullptr ? rows[1].delivered : drop_at_dead_couplers(cycle, rows[1]);
    rows[2] = {kept, kept, 0, passed_on};
    rows[3] = {kept, kept, 0, sent};
  }

  /// Sets the bits of the copies that are alone on their coupler; returns how many are. As `part`.
  [[gnu::noinline]] static std::int64_t mark_alone(const Relayed* first, const Relayed* end, const std::uint16_t* table,
                                                   std::uint64_t* bits) {
    std::int64_t count = 0;
    for (const Relayed* copy = first; copy != end; ++copy) {
      const std::uint64_t alone = table[copy->coupler & table_mask] == 1 ? 1 : 0;
      bits[copy->copy >> 6] |= alone << (copy->copy & 63);
      count += static_cast<std::int64_t>(alone);
    }
    return count;
  }

  /// Slot 2: sorts the relayed copies into buckets of couplers, and marks those that are alone on theirs. Counts what
  /// was delivered and the collisions.
  SlotCounts pass_on(std::int64_t cycle) {
    std::size_t before = 0;
    for (std::size_t& end : bucket_end_) {
      const std::size_t size = end;
      end = before;
      before += size;
    }
    const Relayed* const relayed = relayed_.data();
    Relayed* const sorted = sorted_.data();
    std::size_t* const bucket_end = bucket_end_.data();
    const std::size_t count = relayed_count_;
    for (std::size_t at = 0; at < count; ++at) {
      const std::uint32_t coupler = relayed[at].coupler;
      sorted[bucket_end[coupler >> bucket_bits]++] = {static_cast<std::uint32_t>(at), coupler};
    }
    const RandomizedRules rules = rules_;
    const auto rotation = static_cast<std::int32_t>(cycle % rules.blocks());
    const int place_bits = place_bits_;
    const std::uint32_t place_mask = (std::uint32_t{1} << place_bits) - 1;
    const auto groups = static_cast<std::size_t>(pops_.groups());
    std::uint16_t* const table = from_relay_.data();
    std::uint64_t* const alone_bits = alone_.data();
    std::fill_n(alone_bits, relayed_count_ / 64 + 1, std::uint64_t{0});
    std::uint32_t* const load = load_.data();
    std::int64_t collisions = 0, kept = 0;
    const Relayed* first = sorted;
    for (std::size_t bucket = 0; bucket < bucket_end_.size(); ++bucket) {
      const Relayed* const end = sorted + bucket_end[bucket];
      const auto load_row = [&](std::size_t relay) {
        std::int32_t block = rules.block_of(static_cast<std::int32_t>(relay)) + rotation;
        if (block >= rules.blocks()) block -= rules.blocks();
        return load + relay * groups + static_cast<std::size_t>(block * rules.width());
      };
      if (static_cast<std::size_t>(end - first) * 8 >= from_relay_.size()) {
        for (const Relayed* copy = first; copy != end; ++copy) ++table[copy->coupler & table_mask];
        const std::size_t first_relay = bucket << bucket_bits >> place_bits;
        const std::size_t relays = std::min(from_relay_.size() >> place_bits, groups - first_relay);
        for (std::size_t relay = 0; relay < relays; ++relay)
          collisions += add_to(load_row(first_relay + relay), table + (relay << place_bits), width_);
      } else {
        for (const Relayed* copy = first; copy != end; ++copy) {
          collisions += ++table[copy->coupler & table_mask] == 2 ? 1 : 0;
          ++load_row(copy->coupler >> place_bits)[copy->coupler & place_mask];
        }
      }
      kept += mark_alone(first, end, table, alone_bits);
      std::fill(from_relay_.begin(), from_relay_.end(), std::uint16_t{0});
      first = end;
    }
    return {0, kept, collisions, 0};
  }

  bool is_alone(std::size_t copy) const { return (alone_[copy / 64] >> copy % 64 & 1) != 0; }

  /// Copies alone on a dead coupler do not arrive in slot 2, and copies that could not go on are refused. Returns how
  /// many are kept.
  std::int64_t drop_at_dead_couplers(std::int64_t cycle, SlotCounts& second) {
    std::int64_t kept = 0;
    for (std::size_t at = 0; at < relayed_count_; ++at) {
      if (!is_alone(at)) continue;
      const NodeId destination = destination_[relayed_[at].copy];
      const std::int32_t temporary = rules_.temporary_group(destination, cycle);
      const bool arrives =
          !rules_.dead()->contains(temporary, static_cast<std::int32_t>(relayed_[at].coupler >> place_bits_));
      second.delivered -= arrives ? 0 : 1;
      const bool stays = arrives && !rules_.refuses(temporary, destination);
      if (!stays) alone_[at / 64] ^= std::uint64_t{1} << at % 64;
      kept += stays ? 1 : 0;
    }
    return kept;
  }

  std::size_t place_of(std::int32_t group) const {
    return static_cast<std::size_t>(group - rules_.block_of(group) * rules_.width());
  }

  /// The rule `drawn_group` for all senders of a group: those that take part leave the list of senders for `copies_`
  /// and count as drivers of their couplers; returns how many. Words of neighbours come from one block, so while many
  /// are left all words of the group are made at once.
  std::size_t draw(std::int64_t cycle, std::size_t group) {
    const auto d = static_cast<std::size_t>(pops_.group_size());
    NodeId* const senders = senders_.data() + first_of(group);
    const std::size_t count = sender_count_[group];
    std::size_t left = 0, taking_part = 0;
    const std::uint64_t threshold = threshold_;
    Copy* const copies = copies_.data();
    std::uint32_t* const drivers = from_group_.data();
    const bool all = threshold > ~std::uint32_t{0};
    if (count * 16 < d || rules_.blocks() > 1) {
      for (std::size_t at = 0; at < count; ++at) {
        const NodeId sender = senders[at];
        const std::int32_t drawn =
            rules_.drawn_group(seed_, sender, destination_[static_cast<std::size_t>(sender)], cycle, threshold_);
        if (drawn == no_group) {
          senders[left++] = sender;
          continue;
        }
        const auto asked = static_cast<std::uint32_t>(place_of(drawn));
        copies[taking_part++] = {sender, asked};
        ++drivers[asked];
      }
      sender_count_[group] = left;
      return taking_part;
    }
    const auto first_node = static_cast<std::uint32_t>(first_of(group));
    const std::uint32_t first_block = first_node >> 2;
    random_words(seed_, Purpose::algorithm, first_block, (first_node + d - 1) / 4 - first_block + 1,
                 cycle * cycle_slots, 0, words_.data());
    const std::uint32_t* const words = words_.data() - std::size_t{4} * first_block;
    const auto range = static_cast<std::uint32_t>(width_);
    if (all) {
      for (std::size_t at = 0; at < count; ++at) {
        const NodeId sender = senders[at];
        const std::uint64_t product = std::uint64_t{words[sender]} * range;
        auto asked = static_cast<std::uint32_t>(product >> 32);
        if (static_cast<std::uint32_t>(product) < range)  // perhaps rejected, which is rare: the rule knows
          asked = drawn_place(sender, cycle);
        copies[at] = {sender, asked};
        ++drivers[asked];
      }
      sender_count_[group] = 0;
      return count;
    }
    for (std::size_t at = 0; at < count; ++at) {
      const bool takes_part = words[senders[at]] < threshold;
      const NodeId sender = senders[at];
      copies[taking_part].sender = sender;
      taking_part += takes_part ? 1 : 0;
      senders[left] = sender;
      left += takes_part ? 0 : 1;
    }
    for (std::size_t at = 0; at < taking_part; ++at) {
      copies[at].asked = drawn_place(copies[at].sender, cycle);
      ++drivers[copies[at].asked];
    }
    sender_count_[group] = left;
    return taking_part;
  }

  /// Of a sender that takes part: the place in its block of the group that it draws. d >= g: whatever the destination.
  std::uint32_t drawn_place(NodeId sender, std::int64_t cycle) const {
    return static_cast<std::uint32_t>(place_of(rules_.drawn_group(seed_, sender, no_node, cycle, threshold_)));
  }

  /// Slots 3 and 4: senders whose copy was alone twice are rid of their packet, the others keep it. The temporary group
  /// has it now: slot 5 delivers it in this cycle or in the next one that serves its class.
  void acknowledge(std::int64_t cycle) {
    if (audit_)
      for (std::size_t at = 0; at < relayed_count_; ++at)
        audit_copy(static_cast<NodeId>(relayed_[at].copy), relayed_[at].coupler >> place_bits_, is_alone(at));
    std::size_t at = 0;
    for (std::size_t group = 0; group < sender_count_.size(); ++group) {
      const std::size_t end = relayed_end_[group];
      NodeId* const stay = senders_.data() + first_of(group) + sender_count_[group];
      sender_count_[group] += literal_ != nullptr     ? stay_literally(at, end, stay)
                              : rules_.classes() == 1 ? stay_or_deliver<true>(cycle, at, end, stay)
                                                      : stay_or_deliver<false>(cycle, at, end, stay);
      at = end;
    }
  }

  /// The senders of a group's copies [first, end) that stay go to `stay`, and what slot 5 delivers of the others is
  /// foreseen. Returns how many stay. Again without a branch.
  template <bool one_class>
  std::size_t stay_or_deliver(std::int64_t cycle, std::size_t first, std::size_t end, NodeId* stay) {
    const RandomizedRules rules = rules_;
    const std::int32_t served = rules.served_class(cycle), classes = rules.classes();
    const Relayed* const relayed = relayed_.data();
    const NodeId* const destination = destination_.data();
    const std::uint64_t* const alone_bits = alone_.data();
    std::int32_t* const delivered = run_.delivered.data();
    std::int64_t* const due = due_.data();
    std::size_t stays = 0;
    for (std::size_t at = first; at < end; ++at) {
      const std::uint32_t sender = relayed[at].copy;
      const auto alone = static_cast<std::int32_t>(alone_bits[at / 64] >> at % 64 & 1);
      std::int32_t wait = 0;
      if constexpr (!one_class) {
        const std::int32_t its_class = rules.class_of(destination[sender]);
        wait = its_class - served + (its_class < served ? classes : 0);
        due[its_class] += alone;
      }
      delivered[sender] = alone * static_cast<std::int32_t>((cycle + wait + 1) * cycle_slots + 1) - 1;
      stay[stays] = static_cast<NodeId>(sender);
      stays += alone == 0 ? 1 : 0;
    }
    if constexpr (one_class) due[0] += static_cast<std::int64_t>(end - first - stays);
    return stays;
  }

  /// As `stay_or_deliver`, but slot 5 has to be played.
  std::size_t stay_literally(std::size_t first, std::size_t end, NodeId* stay) {
    std::size_t stays = 0;
    for (std::size_t at = first; at < end; ++at) {
      const auto sender = static_cast<NodeId>(relayed_[at].copy);
      if (is_alone(at)) literal_->keep(sender);
      else stay[stays++] = sender;
    }
    return stays;
  }

  void audit_copy(NodeId sender, std::size_t asked, bool acknowledged) {
    audited_.push_back(
        {sender, destination_[static_cast<std::size_t>(sender)], static_cast<std::int32_t>(asked), acknowledged});
  }

  SlotCounts last_slot(std::int64_t cycle) {
    if (literal_ != nullptr) {
      const std::int64_t listeners = std::accumulate(missing_.begin(), missing_.end(), std::int64_t{0});
      return literal_->play(cycle, listeners, load_.data(), [this, cycle](NodeId source) {
        const auto packet = static_cast<std::size_t>(source);
        --missing_[static_cast<std::size_t>(rules_.class_of(destination_[packet]))];
        run_.delivered[packet] = static_cast<std::int32_t>((cycle + 1) * cycle_slots);
      });
    }
    const auto served = static_cast<std::size_t>(rules_.served_class(cycle));
    const std::int64_t sent = due_[served];
    const SlotCounts row{sent, sent, 0, missing_[served]};
    missing_[served] -= sent;
    due_[served] = 0;
    return row;
  }

  /// Puts right what was foreseen for cycles after the last one, and counts what slot 5 drove.
  void settle(std::int64_t cycles, std::int64_t drain) {
    const auto last = static_cast<std::int32_t>(cycles * cycle_slots);
    if (rules_.classes() > 1)
      for (std::int32_t& delivered : run_.delivered) {
        const std::int32_t drained = (delivered - last) / cycle_slots;
        if (delivered > last) delivered = drained <= drain ? last + drained : -1;
      }
    run_.undelivered = packets_ - std::count_if(run_.delivered.begin(), run_.delivered.end(),
                                                [](std::int32_t delivered) { return delivered >= 0; });
    if (literal_ == nullptr) count_last_drives();
    run_.max_load = *std::max_element(load_.begin(), load_.end());
    if (audit_ && audit_->arrived() != packets_ - run_.undelivered)
      throw std::logic_error("check of randomized: packets at their destinations differ from the model's");
  }

  /// The drives of slot 5, which all carry.
  void count_last_drives() {
    if (run_.undelivered == 0 && packets_ == pops_.nodes() && !rules_.options().shift) {
      // Everyone has a packet: each coupler within a block was driven once for each class.
      for (std::int32_t from = 0; from < pops_.groups(); ++from) {
        const std::int32_t block = rules_.block_of(from) * rules_.width();
        std::uint32_t* const row = load_.data() + pops_.coupler(block, from);
        for (std::size_t to = 0; to < width_; ++to) row[to] += static_cast<std::uint32_t>(rules_.classes());
      }
      return;
    }
    for (std::size_t node = 0; node < destination_.size(); ++node) {
      if (run_.delivered[node] < 0) continue;
      // Only a shift depends on the cycle, and it has no drain.
      const std::int64_t cycle = run_.delivered[node] / cycle_slots - 1;
      const NodeId to = destination_[node];
      ++load_[static_cast<std::size_t>(pops_.coupler(pops_.group_of(to), rules_.temporary_group(to, cycle)))];
    }
  }

  Pops pops_;
  const RandomizedRules& rules_;
  const std::vector<NodeId>& destination_;
  std::uint64_t seed_;
  std::size_t width_;
  int place_bits_;                       ///< of a place in a block
  BigArray<NodeId> senders_;             ///< [group * d + ..] those with a packet of their own
  BigArray<Relayed> relayed_;            ///< at most one a packet, and pages are taken as needed: about a third of them
  BigArray<Relayed> sorted_;             ///< the same by bucket
  std::vector<std::uint64_t> alone_;     ///< bitmap of the relayed copies that slot 2 carried
  std::vector<std::size_t> bucket_end_;  ///< [bucket] end in `sorted_`
  std::vector<std::size_t> relayed_end_;  ///< [group] end of its copies in `relayed_`
  std::size_t relayed_count_ = 0;
  std::vector<Copy> copies_;               ///< those of one group in slot 1
  std::vector<std::size_t> sender_count_;  ///< [group]
  std::vector<std::uint32_t> from_group_;  ///< [place of destination group] drivers in slot 1
  std::vector<std::uint16_t> from_relay_;  ///< [coupler in the bucket] drivers in slot 2, at most one a source group
  BigArray<std::uint32_t> load_;           ///< [coupler] data drives
  std::vector<std::uint32_t> words_;
  std::vector<std::int64_t> missing_;         ///< [class] processors without their packet
  std::vector<std::int64_t> due_;             ///< [class] packets that its next slot 5 delivers
  std::unique_ptr<LiteralLastSlot> literal_;  ///< if slot 5 is the paper's own
  std::unique_ptr<RandomizedAudit> audit_;
  std::vector<SentCopy> audited_;  ///< check mode: the copies of this cycle
  std::uint64_t threshold_ = 0;
  std::int64_t packets_ = 0;
  std::int64_t waiting_ = 0;  ///< packets at their sources
  MessageRun run_;
};

}  // namespace

MessageRun route_randomized(const Pops& pops, const RandomizedRules& rules, const std::vector<NodeId>& destination,
                            std::uint64_t seed, const MessageLimits& limits, bool check) {
  require_permutation(pops, destination);
  require_couplers(pops);
  if (rules.round_robin()) return route_round_robin(pops, destination, limits);
  return RandomizedModel(pops, rules, destination, seed, check).run(limits);
}

MessageRun run_model(const RandomizedAlgorithm& algorithm, const MessageLimits& limits) {
  const Pops& pops = algorithm.pops();
  return route_randomized(pops, algorithm.rules(), algorithm.destination(), algorithm.seed(), limits,
                          pops.nodes() <= checked_nodes);
}

}  // namespace starloom::pops
