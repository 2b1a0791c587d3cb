// SPDX-License-Identifier: Apache-2.0
/// \file What transactions are reckoned with, without SystemC: lengths of packets, faults, steps that are taken,
/// addresses.
#include <gtest/gtest.h>

#include <random>
#include <set>
#include <utility>

#include <starloom/sockets/address_map.hpp>
#include <starloom/sockets/slot_calendar.hpp>
#include <starloom/sockets/transaction_packets.hpp>

namespace starloom {
namespace {

TEST(PacketSizes, CountHeaderDataAndByteEnables) {
  const PacketSizes sizes(16);
  using Command = TransactionCommand;
  EXPECT_EQ(sizes.request({Command::read, 256, true}), 1);
  EXPECT_EQ(sizes.response({Command::read, 256, true}), 17);
  EXPECT_EQ(sizes.request({Command::write, 16, false}), 2);
  EXPECT_EQ(sizes.request({Command::write, 17, false}), 3);
  EXPECT_EQ(sizes.request({Command::write, 17, true}), 5);
  EXPECT_EQ(sizes.response({Command::write, 17, true}), 1);
  EXPECT_EQ(sizes.request({Command::ignore, 64, true}), 1);
  EXPECT_EQ(sizes.response({Command::ignore, 64, true}), 1);
  EXPECT_EQ(PacketSizes(1).response({Command::read, 3, false}), 4);
}

TEST(TransactionErrors, TheFirstCounts) {
  const TransactionRequest good{TransactionCommand::read, true, 8, 8, true, 8};
  EXPECT_EQ(error_of(good, true), TransactionError::none);
  TransactionRequest request = good;
  request.byte_enable_length = 9;
  EXPECT_EQ(error_of(request, true), TransactionError::byte_enable);
  EXPECT_EQ(error_of(request, false), TransactionError::none);
  request.streaming_width = 0;
  EXPECT_EQ(error_of(request, true), TransactionError::burst);
  EXPECT_EQ(error_of(request, false), TransactionError::none);
  request.byte_enable_length = 0;
  EXPECT_EQ(error_of(request, false), TransactionError::byte_enable);
  request.has_data = false;
  for (const bool strict : {false, true}) EXPECT_EQ(error_of(request, strict), TransactionError::generic);
  request.command = TransactionCommand::ignore;
  for (const bool strict : {false, true}) EXPECT_EQ(error_of(request, strict), TransactionError::none);
  request.command = {};
  for (const bool strict : {false, true}) EXPECT_EQ(error_of(request, strict), TransactionError::command);
}

TEST(TransactionErrors, AnAccessThatMovesNoDataNeedsNoPointer) {
  const TransactionRequest request{TransactionCommand::write, false, 0, 0, false, 0};
  EXPECT_EQ(error_of(request, false), TransactionError::none);
  EXPECT_EQ(error_of(request, true), TransactionError::generic);
}

TEST(TransactionErrors, LooseAttributesAreNamedOneByOne) {
  const TransactionRequest good{TransactionCommand::read, true, 8, 4, true, 8};
  EXPECT_EQ(loose_attribute_of(good), LooseAttribute::none);
  TransactionRequest request = good;
  request.byte_enable_length = 9;
  EXPECT_EQ(loose_attribute_of(request), LooseAttribute::long_byte_enables);
  request.streaming_width = 0;
  EXPECT_EQ(loose_attribute_of(request), LooseAttribute::no_streaming_width);
  request.length = 0;
  EXPECT_EQ(loose_attribute_of(request), LooseAttribute::no_data);
  request.command = TransactionCommand::ignore;
  EXPECT_EQ(loose_attribute_of(request), LooseAttribute::none);
}

TEST(SlotCalendar, TakesTheFirstGapAsASetOfStepsSaysIt) {
  std::mt19937 draws(7);
  SlotCalendar calendar;
  std::set<Step> taken;
  Step now = 0;
  for (int k = 0; k < 20'000; ++k) {
    now += static_cast<Step>(draws() % 24);
    const Step from = now + static_cast<Step>(draws() % 700);
    const Step length = 1 + static_cast<Step>(draws() % (draws() % 20 == 0 ? 130 : 4));
    Step expected = from;
    for (Step step = from; step < expected + length; ++step)
      if (taken.count(step) != 0) expected = step + 1;
    ASSERT_EQ(calendar.take(from, length), expected) << k;
    for (Step step = expected; step < expected + length; ++step) taken.insert(step);
    ASSERT_LT(expected + length, now + SlotCalendar::window / 2) << "what is far behind is forgotten";
  }
}

TEST(SlotCalendar, ForgetsWhatIsAWindowBehind) {
  SlotCalendar calendar;
  EXPECT_EQ(calendar.take(5, 10), 5);
  EXPECT_EQ(calendar.take(5 + SlotCalendar::window, 10), 5 + SlotCalendar::window);
  EXPECT_EQ(calendar.take(5, 10), 5);
  EXPECT_EQ(calendar.take(20, 10), 20);
  EXPECT_EQ(calendar.take(5 + SlotCalendar::window, 1), 15 + SlotCalendar::window);
  EXPECT_EQ(calendar.take(20 + SlotCalendar::window, 1), 20 + SlotCalendar::window);  // not those of a window before
  EXPECT_EQ(calendar.take(1'000'000, 1'000'000), 1'000'000);                          // more than there is room for
}

TEST(AddressMap, FindsWhatLiesInOneRangeAsAWhole) {
  const AddressMap map({{0x100, 0x10}, {~std::uint64_t{0}, 1}, {0, 0x10}});
  EXPECT_EQ(map.find(0, 0x10), 2u);
  EXPECT_EQ(map.find(0xf, 1), 2u);
  EXPECT_EQ(map.find(0xf, 2), std::nullopt);
  EXPECT_EQ(map.find(0x10f, 0), 0u);
  EXPECT_EQ(map.find(~std::uint64_t{0}, 1), 1u);
  EXPECT_EQ(map.find(~std::uint64_t{0}, 2), std::nullopt);
  EXPECT_EQ(map.gap(0x50), (std::pair<std::uint64_t, std::uint64_t>(0x10, 0xff)));
}

TEST(AddressMap, FindsTheSameAsALookAtEveryRange) {
  std::mt19937 draws(5);
  for (std::size_t count = 0; count < 40; ++count) {
    std::vector<AddressRange> ranges;
    std::uint64_t base = draws() % 3;
    for (std::size_t i = 0; i < count; ++i) {
      ranges.push_back({base, 1 + draws() % 5});
      base += ranges.back().size + draws() % 3;
    }
    for (std::size_t i = count; i > 1; --i) std::swap(ranges[i - 1], ranges[draws() % i]);
    const AddressMap map(ranges);
    for (std::uint64_t address = 0; address < base + 3; ++address)
      for (const std::uint64_t length : {0, 1, 2, 5}) {
        std::optional<std::size_t> expected;
        for (std::size_t i = 0; i < count; ++i)
          if (address >= ranges[i].base && address <= ranges[i].last() && address + length <= ranges[i].last() + 1)
            expected = i;
        ASSERT_EQ(map.find(address, length), expected) << address << " of " << count << " ranges";
      }
  }
}

}  // namespace
}  // namespace starloom
