// SPDX-License-Identifier: Apache-2.0
// The parts of a campaign without runs: intervals, shards, batches, statistics of samples.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include <starloom/campaign/channel.hpp>
#include <starloom/campaign/sample.hpp>
#include <starloom/campaign/work.hpp>
#include <starloom/support/error.hpp>

namespace starloom {
namespace {

using testing::ElementsAre;

TEST(Intervals, DifferenceAndIntersectionAgreeWithSets) {
  const auto of = [](unsigned bits) {
    Intervals intervals;
    for (int i = 0; i < 6; ++i)
      if ((bits >> i & 1) != 0) append(intervals, i);
    return intervals;
  };
  for (unsigned a = 0; a < 64; ++a)
    for (unsigned b = 0; b < 64; ++b) {
      EXPECT_EQ(difference(of(a), of(b)), of(a & ~b)) << a << " " << b;
      EXPECT_EQ(intersection(of(a), of(b)), of(a & b)) << a << " " << b;
    }
}

TEST(Intervals, DifferenceWithNeighboursThatAreNotJoined) {
  EXPECT_THAT(difference({{0, 5}, {5, 10}}, {{3, 6}, {6, 7}}), ElementsAre(Interval{0, 3}, Interval{7, 10}));
}

TEST(Shards, EveryRunIsInExactlyOneShard) {
  for (const std::int64_t shards : {1, 2, 3, 4, 7, 64})
    for (const std::int64_t runs : {1, 2, 3, 5, 20, 100, 39'999, 100'003})
      for (std::int64_t point = 0; point < 5; ++point) {
        Intervals left = {{0, runs}};
        std::int64_t sum = 0;
        for (std::int64_t i = 0; i < shards; ++i) {
          const Intervals mine = shard_runs({i, shards}, point, runs);
          sum += size(mine);
          left = difference(left, mine);
        }
        EXPECT_EQ(sum, runs) << shards << " " << point;
        EXPECT_THAT(left, testing::IsEmpty());
      }
}

TEST(Shards, AreOfTheSameSizeOverAsManyPointsAsShards) {
  for (const std::int64_t shards : {2, 4, 7})
    for (const std::int64_t runs : {1, 3, 20, 100, 2'000'000}) {
      constexpr std::int64_t points = 28;
      for (std::int64_t i = 0; i < shards; ++i) {
        std::int64_t sum = 0;
        for (std::int64_t p = 0; p < points; ++p) sum += size(shard_runs({i, shards}, p, runs));
        EXPECT_EQ(sum * shards, points * runs);
      }
    }
}

TEST(Shards, Option) {
  EXPECT_EQ(parse_shard("0/1").count, 1);
  EXPECT_EQ(parse_shard("3/4").index, 3);
  for (const char* text : {"", "/", "1", "4/4", "-1/4", "a/4", "1/0", "1/4/2", "0/1000001"})
    EXPECT_THROW(parse_shard(text), InputError) << text;
}

TEST(WorkList, GivesEveryRunOnce) {
  WorkList work(2);
  work.add(0, {0, 30'000});
  work.add(1, {5, 8});
  std::set<std::pair<int, std::int64_t>> seen;
  int batches = 0;
  while (const auto batch = work.take()) {
    ++batches;
    for (std::int64_t i = 0; i < batch->count; ++i) EXPECT_TRUE(seen.emplace(batch->point, batch->first + i).second);
    work.learn(batch->point, batch->count, 1e-6 * static_cast<double>(batch->count));
    if (batches == 3) {
      work.give_back(batch->point, {batch->first, batch->first + 1});
      seen.erase({batch->point, batch->first});
    }
  }
  EXPECT_EQ(seen.size(), 30'003U);
  EXPECT_EQ(work.left(), 0);
}

TEST(WorkList, BatchesFollowTheTimeOfARun) {
  WorkList work(1);
  work.add(0, {0, 1'000'000});
  EXPECT_EQ(work.take()->count, 1);  // no times are known yet
  work.learn(0, 1, 0.01);
  EXPECT_EQ(work.take()->count, 10);
  work.learn(0, 10, 50);
  EXPECT_EQ(work.take()->count, 1);
  work.learn(0, 1, 1e-7);
  EXPECT_EQ(work.take()->count, 10'000);
}

TEST(WorkList, BatchesShrinkTowardsTheEnd) {
  WorkList work(2);
  work.add(0, {0, 41});
  work.take();
  work.learn(0, 1, 1e-6);
  EXPECT_EQ(work.take()->count, 10);
  EXPECT_EQ(work.take()->count, 8);
}

TEST(Channel, MessagesSurviveAnyCut) {
  RowPacker packer;
  RowMessage row;
  row.row.index = 7;
  row.row.outcome = Outcome::livelock;
  row.row.metrics = "[1,2.5]";
  row.row.result = "{}";
  row.row.cpu_microseconds = 99;
  packer.add(row);
  row.error = "broken";
  packer.add(row);
  packer.end_batch(true, 1234);
  const std::string bytes = packer.bytes();
  for (std::size_t step = 1; step <= bytes.size(); ++step) {
    RowUnpacker unpacker;
    std::vector<WorkerMessage> messages;
    WorkerMessage message;
    for (std::size_t at = 0; at < bytes.size(); at += step) {
      unpacker.feed(bytes.data() + at, std::min(step, bytes.size() - at));
      while (unpacker.next(message)) messages.push_back(message);
    }
    ASSERT_EQ(messages.size(), 3U);
    EXPECT_EQ(messages[0].row.row.metrics, "[1,2.5]");
    EXPECT_EQ(messages[0].row.row.result, "{}");
    EXPECT_EQ(messages[0].row.row.outcome, Outcome::livelock);
    EXPECT_EQ(messages[0].row.error, "");
    EXPECT_EQ(messages[1].row.error, "broken");
    EXPECT_TRUE(messages[2].retires);
    EXPECT_EQ(messages[2].cpu_microseconds, 1234);
  }
}

// t(4; 0.975) = 2.776445105.
TEST(SampleTest, IntervalByStudent) {
  const Sample sample = sample_of({1, 2, 3, 4, 10});
  EXPECT_EQ(sample.runs, 5);
  EXPECT_EQ(sample.mean, 4);
  EXPECT_EQ(sample.median, 3);
  EXPECT_EQ(sample.max, 10);
  EXPECT_DOUBLE_EQ(*sample.sd, std::sqrt(12.5));
  EXPECT_NEAR(*sample.ci_low, 4 - 2.776445105 * std::sqrt(2.5), 1e-8);
  EXPECT_NEAR(*sample.ci_high, 4 + 2.776445105 * std::sqrt(2.5), 1e-8);
  EXPECT_DOUBLE_EQ(*deviation(sample, 3), 1 / std::sqrt(2.5));
}

// E. B. Wilson, 1927; 8 of 10 and 0 of 10 are examples of textbooks.
TEST(SampleTest, IntervalOfAProportion) {
  const Sample sample = sample_of_truths({1, 1, 0, 1, 1, 1, 0, 1, 1, 1});
  EXPECT_TRUE(sample.is_proportion);
  EXPECT_DOUBLE_EQ(*sample.mean, 0.8);
  EXPECT_NEAR(*sample.ci_low, 0.4902, 1e-4);
  EXPECT_NEAR(*sample.ci_high, 0.9433, 1e-4);
  EXPECT_EQ(interval_of_proportion(0, 10).low, 0);
  EXPECT_NEAR(interval_of_proportion(0, 10).high, 0.2775, 1e-4);
  for (const std::int64_t total : {1, 3, 7, 1000}) EXPECT_EQ(interval_of_proportion(total, total).high, 1);
  const Sample one = sample_of_truths({0});
  EXPECT_EQ(one.ci_low, 0);
  EXPECT_NEAR(*one.ci_high, 0.7935, 1e-4);
  EXPECT_FALSE(sample_of_truths({}).ci_low);
}

TEST(SampleTest, SmallSamples) {
  EXPECT_FALSE(sample_of({}).mean);
  const Sample one = sample_of({7});
  EXPECT_EQ(one.median, 7);
  EXPECT_FALSE(one.sd || one.ci_low || deviation(one, 7));
  const Sample equal = sample_of({2, 2});
  EXPECT_EQ(equal.ci_low, 2);
  EXPECT_EQ(deviation(equal, 2), 0);
  EXPECT_EQ(*deviation(equal, 3), -INFINITY);
  EXPECT_EQ(sample_of({1, 2}).median, 1.5);
}

}  // namespace
}  // namespace starloom
