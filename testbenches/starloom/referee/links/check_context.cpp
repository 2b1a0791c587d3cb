// SPDX-License-Identifier: Apache-2.0
#include <starloom/referee/links/check_context.hpp>

#include <starloom/topology/subnets.hpp>
#include <stdexcept>
#include <utility>

namespace starloom::links {

CheckContext::CheckContext(NetworkGraph graph, RefereeRules rules)
    : graph_(std::move(graph)),
      rules_(std::move(rules)),
      nodes_(graph_.nodes()),
      ports_(graph_.ports()),
      switches_(graph_.processors() < graph_.nodes()),
      at_once_(graph_.greatest_latency() == 1) {
  using Storage = RefereeRules::Storage;
  const bool worms = rules_.storage == Storage::links_only || rules_.storage == Storage::never_standing;
  for (const std::int32_t steps : {graph_.greatest_latency(), graph_.greatest_interval()})
    if (worms && steps != 1)
      throw std::invalid_argument("links have latency and interval 1 where worms move as units, not " +
                                  std::to_string(steps));
  far_.resize(graph_.link_slots());
  for (NodeId node = 0; node < graph_.nodes(); ++node)
    for (Port port = 0; port < graph_.ports(); ++port)
      far_[static_cast<std::size_t>(link(node, port))] = graph_.far_end(node, port).node;
  if (!rules_.foreign.empty()) foreign_.resize(static_cast<std::size_t>(graph_.nodes()));
  for (const NodeId node : rules_.foreign) foreign_.at(static_cast<std::size_t>(node)) = true;
}

PacketId CheckContext::announce(const Packet& packet) {
  const PacketId number = packet.number == no_packet ? packets() : packet.number;
  if (number >= packets()) {  // the numbers before it get their packets later, or never
    packets_.resize(at(number) + 1, missing_packet);
    delivered_.resize(at(number) + 1, no_step);
  } else if (packets_[at(number)].exists()) {
    reject(packet.created, packet.source, number, 0, "is created twice");
  }
  packets_[at(number)] = in_own_subnet(graph_, packet);
  const std::string name = "packet " + std::to_string(number);
  const auto outside = [&](const char* end, NodeId node) {
    return name + " has " + end + " " + std::to_string(node) + ", but nodes are 0 to " + std::to_string(nodes_ - 1);
  };
  if (!has_node(packet.source)) reject(packet.created, no_node, "the network", outside("source", packet.source));
  if (is_group(packet.destination)) check_group(packet, name);
  else if (!has_node(packet.destination))
    reject(packet.created, packet.source, node_name(packet.source), outside("destination", packet.destination));
  for (const NodeId node : {packet.source, packet.destination})
    if (!is_group(node) && is_switch(node))
      reject(packet.created, packet.source, node_name(node),
             name + (node == packet.source ? " comes from" : " goes to") + " a switch, which has no processor");
  if (packet.flits < 1 || packet.created < 0)
    reject(packet.created, packet.source, node_name(packet.source),
           name + " has " + std::to_string(packet.flits) + " flits and is created in step " +
               std::to_string(packet.created));
  if (packet.flits > 1 && rules_.storage == RefereeRules::Storage::store_and_forward)
    reject(packet.created, packet.source, node_name(packet.source),
           name + " has several flits, but store-and-forward moves single-flit packets");
  return number;
}

void CheckContext::check_group(const Packet& packet, const std::string& name) const {
  if (rules_.faults != nullptr)
    reject(packet.created, packet.source, node_name(packet.source),
           name + " goes to several destinations, which packets of a network with faults do not");
  const std::size_t groups = rules_.trees == nullptr ? 0 : rules_.trees->size();
  if (group_index(packet.destination) >= groups)
    reject(packet.created, packet.source, node_name(packet.source), name + " goes to an unknown group of destinations");
  if ((*rules_.trees)[group_index(packet.destination)].group.source != packet.source)
    reject(packet.created, packet.source, node_name(packet.source),
           name + " goes to the destinations of another source");
}

void CheckContext::reject(const TraceRow& row, const std::string& text) const {
  const bool known = has_node(row.node);
  const bool on_link = known && has_port(row.port);
  const std::string location = on_link ? link_name(link(row.node, row.port))
                               : known ? node_name(row.node)
                                       : "the network";
  const bool control = row.event == TraceEvent::key || row.event == TraceEvent::token;
  const std::string what = control ? "a " + std::string(trace_event_names[static_cast<std::size_t>(row.event)])
                                   : "packet " + std::to_string(row.packet) + ", flit " + std::to_string(row.flit);
  reject(row.step, known ? row.node : no_node, location, what + " " + text);
}

void CheckContext::reject(Step step, NodeId node, PacketId packet, std::int32_t flit, const std::string& text) const {
  reject(step, node, node_name(node),
         "packet " + std::to_string(packet) + ", flit " + std::to_string(flit) + " " + text);
}

void CheckContext::reject(Step step, NodeId node, const std::string& location, const std::string& text) {
  throw Breach{{step, node, "step " + std::to_string(step) + ", " + location + ": " + text, true}};
}

}  // namespace starloom::links
