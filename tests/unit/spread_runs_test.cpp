// SPDX-License-Identifier: Apache-2.0
/// \file Packets spread over equal paths, in runs: the loads and verdicts of `check`, and what parallel cables carry.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <numeric>

#include <starloom/analysis/links/channel_dependencies.hpp>
#include <starloom/analysis/links/path_demand.hpp>
#include <starloom/run/standard_catalogue.hpp>
#include "support/list_source.hpp"
#include "support/named_algorithm.hpp"
#include "support/routed_networks.hpp"
#include "support/stepper.hpp"
#include "unit/catalogue_runs.hpp"

namespace starloom::links {
namespace {

std::unique_ptr<Algorithm> spread_router(const LinkNetwork& network, const std::string& function,
                                         const std::string& spread, std::uint64_t seed = 1) {
  return make_algorithm(
      tested_algorithm("vc-wormhole"), {&network, seed},
      {{"function", function}, {"spread", spread}, {"channels", std::int64_t{2}}, {"buffer", std::int64_t{4}}});
}

std::vector<Flow> flows_between_all(const NetworkGraph& graph) {
  std::vector<Flow> flows;
  for (NodeId from = 0; from < graph.processors(); ++from)
    for (NodeId to = 0; to < graph.processors(); ++to)
      flows.push_back({graph.processor(from), graph.processor(to), 1 + 0.25 * (to % 3)});
  return flows;
}

/// The load of a flow that divides equally at every node, by recursion from a head on.
void divide(const NetworkGraph& graph, const routing::RoutingFunction& every, const routing::Head& head, double flits,
            std::vector<double>& load) {
  routing::Choices choices;
  every.route(head, choices);
  for (const routing::Choice& choice : choices) {
    Port port = choice.port;
    if (port == graph.ports()) {
      if (head.in_port != graph.ports() || !graph.is_terminal(head.node)) return;
      port = graph.out_ports(head.node).lowest();  // a terminal's packet to itself
    }
    const double part = flits / static_cast<double>(choices.size());
    load[graph.index(head.node, port)] += part;
    const LinkEnd next = graph.far_end(head.node, port);
    divide(graph, every, {next.node, next.port, 0, head.destination}, part, load);
  }
}

TEST(SpreadLoads, OfPacketsDivideEquallyAtEveryNode) {
  for (std::uint64_t seed = 0; seed < 30; ++seed)
    for (const char* name : {"shortest", "up-down"}) {
      const LinkNetwork& network = kept(random_network(seed));
      const NetworkGraph& graph = network.graph;
      const auto algorithm = spread_router(network, name, "packet");
      const std::vector<Flow> flows = flows_between_all(graph);
      const auto found = demand_by_paths(graph, *algorithm->routing_function(0), flows);
      ASSERT_TRUE(found);
      EXPECT_EQ(found->meaning, LinkDemand::Meaning::expected);
      std::vector<double> expected(graph.link_slots(), 0);
      for (const Flow& flow : flows)
        divide(graph, *algorithm->routing_function(0)->every_path(), {flow.source, graph.ports(), 0, flow.destination},
               flow.flits, expected);
      for (std::size_t link = 0; link < expected.size(); ++link)
        ASSERT_NEAR(found->load[link], expected[link], 1e-9) << name << " " << seed << " " << link;
    }
}

// One path a pair: what a run carries, to the flit.
TEST(SpreadLoads, OfFlowsAreThoseOfTheSeed) {
  std::vector<std::vector<double>> of_seeds;
  const LinkNetwork& network = kept(random_network(3));
  const NetworkGraph& graph = network.graph;
  for (const char* name : {"shortest", "up-down"})
    for (const std::uint64_t seed : {1, 2}) {
      const auto algorithm = spread_router(network, name, "flow", seed);
      std::vector<Packet> packets;
      std::vector<Flow> flows;
      for (NodeId from = 0; from < graph.processors(); ++from)
        for (NodeId to = 0; to < graph.processors(); to += 2) {
          packets.push_back({graph.processor(from), graph.processor(to), 2, 0});
          flows.push_back({graph.processor(from), graph.processor(to), 2});
        }
      ListSource source(packets);
      StepperOptions options;
      options.max_steps = 100'000;
      options.seed = seed;
      const StepperResult run = run_stepper(network, *algorithm, source, options);
      if (std::string(name) == "up-down") {
        ASSERT_EQ(run.end, StepperEnd::all_delivered);
      }
      const auto found = demand_of_paths(graph, *algorithm, flows);
      ASSERT_TRUE(found);
      EXPECT_EQ(found->meaning, LinkDemand::Meaning::certain);
      if (run.end == StepperEnd::all_delivered) {
        EXPECT_EQ(found->load, std::vector<double>(run.record.link_load.begin(), run.record.link_load.end()));
      }
      of_seeds.push_back(found->load);
    }
  EXPECT_NE(of_seeds[0], of_seeds[1]);
  EXPECT_NE(of_seeds[2], of_seeds[3]);
}

// All minimal paths, whatever the seed and the spread.
TEST(SpreadVerdict, IsTheSameForEverySpreadAndSeed) {
  int cyclic = 0;
  for (std::uint64_t number = 0; number < 40; ++number) {
    const LinkNetwork& network = kept(random_network(number));
    for (const char* name : {"shortest", "up-down"}) {
      const auto verdict = [&](const std::string& spread, std::uint64_t seed) {
        return *channel_dependencies(network.graph, *spread_router(network, name, spread, seed));
      };
      const ChannelDependencies adaptive = verdict("adaptive", 1);
      for (const char* spread : {"flow", "packet"})
        for (const std::uint64_t seed : {1, 2}) {
          const ChannelDependencies found = verdict(spread, seed);
          ASSERT_EQ(found.acyclic(), adaptive.acyclic()) << number;
          ASSERT_EQ(found.dependencies, adaptive.dependencies) << number;
          ASSERT_EQ(found.channels, adaptive.channels) << number;
          ASSERT_FALSE(found.lost || found.astray) << number;
        }
      ASSERT_LE(verdict("none", 1).dependencies, adaptive.dependencies);
      if (std::string(name) == "up-down") {
        ASSERT_TRUE(adaptive.acyclic()) << number;
      }
      cyclic += adaptive.acyclic() ? 0 : 1;
    }
  }
  EXPECT_GT(cyclic, 10);
}

// However the roots are chosen: paths close no cycle, and all pairs have one that have a path up and down.
TEST(SpreadVerdict, IsAcyclicForAnyRoots) {
  int all = 0, some = 0;
  for (std::uint64_t number = 0; number < 60; ++number) {
    const LinkNetwork& network = kept(random_network(number));
    RandomStream dice(number, Purpose::destination, 0, 0);
    std::vector<std::string> roots;
    for (int root = 0; root < 3; ++root)
      roots.push_back(std::to_string(dice.bounded(static_cast<std::uint32_t>(network.graph.nodes()))));
    const auto algorithm =
        named_algorithm("vc-wormhole", network,
                        {{"function", std::string("up-down")}, {"spread", std::string("packet")}, {"root", roots}});
    const ChannelDependencies found = *channel_dependencies(network.graph, *algorithm);
    ASSERT_TRUE(found.acyclic()) << number;
    ASSERT_FALSE(found.lost || found.astray) << number;
    ++(algorithm->without_path() == nullptr ? all : some);
  }
  EXPECT_GT(all, 5);
  EXPECT_GT(some, 5);
}

}  // namespace
}  // namespace starloom::links

namespace starloom {
namespace {

class SpreadRuns : public CatalogueRuns {
 protected:
  /// Two switches, `cables` between them, and as many processors at each.
  void write_cables(int cables) const {
    std::string text = "nodes:\n";
    for (int node = 0; node < 2 * cables; ++node) text += "  - {name: h" + std::to_string(node) + "}\n";
    text += "  - {name: a, role: switch}\n  - {name: b, role: switch}\nlinks:\n";
    for (int node = 0; node < 2 * cables; ++node)
      text += "  - {from: h" + std::to_string(node) + ", to: " + (node < cables ? "a" : "b") + ", both: true}\n";
    for (int cable = 0; cable < cables; ++cable) text += "  - {from: a, to: b, both: true}\n";
    scratch_.write("g.yaml", text);
  }
  std::string over_cables(int cables, const std::string& keys, const std::string& traffic) const {
    return experiment("topology: graph, file: g.yaml", "vc-wormhole, channels: 2, pipeline: 3, " + keys,
                      "shift, offset: " + std::to_string(cables) + ", warmup: 200, " + traffic) +
           "limits: {latency: \"off\"}\n";
  }
  double accepted(int cables, const std::string& keys, const std::string& traffic) const {
    const std::string text = over_cables(cables, keys, traffic);
    EXPECT_EQ(status_of_run(standard_catalogue(), text, "out", {"--no-packets"}), 0) << text;
    return result()["throughput"]["accepted"].get<double>();
  }
};

TEST_F(SpreadRuns, FourCablesCarryFourTimesOne) {
  write_cables(4);
  for (const char* function : {"shortest", "up-down"}) {
    const auto carried = [&](const std::string& spread, const std::string& rate) {
      return accepted(4, std::string("function: ") + function + ", spread: " + spread,
                      "rate: " + rate + ", flits: 4, measure: 4000");
    };
    const double one = carried("none", "1");
    EXPECT_LE(one, 0.25) << function;
    EXPECT_GE(carried("adaptive", "1"), 4 * one) << function;
    EXPECT_NEAR(carried("packet", "0.6"), 0.6, 0.02) << function;
  }
}

// Single flits: with exact credits the heads of a step request the same few cables (0.46 of 0.6), and with the first
// port always (function table) one of them (0.31).
TEST_F(SpreadRuns, HeadsOfAStepTakeSixCables) {
  write_cables(6);
  for (const char* rate : {"0.6", "0.9"})
    for (const char* buffer : {"buffer: 8", "buffer: 16"})
      EXPECT_NEAR(accepted(6, std::string("function: shortest, spread: adaptive, ") + buffer,
                           std::string("flits: 1, measure: 2000, rate: ") + rate),
                  std::stod(rate), 0.01)
          << rate << " " << buffer;
}

TEST_F(SpreadRuns, CheckPrintsTheLoadsOfEachSpread) {
  write_cables(4);
  const auto load = [&](const std::string& spread) {
    const std::string text = check_of(standard_catalogue(), over_cables(4, "function: shortest, spread: " + spread,
                                                                        "rate: 0.5, flits: 4, measure: 1000"));
    const std::size_t at = text.find("link load");
    return text.substr(at, text.find('\n', at) - at);
  };
  EXPECT_EQ(load("none"), "link load     mean 0.5, max 2 flits per step over link_a_port4, full at rate 0.25");
  EXPECT_EQ(load("packet"),
            "link load     mean 0.5, max 0.5 flits per step over link_h0_port0, averaged over random choices, full at "
            "rate 1");
  EXPECT_THAT(load("flow"), testing::MatchesRegex("link load     mean 0.5, max (0.5|1|1.5|2) flits per step over .*"));
  EXPECT_THAT(load("adaptive"), testing::HasSubstr("some link has at least 0.5, and is full at rate 1"));
}

TEST_F(SpreadRuns, GiveTheSameBytesInAnyOrder) {
  write_cables(3);
  for (const char* spread : {"flow", "packet", "adaptive"})
    for (const char* keys : {"", ", selection: random", ", allocator: {islip: 2}"})
      expect_same_bytes_in_any_order(standard_catalogue(),
                                     over_cables(3, std::string("function: up-down, spread: ") + spread + keys,
                                                 "rate: 0.7, flits: 3, measure: 100"));
}

// Links with different numbers of channels, of regions, ask the same function.
TEST_F(SpreadRuns, WorkOnLinksWithDifferentNumbersOfChannels) {
  write_cables(4);
  for (const char* spread : {"flow", "packet", "adaptive"}) {
    const std::string text =
        over_cables(4, std::string("function: shortest, spread: ") + spread, "rate: 0.2, flits: 2, measure: 500");
    std::string regions = text;
    const std::string network = "file: g.yaml";
    regions.replace(regions.find(network), network.size(), network + ", regions: [{nodes: b, channels: 4}]");
    EXPECT_EQ(status_of_run(standard_catalogue(), regions, "out"), 0) << regions;
    const auto load = [&](const std::string& file) {
      const std::string all = check_of(standard_catalogue(), file);
      const std::size_t at = all.find("link load");
      return all.substr(at, all.find('\n', at) - at);
    };
    EXPECT_EQ(load(regions), load(text));
  }
}

}  // namespace
}  // namespace starloom
