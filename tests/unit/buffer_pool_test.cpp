// SPDX-License-Identifier: Apache-2.0
#include <starloom/core/buffer_pool.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include <starloom/core/random.hpp>

namespace starloom {
namespace {

Flit flit_of(PacketId packet, std::int32_t index = 0) {
  Flit flit;
  flit.packet = packet;
  flit.index = index;
  return flit;
}

TEST(BufferPool, OrdersByRankThenPacket) {
  BufferPool pool(2);
  pool.push(1, flit_of(5), 3);
  pool.push(1, flit_of(9), 1);
  pool.push(1, flit_of(2), 3);
  pool.push(1, flit_of(4), 2);
  EXPECT_TRUE(pool.empty(0));
  EXPECT_EQ(pool.size(1), 4);
  for (const PacketId expected : {9, 4, 2, 5}) EXPECT_EQ(pool.pop(1).packet, expected);
  EXPECT_TRUE(pool.empty(1));
}

// Against a sorted vector, the obvious implementation: short buffers, and long ones that fill and empty. Of packets
// with one rank, lower numbers come late, too; each packet has two flits.
TEST(BufferPool, AgreesWithASortedVector) {
  using Key = std::tuple<std::int64_t, PacketId, std::int32_t>;
  for (const std::uint32_t ranks : {1, 6, 100000}) {
    BufferPool pool(3);
    std::vector<Key> plain[3];
    RandomStream random(3, Purpose::algorithm, 0, 0);
    std::size_t longest = 0, emptied = 0;
    for (std::int32_t p = 0; p < 60000; ++p) {
      const std::uint32_t b = random.bounded(3);
      const bool filling = p / 10000 % 2 == 0;
      if (random.bounded(9) < (filling ? 6 : 3)) {
        const std::int32_t number = p * 7919 % 60013;
        const Key key{random.bounded(ranks), number / 2, number % 2};
        pool.push(b, flit_of(number / 2, number % 2), std::get<0>(key));
        plain[b].insert(std::upper_bound(plain[b].begin(), plain[b].end(), key), key);
      } else if (!plain[b].empty()) {
        const Key front = plain[b].front();
        ASSERT_EQ(pool.front(b).packet, std::get<1>(front));
        const Flit flit = pool.pop(b);
        ASSERT_EQ(flit.packet, std::get<1>(front));
        ASSERT_EQ(flit.index, std::get<2>(front));
        plain[b].erase(plain[b].begin());
        if (plain[b].empty()) ++emptied;
      }
      longest = std::max(longest, plain[b].size());
      ASSERT_EQ(pool.size(b), static_cast<std::int32_t>(plain[b].size()));
      if (p % 1000 != 0) continue;
      const std::vector<Flit> flits = pool.flits(b);
      ASSERT_EQ(flits.size(), plain[b].size());
      for (std::size_t i = 0; i < flits.size(); ++i) ASSERT_EQ(flits[i].packet, std::get<1>(plain[b][i]));
    }
    EXPECT_GT(longest, 1000u);
    EXPECT_GT(emptied, 10u);
  }
}

// Each push into a queue of 10^5 would look at half of it.
TEST(BufferPool, LongQueuesAreNotWalked) {
  constexpr PacketId flits = 300000;
  BufferPool pool(1);
  for (PacketId p = 0; p < flits; ++p) pool.push(0, flit_of(p), (p * std::int64_t{7919}) % 100003);
  std::int64_t last = -1;
  for (PacketId p = 0; p < flits; ++p) {
    const std::int64_t rank = (pool.pop(0).packet * std::int64_t{7919}) % 100003;
    ASSERT_LE(last, rank);
    last = rank;
  }
  EXPECT_TRUE(pool.empty(0));
}

struct Counter final : BufferObserver {
  int in = 0, out = 0;
  void pushed(const Flit&) override { ++in; }
  void popped(const Flit&) override { ++out; }
};

TEST(BufferPool, ShowsOneBufferToItsObserver) {
  BufferPool pool(2);
  Counter counter;
  pool.observe(1, &counter);
  pool.push(0, flit_of(1), 0);
  pool.push(1, flit_of(2), 0);
  pool.pop(1);
  EXPECT_EQ(counter.in, 1);
  EXPECT_EQ(counter.out, 1);
}

}  // namespace
}  // namespace starloom
