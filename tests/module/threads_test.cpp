// Parts of a network that run in threads of their own: how it is cut, who writes where, and that nothing else changes.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>

#include <starloom/core/thread_pool.hpp>
#include <starloom/fabric/links/partition.hpp>
#include <starloom/fabric/links/wake_calendar.hpp>
#include "support/list_source.hpp"
#include "support/named_algorithm.hpp"
#include "support/netlist_run.hpp"
#include "support/permutations.hpp"
#include "unit/traffic_support.hpp"

namespace starloom::links {
namespace {

Wiring wiring_of(const NetworkGraph& graph) {
  Wiring wiring(graph.nodes(), graph.ports());
  for (NodeId node = 0; node < graph.nodes(); ++node)
    for (Port port = 0; port < graph.ports(); ++port)
      if (const LinkEnd to = graph.far_end(node, port); to.connected()) wiring.connect({node, port}, to, 1);
  return wiring;
}

TEST(Partition, GivesEachNodeOnePartAndEachPartPlacesOfItsOwn) {
  for (const Grid& grid : {Grid::mesh({1, 7}), Grid::mesh({4, 4}), Grid::torus({5, 6}), Grid::torus({3, 4, 5})})
    for (int parts = 1; parts <= grid.nodes(); ++parts) {
      const Wiring wiring = wiring_of(network_of(grid).graph);
      const Partition partition(wiring, parts);
      std::map<NodeId, std::size_t> owner;        // [place]
      std::map<std::size_t, std::size_t> writer;  // [word]
      NodeId next = 0;
      for (std::size_t p = 0; p < partition.size(); ++p) {
        const Partition::Part& part = partition[p];
        EXPECT_EQ(part.first, next);
        EXPECT_GT(part.last, part.first);
        next = part.last;
        const auto claim = [&](NodeId place, std::size_t of) {
          EXPECT_TRUE(owner.emplace(place, of).second) << "place " << place;
          EXPECT_LT(static_cast<std::size_t>(place), partition.places());
          EXPECT_EQ(writer.emplace(static_cast<std::size_t>(place) / 64, p).first->second, p);
        };
        std::set<NodeId> around;
        for (NodeId node = part.first; node < part.last; ++node) {
          EXPECT_EQ(partition.part_of(node), p);
          EXPECT_EQ(partition.place(part, node), part.place(node));
          claim(part.place(node), p);
          for (Port port = 0; port < wiring.ports; ++port)
            for (const LinkEnd& end : {wiring.out[wiring.index(node, port)], wiring.in[wiring.index(node, port)]})
              if (end.connected() && !part.has(end.node)) around.insert(end.node);
        }
        for (const NodeId node : around) {
          const NodeId place = partition.place(part, node);
          claim(place, partition.part_of(node));
          // The reader finds it.
          const Partition::Mirrors& mirrors = partition[partition.part_of(node)].mirrored[p];
          const std::size_t i = static_cast<std::size_t>(place) - 64 * mirrors.first_word;
          ASSERT_LT(i, mirrors.nodes.size());
          EXPECT_EQ(mirrors.nodes[i], node);
        }
      }
      EXPECT_EQ(next, grid.nodes());
    }
}

TEST(Partition, SharesTheLinksOut) {
  const Partition partition(wiring_of(network_of(Grid::mesh({32, 32})).graph), 4);
  for (std::size_t p = 0; p < 4; ++p) EXPECT_NEAR(partition[p].last - partition[p].first, 256, 16);
}

TEST(WakeCalendar, JoinsThePartsRequests) {
  WakeCalendar calendar(3 * 512, 4, 3);
  calendar.wake(700, 0, 1000, 1);
  calendar.wake(1100, 0, 900, 2);
  EXPECT_EQ(calendar.next(0), 900);
  calendar.wake_near(3, 2, 0);
  EXPECT_EQ(calendar.next(0), 2);
  EXPECT_EQ(calendar.take(2)[0], 8u);
  EXPECT_EQ(calendar.next(3), 900);
  EXPECT_NE(calendar.take(900)[1100 / 64], 0u);
  EXPECT_EQ(calendar.next(901), 1000);
}

TEST(ThreadPool, RunsEveryPieceOnceInAThreadOfItsOwn) {
  for (const int threads : {1, 2, 5}) {
    ThreadPool pool(threads);
    std::vector<std::int64_t> sums(static_cast<std::size_t>(threads), 0);
    std::vector<std::thread::id> ids(sums.size());
    for (int piece = 0; piece < 2000; ++piece)
      pool.run([&](int i) {
        sums[static_cast<std::size_t>(i)] += piece;
        ids[static_cast<std::size_t>(i)] = std::this_thread::get_id();
      });
    for (const std::int64_t sum : sums) EXPECT_EQ(sum, 1999 * 1000);
    EXPECT_EQ(std::set<std::thread::id>(ids.begin(), ids.end()).size(), ids.size());
    EXPECT_EQ(ids[0], std::this_thread::get_id());
  }
}

TEST(ThreadPool, ThrowsWhatTheLowestThreadThrew) {
  ThreadPool pool(3);
  for (int again = 0; again < 2; ++again) {
    try {
      pool.run([](int i) {
        if (i > 0) throw std::runtime_error(std::to_string(i));
      });
      FAIL();
    } catch (const std::runtime_error& fault) {
      EXPECT_STREQ(fault.what(), "1");
    }
  }
  std::atomic<int> ran{0};
  pool.run([&](int) { ++ran; });
  EXPECT_EQ(ran, 3);
}

/// Enough nodes run in every step that the parts run at the same time.
TEST(Threads, GiveTheSameRowsOnALargeNetwork) {
  for (const auto& [name, flits] : {std::pair("greedy", 1), std::pair("deflection", 1), std::pair("offline-worms", 3),
                                    std::pair("vc-wormhole", 3)}) {
    SCOPED_TRACE(name);
    const LinkNetwork& network = network_of(Grid::mesh({32, 32}));
    const std::vector<Packet> packets = permutation_packets(random_permutation(32 * 32, 5), flits);
    const auto algorithm = named_algorithm(name, network, {}, &packets);
    std::optional<NetlistRun> one;
    for (const int threads : {1, 2, 4}) {
      ListSource source(packets);
      NetlistRunOptions options;
      options.network.threads = threads;
      options.network.wake_all = true;
      NetlistRun run = run_netlist(network, *algorithm, source, options);
      if (!one) {
        one = std::move(run);
        continue;
      }
      EXPECT_EQ(run.rows, one->rows);
      EXPECT_EQ(run.credits, one->credits);
      EXPECT_EQ(run.record.queue.max, one->record.queue.max);
      EXPECT_EQ(run.record.queue.node, one->record.queue.node);
      EXPECT_EQ(run.record.link_load, one->record.link_load);
    }
  }
}

}  // namespace
}  // namespace starloom::links
