// SPDX-License-Identifier: Apache-2.0
#include <starloom/routing/legal_ways.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <starloom/routing/next_hops.hpp>
#include <starloom/routing/pairs_without_path.hpp>
#include <starloom/routing/pruned.hpp>
#include <starloom/routing/rows_and_columns.hpp>
#include <starloom/routing/segments.hpp>
#include <starloom/routing/up_down.hpp>
#include <starloom/schema/config_error.hpp>
#include <starloom/topology/cables.hpp>

namespace starloom::routing {
namespace {

constexpr const char* turns_key = "turns";
enum class Turns { segments, west_first, north_last, negative_first, odd_even };
const std::vector<std::string> turns_names = {"segments", "west-first", "north-last", "negative-first", "odd-even"};

/// True if a packet that came into a node through an in-port may leave through an out-port.
using TurnRule = std::function<bool(NodeId node, Port in_port, Port out_port)>;

/// \param column of the node where the packet turns.
bool model_allows(Turns turns, Direction from, Direction to, std::int32_t column) {
  const auto is = [&](Direction one, Direction other) { return from == one && to == other; };
  switch (turns) {
    case Turns::west_first: return !is(north, west) && !is(south, west);
    case Turns::north_last: return !is(north, west) && !is(north, east);
    case Turns::negative_first: return !is(east, north) && !is(south, west);
    case Turns::odd_even:
      return column % 2 == 0 ? !is(east, north) && !is(east, south) : !is(north, west) && !is(south, west);
    case Turns::segments: break;
  }
  return true;
}

class LegalWays final : public RoutingFunction {
 public:
  /// \param left the network with the links that packets may take.
  LegalWays(NetworkGraph left, const FunctionContext& context, const TurnRule& allow)
      : graph_(std::move(left)),
        through_terminals_(context.through_terminals),
        channels_(context.all_channels()),
        width_(static_cast<std::size_t>(graph_.nodes()) * in_ports()),
        next_hops_("legal-ways", graph_, width_, NextHops::Kept::lowest),
        without_path_(graph_, "the turns of legal-ways do not lead there: give routing.turns: segments, or up-down",
                      context.faults) {
    for (NodeId processor = 0; processor < graph_.processors(); ++processor) fill(processor, allow);
  }

  void route(const Head& head, Choices& choices) const override {
    if (head.node == head.destination) return choices.add(graph_.ports(), channels_.first, channels_.count);
    next_hops_.offer(graph_.processor_of(head.destination), state(head.node, head.in_port), channels_, choices);
  }
  const PairsWithoutPath* without_path() const override { return without_path_.if_any(); }
  double table_bytes() const override { return next_hops_.bytes(); }

 private:
  std::size_t in_ports() const { return static_cast<std::size_t>(graph_.ports()) + 1; }
  /// \param in_port the local one for a packet in its source.
  std::size_t state(NodeId node, Port in_port) const {
    return static_cast<std::size_t>(node) * in_ports() + static_cast<std::size_t>(in_port);
  }
  /// True if a packet may turn. No path goes through a node that does not forward, so that turns from and to it close
  /// no cycle.
  bool turns(const TurnRule& allow, NodeId node, Port in_port, Port out_port) const {
    if (in_port == graph_.ports()) return true;
    const NodeId last = graph_.near_end(node, in_port).node, next = graph_.far_end(node, out_port).node;
    if (!graph_.forwards(last, through_terminals_) || !graph_.forwards(next, through_terminals_)) return true;
    return last != next && allow(node, in_port, out_port);
  }
  /// Calls `visit` with the in-ports of a node, the local one included.
  template <class Visit>
  void for_each_in_port(NodeId node, const Visit& visit) const {
    for (const Port port : graph_.in_ports(node)) visit(port);
    visit(graph_.ports());
  }

  /// Breadth first from the destination, against the links.
  void fill(NodeId processor, const TurnRule& allow) {
    const NodeId destination = graph_.processor(processor);
    std::vector<std::int32_t> left(width_, -1);  // [state] links to the destination
    std::vector<std::pair<NodeId, Port>> reached;
    const auto reach = [&](NodeId node, Port in_port, std::int32_t links) {
      if (std::int32_t& own = left[state(node, in_port)]; own < 0) {
        own = links;
        reached.emplace_back(node, in_port);
      }
    };
    for_each_in_port(destination, [&](Port in_port) { reach(destination, in_port, 0); });
    for (std::size_t i = 0; i < reached.size(); ++i) {
      const auto [node, in_port] = reached[i];
      if (in_port == graph_.ports() || !may_enter(node, destination)) continue;
      const LinkEnd from = graph_.near_end(node, in_port);
      const std::int32_t links = left[state(node, in_port)] + 1;
      if (from.node == destination) continue;
      for_each_in_port(from.node, [&](Port earlier) {
        if (turns(allow, from.node, earlier, from.port)) reach(from.node, earlier, links);
      });
    }
    for (NodeId source = 0; source < graph_.processors(); ++source)
      if (left[state(graph_.processor(source), graph_.ports())] < 0)
        without_path_.add(graph_.processor(source), destination);
    std::vector<Port> shortest;
    for (NodeId node = 0; node < graph_.nodes(); ++node)
      for_each_in_port(node, [&](Port in_port) {
        shortest.clear();
        for (const Port port : graph_.out_ports(node)) {
          const LinkEnd to = graph_.far_end(node, port);
          const std::int32_t behind = left[state(to.node, to.port)];
          if (behind >= 0 && behind + 1 == left[state(node, in_port)] && may_enter(to.node, destination) &&
              turns(allow, node, in_port, port))
            shortest.push_back(port);
        }
        next_hops_.set(processor, state(node, in_port), shortest);
      });
  }
  bool may_enter(NodeId node, NodeId destination) const {
    return node == destination || graph_.forwards(node, through_terminals_);
  }

  const NetworkGraph graph_;
  const bool through_terminals_;
  const ChannelRange channels_;
  const std::size_t width_;  ///< states of packets
  NextHops next_hops_;       ///< [processor][node, in-port]
  PairsWithoutPath without_path_;
};

std::unique_ptr<RoutingFunction> by_segments(const FunctionContext& context, const KeyValues& keys) {
  const NetworkGraph left = whole_cables(cables_alive(context, "legal-ways"));
  const Segments segments(left, roots_of(context, keys, left), context.through_terminals);
  return std::make_unique<LegalWays>(
      left, context, [&](NodeId node, Port in_port, Port out_port) { return segments.allow(node, in_port, out_port); });
}

std::unique_ptr<RoutingFunction> by_turn_model(const FunctionContext& context, Turns turns) {
  const Grid* const mesh = context.network->as<Grid>();
  if (mesh == nullptr || mesh->kind() != GridKind::mesh || mesh->dimensions() != 2)
    throw ConfigError(turns_key, turns_names[static_cast<std::size_t>(turns)] +
                                     " is a turn model of meshes of two dimensions; use segments");
  NetworkGraph left = context.faults == nullptr ? context.graph() : context.faults->left();
  const NetworkGraph& whole = context.graph();
  return std::make_unique<LegalWays>(std::move(left), context, [&](NodeId node, Port in_port, Port out_port) {
    const auto travelled = static_cast<Direction>(whole.near_end(node, in_port).port);
    return model_allows(turns, travelled, static_cast<Direction>(out_port), mesh->coordinate(node, 1));
  });
}

}  // namespace

FunctionEntry legal_ways_entry() {
  FunctionEntry entry;
  entry.name = "legal-ways";
  entry.meaning = "shortest paths of allowed turns: by segments (Mejia et al. 2006) or a turn model";
  entry.serves = {{connected}};
  entry.fixed = true;
  entry.by_in_port = true;
  entry.knows_faults = true;
  entry.keys = {
      choice_key(turns_key, turns_names,
                 "the turns that legal-ways may take: those of segments, on any network, or on meshes of rows "
                 "and columns those of a turn model")
          .by_default(turns_names.front())
          .omitted_at_default(),
      root_key()};
  entry.make = [](const FunctionContext& context, const KeyValues& keys) {
    const std::string name = keys.has(turns_key) ? keys.text(turns_key) : turns_names.front();
    const auto turns =
        static_cast<Turns>(std::find(turns_names.begin(), turns_names.end(), name) - turns_names.begin());
    if (turns != Turns::segments && keys.has("root"))
      throw ConfigError("root", "the turns of " + name + " have no root; leave this key out");
    auto ways = turns == Turns::segments ? by_segments(context, keys) : by_turn_model(context, turns);
    return without_dead_channels(std::move(ways), context);
  };
  return entry;
}

}  // namespace starloom::routing
