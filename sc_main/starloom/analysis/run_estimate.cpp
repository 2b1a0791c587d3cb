// SPDX-License-Identifier: Apache-2.0
#include <starloom/analysis/run_estimate.hpp>

#include <algorithm>

namespace starloom {
namespace {

constexpr double seconds_per_module = 2.2e-6;
/// Additional time of a flit that passes a queue too long for the caches.
constexpr double seconds_per_long_queue = 450e-9;

// POPS networks as hardware: per module; per processor and slot, and more if it can sample a coupler of its own
// group.
constexpr double seconds_per_star_module = 2.7e-6;
constexpr double seconds_per_turn = 20e-9;
constexpr double seconds_per_sample = 180e-9;
// On arrays: per packet; per drive; per random coin of a sender in a cycle.
constexpr double seconds_per_packet = 350e-9;
constexpr double seconds_per_drive = 40e-9;
constexpr double seconds_per_coin = 8e-9;
constexpr int ack_slots_per_cycle = 2;

double seconds_per_hop(StorageModel storage) {
  switch (storage) {
    case StorageModel::store_and_forward: return 85e-9;
    case StorageModel::virtual_channels: return 150e-9;
    case StorageModel::links_only: return 140e-9;
    case StorageModel::never_standing: break;
  }
  return 150e-9;
}

}  // namespace

double estimated_seconds(const NetworkGraph& graph, const links::Declaration& declaration, const FlitHops& hops) {
  const auto links = static_cast<double>(graph.links());
  const double buffers = declaration.buffers == links::BufferSide::none ? 0 : links * declaration.channels;
  const bool queues_grow = declaration.storage == StorageModel::store_and_forward;
  return (graph.nodes() + links + buffers) * seconds_per_module + hops.all * seconds_per_hop(declaration.storage) +
         (queues_grow ? hops.from_full * seconds_per_long_queue : 0);
}

double estimated_seconds(const Pops& pops, const pops::Cost& cost, bool hardware) {
  const double nodes = pops.nodes(), couplers = static_cast<double>(pops.couplers());
  if (!hardware)
    return nodes * (seconds_per_packet + (cost.data_drives + cost.ack_drives) * seconds_per_drive +
                    cost.ack_slots / ack_slots_per_cycle * seconds_per_coin);
  return (2 * nodes + couplers + 2 * pops.groups()) * seconds_per_star_module +
         cost.slots() * (nodes * seconds_per_turn + std::min(nodes, couplers) * seconds_per_sample);
}

}  // namespace starloom
