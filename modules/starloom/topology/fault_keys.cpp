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

void refuse_end_before_beginning(Step at, Step until, const std::string& key) {
  if (until != no_step && until <= at)
    throw ConfigError(key, "it is repaired in step " + std::to_string(until) + ", but dies in step " +
                               std::to_string(at) + "; until is greater than at");
}

/// Kills the entries of `dead`.
class Killer {
 public:
  /// Dead channels and places go into `faults`, all else into `outages`.
  Killer(Faults& faults, std::vector<Outage>& outages, int channels)
      : faults_(faults), outages_(outages), graph_(faults.graph()), names_(graph_), channels_(channels) {}

  void kill(const DeadItem& item, const std::string& key) {
    using Kind = DeadItem::Kind;
    refuse_end_before_beginning(item.at, item.until, key);
    const Time time{item.at, item.until, key};
    switch (item.kind) {
      case Kind::named:
        if (const LinkEnd* const link = names_.any_link(item.name)) return kill_cable(*link, time);
        if (const auto node = names_.any_node(item.name)) return kill_router(*node, time);
        names_.refuse_any(item.name, key);
      case Kind::cable: return kill_cable(names_.link(item.name, key), time);
      case Kind::router: return kill_router(names_.node(item.name, key), time);
      case Kind::link: {
        const LinkEnd link = names_.link(item.name, key);
        once({Kind::link, link.node, link.port, 0}, item.name, time);
        return outages_.push_back({Outage::Kind::link, {link, {}}, no_node, item.at, item.until});
      }
      case Kind::processor: {
        const NodeId node = names_.processor(item.name, key);
        once({Kind::processor, node, no_port, 0}, "the processor of " + graph_.node_name(node), time);
        return outages_.push_back({Outage::Kind::processor, {}, node, item.at, item.until});
      }
      case Kind::channel:
      case Kind::places: return kill_channel(item, key);
    }
  }

 private:
  using Thing = std::tuple<DeadItem::Kind, NodeId, Port, int>;

  /// That of an entry with this key.
  struct Time {
    Step at, until;
    std::string key;

    bool overlaps(const Time& other) const {
      return (until == no_step || other.at < until) && (other.until == no_step || at < other.until);
    }
  };

  void once(const Thing& thing, const std::string& name, const Time& time) {
    std::vector<Time>& times = times_[thing];
    for (const Time& other : times)
      if (other.overlaps(time))
        throw ConfigError(time.key, name + " is dead already" +
                                        (time.at > 0 || other.at > 0 ? " at the same time" : "") + ", by faults." +
                                        other.key + "; leave one out");
    times.push_back(time);
  }
  void kill_cable(LinkEnd link, const Time& time) {
    Cable cable{link, partner_of(graph_, link)};
    const auto at = [](LinkEnd end) { return std::pair(end.node, end.port); };
    if (cable.upper.connected() && at(cable.upper) < at(cable.lower)) std::swap(cable.lower, cable.upper);
    once({DeadItem::Kind::cable, cable.lower.node, cable.lower.port, 0},
         "the cable of " + graph_.link_name(cable.lower.node, cable.lower.port), time);
    outages_.push_back({Outage::Kind::cable, cable, no_node, time.at, time.until});
  }
  void kill_router(NodeId node, const Time& time) {
    once({DeadItem::Kind::router, node, no_port, 0}, graph_.node_name(node), time);
    outages_.push_back({Outage::Kind::router, {}, node, time.at, time.until});
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
    once({item.kind, link.node, link.port, item.number}, all ? channel : "a number of places behind " + channel,
         {0, no_step, key});
    if (all) faults_.kill_channel(link, item.number);
    else if (item.places > 0) faults_.remove_places(link, item.number, item.places);
  }

  Faults& faults_;
  std::vector<Outage>& outages_;
  const NetworkGraph& graph_;
  const Names names_;
  const int channels_;
  std::map<Thing, std::vector<Time>> times_;
};

void kill_at_random(std::vector<Outage>& outages, const NetworkGraph& graph, const FaultKeys& keys,
                    std::uint64_t seed) {
  refuse_end_before_beginning(keys.at, keys.until, "random");
  if (keys.cables || keys.cable_rate) {
    const std::vector<Cable> cables = cables_of(graph);
    if (const auto most = static_cast<std::int64_t>(cables.size()); keys.cables && *keys.cables > most)
      throw ConfigError("random.cables", std::to_string(*keys.cables) + " is more than the " + counted(most, "cable") +
                                             " of the network");
    for (const Cable& cable :
         keys.cables ? random_cables(cables, *keys.cables, seed) : random_cables(cables, *keys.cable_rate, seed))
      outages.push_back({Outage::Kind::cable, cable, no_node, keys.at, keys.until});
  }
  if (keys.routers || keys.router_rate) {
    const auto most = static_cast<std::int64_t>(random_routers(graph, 1.0, seed).size());
    if (keys.routers && *keys.routers > most)
      throw ConfigError("random.routers", std::to_string(*keys.routers) + " is more than the " +
                                              counted(most, "router") + " of the network");
    for (const NodeId node :
         keys.routers ? random_routers(graph, *keys.routers, seed) : random_routers(graph, *keys.router_rate, seed))
      outages.push_back({Outage::Kind::router, {}, node, keys.at, keys.until});
  }
}

}  // namespace

FaultTimeline faults_of(const NetworkGraph& graph, const FaultKeys& keys, int channels, std::uint64_t seed) {
  Faults faults(graph);
  std::vector<Outage> outages;
  std::vector<ConfigError::Diagnostic> errors;
  const auto attempt = [&errors](const auto& work) {
    try {
      work();
    } catch (const ConfigError& error) {
      errors.insert(errors.end(), error.diagnostics().begin(), error.diagnostics().end());
    }
  };
  if (!keys.dead.empty()) {
    Killer killer(faults, outages, channels);
    for (std::size_t i = 0; i < keys.dead.size(); ++i)
      attempt([&] { killer.kill(keys.dead[i], "dead." + std::to_string(i)); });
  }
  attempt([&] { kill_at_random(outages, graph, keys, keys.seed.value_or(seed)); });
  if (!errors.empty()) throw ConfigError(std::move(errors));
  FaultTimeline timeline(std::move(faults), outages, keys.lifetimes, keys.seed.value_or(seed));
  if (timeline.fewest_processors() == 0)
    throw ConfigError("", "no processor is left alive; leave some of the faults out");
  return timeline;
}

LinkErrors errors_of(const NetworkGraph& graph, const ErrorKeys& keys, std::int64_t flit_bytes, std::uint64_t seed) {
  LinkErrors::Rules rules;
  rules.seed = seed;
  rules.replay = keys.replay;
  rules.recovery = keys.recovery;
  rules.repetition = keys.repetition;
  if (keys.flit) rules.probability = *keys.flit;
  if (keys.bit) rules.probability = any_of_bits(*keys.bit, 8 * flit_bytes);
  const Names names(graph);
  for (std::size_t i = 0; i < keys.at.size(); ++i)
    rules.at.push_back({names.link(keys.at[i].link, "errors.at." + std::to_string(i)), keys.at[i].step});
  return LinkErrors(rules);
}

}  // namespace starloom
