// SPDX-License-Identifier: Apache-2.0
/// \file The netlist is real: modules with names in the object tree, bound ports, bindings that decide what happens.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "support/fresh_context.hpp"
#include "support/list_source.hpp"
#include "support/named_algorithm.hpp"
#include "support/netlist_run.hpp"
#include "support/permutations.hpp"
#include "support/report_text.hpp"
#include "support/trace_text.hpp"

namespace starloom::links {
namespace {

using testing::ElementsAre;

/// All objects of a class in the tree below `root`, by name.
template <class T>
std::map<std::string, T*> find_all(const sc_core::sc_object& root) {
  std::map<std::string, T*> found;
  for (sc_core::sc_object* child : root.get_child_objects()) {
    if (auto* object = dynamic_cast<T*>(child)) found[child->name()] = object;
    found.merge(find_all<T>(*child));
  }
  return found;
}

template <class T>
void expect_object(const std::string& name, const std::string& kind, const std::string& parent) {
  sc_core::sc_object* object = sc_core::sc_find_object(name.c_str());
  ASSERT_NE(object, nullptr) << name;
  EXPECT_NE(dynamic_cast<T*>(object), nullptr) << name << " is of another class";
  EXPECT_EQ(object->kind(), kind) << name;
  EXPECT_EQ(object->get_parent_object()->name(), parent);
}

TEST(ObjectTree, MeshNamesSayWhereThingsAre) {
  fresh_context();
  const Grid grid = Grid::mesh({4, 8});
  const auto algorithm = named_algorithm("vc-wormhole", grid);
  const Network network("network", network_of(grid), *algorithm);
  EXPECT_EQ(sc_core::sc_find_object("network"), &network);
  expect_object<Fabric>("network.fabric", "sc_module", "network");
  expect_object<RouterNode>("network.node_r03_c07", "sc_module", "network");
  expect_object<Link>("network.link_r03_c06_east", "sc_module", "network");
  expect_object<FlitBuffer>("network.node_r03_c06.buffer_east_v0", "sc_module", "network.node_r03_c06");
  expect_object<FlitBuffer>("network.node_r03_c07.buffer_local_v0", "sc_module", "network.node_r03_c07");
  expect_object<sc_core::sc_port_base>("network.node_r03_c07.out", "sc_port", "network.node_r03_c07");
  expect_object<sc_core::sc_port_base>("network.node_r03_c07.in", "sc_port", "network.node_r03_c07");
  expect_object<sc_core::sc_port_base>("network.fabric.clock", "sc_port", "network.fabric");
  // The border has neither links nor buffers.
  EXPECT_EQ(sc_core::sc_find_object("network.link_r03_c07_east"), nullptr);
  EXPECT_EQ(sc_core::sc_find_object("network.node_r03_c07.buffer_east_v0"), nullptr);
}

TEST(ObjectTree, TorusNamesSayWhereThingsAre) {
  fresh_context();
  const Grid grid = Grid::torus({4, 8});
  const auto algorithm = named_algorithm("vc-wormhole", grid, {{"channels", std::int64_t{2}}});
  const Network network("torus", network_of(grid), *algorithm);
  expect_object<RouterNode>("torus.node_a03_07", "sc_module", "torus");
  expect_object<Link>("torus.link_a03_07_plus1", "sc_module", "torus");
  expect_object<Link>("torus.link_a00_00_minus2", "sc_module", "torus");
  expect_object<FlitBuffer>("torus.node_a03_07.buffer_minus2_v1", "sc_module", "torus.node_a03_07");
}

TEST(ObjectTree, ForeignNodesAreSockets) {
  fresh_context();
  const Grid grid = Grid::mesh({2, 2});
  const auto algorithm = named_algorithm("greedy", grid);
  NetworkOptions options;
  options.foreign = {2};
  Network network("network", network_of(grid), *algorithm, options);
  expect_object<NodeSocket>("network.node_r01_c00", "sc_module", "network");
  expect_object<FlitBuffer>("network.node_r01_c00.buffer_north_v0", "sc_module", "network.node_r01_c00");
  EXPECT_EQ(network.socket(2).node_id(), 2);
  EXPECT_EQ(report_text([&] { network.socket(1); }),
            "/starloom/netlist: network.node_r00_c01 is not a foreign node: list it in NetworkOptions::foreign");
}

struct GridCase {
  bool torus;
  std::vector<std::int64_t> shape;
};

std::ostream& operator<<(std::ostream& out, const GridCase& grid) {
  out << (grid.torus ? "torus" : "mesh");
  for (const std::int64_t side : grid.shape) out << " " << side;
  return out;
}

class EveryGrid : public testing::TestWithParam<GridCase> {};

TEST_P(EveryGrid, HasAModuleForEachThingAndEveryPortBound) {
  const Grid grid = GetParam().torus ? Grid::torus(GetParam().shape) : Grid::mesh(GetParam().shape);
  const auto algorithm = named_algorithm("vc-wormhole", grid, {{"channels", std::int64_t{2}}});
  for (const std::uint64_t shuffle : {0, 5}) {
    fresh_context();
    NetworkOptions options;
    options.shuffle = shuffle;
    Network network("network", network_of(grid), *algorithm, options);
    const auto links = static_cast<std::size_t>(grid.links());
    const auto nodes = static_cast<std::size_t>(grid.nodes());
    EXPECT_EQ(find_all<RouterNode>(network).size(), nodes);
    EXPECT_EQ(find_all<Link>(network).size(), links);
    EXPECT_EQ(find_all<FlitBuffer>(network).size(), 2 * (links + nodes));
    EXPECT_EQ(find_all<sc_core::sc_module>(network).size() + 1, network.module_count());
    EXPECT_EQ(network.module_count(), 2 + 3 * (nodes + links));

    for (NodeId id = 0; id < grid.nodes(); ++id) {
      Node& node = network.node(id);
      EXPECT_EQ(node.basename(), grid.node_name(id));
      std::vector<Port> with_link;
      for (Port port = 0; port < grid.ports(); ++port)
        if (grid.neighbour(id, port) != no_node) with_link.push_back(port);
      EXPECT_EQ(node.out_ports().numbers, with_link);
      for (const Port port : with_link) EXPECT_EQ(network.link(id, port).basename(), grid.link_name(id, port));
    }
    // Ports resolve their bindings when elaboration ends.
    sc_core::sc_start(1, sc_core::SC_NS);
    for (NodeId id = 0; id < grid.nodes(); ++id) {
      Node& node = network.node(id);
      ASSERT_EQ(node.out_ports().numbers, node.in_ports().numbers);
      const auto degree = static_cast<int>(node.out_ports().numbers.size());
      ASSERT_EQ(node.out.size(), degree);
      ASSERT_EQ(node.in.size(), degree);
      for (int k = 0; k < degree; ++k) {
        const Port port = node.out_ports().numbers[static_cast<std::size_t>(k)];
        EXPECT_EQ(&node.out[k]->link_written(), &network.link(id, port));
        EXPECT_EQ(&node.in[k]->link_read(), &network.link(grid.neighbour(id, port), grid.reverse(port)));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Netlist, EveryGrid,
                         testing::Values(GridCase{false, {1, 1}}, GridCase{false, {1, 5}}, GridCase{false, {4, 3}},
                                         GridCase{false, {2, 3, 4}}, GridCase{false, {2, 2, 2, 2}}, GridCase{true, {1}},
                                         GridCase{true, {2}}, GridCase{true, {5}}, GridCase{true, {2, 3}},
                                         GridCase{true, {4, 1}}, GridCase{true, {3, 2, 4}}));

// ---- a netlist bound by hand

/// Three nodes in a row and four links, to be bound by the test: `link_01` is meant to lead from node 0 to node 1.
struct HandNet {
  HandNet() {
    for (Node* node : {&node_0, &node_1, &node_2}) fabric.add(*node);
  }

  void bind_outs() {
    node_0.out.bind(link_01);
    node_1.out.bind(link_12);  // its east port comes first
    node_1.out.bind(link_10);
    node_2.out.bind(link_21);
  }
  void bind_ins() {
    node_0.in.bind(link_10);
    node_1.in.bind(link_21);
    node_1.in.bind(link_01);
    node_2.in.bind(link_12);
  }
  /// The report of elaboration.
  std::string report() {
    return report_text([] { sc_core::sc_start(1, sc_core::SC_NS); });
  }
  /// The rows of the first steps of a run.
  std::vector<std::string> rows(std::vector<Packet> packets, int steps) {
    ListSource source(std::move(packets));
    RowCollector collector;
    fabric.set_source(&source, no_step);
    fabric.set_sinks({&collector});
    sc_core::sc_start(steps, sc_core::SC_NS);
    return row_texts(collector.all);
  }

  static constexpr Port east = 1, west = 3;
  const Grid grid = Grid::mesh({1, 3});
  const std::unique_ptr<Algorithm> algorithm = named_algorithm("greedy", grid);
  const std::unique_ptr<ControllerArray> controllers = algorithm->make_controllers();
  const RouterNode::MakeBuffers make_buffers = [](const Node& node) {
    std::vector<std::unique_ptr<FlitBuffer>> buffers(4);
    for (const Port port : node.out_ports().numbers)
      buffers[static_cast<std::size_t>(port)] =
          std::make_unique<FlitBuffer>(("buffer_" + std::to_string(port)).c_str(), 0);
    return buffers;
  };
  Fabric fabric{"fabric", Fabric::Setup{&network_of(grid), &algorithm->declaration()},
                sc_core::sc_time(1, sc_core::SC_NS)};
  Link link_01{"link_01", 1}, link_10{"link_10", 1}, link_12{"link_12", 1}, link_21{"link_21", 1};
  RouterNode node_0{"node_0", 0, {{east}, {"east"}}, {{east}, {"east"}}, controllers->at(0), make_buffers};
  RouterNode node_1{"node_1",           1,           {{east, west}, {"east", "west"}}, {{east, west}, {"east", "west"}},
                    controllers->at(1), make_buffers};
  RouterNode node_2{"node_2", 2, {{west}, {"west"}}, {{west}, {"west"}}, controllers->at(2), make_buffers};
};

class BoundByHand : public testing::Test {
 protected:
  void SetUp() override { fresh_context(); }
};

TEST_F(BoundByHand, RunsLikeTheBuiltOne) {
  HandNet net;
  net.bind_outs();
  net.bind_ins();
  EXPECT_THAT(net.rows({{0, 2, 1, 0}}, 10),
              ElementsAre("0,inject,0,0,0,,", "0,hop,0,0,0,1,1", "1,hop,0,0,1,1,2", "2,eject,0,0,2,,"));
}

TEST_F(BoundByHand, ExchangedBindingsChangeTheTrace) {
  HandNet net;
  net.node_0.out.bind(net.link_01);
  net.node_1.out.bind(net.link_10);  // what node 1 sends east now leads to node 0
  net.node_1.out.bind(net.link_12);
  net.node_2.out.bind(net.link_21);
  net.bind_ins();
  EXPECT_THAT(net.rows({{0, 2, 1, 0}}, 4), ElementsAre("0,inject,0,0,0,,", "0,hop,0,0,0,1,1", "1,hop,0,0,1,1,0",
                                                       "2,hop,0,0,0,1,1", "3,hop,0,0,1,1,0"));
}

TEST_F(BoundByHand, ExchangedInPortsChangeNothingThatGreedySees) {
  HandNet net;
  net.bind_outs();
  net.node_0.in.bind(net.link_10);
  net.node_1.in.bind(net.link_01);
  net.node_1.in.bind(net.link_21);
  net.node_2.in.bind(net.link_12);
  EXPECT_THAT(net.rows({{0, 2, 1, 0}}, 10),
              ElementsAre("0,inject,0,0,0,,", "0,hop,0,0,0,1,1", "1,hop,0,0,1,1,2", "2,eject,0,0,2,,"));
  const Wiring& wiring = net.fabric.engine().wiring();
  EXPECT_EQ(wiring.out[wiring.index(0, HandNet::east)].port, HandNet::east);
  EXPECT_EQ(wiring.in[wiring.index(1, HandNet::east)].node, 0);
}

TEST_F(BoundByHand, AnUnboundOutPortFailsByName) {
  HandNet net;
  net.bind_ins();
  net.node_0.out.bind(net.link_01);
  net.node_1.out.bind(net.link_12);
  net.node_2.out.bind(net.link_21);
  EXPECT_EQ(net.report(),
            "/starloom/netlist: node_1.out has 1 of its 2 outgoing links: port west is not bound to a link");
}

TEST_F(BoundByHand, AnUnboundInPortFailsByName) {
  HandNet net;
  net.bind_outs();
  net.node_0.in.bind(net.link_10);
  net.node_1.in.bind(net.link_21);
  net.node_1.in.bind(net.link_01);
  EXPECT_EQ(net.report(),
            "/starloom/netlist: node_2.in has 0 of its 1 incoming links: port west is not bound to a link");
}

TEST_F(BoundByHand, OneBindingTooManyFailsByName) {
  HandNet net;
  net.bind_outs();
  net.bind_ins();
  Link spare("spare", 1);
  net.node_2.out.bind(spare);
  EXPECT_EQ(net.report(), "/starloom/netlist: node_2.out has 2 of its 1 outgoing links: one binding too many");
}

TEST_F(BoundByHand, ALinkReadTwiceFailsByName) {
  HandNet net;
  net.bind_outs();
  net.node_0.in.bind(net.link_10);
  net.node_1.in.bind(net.link_21);
  net.node_1.in.bind(net.link_10);
  net.node_2.in.bind(net.link_12);
  EXPECT_EQ(net.report(), "/starloom/netlist: link_10 is read by two in-ports");
}

TEST_F(BoundByHand, ALinkWrittenTwiceFailsByName) {
  HandNet net;
  net.bind_ins();
  net.node_0.out.bind(net.link_12);
  net.node_1.out.bind(net.link_12);
  net.node_1.out.bind(net.link_10);
  net.node_2.out.bind(net.link_21);
  EXPECT_EQ(net.report(), "/starloom/netlist: link_12 is written by two out-ports");
}

TEST_F(BoundByHand, ALinkThatLeadsNowhereFailsByName) {
  HandNet net;
  net.bind_ins();
  Link loose("loose", 1);
  net.node_0.out.bind(net.link_01);
  net.node_1.out.bind(net.link_12);
  net.node_1.out.bind(net.link_10);
  net.node_2.out.bind(loose);
  EXPECT_EQ(net.report(), "/starloom/netlist: loose leads to no in-port");
}

TEST_F(BoundByHand, ANumberGivenTwiceFailsByName) {
  HandNet net;
  net.bind_outs();
  net.bind_ins();
  net.fabric.add(net.node_1);
  EXPECT_EQ(net.report(), "/starloom/netlist: node_1 has number 1, which is not free in this network");
}

TEST_F(BoundByHand, AMissingNodeFailsByName) {
  const Grid grid = Grid::mesh({1, 2});
  const auto algorithm = named_algorithm("greedy", grid);
  const Fabric fabric("fabric", Fabric::Setup{&network_of(grid), &algorithm->declaration()},
                      sc_core::sc_time(1, sc_core::SC_NS));
  EXPECT_EQ(report_text([] { sc_core::sc_start(1, sc_core::SC_NS); }),
            "/starloom/netlist: there is no module for node_r00_c00");
}

TEST_F(BoundByHand, LatencyAndPeriodAreAboveZero) {
  EXPECT_EQ(report_text([] { const Link link("link", 0); }), "/starloom/netlist: link has a latency below 1");
  const Grid grid = Grid::mesh({1, 2});
  const auto algorithm = named_algorithm("greedy", grid);
  EXPECT_EQ(report_text([&] {
              const Fabric fabric("fabric", Fabric::Setup{&network_of(grid), &algorithm->declaration()},
                                  sc_core::SC_ZERO_TIME);
            }),
            "/starloom/netlist: the period of a fabric is longer than 0");
}

TEST_F(BoundByHand, WormsNeedLinksOfLatencyOne) {
  const Grid grid = Grid::mesh({1, 3});
  const auto algorithm = named_algorithm("probe-hold", grid);
  const Network network("network", network_of(grid, 2), *algorithm);
  EXPECT_THROW(sc_core::sc_start(1, sc_core::SC_NS), std::invalid_argument);
}

// ---- a user's own buffers

/// Counts what enters and leaves, and checks that both ends agree.
class WatchedBuffer final : public FlitBuffer {
 public:
  WatchedBuffer(const char* name, std::int32_t capacity, std::vector<std::string>& diagnostics)
      : FlitBuffer(name, capacity), diagnostics_(diagnostics) {}

  void pushed(const Flit& flit) override {
    ++pushes;
    if (!inside_.insert(flit.packet).second) diagnostics_.push_back(std::string(name()) + " gets a flit twice");
    if (size() != static_cast<std::int32_t>(inside_.size()))
      diagnostics_.push_back(std::string(name()) + " has another size");
  }
  void popped(const Flit& flit) override {
    ++pops;
    if (inside_.erase(flit.packet) == 0) diagnostics_.push_back(std::string(name()) + " gives a flit it has not got");
  }
  std::int64_t pushes = 0, pops = 0;

 private:
  std::vector<std::string>& diagnostics_;
  std::set<PacketId> inside_;
};

TEST(Buffers, ASubclassSeesEveryPushAndPop) {
  fresh_context();
  const Grid grid = Grid::mesh({4, 5});
  // Each packet that this probe sends over a link has been in the buffer of the out-port.
  const auto algorithm = named_algorithm("probe-sleeper", grid, {{"delay", std::int64_t{0}}});
  ListSource source(permutation_packets(random_permutation(grid.nodes(), 3)));
  std::vector<std::string> diagnostics;
  std::map<std::pair<NodeId, Port>, const WatchedBuffer*> watched;
  NetworkOptions options;
  options.make_buffer = [&](const char* name, NodeId node, Port port, std::int32_t capacity) {
    auto buffer = std::make_unique<WatchedBuffer>(name, capacity, diagnostics);
    watched[{node, port}] = buffer.get();
    return buffer;
  };
  Network network("network", network_of(grid), *algorithm, options);
  network.fabric.set_source(&source, no_step);
  sc_core::sc_start();

  EXPECT_EQ(watched.at({7, 1})->name(), std::string("network.node_r01_c02.buffer_east_v0"));
  EXPECT_EQ(watched.size(), static_cast<std::size_t>(grid.links()));
  EXPECT_THAT(diagnostics, ElementsAre());
  const RunRecord& record = network.fabric.engine().record();
  ASSERT_GT(record.flit_hops, 0);
  for (const auto& [position, buffer] : watched) {
    EXPECT_EQ(buffer->pushes,
              record.link_load[static_cast<std::size_t>(position.first * grid.ports() + position.second)]);
    EXPECT_EQ(buffer->pops, buffer->pushes);
    EXPECT_EQ(buffer->size(), 0);
  }
}

TEST(Buffers, ShowWhatStandsInThem) {
  fresh_context();
  const Grid grid = Grid::mesh({1, 2});
  const auto algorithm = named_algorithm("probe-sleeper", grid, {{"delay", std::int64_t{0}}});
  ListSource source({{0, 1, 1, 0}, {0, 1, 1, 0}, {0, 1, 1, 0}});
  Network network("network", network_of(grid), *algorithm);
  network.fabric.set_source(&source, no_step);
  const FlitBuffer& east = *network.node(0).buffers()[1];
  EXPECT_EQ(east.size(), 0);
  sc_core::sc_start(0.5, sc_core::SC_NS);
  ASSERT_EQ(east.size(), 2);
  EXPECT_EQ(east.at(0).packet, 1);
  EXPECT_EQ(east.at(1).packet, 2);
}

}  // namespace
}  // namespace starloom::links
