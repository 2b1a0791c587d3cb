#include "planners/star_adversary.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/random.hpp"
#include "message/direct_model.hpp"
#include "message/requirements.hpp"

namespace starloom {
namespace {

/// Recounts the paths of a permutation through a place.
std::int64_t recounted(const Congestion& found, const ObliviousPath& path) {
  std::int64_t packets = 0;
  for (std::size_t source = 0; source < found.destination.size(); ++source) {
    const std::vector<StarPlace> places = path(static_cast<NodeId>(source), found.destination[source]);
    packets += std::count(places.begin(), places.end(), found.place) > 0 ? 1 : 0;
  }
  return packets;
}

/// Source -> coupler -> relay -> coupler -> destination.
std::vector<StarPlace> through(const Pops& pops, NodeId source, NodeId relay, NodeId to) {
  const std::int32_t middle = pops.group_of(relay);
  return {pops.coupler(middle, pops.group_of(source)), pops.couplers() + relay, pops.coupler(pops.group_of(to), middle),
          pops.couplers() + to};
}

TEST(StarAdversary, TheDirectRouteCrowdsOneCoupler) {
  const Pops pops(16, 16);
  const ObliviousPath direct = [&](NodeId source, NodeId to) {
    return std::vector<StarPlace>{pops.coupler(pops.group_of(to), pops.group_of(source)), pops.couplers() + to};
  };
  const Congestion found = congested_permutation(pops, direct);
  EXPECT_NO_THROW(require_permutation(pops, found.destination));
  EXPECT_EQ(found.packets, 16);
  EXPECT_GE(recounted(found, direct), found.packets);
  // Simulated: the coupler carries one packet a cycle of two slots.
  const MessageRun run = route_direct(pops, found.destination, 1, 1 << 20);
  EXPECT_EQ(run.undelivered, 0);
  EXPECT_GE(static_cast<std::int64_t>(run.slots.size()), 2 * found.packets);
}

TEST(StarAdversary, EveryTableOfTwoHopsIsCrowdedSomewhere) {
  for (const std::int32_t g : {4, 9, 16}) {
    const Pops pops(g, g);
    // By a fixed rule, and by a table of random relays.
    const ObliviousPath rule = [&](NodeId source, NodeId to) {
      const std::int32_t middle = (pops.index_of(source) + pops.index_of(to)) % g;
      return through(pops, source, pops.node_at(middle, pops.group_of(source)), to);
    };
    const ObliviousPath random = [&](NodeId source, NodeId to) {
      const auto relay = random_word(5, Purpose::algorithm, source, to, 0) % static_cast<std::uint32_t>(pops.nodes());
      return through(pops, source, static_cast<NodeId>(relay), to);
    };
    for (const ObliviousPath* path : {&rule, &random}) {
      const Congestion found = congested_permutation(pops, *path);
      EXPECT_NO_THROW(require_permutation(pops, found.destination));
      EXPECT_GE(recounted(found, *path), found.packets);
      EXPECT_GE(static_cast<double>(found.packets), std::sqrt(g) / 2);  // the theorem's bound
      EXPECT_GE(found.packets, g);                                      // and what is found
    }
  }
}

/// True if a packet that spreads to whoever hears one of its holders reaches the destination.
bool can_reach(NodeId nodes, NodeId source, NodeId to, const HearingPattern& hears, std::int64_t slots) {
  std::vector<char> holds(static_cast<std::size_t>(nodes), 0);
  holds[static_cast<std::size_t>(source)] = 1;
  for (std::int64_t slot = 0; slot < slots; ++slot) {
    const std::vector<char> before = holds;
    for (NodeId node = 0; node < nodes; ++node) {
      const NodeId heard = hears(node, slot);
      if (heard != no_node && before[static_cast<std::size_t>(heard)] != 0) holds[static_cast<std::size_t>(node)] = 1;
    }
  }
  return holds[static_cast<std::size_t>(to)] != 0;
}

TEST(StarAdversary, ARigidPatternNeedsTheLogarithm) {
  const NodeId nodes = 256;
  const HearingPattern hypercube = [](NodeId node, std::int64_t slot) { return node ^ (1 << slot % 8); };
  for (std::int64_t slots = 0; slots < 8; ++slots) {
    const std::optional<Unreached> late = unreached_permutation(nodes, hypercube, slots);
    ASSERT_TRUE(late) << slots;
    EXPECT_NO_THROW(require_permutation(Pops(16, 16), late->destination));
    EXPECT_FALSE(
        can_reach(nodes, late->source, late->destination[static_cast<std::size_t>(late->source)], hypercube, slots));
  }
  EXPECT_FALSE(unreached_permutation(nodes, hypercube, 8));
  // A pattern of random neighbours is not complete before 8 slots either.
  const HearingPattern random = [](NodeId node, std::int64_t slot) {
    return static_cast<NodeId>(random_word(1, Purpose::algorithm, node, slot, 0) % 256);
  };
  const std::optional<Unreached> late = unreached_permutation(nodes, random, 8);
  ASSERT_TRUE(late);
  EXPECT_FALSE(can_reach(nodes, late->source, late->destination[static_cast<std::size_t>(late->source)], random, 8));
}

}  // namespace
}  // namespace starloom
