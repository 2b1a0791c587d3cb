// SPDX-License-Identifier: Apache-2.0
#include <starloom/message/pops/randomized_audit.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

namespace starloom::pops {
namespace {

/// A cycle as a model reports it.
struct ReportedCycle {
  std::int64_t number;
  std::vector<SentCopy> copies;
  SlotCounts rows[RandomizedRules::cycle_slots];
};

/// The audit's finding for cycles and a drain slot after them, or the number of packets that arrived; the same for
/// any number of threads.
std::string verdict(const Pops& pops, const std::vector<ReportedCycle>& cycles, const SlotCounts* drain = nullptr) {
  const RandomizedRules rules(pops, RandomizedOptions());
  std::vector<std::size_t> cuts;
  for (std::size_t group = 0; group < static_cast<std::size_t>(pops.groups()); ++group) cuts.push_back(group);
  std::string first;
  for (const int threads : {1, 2, 3, 5}) {
    const std::vector<GroupRange> ranges = group_ranges(cuts.size(), cuts, threads);
    ThreadPool pool(static_cast<int>(ranges.size()));
    RandomizedAudit audit(pops, rules, ranges, pool);
    std::string found;
    try {
      for (const ReportedCycle& cycle : cycles) {
        for (const SentCopy& copy : cycle.copies) {
          std::size_t range = 0;
          while (static_cast<std::size_t>(pops.group_of(copy.source)) >= ranges[range].end) ++range;
          audit.note(range, copy);
        }
        audit.cycle(cycle.number, cycle.rows);
      }
      if (drain != nullptr) audit.drain(cycles.back().number + 1, *drain);
      found = std::to_string(audit.arrived()) + " arrived";
    } catch (const std::logic_error& error) {
      found = error.what();
    }
    if (threads == 1) first = found;
    EXPECT_EQ(found, first) << threads << " threads";
  }
  return first;
}

/// POPS(3,3): two packets to processors of different groups, each alone everywhere; a third and a fourth meet in slot
/// 1.
const ReportedCycle sound{0,
                          {{0, 8, 1, true}, {3, 1, 2, true}, {7, 5, 0, false}, {8, 4, 0, false}},
                          {{4, 2, 1, 9}, {2, 2, 0, 9}, {2, 2, 0, 2}, {2, 2, 0, 4}, {2, 2, 0, 9}}};
const Pops square(3, 3);

TEST(RandomizedAudit, AcceptsWhatIsRight) {
  EXPECT_EQ(verdict(square, {sound}), "2 arrived");
  ReportedCycle next = sound;
  next.number = 1;
  next.copies = {{7, 5, 0, true}, {8, 4, 1, true}};
  const SlotCounts rows[] = {{2, 2, 0, 9}, {2, 2, 0, 9}, {2, 2, 0, 2}, {2, 2, 0, 2}, {2, 2, 0, 7}};
  std::copy(std::begin(rows), std::end(rows), next.rows);
  EXPECT_EQ(verdict(square, {sound, next}), "4 arrived");
}

TEST(RandomizedAudit, FindsCountsThatDiffer) {
  for (int slot = 0; slot < RandomizedRules::cycle_slots; ++slot)
    for (std::int64_t SlotCounts::*count :
         {&SlotCounts::drives, &SlotCounts::delivered, &SlotCounts::collisions, &SlotCounts::listeners}) {
      ReportedCycle wrong = sound;
      ++(wrong.rows[slot].*count);
      EXPECT_EQ(verdict(square, {wrong}),
                slot < 4 ? "check of randomized, cycle 0: the counts of slot " + std::to_string(slot + 1) + " differ"
                         : "check of randomized, cycle 0: the counts of slot 5 or a drain slot differ");
    }
}

TEST(RandomizedAudit, FindsACopyOfAnotherGroupThanToldAndTellsTheEarliestSlot) {
  ReportedCycle wrong = sound;
  wrong.copies[3].intermediate = 1;  // no longer meets the third
  ++wrong.rows[3].drives;
  wrong.copies[0].acknowledged = false;
  EXPECT_EQ(verdict(square, {wrong}), "check of randomized, cycle 0: the counts of slot 1 differ");
}

TEST(RandomizedAudit, FindsAcknowledgementsThatDiffer) {
  for (std::size_t copy = 0; copy < sound.copies.size(); ++copy) {
    ReportedCycle wrong = sound;
    wrong.copies[copy].acknowledged = !wrong.copies[copy].acknowledged;
    EXPECT_EQ(verdict(square, {wrong}),
              "check of randomized, cycle 0: an acknowledgement came or failed against the model");
  }
}

// Two rules are broken in one slot, by the couplers of different groups.
TEST(RandomizedAudit, OfSeveralBreachesTellsTheSameWhoeverSawIt) {
  const ReportedCycle first{
      0, {{2, 0, 1, true}}, {{1, 1, 0, 9}, {1, 1, 0, 9}, {1, 1, 0, 1}, {1, 1, 0, 1}, {1, 1, 0, 9}}};
  ReportedCycle again = first;
  again.number = 1;
  again.rows[4] = {1, 0, 0, 8};
  EXPECT_EQ(verdict(square, {first, again}), "check of randomized, cycle 1: a packet arrived twice");
  const ReportedCycle both{1,
                           {{3, 8, 0, true}, {6, 8, 1, true}, {8, 0, 2, true}},
                           {{3, 3, 0, 9}, {3, 3, 0, 9}, {3, 3, 0, 3}, {3, 3, 0, 3}, {3, 0, 1, 8}}};
  EXPECT_EQ(verdict(square, {first, both}), "check of randomized, cycle 1: two packets met in slot 5");
}

TEST(RandomizedAudit, BuffersAreEmptiedByTheSlotThatServesTheirClass) {
  const Pops tall(6, 3);
  const ReportedCycle kept{
      0, {{0, 4, 2, true}}, {{1, 1, 0, 9}, {1, 1, 0, 9}, {1, 1, 0, 1}, {1, 1, 0, 1}, {0, 0, 0, 9}}};
  const SlotCounts served{1, 1, 0, 9}, late{0, 0, 0, 9};
  EXPECT_EQ(verdict(tall, {kept}, &served), "1 arrived");
  EXPECT_EQ(verdict(tall, {kept}, &late), "check of randomized, cycle 1: the counts of slot 5 or a drain slot differ");
  ReportedCycle skipped = kept;  // the class was not served in between
  skipped.number = 2;
  EXPECT_EQ(verdict(tall, {kept, skipped}), "check of randomized, cycle 2: a packet arrived at a full buffer");
}

}  // namespace
}  // namespace starloom::pops
