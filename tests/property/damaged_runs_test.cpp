// SPDX-License-Identifier: Apache-2.0
// The referee accepts what controllers really do and rejects it after every small damage.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/list_source.hpp"
#include "support/named_algorithm.hpp"
#include "support/permutations.hpp"
#include "support/stepper.hpp"
#include "unit/sample_traces.hpp"

namespace starloom::links {
namespace {

struct Case {
  const char* algorithm;
  bool torus;
  RefereeRules::Storage storage;
  std::map<std::string, KeyValue> keys{};
  std::int64_t side = 6;  ///< of a mesh
  int every = 1;          ///< packets of every n-th node
  friend std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.algorithm; }
};

/// Runs of a random permutation, each with one damage.
class DamagedRun : public testing::TestWithParam<Case> {
 protected:
  DamagedRun() : sound_{GetParam().torus ? Grid::torus({5, 6}) : Grid::mesh({GetParam().side, GetParam().side})} {
    sound_.rules.storage = GetParam().storage;
    std::vector<Packet> packets;
    for (const Packet& packet : permutation_packets(random_permutation(sound_.topology.nodes(), 4)))
      if (packet.source % GetParam().every == 0) packets.push_back(packet);
    const auto algorithm = named_algorithm(GetParam().algorithm, sound_.topology, GetParam().keys, &packets);
    sound_.rules.routes_own = algorithm->declaration().routes_own;
    ListSource source(packets);
    StepperResult result = run_stepper(sound_.topology, *algorithm, source);
    sound_.packets = result.record.packets;
    sound_.delivered = result.record.delivered;
    sound_.rows = result.rows;
  }

  /// Applies a damage at every row of an event in turn.
  template <class Damage>
  void every_damage_is_found(TraceEvent event, const Damage& damage) const {
    int damages = 0;
    for (std::size_t i = 0; i < sound_.rows.size(); ++i) {
      if (sound_.rows[i].event != event) continue;
      SampleRun run = sound_;
      damage(run, i);
      run.sort();
      EXPECT_NE(verdict(run), "") << "row " << i;
      ++damages;
    }
    EXPECT_GT(damages, 25);
  }

  /// The packet of row `i` does everything from then on a step later, delivery included.
  static void wait_from(SampleRun& run, std::size_t i) {
    const TraceRow from = run.rows[i];
    for (TraceRow& row : run.rows)
      if (row.packet == from.packet && row.step >= from.step) ++row.step;
    ++run.delivered[static_cast<std::size_t>(from.packet)];
  }

  SampleRun sound_;
};

TEST_P(DamagedRun, IsSoundBeforeTheDamage) { EXPECT_EQ(verdict(sound_), ""); }

TEST_P(DamagedRun, ARowIsMissing) {
  for (const TraceEvent event : {TraceEvent::inject, TraceEvent::hop, TraceEvent::eject})
    every_damage_is_found(event, [](SampleRun& run, std::size_t i) {
      run.rows.erase(run.rows.begin() + static_cast<std::ptrdiff_t>(i));
    });
}

TEST_P(DamagedRun, AHopIsTurned) {
  every_damage_is_found(TraceEvent::hop, [](SampleRun& run, std::size_t i) {
    TraceRow& row = run.rows[i];
    const NodeId to = row.to;
    while (row.to == to || row.to == no_node) {
      row.port = (row.port + 1) % run.topology.ports();
      row.to = run.topology.neighbour(row.node, row.port);
    }
  });
}

TEST_P(DamagedRun, AHopIsOfAnotherPacket) {
  every_damage_is_found(TraceEvent::hop, [](SampleRun& run, std::size_t i) {
    run.rows[i].packet = (run.rows[i].packet + 1) % static_cast<PacketId>(run.packets.size());
  });
}

TEST_P(DamagedRun, ADeliveryIsReportedOff) {
  every_damage_is_found(TraceEvent::eject, [](SampleRun& run, std::size_t i) {
    --run.delivered[static_cast<std::size_t>(run.rows[i].packet)];
  });
}

// A packet waits for a step: never legal if no packet may wait, and reported as such unless it also blocks another.
TEST_P(DamagedRun, AStandIsFoundWhereNothingMayStand) {
  const bool may_stand = GetParam().storage != RefereeRules::Storage::never_standing;
  int accepted = 0, named = 0;
  for (std::size_t i = 0; i < sound_.rows.size(); ++i) {
    // A wait before the injection would only be a later start.
    if (sound_.rows[i].event != TraceEvent::hop || sound_.rows[i].node == sound_.packets[sound_.rows[i].packet].source)
      continue;
    SampleRun run = sound_;
    wait_from(run, i);
    run.sort();
    const std::string says = verdict(run);
    accepted += says.empty() ? 1 : 0;
    named += says.find("stops in the network") != std::string::npos ? 1 : 0;
  }
  EXPECT_EQ(accepted > 0, may_stand);
  EXPECT_EQ(named > 0, !may_stand);
}

INSTANTIATE_TEST_SUITE_P(
    Algorithms, DamagedRun,
    testing::Values(Case{"constant-queue", false, RefereeRules::Storage::store_and_forward, {}, 24, 11},
                    Case{"deflection", false, RefereeRules::Storage::never_standing},
                    Case{"deflection", true, RefereeRules::Storage::never_standing},
                    Case{"kunde", false, RefereeRules::Storage::store_and_forward, {{"s", std::int64_t{2}}}},
                    Case{"three-phase", false, RefereeRules::Storage::store_and_forward},
                    Case{"three-phase", true, RefereeRules::Storage::store_and_forward}),
    [](const auto& instance) {
      std::string name = std::string(instance.param.algorithm) + (instance.param.torus ? "_torus" : "_mesh");
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

}  // namespace
}  // namespace starloom::links
