// SPDX-License-Identifier: Apache-2.0
#include <starloom/message/pops/randomized_model.hpp>

#include <algorithm>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

#include <starloom/core/random_draws.hpp>
#include <starloom/message/pops/big_array.hpp>
#include <starloom/message/pops/coupler_loads.hpp>
#include <starloom/message/pops/group_range.hpp>
#include <starloom/message/pops/handover.hpp>
#include <starloom/message/pops/literal_last_slot.hpp>
#include <starloom/message/pops/randomized_audit.hpp>
#include <starloom/message/pops/requirements.hpp>
#include <starloom/message/pops/round_robin_model.hpp>
#include <starloom/support/thread_pool.hpp>

namespace starloom::pops {
namespace {

constexpr int cycle_slots = RandomizedRules::cycle_slots;

int lowest_bit(std::uint64_t word) { return __builtin_ctzll(word); }

/// In groups up to this size, indices and numbers of copies have 16 bits: the data of a group fits into the
/// first-level cache.
constexpr std::size_t small_group = 1 << 14;

/// A copy in slot 1.
template <class Index>
struct Copy {
  Index sender;                ///< its index in its group
  std::uint16_t intermediate;  ///< the index of the intermediate group in its block: below sqrt(2^29), as groups are
};

/// A packet whose source has received its acknowledgement.
template <class Index>
struct Acknowledged {
  Index sender;
  std::int32_t its_class;
};

/// Counts of a pass over some groups; the sums of those of all ranges are those of one pass over all groups.
struct PassCounts {
  std::int64_t drives = 0;
  std::int64_t carried = 0;
  std::int64_t collisions = 0;

  PassCounts& operator+=(const PassCounts& more) {
    drives += more.drives;
    carried += more.carried;
    collisions += more.collisions;
    return *this;
  }
};

/// Slots 1 and 2 determine the cycle: acknowledgements take the mirrored couplers, and for a given cycle the class
/// and the index of a destination determine when and where slot 5 delivers its packet. Buffers are therefore not
/// modelled. A cycle is three passes over groups: sources send, intermediate groups forward, sources receive the
/// results of their copies. Each pass writes only data of its own groups, so threads share it by ranges of groups
/// that begin with a strip.
template <class Index>
class RandomizedModel {
 public:
  RandomizedModel(const Pops& pops, const RandomizedRules& rules, const std::vector<NodeId>& destination,
                  std::uint64_t seed, bool check, int threads)
      : pops_(pops),
        rules_(rules),
        destination_(destination),
        seed_(seed),
        width_(static_cast<std::size_t>(rules.width())),
        groups_(static_cast<std::size_t>(pops.groups())),
        group_size_(static_cast<std::size_t>(pops.group_size())),
        group_words_(words_for(group_size_)),
        waiting_bits_(groups_ * group_words_, 0),
        relayed_(groups_ * width_),
        relayed_end_(groups_),
        relayed_class_(rules.classes() > 1 ? relayed_.size() : 0),
        handover_(groups_, width_),
        loads_(groups_),
        missing_(static_cast<std::size_t>(rules.classes()), std::int64_t{pops.groups()} * rules.width()),
        due_(missing_.size(), 0) {
    if (rules.options().literal) literal_ = std::make_unique<LiteralLastSlot>(pops_, rules, destination);
    make_rooms(literal_ != nullptr ? 1 : threads, check);
    run_.delivered.reserve(destination.size());
    std::int32_t* const delivered = run_.delivered.data();
    request_huge_pages(delivered, destination.size() * sizeof *delivered);
    in_all_rooms([&](Room& room) {
      take_pages(delivered + room.begin * group_size_, delivered + room.end * group_size_);
      for (std::size_t group = room.begin; group < room.end; ++group) room.packets += find_packets(group);
    });
    run_.delivered.assign(destination.size(), -1);
    for (const Room& room : rooms_) waiting_ += room.packets;
    packets_ = waiting_;
  }

  MessageRun run(const MessageLimits& limits) {
    std::int64_t cycle = 0;
    Step last_delivery = 0;  // and slot 0 before the first one
    for (; waiting_ > 0 && !limits.reached(cycle * cycle_slots, cycle_slots, last_delivery); ++cycle) {
      SlotCounts rows[cycle_slots];
      play_cycle(cycle, rows);
      waiting_ -= rows[2].drives;
      rows[4] = last_slot(cycle);
      if (rows[4].delivered > 0) last_delivery = (cycle + 1) * cycle_slots;
      for (const SlotCounts& row : rows) run_.slots.push_back(row);
      if (audit_) audit_->cycle(cycle, rows);
      run_.data_drives += rows[0].drives + rows[1].drives + rows[4].drives;
      run_.ack_drives += rows[2].drives + rows[3].drives;
    }
    run_.units = cycle;
    if (waiting_ == 0) run_.drain_from = cycle * cycle_slots;
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
  /// Groups [begin, end) of one thread, and its memory for one group at a time.
  struct alignas(128) Room {
    std::size_t number = 0;
    std::size_t begin = 0, end = 0;
    std::vector<Copy<Index>> copies;   ///< in slot 1
    std::vector<std::uint64_t> below;  ///< bits: the processors whose random word is below the threshold
    std::vector<Index> senders;        ///< that take part
    std::vector<NodeId> nodes;         ///< the same, if they are few
    std::vector<Acknowledged<Index>> acknowledged;
    std::vector<std::uint32_t> words;  ///< of all processors of a group, or of those that take part
    std::vector<Index> from_group;     ///< [index of destination group] drivers in slot 1
    std::vector<std::uint16_t>
        from_relay;  ///< [index of destination group] drivers in slot 2, at most one per source group
    std::vector<std::uint16_t> indices;  ///< if there are few drivers
    std::vector<std::int64_t> due;       ///< [class] packets that left in this cycle
    PassCounts first, second;
    std::int64_t kept = 0;
    std::int64_t packets = 0;  ///< initially waiting, finally delivered
  };

  /// At most `threads` of them: strips of sources, which share words of the handover, stay together.
  void make_rooms(int threads, bool check) {
    std::vector<std::size_t> cuts;
    for (std::size_t group = 0; group < groups_; ++group)
      if ((group - block_start(group)) % word_bits == 0) cuts.push_back(group);
    const std::vector<GroupRange> ranges = group_ranges(groups_, cuts, threads);
    pool_ = std::make_unique<ThreadPool>(static_cast<int>(ranges.size()));
    if (check) audit_ = std::make_unique<RandomizedAudit>(pops_, rules_, ranges, *pool_);
    for (const GroupRange& range : ranges) {
      Room& room = rooms_.emplace_back();
      room.number = rooms_.size() - 1;
      room.begin = range.begin;
      room.end = range.end;
      room.copies.resize(group_size_ + word_bits);
      room.below.resize(group_words_);
      room.senders.resize(room.copies.size());
      room.nodes.resize(room.copies.size());
      room.acknowledged.resize(width_ + 1);
      room.words.resize(room.copies.size());
      room.from_group.resize(width_, 0);
      room.from_relay.resize(width_, 0);
      room.indices.resize(std::max(width_, group_size_));
      room.due.resize(due_.size(), 0);
    }
  }

  /// Calls `work(room)` for all rooms, and returns when all calls have returned.
  template <class Work>
  void in_all_rooms(Work&& work) {
    pool_->run([&](int i) { work(rooms_[static_cast<std::size_t>(i)]); });
  }

  /// Marks the processors of a group that have a packet; returns how many.
  std::int64_t find_packets(std::size_t group) {
    const NodeId* const destination = destination_.data() + group * group_size_;
    std::int64_t found = 0;
    for (std::size_t first = 0; first < group_size_; first += word_bits) {
      const std::size_t end = std::min(first + word_bits, group_size_);
      std::uint64_t bits = 0;
      for (std::size_t index = first; index < end; ++index)
        bits |= std::uint64_t{destination[index] != no_node} << (index - first);
      waiting_bits_[group * group_words_ + first / word_bits] = bits;
      found += __builtin_popcountll(bits);
    }
    return found;
  }

  NodeId first_of(std::size_t group) const { return static_cast<NodeId>(group * group_size_); }
  /// The first group of a group's block.
  std::size_t block_start(std::size_t group) const {
    return static_cast<std::size_t>(rules_.block_of(static_cast<std::int32_t>(group))) * width_;
  }

  /// Slots 1 to 4.
  void play_cycle(std::int64_t cycle, SlotCounts* rows) {
    threshold_ = rules_.participation(cycle);
    in_all_rooms([&](Room& room) { room.first = send(cycle, room); });
    std::int64_t relayed = 0;
    for (const Room& room : rooms_) relayed += room.first.carried;
    const bool few =
        rules_.dead() == nullptr && static_cast<std::size_t>(relayed) * couplers_per_copy < relayed_.size();
    in_all_rooms([&](Room& room) { room.second = few ? pass_on<true>(cycle, room) : pass_on<false>(cycle, room); });
    in_all_rooms([&](Room& room) { room.kept = hear(cycle, room); });
    PassCounts first, second;
    std::int64_t kept = 0;
    for (Room& room : rooms_) {
      first += room.first;
      second += room.second;
      kept += room.kept;
      for (std::size_t its_class = 0; its_class < due_.size(); ++its_class)
        due_[its_class] += std::exchange(room.due[its_class], 0);
    }
    const auto relays = static_cast<std::int64_t>(groups_ * width_);
    rows[0] = {first.drives, first.carried, first.collisions, relays};
    rows[1] = {first.carried, second.carried, second.collisions, relays};
    rows[2] = {kept, kept, 0, first.carried};
    rows[3] = {kept, kept, 0, first.drives};
  }

  /// Slot 1 of source groups: copies that were alone on their coupler are handed over.
  PassCounts send(std::int64_t cycle, Room& room) {
    const DeadCouplers* const dead = rules_.dead();
    Index* const drivers = room.from_group.data();
    Copy<Index>* const copies = room.copies.data();
    Copy<Index>* relayed = relayed_.data() + room.begin * width_;
    PassCounts counts;
    for (std::size_t group = room.begin; group < room.end; ++group) {
      const std::size_t block = block_start(group);
      const std::size_t count = draw(cycle, group, room);
      counts.drives += static_cast<std::int64_t>(count);
      const bool few = dead == nullptr && count * couplers_per_copy < width_;
      if (!few) counts.collisions += loads_.add(group, block, drivers, width_);
      if (dead != nullptr)  // dead couplers carry no copy, like those with two drivers
        for (std::size_t index = 0; index < width_; ++index)
          if (dead->contains(static_cast<std::int32_t>(block + index), static_cast<std::int32_t>(group)))
            drivers[index] = 2;
      if (audit_)
        for (std::size_t at = 0; at < count; ++at)
          if (drivers[copies[at].intermediate] != 1)
            audit_copy(room, first_of(group) + static_cast<NodeId>(copies[at].sender), block + copies[at].intermediate,
                       false);
      const std::size_t alone = keep_alone(copies, count, drivers, relayed);
      if (few) {
        for (std::size_t at = 0; at < count; ++at) room.indices[at] = copies[at].intermediate;
        counts.collisions += loads_.add_few(group, block, drivers, room.indices.data(), count);
      } else {
        std::fill_n(drivers, width_, Index{0});
      }
      hand_over(cycle, group, relayed, alone);
      if (rules_.classes() > 1) note_classes(group, relayed, alone);
      counts.carried += static_cast<std::int64_t>(alone);
      relayed += alone;
      relayed_end_[group] = static_cast<std::size_t>(relayed - relayed_.data());
    }
    return counts;
  }

  /// Moves the copies that are alone on their coupler to `to`; returns their number. The result for a copy is
  /// practically random, so no branch depends on it.
  [[gnu::noinline]] static std::size_t keep_alone(const Copy<Index>* copies, std::size_t count, const Index* drivers,
                                                  Copy<Index>* to) {
    std::size_t kept = 0;
    for (std::size_t at = 0; at < count; ++at) {
      const Copy<Index> copy = copies[at];
      to[kept] = copy;
      kept += drivers[copy.intermediate] == 1 ? 1 : 0;
    }
    return kept;
  }

  /// Passes the copies of a source group to intermediate groups.
  [[gnu::noinline]] void hand_over(std::int64_t cycle, std::size_t group, const Copy<Index>* copies,
                                   std::size_t count) {
    // Local copies, because the compiler must assume that stores into the tables change members.
    const RandomizedRules rules = rules_;
    const NodeId* const destination = destination_.data() + group * group_size_;
    const std::size_t block = block_start(group), source = group - block;
    std::uint64_t* const bits = handover_.bits(source / word_bits) + block;
    std::uint16_t* const indices = handover_.indices(source / word_bits) + block * word_bits + source % word_bits;
    const std::uint64_t bit = std::uint64_t{1} << source % word_bits;
    if (bit == 1) std::fill_n(bits, width_, std::uint64_t{0});  // the first of its strip
    for (std::size_t at = 0; at < count; ++at) {
      const Copy<Index>& later = copies[std::min(at + ahead, count - 1)];
      __builtin_prefetch(destination + later.sender);
      __builtin_prefetch(indices + later.intermediate * word_bits, 1);
      const std::size_t relay = copies[at].intermediate;
      bits[relay] |= bit;
      const NodeId to = destination[copies[at].sender];
      indices[relay * word_bits] = static_cast<std::uint16_t>(rules.temporary_index(to, cycle));
    }
  }

  /// Computes the classes of copies while their destinations are in the cache.
  void note_classes(std::size_t group, const Copy<Index>* copies, std::size_t count) {
    const NodeId* const destination = destination_.data() + group * group_size_;
    std::int32_t* const its_class = relayed_class_.data() + (copies - relayed_.data());
    for (std::size_t at = 0; at < count; ++at) its_class[at] = rules_.class_of(destination[copies[at].sender]);
  }

  /// The rule `random_group` for all processors of a group with a packet: those that take part are written to `copies`
  /// and count as drivers of their couplers; returns their number. Words of neighbours come from one block, so while
  /// many take part all words of the group are computed together.
  std::size_t draw(std::int64_t cycle, std::size_t group, Room& room) const {
    const std::size_t count = find_senders(cycle, group, room);
    const Index* const senders = room.senders.data();
    const NodeId first = first_of(group);
    const std::uint32_t index = threshold_ > ~std::uint32_t{0} ? 0 : 1;
    if (count * 8 >= group_size_) {
      const auto first_node = static_cast<std::uint32_t>(first);
      const std::uint32_t first_block = first_node >> 2;
      random_words(seed_, Purpose::algorithm, first_block,
                   (first_node + static_cast<std::uint32_t>(group_size_) - 1) / 4 - first_block + 1,
                   cycle * cycle_slots, index, room.words.data());
      const std::uint32_t* const words = room.words.data() + (first_node - 4 * first_block);
      choose_groups(
          cycle, first, count, [words](std::size_t, Index sender) { return words[sender]; }, room);
    } else {
      for (std::size_t at = 0; at < count; ++at) room.nodes[at] = first + static_cast<NodeId>(senders[at]);
      random_words_of(seed_, Purpose::algorithm, room.nodes.data(), count, cycle * cycle_slots, index,
                      room.words.data());
      choose_groups(
          cycle, first, count, [words = room.words.data()](std::size_t at, Index) { return words[at]; }, room);
    }
    return count;
  }

  /// Lists the processors of a group that take part in `senders`; returns their number.
  std::size_t find_senders(std::int64_t cycle, std::size_t group, Room& room) const {
    const bool all = threshold_ > ~std::uint32_t{0};
    const std::uint64_t* const waiting = waiting_bits_.data() + group * group_words_;
    if (!all) {
      if (std::all_of(waiting, waiting + group_words_, [](std::uint64_t word) { return word == 0; })) return 0;
      random_below(seed_, Purpose::algorithm, first_of(group), pops_.group_size(), cycle * cycle_slots, 0, threshold_,
                   room.below.data());
    }
    Index* const senders = room.senders.data();
    std::size_t count = 0;
    for (std::size_t word = 0; word < group_words_; ++word) {
      const auto base = static_cast<int>(word * word_bits);
      for (std::uint64_t bits = waiting[word] & (all ? ~std::uint64_t{0} : room.below[word]); bits != 0;
           bits &= bits - 1)
        senders[count++] = static_cast<Index>(base + lowest_bit(bits));
    }
    if (rules_.blocks() == 1) return count;
    const NodeId* const destination = destination_.data() + group * group_size_;
    const auto waits = [&](Index sender) {
      return !rules_.in_turn(static_cast<std::int32_t>(group), destination[sender], cycle);
    };
    return static_cast<std::size_t>(std::remove_if(senders, senders + count, waits) - senders);
  }

  /// The senders choose the groups given by their words. A separate function, so that its variables fit into
  /// registers.
  template <class WordOf>
  [[gnu::noinline]] void choose_groups(std::int64_t cycle, NodeId first, std::size_t count, WordOf word_of,
                                       Room& room) const {
    const auto range = static_cast<std::uint32_t>(width_);
    const Index* const senders = room.senders.data();
    Copy<Index>* const copies = room.copies.data();
    Index* const drivers = room.from_group.data();
    for (std::size_t at = 0; at < count; ++at) {
      const Index sender = senders[at];
      const std::uint64_t product = std::uint64_t{word_of(at, sender)} * range;
      auto intermediate = static_cast<std::uint16_t>(product >> 32);
      if (static_cast<std::uint32_t>(product) < range)  // possibly rejected, which is rare: the rule decides
        intermediate = random_group_index(first + static_cast<NodeId>(sender), cycle);
      copies[at] = {sender, intermediate};
      ++drivers[intermediate];
    }
  }

  /// For a sender that takes part: the index in its block of the group that it chooses.
  [[gnu::noinline, gnu::cold]] std::uint16_t random_group_index(NodeId sender, std::int64_t cycle) const {
    const std::int32_t group =
        rules_.random_group(seed_, sender, destination_[static_cast<std::size_t>(sender)], cycle, threshold_);
    return static_cast<std::uint16_t>(static_cast<std::size_t>(group) - block_start(static_cast<std::size_t>(group)));
  }

  /// Slot 2 of intermediate groups: the copies of slot 1 go on to the temporary groups.
  template <bool few>
  PassCounts pass_on(std::int64_t cycle, Room& room) {
    const std::size_t strips = handover_.strips();
    std::uint16_t* const drivers = room.from_relay.data();
    const auto rotation = static_cast<std::int32_t>(cycle % rules_.blocks());
    PassCounts counts;
    for (std::size_t relay = room.begin; relay < room.end; ++relay) {
      std::int32_t block_number = rules_.block_of(static_cast<std::int32_t>(relay)) + rotation;
      if (block_number >= rules_.blocks()) block_number -= rules_.blocks();
      const std::size_t block = static_cast<std::size_t>(block_number) * width_;
      bool any = false;
      std::size_t count = 0;  // of a few
      for (std::size_t strip = 0; strip < strips; ++strip) {
        const std::uint16_t* const indices = handover_.indices(strip) + relay * word_bits;
        const std::uint64_t arrived = handover_.bits(strip)[relay];
        any = any || arrived != 0;
        // The next relay's, unless it belongs to another thread, which writes its bits in this pass.
        if (!few || (relay + 1 < room.end && handover_.bits(strip)[relay + 1] != 0)) {
          __builtin_prefetch(indices + word_bits);
          __builtin_prefetch(indices + word_bits + word_bits / 2);
        }
        for (std::uint64_t bits = arrived; bits != 0; bits &= bits - 1) {
          const std::uint16_t index = indices[lowest_bit(bits)];
          ++drivers[index];
          if (few) room.indices[count++] = index;
        }
      }
      if (!any) continue;
      if (!few) counts.collisions += loads_.add(relay, block, drivers, width_);
      if (rules_.dead() != nullptr)
        for (std::size_t index = 0; index < width_; ++index)
          if (rules_.dead()->contains(static_cast<std::int32_t>(block + index), static_cast<std::int32_t>(relay)))
            drivers[index] = 2;
      for (std::size_t strip = 0; strip < strips; ++strip) {
        const std::uint16_t* const indices = handover_.indices(strip) + relay * word_bits;
        std::uint64_t& arrived = handover_.bits(strip)[relay];
        std::uint64_t carried = 0;
        for (std::uint64_t bits = arrived; bits != 0; bits &= bits - 1) {
          const int source = lowest_bit(bits);
          const std::uint64_t alone = drivers[indices[source]] == 1 ? 1 : 0;
          carried |= alone << source;
          counts.carried += static_cast<std::int64_t>(alone);
        }
        arrived = carried;
      }
      if (few) counts.collisions += loads_.add_few(relay, block, drivers, room.indices.data(), count);
      else std::fill_n(drivers, width_, std::uint16_t{0});
    }
    return counts;
  }

  /// Slots 3 and 4 of source groups: senders whose copy was alone twice drop their packet, unless the temporary group
  /// refused it. That group has it now: slot 5 delivers it in this cycle or in the next one that serves its class.
  /// Returns the number of such packets.
  std::int64_t hear(std::int64_t cycle, Room& room) {
    const Copy<Index>* copy = relayed_.data() + room.begin * width_;
    std::int64_t kept = 0;
    for (std::size_t group = room.begin; group < room.end; ++group) {
      const std::size_t block = block_start(group), source = group - block;
      std::uint64_t* const bits = handover_.bits(source / word_bits) + block;
      const auto index = static_cast<int>(source % word_bits);
      const Copy<Index>* const last = relayed_.data() + relayed_end_[group];
      Acknowledged<Index>* const acknowledged = room.acknowledged.data();
      const auto count = static_cast<std::size_t>(last - copy);
      if (rules_.dead() != nullptr) refuse(cycle, group, bits, index, copy, last);
      std::size_t heard = 0;
      const std::int32_t* const its_class =
          rules_.classes() > 1 ? relayed_class_.data() + (copy - relayed_.data()) : nullptr;
      for (std::size_t at = 0; at < count; ++at) {
        acknowledged[heard] = {copy[at].sender, its_class != nullptr ? its_class[at] : 0};
        heard += bits[copy[at].intermediate] >> index & 1;
      }
      for (std::size_t at = 0; at < count && audit_; ++at)
        audit_copy(room, first_of(group) + static_cast<NodeId>(copy[at].sender), block + copy[at].intermediate,
                   (bits[copy[at].intermediate] >> index & 1) != 0);
      leave(cycle, group, acknowledged, heard, room.due.data());
      kept += static_cast<std::int64_t>(heard);
      copy = last;
    }
    return kept;
  }

  /// Clears the bits of copies that their temporary group could not forward.
  void refuse(std::int64_t cycle, std::size_t group, std::uint64_t* bits, int index, const Copy<Index>* copy,
              const Copy<Index>* last) const {
    for (; copy != last; ++copy) {
      const NodeId destination = destination_[group * group_size_ + copy->sender];
      if (rules_.refuses(rules_.temporary_group(destination, cycle), destination))
        bits[copy->intermediate] &= ~(std::uint64_t{1} << index);
    }
  }

  /// Removes the packets of a group's acknowledged senders, and records their future delivery by slot 5.
  void leave(std::int64_t cycle, std::size_t group, const Acknowledged<Index>* packets, std::size_t count,
             std::int64_t* due) {
    std::uint64_t* const waiting = waiting_bits_.data() + group * group_words_;
    for (std::size_t at = 0; at < count; ++at)
      waiting[packets[at].sender / word_bits] ^= std::uint64_t{1} << packets[at].sender % word_bits;
    if (literal_ != nullptr) {
      for (std::size_t at = 0; at < count; ++at)
        literal_->keep(first_of(group) + static_cast<NodeId>(packets[at].sender));
      return;
    }
    std::int32_t* const delivered = run_.delivered.data() + group * group_size_;
    const auto now = static_cast<std::int32_t>((cycle + 1) * cycle_slots);
    if (rules_.classes() == 1) {
      for (std::size_t at = 0; at < count; ++at) delivered[packets[at].sender] = now;
      due[0] += static_cast<std::int64_t>(count);
      return;
    }
    const std::int32_t served = rules_.served_class(cycle), classes = rules_.classes();
    for (std::size_t at = 0; at < count; ++at) {
      __builtin_prefetch(delivered + packets[std::min(at + ahead, count - 1)].sender, 1);
      const std::int32_t its_class = packets[at].its_class;
      const std::int32_t wait = its_class - served + (its_class < served ? classes : 0);
      delivered[packets[at].sender] = now + wait * cycle_slots;
      ++due[static_cast<std::size_t>(its_class)];
    }
  }

  void audit_copy(const Room& room, NodeId sender, std::size_t intermediate, bool acknowledged) {
    audit_->note(room.number, {sender, destination_[static_cast<std::size_t>(sender)],
                               static_cast<std::int32_t>(intermediate), acknowledged});
  }

  SlotCounts last_slot(std::int64_t cycle) {
    if (literal_ != nullptr) {
      const std::int64_t listeners = std::accumulate(missing_.begin(), missing_.end(), std::int64_t{0});
      return literal_->play(cycle, listeners, loads_, [this, cycle](NodeId source) {
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

  /// Removes deliveries that were recorded for cycles after the last one, and counts the drives of slot 5.
  void settle(std::int64_t cycles, std::int64_t drain) {
    const auto last = static_cast<std::int32_t>(cycles * cycle_slots);
    in_all_rooms([&](Room& room) {
      std::int32_t* const begin = run_.delivered.data() + room.begin * group_size_;
      std::int32_t* const end = run_.delivered.data() + room.end * group_size_;
      if (rules_.classes() > 1)
        for (std::int32_t* delivered = begin; delivered != end; ++delivered) {
          const std::int32_t drained = (*delivered - last) / cycle_slots;
          if (*delivered > last) *delivered = drained <= drain ? last + drained : -1;
        }
      room.packets = std::count_if(begin, end, [](std::int32_t delivered) { return delivered >= 0; });
    });
    run_.undelivered = packets_;
    for (const Room& room : rooms_) run_.undelivered -= room.packets;
    if (literal_ == nullptr) count_last_drives();
    run_.max_load = loads_.greatest();
    if (audit_ && audit_->arrived() != packets_ - run_.undelivered)
      throw std::logic_error("check of randomized: packets at their destinations differ from the model's");
  }

  /// The drives of slot 5, all of which carry a message.
  void count_last_drives() {
    if (run_.undelivered == 0 && packets_ == pops_.nodes() && !rules_.options().shift) {
      // All processors have a packet: each coupler within a block was driven once for each class.
      const std::vector<std::uint32_t> drives(width_, static_cast<std::uint32_t>(rules_.classes()));
      for (std::size_t from = 0; from < groups_; ++from) loads_.add(from, block_start(from), drives.data(), width_);
      return;
    }
    for (std::size_t node = 0; node < destination_.size(); ++node) {
      if (run_.delivered[node] < 0) continue;
      // Only a shift depends on the cycle, and it has no drain.
      const std::int64_t cycle = run_.delivered[node] / cycle_slots - 1;
      const NodeId to = destination_[node];
      loads_.add_one(static_cast<std::size_t>(rules_.temporary_group(to, cycle)),
                     static_cast<std::size_t>(pops_.group_of(to)));
    }
  }

  /// Number of copies for which table entries are prefetched.
  static constexpr std::size_t ahead = 16;
  /// Above this number of couplers per copy, only driven couplers are visited.
  static constexpr std::size_t couplers_per_copy = 16;

  Pops pops_;
  const RandomizedRules& rules_;
  const std::vector<NodeId>& destination_;
  std::uint64_t seed_;
  std::size_t width_, groups_, group_size_;
  std::size_t group_words_;                  ///< of bits, one per processor of a group
  std::vector<std::uint64_t> waiting_bits_;  ///< [group][word] processors with a packet of their own
  /// Copies that slot 1 carried, by group; pages are mapped as needed: about a third of them.
  BigArray<Copy<Index>> relayed_;
  std::vector<std::size_t> relayed_end_;  ///< [group] end of its copies in `relayed_`
  BigArray<std::int32_t> relayed_class_;  ///< the classes of their destinations, if there are several
  Handover handover_;
  CouplerLoads loads_;
  std::vector<Room> rooms_;
  std::unique_ptr<ThreadPool> pool_;  ///< a thread for each

  std::vector<std::int64_t> missing_;         ///< [class] processors without their packet
  std::vector<std::int64_t> due_;             ///< [class] packets that its next slot 5 delivers
  std::unique_ptr<LiteralLastSlot> literal_;  ///< if slot 5 is the paper's own
  std::unique_ptr<RandomizedAudit> audit_;
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
  if (static_cast<std::size_t>(pops.group_size()) <= small_group)
    return RandomizedModel<std::uint16_t>(pops, rules, destination, seed, check, limits.threads).run(limits);
  return RandomizedModel<std::uint32_t>(pops, rules, destination, seed, check, limits.threads).run(limits);
}

MessageRun run_model(const RandomizedAlgorithm& algorithm, const MessageLimits& limits) {
  const Pops& pops = algorithm.pops();
  return route_randomized(pops, algorithm.rules(), algorithm.destination(), algorithm.seed(), limits,
                          pops.nodes() <= checked_nodes);
}

int most_threads(const RandomizedAlgorithm& algorithm) {
  if (algorithm.rules().options().literal) return 1;
  const int strips = (algorithm.rules().width() + static_cast<int>(word_bits) - 1) / static_cast<int>(word_bits);
  return algorithm.rules().blocks() * strips;
}

}  // namespace starloom::pops
