// SPDX-License-Identifier: Apache-2.0
// Partitions of a network with threads of their own: the cuts, the writers of data, and equal results.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <thread>

#include <starloom/engines/partition.hpp>
#include <starloom/engines/wake_calendar.hpp>
#include <starloom/simulation/links/simulation.hpp>
#include <starloom/support/thread_pool.hpp>
#include <starloom/traffic/packet_list.hpp>
#include "support/fresh_context.hpp"
#include "support/function_algorithm.hpp"
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
      if (const LinkEnd to = graph.far_end(node, port); to.connected()) wiring.connect({node, port}, to, {});
  return wiring;
}

TEST(Partition, GivesEachNodeOnePartAndEachPartPlacesOfItsOwn) {
  for (const Grid& grid : {Grid::mesh({1, 7}), Grid::mesh({4, 4}), Grid::torus({5, 6}), Grid::torus({3, 4, 5})})
    for (int parts = 1; parts <= grid.nodes(); ++parts)
      for (const bool with_step_sink : {false, true}) {
        const Wiring wiring = wiring_of(network_of(grid).graph);
        const Partition partition(wiring, parts, with_step_sink);
        std::map<NodeId, std::size_t> owner;        // [lane]
        std::map<std::size_t, std::size_t> writer;  // [word]
        NodeId next = 0;
        for (std::size_t p = 0; p < partition.size(); ++p) {
          const Partition::Part& part = partition[p];
          EXPECT_EQ(part.first, next);
          EXPECT_GT(part.last, part.first);
          next = part.last;
          const auto claim = [&](NodeId lane, std::size_t of) {
            EXPECT_TRUE(owner.emplace(lane, of).second) << "place " << lane;
            EXPECT_LT(static_cast<std::size_t>(lane), partition.lanes());
            EXPECT_EQ(writer.emplace(static_cast<std::size_t>(lane) / 64, p).first->second, p);
          };
          std::set<NodeId> around;
          for (NodeId node = part.first; node < part.last; ++node) {
            EXPECT_EQ(partition.part_of(node), p);
            EXPECT_EQ(partition.lane(part, node), part.lane(node));
            claim(part.lane(node), p);
            for (Port port = 0; port < wiring.ports; ++port)
              for (const LinkEnd& end : {wiring.out[wiring.index(node, port)], wiring.in[wiring.index(node, port)]})
                if (end.connected() && !part.has(end.node)) around.insert(end.node);
          }
          for (const NodeId node : around) {
            const NodeId lane = partition.lane(part, node);
            claim(lane, partition.part_of(node));
            // The reader finds it.
            const Partition::Mirrors& mirrors = partition[partition.part_of(node)].mirrored[p];
            const std::size_t i = static_cast<std::size_t>(lane) - 64 * mirrors.first_word;
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

// Nodes take 70 units of time, the step sink 30: 50 and 20 + 30, 33 twice and 4 + 30; with four threads one
// serves only the step sink.
TEST(Partition, GivesFewerNodesToTheThreadOfTheWitness) {
  const Wiring wiring = wiring_of(network_of(Grid::mesh({32, 32})).graph);
  EXPECT_NEAR(Partition(wiring, 2, true)[0].last, 1024 * 5 / 7, 16);
  EXPECT_NEAR(Partition(wiring, 3, true)[1].last, 1024 * 20 / 21, 16);
  EXPECT_NEAR(Partition(wiring, 4, true)[0].last, 1024 / 3, 16);
  EXPECT_EQ(Partition(wiring, 4, true)[3].first, 1023);
  EXPECT_EQ(Partition(wiring, 1, true)[0].last, 1024);
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

TEST(ThreadPool, DoesEveryPartOnce) {
  for (const int threads : {1, 2, 5}) {
    ThreadPool pool(threads);
    std::vector<std::int64_t> sums(static_cast<std::size_t>(threads), 0);
    for (int piece = 0; piece < 2000; ++piece) {
      std::thread::id first;
      pool.run([&](int i) {
        sums[static_cast<std::size_t>(i)] += piece;
        if (i == 0) first = std::this_thread::get_id();
      });
      ASSERT_EQ(first, std::this_thread::get_id());
    }
    for (const std::int64_t sum : sums) EXPECT_EQ(sum, 1999 * 1000);
  }
}

// None ends before all have begun.
TEST(ThreadPool, DoesThePartsAtTheSameTime) {
  std::atomic<int> begun{0};
  ThreadPool pool(3);
  pool.run([&](int) {
    ++begun;
    while (begun < 3) std::this_thread::yield();
  });
  EXPECT_EQ(begun, 3);
}

/// Until it is destroyed, the thread and those that it starts run where no other thread of their core wants to.
class Idler {
 public:
  Idler() {
    const sched_param none{};
    EXPECT_EQ(sched_setscheduler(0, SCHED_IDLE, &none), 0);
  }
  ~Idler() {
    const sched_param none{};
    EXPECT_EQ(sched_setscheduler(0, SCHED_OTHER, &none), 0);
  }
  Idler(const Idler&) = delete;
  Idler& operator=(const Idler&) = delete;
};

// The other thread shares the caller's core, and comes last there.
TEST(ThreadPool, DoesNotWaitForAThreadWithoutACore) {
  cpu_set_t all, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof all, &all), 0);
  CPU_ZERO(&one);
  for (int core = 0; CPU_COUNT(&one) == 0; ++core)
    if (CPU_ISSET(core, &all)) CPU_SET(core, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  std::optional<Idler> idler(std::in_place);
  ThreadPool pool(2);
  idler.reset();
  int taken_over = 0;
  for (int piece = 0; piece < 1000; ++piece)
    pool.run([&, caller = std::this_thread::get_id()](int i) {
      if (i == 1 && std::this_thread::get_id() == caller) ++taken_over;
    });
  EXPECT_GT(taken_over, 900);
  EXPECT_EQ(sched_setaffinity(0, sizeof all, &all), 0);
}

// As on a busy machine, the other thread is away for long in the middle of its part. The caller waits, then works
// alone.
TEST(ThreadPool, WorksAloneAfterALongWait) {
  using Clock = std::chrono::steady_clock;
  ThreadPool pool(2);
  std::atomic<bool> begun{false}, done{false};
  pool.run([&, begin = Clock::now()](int i) {
    if (i == 0) {
      while (!begun) std::this_thread::yield();
    } else {
      begun = true;
      std::this_thread::sleep_for(std::chrono::milliseconds(100) + 4 * (Clock::now() - begin));
      done = true;
    }
  });
  EXPECT_TRUE(done);
  for (int piece = 0; piece < 100; ++piece)
    pool.run([caller = std::this_thread::get_id()](int) { ASSERT_EQ(std::this_thread::get_id(), caller); });
}

TEST(ThreadPool, ThrowsWhatTheLowestThreadThrew) {
  ThreadPool pool(3);
  for (int again = 0; again < 2; ++again) {
    try {
      pool.run([](int i) {
        if (i > 0) throw std::runtime_error(std::to_string(i));
      });
      FAIL();
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "1");
    }
  }
  std::atomic<int> ran{0};
  pool.run([&](int) { ++ran; });
  EXPECT_EQ(ran, 3);
}

/// Notes in which thread it is called.
class HeardBuffer final : public FlitBuffer {
 public:
  HeardBuffer(const char* name, std::int32_t capacity, std::set<std::thread::id>& callers)
      : FlitBuffer(name, capacity), callers_(callers) {}
  void pushed(const Flit& /*flit*/) override { callers_.insert(std::this_thread::get_id()); }

 private:
  std::set<std::thread::id>& callers_;
};

/// A module instead of a processor that takes all arrivals.
class Taker final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Taker);
  sc_core::sc_port<NodeAccess> node;
  explicit Taker(const sc_core::sc_module_name& name) : sc_module(name), node("node") { SC_METHOD(run); }

 private:
  void run() {
    for (Flit flit; node->take(flit);) {
    }
    next_trigger(node->arrived());
  }
};

/// The report of a run about threads, or empty.
std::string threads_reported(const std::function<void(Network&)>& prepare, NetworkOptions options) {
  namespace sc = sc_core;
  sc::sc_report_handler::set_actions(threads_report, sc::SC_CACHE_REPORT);
  sc::sc_report_handler::clear_cached_report();
  fresh_context();
  const Grid grid = Grid::mesh({32, 32});
  const auto algorithm = named_algorithm("greedy", grid);
  ListSource source(permutation_packets(random_permutation(grid.nodes(), 3)));
  options.threads = 4;
  options.wake_all = true;
  Network network("network", network_of(grid), *algorithm, options);
  network.fabric.set_source(&source, no_step);
  prepare(network);
  sc::sc_start();
  const sc::sc_report* report = sc::sc_report_handler::get_cached_report();
  const std::string text = report == nullptr ? "" : report->get_msg();
  sc::sc_report_handler::clear_cached_report();
  sc::sc_report_handler::set_actions(threads_report, sc::SC_UNSPECIFIED);
  return text;
}

TEST(Threads, AreOneWhereSomebodyNeedsThatOfSystemC) {
  EXPECT_EQ(threads_reported([](Network&) {}, {}), "");

  std::set<std::thread::id> callers;
  NetworkOptions watched;
  watched.make_buffer = [&callers](const char* name, NodeId, Port, std::int32_t capacity) {
    return std::make_unique<HeardBuffer>(name, capacity, callers);
  };
  EXPECT_EQ(threads_reported([](Network&) {}, watched),
            "the network runs in one thread, not 4: network.node_r00_c00.buffer_south_v0 is watched");
  EXPECT_EQ(callers, std::set{std::this_thread::get_id()});

  NetworkOptions foreign;
  foreign.foreign = {5};
  std::unique_ptr<Taker> taker;
  const auto bind = [&taker](Network& network) {
    taker = std::make_unique<Taker>("taker");
    taker->node.bind(network.socket(5));
  };
  EXPECT_EQ(threads_reported(bind, foreign),
            "the network runs in one thread, not 4: network.node_r00_c05 acts in SystemC");
}

class RecordingSink final : public StepSink {
 public:
  void step(const std::vector<Packet>& created, const std::vector<CreditRow>& credits,
            const std::vector<TraceRow>& rows) override {
    all_created += created.size();
    all_rows.insert(all_rows.end(), rows.begin(), rows.end());
    all_credits.insert(all_credits.end(), credits.begin(), credits.end());
  }
  std::size_t all_created = 0;
  std::vector<TraceRow> all_rows;
  std::vector<CreditRow> all_credits;
};

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
      RecordingSink sink;
      options.prepare = [&sink](Network& netlist) { netlist.fabric.set_step_sink(&sink); };
      NetlistRun run = run_netlist(network, *algorithm, source, options);
      EXPECT_EQ(sink.all_created, packets.size());
      EXPECT_EQ(sink.all_rows, run.rows);
      EXPECT_EQ(sink.all_credits, run.credits);
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

/// In step 10 packets that meet in a node exchange their numbers. The engine counts flits, and does not detect it;
/// the referee sees packets that are ejected away from their destinations.
TEST(Threads, EndAlikeWhereTheRefereeRejects) {
  const Grid mesh = Grid::mesh({32, 32});
  Declaration declaration;
  declaration.buffers = BufferSide::out_ports;
  const FlitFunction algorithm(mesh, declaration, [&mesh](FlitView& view) {
    Flit* before = nullptr;
    for (PortMask left = view.arrived(); left != 0; left &= left - 1) {
      Flit& flit = view.arrival(lowest_port(left));
      if (view.step() == 10 && before != nullptr) std::swap(before->packet, flit.packet);
      before = &flit;
    }
    const auto go_on = [&](const Flit& flit) {
      const Port port = mesh.dimension_order_port(view.node(), flit.destination);
      if (port == no_port) view.eject(flit);
      else view.push(port, flit, 0);
    };
    for (PortMask left = view.arrived(); left != 0; left &= left - 1) go_on(view.arrival(lowest_port(left)));
    while (view.waiting() > 0) go_on(view.accept());
    for (Port port = 0; port < view.buffers(); ++port)
      if (!view.empty(port)) view.send(port, view.pop(port));
    view.wake_at(view.step() + 1);
  });
  std::optional<SimulationResult> one;
  for (const int threads : {1, 2, 3}) {
    fresh_context();
    PacketList traffic(permutation_packets(random_permutation(32 * 32, 5), 1));
    SimulationSetup setup;
    setup.network = &network_of(mesh);
    setup.algorithm = &algorithm;
    setup.traffic = &traffic;
    setup.limits = {1000, 100};
    setup.threads = threads;
    SimulationResult run = simulate(setup);
    EXPECT_EQ(run.outcome, Outcome::violation);
    EXPECT_THAT(run.violation.text, testing::HasSubstr("is ejected, but its destination is"));
    EXPECT_GT(run.record.steps_run, run.violation.step + 1);
    if (one) {
      EXPECT_EQ(run.violation.text, one->violation.text);
      EXPECT_EQ(run.record.steps_run, one->record.steps_run);
      EXPECT_EQ(run.record.delivered, one->record.delivered);
      EXPECT_EQ(run.record.link_load, one->record.link_load);
    } else {
      one = std::move(run);
    }
  }
}

}  // namespace
}  // namespace starloom::links
