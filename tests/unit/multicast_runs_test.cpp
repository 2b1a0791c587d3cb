// SPDX-License-Identifier: Apache-2.0
/// \file Runs of broadcasts that routers copy: their figures, bounds and refusals, and what `verify` finds in damaged
/// folders.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <starloom/run/standard_catalogue.hpp>
#include "unit/catalogue_runs.hpp"

namespace starloom {
namespace {

using testing::HasSubstr;

class MulticastRuns : public CatalogueRuns {
 protected:
  static std::string broadcast(const std::string& keys, const std::string& routing = "vc-wormhole",
                               const std::string& network = "topology: mesh, shape: [4, 4]") {
    return experiment(network, routing, "collective, op: broadcast, algorithm: multicast, " + keys);
  }
  const Catalogue catalogue_ = standard_catalogue();
};

/// A packet that leaves through three ports in node 1.
TEST_F(MulticastRuns, CountACopyOnEachLink) {
  run(catalogue_,
      broadcast("flits: 2, ranks: 4, mapping: [0, 1, 2, 4]", "vc-wormhole", "topology: mesh, shape: [2, 3]"), "out");
  EXPECT_EQ(scratch_.read("out/packets.csv"),
            "packet,source,destination,flits,created,delivered,injected\n"
            "0,0,1 2 4,2,0,15,0\n");
  EXPECT_EQ(column("messages.csv", 5), "1 2 4");
  EXPECT_EQ(column("messages.csv", 2), "broadcast[0] 0->all");
  EXPECT_EQ(column("flows.csv", 3), "-");
  EXPECT_EQ(column("operations.csv", 6), "15 15 15 15");
  EXPECT_EQ(result()["links"]["flit_hops"], 6);
  EXPECT_EQ(result()["hops"]["max"], 3);
  EXPECT_EQ(result()["distance"]["max"], 2);
  EXPECT_EQ(verdict(), "");
}

TEST_F(MulticastRuns, GiveTheSameBytesInAnyOrder) {
  for (const char* keys : {"flits: 8", "flits: 33, chunk: 5, root: 6, mapping: snake", "flits: 20, packet: 3"})
    expect_same_bytes_in_any_order(catalogue_, broadcast(keys));
}

/// No run is shorter than its critical path, or than the flits of a rank or of a link.
TEST_F(MulticastRuns, KeepTheirBounds) {
  for (const int root : {0, 5, 15})
    for (const int flits : {1, 8, 40}) {
      const std::string sizes = "flits: " + std::to_string(flits) + ", root: " + std::to_string(root);
      run(catalogue_, broadcast(sizes + ", chunk: 4"), "out");
      const auto found = result();
      EXPECT_GE(found["steps"], found["bounds"]["critical_path"]);
      EXPECT_EQ(found["links"]["flit_hops"], 15 * flits);
      const auto& collective = found["workload"]["collectives"][0];
      EXPECT_EQ(collective["node"], flits);
      EXPECT_EQ(collective["link"], flits);
      EXPECT_GE(collective["finish"], flits);
    }
}

TEST_F(MulticastRuns, AreCheckedWithTheLoadOfTheirTree) {
  const std::string found = check_of(catalogue_, broadcast("flits: 6"));
  EXPECT_THAT(found, HasSubstr("mean 1.875, max 6 flits"));  // 15 of 48 links
  EXPECT_THAT(found, HasSubstr("an estimate for 90 flit hops"));
  EXPECT_THAT(found, HasSubstr("acyclic"));
  EXPECT_THAT(check_of(catalogue_, broadcast("flits: 6", "vc-wormhole, multicast: flits")),
              HasSubstr("may-deadlock: 48 links with 68 dependencies, no cycle; but with multicast: flits"));
}

TEST_F(MulticastRuns, AmongTwoRanksAreOrdinaryPackets) {
  run(catalogue_, broadcast("flits: 20, ranks: 2", "vc-wormhole, buffer: 4"), "out");
  EXPECT_EQ(column("packets.csv", 2), "1");
  EXPECT_EQ(column("messages.csv", 2), "broadcast[0] 0->1");
}

TEST_F(MulticastRuns, AreRefusedWhereRoutersDoNotCopyPackets) {
  const std::string one = "flits: 1";
  const auto refused = [&](const std::string& keys, const std::string& routing,
                           const std::string& network = "topology: mesh, shape: [4, 4]") {
    return refusal(catalogue_, broadcast(keys, routing, network));
  };
  EXPECT_THAT(refused(one, "greedy"), HasSubstr("routing.algorithm: broadcasts with algorithm multicast need routers"));
  EXPECT_THAT(refused("flits: 9", "vc-wormhole"),
              HasSubstr("routing.buffer: multicast: packet needs room for a whole packet in each buffer, but one to "
                        "several destinations has 9 flits, and buffer is 8"));
  EXPECT_THAT(refused(one, "vc-wormhole, channels: 2", "topology: torus, shape: [4, 4]"), HasSubstr("need a mesh"));
  EXPECT_THAT(refused(one, "vc-wormhole, channels: 2, function: o1turn"),
              HasSubstr("need function dimension-order or yx, not o1turn"));
  EXPECT_THAT(refused(one, "vc-wormhole", "topology: mesh, shape: [4, 4], subnets: 2"),
              HasSubstr("packets to several destinations do not work with network.subnets"));
  EXPECT_THAT(refused(one, "vc-wormhole", "topology: mesh, shape: [4, 4], regions: [{nodes: node_r00_c00, buffer: 4}]"),
              HasSubstr("do not work with network.regions"));
  for (const char* key : {"flow: cut-through", "hold_switch: true", "wait_for_tail_credit: true", "priority: age",
                          "stages: {routing: 1, channel: 2}", "speedup: {output: 2}"}) {
    const std::string name = std::string(key).substr(0, std::string(key).find(':'));
    EXPECT_THAT(refused(one, std::string("vc-wormhole, ") + key),
                HasSubstr("routing." + name + ": packets to several destinations do not work with " + name))
        << key;
  }
}

TEST_F(MulticastRuns, AreVerifiedWithTheirDestinations) {
  run(catalogue_, broadcast("flits: 8, chunk: 4, ranks: 5"), "out");
  ASSERT_EQ(verdict(), "");
  EXPECT_THAT(verdict_with("packets.csv", "1 2 3 4", "1 2 3 5"), HasSubstr("does not have its packets"));
  EXPECT_THAT(verdict_with("packets.csv", "1 2 3 4", "1 2 4 3"), HasSubstr("ascending order"));
  EXPECT_THAT(verdict_with("packets.csv", "1 2 3 4", "0 1 2 3"), HasSubstr("is not one of several destinations"));
  EXPECT_THAT(verdict_with("packets.csv", "1 2 3 4", "1 2 3 99"), HasSubstr("99"));
  EXPECT_THAT(verdict_with("packets.csv", "1 2 3 4", "1  2 3 4"), HasSubstr("is not a number"));
  EXPECT_THAT(verdict_with("messages.csv", "1 2 3 4", "1 2 3"), HasSubstr("does not have its packets"));
  EXPECT_THAT(verdict_with("operations.csv", "broadcast,0,broadcast,4,4", "broadcast,0,broadcast,4,5"),
              HasSubstr("operations.csv"));
  const std::string queue = "\"queue\": {\n    \"max\": " + result()["queue"]["max"].dump();
  EXPECT_THAT(verdict_with("result.json", queue, "\"queue\": {\n    \"max\": 7"), HasSubstr("queue"));
}

}  // namespace
}  // namespace starloom
