// SPDX-License-Identifier: Apache-2.0
/// \file The parts of the router, against loops.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <set>
#include <type_traits>
#include <vector>

#include <starloom/control/links/pipeline.hpp>
#include <starloom/core/random.hpp>
#include <starloom/router/channel_allocator.hpp>
#include <starloom/router/channel_table.hpp>
#include <starloom/router/general_allocators.hpp>
#include <starloom/router/ring_flit.hpp>
#include <starloom/router/source_channels.hpp>
#include <starloom/router/switch_allocator.hpp>

namespace starloom::router {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Random numbers for tests.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : random_(seed, Purpose::algorithm, 0, 0) {}
  int below(int n) { return static_cast<int>(random_.bounded(static_cast<std::uint32_t>(n))); }
  bool one_in(int n) { return below(n) == 0; }

 private:
  RandomStream random_;
};

template <class Set>
std::vector<int> members(const Set& set) {
  std::vector<int> list;
  set.for_each([&list](int i) { list.push_back(i); });
  return list;
}

template <int words>
void compare_with_a_set_of_numbers(int capacity) {
  Draw draw(static_cast<std::uint64_t>(capacity));
  for (int round = 0; round < 300; ++round) {
    ChannelSet<words> set{};
    std::set<int> plain;
    for (int k = draw.below(12); k > 0; --k) {
      const int i = draw.below(capacity);
      set.add(i);
      plain.insert(i);
      const int gone = draw.below(capacity);
      set.remove(gone);
      plain.erase(gone);
    }
    EXPECT_EQ(members(set), std::vector<int>(plain.begin(), plain.end()));
    EXPECT_EQ(set.empty(), plain.empty());
    for (int i = 0; i < capacity; i += 7) EXPECT_EQ(set.has(i), plain.count(i) != 0);
    if (plain.empty()) continue;
    EXPECT_EQ(set.first(), *plain.begin());
    const int from = draw.below(capacity);
    const auto next = plain.upper_bound(from);
    EXPECT_EQ(set.first_behind(from), next == plain.end() ? *plain.begin() : *next);
    EXPECT_EQ(set.first_behind(capacity - 1), *plain.begin());
    const int first = draw.below(capacity), count = 1 + draw.below(capacity - first);
    const auto range = ChannelSet<words>::range(first, count);
    for (int i = 0; i < capacity; ++i) ASSERT_EQ(range.has(i), i >= first && i < first + count) << i;
    EXPECT_EQ((set & range) | (set - range), set);
    const ChannelSet<words> before = set;
    const int one = draw.below(capacity);
    EXPECT_EQ(set.insert(one), !before.has(one));
    EXPECT_TRUE(set.has(one));
    EXPECT_EQ(set.count(), before.count() + (before.has(one) ? 0 : 1));
    const auto other = ChannelSet<words>::range(draw.below(capacity), 1) | ChannelSet<words>::range(one, 1);
    ChannelSet<words> sum = other;
    sum.add_all(set, range);
    EXPECT_EQ(sum, other | (set - range));
    EXPECT_EQ(sum | set, set | sum);
    EXPECT_EQ(sum & set, set & sum);
  }
}

TEST(ChannelSet, IsASetOfNumbers) {
  compare_with_a_set_of_numbers<1>(64);
  for (const int capacity : {64, 65, 256, 257, 320, 4000}) compare_with_a_set_of_numbers<router::any_words>(capacity);
}

TEST(RouterShape, CountsChannelsByPlaces) {
  const RouterShape shape({1, 3, 2, 0}, 2);
  EXPECT_EQ(shape.port_count(), 5);
  EXPECT_EQ(shape.size(), 10);
  EXPECT_EQ(shape.local, 4);
  EXPECT_EQ(shape.channel(3, 1), 3);
  EXPECT_EQ(shape.port(3), 3);
  EXPECT_EQ(shape.number(3), 1);
  EXPECT_EQ(shape.channel(shape.local, 0), 8);
}

TEST(Pipeline, KnowsItsOwn) {
  EXPECT_FALSE(Pipeline::of(2, true));
  EXPECT_FALSE(Pipeline::of(3, false));
  EXPECT_FALSE(Pipeline::of(5, true));
  EXPECT_FALSE(Pipeline::of(6, false));
  EXPECT_EQ(Pipeline::of(3, true)->routing_steps, 0);
  EXPECT_EQ(Pipeline::of(4, true)->routing_steps, 1);
  EXPECT_EQ(Pipeline::of(4, false)->routing_steps, 0);
  EXPECT_EQ(Pipeline::of(5, false)->routing_steps, 1);
  for (const auto& [cycles, speculative] : std::map<int, bool>{{3, true}, {4, false}, {5, false}})
    EXPECT_EQ(Pipeline::of(cycles, speculative)->hop_steps(1), cycles);
}

TEST(RingFlit, SaysWhereItsCountOfLinksStartsAgain) {
  RingFlit flit;
  for (int link = 1; link <= RingFlit::most_hops; ++link) ASSERT_FALSE(flit.cross());
  EXPECT_EQ(flit.whole().hops, RingFlit::most_hops);
  EXPECT_TRUE(flit.cross());
  EXPECT_EQ(flit.whole().hops, 0);
  EXPECT_FALSE(flit.cross());
}

TEST(SourceChannels, TakeTurnsAndKeepAPacketTogether) {
  links::SourceChannels source(3);
  const auto all = ChannelSet<1>::range(0, 3);
  EXPECT_EQ(source.next(true, all), 0);
  EXPECT_EQ(source.next(false, all), 0);
  EXPECT_EQ(source.next(true, all), 1);
  EXPECT_EQ(source.next(false, all - ChannelSet<1>::range(1, 1)), -1) << "no room in its own channel";
  EXPECT_EQ(source.next(true, ChannelSet<1>::range(1, 1)), 1) << "the only one with room";
  EXPECT_EQ(source.next(true, ChannelSet<1>{}), -1);
  EXPECT_EQ(source.next(true, all), 2);
  EXPECT_EQ(source.next(true, all), 0);
}

// ---- allocators

using Pairs = std::vector<std::pair<int, int>>;

/// Channel allocation in loops.
class PlainChannelAllocator {
 public:
  explicit PlainChannelAllocator(int size) : size_(size), g_(size, 0), a_(size, 0) {}

  Pairs allocate(const std::set<int>& outputs, const std::vector<std::set<int>>& requesters) {
    std::vector<int> picked(size_, -1);
    for (const int out : outputs)
      for (int k = size_ - 1; k >= 0; --k)
        if (const int in = (g_[out] + k) % size_; requesters[out].count(in) != 0) picked[out] = in;
    Pairs won;
    for (int in = 0; in < size_; ++in)
      for (int k = 0; k < size_; ++k) {
        const int out = (a_[in] + k) % size_;
        if (picked[out] != in) continue;
        won.emplace_back(in, out);
        g_[out] = (in + 1) % size_;
        a_[in] = (out + 1) % size_;
        break;
      }
    return won;
  }

 private:
  int size_;
  std::vector<int> g_, a_;
};

std::unique_ptr<Arbiter> round_robin(int requesters) {
  return standard_arbiters().front().make(requesters, KeyValues());
}
/// `islip` with one iteration, through the interface.
std::unique_ptr<Allocator> islip(int numbers, int channels) {
  return standard_allocators().front().make({numbers, numbers, channels, 1}, round_robin, KeyValues());
}

RouterShape shape_of(int port_count, int channels) {
  std::vector<Port> ports(static_cast<std::size_t>(port_count - 1));
  std::iota(ports.begin(), ports.end(), Port{0});
  return RouterShape(ports, channels);
}

/// \param allocate called with (requested outputs, requesters, `win`).
template <int capacity, class Allocate>
void compare_channel_allocators(int size, const Allocate& allocate) {
  PlainChannelAllocator plain(size);
  using Set = typename ChannelAllocator<capacity>::Set;
  Draw draw(static_cast<std::uint64_t>(size));
  for (int round = 0; round < 500; ++round) {
    Entries<Set, capacity> requesters(size, Set{});
    std::vector<std::set<int>> asking_plain(size);
    Set outputs{};
    std::set<int> outputs_plain;
    for (int k = draw.below(4 * size); k > 0; --k) {
      const int out = draw.below(size), in = draw.below(size);
      requesters[out].add(in);
      asking_plain[out].insert(in);
    }
    for (int out = 0; out < size; ++out)
      if (!asking_plain[out].empty() && !draw.one_in(4)) {
        outputs.add(out);
        outputs_plain.insert(out);
      }
    Pairs won;
    const Set winners = allocate(outputs, requesters, [&won](int in, int out) { won.emplace_back(in, out); });
    ASSERT_EQ(won, plain.allocate(outputs_plain, asking_plain)) << "round " << round;
    std::vector<int> inputs;
    for (const auto& [in, out] : won) inputs.push_back(in);
    EXPECT_EQ(members(winners), inputs);
  }
}

template <int capacity>
void compare_channel_allocators(int size) {
  ChannelAllocator<capacity> built_in(size);
  compare_channel_allocators<capacity>(size, [&](const auto& outputs, const auto& requesters, const auto& win) {
    return built_in.allocate(outputs, requesters, win);
  });
  // Copied, as in a router.
  using General = links::GeneralChannelAllocator<words_of(capacity)>;
  const int ports = size % 5 == 0 ? 5 : 4;
  General general = General(General(shape_of(ports, size / ports), islip(size, size), false));
  compare_channel_allocators<capacity>(size, [&](const auto& outputs, const auto& requesters, const auto& win) {
    return general.allocate(
        outputs, requesters, [](int, int) { return 0; }, [](int) { return 0; }, win);
  });
}

TEST(ChannelAllocator, IsTheOneInLoops) {
  compare_channel_allocators<8>(5);
  compare_channel_allocators<8>(8);
  compare_channel_allocators<64>(20);
  compare_channel_allocators<64>(64);
  compare_channel_allocators<0>(20);
  compare_channel_allocators<0>(130);
  compare_channel_allocators<0>(400);
}

/// Switch allocation in loops.
class PlainSwitchAllocator {
 public:
  PlainSwitchAllocator(int port_count, int channels)
      : port_count_(port_count), channels_(channels), sg_(port_count, 0), sa_(port_count, 0), rr_(port_count, 0) {}

  /// `asks(in channel, out-port_index, nonspeculative)`.
  template <class Asks>
  std::set<std::tuple<int, int, bool>> allocate(Asks asks) {
    std::map<std::pair<int, int>, std::pair<int, bool>> speaker;
    for (int in = 0; in < port_count_; ++in)
      for (int out = 0; out < port_count_; ++out)
        for (const bool nonspeculative : {false, true})
          for (int k = channels_ - 1; k >= 0; --k)
            if (const int channel = in * channels_ + (rr_[in] + k) % channels_; asks(channel, out, nonspeculative))
              speaker[{in, out}] = {channel, nonspeculative};
    std::vector<int> picked(port_count_, -1);
    for (int out = 0; out < port_count_; ++out)
      for (int k = port_count_ - 1; k >= 0; --k)
        if (const int in = (sg_[out] + k) % port_count_; speaker.count({in, out}) != 0) picked[out] = in;
    std::set<std::tuple<int, int, bool>> granted;
    for (int in = 0; in < port_count_; ++in)
      for (int k = 0; k < port_count_; ++k) {
        const int out = (sa_[in] + k) % port_count_;
        if (picked[out] != in) continue;
        const auto [channel, nonspeculative] = speaker[{in, out}];
        granted.emplace(channel, out, nonspeculative);
        sg_[out] = (in + 1) % port_count_;
        sa_[in] = (out + 1) % port_count_;
        rr_[in] = (channel + 1) % channels_;
        break;
      }
    return granted;
  }

 private:
  int port_count_, channels_;
  std::vector<int> sg_, sa_, rr_;
};

template <int capacity, class Allocator>
void compare_switch_allocators(const RouterShape& shape, Allocator allocator) {
  const int port_count = shape.port_count(), channels = shape.channels;
  std::vector<InputChannel> inputs(static_cast<std::size_t>(shape.size()));
  std::vector<OutputChannel> outputs(inputs.size());
  ChannelTable<SwitchAllocator<capacity>::words> table;
  table.attach(inputs.data(), outputs.data(), shape);
  PlainSwitchAllocator plain(port_count, channels);
  using Requests = typename SwitchAllocator<capacity>::Requests;
  Draw draw(static_cast<std::uint64_t>(port_count * 100 + channels));
  int granted_at_once = 0;
  constexpr bool has_short_cut = std::is_same_v<Allocator, SwitchAllocator<capacity>>;
  for (int round = 0; round < 600; ++round) {
    Requests requests(shape);
    typename SwitchAllocator<capacity>::Set nonspeculative_only{};
    std::map<int, int> out_of;
    bool speculative = false;
    std::set<std::tuple<int, int, bool>> requested;
    std::set<int> busy;  // a channel asks for one thing
    // Few requests also of many ports: more would always clash.
    for (int k = draw.below(round % 2 == 0 ? 2 * port_count : std::min(2 * port_count, 20)); k > 0; --k) {
      const int channel = draw.below(shape.size()), out = draw.below(port_count);
      const bool nonspeculative = round % 3 == 0 || draw.one_in(2);
      if (!busy.insert(channel).second) continue;
      requested.emplace(channel, out, nonspeculative);
      if (nonspeculative) {
        requests.nonspeculative(out, channel);
        nonspeculative_only.add(channel);
        out_of[channel] = out;
      } else {
        speculative = true;
        typename SwitchAllocator<capacity>::Set one{};
        one.add(channel);
        requests.speculative(out, one, {});
      }
    }
    std::set<std::tuple<int, int, bool>> granted;
    for (const auto& [in, out] : out_of)
      inputs[static_cast<std::size_t>(in)].out_index = static_cast<std::uint16_t>(out);
    bool at_once = false;
    if constexpr (has_short_cut)
      at_once = !speculative &&
                allocator.grant_all(table, nonspeculative_only, [&](int in) { granted.emplace(in, out_of[in], true); });
    granted_at_once += at_once ? 1 : 0;
    const auto go = [&](int in, int out, bool nonspeculative) { granted.emplace(in, out, nonspeculative); };
    if (!at_once) {
      if constexpr (has_short_cut) allocator.allocate(shape, requests, go);
      else
        allocator.allocate(
            shape, requests, [](int) { return 0; }, go);
    }
    const auto expected = plain.allocate([&](int in, int out, bool nonspeculative) {
      return requested.count({in, out, nonspeculative}) != 0;
    });
    ASSERT_EQ(granted, expected) << "round " << round;
  }
  EXPECT_GE(granted_at_once, has_short_cut ? 20 : 0);
  EXPECT_LT(granted_at_once, has_short_cut ? 300 : 1);
}

template <int capacity>
void compare_switch_allocators(int port_count, int channels) {
  const RouterShape shape = shape_of(port_count, channels);
  compare_switch_allocators<capacity>(shape, SwitchAllocator<capacity>(shape));
  constexpr int words = words_of(capacity);
  const links::GeneralSwitchAllocator<words> general(shape, router::SwitchLines<words>(shape, {}),
                                                     islip(port_count, channels), nullptr,
                                                     links::SpeculationMask::grants, round_robin);
  compare_switch_allocators<capacity>(shape, general);
}

TEST(SwitchAllocator, IsTheOneInLoops) {
  compare_switch_allocators<8>(5, 1);
  compare_switch_allocators<64>(5, 4);
  compare_switch_allocators<64>(7, 9);
  compare_switch_allocators<0>(5, 40);
  compare_switch_allocators<0>(97, 2);
  compare_switch_allocators<64>(33, 1);
}

TEST(SwitchRequests, AreWithdrawnWhereLinksStall) {
  SwitchRequests<1> requests(shape_of(5, 1));
  requests.nonspeculative(2, 0);
  requests.nonspeculative(3, 1);
  EXPECT_FALSE(requests.withdraw_outs(PortIndices<1>::range(0, 2) | PortIndices<1>::range(4, 1)));
  EXPECT_TRUE(requests.withdraw_outs(PortIndices<1>::range(2, 1)));
  EXPECT_EQ(members(requests.outs()), std::vector<int>{3});
}

// ---- channels

TEST(ChannelTable, KeepsReadyWhatHasAFlitAnOutputAndACredit) {
  Draw draw(5);
  constexpr int size = 6, capacity = 3;
  std::vector<InputChannel> inputs(size);
  std::vector<OutputChannel> outputs(size);
  ChannelTable<1> table;
  table.attach(inputs.data(), outputs.data(), RouterShape({0}, size / 2));
  std::vector<int> flits(size, 0), credits(size, 0), owned(size, -1), owner(size, -1);
  std::vector<std::int64_t> stalls(size, 0), flit_steps(size, 0);
  std::vector<bool> counts(size, false);
  const auto waits = [&](int in) { return owned[in] >= 0 && flits[in] > 0 && credits[owned[in]] == 0; };
  for (Step now = 0; now < 3000; ++now) {
    // The beginning of a step, what the allocators find, and what they do.
    for (int i = 0; i < size; ++i) {
      if (flits[i] < capacity && draw.one_in(3)) table.arrive(i, now), ++flits[i];
      if (credits[i] < capacity && draw.one_in(4)) table.credit(i, now), ++credits[i];
    }
    for (int i = 0; i < size; ++i) {
      stalls[i] += waits(i) ? 1 : 0;
      flit_steps[i] += flits[i];
      ASSERT_EQ(table.occupied().has(i), flits[i] > 0);
      ASSERT_EQ(table.active().has(i), owned[i] >= 0);
      ASSERT_EQ(table.free().has(i), owner[i] < 0);
      ASSERT_EQ(table.credited().has(i), credits[i] > 0);
      ASSERT_EQ(table.ready().has(i), owned[i] >= 0 && flits[i] > 0 && credits[owned[i]] > 0);
    }
    const auto ready = members(table.ready());
    for (int in = 0; in < size; ++in) {
      const int out = draw.below(size);
      if (flits[in] == 0 || owned[in] >= 0 || owner[out] >= 0 || draw.one_in(2)) continue;
      table.allocate(in, out, now);
      owned[in] = out;
      owner[out] = in;
    }
    for (const int in : ready) {
      if (draw.one_in(3)) continue;
      const bool tail = draw.one_in(4);
      const bool last = table.send(in, tail, capacity, now);
      ASSERT_EQ(last, --flits[in] == 0);
      --credits[owned[in]];
      if (!tail) continue;
      owner[owned[in]] = -1;
      owned[in] = -1;
    }
    for (int in = 0; in < size; ++in) {
      ASSERT_EQ(table.use(in, now + 1).credit_stalls, stalls[in]) << "step " << now;
      ASSERT_EQ(table.use(in, now + 1).flit_steps, flit_steps[in]) << "step " << now;
    }
    if (now % 500 != 499) continue;
    for (int in = 0; in < size; ++in) {
      table.begin_use(in, now + 1);
      stalls[in] = flit_steps[in] = 0;
    }
  }
}

}  // namespace
}  // namespace starloom::router
