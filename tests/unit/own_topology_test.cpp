// SPDX-License-Identifier: Apache-2.0
/// \file A topology and an algorithm of a user's own, added to the catalogue: all commands serve them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <starloom/commands/command_line.hpp>
#include <starloom/control/links/algorithm.hpp>
#include <starloom/inspection/run_folder.hpp>
#include <starloom/support/error.hpp>
#include <starloom/topology/network_graph_builder.hpp>
#include "unit/scratch_folder.hpp"

namespace starloom {
namespace {

using links::FlitView;

/// A ring whose links lead one way: to the next node.
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
  std::unique_ptr<links::ControllerBank> make_controllers() const override {
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
  entry.topologies = {"carousel"};
  entry.storage = StorageModel::store_and_forward;
  entry.make = [](const links::AlgorithmContext& context, const KeyValues&) -> std::unique_ptr<links::Algorithm> {
    return std::make_unique<RoundTheRing>(context.network->graph.nodes());
  };
  return entry;
}

Catalogue with_ring() {
  Catalogue catalogue = standard_catalogue();
  catalogue.add(ring_entry());
  catalogue.add(round_entry());
  return catalogue;
}

std::string experiment(const std::string& algorithm) {
  return "schema: 1\nnetwork: {topology: carousel, nodes: 5}\nrouting: {algorithm: " + algorithm +
         "}\ntraffic: {pattern: reversal}\n";
}

TEST(OwnTopology, RunsAndIsVerifiedByItsNetworkFile) {
  const Catalogue catalogue = with_ring();
  const ScratchFolder scratch;
  const auto file = scratch.write("ring.yaml", experiment("round"));
  const auto out = scratch.file("out");
  const Ending ending =
      run_command(catalogue, {"run", file.string(), "--out", out.string(), "--trace", "--quiet", "--force"});
  EXPECT_EQ(static_cast<int>(ending.status), 0);

  // Who reads the folder does not know the ring.
  ASSERT_TRUE(std::filesystem::exists(out / "network.json"));
  EXPECT_TRUE(open_run_folder(out, {topology_table()})->verify().ok());
  EXPECT_THAT(open_run_folder(out, {topology_table()})->show(0), testing::HasSubstr("station"));
}

TEST(OwnTopology, IsRefusedByAlgorithmsThatDoNotServeIt) {
  const Catalogue catalogue = with_ring();
  const ScratchFolder scratch;
  const auto file = scratch.write("ring.yaml", experiment("greedy"));
  try {
    run_command(catalogue, {"check", file.string()});
    FAIL() << "greedy does not serve a carousel";
  } catch (const InputError& fault) {
    EXPECT_THAT(fault.what(), testing::HasSubstr("not on carousel; these work on carousel: round"));
  }
}

/// What the program says of a catalogue that has something twice.
std::string refusal(const Catalogue& catalogue) {
  try {
    run_command(catalogue, {"list"});
  } catch (const InputError& fault) {
    return fault.what();
  }
  return "";
}

TEST(OwnTopology, HasANameOfItsOwn) {
  Catalogue rings = with_ring(), rounds = with_ring(), shifts = with_ring();
  rings.add(ring_entry());
  rounds.add(round_entry());
  shifts.add(*find_pattern("shift"));
  const std::string advice = " already; rename your own entry";
  EXPECT_EQ(refusal(rings), "starloom: there is a topology called carousel" + advice);
  EXPECT_EQ(refusal(rounds), "starloom: there is an algorithm called round" + advice);
  EXPECT_EQ(refusal(shifts), "starloom: there is a pattern called shift" + advice);
}

}  // namespace
}  // namespace starloom
