// SPDX-License-Identifier: Apache-2.0
// The controllers of supernodes, date by date and node by node.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "support/permutations.hpp"
#include "support/supernodes.hpp"
#include "unit/traffic_support.hpp"

namespace starloom::links {
namespace {

using namespace compass;

// ---- the dates of a superstep

/// One worm in a slot of a ring, that leaves its supernode through a port.
struct Passage {
  std::int32_t k, supernode, place;
  Port heading;
};

/// The position of the head of packet 0, by step.
std::map<Step, NodeId> path_of_head(const StepperResult& run) {
  std::map<Step, NodeId> path;
  for (const TraceRow& row : run.rows)
    if (row.event == TraceEvent::hop && row.packet == 0 && row.flit == 0) path[row.step] = row.node;
  return path;
}

void expect_dates(const Passage& passage) {
  SupernodeCase c;
  c.k = passage.k;
  c.preloaded = true;
  const SupernodeGeometry geometry(c.size());
  const SupernodeSize& size = geometry.size();
  const std::int32_t h = size.h(), k = size.k, C = geometry.rotation(), Hk = size.stored(), slots = size.slots();
  const std::int32_t neighbour = passage.supernode + (passage.heading == north   ? -2
                                                      : passage.heading == south ? 2
                                                      : passage.heading == east  ? 1
                                                                                 : -1);
  // The fifth round, so that the first ones pass without a worm.
  const Cell to = 5;
  const NodeId source = c.node(passage.supernode, geometry.start_of_slot(passage.place));
  const std::vector<Packet> packets = {{source, c.node(neighbour, to), k, 0}};
  const StepperResult run = step_supernodes(c, packets);
  ASSERT_EQ(run.end, StepperEnd::all_delivered) << (run.violation ? run.violation->text : "");
  const std::map<Step, NodeId> path = path_of_head(run);
  const auto odd = [](std::int32_t supernode) { return supernode == 1 || supernode == 2 ? 1 : 0; };
  const Step round = 5 * c.make(packets)->schedule()->steps_per_unit;
  const auto at = [&](std::int32_t supernode, Step v) {
    return path.at(round + odd(supernode) + geometry.lead() + C + v);
  };
  const auto cell = [&](std::int32_t supernode, std::int32_t row, std::int32_t column) {
    return c.node(supernode, geometry.cell(row, column));
  };
  const std::int32_t here = passage.supernode, slot = passage.place % slots;
  const bool left = passage.place < slots;
  const std::int32_t near = left ? h + 1 : h - 1, far = left ? h - 1 : h + 1;
  for (const std::int32_t rotation : {0, 1}) {
    EXPECT_EQ(at(here, rotation * C + slot * k + h - 2), cell(here, near, h)) << "near command processor";
    EXPECT_EQ(at(here, rotation * C + slot * k + h - 1), cell(here, h, h)) << "centre";
    EXPECT_EQ(at(here, rotation * C + slot * k + h), cell(here, far, h)) << "far command processor";
  }
  const SupernodeBuffer& sends = geometry.buffer(passage.heading);
  const NodeId head = c.node(here, sends.cells.front());
  const NodeId command = c.node(here, geometry.neighbour(sends.cells.front(), sends.to_command));
  const bool early = command == cell(here, near, h);
  const Step taken = 2 * C + slot * k + h;
  EXPECT_EQ(at(here, early ? taken - 2 : taken), command);
  EXPECT_EQ(at(here, early ? taken - 1 : taken + 1), head);
  if (early) {
    EXPECT_EQ(at(here, taken), c.node(here, geometry.neighbour(sends.cells.front(), sends.to_beside)));
  }
  EXPECT_EQ(at(here, taken + 1), head);
  EXPECT_EQ(at(here, 2 * C + Hk + h + 1), head);
  EXPECT_EQ(at(here, 2 * C + Hk + h + 2), c.node(here, geometry.neighbour(sends.cells.front(), sends.to_neighbour)))
      << "transmission";

  const Port buffer = receiving_buffer(passage.heading);
  const SupernodeBuffer& receives = geometry.buffer(buffer);
  const NodeId received = c.node(neighbour, receives.cells.front());
  EXPECT_EQ(at(neighbour, 2 * C + Hk + h + size.last() + 3), received) << "reception";
  const Step insertion = 3 * C + first_slot(buffer) * k + h - 3;
  EXPECT_EQ(at(neighbour, insertion), received);
  EXPECT_EQ(at(neighbour, insertion + 1),
            c.node(neighbour, geometry.neighbour(receives.cells.front(), receives.to_command)))
      << "insertion";
}

TEST(SupernodeDates, OfAllPassages) {
  for (const std::int32_t k : {4, 16, 36})
    for (std::int32_t supernode = 0; supernode < (k == 36 ? 2 : 4); ++supernode)
      for (const Port heading : {supernode < 2 ? south : north, supernode % 2 == 0 ? east : west})
        for (std::int32_t place = 0; place < 12; place += k == 4 ? 1 : k == 16 ? 7 : 12) {
          SCOPED_TRACE(testing::Message()
                       << "k " << k << ", supernode " << supernode << ", place " << place << ", heading " << heading);
          expect_dates({k, supernode, place, heading});
          if (testing::Test::HasFailure()) return;
        }
}

TEST(SupernodeDates, CreationReachesTheRingsInTime) {
  // One round for each source: its worm is in slot 0 of its ring when the first superstep begins.
  for (const std::int32_t k : {4, 16}) {
    SupernodeCase c;
    c.k = k;
    c.side = 1;
    const SupernodeGeometry geometry(c.size());
    std::vector<Packet> packets;
    for (Cell cell = 0; cell < geometry.size().cells(); cell += k == 4 ? 1 : 5)
      packets.push_back({cell, cell == 0 ? 1 : 0, k, 0});
    const StepperResult run = step_supernodes(c, packets);
    ASSERT_EQ(run.end, StepperEnd::all_delivered);
    const std::int64_t length = c.make(packets)->schedule()->steps_per_unit;
    std::map<std::pair<PacketId, Step>, NodeId> at;
    for (const TraceRow& row : run.rows)
      if (row.event == TraceEvent::hop && row.flit == 0) at[{row.packet, row.step}] = row.node;
    for (std::size_t i = 0; i < packets.size(); ++i) {
      const Packet& packet = packets[i];
      const RingAccess& path = geometry.access(packet.source);
      const Step begins = (packet.source * std::int64_t{geometry.size().cells()} + packet.destination) * length;
      const auto p = static_cast<PacketId>(i);
      EXPECT_EQ(at.at({p, begins + geometry.lead() + path.position - path.length}), packet.source);
      EXPECT_EQ(at.at({p, begins + geometry.lead() + geometry.rotation()}), geometry.ring(path.ring).front());
    }
  }
}

// ---- nodes by themselves

/// The observations of a controller in a step.
struct Sight {
  Step step = 0;
  std::vector<std::pair<Port, Flit>> arrived;
};

class WatchedController final : public WormController {
 public:
  WatchedController(WormController& watched, std::vector<Sight>& seen) : watched_(watched), seen_(seen) {}
  void step(WormView& view) override {
    Sight sight{view.step(), {}};
    for (PortMask left = view.arrived(); left != 0; left &= left - 1)
      sight.arrived.emplace_back(lowest_port(left), view.arrival(lowest_port(left)));
    seen_.push_back(sight);
    watched_.step(view);
  }
  void publish(std::uint32_t* values) const override { watched_.publish(values); }

 private:
  WormController& watched_;
  std::vector<Sight>& seen_;
};

class WatchedAlgorithm final : public Algorithm {
 public:
  WatchedAlgorithm(const Algorithm& watched, NodeId nodes)
      : Algorithm(watched.declaration()), seen(static_cast<std::size_t>(nodes)), watched_(watched) {}
  std::unique_ptr<ControllerArray> make_controllers() const override {
    class Controllers final : public ControllerArray {
     public:
      Controllers(std::unique_ptr<ControllerArray> watched, std::vector<std::vector<Sight>>& seen)
          : watched_(std::move(watched)) {
        for (std::size_t node = 0; node < seen.size(); ++node)
          controllers_.emplace_back(dynamic_cast<WormController&>(watched_->at(static_cast<NodeId>(node))), seen[node]);
      }
      Controller& at(NodeId node) override { return controllers_[static_cast<std::size_t>(node)]; }

     private:
      std::unique_ptr<ControllerArray> watched_;
      std::vector<WatchedController> controllers_;
    };
    return std::make_unique<Controllers>(watched_.make_controllers(), seen);
  }

  mutable std::vector<std::vector<Sight>> seen;  ///< [node]

 private:
  const Algorithm& watched_;
};

/// A node decides only from its own arrivals: with just these as input, one node after the other, controllers decide
/// as they did in the network.
void expect_local(const SupernodeCase& c, const std::vector<Packet>& packets) {
  const auto algorithm = c.make(packets);
  const Grid mesh = c.mesh();
  WatchedAlgorithm watched(*algorithm, mesh.nodes());
  ListSource source(packets);
  StepperOptions options;
  options.max_steps = algorithm->declaration().program_end;
  const StepperResult run = run_stepper(mesh, watched, source, options);
  ASSERT_EQ(run.end, StepperEnd::all_delivered);
  using Place = std::pair<Step, NodeId>;
  std::map<Place, std::set<std::pair<PacketId, Port>>> decided;  // the port of a head, no_port: consumed
  std::map<Place, std::set<Port>> tokens;
  for (const TraceRow& row : run.rows) {
    if (row.event == TraceEvent::token) tokens[{row.step, row.node}].insert(row.port);
    else if (row.flit == 0 && row.event != TraceEvent::inject)
      decided[{row.step, row.node}].emplace(row.packet, row.port);
  }
  std::int64_t compared = 0;
  const auto fresh = algorithm->make_controllers();
  for (NodeId node = 0; node < mesh.nodes(); ++node) {
    SourceMemory memory(mesh.nodes());
    for (std::size_t p = 0; p < run.record.packets.size(); ++p)
      if (const Packet& packet = run.record.packets[p]; packet.source == node && packet.destination != node)
        memory.add(node, static_cast<PacketId>(p));
    for (const Sight& sight : watched.seen[static_cast<std::size_t>(node)]) {
      WormFrame frame;
      frame.step = sight.step;
      frame.node = node;
      frame.grid = &mesh;
      frame.packets = &run.record.packets;
      frame.memory = &memory;
      for (Port port = 0; port < 4; ++port)
        if (mesh.neighbour(node, port) != no_node) frame.in_ports |= PortMask{1} << port;
      frame.out_ports = frame.in_ports;
      for (const auto& [port, flit] : sight.arrived) {
        frame.arrived |= PortMask{1} << port;
        frame.heads[static_cast<std::size_t>(port)] = flit;
      }
      WormView view(frame);
      dynamic_cast<WormController&>(fresh->at(node)).step(view);
      ASSERT_EQ(frame.breach, nullptr);
      std::set<std::pair<PacketId, Port>> now;
      std::set<Port> sent;
      for (const auto& [port, flit] : sight.arrived) {
        const auto i = static_cast<std::size_t>(port);
        if (is_control(flit.kind)) continue;
        now.emplace(flit.packet, frame.act[i] == WormFrame::Act::eject ? no_port : frame.route_to[i]);
      }
      if (frame.inject_to != no_port) {
        now.emplace(frame.inject_head.packet, frame.inject_to);
        memory.take_packet(node, frame.inject_head.packet);
      }
      for (PortMask left = frame.controls_sent; left != 0; left &= left - 1) sent.insert(lowest_port(left));
      ASSERT_EQ(now, (decided[{sight.step, node}])) << "node " << node << ", step " << sight.step;
      ASSERT_EQ(sent, (tokens[{sight.step, node}])) << "node " << node << ", step " << sight.step;
      compared += static_cast<std::int64_t>(now.size());
    }
  }
  EXPECT_GT(compared, 1000);
}

TEST(SupernodeNodes, DecideByWhatArrivesAtThem) {
  SupernodeCase c;
  std::vector<Packet> packets = worms_to(random_permutation(c.n() * c.n(), 3), c.k);
  for (Packet& packet : packets)
    if (packet.source % 5 != 0) packet.destination = packet.source;
  expect_local(c, packets);
  c.preloaded = true;
  const auto stress = make_traffic("ring-stress", c.mesh(), {{"flits", std::int64_t{4}}, {"rounds", std::int64_t{4}}});
  expect_local(c, packets_until(*stress, 1, 1));
}

// ---- what is refused

TEST(SupernodeRefusals, NameWhatToChange) {
  using testing::HasSubstr;
  const auto refusal = [](const SupernodeCase& c, const std::vector<Packet>& packets) {
    return input_error([&] { c.make(packets); });
  };
  SupernodeCase c;
  EXPECT_EQ(refusal(c, {{0, 100, 4, 0}, {0, 101, 4, 0}}), "");
  EXPECT_THAT(refusal(c, {{0, 1, 4, 0}, {0, 10, 4, 0}}), HasSubstr("packets 0 and 1 leave node_r00_c00"));
  EXPECT_THAT(refusal(c, {{0, 1, 4, 3}}), HasSubstr("packet 0 is created in step 3"));
  EXPECT_THAT(refusal(c, {{0, 1, 16, 0}}), HasSubstr("worms of 4 flits, but packets have 16"));
  EXPECT_THAT(refusal(c, {{0, 1, 4, 0}, {1, 2, 8, 0}}), HasSubstr("worms of one length"));
  c.side = 9;
  EXPECT_THAT(refusal(c, {}), HasSubstr("choose f = 32 or router: sorted"));
  c.side = 4;
  std::vector<Packet> to_one;
  for (std::int32_t supernode = 0; supernode < 16; ++supernode) to_one.push_back({c.node(supernode, 40), 0, 4, 0});
  EXPECT_THAT(refusal(c, to_one), HasSubstr("choose f = 32 or consumption: superstep"));
  c.consumption = "superstep";
  EXPECT_EQ(refusal(c, to_one), "");
  c.side = 2;
  c.preloaded = true;
  EXPECT_THAT(refusal(c, {{0, 1, 4, 0}}), HasSubstr("no slot of a storage ring begins in node_r00_c00"));
  c.router = "sorted";
  EXPECT_THAT(refusal(c, {}), HasSubstr("choose row-first"));
}

TEST(SupernodeRefusals, OfPreloadedWormsThatAreTooMany) {
  SupernodeCase c;
  c.preloaded = true;
  const SupernodeGeometry geometry(c.size());
  std::vector<Packet> packets;
  for (std::int32_t place = 0; place < 9; ++place)
    packets.push_back({c.node(3, geometry.start_of_slot(place)), c.node(3, 70), 4, 0});
  EXPECT_THAT(input_error([&] { c.make(packets); }), testing::HasSubstr("supernode 3 has to keep 9 worms"));
  packets.pop_back();
  EXPECT_EQ(input_error([&] { c.make(packets); }), "");
}

TEST(RingStress, FillsRingsUpToTheirLimit) {
  for (const std::int32_t side : {1, 2, 3}) {
    SupernodeCase c;
    c.side = side;
    const auto traffic =
        make_traffic("ring-stress", c.mesh(), {{"flits", std::int64_t{4}}, {"rounds", std::int64_t{10}}});
    EXPECT_TRUE(traffic->preloaded());
    const std::vector<Packet> packets = packets_until(*traffic, 1, 1);
    EXPECT_GT(packets.size(), static_cast<std::size_t>(50 * side));
    c.preloaded = true;
    EXPECT_EQ(input_error([&] { c.make(packets); }), "");
    std::set<NodeId> targets;
    for (const Packet& packet : packets)
      targets.insert(packet.destination % c.n() % 9 + packet.destination / c.n() % 9 * 9);
    EXPECT_EQ(targets.size(), 10u);
  }
}

TEST(RingStress, RefusesMeshesWithoutSupernodes) {
  const auto refusal = [](const Grid& grid, std::map<std::string, KeyValue> keys) {
    return input_error([&] { make_traffic("ring-stress", grid, std::move(keys)); });
  };
  const KeyValue four = std::int64_t{4};
  EXPECT_THAT(refusal(Grid::mesh({20, 20}), {{"flits", four}}), testing::HasSubstr("not a multiple of 9"));
  EXPECT_THAT(refusal(Grid::mesh({18, 18}), {}), testing::HasSubstr("1 flits do not fill"));
  EXPECT_THAT(refusal(Grid::mesh({18, 18}), {{"flits", four}, {"rounds", std::int64_t{82}}}),
              testing::HasSubstr("81 cells"));
  EXPECT_THAT(refusal(Grid::torus({18, 18}), {{"flits", four}}), testing::HasSubstr("square two-dimensional mesh"));
  EXPECT_EQ(refusal(Grid::mesh({26, 26}), {{"flits", four}}), "") << "f = 32";
}

}  // namespace
}  // namespace starloom::links
