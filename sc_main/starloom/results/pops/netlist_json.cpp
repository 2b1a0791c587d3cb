// SPDX-License-Identifier: Apache-2.0
#include <starloom/results/pops/netlist_json.hpp>

#include <starloom/results/netlist_writer.hpp>

namespace starloom::pops {
namespace {

void add(NetlistWriter& netlist, TransmitRow& row) {
  netlist.instance(row, "TransmitRow");
  for (int k = 0; k < row.couplers.size(); ++k) {
    const PassiveStar& coupler = row.couplers[k]->driven();
    netlist.instance(coupler, "PassiveStar");
    netlist.bind(row.couplers, k, "out", "", coupler);
  }
}

void add(NetlistWriter& netlist, ReceiveColumn& column) {
  netlist.instance(column, "ReceiveColumn");
  for (int k = 0; k < column.couplers.size(); ++k)
    netlist.bind(column.couplers, k, "in", "", column.couplers[k]->sampled());
}

void add(NetlistWriter& netlist, Processor& processor) {
  netlist.instance(processor, "StarProcessor", R"(, "node": {})", processor.id());
  netlist.instance(processor.buffer, "StarBuffer", R"(, "capacity": {})", Buffer::capacity());
  netlist.bind(processor.transmit, 0, "out", "", processor.transmit->row());
  netlist.bind(processor.receive, 0, "in", "", processor.receive->column());
}

}  // namespace

std::string netlist_json(Network& network, const Pops& pops) {
  NetlistWriter netlist(network);
  netlist.instance(network.fabric, "StarFabric");
  const auto first = [&](std::int32_t group) -> Processor& { return network.processor(pops.node_at(group, 0)); };
  for (std::int32_t group = 0; group < pops.groups(); ++group) add(netlist, first(group).transmit->row());
  for (std::int32_t group = 0; group < pops.groups(); ++group) add(netlist, first(group).receive->column());
  for (NodeId id = 0; id < pops.nodes(); ++id) add(netlist, network.processor(id));
  return netlist.text();
}

}  // namespace starloom::pops
