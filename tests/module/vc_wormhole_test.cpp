// SPDX-License-Identifier: Apache-2.0
/// \file Results of the router from other models: a plain model of the same rules and BookSim2 got the same packets,
/// every one injected and delivered in the same step.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "support/list_source.hpp"
#include "support/named_algorithm.hpp"
#include "support/netlist_run.hpp"

namespace starloom::links {
namespace {

using testing::ElementsAre;
using Keys = std::map<std::string, KeyValue>;

Keys vc(std::int64_t channels, std::int64_t buffer, std::int64_t pipeline = 3) {
  return {{"channels", channels}, {"buffer", buffer}, {"pipeline", pipeline}};
}
Keys with(Keys keys, const std::string& key, KeyValue value) {
  keys[key] = std::move(value);
  return keys;
}

NetlistRun run(const Grid& grid, const Keys& keys, std::vector<Packet> packets, std::int32_t latency = 1) {
  const LinkNetwork& network = network_of(grid, latency);
  ListSource source(std::move(packets));
  return run_netlist(network, *named_algorithm("vc-wormhole", network, keys), source);
}

std::vector<Step> delivered(const Grid& grid, const Keys& keys, std::vector<Packet> packets, std::int32_t latency = 1) {
  return run(grid, keys, std::move(packets), latency).record.delivered;
}

const Grid& mesh_8() {
  static const Grid grid = Grid::mesh({8, 8});
  return grid;
}
const Grid& mesh_4() {
  static const Grid grid = Grid::mesh({4, 4});
  return grid;
}

TEST(VcWormhole, OnePacketTakesTheTimeOfItsPipeline) {
  const std::vector<Packet> paths = {{0, 0, 1}, {0, 1, 1}, {0, 63, 1}, {0, 63, 8}};
  const std::vector<std::vector<Step>> expected = {{5, 8, 47, 54}, {6, 10, 62, 69}, {7, 12, 77, 84}};
  for (std::int64_t pipeline = 3; pipeline <= 5; ++pipeline)
    for (std::size_t i = 0; i < paths.size(); ++i)
      EXPECT_THAT(delivered(mesh_8(), vc(1, 8, pipeline), {paths[i]}),
                  ElementsAre(expected[static_cast<std::size_t>(pipeline - 3)][i]));
  EXPECT_THAT(delivered(mesh_8(), vc(1, 8), {{0, 1, 1}}, 2), ElementsAre(9));
  EXPECT_THAT(delivered(mesh_8(), vc(1, 8), {{0, 63, 8}}, 2), ElementsAre(68));
}

TEST(VcWormhole, TheFormulaOfZeroLoadHoldsToTheStep) {
  for (const auto& [cycles, speculative] :
       std::vector<std::pair<std::int64_t, bool>>{{3, true}, {4, true}, {4, false}, {5, false}})
    for (const std::int32_t latency : {1, 2, 5})
      for (const std::int32_t flits : {1, 7}) {
        const Keys keys = with(vc(2, 40, cycles), "speculative", speculative);
        const LinkNetwork& network = network_of(mesh_4(), latency);
        EXPECT_THAT(delivered(mesh_4(), keys, {{1, 14, flits, 9}}, latency),
                    ElementsAre(9 + ZeroLoad(network.graph, *named_algorithm("vc-wormhole", network, keys))
                                        .latency({1, 14, flits, 9}, 0)));
      }
}

TEST(VcWormhole, PacketsThatMeetInAMeshOfFour) {
  const std::vector<Packet> two = {{1, 0, 4}, {4, 0, 4}}, singles(3, {0, 1, 1}), three(3, {0, 1, 4});
  EXPECT_THAT(delivered(mesh_4(), vc(1, 8, 3), two), ElementsAre(11, 15));
  EXPECT_THAT(delivered(mesh_4(), vc(1, 8, 4), two), ElementsAre(13, 18));
  EXPECT_THAT(delivered(mesh_4(), vc(1, 8, 5), two), ElementsAre(15, 20));
  EXPECT_THAT(delivered(mesh_4(), vc(1, 8, 3), singles), ElementsAre(8, 9, 10));
  EXPECT_THAT(delivered(mesh_4(), vc(1, 8, 4), singles), ElementsAre(10, 12, 14));
  EXPECT_THAT(delivered(mesh_4(), vc(1, 8, 5), singles), ElementsAre(12, 15, 18));
  EXPECT_THAT(delivered(mesh_4(), vc(1, 8, 3), three), ElementsAre(11, 15, 19));
  EXPECT_THAT(delivered(mesh_4(), vc(1, 8, 4), three), ElementsAre(13, 18, 23));
  EXPECT_THAT(delivered(mesh_4(), vc(1, 8, 5), three), ElementsAre(15, 21, 27));
}

// A slot is used again after 5 steps: buffers of fewer than 5 slots cannot keep the link busy.
TEST(VcWormhole, CreditsGoRoundInFiveSteps) {
  const std::vector<Packet> one = {{0, 1, 8}};
  for (const auto& [buffer, step] : std::vector<std::pair<std::int64_t, Step>>{{1, 43}, {2, 24}, {4, 16}, {5, 15}})
    EXPECT_THAT(delivered(mesh_4(), vc(1, buffer), one), ElementsAre(step)) << buffer;
  for (const auto& [buffer, step] : std::vector<std::pair<std::int64_t, Step>>{{2, 30}, {6, 16}, {7, 15}})
    EXPECT_THAT(delivered(mesh_4(), with(vc(1, buffer), "credit_latency", std::int64_t{4}), one), ElementsAre(step))
        << buffer;
  for (const auto& [buffer, step] : std::vector<std::pair<std::int64_t, Step>>{{2, 28}, {4, 20}})
    EXPECT_THAT(delivered(mesh_4(), vc(1, buffer, 5), one), ElementsAre(step)) << buffer;
}

TEST(VcWormhole, ChannelsShareALink) {
  const std::vector<Packet> two = {{0, 3, 8}, {1, 3, 8}};
  EXPECT_THAT(delivered(mesh_4(), vc(1, 4), two), ElementsAre(29, 19));
  EXPECT_THAT(delivered(mesh_4(), vc(2, 4), two), ElementsAre(26, 23));
}

struct DeliverySum {
  Step sum = 0;
  Step max = 0;
  friend bool operator==(const DeliverySum& a, const DeliverySum& b) { return a.sum == b.sum && a.max == b.max; }
  friend std::ostream& operator<<(std::ostream& out, const DeliverySum& s) { return out << s.sum << ", " << s.max; }
};

template <class Destination>
std::vector<Packet> from_all(const Grid& grid, std::int32_t flits, Destination to) {
  std::vector<Packet> packets;
  for (NodeId node = 0; node < grid.nodes(); ++node) packets.push_back({node, to(node), flits});
  return packets;
}

DeliverySum sum_of(const Grid& grid, const Keys& keys, const std::vector<Packet>& packets) {
  const std::vector<Step> steps = delivered(grid, keys, packets);
  return {std::accumulate(steps.begin(), steps.end(), Step{0}), *std::max_element(steps.begin(), steps.end())};
}

TEST(VcWormhole, PermutationsOnAMeshOfEight) {
  const auto transpose = from_all(mesh_8(), 8, [](NodeId n) { return n % 8 * 8 + n / 8; });
  const auto complement = from_all(mesh_8(), 8, [](NodeId n) { return 63 - n; });
  struct Row {
    Keys router;
    DeliverySum transpose, complement;
  };
  for (const Row& row : {Row{vc(1, 8, 3), {2336, 84}, {3264, 84}}, Row{vc(1, 8, 5), {3136, 114}, {4416, 114}},
                         Row{vc(2, 4, 3), {2508, 85}, {3324, 80}}, Row{vc(2, 4, 5), {3044, 104}, {4084, 99}},
                         Row{vc(4, 4, 3), {2688, 84}, {3472, 77}}, Row{vc(4, 4, 5), {3122, 99}, {3996, 92}}}) {
    EXPECT_EQ(sum_of(mesh_8(), row.router, transpose), row.transpose);
    EXPECT_EQ(sum_of(mesh_8(), row.router, complement), row.complement);
  }
}

Keys without_datelines(Keys keys) { return with(std::move(keys), "function", std::string("dimension-order-plain")); }

void expect_deadlock(const Grid& grid, const Keys& keys, const std::vector<Packet>& packets, std::int64_t hops,
                     Step last) {
  const NetlistRun found = run(grid, keys, packets);
  EXPECT_EQ(found.end, StepperEnd::nothing_pending);
  EXPECT_EQ(found.record.delivered_count, 0);
  EXPECT_EQ(found.record.flit_hops, hops);
  const auto hop = std::find_if(found.rows.rbegin(), found.rows.rend(),
                                [](const TraceRow& row) { return row.event == TraceEvent::hop; });
  if (last != no_step) {
    EXPECT_EQ(hop->step, last);
  }
}

TEST(VcWormhole, WithoutDatelinesATorusDeadlocksAndWithThemItDoesNot) {
  const Grid torus = Grid::torus({4, 4});
  const auto two_on = from_all(torus, 12, [](NodeId n) { return n / 4 * 4 + (n + 2) % 4; });
  expect_deadlock(torus, without_datelines(vc(1, 2)), two_on, 32, 5);
  expect_deadlock(torus, without_datelines(vc(1, 8)), two_on, 128, 11);
  EXPECT_EQ(sum_of(torus, vc(2, 2), two_on), (DeliverySum{824, 65}));
  EXPECT_EQ(sum_of(torus, vc(2, 8), two_on), (DeliverySum{584, 40}));

  const Grid large = Grid::torus({8, 8});
  const auto tornado = from_all(large, 12, [](NodeId n) { return (n / 8 + 3) % 8 * 8 + (n + 3) % 8; });
  expect_deadlock(large, without_datelines(vc(1, 2)), tornado, 128, no_step);
  expect_deadlock(large, without_datelines(vc(2, 2)), tornado, 384, no_step);
  EXPECT_EQ(sum_of(large, vc(2, 2), tornado), (DeliverySum{8815, 266}));
}

}  // namespace
}  // namespace starloom::links
