// SPDX-License-Identifier: Apache-2.0
/// \file The requests and replies of a closed loop, without a network (docs/closed-loop.md).
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include <starloom/traffic/closed_loop/closed_loop_workload.hpp>

namespace starloom {
namespace {

struct LoopRow {
  Step created;
  NodeId source, destination;
  bool reply;
  MessageNumber released_by;
  bool operator==(const LoopRow& other) const {
    return std::tie(created, source, destination, reply, released_by) ==
           std::tie(other.created, other.source, other.destination, other.reply, other.released_by);
  }
};
std::ostream& operator<<(std::ostream& out, const LoopRow& row) {
  return out << row.created << ": " << row.source << "->" << row.destination << (row.reply ? " reply" : " request")
             << " by " << row.released_by;
}

/// The steps of a message in a made-up network, from its number alone.
Step steps_of(MessageNumber number, unsigned seed) { return 1 + (number * 7919 + seed * 104729) % 23; }
/// The steps until its last flit has left its processor.
Step leaving_steps(MessageNumber number, unsigned seed) { return (number * 31 + seed) % 9; }

std::vector<LoopRow> rows_of_workload(const ClosedLoop& loop, unsigned seed, Step last) {
  ClosedLoopWorkload workload(std::make_shared<const ClosedLoop>(loop), 1);
  std::multimap<Step, MessageNumber> deliveries, departures;
  std::vector<LoopRow> rows;
  std::mt19937 random(seed);
  for (Step step = 0; step <= last; ++step) {
    if (workload.next_creation() == step) {
      std::vector<NewMessage> created;
      workload.create(step, created);
      for (const NewMessage& message : created) {
        const auto number = static_cast<MessageNumber>(rows.size());
        const Item& item = message.of_input;
        rows.push_back({step, item.source, item.destination, item.reply, message.released_by});
        deliveries.emplace(step + steps_of(number, seed), number);
        departures.emplace(step + std::min(leaving_steps(number, seed), steps_of(number, seed) - 1), number);
      }
    }
    EXPECT_TRUE(workload.next_creation() == no_step || workload.next_creation() > step);
    // The order within a step does not matter.
    std::vector<std::pair<bool, MessageNumber>> events;
    for (auto [at, end] = deliveries.equal_range(step); at != end; ++at) events.emplace_back(true, at->second);
    for (auto [at, end] = departures.equal_range(step); at != end; ++at) events.emplace_back(false, at->second);
    std::shuffle(events.begin(), events.end(), random);
    for (const auto& [arrives, number] : events) {
      if (arrives) workload.delivered(number, step);
      else if (workload.counts_departures()) workload.left(number, step);
    }
  }
  return rows;
}

/// The same step by step, from the definition.
std::vector<LoopRow> plain_rows(const ClosedLoop& loop, unsigned seed, Step last) {
  struct Served {
    MessageNumber request;
    Step end;
  };
  struct Server {
    std::deque<MessageNumber> waiting;
    std::vector<Served> ways;  // in the order of their beginning
    std::int64_t unsent = 0;
  };
  std::vector<Server> servers(loop.servers.size());
  std::vector<std::int64_t> made(loop.clients.size(), 0);
  std::vector<std::size_t> next = loop.first_server;
  std::vector<LoopRow> rows;
  std::map<Step, std::vector<MessageNumber>> deliveries, departures, thinking;
  const auto position = [](const std::vector<NodeId>& list, NodeId node) {
    return static_cast<std::size_t>(std::find(list.begin(), list.end(), node) - list.begin());
  };
  for (Step step = 0; step <= last; ++step) {
    std::vector<std::tuple<NodeId, int, LoopRow>> now;
    const auto request = [&](std::size_t client, MessageNumber by) {
      if (loop.requests && made[client] == *loop.requests) return;
      ++made[client];
      if (loop.servers[next[client]] == loop.clients[client]) next[client] = (next[client] + 1) % loop.servers.size();
      const NodeId to = loop.servers[next[client]];
      if (loop.destination == ClosedLoop::Choice::round_robin) next[client] = (next[client] + 1) % loop.servers.size();
      now.push_back({loop.clients[client], 0, {step, loop.clients[client], to, false, by}});
    };
    for (std::size_t client = 0; step == 0 && client < loop.clients.size(); ++client)
      for (std::int64_t i = 0; i < loop.outstanding; ++i) request(client, -1);
    std::sort(thinking[step].begin(), thinking[step].end());
    for (const MessageNumber reply : thinking[step])
      request(position(loop.clients, rows[static_cast<std::size_t>(reply)].destination), reply);
    for (std::size_t at = 0; at < servers.size(); ++at) {
      Server& server = servers[at];
      for (bool again = true; again;) {
        again = false;
        std::size_t first = server.ways.size();
        for (std::size_t way = 0; way < server.ways.size(); ++way)
          if (server.ways[way].end <= step &&
              (first == server.ways.size() || server.ways[way].end < server.ways[first].end))
            first = way;
        if (first < server.ways.size() && (loop.reply.unsent == 0 || server.unsent < loop.reply.unsent)) {
          const MessageNumber served = server.ways[first].request;
          server.ways.erase(server.ways.begin() + static_cast<std::ptrdiff_t>(first));
          ++server.unsent;
          now.push_back({loop.servers[at],
                         1,
                         {step, loop.servers[at], rows[static_cast<std::size_t>(served)].source, true, served}});
          again = true;
        }
        if (!server.waiting.empty() && (loop.ways == 0 || static_cast<std::int64_t>(server.ways.size()) < loop.ways)) {
          server.ways.push_back({server.waiting.front(), step + loop.reply.service});
          server.waiting.pop_front();
          again = true;
        }
      }
    }
    std::stable_sort(now.begin(), now.end(), [](const auto& a, const auto& b) {
      return std::tie(std::get<0>(a), std::get<1>(a)) < std::tie(std::get<0>(b), std::get<1>(b));
    });
    for (const auto& [node, kind, row] : now) {
      const auto number = static_cast<MessageNumber>(rows.size());
      rows.push_back(row);
      deliveries[step + steps_of(number, seed)].push_back(number);
      departures[step + std::min(leaving_steps(number, seed), steps_of(number, seed) - 1)].push_back(number);
    }
    std::sort(deliveries[step].begin(), deliveries[step].end());
    for (const MessageNumber number : deliveries[step]) {
      const LoopRow& row = rows[static_cast<std::size_t>(number)];
      if (row.reply) {
        thinking[step + loop.think].push_back(number);
        continue;
      }
      Server& server = servers[position(loop.servers, row.destination)];
      // Service begins in the step of the delivery.
      if (server.waiting.empty() && (loop.ways == 0 || static_cast<std::int64_t>(server.ways.size()) < loop.ways))
        server.ways.push_back({number, step + loop.reply.service});
      else server.waiting.push_back(number);
    }
    for (const MessageNumber number : departures[step]) {
      const LoopRow& row = rows[static_cast<std::size_t>(number)];
      if (row.reply) --servers[position(loop.servers, row.source)].unsent;
    }
  }
  return rows;
}

ClosedLoop random_loop(unsigned seed) {
  std::mt19937 random(seed);
  const auto below = [&random](int bound) { return static_cast<int>(random() % static_cast<unsigned>(bound)); };
  ClosedLoop loop;
  for (NodeId node = 0; node < 9; ++node) {
    if (below(3) == 0) loop.servers.push_back(node);
    if (below(2) == 0) loop.clients.push_back(node);
  }
  loop.servers.insert(loop.servers.end(), {20, 21});
  loop.clients.push_back(30);
  std::shuffle(loop.servers.begin(), loop.servers.end(), random);
  if (below(4) == 0) loop.destination = ClosedLoop::Choice::nearest;
  for (const NodeId client : loop.clients) {
    std::size_t first = static_cast<std::size_t>(client + 1) % loop.servers.size();
    if (loop.servers[first] == client) first = (first + 1) % loop.servers.size();
    loop.first_server.push_back(first);
  }
  loop.outstanding = 1 + below(6);
  loop.reply.service = 1 + below(12);
  loop.reply.unsent = below(3);
  loop.think = 1 + below(5);
  loop.ways = below(4);
  if (below(3) > 0) loop.requests = 1 + below(20);
  return loop;
}

TEST(ClosedLoop, HasTheMessagesOfTheDefinition) {
  for (unsigned seed = 1; seed <= 300; ++seed) {
    const ClosedLoop loop = random_loop(seed);
    const std::vector<LoopRow> expected = plain_rows(loop, seed, 400);
    ASSERT_EQ(rows_of_workload(loop, seed, 400), expected) << "seed " << seed;
    EXPECT_FALSE(expected.empty());
  }
}

TEST(ClosedLoop, EndsAfterItsRequests) {
  ClosedLoop loop = random_loop(5);
  loop.requests = 7;
  loop.reply.unsent = 0;
  const auto clients = static_cast<std::int64_t>(loop.clients.size());
  const std::vector<LoopRow> rows = rows_of_workload(loop, 5, 3000);
  EXPECT_EQ(static_cast<std::int64_t>(rows.size()), 14 * clients);
  EXPECT_EQ(ClosedLoopWorkload(std::make_shared<const ClosedLoop>(loop), 1).message_count(), 14 * clients);
}

/// bounded(n) of the words of purpose 3, the client and the step, drawn again for the client itself.
TEST(ClosedLoop, DrawsRandomServers) {
  ClosedLoop loop;
  loop.servers = {0, 1, 2, 3, 4};
  loop.clients = {2, 7};
  loop.destination = ClosedLoop::Choice::uniform;
  loop.outstanding = 40;
  ClosedLoopWorkload workload(std::make_shared<const ClosedLoop>(loop), 9);
  std::vector<NewMessage> created;
  workload.create(0, created);
  ASSERT_EQ(created.size(), 80u);
  std::size_t at = 0;
  for (const NodeId client : loop.clients) {
    RandomStream words(9, Purpose::destination, client, 0);
    for (int i = 0; i < 40; ++i) {
      NodeId server = static_cast<NodeId>(words.bounded(5));
      while (server == client) server = static_cast<NodeId>(words.bounded(5));
      EXPECT_EQ(created[at].of_input.source, client);
      EXPECT_EQ(created[at++].of_input.destination, server);
    }
  }
}

}  // namespace
}  // namespace starloom
