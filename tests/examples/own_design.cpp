// SPDX-License-Identifier: Apache-2.0
/// \file A user's design around a network, in about 70 lines: a mesh with a clock from outside and, instead of one
/// processor, a memory with a thread of its own. All other nodes send it a request; it answers one after the other.
/// own_design.vcd shows the memory's node.
#include <cstdio>

#include <starloom/algorithms/table/make_algorithm.hpp>
#include <starloom/fabric/links/network.hpp>
#include <starloom/waveforms/links/link_waves.hpp>

namespace {

using starloom::NodeId;

constexpr double clock_ns = 2;

class Memory final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Memory);
  sc_core::sc_in<bool> clock;
  sc_core::sc_port<starloom::links::NodeAccess> node;

  explicit Memory(const sc_core::sc_module_name& name) : sc_module(name) { SC_THREAD(serve); }

 private:
  void serve() {
    for (;;) {
      starloom::Flit request;
      while (!node->take(request)) wait(node->arrived());
      for (int cycle = 0; cycle < 4; ++cycle) wait(clock->posedge_event());
      node->send(node->packet(request.packet).source);
    }
  }
};

class Chip final : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clock;

  explicit Chip(const sc_core::sc_module_name& name) : sc_module(name) {
    network.fabric.clock.bind(clock);
    memory.clock.bind(clock);
    memory.node.bind(network.socket(memory_node));
    network.fabric.set_observer(&waves);
    for (NodeId node = 0; node < mesh.graph.nodes(); ++node)
      if (node != memory_node) network.fabric.create_packet({node, memory_node});
  }
  const starloom::links::RunRecord& record() const { return network.fabric.engine().record(); }
  void close_waves() { waves.file().close(network.fabric.step() + 1); }

 private:
  static constexpr NodeId memory_node = 5;
  static starloom::links::NetworkOptions options() {
    starloom::links::NetworkOptions options;
    options.foreign = {memory_node};
    return options;
  }

  const starloom::LinkNetwork mesh = starloom::link_network(starloom::Grid::mesh({4, 4}));
  const std::unique_ptr<starloom::links::Algorithm> algorithm = starloom::links::make_algorithm("greedy", {&mesh});
  starloom::links::Network network{"network", mesh, *algorithm, options()};
  const std::vector<starloom::links::ShownNode> shown =
      starloom::links::choose_instances(mesh.graph, algorithm->declaration(), {mesh.graph.node_name(memory_node)});
  starloom::links::LinkWaves waves{"own_design.vcd", mesh.graph, algorithm->declaration(), shown, {}, clock_ns};
  Memory memory{"memory"};
};

}  // namespace

int sc_main(int, char**) {
  sc_core::sc_clock clock("clock", clock_ns, sc_core::SC_NS);
  Chip chip("chip");
  chip.clock.bind(clock);
  sc_core::sc_start(200, sc_core::SC_NS);
  chip.close_waves();
  const auto& packets = chip.record().packets;
  std::printf("%zu packets, %lld delivered, the last in step %lld\n", packets.size(),
              static_cast<long long>(chip.record().delivered_count),
              static_cast<long long>(chip.record().delivered.back()));
  return 0;
}
