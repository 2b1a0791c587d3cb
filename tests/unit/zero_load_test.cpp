// SPDX-License-Identifier: Apache-2.0
/// \file Latencies of packets that meet no other, against runs of the reference simulator.
#include <gtest/gtest.h>

#include <starloom/control/links/zero_load.hpp>
#include "support/list_source.hpp"
#include "support/named_algorithm.hpp"
#include "support/routed_networks.hpp"
#include "support/stepper.hpp"
#include "support/varied_routers.hpp"

namespace starloom::links {
namespace {

using Keys = std::map<std::string, KeyValue>;

Step delivered_alone(const LinkNetwork& network, const Algorithm& algorithm, const Packet& packet,
                     const PlainRules& rules = {}) {
  ListSource source({packet});
  StepperOptions options;
  options.rules = rules;
  options.max_steps = 100'000;
  const StepperResult run = run_stepper(network, algorithm, source, options);
  EXPECT_EQ(run.end, StepperEnd::all_delivered);
  return run.record.delivered.at(0) - packet.created;
}

TEST(ZeroLoad, OfRoutersIsThatOfAPacketAlone) {
  int stretched = 0, from_terminals = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    RandomStream dice(seed, Purpose::algorithm, 1, 0);
    const LinkNetwork even = uneven_network(seed);
    const LinkNetwork& network = kept(seed % 4 == 3 || seed % 8 == 1 ? with_uneven_clocks(even, seed) : even);
    const NetworkGraph& graph = network.graph;
    const bool speculative = dice.bounded(2) == 0;
    Keys keys = {{"function", std::string(dice.bounded(2) == 0 ? "up-down" : "shortest")},
                 {"channels", std::int64_t{1 + dice.bounded(3)}},
                 {"buffer", std::int64_t{1 + dice.bounded(seed % 3 == 0 ? 40 : 6)}},
                 {"speculative", speculative},
                 {"pipeline", std::int64_t{(speculative ? 3 : 4) + dice.bounded(2)}},
                 {"credit_latency", std::int64_t{1 + graph.greatest_wire_cycles() + dice.bounded(3)}}};
    if (seed % 3 == 0) {
      keys.erase("pipeline");
      keys["stages.routing"] = std::int64_t{dice.bounded(4)};
      keys["stages.crossbar"] = std::int64_t{1 + dice.bounded(4)};
      if (!speculative) {
        keys["stages.channel"] = std::int64_t{1 + dice.bounded(4)};
        keys["stages.switch"] = std::int64_t{1 + dice.bounded(4)};
      }
    }
    if (seed % 4 < 2) {
      keys["speedup.output"] = std::int64_t{1 + dice.bounded(2)};
      if (dice.bounded(2) == 0) keys["speedup.fifo"] = std::int64_t{1 + dice.bounded(3)};
      if (seed % 3 > 0) keys["speedup.internal"] = std::int64_t{1 + dice.bounded(4)};
    } else if (seed % 4 == 2) {
      keys.erase("buffer");
      keys["buffers.policy"] = std::string(dice.bounded(2) == 0 ? "shared" : "dynamic");
      keys["buffers.places"] = std::int64_t{3 + dice.bounded(7)};
    }
    const std::optional<std::int32_t> least_buffer = seed % 4 != 2 ? std::optional(1) : std::nullopt;
    const auto algorithm = seed % 5 < 2 ? varied_routers(network, keys, seed, least_buffer)
                                        : named_algorithm("vc-wormhole", network, keys);
    const ZeroLoad zero_load(graph, *algorithm);
    for (int i = 0; i < 4; ++i) {
      const auto processor = [&] {
        return graph.processor(static_cast<NodeId>(dice.bounded(static_cast<std::uint32_t>(graph.processors()))));
      };
      const Packet packet{processor(), processor(), static_cast<std::int32_t>(1 + dice.bounded(30)),
                          static_cast<Step>(dice.bounded(5))};
      PacketPath path;
      ASSERT_TRUE(offered_path(graph, *algorithm, packet, 0, path));
      const Step expected = delivered_alone(network, *algorithm, packet, plain_rules(keys));
      EXPECT_EQ(zero_load.latency(path, packet.flits, packet.created), expected)
          << packet.source << " to " << packet.destination;
      EXPECT_EQ(zero_load.latency(packet, 0), expected);
      const std::vector<Step> all = zero_load.latencies(path, packet.flits);
      if (!graph.has_clocks()) EXPECT_EQ(all.back(), expected);
      EXPECT_GE(expected, zero_load.least(packet.source, packet.destination, packet.flits));
      Step head = zero_load.head_start();
      for (const std::size_t link : path.links) head += zero_load.head_steps(link);
      if (algorithm->declaration().pipelines.alike() && !graph.has_clocks()) EXPECT_EQ(all.front(), head);
      else EXPECT_GE(all.front(), head);
      const Step whole = head + (packet.flits - 1) * zero_load.flit_steps();
      stretched += expected > whole ? 1 : 0;
      from_terminals += graph.is_terminal(packet.source) ? 1 : 0;
      if (zero_load.never_stretches()) {
        EXPECT_EQ(expected, whole);
      }
    }
  }
  EXPECT_GT(stretched, 100);
  EXPECT_GT(from_terminals, 50);
}

TEST(ZeroLoad, BuffersThatAreLongEnoughNeverStretch) {
  for (const auto& [buffer, never] : {std::pair(8, true), std::pair(4, false)}) {
    const LinkNetwork& network = network_of(Grid::mesh({4, 4}));
    const auto algorithm = named_algorithm("vc-wormhole", network, {{"buffer", std::int64_t{buffer}}});
    const ZeroLoad zero_load(network.graph, *algorithm);
    EXPECT_EQ(zero_load.never_stretches(), never);
    const Packet packet{0, 15, 20, 0};
    EXPECT_EQ(zero_load.latency(packet, 0), delivered_alone(network, *algorithm, packet));
  }
}

TEST(ZeroLoad, OfStoreAndForwardIsTheSumOfTheLatencies) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const LinkNetwork& network = kept(uneven_network(seed));
    const NetworkGraph& graph = network.graph;
    const auto algorithm = named_algorithm("greedy", network, {{"function", std::string("shortest")}});
    const ZeroLoad zero_load(graph, *algorithm);
    for (NodeId to = 0; to < graph.processors(); ++to) {
      const Packet packet{graph.processor(0), graph.processor(to), 1, 3};
      EXPECT_EQ(zero_load.latency(packet, 0), delivered_alone(network, *algorithm, packet));
    }
  }
}

}  // namespace
}  // namespace starloom::links
