// SPDX-License-Identifier: Apache-2.0
#include <starloom/inspection/links/deadlock_cycle.hpp>

#include <fmt/format.h>

namespace starloom::links {

std::vector<CyclePacket> read_cycle(const ResultDocument& result, const NetworkGraph& graph, std::int64_t packets) {
  std::vector<CyclePacket> cycle;
  if (!result.given("deadlock.circle")) return cycle;
  const auto cell = [&](const nlohmann::ordered_json& entry, const char* key, std::int64_t most, std::int64_t none) {
    const auto found = entry.is_object() ? entry.find(key) : entry.end();
    if (found == entry.end() || found->is_null()) return none;
    const std::int64_t value = found->is_number_integer() ? found->get<std::int64_t>() : -1;
    if (value < 0 || value > most)
      result.fail("deadlock.circle", fmt::format("has an entry with a missing or invalid {}", key));
    return value;
  };
  const nlohmann::ordered_json& entries = result.at("deadlock.circle");
  if (!entries.is_array()) result.fail("deadlock.circle", "is not a list");
  for (const nlohmann::ordered_json& entry : entries) {
    CyclePacket one;
    one.node = static_cast<NodeId>(cell(entry, "node", graph.nodes_of_subnet() - 1, no_node));
    if (one.node == no_node) result.fail("deadlock.circle", "has an entry with a missing or invalid node");
    const std::int64_t most_port = std::int64_t{graph.subnets()} * (graph.ports() + 1) - 1;
    const auto [node, port] = graph.from_files({one.node, static_cast<Port>(cell(entry, "port", most_port, no_port))});
    one.node = node;
    one.at_processor = port == graph.ports();
    if (graph.out_ports(one.node).has(port)) one.port = port;
    one.channel = static_cast<std::int32_t>(cell(entry, "channel", 1 << 20, -1));
    one.packet = static_cast<PacketId>(cell(entry, "packet", packets - 1, no_packet));
    cycle.push_back(one);
  }
  return cycle;
}

}  // namespace starloom::links
