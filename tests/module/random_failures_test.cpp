// SPDX-License-Identifier: Apache-2.0
/// \file Cables that fail and are repaired at random for as long as a run goes on.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "module/faulty_run.hpp"
#include "support/dice.hpp"
#include "support/routed_networks.hpp"

namespace starloom::links {
namespace {

std::vector<Setting> failing_settings() {
  static const LinkNetwork& mesh = network_of(Grid::mesh({4, 5}));
  static const LinkNetwork& torus = network_of(Grid::torus({4, 4}), 2);
  return {{mesh, with_channels(1, 8, with_word("function", "up-down"))},
          {mesh, with_channels(4, 3, with_word("function", "min-adaptive")), 0.1},
          {torus, with_channels(2, 4)},
          {mesh, {}, 0, {}, "greedy"},
          {mesh, {}, 0, {}, "deflection"}};
}

/// Packets of 300 steps on cables that fail every 500 steps and are repaired in 30.
std::unique_ptr<FaultyRun> failing_run(const Setting& setting, std::uint64_t seed,
                                       const std::optional<RerouteRules>& rules) {
  Dice dice(seed);
  const NodeId nodes = setting.network.graph.processors();
  const bool long_packets = setting.algorithm == "vc-wormhole";
  std::vector<Packet> packets;
  for (Step step = 0; step < 300; ++step)
    packets.push_back({dice.below(nodes), dice.below(nodes), long_packets ? 1 + dice.below(6) : 1, step});
  return std::make_unique<FaultyRun>(setting, std::vector<Outage>(), std::move(packets), seed, rules, std::nullopt,
                                     Lifetimes{500, 30});
}

/// Networks of single flits never drain.
RerouteRules rules_for(const Setting& setting, std::uint64_t seed) {
  RerouteRules rules = rules_of(seed);
  rules.after %= 4;
  if (setting.algorithm != "vc-wormhole" && rules.transition == Transition::drain) rules.transition = Transition::keep;
  return rules;
}

TEST(RandomFailures, AreInLockstep) {
  const std::vector<Setting> all = failing_settings();
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::size_t changes = 0, lost = 0;
    for (std::uint64_t seed = 1; seed <= 6 && !HasFailure(); ++seed) {
      SCOPED_TRACE("setting " + std::to_string(i) + ", seed " + std::to_string(seed));
      const auto run = failing_run(all[i], 10 * i + seed, rules_for(all[i], seed));
      run->expect_lockstep();
      const RunRecord record = run->run().record;
      changes += record.reroutes.size();
      lost += record.lost.size();
    }
    EXPECT_GT(changes, 50u) << "setting " << i;
    EXPECT_GT(lost, 10u) << "setting " << i;
  }
}

TEST(RandomFailures, AreAcceptedByTheReferee) {
  const std::vector<Setting> all = failing_settings();
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::uint64_t seed = 1; seed <= 6 && !HasFailure(); ++seed) {
      SCOPED_TRACE("setting " + std::to_string(i) + ", seed " + std::to_string(seed));
      RouterRun run = failing_run(all[i], 10 * i + seed, rules_for(all[i], seed))->record();
      EXPECT_EQ(run.verdict(), "");
      // Events that are known after the run are those that were drawn in it.
      FaultTimeline timeline = *run.rules.endless;
      timeline.extend(run.rows.back().step);
      run.rules.endless.reset();
      run.rules.fault_events = timeline.events();
      EXPECT_EQ(run.verdict(), "");
      std::reverse(run.rules.fault_events.begin(), run.rules.fault_events.end());
      run.rules.fault_events.resize(1);
      EXPECT_NE(run.verdict(), "");
    }
}

TEST(RandomFailures, OfWhichNoFunctionLearns) {
  for (const Setting& setting : failing_settings()) {
    if (setting.algorithm == "deflection") continue;
    const auto run = failing_run(setting, 7, std::nullopt);
    run->expect_lockstep();
    EXPECT_EQ(run->record().verdict(), "");
  }
}

}  // namespace
}  // namespace starloom::links
