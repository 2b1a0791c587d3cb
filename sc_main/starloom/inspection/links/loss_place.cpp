// SPDX-License-Identifier: Apache-2.0
#include <starloom/inspection/links/loss_place.hpp>

#include <algorithm>
#include <vector>

#include <starloom/topology/fault_timeline.hpp>

namespace starloom::links {
namespace {

/// The nodes of the head's path, from the source on.
std::vector<NodeId> path_of(const HeadTrack& track) {
  std::vector<NodeId> path;
  for (const Stay& stay : track.stays)
    if (path.empty() || path.back() != stay.node) path.push_back(stay.node);
  return path;
}

/// The index on the path of the node where the last flit is; 0 if flits are still in the source.
std::size_t tail_on_path(const RunFiles& run, const HeadTrack& track, const std::vector<NodeId>& path) {
  const std::int32_t flits = run.packets.packets[static_cast<std::size_t>(track.packet)].flits;
  for (const TraceRow& drop : track.drops)
    if (drop.flit + 1 == flits)
      return static_cast<std::size_t>(std::find(path.begin(), path.end(), drop.node) - path.begin());
  return 0;
}

LossPlace place_of_cut(const RunFiles& run, const HeadTrack& track, Step step) {
  const NetworkGraph& graph = run.network.graph;
  const Packet& packet = run.packets.packets[static_cast<std::size_t>(track.packet)];
  const std::vector<NodeId> path = path_of(track);
  const std::size_t tail = tail_on_path(run, track, path);
  std::vector<FaultEvent> deaths;
  for (const FaultEvent& event : run.rules.fault_events)
    if (event.step == step && event.dies) deaths.push_back(event);
  for (const FaultEvent& death : deaths)
    if (death.port == no_port && std::any_of(track.drops.begin(), track.drops.end(),
                                             [&](const TraceRow& drop) { return drop.node == death.node; }))
      return {death.node, graph.node_name(death.node)};
  for (const FaultEvent& death : deaths)
    if (death.port == graph.ports() && (death.node == packet.source || death.node == packet.destination))
      return {death.node, graph.node_name(death.node)};
  for (std::size_t i = tail; i < path.size(); ++i)
    for (const FaultEvent& death : deaths) {
      if (death.port == no_port || death.port == graph.ports() || death.node != path[i]) continue;
      // The link from the node of the head is the one that it was about to take.
      if (i + 1 == path.size() || graph.far_end(death.node, death.port).node == path[i + 1])
        return {death.node, graph.link_name(death.node, death.port)};
    }
  return {packet.source, ""};
}

/// The node where the head of a packet vanished, or was consumed.
NodeId node_of_head(const HeadTrack& track) {
  for (const TraceRow& drop : track.drops)
    if (drop.flit == 0) return drop.node;
  return track.stays.back().node;
}

LossPlace place_without_way(const RunFiles& run, const HeadTrack& track, Step step) {
  const NetworkGraph& graph = run.network.graph;
  const NodeId destination = run.packets.packets[static_cast<std::size_t>(track.packet)].destination;
  LivingHardware hardware(*run.rules.faults);
  for (const FaultEvent& event : run.rules.fault_events)
    if (event.step <= step) hardware.apply(event);
  const NodeId node = node_of_head(track);
  if (node == destination && hardware.processor_is_dead(node)) return {node, graph.node_name(node)};
  std::vector<Port> dead, nearer;
  for (const Port port : graph.out_ports(node)) {
    if (!hardware.link_is_dead(node, port)) continue;
    dead.push_back(port);
    if (graph.distance(graph.far_end(node, port).node, destination) < graph.distance(node, destination))
      nearer.push_back(port);
  }
  const std::vector<Port>& only = dead.size() == 1 ? dead : nearer;
  return {node, only.size() == 1 ? graph.link_name(node, only.front()) : ""};
}

}  // namespace

LossPlace place_of_loss(const RunFiles& run, const HeadTrack& track) {
  const Loss& loss = run.packets.lost->at(track.packet);
  if (loss.cause == LossCause::corrupt)
    return {track.destination,
            track.corrupt ? run.network.graph.link_name(track.corrupt->node, track.corrupt->port) : ""};
  if (loss.cause == LossCause::flush) return {node_of_head(track), ""};
  return loss.cause == LossCause::cut ? place_of_cut(run, track, loss.at) : place_without_way(run, track, loss.at);
}

}  // namespace starloom::links
