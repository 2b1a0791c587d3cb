#include <starloom/core/buffer_pool.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include <starloom/core/random.hpp>

namespace starloom {
namespace {

Flit flit_of(PacketId packet) {
  Flit flit;
  flit.packet = packet;
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

TEST(BufferPool, TakesFromTheMiddleAndTheEnd) {
  BufferPool pool(1);
  for (const PacketId p : {1, 2, 3}) pool.push(0, flit_of(p), 0);
  EXPECT_EQ(pool.take(0, pool.next(pool.first(0))).packet, 3);
  EXPECT_EQ(pool.take(0, pool.first(0)).packet, 2);
  pool.push(0, flit_of(7), 0);
  EXPECT_EQ(pool.pop(0).packet, 1);
  EXPECT_EQ(pool.pop(0).packet, 7);
}

// Against a sorted vector, the obvious implementation: short buffers, and long ones that fill and empty. Of packets with one
// rank, lower numbers come late, too.
TEST(BufferPool, AgreesWithASortedVector) {
  using Key = std::tuple<std::int64_t, PacketId>;
  for (const std::uint32_t ranks : {1, 6, 100000}) {
    BufferPool pool(3);
    std::vector<Key> plain[3];
    RandomStream random(3, Purpose::algorithm, 0, 0);
    for (PacketId p = 0; p < 40000; ++p) {
      const PacketId packet = p * 7919 % 40009;
      const std::uint32_t b = random.bounded(3);
      const bool filling = p / 10000 % 2 == 0;
      if (plain[b].empty() || random.bounded(9) < (filling ? 6 : 3)) {
        const std::int64_t rank = random.bounded(ranks);
        pool.push(b, flit_of(packet), rank);
        const Key key{rank, packet};
        plain[b].insert(std::upper_bound(plain[b].begin(), plain[b].end(), key), key);
      } else {
        // The front, as a rule.
        const std::uint32_t at = p % 4 != 0 ? 0 : random.bounded(static_cast<std::uint32_t>(plain[b].size()));
        auto previous = BufferPool::none;
        for (std::uint32_t i = 0; i < at; ++i) previous = previous < 0 ? pool.first(b) : pool.next(previous);
        ASSERT_EQ(pool.take(b, previous).packet, std::get<1>(plain[b][at]));
        plain[b].erase(plain[b].begin() + at);
      }
      ASSERT_EQ(pool.size(b), static_cast<std::int32_t>(plain[b].size()));
      if (p % 1000 != 0) continue;
      auto expected = plain[b].begin();
      for (auto place = pool.first(b); place != BufferPool::none; place = pool.next(place))
        ASSERT_EQ(pool.flit(place).packet, std::get<1>(*expected++));
      ASSERT_EQ(expected, plain[b].end());
    }
  }
}

// Each push into a queue of 10^5 would look at half of it.
TEST(BufferPool, LongQueuesAreCrossedInLanes) {
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
