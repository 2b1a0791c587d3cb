// SPDX-License-Identifier: Apache-2.0
/// \file A user-defined topology and algorithm, added to the catalogue: all commands support them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <starloom/control/links/algorithm.hpp>
#include <starloom/inspection/run_folder.hpp>
#include <starloom/run/standard_catalogue.hpp>
#include <starloom/topologies/topology_table.hpp>
#include <starloom/topology/network_graph_builder.hpp>
#include "unit/catalogue_runs.hpp"

namespace starloom {
namespace {

using links::FlitView;

/// A ring with one-way links: to the next node.
LinkNetwork ring(const KeyValues& keys) {
  const auto nodes = static_cast<NodeId>(keys.integer("nodes"));
  NetworkGraphBuilder builder;
  for (NodeId node = 0; node < nodes; ++node) builder.add_node(NodeRole::processor, "station" + std::to_string(node));
  for (NodeId node = 0; node < nodes; ++node) builder.add_link({node, 0}, {(node + 1) % nodes, 0});
  return {"ring of " + std::to_string(nodes), builder.build(), {}, "carousel"};
}

TopologyEntry ring_entry() {
  TopologyEntry entry;
  entry.name = "carousel";
  entry.meaning = "a ring whose links lead one way";
  entry.keys = {integer_key("nodes", "stations of the ring").within(2, 1000).is_required()};
  entry.sized_by = "nodes";
  entry.size = [](const KeyValues& keys) {
    const auto count = static_cast<double>(keys.integer("nodes"));
    return NetworkSize{count, count, ""};
  };
  entry.make = ring;
  return entry;
}

/// Passes everything on until it is there.
class Station final : public links::FlitController {
 public:
  void step(FlitView& view) override {
    if ((view.arrived() & 1) != 0) take(view, view.arrival(0));
    while (view.waiting() > 0) take(view, view.accept());
    if (!view.empty(0)) view.send(0, view.pop(0));
    if (!view.empty(0)) view.wake_at(view.step() + 1);
  }

 private:
  static void take(FlitView& view, const Flit& flit) {
    if (flit.destination == view.node()) view.eject(flit);
    else view.push(0, flit, view.step());
  }
};

class RoundTheRing final : public links::Algorithm {
 public:
  explicit RoundTheRing(NodeId nodes) : Algorithm(declare()), nodes_(nodes) {}
  std::unique_ptr<links::ControllerArray> make_controllers() const override {
    return links::controllers_like(Station(), nodes_);
  }

 private:
  static links::Declaration declare() {
    links::Declaration declaration;
    declaration.buffers = links::BufferSide::out_ports;
    return declaration;
  }
  NodeId nodes_;
};

AlgorithmEntry round_entry() {
  AlgorithmEntry entry;
  entry.name = "round";
  entry.meaning = "passes packets on";
  entry.needs = {"carousel"};
  entry.storage = StorageModel::store_and_forward;
  entry.make = [](const links::AlgorithmContext& context, const KeyValues&) -> std::unique_ptr<links::Algorithm> {
    return std::make_unique<RoundTheRing>(context.network->graph.nodes());
  };
  return entry;
}

/// How a `tiles` network can differ from the mesh that it promises.
enum class NetworkFlaw { none, no_family, torus_family, other_family, crossed_links, switches };

Grid tiles_grid(const KeyValues& keys) { return Grid::mesh({keys.integer("down"), keys.integer("across")}); }

/// A mesh by other names.
LinkNetwork tiles(const KeyValues& keys, NetworkFlaw flaw) {
  const Grid grid = tiles_grid(keys);
  NetworkGraphBuilder builder;
  for (NodeId node = 0; node < grid.nodes(); ++node)
    builder.add_node(flaw == NetworkFlaw::switches && node == 1 ? NodeRole::switch_node : NodeRole::processor,
                     "tile" + std::to_string(node));
  for (NodeId node = 0; node < grid.nodes(); ++node)
    for (Port port = 0; port < grid.ports(); ++port) {
      const NodeId next = grid.neighbour(node, port);
      if (next == no_node) continue;
      const bool crossed = flaw == NetworkFlaw::crossed_links && node == 5 && (port == 1 || port == 2);
      builder.add_link({node, crossed ? 3 - port : port}, {next, grid.reverse(port)});
    }
  LinkNetwork network{"tiles", builder.build(), grid};
  if (flaw == NetworkFlaw::no_family) network.family = {};
  if (flaw == NetworkFlaw::torus_family) network.family = Grid::torus({4, 4});
  if (flaw == NetworkFlaw::other_family) network.family = Grid::mesh({2, 4});
  return network;
}

TopologyEntry tiles_entry(NetworkFlaw flaw = NetworkFlaw::none) {
  TopologyEntry entry;
  entry.name = "tiles";
  entry.meaning = "tiles of a chip";
  entry.keys = {integer_key("down", "tiles of a column").within(1, 100).is_required(),
                integer_key("across", "tiles of a row").within(1, 100).is_required()};
  entry.size = [](const KeyValues& keys) {
    const auto nodes = static_cast<double>(keys.integer("down") * keys.integer("across"));
    return NetworkSize{nodes, 4 * nodes, ""};
  };
  entry.offers = {"mesh"};
  entry.grid = tiles_grid;
  entry.make = [flaw](const KeyValues& keys) { return tiles(keys, flaw); };
  return entry;
}

Catalogue with_ring() {
  Catalogue catalogue = standard_catalogue();
  catalogue.add(ring_entry());
  catalogue.add(round_entry());
  return catalogue;
}
Catalogue with_tiles(const TopologyEntry& entry) {
  Catalogue catalogue = standard_catalogue();
  catalogue.add(entry);
  return catalogue;
}

class OwnTopology : public CatalogueRuns {
 protected:
  static std::string experiment(const std::string& routing,
                                const std::string& network = "topology: carousel, nodes: 5") {
    return CatalogueRuns::experiment(network, routing);
  }
};

TEST_F(OwnTopology, RunsAndIsVerifiedByItsNetworkFile) {
  const auto out = run(with_ring(), experiment("round"), "out");

  // The program that reads the folder does not know the ring.
  ASSERT_TRUE(std::filesystem::exists(out / "network.json"));
  EXPECT_TRUE(open_run_folder(out, {topology_table()})->verify().ok());
  EXPECT_THAT(open_run_folder(out, {topology_table()})->show(0), testing::HasSubstr("station"));
}

TEST_F(OwnTopology, IsServedByAlgorithmsThatNeedNothingElse) {
  const Catalogue catalogue = with_ring();
  for (const char* routing : {"greedy, function: shortest", "vc-wormhole, function: shortest"})
    EXPECT_TRUE(open_run_folder(run(catalogue, experiment(routing), "out"), {topology_table()})->verify().ok());
}

TEST_F(OwnTopology, IsRefusedByWhatItDoesNotServe) {
  const Catalogue catalogue = with_ring();
  EXPECT_EQ(
      refusal(catalogue, experiment("kunde")),
      "e.yaml:3:22: routing.algorithm: kunde works on mesh, not on carousel; these work on carousel: vc-wormhole, "
      "greedy, round");
  for (const char* algorithm : {"greedy", "vc-wormhole"})
    EXPECT_THAT(refusal(catalogue, experiment(algorithm)),
                testing::HasSubstr("function: dimension-order works on mesh, torus, ring, concentrated-mesh, "
                                   "express-mesh, hypercube and flattened-butterfly, not on a "
                                   "carousel; these do: up-down, "));
  EXPECT_THAT(refusal(catalogue, experiment("vc-wormhole, function: up-down")),
              testing::HasSubstr("up-down needs links in both directions"));
}

// Algorithms of meshes give the same rows as on the mesh of Starloom.
TEST_F(OwnTopology, ThatOffersAMeshIsServedAsOne) {
  const Catalogue catalogue = with_tiles(tiles_entry());
  for (const char* routing :
       {"greedy", "greedy, function: yx", "deflection", "kunde, s: 2", "multistage", "vc-wormhole",
        "vc-wormhole, function: odd-even", "vc-wormhole, channels: 2, function: adaptive"}) {
    SCOPED_TRACE(routing);
    const auto mesh = run(catalogue, experiment(routing, "topology: mesh, shape: [4, 6]"), "mesh");
    const auto own = run(catalogue, experiment(routing, "topology: tiles, down: 4, across: 6"), "own");
    EXPECT_TRUE(same_rows(own, mesh));
    EXPECT_TRUE(open_run_folder(own, {topology_table()})->verify().ok());
  }
  EXPECT_EQ(refusal(catalogue, experiment("supernode-hot-potato", "topology: tiles, down: 4, across: 6")),
            refusal(catalogue, experiment("supernode-hot-potato", "topology: mesh, shape: [4, 6]")));
  EXPECT_THAT(refusal(catalogue, experiment("vc-wormhole, channels: 257", "topology: tiles, down: 4, across: 6")),
              testing::HasSubstr("routing.channels: 257 is out of range (1 to 256)"));
  EXPECT_THAT(refusal(catalogue, experiment("direct-diagonals", "topology: tiles, down: 4, across: 6")),
              testing::HasSubstr("direct-diagonals works on torus, not on tiles"));
}

// vc-wormhole looks for a key of this name; here it is a word.
TEST_F(OwnTopology, MayHaveALinkLatencyThatIsNoNumber) {
  TopologyEntry entry = tiles_entry();
  entry.keys.push_back(text_key("link_latency", "a word").by_default(std::string("short")));
  EXPECT_EQ(refusal(with_tiles(entry), experiment("vc-wormhole", "topology: tiles, down: 4, across: 4")), "");
}

TEST_F(OwnTopology, ThatIsNotWhatItOffersIsRefused) {
  const auto refused = [this](NetworkFlaw flaw) {
    return refusal(with_tiles(tiles_entry(flaw)), experiment("greedy", "topology: tiles, down: 4, across: 4"));
  };
  const std::string offers = "e.yaml:2:21: network.topology: tiles offers mesh, but its network has ";
  EXPECT_EQ(refused(NetworkFlaw::no_family), offers + "no Grid of kind mesh as `family`");
  EXPECT_EQ(refused(NetworkFlaw::torus_family), offers + "no Grid of kind mesh as `family`");
  EXPECT_EQ(refused(NetworkFlaw::other_family), offers + "16 nodes, but its Grid of kind mesh has 8");
  EXPECT_EQ(refused(NetworkFlaw::crossed_links),
            offers +
                "a link from out-port 1 of node 5 to in-port 0 of node 9, but in its "
                "Grid of kind mesh that leads to in-port 3 of node 6");
  EXPECT_EQ(refused(NetworkFlaw::switches), offers + "a switch as node 1, but its Grid of kind mesh has a processor");
}

// Its destinations serve as a list, one packet each, and in open loop.
TEST_F(OwnTopology, IsServedByPatternsThatAnAlgorithmBrings) {
  AlgorithmEntry algorithm = round_entry();
  algorithm.patterns = {{"ahead",
                         "every node sends to the node that is `by` nodes ahead",
                         {integer_key("by", "how many nodes ahead").is_required()},
                         [](const Processors& processors, std::uint64_t /*seed*/, const KeyValues& keys) {
                           Destinations to;
                           for (NodeId node = 0; node < processors.count; ++node)
                             to.push_back(static_cast<NodeId>((node + keys.integer("by")) % processors.count));
                           return to;
                         }}};
  Catalogue catalogue = standard_catalogue();
  catalogue.add(ring_entry());
  catalogue.add(algorithm);
  const std::string carousel = "topology: carousel, nodes: 6";
  const auto list = run(catalogue, CatalogueRuns::experiment(carousel, "round", "ahead, by: 2"), "list");
  EXPECT_EQ(read(list / "packets.csv"),
            "packet,source,destination,flits,created,delivered\n0,0,2,1,0,2\n1,1,3,1,0,2\n2,2,4,1,0,2\n"
            "3,3,5,1,0,2\n4,4,0,1,0,2\n5,5,1,1,0,2\n");
  const auto open_loop =
      run(catalogue, CatalogueRuns::experiment(carousel, "round", "ahead, by: 2, rate: 0.1, warmup: 0, measure: 200"),
          "open");
  EXPECT_THAT(read(open_loop / "result.json"), testing::HasSubstr("\"measure\": 200"));
}

TEST(OwnEntries, HaveNamesOfTheirOwn) {
  Catalogue rings = with_ring(), rounds = with_ring(), uniform = with_ring();
  rings.add(ring_entry());
  rounds.add(round_entry());
  uniform.add(pattern_table().front());
  const std::string advice = " already; rename your own entry";
  EXPECT_EQ(catalogue_refusal(rings), "starloom: there is a topology called carousel" + advice);
  EXPECT_EQ(catalogue_refusal(rounds), "starloom: there is an algorithm called round" + advice);
  EXPECT_EQ(catalogue_refusal(uniform), "starloom: there is a pattern called uniform" + advice);
}

TEST(OwnEntries, AreComplete) {
  TopologyEntry tiles = tiles_entry();
  tiles.grid = {};
  EXPECT_EQ(catalogue_refusal(with_tiles(tiles)),
            "starloom: topology tiles offers mesh, but its entry has no `grid`; set it to what makes the Grid of the "
            "keys");
  const auto expect_incomplete = [](const std::string& what, auto entry) {
    const auto refusal_of = [](const auto& incomplete) {
      Catalogue catalogue = standard_catalogue();
      catalogue.add(incomplete);
      return catalogue_refusal(catalogue);
    };
    EXPECT_EQ(refusal_of(entry), "starloom: there is " + what + " without a name; set `name` of its entry");
    entry.name = "unfinished";
    EXPECT_EQ(refusal_of(entry),
              "starloom: there is " + what + " called unfinished that cannot be made; set `make` of its entry");
  };
  expect_incomplete("a topology", TopologyEntry());
  expect_incomplete("an algorithm", AlgorithmEntry());
  expect_incomplete("a pattern", PatternEntry());
  expect_incomplete("a pattern", pattern_entry({"", "", {}, MakeDestinations()}));
  expect_incomplete("a pattern", pattern_entry({"", "", {}, MakeStoredPackets()}));
  expect_incomplete("a routing function", routing::FunctionEntry());
  expect_incomplete("a selection", SelectionEntry());
  expect_incomplete("an arbiter", ArbiterEntry());
  expect_incomplete("an allocator", AllocatorEntry());
}

}  // namespace
}  // namespace starloom
