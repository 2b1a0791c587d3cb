// SPDX-License-Identifier: Apache-2.0
/// \file Messages and events that wait for each other: the rule of their creation against a second implementation.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <tuple>

#include <starloom/core/most_steps.hpp>
#include <starloom/traffic/workloads/critical_path.hpp>
#include <starloom/traffic/workloads/graph_workload.hpp>

namespace starloom {
namespace {

struct Drawn {
  std::vector<Item> items;
  std::vector<std::vector<ItemNumber>> after;  ///< [item] in the order of the input
  std::vector<Dependency> dependencies() const {
    std::vector<Dependency> all;
    for (ItemNumber item = 0; item < after.size(); ++item)
      for (std::uint32_t place = 0; place < after[item].size(); ++place)
        all.push_back({after[item][place], item, place});
    return all;
  }
  std::shared_ptr<const ItemGraph> graph() const {
    return std::make_shared<const ItemGraph>(items, dependencies(), std::vector<std::string>{});
  }
};

/// Items in a random order of their numbers, which wait only for earlier ones of another order.
Drawn draw(unsigned seed, int count, int most_after) {
  std::mt19937 random(seed);
  const auto below = [&random](int bound) { return static_cast<int>(random() % static_cast<unsigned>(bound)); };
  Drawn drawn;
  std::vector<ItemNumber> order;
  for (int i = 0; i < count; ++i) {
    Item item;
    item.source = below(5);
    item.flits = below(4) == 0 ? 0 : 1 + below(6);
    item.destination = item.flits == 0 ? item.source : below(5);
    item.cycle = below(3) == 0 ? below(40) : 0;
    item.delay = below(2) == 0 ? below(6) : 0;
    item.id = i;
    item.line = static_cast<std::uint32_t>(i + 2);
    drawn.items.push_back(item);
    order.push_back(static_cast<ItemNumber>(i));
  }
  std::shuffle(order.begin(), order.end(), random);
  drawn.after.resize(drawn.items.size());
  for (int place = 1; place < count; ++place)
    for (int left = below(most_after + 1); left > 0; --left)
      drawn.after[order[static_cast<std::size_t>(place)]].push_back(order[static_cast<std::size_t>(below(place))]);
  return drawn;
}

Step latency_of(const Item& item) { return item.source == item.destination ? 0 : 3 + item.flits; }

/// The rule as the definition says it, item by item.
struct Plain {
  explicit Plain(const Drawn& drawn) : drawn(drawn) {
    for (ItemNumber item = 0; item < drawn.items.size(); ++item) solve(item);
  }
  struct Times {
    Step created = 0, completes = 0;  ///< of an event both are its completion
    Step heard = -1;                  ///< the greatest delivery on which an item depends; of a message, its own
    std::int64_t released_by = -1;    ///< item
  };
  const Times& solve(ItemNumber number) {
    if (const auto known = times.find(number); known != times.end()) return known->second;
    const Item& item = drawn.items[number];
    Times own;
    Step ready = -1;
    for (const ItemNumber other : drawn.after[number]) {
      const Times& before = solve(other);
      own.heard = std::max(own.heard, before.heard);
      if (before.completes <= ready) continue;
      ready = before.completes;
      own.released_by = drawn.items[other].is_event() ? before.released_by : other;
    }
    const Step free = std::max(item.cycle, (drawn.after[number].empty() ? item.cycle : ready) + item.delay);
    own.created = own.completes = free;
    if (!item.is_event()) {
      own.created = std::max(free, own.heard + 1);
      own.completes = own.heard = own.created + latency_of(item);
    }
    return times[number] = own;
  }
  const Drawn& drawn;
  std::map<ItemNumber, Times> times;
};

TEST(Workload, CreatesMessagesByTheRule) {
  std::size_t events = 0, waited = 0;
  for (unsigned seed = 1; seed <= 200; ++seed) {
    const Drawn drawn = draw(seed, 40, 3);
    Plain plain(drawn);
    std::vector<std::tuple<Step, NodeId, ItemNumber>> expected;
    Step last = 0, end = 0;
    for (const auto& [item, times] : plain.times) {
      if (drawn.items[item].is_event()) {
        ++events;
        end = std::max(end, times.completes);
        continue;
      }
      expected.emplace_back(times.created, drawn.items[item].source, item);
      last = std::max(last, times.completes);
      waited += drawn.after[item].size() > 1 ? 1 : 0;
    }
    std::sort(expected.begin(), expected.end());
    std::vector<std::int64_t> number(drawn.items.size(), -1);
    for (std::size_t i = 0; i < expected.size(); ++i) number[std::get<2>(expected[i])] = static_cast<std::int64_t>(i);

    GraphWorkload workload(drawn.graph(), 0);
    std::vector<std::tuple<Step, NodeId, ItemNumber>> found;
    EXPECT_EQ(critical_path(workload, latency_of,
                            [&](const Item& item, Step created, Step latency) {
                              EXPECT_EQ(latency, latency_of(item));
                              found.emplace_back(created, item.source, static_cast<ItemNumber>(item.id));
                            }),
              last);
    EXPECT_EQ(found, expected) << seed;
    EXPECT_EQ(workload.last_event(), end) << seed;
    EXPECT_EQ(workload.message_count(), static_cast<std::int64_t>(expected.size()));

    // Deliveries of a step in another order change nothing, and each message names the one that released it.
    GraphWorkload reversed(drawn.graph(), 0);
    std::multimap<Step, MessageNumber> deliveries;
    std::vector<NewMessage> messages;
    for (Step step = 0; step <= last; ++step) {
      const std::size_t before = messages.size();
      if (reversed.next_creation() == step) reversed.create(step, messages);
      for (std::size_t i = before; i < messages.size(); ++i) {
        const auto item = static_cast<ItemNumber>(messages[i].item);
        const std::int64_t by = plain.times[item].released_by;
        EXPECT_EQ(messages[i].released_by, by < 0 ? -1 : number[static_cast<std::size_t>(by)]) << seed << " " << item;
        deliveries.emplace(step + latency_of(messages[i].of_input), static_cast<MessageNumber>(i));
      }
      std::vector<MessageNumber> now;
      for (auto [at, to] = deliveries.equal_range(step); at != to; ++at) now.push_back(at->second);
      std::reverse(now.begin(), now.end());
      for (const MessageNumber message : now) reversed.delivered(message, step);
    }
    EXPECT_EQ(messages.size(), expected.size());
  }
  EXPECT_GT(events, 1000u);
  EXPECT_GT(waited, 1000u);
}

TEST(Workload, GetsNoShorterCriticalPathFromAnotherDependency) {
  for (unsigned seed = 1; seed <= 100; ++seed) {
    Drawn drawn = draw(seed, 25, 2);
    GraphWorkload before(drawn.graph(), 0);
    const Step path = critical_path(before, latency_of);
    std::mt19937 random(seed);
    const auto waiting = static_cast<ItemNumber>(random() % drawn.items.size());
    const auto awaited = static_cast<ItemNumber>(random() % drawn.items.size());
    drawn.after[waiting].push_back(awaited);
    const auto graph = drawn.graph();
    if (!graph->shortest_cycle().empty()) continue;
    GraphWorkload after(graph, 0);
    EXPECT_GE(critical_path(after, latency_of), path) << seed;
  }
}

TEST(Workload, NamesAShortestCycle) {
  int cycles = 0, longer = 0;
  for (unsigned seed = 1; seed <= 300; ++seed) {
    std::mt19937 random(seed);
    Drawn drawn = draw(seed, 12, 1);
    for (int more = static_cast<int>(random() % 6); more > 0; --more)
      drawn.after[random() % 12].push_back(static_cast<ItemNumber>(random() % 12));
    // [from][to] the least number of dependencies from one item to another
    constexpr int far = 1000;
    std::vector<std::vector<int>> way(12, std::vector<int>(12, far));
    for (ItemNumber item = 0; item < 12; ++item)
      for (const ItemNumber other : drawn.after[item]) way[item][other] = 1;
    for (std::size_t k = 0; k < 12; ++k)
      for (std::size_t i = 0; i < 12; ++i)
        for (std::size_t j = 0; j < 12; ++j) way[i][j] = std::min(way[i][j], way[i][k] + way[k][j]);
    int least = far;
    for (std::size_t i = 0; i < 12; ++i) least = std::min(least, way[i][i]);
    const std::vector<ItemNumber> cycle = drawn.graph()->shortest_cycle();
    ASSERT_EQ(cycle.size(), least == far ? 0u : static_cast<std::size_t>(least)) << seed;
    for (std::size_t at = 0; at < cycle.size(); ++at) {
      const auto& after = drawn.after[cycle[at]];
      EXPECT_NE(std::find(after.begin(), after.end(), cycle[(at + 1) % cycle.size()]), after.end()) << seed;
      EXPECT_LE(cycle.front(), cycle[at]);
    }
    cycles += cycle.empty() ? 0 : 1;
    longer += cycle.size() > 2 ? 1 : 0;
  }
  EXPECT_GT(cycles, 50);
  EXPECT_GT(longer, 10);
}

TEST(Workload, MeasuresItsLongestChain) {
  Drawn drawn = draw(1, 6, 0);
  EXPECT_EQ(drawn.graph()->depth(), 1);
  drawn.after[0] = {5};
  drawn.after[5] = {3, 2};
  drawn.after[3] = {2};
  EXPECT_EQ(drawn.graph()->depth(), 4);
  EXPECT_EQ(Drawn{}.graph()->depth(), 0);
}

/// Times have an upper limit, so that sums of delays do not overflow.
TEST(Workload, StopsAtTheLastStep) {
  Drawn drawn = draw(1, 30, 0);
  for (ItemNumber item = 0; item < 30; ++item) {
    drawn.items[item].flits = 0;
    drawn.items[item].delay = most_steps;
    if (item > 0) drawn.after[item] = {item - 1};
  }
  const GraphWorkload workload(drawn.graph(), 0);
  EXPECT_EQ(workload.last_event(), most_steps);
}

TEST(Workload, NamesMessagesThatWait) {
  Drawn drawn;
  for (const std::int64_t id : {7, -1, 9}) {
    Item item;
    item.source = 0;
    item.destination = 1;
    item.id = id;
    item.line = static_cast<std::uint32_t>(drawn.items.size() + 2);
    drawn.items.push_back(item);
  }
  drawn.after = {{}, {0}, {1}};
  GraphWorkload workload(drawn.graph(), 0);
  std::vector<NewMessage> messages;
  workload.create(0, messages);
  EXPECT_EQ(workload.waiting(5),
            std::vector<std::string>{"the row of line 3 waits for id 7 (line 2), which was not delivered"});
  EXPECT_TRUE(workload.waiting(0).empty());
  workload.delivered(0, 4);
  EXPECT_TRUE(workload.waiting(5).empty()) << "line 3 will be created";
}

}  // namespace
}  // namespace starloom
