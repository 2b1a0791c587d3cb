// SPDX-License-Identifier: Apache-2.0
// Histograms, and packets that are summed up and forgotten.
#include <gtest/gtest.h>

#include <limits>

#include <starloom/core/histogram.hpp>
#include <starloom/core/source_memory.hpp>
#include <starloom/referee/links/referee.hpp>
#include "support/networks.hpp"

namespace starloom {
namespace {

TEST(Histogram, CountsValuesOfAnySize) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  Histogram histogram;
  EXPECT_TRUE(histogram.empty());
  for (const std::int64_t value :
       {most, std::int64_t{5}, std::int64_t{4096}, std::int64_t{0}, most, std::int64_t{4095}})
    histogram.add(value);
  EXPECT_EQ(histogram.count(), 6);
  // Twice the greatest number is more than 64 bits with a sign hold.
  EXPECT_EQ(histogram.sum(), 18446744073709559808.0);
  std::vector<std::pair<std::int64_t, std::int64_t>> seen;
  histogram.for_each([&](std::int64_t value, std::int64_t times) { seen.emplace_back(value, times); });
  const std::vector<std::pair<std::int64_t, std::int64_t>> expected = {{0, 1}, {5, 1}, {4095, 1}, {4096, 1}, {most, 2}};
  EXPECT_EQ(seen, expected);
}

TEST(SourceMemory, ForgetsPacketsThatHaveLeft) {
  SourceMemory memory(2);
  for (PacketId packet = 0; packet < 6; ++packet) memory.add(packet % 2, packet);
  for (int i = 0; i < 4; ++i) memory.take_packet(i % 2);
  memory.remove_before(4);
  memory.add(0, 6);
  EXPECT_EQ(memory.front(0), 4);
  EXPECT_EQ(memory.after(4), 6);
  EXPECT_TRUE(memory.holds(0, 6));
  EXPECT_FALSE(memory.holds(1, 6));
  memory.take_packet(0, 6);
  EXPECT_EQ(memory.after(4), no_packet);
  EXPECT_EQ(memory.front(1), 5);
}

}  // namespace
}  // namespace starloom

namespace starloom::links {
namespace {

/// A line of three nodes; packet 0 goes from 0 to 1 and has arrived, packet 1 from 1 to 2.
class CompactedRecord : public testing::Test {
 protected:
  CompactedRecord() : referee_(network_of(Grid::mesh({1, 3})).graph, {}) {
    referee_.packets({{0, 1, 1, 0}, {1, 2, 1, 0}});
    referee_.rows({{0, TraceEvent::inject, 0, 0, 0}, {0, TraceEvent::hop, 0, 0, 0, 1, 1}});
    referee_.rows({{1, TraceEvent::eject, 0, 0, 1}});
  }
  std::string error() const { return referee_.ok() ? "" : referee_.violation().text; }
  Referee referee_;
};

TEST_F(CompactedRecord, JudgesWhatItForgets) {
  referee_.remove_before(1, {1, no_step});
  EXPECT_EQ(error(), "");
  referee_.packets({{2, 0, 1, 2}});
  referee_.rows({{2, TraceEvent::inject, 1, 0, 1}, {2, TraceEvent::hop, 1, 0, 1, 1, 2}});
  referee_.rows({{3, TraceEvent::eject, 1, 0, 2}});
  referee_.finish({3, no_step}, false);
  EXPECT_EQ(error(), "");
}

TEST_F(CompactedRecord, RejectsWhatTheRowsDoNotSay) {
  referee_.remove_before(1, {2, no_step});
  EXPECT_EQ(
      error(),
      "step 1, node_r00_c01: packet 0, flit 0 is reported delivered in step 2, but by the rows it arrives in step 1");
}

TEST_F(CompactedRecord, RejectsTheForgettingOfAPacketThatHasNotArrived) {
  referee_.remove_before(2, {1, no_step});
  EXPECT_EQ(error(), "step 1, node_r00_c02: packet 1, flit 0 never arrives; it remains in node_r00_c01");
}

TEST_F(CompactedRecord, RejectsRowsOfWhatIsForgotten) {
  referee_.remove_before(1, {1, no_step});
  referee_.rows({{2, TraceEvent::hop, 0, 0, 1, 1, 2}});
  EXPECT_EQ(error(), "step 2, link_r00_c01_east: packet 0, flit 0 appears after its packet was delivered");
}

TEST_F(CompactedRecord, StillCountsAtTheEnd) {
  referee_.remove_before(1, {1, no_step});
  referee_.finish({}, false);
  EXPECT_EQ(error(), "step 1, the network: 0 packets are reported, 1 were created");
}

TEST(SourceMemory, APacketTakenFromTheEndIsTheLastNoMore) {
  SourceMemory memory(1);
  for (PacketId packet = 0; packet < 3; ++packet) memory.add(0, packet);
  memory.take_packet(0, 2);
  memory.add(0, 3);
  EXPECT_EQ(memory.packets(0), 3);
  EXPECT_EQ(memory.after(1), 3);
  EXPECT_EQ(memory.after(3), no_packet);
}

}  // namespace
}  // namespace starloom::links
