// SPDX-License-Identifier: Apache-2.0
/// \file The greatest rates of links and local ports, compared with runs of the reference simulator.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <starloom/analysis/links/path_demand.hpp>
#include <starloom/analysis/links/port_capacity.hpp>
#include <starloom/topology/clocks.hpp>
#include <starloom/topology/network_graph_builder.hpp>
#include "support/list_source.hpp"
#include "support/named_algorithm.hpp"
#include "support/routed_networks.hpp"
#include "support/stepper.hpp"
#include "support/varied_routers.hpp"

namespace starloom::links {
namespace {

using Keys = std::map<std::string, KeyValue>;

StepperResult run_of(const LinkNetwork& network, const Algorithm& algorithm, const std::vector<Packet>& packets,
                     const PlainRules& rules = {}) {
  ListSource source(packets);
  StepperOptions options;
  options.rules = rules;
  options.max_steps = 100'000;
  StepperResult run = run_stepper(network, algorithm, source, options);
  EXPECT_EQ(run.end, StepperEnd::all_delivered);
  return run;
}

/// The flits per step that arrive in the middle of a run, for packets of one flit or longer ones.
double measured_rate(const LinkNetwork& network, const Algorithm& algorithm, const std::vector<Packet>& packets) {
  std::vector<Step> arrived = run_of(network, algorithm, packets).record.delivered;
  std::sort(arrived.begin(), arrived.end());
  const std::size_t from = arrived.size() / 4, to = arrived.size() * 3 / 4;
  return static_cast<double>(to - from) * packets[0].flits / static_cast<double>(arrived[to] - arrived[from]);
}

/// A star of terminals: 0 sends to all others in turn, or is sent to; and on a mesh the middle does so.
std::vector<Packet> from_one(NodeId one, const std::vector<NodeId>& others, bool turned) {
  std::vector<Packet> packets;
  for (int i = 0; i < 360; ++i) {
    const NodeId other = others[static_cast<std::size_t>(i) % others.size()];
    packets.push_back(turned ? Packet{other, one, 1, 0} : Packet{one, other, 1, 0});
  }
  return packets;
}

// One channel and single flits: only the port itself limits them.
TEST(PortCapacity, IsMetBySingleFlitsInOneChannel) {
  const LinkNetwork& square = network_of(Grid::mesh({3, 3}));
  const LinkNetwork& pair = network_of(Grid::mesh({1, 2}));
  NetworkGraphBuilder builder;
  for (NodeId node = 0; node < 5; ++node) builder.add_node(NodeRole::processor, "p" + std::to_string(node));
  builder.add_node(NodeRole::switch_node, "hub");
  for (NodeId node = 0; node < 5; ++node) {
    builder.add_link(node, 5, {3, 1});
    builder.add_link(5, node, {3, 1});
  }
  const LinkNetwork& star = kept({"star", builder.build(), {}, "fat-tree"});
  for (const int buffer : {1, 2, 3, 20})
    for (const int pipeline : {3, 4, 5})
      for (const int credit : {0, 3}) {
        SCOPED_TRACE("buffer " + std::to_string(buffer) + ", pipeline " + std::to_string(pipeline) + ", credits " +
                     std::to_string(credit));
        const auto algorithm_on = [&](const LinkNetwork& network, const std::string& function) {
          return named_algorithm("vc-wormhole", network,
                                 {{"function", function},
                                  {"buffer", std::int64_t{buffer}},
                                  {"pipeline", std::int64_t{pipeline}},
                                  {"credit_latency", std::int64_t{1 + network.graph.greatest_latency() + credit}}});
        };
        const auto most = [](const PortCapacity& port) { return greatest_rate(port, 1).flits_per_step(); };
        const auto on_pair = algorithm_on(pair, "dimension-order");
        EXPECT_NEAR(measured_rate(pair, *on_pair, from_one(0, {1}, false)),
                    most(capacity_of_link(pair.graph, on_pair->declaration(), 0, pair.graph.out_ports(0).lowest(), 1)),
                    0.01);
        const auto on_square = algorithm_on(square, "dimension-order");
        if (credit == 0) {  // else the links carry less than the local port
          EXPECT_NEAR(measured_rate(square, *on_square, from_one(4, {1, 3, 5, 7}, false)),
                      most(capacity_from_processor(square.graph, on_square->declaration(), 4)), 0.01);
        }
        const auto on_star = algorithm_on(star, "shortest");
        EXPECT_NEAR(measured_rate(star, *on_star, from_one(0, {1, 2, 3, 4}, false)),
                    most(capacity_of_link(star.graph, on_star->declaration(), 0, 0, 1)), 0.01);
        if (pipeline > 3 && buffer > 2) continue;  // a channel towards a processor takes a head every other step
        EXPECT_NEAR(measured_rate(square, *on_square, from_one(4, {1, 3, 5, 7}, true)),
                    most(capacity_to_processor(square.graph, on_square->declaration(), 4)), 0.01);
        EXPECT_NEAR(measured_rate(star, *on_star, from_one(0, {1, 2, 3, 4}, true)),
                    most(capacity_of_link(star.graph, on_star->declaration(), 5, 0, 1)), 0.01);
      }
}

/// Flits as they pass a port, and those that begin a packet.
struct Passed {
  std::vector<Step> steps;
  double heads = 0;

  void add(const TraceRow& row) {
    steps.push_back(row.step);
    heads += row.flit == 0 ? 1 : 0;
  }
};

void expect_no_more(const Passed& passed, const PortCapacity& port, Step run) {
  const auto flits = static_cast<double>(passed.steps.size());
  if (flits == 0) return;
  EXPECT_GE(static_cast<double>(passed.steps.back() - passed.steps.front()), port.least_steps(flits));
  const auto slots = static_cast<std::size_t>(port.slots());
  for (std::size_t i = slots; i < passed.steps.size(); ++i)
    ASSERT_GE(passed.steps[i] - passed.steps[i - slots], port.loop);
  // The mean packet is as long as `flits / heads`.
  EXPECT_LE(flits, greatest_rate(port, flits / passed.heads).flits_per_step() * static_cast<double>(run) + 1e-6);
}

/// Heads that need several rounds pass in less than two steps each.
TEST(PortCapacity, OfSeveralRoundsIsNotExceeded) {
  const LinkNetwork& pair = network_of(Grid::mesh({1, 2}));
  for (const int rounds : {2, 3, 4})
    for (const int pipeline : {4, 5}) {
      const Keys keys = {{"buffer", std::int64_t{20}},
                         {"pipeline", std::int64_t{pipeline}},
                         {"speedup.internal", std::int64_t{rounds}}};
      const auto algorithm = named_algorithm("vc-wormhole", pair, keys);
      const std::vector<Packet> packets = from_one(0, {1}, false);
      ListSource source(packets);
      StepperOptions options;
      options.rules = plain_rules(keys);
      const Step steps = run_stepper(pair, *algorithm, source, options).record.delivered.back();
      const double rate = static_cast<double>(packets.size()) / static_cast<double>(steps);
      const PortRate bound = greatest_rate(
          capacity_of_link(pair.graph, algorithm->declaration(), 0, pair.graph.out_ports(0).lowest(), 1), 1);
      EXPECT_LE(rate, bound.flits_per_step()) << rounds << " rounds, pipeline " << pipeline;
      EXPECT_GT(rate, 0.6);
    }
}

/// Two flits of a channel leave the switch of their router in a distance, however fast the next router is.
TEST(PortCapacity, OfASlowSenderIsThatOfItsSwitch) {
  const LinkNetwork& pair = network_of(Grid::mesh({1, 2}));
  AlgorithmContext context{&pair};
  context.regions.push_back({"node_r00_c00"});
  context.regions.back().stages[2] = 3;
  const Keys keys = {{"buffer", std::int64_t{20}}, {"pipeline", std::int64_t{4}}, {"speculative", false}};
  const auto algorithm = make_algorithm(tested_algorithm("vc-wormhole"), context, keys);
  const std::vector<Packet> packets = {{0, 1, 90, 0}};
  const StepperResult run = run_of(pair, *algorithm, packets, plain_rules(keys));
  const PortCapacity port =
      capacity_of_link(pair.graph, algorithm->declaration(), 0, pair.graph.out_ports(0).lowest(), 1);
  EXPECT_EQ(greatest_rate(port, 90).flits_per_step(), 1.0 / 3);
  // The head needs 12 steps, two of them to leave the second router, where the tail needs one.
  EXPECT_EQ(run.record.delivered.back(), 12 + 89 * 3 - 1);
}

/// A receiver reads one flit per cycle. A flit has its place in the FIFO of the link from the switch, 3 cycles before
/// its arrival, until the sender knows that it has been read.
TEST(PortCapacity, IsThatOfTheCrossingBetweenTwoClocks) {
  struct Case {
    std::int32_t sender, receiver;
    CrossingKeys crossing;
    double rate;
  };
  for (const Case& one : std::vector<Case>{{1, 2, {}, 0.5},
                                           {2, 1, {}, 0.5},
                                           {1, 3, {}, 1.0 / 3},
                                           {1, 1, {1, 1}, 1.0 / 5},
                                           {1, 1, {0, 2}, 2.0 / 3},
                                           {2, 2, {1, 3}, 3.0 / 10}}) {
    SCOPED_TRACE(std::to_string(one.sender) + " to " + std::to_string(one.receiver));
    LinkNetwork pair = network_of(Grid::mesh({1, 2}));
    const Port port = pair.graph.out_ports(0).lowest();
    NetworkGraphBuilder builder(pair.graph);
    builder.set_crossing({0, port}, one.crossing);
    pair.graph = builder.build();
    pair = with_clocks(std::move(pair), {one.sender, one.receiver});
    const auto algorithm =
        named_algorithm("vc-wormhole", pair, {{"channels", std::int64_t{2}}, {"buffer", std::int64_t{40}}});
    EXPECT_NEAR(measured_rate(pair, *algorithm, from_one(0, {1}, false)), one.rate, 0.01);
    EXPECT_EQ(greatest_rate(capacity_of_link(pair.graph, algorithm->declaration(), 0, port, 2), 1).flits_per_step(),
              one.rate);
  }
}

TEST(PortCapacity, IsExceededByNoRun) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    RandomStream dice(seed, Purpose::algorithm, 2, 0);
    const LinkNetwork even = uneven_network(seed);
    const LinkNetwork& network = kept(seed % 4 == 3 ? with_uneven_clocks(even, seed) : even);
    const NetworkGraph& graph = network.graph;
    const bool speculative = dice.bounded(2) == 0;
    Keys keys = {{"function", std::string("up-down")},
                 {"channels", std::int64_t{1 + dice.bounded(3)}},
                 {"buffer", std::int64_t{1 + dice.bounded(6)}},
                 {"speculative", speculative},
                 {"pipeline", std::int64_t{(speculative ? 3 : 4) + dice.bounded(2)}},
                 {"credit_latency", std::int64_t{1 + graph.greatest_wire_cycles() + dice.bounded(3)}}};
    if (seed % 2 == 0) {
      keys.erase("pipeline");
      keys.erase("speculative");
      for (const char* stage : {"channel", "switch", "crossbar"})
        keys[std::string("stages.") + stage] = std::int64_t{1 + dice.bounded(3)};
    }
    if (seed % 3 == 0) {
      keys["speedup.output"] = std::int64_t{1 + dice.bounded(2)};
      if (seed % 2 != 0) keys["speedup.internal"] = std::int64_t{1 + dice.bounded(4)};
    } else if (seed % 3 == 1) {
      keys.erase("buffer");
      keys["buffers.policy"] = std::string(dice.bounded(2) == 0 ? "shared" : "dynamic");
      keys["buffers.places"] = std::int64_t{3 + dice.bounded(4)};
    }
    const std::optional<std::int32_t> least_buffer = seed % 3 != 1 ? std::optional(1) : std::nullopt;
    const auto algorithm = seed % 5 < 2 ? varied_routers(network, keys, seed, least_buffer, least_buffer)
                                        : named_algorithm("vc-wormhole", network, keys);
    const Declaration& declared = algorithm->declaration();
    std::vector<Packet> packets;
    const auto processor = [&] {
      return graph.processor(static_cast<NodeId>(dice.bounded(static_cast<std::uint32_t>(graph.processors()))));
    };
    for (int i = 0; i < 200; ++i)
      packets.push_back({processor(), processor(), static_cast<std::int32_t>(1 + dice.bounded(5)), 0});
    const StepperResult run = run_of(network, *algorithm, packets, plain_rules(keys));
    std::vector<Passed> links(graph.link_slots()), from(static_cast<std::size_t>(graph.nodes())), to(from);
    for (const TraceRow& row : run.rows) {
      if (row.event == TraceEvent::hop) links[graph.index(row.node, row.port)].add(row);
      if (row.event == TraceEvent::inject) from[static_cast<std::size_t>(row.node)].add(row);
      if (row.event == TraceEvent::eject) to[static_cast<std::size_t>(row.node)].add(row);
    }
    const Step steps = run.rows.back().step;
    for (NodeId node = 0; node < graph.nodes(); ++node) {
      for (const Port port : graph.out_ports(node))
        expect_no_more(links[graph.index(node, port)], capacity_of_link(graph, declared, node, port, declared.channels),
                       steps);
      if (graph.processor_of(node) < 0 || graph.is_terminal(node)) continue;
      expect_no_more(from[static_cast<std::size_t>(node)], capacity_from_processor(graph, declared, node), steps);
      expect_no_more(to[static_cast<std::size_t>(node)], capacity_to_processor(graph, declared, node), steps);
    }
  }
}

// Without virtual channels the interval is the only limit.
TEST(PortCapacity, OfStoreAndForwardIsTheInterval) {
  NetworkGraphBuilder builder;
  for (NodeId node = 0; node < 2; ++node) builder.add_node(NodeRole::processor, "p" + std::to_string(node));
  builder.add_link(0, 1, {9, 4});
  builder.add_link(1, 0, {1, 1});
  const LinkNetwork& network = kept({"pair", builder.build(), {}, "fat-tree"});
  const PortCapacity slow = capacity_of_link(network.graph, Declaration{}, 0, 0, 1);
  EXPECT_EQ(greatest_rate(slow, 1).flits_per_step(), 0.25);
  EXPECT_EQ(slow.least_steps(5), 16);
  EXPECT_EQ(greatest_rate(capacity_of_link(network.graph, Declaration{}, 1, 0, 1), 1).flits_per_step(), 1);
}

// On a ring of five with a dateline packets take the other channel once they have crossed it.
TEST(PortCapacity, CountsTheChannelsThatPacketsMayTake) {
  const LinkNetwork& network = network_of(Grid::torus({1, 5}));
  const auto algorithm = named_algorithm("vc-wormhole", network, {{"channels", std::int64_t{4}}});
  const auto channels = [&](const std::vector<Flow>& flows, NodeId from) {
    const auto demand = demand_by_paths(network.graph, *algorithm->routing_function(0), flows);
    const auto link = std::find_if(demand->load.begin(), demand->load.end(), [](double load) { return load > 0; });
    EXPECT_NE(link, demand->load.end());
    std::int32_t count = 0;
    for (Port port = 0; port < network.graph.ports(); ++port)
      if (demand->load[network.graph.index(from, port)] > 0) count = demand->channels[network.graph.index(from, port)];
    return count;
  };
  EXPECT_EQ(channels({{1, 2, 1}}, 1), 2);
  EXPECT_EQ(channels({{4, 1, 1}}, 4), 2);
  EXPECT_EQ(channels({{4, 1, 1}, {0, 1, 1}}, 0), 4);
  const LinkNetwork& square = network_of(Grid::mesh({3, 3}));
  const auto undivided = named_algorithm("vc-wormhole", square, {{"channels", std::int64_t{4}}});
  const auto demand = uniform_demand_by_paths(square.graph, *undivided->routing_function(0), 0.5);
  for (NodeId node = 0; node < 9; ++node)
    for (const Port port : square.graph.out_ports(node)) EXPECT_EQ(demand->channels[square.graph.index(node, port)], 4);
}

}  // namespace
}  // namespace starloom::links
