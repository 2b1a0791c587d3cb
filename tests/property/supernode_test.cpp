// SPDX-License-Identifier: Apache-2.0
// Supernode-hot-potato end to end: the referee accepts, every worm arrives, rings keep what they can and no more, and
// without any one of its repairs the protocol fails.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <random>

#include <starloom/algorithms/supernode_hot_potato/ring_stress.hpp>
#include <starloom/core/payload.hpp>
#include <starloom/engines/engine.hpp>
#include <starloom/simulation/links/simulation.hpp>
#include <starloom/traffic/packet_list.hpp>
#include "support/permutations.hpp"
#include "support/supernodes.hpp"
#include "unit/sample_traces.hpp"

namespace starloom::links {
namespace {

struct SupernodeRun {
  SimulationResult result;
  double swaps = 0, max_after_sending = 0;

  bool sound() const { return result.outcome == Outcome::completed; }
};

SupernodeRun run_supernodes(const SupernodeCase& c, const std::vector<Packet>& packets,
                            StepObserver* observer = nullptr, std::optional<Step> limit = {}) {
  const auto algorithm = c.make(packets);
  PacketList traffic(packets, c.preloaded);
  SimulationSetup setup;
  setup.network = &network_of(c.mesh());
  setup.algorithm = algorithm.get();
  setup.traffic = &traffic;
  setup.limits.quiet = std::numeric_limits<std::int32_t>::max();
  setup.referee = true;
  setup.limits.steps = limit;
  setup.observer = observer;
  SupernodeRun run{simulate(setup)};
  run.swaps = run.result.record.metrics.at("swaps");
  run.max_after_sending = run.result.record.metrics.at("max_after_sending");
  return run;
}

std::vector<Packet> stress(const SupernodeCase& c, std::int64_t rounds, std::uint64_t seed = 1) {
  return patterns::ring_stress(processors_of(network_of(c.mesh())), seed, c.k, c.f, rounds);
}

std::vector<NodeId> reversal(NodeId nodes) {
  std::vector<NodeId> to;
  for (NodeId node = 0; node < nodes; ++node) to.push_back(nodes - 1 - node);
  return to;
}

std::vector<NodeId> transpose(std::int32_t n) {
  std::vector<NodeId> to;
  for (NodeId node = 0; node < n * n; ++node) to.push_back(node % n * n + node / n);
  return to;
}

/// A worm from each supernode, all in one round, by destination supernode.
std::vector<Packet> one_round(const SupernodeCase& c, const std::vector<std::int32_t>& map, Cell from, Cell to) {
  std::vector<Packet> packets;
  for (std::size_t s = 0; s < map.size(); ++s)
    if (map[s] != no_supernode)
      packets.push_back({c.node(static_cast<std::int32_t>(s), from), c.node(map[s], to), c.k, 0});
  return packets;
}

// ---- permutations

TEST(Supernodes, DeliverPermutations) {
  for (const std::int32_t side : {1, 2, 4}) {
    SupernodeCase c;
    c.side = side;
    const NodeId nodes = c.n() * c.n();
    for (const auto& to : {random_permutation(nodes, 1), reversal(nodes), transpose(c.n())}) {
      const SupernodeRun run = run_supernodes(c, worms_to(to, c.k));
      EXPECT_TRUE(run.sound()) << run.result.violation.text;
      EXPECT_LE(run.max_after_sending, side);
      EXPECT_LE(run.result.record.steps_run, c.make({})->schedule()->steps + 1);
    }
  }
}

TEST(Supernodes, DeliverPermutationsOfLongWorms) {
  SupernodeCase c;
  c.k = 16;
  const SupernodeRun run = run_supernodes(c, worms_to(random_permutation(c.n() * c.n(), 1), c.k));
  EXPECT_TRUE(run.sound()) << run.result.violation.text;
}

// Every node sends to all cells in turn, in all rounds, four worms a round.
TEST(Supernodes, FillAllRounds) {
  const SupernodeCase c;
  std::vector<Packet> packets;
  const Cell cells = c.size().cells();
  for (Cell from = 0; from < cells; ++from)
    for (Cell to = 0; to < cells; ++to)
      for (std::int32_t s = 0; s < 4; ++s) {
        const NodeId source = c.node(s, from), destination = c.node((s + from * cells + to) % 4, to);
        if (source != destination) packets.push_back({source, destination, c.k, 0});
      }
  const SupernodeRun run = run_supernodes(c, packets);
  EXPECT_TRUE(run.sound()) << run.result.violation.text;
  EXPECT_GT(packets.size(), 26'000u);
}

// Any f, k and router: one full round from and to cells of every kind.
TEST(Supernodes, DeliverRoundsOfAllSizes) {
  struct Sizes {
    std::int32_t f, k, side;
    const char* router;
  };
  for (const Sizes& sizes : {Sizes{12, 4, 8, "row-first"}, Sizes{12, 4, 9, "sorted"}, Sizes{12, 16, 3, "sorted"},
                             Sizes{12, 36, 2, "row-first"}, Sizes{32, 4, 2, "row-first"}, Sizes{32, 16, 2, "row-first"},
                             Sizes{60, 4, 2, "sorted"}})
    for (const std::string consumption : {"round", "superstep"}) {
      SupernodeCase c;
      c.f = sizes.f;
      c.k = sizes.k;
      c.side = sizes.side;
      c.router = sizes.router;
      c.consumption = consumption;
      SCOPED_TRACE(testing::Message() << "f " << c.f << ", k " << c.k << ", N " << c.side << ", " << c.router << ", "
                                      << consumption);
      const SupernodeGeometry geometry(c.size());
      std::vector<std::int32_t> map(static_cast<std::size_t>(c.side * c.side));
      for (std::size_t s = 0; s < map.size(); ++s) map[s] = static_cast<std::int32_t>(map.size() - 1 - s);
      std::vector<std::int32_t> shuffled = random_permutation(c.side * c.side, 7);
      const Cell command = geometry.cell(geometry.size().h() - 1, geometry.size().h());
      const Cell buffer = geometry.buffer(compass::west).cells.back(), lane = geometry.cell(geometry.size().h(), 1);
      std::vector<Packet> packets = one_round(c, map, geometry.centre(), lane);
      const std::vector<Packet> more = one_round(c, shuffled, buffer, command);
      packets.insert(packets.end(), more.begin(), more.end());
      const SupernodeRun run = run_supernodes(c, packets);
      EXPECT_TRUE(run.sound()) << run.result.violation.text;
      EXPECT_LE(run.max_after_sending, c.router == "sorted" ? 1 : c.side);
      if (HasFailure()) return;
    }
}

// ---- many to one

TEST(Supernodes, DeliverManyToOne) {
  for (const std::string router : {"row-first", "sorted"})
    for (const std::string consumption : {"round", "superstep"})
      for (const Cell to : {0, 4 * 9 + 4, 4 * 9 + 2, 3 * 9 + 2, 8 * 9 + 4}) {
        SupernodeCase c;
        c.router = router;
        c.consumption = consumption;
        std::vector<Packet> packets;
        for (NodeId node = 0; node < c.n() * c.n(); node += 3) packets.push_back({node, c.node(2, to), c.k, 0});
        const SupernodeRun run = run_supernodes(c, packets);
        EXPECT_TRUE(run.sound()) << run.result.violation.text;
        EXPECT_LE(run.max_after_sending, consumption == "superstep" ? 2 : 4);
      }
}

TEST(Supernodes, ConsumeManyWormsOfASupernodeAtOnce) {
  SupernodeCase c;
  c.side = 4;
  c.consumption = "superstep";
  std::vector<std::int32_t> map(16, 5);
  const SupernodeRun run = run_supernodes(c, one_round(c, map, 7, 40));
  EXPECT_TRUE(run.sound()) << run.result.violation.text;
  EXPECT_LE(run.max_after_sending, 4);
}

// ---- stress

TEST(SupernodeStress, FillsTheRingsAndBalancesThem) {
  struct Stress {
    std::int32_t k, side;
    std::int64_t rounds, swaps;
  };
  for (const Stress& of : {Stress{4, 3, 16, 100}, Stress{16, 2, 24, 100}, Stress{36, 2, 6, 20}}) {
    SupernodeCase c;
    c.k = of.k;
    c.side = of.side;
    c.preloaded = true;
    const SupernodeRun run = run_supernodes(c, stress(c, of.rounds));
    EXPECT_TRUE(run.sound()) << run.result.violation.text;
    EXPECT_EQ(run.max_after_sending, c.f - 4);
    EXPECT_GT(run.swaps, of.swaps) << "k = " << c.k;
  }
}

TEST(SupernodeStress, OfOtherSizes) {
  for (const std::int32_t side : {1, 2, 4})
    for (const std::string consumption : {"round", "superstep"}) {
      SupernodeCase c;
      c.side = side;
      c.consumption = consumption;
      c.preloaded = true;
      const SupernodeRun run = run_supernodes(c, stress(c, 10, 5));
      EXPECT_TRUE(run.sound()) << run.result.violation.text;
      EXPECT_EQ(run.max_after_sending, 8);
      EXPECT_GT(run.swaps, 5);
    }
  SupernodeCase c;
  c.f = 32;
  c.preloaded = true;
  const SupernodeRun run = run_supernodes(c, stress(c, 4));
  EXPECT_TRUE(run.sound()) << run.result.violation.text;
  EXPECT_EQ(run.max_after_sending, 28);
}

// ---- what each repair is for

/// All permutations of four supernodes but a few, a round each, in the first rounds; by then all must have arrived.
bool serves_permutations(SupernodeDouble changed, std::int32_t k) {
  SupernodeCase c;
  c.k = k;
  c.changed = changed;
  std::vector<std::int32_t> map = {0, 1, 2, 3};
  std::vector<Packet> packets;
  Cell to = 1;
  for (; std::next_permutation(map.begin(), map.end()); to += 1)
    for (const Packet& packet : one_round(c, map, 0, to)) packets.push_back(packet);
  return run_supernodes(c, packets, nullptr, (to + 1) * c.make(packets)->schedule()->steps_per_unit).sound();
}

bool serves_stress(SupernodeDouble changed) {
  SupernodeCase c;
  c.preloaded = true;
  c.changed = changed;
  return run_supernodes(c, stress(c, 10)).sound();
}

TEST(SupernodeRepairs, AreNeededOneByOne) {
  for (const std::int32_t k : {4, 16}) {
    EXPECT_TRUE(serves_permutations({}, k));
    SupernodeDouble changed;
    changed.repairs.bounce = false;
    EXPECT_FALSE(serves_permutations(changed, k));
    changed = {};
    changed.repairs.early_delay = false;
    EXPECT_FALSE(serves_permutations(changed, k));
    changed = {};
    changed.repairs.clocks_differ = false;
    EXPECT_FALSE(serves_permutations(changed, k));
    changed = {};
    changed.delay = k + 4;
    EXPECT_FALSE(serves_permutations(changed, k));
  }
}

// With one worm per supernode and round, rings stay nearly empty: permutations do not show it.
TEST(SupernodeRepairs, BalanceIsNeededByFullRings) {
  SupernodeDouble changed;
  changed.repairs.balance = false;
  EXPECT_TRUE(serves_permutations(changed, 4));
  EXPECT_TRUE(serves_stress({}));
  EXPECT_FALSE(serves_stress(changed));
}

// ---- routers that do not keep their promises

class LyingRouter final : public SupernodeRouter {
 public:
  LyingRouter(std::int32_t supersteps, std::int32_t kept) : supersteps_(supersteps), kept_(kept) {}
  std::int32_t supersteps() const override { return supersteps_; }
  std::int32_t kept() const override { return kept_; }
  SupernodePicks pick(SupernodePosition here, std::int32_t superstep, const SupernodeNotes& notes) const override {
    return honest_->pick(here, superstep, notes);
  }

 private:
  std::int32_t supersteps_, kept_;
  std::unique_ptr<SupernodeRouter> honest_ = row_first_router({3, 1, false});
};

TEST(SupernodePromises, AreEnforced) {
  SupernodeCase c;
  c.side = 3;
  // From all corners to the opposite ones, and from the middle of the first row to that of the last.
  const std::vector<Packet> packets = one_round(c, {8, 7, 6, 5, 4, 3, 2, 1, 0}, 1, 2);
  const auto says = [&](std::int32_t supersteps, std::int32_t kept) {
    c.changed.router = std::make_shared<LyingRouter>(supersteps, kept);
    return run_supernodes(c, packets).result.violation.text;
  };
  EXPECT_EQ(says(4, 3), "");
  EXPECT_THAT(says(3, 3), testing::HasSubstr("its packet router is late"));
  EXPECT_THAT(says(4, 0), testing::HasSubstr("more worms in its supernode than its packet router has promised"));
  c.consumption = "superstep";
  EXPECT_EQ(says(4, 3), "");
  EXPECT_THAT(says(3, 3), testing::HasSubstr("its packet router is late"));
}

// ---- payload

/// Sees what every flit carries.
class PayloadProbe final : public StepObserver {
 public:
  explicit PayloadProbe(const SupernodeCase& c) : grid_(c.mesh()) {}
  void show(Step, Step, const WakeCalendar::Bitmap&, const Engine& engine) override {
    for (NodeId node = 0; node < grid_.nodes(); ++node)
      for (Port port = 0; port < 4; ++port) {
        if (grid_.neighbour(node, port) == no_node) continue;
        const auto flit = engine.on_link(node, port);
        if (!flit || is_control(flit->kind)) continue;
        ++seen;
        const NodeId source = engine_packets(engine)[static_cast<std::size_t>(flit->packet)].source;
        EXPECT_EQ(flit->header[0], payload_word(source, flit->index));
      }
  }
  std::int64_t seen = 0;

 private:
  static const std::vector<Packet>& engine_packets(const Engine& engine) { return engine.record().packets; }
  Grid grid_;
};

TEST(SupernodePayload, TravelsWithEveryFlit) {
  const SupernodeCase c;
  PayloadProbe observer(c);
  const SupernodeRun run = run_supernodes(c, one_round(c, {3, 2, 0, 1}, 0, 12), &observer);
  EXPECT_TRUE(run.sound()) << run.result.violation.text;
  EXPECT_EQ(observer.seen, run.result.record.flit_hops);
}

TEST(SupernodePayload, DiffersFromFlitToFlit) {
  std::vector<std::uint32_t> words;
  for (NodeId node = 0; node < 5184; ++node)
    for (std::int32_t index = 0; index < 64; ++index) words.push_back(payload_word(node, index));
  std::sort(words.begin(), words.end());
  EXPECT_EQ(std::adjacent_find(words.begin(), words.end()), words.end());
}

// ---- damaged traces

class DamagedSupernodes : public testing::Test {
 protected:
  DamagedSupernodes() : sound_{case_.mesh()} {
    sound_.rules.storage = RefereeRules::Storage::never_standing;
    const std::vector<Packet> packets = one_round(case_, {3, 2, 0, 1}, 1, 12);
    const StepperResult run = step_supernodes(case_, packets);
    sound_.packets = run.record.packets;
    sound_.delivered = run.record.delivered;
    sound_.rows = run.rows;
  }

  using Damage = std::function<bool(SampleRun& run, std::size_t row)>;
  /// Applies a damage to rows spread over the run; false says that it does not apply to one.
  void expect_found(const std::string& name, const Damage& damage) const {
    SCOPED_TRACE(name);
    int damages = 0;
    for (std::size_t i = 0; i < sound_.rows.size(); i += 1 + sound_.rows.size() / 150) {
      SampleRun run = sound_;
      std::size_t row = i;
      while (row < run.rows.size() && !damage(run, row)) ++row;
      if (row == run.rows.size()) break;
      run.sort();
      EXPECT_NE(verdict(run), "") << "row " << row;
      ++damages;
    }
    EXPECT_GT(damages, 1);
  }
  static bool is(const SampleRun& run, std::size_t row, TraceEvent event) { return run.rows[row].event == event; }
  static void erase(SampleRun& run, std::size_t row) {
    run.rows.erase(run.rows.begin() + static_cast<std::ptrdiff_t>(row));
  }

  SupernodeCase case_;
  SampleRun sound_;
};

TEST_F(DamagedSupernodes, AreFound) {
  ASSERT_EQ(verdict(sound_), "");
  const auto on = [](TraceEvent event, const std::function<void(SampleRun&, std::size_t)>& change) {
    return [=](SampleRun& run, std::size_t row) {
      if (!is(run, row, event)) return false;
      change(run, row);
      return true;
    };
  };
  expect_found("a flit stands", on(TraceEvent::hop, [](SampleRun& run, std::size_t row) { ++run.rows[row].step; }));
  expect_found("a worm stands", [](SampleRun& run, std::size_t row) {
    const TraceRow from = run.rows[row];
    if (from.event != TraceEvent::hop || from.node == run.packets[static_cast<std::size_t>(from.packet)].source)
      return false;
    for (TraceRow& other : run.rows)
      if (other.packet == from.packet && other.step >= from.step) ++other.step;
    ++run.delivered[static_cast<std::size_t>(from.packet)];
    return true;
  });
  expect_found("a hop is missing", on(TraceEvent::hop, erase));
  expect_found("an injection is missing", on(TraceEvent::inject, erase));
  expect_found("a consumption is missing", on(TraceEvent::eject, erase));
  expect_found("a worm is lost", on(TraceEvent::hop, [](SampleRun& run, std::size_t row) {
                 const TraceRow from = run.rows[row];
                 run.rows.erase(
                     std::remove_if(run.rows.begin(), run.rows.end(),
                                    [&](const TraceRow& r) { return r.packet == from.packet && r.step >= from.step; }),
                     run.rows.end());
               }));
  expect_found("a flit is consumed early", on(TraceEvent::hop, [](SampleRun& run, std::size_t row) {
                 run.rows[row].event = TraceEvent::eject;
                 run.rows[row].port = no_port;
                 run.rows[row].to = no_node;
               }));
  expect_found("a destination is altered", on(TraceEvent::eject, [](SampleRun& run, std::size_t row) {
                 ++run.packets[static_cast<std::size_t>(run.rows[row].packet)].destination;
               }));
  expect_found("a hop is turned", on(TraceEvent::hop, [](SampleRun& run, std::size_t row) {
                 TraceRow& hop = run.rows[row];
                 const NodeId to = hop.to;
                 while (hop.to == to || hop.to == no_node) {
                   hop.port = (hop.port + 1) % 4;
                   hop.to = run.topology.neighbour(hop.node, hop.port);
                 }
               }));
  expect_found("flits are exchanged", [](SampleRun& run, std::size_t row) {
    if (row + 1 >= run.rows.size()) return false;
    TraceRow &a = run.rows[row], &b = run.rows[row + 1];
    if (a.event != TraceEvent::hop || b.event != TraceEvent::hop || a.packet != b.packet || a.step != b.step)
      return false;
    std::swap(a.flit, b.flit);
    return true;
  });
  expect_found("a hop is of another worm", on(TraceEvent::hop, [](SampleRun& run, std::size_t row) {
                 run.rows[row].packet = (run.rows[row].packet + 1) % 4;
               }));
  expect_found("a link takes two", on(TraceEvent::hop, [](SampleRun& run, std::size_t row) {
                 TraceRow token = run.rows[row];
                 token.event = TraceEvent::token;
                 token.packet = no_packet;
                 token.flit = -1;
                 run.rows.push_back(token);
               }));
  expect_found("a delivery is reported off", on(TraceEvent::eject, [](SampleRun& run, std::size_t row) {
                 --run.delivered[static_cast<std::size_t>(run.rows[row].packet)];
               }));
  SampleRun empty = sound_;
  empty.rows.clear();
  EXPECT_THAT(verdict(empty), testing::HasSubstr("the trace is empty"));
}

}  // namespace
}  // namespace starloom::links
