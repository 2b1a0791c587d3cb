// SPDX-License-Identifier: Apache-2.0
#include <starloom/topology/fault_keys.hpp>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include <starloom/schema/config_error.hpp>
#include <starloom/support/nearest.hpp>
#include <starloom/support/numbers.hpp>

namespace starloom {
namespace {

/// Finds links and nodes by their names.
class Names {
 public:
  explicit Names(const NetworkGraph& graph) : graph_(graph) {
    for (NodeId node = 0; node < graph.nodes(); ++node) {
      nodes_.emplace(graph.node_name(node), node);
      for (const Port port : graph.out_ports(node)) links_.emplace(graph.link_name(node, port), LinkEnd{node, port});
    }
  }

  /// \throws ConfigError with this key.
  LinkEnd link(const std::string& name, const std::string& key) const {
    const auto found = links_.find(name);
    if (found == links_.end()) refuse(name, "a link", links_, key);
    return found->second;
  }
  const LinkEnd* any_link(const std::string& name) const {
    const auto found = links_.find(name);
    return found == links_.end() ? nullptr : &found->second;
  }
  NodeId node(const std::string& name, const std::string& key) const {
    const std::optional<NodeId> node = any_node(name);
    if (!node) refuse(name, "a node", nodes_, key);
    return *node;
  }
  std::optional<NodeId> any_node(const std::string& name) const {
    if (const auto number = number_in(name); number && *number < graph_.nodes()) return number;
    const auto found = nodes_.find(name);
    return found == nodes_.end() ? std::nullopt : std::optional(found->second);
  }
  /// The node of a processor.
  NodeId processor(const std::string& name, const std::string& key) const {
    if (const auto number = number_in(name); number && *number < graph_.processors()) return graph_.processor(*number);
    const NodeId node = this->node(name, key);
    if (graph_.processor_of(node) < 0) throw ConfigError(key, name + " is a switch, which has no processor");
    return node;
  }
  [[noreturn]] void refuse_any(const std::string& name, const std::string& key) const {
    std::vector<std::string> names;
    for (const auto& [node, number] : nodes_) names.push_back(node);
    for (const auto& [link, end] : links_) names.push_back(link);
    throw ConfigError(key, name + " is neither a link nor a node of this network" + did_you_mean(name, names));
  }

 private:
  static std::optional<NodeId> number_in(const std::string& text) {
    NodeId number = no_node;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && end == text.data() + text.size() && number >= 0 ? std::optional(number)
                                                                                   : std::nullopt;
  }
  template <class Map>
  [[noreturn]] static void refuse(const std::string& name, const char* what, const Map& map, const std::string& key) {
    std::vector<std::string> names;
    for (const auto& [each, value] : map) names.push_back(each);
    throw ConfigError(key, name + " is not " + what + " of this network" + did_you_mean(name, names));
  }

  const NetworkGraph& graph_;
  std::map<std::string, NodeId> nodes_;
  std::map<std::string, LinkEnd> links_;
};

/// Kills the entries of `dead`.
class Killer {
 public:
  Killer(Faults& faults, int channels) : faults_(faults), graph_(faults.graph()), names_(graph_), channels_(channels) {}

  void kill(const DeadItem& item, const std::string& key) {
    using Kind = DeadItem::Kind;
    switch (item.kind) {
      case Kind::named:
        if (const LinkEnd* const link = names_.any_link(item.name)) return kill_cable(*link, key);
        if (const auto node = names_.any_node(item.name)) return kill_router(*node, key);
        names_.refuse_any(item.name, key);
      case Kind::cable: return kill_cable(names_.link(item.name, key), key);
      case Kind::router: return kill_router(names_.node(item.name, key), key);
      case Kind::link: {
        const LinkEnd link = names_.link(item.name, key);
        once({Kind::link, link.node, link.port, 0}, item.name, key);
        return faults_.kill_link(link);
      }
      case Kind::processor: {
        const NodeId node = names_.processor(item.name, key);
        once({Kind::processor, node, no_port, 0}, "the processor of " + graph_.node_name(node), key);
        return faults_.kill_processor(node);
      }
      case Kind::channel:
      case Kind::places: return kill_channel(item, key);
    }
  }

 private:
  using Thing = std::tuple<DeadItem::Kind, NodeId, Port, int>;

  void once(const Thing& thing, const std::string& name, const std::string& key) {
    const auto [found, fresh] = first_.emplace(thing, key);
    if (!fresh) throw ConfigError(key, name + " is dead already, by faults." + found->second + "; leave one out");
  }
  void kill_cable(LinkEnd link, const std::string& key) {
    Cable cable{link, partner_of(graph_, link)};
    const auto at = [](LinkEnd end) { return std::pair(end.node, end.port); };
    if (cable.upper.connected() && at(cable.upper) < at(cable.lower)) std::swap(cable.lower, cable.upper);
    once({DeadItem::Kind::cable, cable.lower.node, cable.lower.port, 0},
         "the cable of " + graph_.link_name(cable.lower.node, cable.lower.port), key);
    faults_.kill_cable(cable);
  }
  void kill_router(NodeId node, const std::string& key) {
    once({DeadItem::Kind::router, node, no_port, 0}, graph_.node_name(node), key);
    faults_.kill_router(node);
  }
  void kill_channel(const DeadItem& item, const std::string& key) {
    const LinkEnd link = names_.link(item.name, key);
    if (graph_.is_terminal(link.node) || graph_.is_terminal(graph_.far_end(link.node, link.port).node))
      throw ConfigError(key, item.name +
                                 " is a link of a terminal, a processor without a router of its own; name a "
                                 "link between two routers");
    if (item.number < 0 || item.number >= channels_)
      throw ConfigError(key, item.name + " has no channel " + std::to_string(item.number) + "; its channels are 0 to " +
                                 std::to_string(channels_ - 1));
    const std::string channel = "channel " + std::to_string(item.number) + " of " + item.name;
    const bool all = item.kind == DeadItem::Kind::channel;
    once({item.kind, link.node, link.port, item.number}, all ? channel : "a number of places behind " + channel, key);
    if (all) faults_.kill_channel(link, item.number);
    else if (item.places > 0) faults_.remove_places(link, item.number, item.places);
  }

  Faults& faults_;
  const NetworkGraph& graph_;
  const Names names_;
  const int channels_;
  std::map<Thing, std::string> first_;  ///< its key
};

void kill_at_random(Faults& faults, const FaultKeys& keys, std::uint64_t seed) {
  const NetworkGraph& graph = faults.graph();
  if (keys.cables || keys.cable_rate) {
    const std::vector<Cable> cables = cables_of(graph);
    if (const auto most = static_cast<std::int64_t>(cables.size()); keys.cables && *keys.cables > most)
      throw ConfigError("random.cables", std::to_string(*keys.cables) + " is more than the " + counted(most, "cable") +
                                             " of the network");
    for (const Cable& cable :
         keys.cables ? random_cables(cables, *keys.cables, seed) : random_cables(cables, *keys.cable_rate, seed))
      faults.kill_cable(cable);
  }
  if (keys.routers || keys.router_rate) {
    const auto most = static_cast<std::int64_t>(random_routers(graph, 1.0, seed).size());
    if (keys.routers && *keys.routers > most)
      throw ConfigError("random.routers", std::to_string(*keys.routers) + " is more than the " +
                                              counted(most, "router") + " of the network");
    for (const NodeId node :
         keys.routers ? random_routers(graph, *keys.routers, seed) : random_routers(graph, *keys.router_rate, seed))
      faults.kill_router(node);
  }
}

}  // namespace

Faults faults_of(const NetworkGraph& graph, const FaultKeys& keys, int channels, std::uint64_t seed) {
  Faults faults(graph);
  std::vector<ConfigError::Diagnostic> errors;
  const auto attempt = [&errors](const auto& work) {
    try {
      work();
    } catch (const ConfigError& error) {
      errors.insert(errors.end(), error.diagnostics().begin(), error.diagnostics().end());
    }
  };
  if (!keys.dead.empty()) {
    Killer killer(faults, channels);
    for (std::size_t i = 0; i < keys.dead.size(); ++i)
      attempt([&] { killer.kill(keys.dead[i], "dead." + std::to_string(i)); });
  }
  attempt([&] { kill_at_random(faults, keys, keys.seed.value_or(seed)); });
  if (errors.empty() && faults.processors() == 0)
    errors.push_back({"", "no processor is left alive; leave some of the faults out"});
  if (!errors.empty()) throw ConfigError(std::move(errors));
  return faults;
}

}  // namespace starloom
