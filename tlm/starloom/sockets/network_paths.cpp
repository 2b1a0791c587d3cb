// SPDX-License-Identifier: Apache-2.0
#include <starloom/sockets/network_paths.hpp>

#include <algorithm>
#include <stdexcept>

#include <starloom/control/links/pipeline.hpp>

namespace starloom::links {

PathTable::PathTable(const NetworkGraph& graph, const Algorithm& algorithm)
    : graph_(graph), algorithm_(algorithm), capacity_(algorithm.declaration().capacity), zero_load_(graph, algorithm) {
  if (algorithm.declaration().storage != StorageModel::virtual_channels)
    throw std::invalid_argument("transactions need virtual channels; use vc-wormhole");
}

Port PathTable::next_port(NodeId at, NodeId to) const {
  Flit head;
  head.destination = to;
  if (!graph_.is_terminal(at)) {
    const Port port = algorithm_.next_port(at, head);
    if (port != no_port) return port;
  }
  if (at == to) return graph_.out_ports(at).lowest();
  const std::int32_t left = graph_.distance(at, to);
  for (const Port port : graph_.out_ports(at)) {
    const NodeId next = graph_.far_end(at, port).node;
    if ((next == to ? 0 : graph_.distance(next, to)) == left - 1) return port;
  }
  throw std::invalid_argument("there is no path from " + graph_.node_name(at) + " to " + graph_.node_name(to));
}

std::vector<std::size_t> PathTable::links(NodeId from, NodeId to) const {
  std::vector<std::size_t> links;
  for (NodeId at = from; goes_on(from, at, to, links.size());) {
    const Port port = next_port(at, to);
    links.push_back(graph_.index(at, port));
    at = graph_.far_end(at, port).node;
  }
  return links;
}

NetworkPath PathTable::path(NodeId from, NodeId to) const {
  const Declaration& router = algorithm_.declaration();
  const router::Pipeline& common = router.pipelines.common;
  const auto head_to_link = [&router](NodeId node) { return Step{router.pipelines.at(node).head_to_link()}; };
  NetworkPath path;
  if (!router.pipelines.alike() || common.flit_steps() > 1 || common.speedup.has_fifo() ||
      graph_.greatest_interval() > 1 || router.least_capacity() < router.capacity)
    path.packet = PacketPath{from, to, links(from, to)};
  // From the consumption of a flit to the next use of its credit, as from switch to switch.
  path.credit_loop = common.exit_credit() + router.credit_extra;
  const auto stage = [&path](std::size_t index, Step after, std::int32_t interval) {
    path.stages.push_back({index, after, interval});
    path.head += after;
    path.interval = std::max(path.interval, interval);
  };
  const std::size_t sources = graph_.link_slots();
  const std::size_t sinks = sources + static_cast<std::size_t>(graph_.nodes());
  stage(sources + static_cast<std::size_t>(from), 0, 1);
  // Steps from the previous stage until the head is readable in its router.
  Step readable = router::injection;
  for (NodeId at = from; goes_on(from, at, to, static_cast<std::size_t>(path.hops));) {
    const Port port = next_port(at, to);
    const NodeId next = graph_.far_end(at, port).node;
    const Step latency = graph_.latency(at, port);
    ++path.hops;
    if (graph_.is_terminal(at)) {
      readable = router::terminal_entry + latency;
    } else if (graph_.is_terminal(next)) {
      // Consumed when it is readable behind the link.
      stage(sinks + static_cast<std::size_t>(to), readable + head_to_link(at) + latency, graph_.interval(at, port));
      return path;
    } else {
      stage(graph_.index(at, port), readable + head_to_link(at), graph_.interval(at, port));
      readable = latency;
      const Step loop =
          common.flit_delay(graph_.latency(at, port)) + router::credit_delay(graph_.wire_latency(at, port));
      path.credit_loop = std::max(path.credit_loop, loop + router.credit_extra);
    }
    at = next;
  }
  stage(sinks + static_cast<std::size_t>(to), readable + head_to_link(to) + 1, 1);
  return path;
}

}  // namespace starloom::links
