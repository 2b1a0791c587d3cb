// SPDX-License-Identifier: Apache-2.0
/// \file The events that a Timeline finds in the rows of a run are those of its buffers and credits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <tuple>

#include <starloom/core/random.hpp>
#include <starloom/router/router_shape.hpp>
#include <starloom/router/timeline.hpp>
#include "support/list_source.hpp"
#include "support/named_algorithm.hpp"
#include "support/netlist_run.hpp"
#include "support/networks.hpp"
#include "support/routed_networks.hpp"
#include "support/varied_routers.hpp"

namespace starloom::links {
namespace {

/// A flit enters or leaves a buffer: step, node, port, channel, packet, flit.
using BufferEvent = std::tuple<Step, NodeId, Port, std::int32_t, PacketId, std::int32_t>;

struct BufferEvents {
  std::vector<BufferEvent> entered{}, left{};
};

/// Notes every flit with the step in which it enters and leaves.
class NotingBuffer final : public FlitBuffer {
 public:
  NotingBuffer(const char* name, NodeId node, Port port, std::int32_t capacity, BufferEvents& events)
      : FlitBuffer(name, capacity), node_(node), port_(port), events_(events) {}
  void pushed(const Flit& flit) override { events_.entered.push_back(event(flit)); }
  void popped(const Flit& flit) override { events_.left.push_back(event(flit)); }

 private:
  BufferEvent event(const Flit& flit) const {
    const auto step = static_cast<Step>(sc_core::sc_time_stamp() / sc_core::sc_time(1, sc_core::SC_NS) + 0.5);
    return {step, node_, port_, flit.channel, flit.packet, flit.index};
  }
  NodeId node_;
  Port port_;
  BufferEvents& events_;
};

using Keys = std::map<std::string, KeyValue>;

std::vector<Packet> mixed_bursts(const NetworkGraph& graph, std::uint64_t seed) {
  const auto processors = static_cast<std::uint32_t>(graph.processors());
  std::vector<Packet> packets;
  for (NodeId number = 0; number < graph.processors(); ++number)
    for (Step burst = 0; burst < 4; ++burst) {
      RandomStream random(seed, Purpose::destination, number, burst);
      const NodeId destination = graph.processor(static_cast<NodeId>(random.bounded(processors)));
      const std::int32_t flits = 1 + static_cast<std::int32_t>(random.bounded(5));
      packets.push_back({graph.processor(number), destination, flits, 3 * burst});
    }
  return packets;
}

/// Runs bursts of packets, and compares the Timeline of the rows with the buffers and the published counters of
/// credits.
void expect_true_timeline(const LinkNetwork& network, const Keys& keys, std::uint64_t seed, bool varied = false) {
  SCOPED_TRACE(network.title + ", seed " + std::to_string(seed));
  const auto algorithm =
      varied ? varied_routers(network, keys, seed, std::nullopt) : named_algorithm("vc-wormhole", network, keys);
  const Declaration& declared = algorithm->declaration();
  const NetworkGraph& graph = network.graph;
  BufferEvents happened;
  NetlistRunOptions options;
  options.network.stall_rate = seed % 2 == 0 ? 0 : 0.3;
  options.network.make_buffer = [&](const char* name, NodeId node, Port port, std::int32_t capacity) {
    return std::make_unique<NotingBuffer>(name, node, port, capacity, happened);
  };
  ListSource source(mixed_bursts(graph, seed));
  const NetlistRun run = run_netlist(network, *algorithm, source, options);
  ASSERT_EQ(run.end, StepperEnd::all_delivered) << run.violation.text;

  const router::Timeline timeline(graph, declared.pipelines, declared.credit_extra);
  using OutChannel = std::tuple<NodeId, Port, std::int32_t>;
  std::map<OutChannel, std::map<Step, int>> changes;  // of credits, by the step at whose end they are visible
  BufferEvents read;
  for (const TraceRow& row : run.rows) {
    if (const auto entry = timeline.entry(row))
      read.entered.emplace_back(entry->step, entry->node, entry->in, entry->channel, row.packet, row.flit);
    if (const auto won = timeline.grant(row)) {
      read.left.emplace_back(won->step, won->node, no_port, -1, row.packet, row.flit);
      if (won->out < graph.ports()) --changes[{won->node, won->out, won->channel}][won->step];
      EXPECT_LE(row.step - won->step, timeline.longest_delay());
    }
    if (const auto credit = timeline.credit(row)) ++changes[{credit->node, credit->out, credit->channel}][credit->step];
  }
  for (const CreditRow& row : run.credits)
    if (const auto credit = timeline.credit(row)) ++changes[{credit->node, credit->out, credit->channel}][credit->step];
  // Rows do not name the buffer that a flit leaves.
  for (auto& [step, node, port, channel, packet, flit] : happened.left) port = no_port, channel = -1;
  EXPECT_THAT(read.entered, testing::UnorderedElementsAreArray(happened.entered));
  EXPECT_THAT(read.left, testing::UnorderedElementsAreArray(happened.left));

  const router::RouterShape shape(declared.port_order, declared.channels);
  const auto credits_of = [&](int out) { return 2 * shape.size() + out; };  // the field, behind states and outputs
  std::map<std::pair<NodeId, std::int32_t>, std::map<Step, std::uint32_t>> published;
  for (const StateChange& change : run.state) published[{change.node, change.field}][change.step] = change.value;
  const Step last = run.record.steps_run - 1;
  for (const auto& [channel, steps] : changes) {
    const auto [node, port, number] = channel;
    const auto& shown = published.at({node, credits_of(shape.channel(port, number))});
    std::int64_t credits = declared.capacity;
    for (Step step = 0; step <= last; ++step) {
      if (const auto change = steps.find(step); change != steps.end()) credits += change->second;
      ASSERT_EQ(credits, std::prev(shown.upper_bound(step))->second)
          << "credits of channel " << number << " of port " << port << " of node " << node << " in step " << step;
    }
  }
}

TEST(RouterTimeline, OfRowsIsWhatHappenedInTheBuffers) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    expect_true_timeline(network_of(Grid::mesh({3, 3})), {{"channels", std::int64_t{2}}, {"buffer", std::int64_t{2}}},
                         seed);
    expect_true_timeline(network_of(Grid::torus({4, 3}), 3),
                         {{"channels", std::int64_t{2}},
                          {"buffer", std::int64_t{5}},
                          {"pipeline", std::int64_t{5}},
                          {"credit_latency", std::int64_t{7}}},
                         seed);
    expect_true_timeline(network_of(Grid::mesh({3, 3})),
                         {{"channels", std::int64_t{2}},
                          {"buffer", std::int64_t{3}},
                          {"stages.routing", std::int64_t{2}},
                          {"stages.channel", std::int64_t{3}},
                          {"stages.switch", std::int64_t{2}},
                          {"stages.crossbar", std::int64_t{5}}},
                         seed);
    expect_true_timeline(network_of(Grid::mesh({3, 3})),
                         {{"channels", std::int64_t{2}},
                          {"buffer", std::int64_t{3}},
                          {"pipeline", std::int64_t{4}},
                          {"speculative", false}},
                         seed, true);
  }
}

TEST(RouterTimeline, OfTerminals) {
  const Keys keys = {{"channels", std::int64_t{2}}, {"buffer", std::int64_t{3}}, {"function", std::string("up-down")}};
  for (std::uint64_t seed = 0; seed < 8; ++seed) expect_true_timeline(uneven_network(seed), keys, seed);
}

}  // namespace
}  // namespace starloom::links
