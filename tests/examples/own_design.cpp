/// \file A design of one's own around a network, in about 60 lines: a mesh with a clock from outside and, at the place of
/// one processor, a memory with a thread of its own. All other nodes send it a request; it answers one after the other.
#include <cstdio>

#include <starloom/controllers/links/make_algorithm.hpp>
#include <starloom/fabric/links/network.hpp>

namespace {

using starloom::NodeId;

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
      if (request.destination != node->node_id()) continue;  // passes through; it goes on by itself
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
    for (NodeId node = 0; node < mesh.graph.nodes(); ++node)
      if (node != memory_node) network.fabric.create_packet({node, memory_node});
  }
  const starloom::links::RunRecord& record() const { return network.fabric.engine().record(); }

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
  Memory memory{"memory"};
};

}  // namespace

int sc_main(int, char**) {
  sc_core::sc_clock clock("clock", 2, sc_core::SC_NS);
  Chip chip("chip");
  chip.clock.bind(clock);
  sc_core::sc_start(200, sc_core::SC_NS);
  const auto& packets = chip.record().packets;
  std::printf("%zu packets, %lld delivered, the last in step %lld\n", packets.size(),
              static_cast<long long>(chip.record().delivered_count),
              static_cast<long long>(chip.record().delivered.back()));
  return 0;
}
