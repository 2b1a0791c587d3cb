#include <starloom/referee/links/scene.hpp>

#include <limits>
#include <stdexcept>
#include <utility>

namespace starloom::links {

Scene::Scene(const Grid& topology, RefereeRules rules) : topology_(topology), rules_(std::move(rules)) {
  using Storage = RefereeRules::Storage;
  const bool worms = rules_.storage == Storage::links_only || rules_.storage == Storage::never_standing;
  if (rules_.link_latency < 1 || (worms && rules_.link_latency != 1))
    throw std::invalid_argument("a link latency is at least 1, and 1 where worms move as units, not " +
                                std::to_string(rules_.link_latency));
  const std::int64_t places = static_cast<std::int64_t>(topology.nodes()) * topology.ports();
  if (places > std::numeric_limits<LinkId>::max())
    throw std::invalid_argument("the referee numbers at most 2^31 - 1 links");
  far_.resize(static_cast<std::size_t>(places));
  for (NodeId node = 0; node < topology.nodes(); ++node)
    for (Port port = 0; port < topology.ports(); ++port)
      far_[static_cast<std::size_t>(link(node, port))] = topology.neighbour(node, port);
  if (!rules_.foreign.empty()) foreign_.resize(static_cast<std::size_t>(topology.nodes()));
  for (const NodeId node : rules_.foreign) foreign_.at(static_cast<std::size_t>(node)) = true;
}

void Scene::announce(const Packet& packet) {
  const auto number = static_cast<PacketId>(packets_.size());
  packets_.push_back(packet);
  delivered_.push_back(no_step);
  const auto outside = [this](NodeId node) { return node < 0 || node >= topology_.nodes(); };
  const std::string name = "packet " + std::to_string(number);
  if (outside(packet.source))
    reject(packet.created, no_node, "the network", name + " comes from a node outside the grid");
  if (outside(packet.destination))
    reject(packet.created, packet.source, node_name(packet.source), name + " goes to a node outside the grid");
  if (packet.flits < 1 || packet.created < 0)
    reject(packet.created, packet.source, node_name(packet.source),
           name + " has " + std::to_string(packet.flits) + " flits and is created in step " +
               std::to_string(packet.created));
  if (packet.flits > 1 && rules_.storage == RefereeRules::Storage::store_and_forward)
    reject(packet.created, packet.source, node_name(packet.source),
           name + " has several flits, but store-and-forward moves single-flit packets");
}

void Scene::reject(const TraceRow& row, const std::string& text) const {
  const bool known = row.node >= 0 && row.node < topology_.nodes();
  const bool on_link = known && row.port >= 0 && row.port < topology_.ports();
  const std::string place = on_link ? link_name(link(row.node, row.port)) : known ? node_name(row.node) : "the network";
  const bool control = row.event == TraceEvent::key || row.event == TraceEvent::token;
  const std::string what = control ? "a " + std::string(trace_event_names[static_cast<std::size_t>(row.event)])
                                   : "packet " + std::to_string(row.packet) + ", flit " + std::to_string(row.flit);
  reject(row.step, known ? row.node : no_node, place, what + " " + text);
}

void Scene::reject(Step step, NodeId node, PacketId packet, std::int32_t flit, const std::string& text) const {
  reject(step, node, node_name(node),
         "packet " + std::to_string(packet) + ", flit " + std::to_string(flit) + " " + text);
}

void Scene::reject(Step step, NodeId node, const std::string& place, const std::string& text) {
  throw Breach{{step, node, "step " + std::to_string(step) + ", " + place + ": " + text, true}};
}

}  // namespace starloom::links
