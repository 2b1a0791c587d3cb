// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "support/list_source.hpp"
#include "support/named_algorithm.hpp"
#include "support/permutations.hpp"
#include "support/stepper.hpp"
#include "support/trace_text.hpp"

namespace starloom::links {
namespace {

using testing::ElementsAre;

constexpr const char* priorities[] = {"rank", "restricted"};

StepperResult run_deflection(const Grid& grid, std::vector<Packet> packets, const std::string& priority = "rank") {
  ListSource source(std::move(packets));
  return run_stepper(grid, *named_algorithm("deflection", grid, {{"priority", priority}}), source);
}

std::vector<Grid> small_grids() {
  return {Grid::mesh({3, 4}),  Grid::mesh({1, 5}),     Grid::mesh({2, 3, 2}), Grid::torus({5, 4}),
          Grid::torus({2, 3}), Grid::torus({1, 2, 4}), Grid::torus({3})};
}

/// The rule, written down once more: all packets of the network in one list, nodes one after the other.
class PlainDeflection {
 public:
  PlainDeflection(const Grid& grid, const std::vector<Packet>& packets, bool restricted)
      : grid_(grid), packets_(packets), restricted_(restricted) {}

  /// The crossings of links in one step: (node, port) -> packet.
  using Crossings = std::map<std::pair<NodeId, Port>, PacketId>;

  Crossings step(Step now) {
    std::map<NodeId, std::vector<PacketId>> here;
    for (const auto& [packet, node] : place_)
      if (node != packets_[packet].destination) here[node].push_back(packet);
    for (NodeId node = 0; node < grid_.nodes(); ++node) {
      const PacketId waiting = first_waiting(node, now);
      if (waiting == no_packet || here[node].size() >= links(node).size()) continue;
      here[node].push_back(waiting);
      started_.insert(waiting);
    }
    Crossings crossings;
    place_.clear();
    for (auto& [node, list] : here)
      for (const auto& [port, packet] : assign(node, list)) {
        crossings[{node, port}] = packet;
        place_[packet] = grid_.neighbour(node, port);
      }
    return crossings;
  }

 private:
  std::vector<Port> links(NodeId node) const {
    std::vector<Port> ports;
    for (Port port = 0; port < grid_.ports(); ++port)
      if (grid_.neighbour(node, port) != no_node) ports.push_back(port);
    return ports;
  }
  bool good(NodeId node, Port port, PacketId packet) const {
    const NodeId to = packets_[packet].destination;
    return grid_.distance(grid_.neighbour(node, port), to) < grid_.distance(node, to);
  }
  PacketId first_waiting(NodeId node, Step now) const {
    for (std::size_t p = 0; p < packets_.size(); ++p) {
      const Packet& packet = packets_[p];
      if (packet.source == node && packet.created <= now && packet.destination != node && started_.count(p) == 0)
        return static_cast<PacketId>(p);
    }
    return no_packet;
  }
  std::map<Port, PacketId> assign(NodeId node, std::vector<PacketId> list) const {
    const auto choices = [&](PacketId packet) {
      int count = 0;
      for (const Port port : links(node)) count += good(node, port, packet);
      return count;
    };
    std::sort(list.begin(), list.end(), [&](PacketId a, PacketId b) {
      if (restricted_ && (choices(a) == 1) != (choices(b) == 1)) return choices(a) == 1;
      return a < b;
    });
    std::map<Port, PacketId> owner;
    const auto first_free_good = [&](PacketId packet) {
      for (const Port port : links(node))
        if (owner.count(port) == 0 && good(node, port, packet)) return port;
      return no_port;
    };
    std::vector<PacketId> left;
    for (const PacketId packet : list) {
      Port port = first_free_good(packet);
      for (const Port wanted : links(node)) {
        if (port != no_port) break;
        if (!good(node, wanted, packet)) continue;
        const Port other = first_free_good(owner.at(wanted));
        if (other == no_port) continue;
        owner[other] = owner.at(wanted);
        port = wanted;
      }
      if (port == no_port) left.push_back(packet);
      else owner[port] = packet;
    }
    for (const PacketId packet : left)
      for (const Port port : links(node))
        if (owner.emplace(port, packet).second) break;
    return owner;
  }

  const Grid& grid_;
  const std::vector<Packet>& packets_;
  bool restricted_;
  std::map<PacketId, NodeId> place_;  ///< packets in the network
  std::set<PacketId> started_;
};

/// Three packets per node to random destinations in the first steps: nodes fill up, and packets wait in their
/// processors.
std::vector<Packet> crowd(const Grid& grid, std::uint64_t seed) {
  std::vector<Packet> packets;
  for (NodeId node = 0; node < grid.nodes(); ++node)
    for (Step burst = 0; burst < 3; ++burst) {
      RandomStream random(seed, Purpose::destination, node, burst);
      const auto destination = static_cast<NodeId>(random.bounded(static_cast<std::uint32_t>(grid.nodes())));
      packets.push_back({node, destination, 1, static_cast<Step>(random.bounded(4))});
    }
  return packets;
}

TEST(Deflection, FollowsTheRuleInEveryNodeAndStep) {
  for (const Grid& grid : small_grids())
    for (const bool restricted : {false, true})
      for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        SCOPED_TRACE(grid.kind_name() + " " + std::to_string(grid.nodes()) + " seed " + std::to_string(seed));
        const StepperResult result = run_deflection(grid, crowd(grid, seed), priorities[restricted ? 1 : 0]);
        ASSERT_EQ(result.end, StepperEnd::all_delivered) << (result.violation ? result.violation->text : "");
        PlainDeflection plain(grid, result.record.packets, restricted);
        std::vector<PlainDeflection::Crossings> steps(static_cast<std::size_t>(result.record.steps_run));
        for (const TraceRow& row : result.rows)
          if (row.event == TraceEvent::hop)
            steps[static_cast<std::size_t>(row.step)][{row.node, row.port}] = row.packet;
        for (std::size_t step = 0; step < steps.size(); ++step)
          ASSERT_EQ(plain.step(static_cast<Step>(step)), steps[step]) << "step " << step;
      }
}

TEST(Deflection, TakesTheDistanceWhenAlone) {
  for (const Grid& grid : small_grids())
    for (const char* priority : priorities)
      for (NodeId from = 0; from < grid.nodes(); ++from)
        for (NodeId to = 0; to < grid.nodes(); ++to)
          EXPECT_THAT(run_deflection(grid, {{from, to, 1, 3}}, priority).record.delivered,
                      ElementsAre(3 + grid.distance(from, to)));
}

// Both packets reach the middle in step 1 and request its south link; the second one goes north and comes back.
TEST(Deflection, TheLowerPacketNumberGoesFirst) {
  const StepperResult result = run_deflection(Grid::mesh({3, 3}), {{1, 7, 1, 0}, {3, 7, 1, 0}});
  EXPECT_THAT(result.record.delivered, ElementsAre(2, 4));
  EXPECT_THAT(row_texts(result.rows), testing::Contains("1,hop,1,0,4,0,1"));
}

// In the middle the first packet would go east, the only direction of the second one, and moves over to the south
// link.
TEST(Deflection, AnOwnerMovesToAnotherGoodLink) {
  EXPECT_THAT(run_deflection(Grid::mesh({3, 3}), {{3, 8, 1, 0}, {7, 5, 1, 0}}).record.delivered, ElementsAre(3, 2));
}

/// In step 1 the middle has packets 0 and 2, which may go east or south, and packet 3, which must go east.
std::vector<Packet> three_in_the_middle() { return {{3, 8, 1, 0}, {4, 0, 1, 0}, {4, 8, 1, 0}, {7, 5, 1, 0}}; }

TEST(Deflection, RestrictedServesThoseWithoutAChoiceFirst) {
  const Grid mesh = Grid::mesh({3, 3});
  EXPECT_THAT(run_deflection(mesh, three_in_the_middle(), "rank").record.delivered, ElementsAre(3, 2, 3, 4));
  EXPECT_THAT(run_deflection(mesh, three_in_the_middle(), "restricted").record.delivered, ElementsAre(3, 2, 5, 2));
}

TEST(Deflection, CountsDeflectionsInTheNodeWhereTheyHappen) {
  const StepperResult result = run_deflection(Grid::mesh({3, 3}), three_in_the_middle());
  std::vector<StateChange> changes;
  std::copy_if(result.state.begin(), result.state.end(), std::back_inserter(changes),
               [](const StateChange& change) { return change.value != 0; });
  EXPECT_EQ(changes, (std::vector<StateChange>{{1, 4, 0, 1}}));
}

// Every permutation of small grids, whose packets all start in step 0.
TEST(Deflection, BringsEveryPermutationHomeWithinItsBound) {
  for (const Grid& grid : {Grid::mesh({2, 3}), Grid::mesh({1, 6}), Grid::torus({6})}) {
    const auto algorithm = named_algorithm("deflection", grid);
    std::vector<NodeId> destinations = identity_permutation(grid.nodes());
    do {
      const StepperResult result = run_deflection(grid, permutation_packets(destinations));
      ASSERT_EQ(result.end, StepperEnd::all_delivered);
      const Step last = *std::max_element(result.record.delivered.begin(), result.record.delivered.end());
      ASSERT_LE(static_cast<double>(last), algorithm->bounds(result.record.packets).at("steps"));
    } while (std::next_permutation(destinations.begin(), destinations.end()));
  }
}

TEST(Deflection, PromisesNothingWhereTheArgumentDoesNotHold) {
  const Grid mesh = Grid::mesh({3, 3});
  const std::vector<Packet> one_each = permutation_packets(std::vector<NodeId>(9, 4));
  EXPECT_EQ(named_algorithm("deflection", mesh)->bounds(one_each).at("steps"), 9 * 4);
  EXPECT_TRUE(named_algorithm("deflection", mesh, {{"priority", "restricted"}})->bounds(one_each).empty());
  EXPECT_TRUE(named_algorithm("deflection", mesh)->bounds({{0, 1, 1, 0}, {0, 2, 1, 0}}).empty());
  EXPECT_TRUE(named_algorithm("deflection", mesh)->bounds({{0, 1, 1, 1}}).empty());
}

}  // namespace
}  // namespace starloom::links
