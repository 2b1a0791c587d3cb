// SPDX-License-Identifier: Apache-2.0
#include <starloom/sockets/interconnect.hpp>

#include <functional>
#include <queue>
#include <utility>

namespace starloom {
namespace {

/// [node] the least sum of latencies on a path from a node; -1 if there is no path.
std::vector<std::int64_t> fastest_paths(const NetworkGraph& graph, NodeId from) {
  std::vector<std::int64_t> steps(static_cast<std::size_t>(graph.nodes()), -1);
  using Reached = std::pair<std::int64_t, NodeId>;
  std::priority_queue<Reached, std::vector<Reached>, std::greater<>> next;
  next.emplace(0, from);
  while (!next.empty()) {
    const auto [at, node] = next.top();
    next.pop();
    if (steps[static_cast<std::size_t>(node)] >= 0) continue;
    steps[static_cast<std::size_t>(node)] = at;
    for (const Port port : graph.out_ports(node)) {
      next.emplace(at + graph.latency(node, port), graph.far_end(node, port).node);
    }
  }
  return steps;
}

}  // namespace

Interconnect::Interconnect(const sc_core::sc_module_name& name, const NetworkGraph& graph,
                           const InterconnectOptions& options)
    : MappedSockets(name, graph, options),
      period_(options.step()),
      flit_bytes_(static_cast<std::uint64_t>(options.flit_bytes)) {
  for (const NodeId initiator : options.initiators) {
    const std::vector<std::int64_t> steps = fastest_paths(graph, initiator);
    for (const InterconnectOptions::Target& target : options.targets)
      head_steps_.push_back(steps[static_cast<std::size_t>(target.node)]);
  }
}

std::int64_t Interconnect::steps(std::size_t initiator, std::size_t target, std::uint64_t bytes) const {
  const std::int64_t head = head_steps_[initiator * initiator_socket.size() + target];
  if (head == 0) return 0;
  const std::uint64_t flits = bytes == 0 ? 1 : (bytes - 1) / flit_bytes_ + 1;
  return head + static_cast<std::int64_t>(flits) - 1;
}

sc_core::sc_time Interconnect::time(std::size_t initiator, std::size_t target, std::uint64_t bytes) const {
  return sc_core::sc_time::from_value(static_cast<sc_dt::uint64>(steps(initiator, target, bytes)) * period_.value());
}

void Interconnect::b_transport(int initiator, tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay) {
  const auto destination = destination_of(initiator, transaction);
  if (!destination) return;
  const auto from = static_cast<std::size_t>(initiator);
  const std::size_t target = destination->target;
  const std::uint64_t bytes = transaction.get_data_length();
  const std::uint64_t there = transaction.is_write() ? bytes : 0, back = transaction.is_read() ? bytes : 0;
  const RestoredAttributes restored(transaction);
  translate(transaction, target);
  delay += time(from, target, there);
  initiator_socket[target]->b_transport(transaction, delay);
  delay += time(from, target, back);
}

}  // namespace starloom
