// SPDX-License-Identifier: Apache-2.0
/// \file A mesh of routers with virtual channels, with waves of one router, in a design that links `starloom::network`
/// and so no library but SystemC. Every node sends a packet of 4 flits to the node opposite.
#include <algorithm>
#include <cstdio>

#include <starloom/control/links/make_algorithm.hpp>
#include <starloom/fabric/links/network.hpp>
#include <starloom/router/vc_wormhole.hpp>
#include <starloom/waveforms/links/link_waves.hpp>

int sc_main(int, char**) {
  using namespace starloom;
  const LinkNetwork mesh = link_network(Grid::mesh({4, 4}));
  const auto algorithm =
      links::make_algorithm(links::vc_wormhole_entry(), {&mesh}, {{"function", "odd-even"}, {"channels", 2}});
  links::Network network("network", mesh, *algorithm);

  const auto shown = links::choose_instances(mesh.graph, algorithm->declaration(), {"node_r01_c01"});
  links::LinkWaves waves("router_mesh.vcd", mesh.graph, algorithm->declaration(), shown, {}, 1);  // a step takes 1 ns
  network.fabric.set_observer(&waves);

  const NodeId nodes = mesh.graph.nodes();
  for (NodeId node = 0; node < nodes; ++node) network.fabric.create_packet({node, nodes - 1 - node, /*flits=*/4});
  sc_core::sc_start();
  waves.file().close(network.fabric.step() + 1);

  const links::RunRecord& record = network.fabric.engine().record();
  const Step last = *std::max_element(record.delivered.begin(), record.delivered.end());
  std::printf("%zu packets, %lld delivered, the last in step %lld\n", record.packets.size(),
              static_cast<long long>(record.delivered_count), static_cast<long long>(last));
  return 0;
}
