// SPDX-License-Identifier: Apache-2.0
/// \file Networks with subnets: each of them does what the reference simulator does alone, with the packets that come
/// to it (docs/subnets.md).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include <starloom/control/links/make_algorithm.hpp>
#include <starloom/router/subnet_sources.hpp>
#include <starloom/schema/key_text.hpp>
#include <starloom/simulation/links/simulation.hpp>
#include <starloom/topology/subnets.hpp>
#include <starloom/traffic/packet_list.hpp>
#include "support/dice.hpp"
#include "support/fresh_context.hpp"
#include "support/lockstep.hpp"
#include "support/named_algorithm.hpp"
#include "support/routed_networks.hpp"

namespace starloom::links {
namespace {

using Keys = std::map<std::string, KeyValue>;

std::unique_ptr<Algorithm> router_for(const LinkNetwork& network, const std::vector<TrafficClass>& classes, int subnets,
                                      const Keys& keys, std::uint64_t seed) {
  AlgorithmContext context{&network, seed};
  context.classes = classes;
  context.subnets = subnets;
  return make_algorithm(tested_algorithm("vc-wormhole"), context, keys);
}

/// Packets that come to their subnets one after the other from each queue of a processor, as a run has sent them: the
/// first when it is created, others in the step after the tail of the one before at the earliest. [subnet]
struct Arrived {
  std::vector<Packet> packets;
  std::vector<PacketId> numbers;  ///< in the run
};
std::vector<Arrived> packets_of_subnets(const NetlistRun& run, int subnets) {
  std::vector<Step> tails(run.record.packets.size(), no_step);
  for (const TraceRow& row : run.rows)
    if (row.event == TraceEvent::inject) tails[static_cast<std::size_t>(row.packet)] = row.step;
  std::map<std::pair<NodeId, int>, Step> free_from;  // [source, class]
  std::vector<Arrived> all(static_cast<std::size_t>(subnets));
  for (std::size_t id = 0; id < tails.size(); ++id) {
    Packet packet = run.record.packets[id];
    Step& free = free_from[{packet.source, packet.traffic_class}];
    packet.created = std::max(packet.created, free);
    free = tails[id] + 1;
    Arrived& own = all[static_cast<std::size_t>(packet.subnet)];
    own.packets.push_back(packet);
    own.numbers.push_back(static_cast<PacketId>(id));
  }
  // Packets get their numbers as in a list.
  for (Arrived& own : all) {
    std::vector<std::size_t> order(own.packets.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return std::make_pair(own.packets[a].created, own.packets[a].source) <
             std::make_pair(own.packets[b].created, own.packets[b].source);
    });
    Arrived sorted;
    for (const std::size_t i : order) {
      sorted.packets.push_back(own.packets[i]);
      sorted.numbers.push_back(own.numbers[i]);
    }
    own = std::move(sorted);
  }
  return all;
}

/// The rows of one subnet, with the numbers of a network alone, or of a list of packets.
template <class Row>
std::vector<Row> rows_of(const std::vector<Row>& rows, const NetworkGraph& graph, int subnet) {
  std::vector<Row> own;
  for (Row row : rows) {
    if (graph.subnet_of(row.node) != subnet) continue;
    row.node = graph.home(row.node);
    if constexpr (std::is_same_v<Row, TraceRow>)
      if (row.to != no_node) row.to = graph.home(row.to);
    own.push_back(row);
  }
  return own;
}
std::vector<TraceRow> renumbered(std::vector<TraceRow> rows, const std::vector<PacketId>& numbers) {
  for (TraceRow& row : rows) row.packet = numbers[static_cast<std::size_t>(row.packet)];
  std::sort(rows.begin(), rows.end());
  return rows;
}

/// Every subnet alone in the reference simulator, and the whole in netlists of different order.
void expect_alone(const LinkNetwork& single, int subnets, const std::vector<TrafficClass>& classes, const Keys& keys,
                  const std::vector<Packet>& packets, std::uint64_t seed, const PlainRules& rules) {
  const LinkNetwork hardware = with_subnets(single, subnets);
  const auto algorithm = router_for(single, classes, subnets, keys, seed);
  std::vector<NetlistRun> runs;
  for (int variant = 0; variant < 4; ++variant) {
    SCOPED_TRACE("variant " + std::to_string(variant));
    ListSource source(packets);
    NetlistRunOptions options;
    options.network.seed = seed;
    options.network.shuffle = variant == 1 ? seed + 17 : 0;
    options.network.wake_all = variant == 2;
    options.network.threads = variant == 3 ? 3 : 1;
    options.max_steps = 5000;
    const NetlistRun& run = runs.emplace_back(run_netlist(hardware, *algorithm, source, options));
    ASSERT_EQ(run.end, StepperEnd::all_delivered) << run.violation.text;
    EXPECT_EQ(run.rows, runs.front().rows);
    EXPECT_EQ(run.credits, runs.front().credits);
  }
  const NetlistRun& run = runs.front();
  const std::vector<Arrived> arrived = packets_of_subnets(run, subnets);
  const auto alone = router_for(single, classes, 1, keys, seed);
  for (int subnet = 0; subnet < subnets; ++subnet) {
    SCOPED_TRACE("subnet " + std::to_string(subnet));
    const Arrived& own = arrived[static_cast<std::size_t>(subnet)];
    ListSource source(own.packets);
    StepperOptions options;
    options.seed = seed;
    options.rules = rules;
    options.first_word = static_cast<std::uint32_t>(subnet) << 20;
    const StepperResult plain = run_stepper(single, *alone, source, options);
    EXPECT_EQ(rows_of(run.rows, hardware.graph, subnet), renumbered(plain.rows, own.numbers));
    EXPECT_EQ(rows_of(run.credits, hardware.graph, subnet), plain.credits);
  }

  fresh_context();
  RowCollector rows;
  PacketList traffic(packets);
  SimulationSetup setup;
  setup.network = &hardware;
  setup.algorithm = algorithm.get();
  setup.traffic = &traffic;
  setup.seed = seed;
  setup.sinks = {&rows};
  const SimulationResult checked = simulate(setup);
  EXPECT_EQ(checked.outcome, Outcome::completed) << checked.violation.text;
  EXPECT_EQ(rows.all, run.rows);
}

TEST(Subnets, DoWhatEachDoesAloneInRandomMixes) {
  for (std::uint64_t seed = 0; seed < 50 && !testing::Test::HasFailure(); ++seed) {
    Dice dice(seed);
    const int channels = 2 + dice.below(4), subnets = 2 + dice.below(2);
    Keys keys = {{"channels", std::int64_t{channels}},
                 {"buffer", std::int64_t{1 + dice.below(5)}},
                 {"priority", dice.one_of<std::string>({"none", "class", "network-age", "hop-count"})}};
    const LinkNetwork* network = nullptr;
    switch (dice.below(6)) {
      case 0: network = &network_of(Grid::torus({4, 4}), 1); break;
      case 1:
        network = &fat_tree(2, 3);
        keys["function"] = std::string("nearest-ancestor");
        break;
      case 2: network = &concentrated_mesh({2, 2}, 3); break;
      case 3:
        network = &kept(uneven_network(seed));
        keys["function"] = std::string("up-down");
        break;
      case 4:
        network = &network_of(Grid::mesh({4, 4}), 1);
        keys["function"] = dice.one_of<std::string>({"o1turn", "romm", "xy-yx-adaptive"});
        break;
      default: network = &network_of(Grid::mesh({3, 4}), 1 + dice.below(2)); break;
    }
    const bool any_part = keys.count("function") == 0 && !network->as<Grid>();
    if (dice.one_in(3)) keys["switch_allocator"] = dice.one_of<PartValue>({{"wavefront"}, {"priority-islip"}});
    for (const char* flag : {"hold_switch", "wait_for_tail_credit"})
      if (dice.one_in(5)) keys[flag] = true;
    if (dice.one_in(4)) keys["speedup.output"] = std::int64_t{2};
    else if (dice.one_in(4)) keys["speedup.internal"] = std::int64_t{2};
    else if (dice.one_in(3)) {
      keys.erase("buffer");
      keys["buffers.policy"] = std::string("dynamic");
      keys["buffers.places"] = std::int64_t{channels + dice.below(6)};
    }
    PlainRules rules = plain_rules(keys);
    const int class_count = keys["priority"] == KeyValue{std::string("class")} ? 1 + dice.below(3) : dice.below(4);
    std::vector<TrafficClass> classes;
    std::string text = "seed " + std::to_string(seed) + " on " + network->title + ", " + std::to_string(subnets) +
                       " subnets, " + std::to_string(class_count) + " classes";
    for (const auto& [key, value] : keys) text += ", " + key + ": " + value_text(value);
    for (int number = 0; number < class_count; ++number) {
      TrafficClass of_traffic{"c" + std::to_string(number), {}, dice.below(3)};
      if (any_part && dice.one_in(2)) of_traffic.channels = routing::ChannelRange{dice.below(channels), 1};
      const routing::ChannelRange own = of_traffic.channels.value_or(routing::ChannelRange{0, channels});
      rules.classes.push_back({own.first, own.first + own.count - 1, of_traffic.priority});
      classes.push_back(std::move(of_traffic));
    }
    SCOPED_TRACE(text);
    const NetworkGraph& graph = network->graph;
    const auto node = [&] { return graph.processor(dice.below(graph.processors())); };
    std::vector<Packet> packets;
    for (NodeId source = 0; source < graph.processors(); ++source)
      for (int k = 0; k < 6; ++k) {
        packets.push_back(packet_of_class(class_count == 0 ? 0 : dice.below(class_count), graph.processor(source),
                                          node(), 1 + dice.below(4), dice.below(30)));
        packets.back().subnet = static_cast<std::int8_t>(dice.below(subnets));
      }
    expect_alone(*network, subnets, classes, keys, packets, seed, rules);
  }
}

/// Packets are numbered over the queues of a processor, in the order in which they become first in them.
TEST(Subnets, NumberThePacketsOfAProcessor) {
  SourceMemory memory(4, 2);
  router::SubnetSources sources(memory, 2);
  const std::vector<Packet> packets = {{1, 0}, {1, 0}, {1, 0}, {2, 0}};
  const std::vector<int> classes = {1, 0, 0, 0}, subnets = {0, 1, 0, 1};
  const auto queue = [&](PacketId packet) {
    return memory.queue_of(packets[static_cast<std::size_t>(packet)].source, classes[static_cast<std::size_t>(packet)]);
  };
  std::vector<PacketId> moved;
  const auto advance = [&] {
    moved.clear();
    sources.advance(
        memory, [&](PacketId packet) { return subnets[static_cast<std::size_t>(packet)]; },
        [&](PacketId packet) { return packets[static_cast<std::size_t>(packet)].source; },
        [&](PacketId packet) { moved.push_back(packet); });
  };
  for (PacketId packet = 0; packet < 4; ++packet) {
    memory.add(queue(packet), packet);
    sources.added(queue(packet));
  }
  advance();
  EXPECT_EQ(moved, (std::vector<PacketId>{1, 0, 3}));
  EXPECT_EQ(sources.front(queue(1)), 1);
  EXPECT_EQ(sources.fronts(1).front(queue(1)), 1);
  EXPECT_EQ(sources.fronts(0).front(queue(1)), no_packet);
  EXPECT_EQ(sources.sequence(queue(1)), 0);
  EXPECT_EQ(sources.sequence(queue(0)), 1);
  EXPECT_EQ(sources.sequence(queue(3)), 0);
  advance();
  EXPECT_EQ(moved, std::vector<PacketId>());
  sources.fronts(1).take_packet(queue(1));
  sources.left(queue(1));
  EXPECT_EQ(sources.front(queue(1)), no_packet);
  advance();
  EXPECT_EQ(moved, std::vector<PacketId>{2});
  EXPECT_EQ(sources.fronts(0).front(queue(2)), 2);
  EXPECT_EQ(sources.sequence(queue(2)), 2);
}

}  // namespace
}  // namespace starloom::links
