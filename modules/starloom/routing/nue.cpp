// SPDX-License-Identifier: Apache-2.0
#include <starloom/routing/nue.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <starloom/routing/next_hops.hpp>
#include <starloom/routing/nue_layer.hpp>
#include <starloom/routing/pairs_without_path.hpp>
#include <starloom/routing/up_down.hpp>
#include <starloom/topology/cables.hpp>

namespace starloom::routing {
namespace {

constexpr const char* function_name = "nue";

/// The cables of which both links have this channel alive.
NetworkGraph with_channel(const NetworkGraph& cables, const Faults* faults, int channel) {
  if (faults == nullptr || !faults->has_dead_channels()) return cables;
  std::vector<bool> dead(cables.link_slots(), false);
  for (const auto& [one, other] : cables_of(cables))
    if (faults->channel_is_dead(one.node, one.port, channel) ||
        faults->channel_is_dead(other.node, other.port, channel))
      dead[cables.index(one.node, one.port)] = dead[cables.index(other.node, other.port)] = true;
  return cables.without_links(dead);
}

class Nue final : public RoutingFunction {
 public:
  explicit Nue(const FunctionContext& context)
      : graph_(whole_cables(cables_alive(context, function_name))),
        channels_(context.all_channels()),
        next_hops_(function_name, graph_, static_cast<std::size_t>(graph_.nodes()), NextHops::Kept::lowest),
        without_path_(graph_,
                      "nue takes only cables whose links and channels are alive both ways: give up-down or shortest",
                      context.faults) {
    std::vector<std::int64_t> load(graph_.link_slots(), 0);
    for (int layer = 0; layer < channels_.count; ++layer) {
      std::vector<NodeId> destinations;
      for (NodeId processor = graph_.processors(); processor-- > 0;)
        if (layer_of(processor) == layer) destinations.push_back(graph_.processor(processor));
      NueLayer paths(with_channel(graph_, context.faults, channels_.first + layer), context.through_terminals,
                     destinations);
      for (const NodeId destination : destinations) keep(destination, paths.next_ports(destination, load));
    }
  }

  void route(const Head& head, Choices& choices) const override {
    if (head.node == head.destination) return choices.add(graph_.ports(), channels_.first, channels_.count);
    const NodeId processor = graph_.processor_of(head.destination);
    const ChannelRange layer{channels_.first + layer_of(processor), 1};
    next_hops_.offer(processor, static_cast<std::size_t>(head.node), layer, choices);
  }
  const PairsWithoutPath* without_path() const override { return without_path_.if_any(); }
  double table_bytes() const override { return next_hops_.bytes(); }

 private:
  int layer_of(NodeId processor) const {
    return static_cast<int>(std::int64_t{processor} * channels_.count / graph_.processors());
  }
  void keep(NodeId destination, const std::vector<Port>& next) {
    const NodeId processor = graph_.processor_of(destination);
    for (NodeId node = 0; node < graph_.nodes(); ++node) {
      const Port port = next[static_cast<std::size_t>(node)];
      if (port != no_port) next_hops_.set(processor, static_cast<std::size_t>(node), {port});
      else if (node != destination && graph_.processor_of(node) >= 0) without_path_.add(node, destination);
    }
  }

  const NetworkGraph graph_;
  const ChannelRange channels_;
  NextHops next_hops_;  ///< [processor][node]
  PairsWithoutPath without_path_;
};

}  // namespace

FunctionEntry nue_entry() {
  FunctionEntry entry;
  entry.name = function_name;
  entry.meaning = "balanced paths that leave no cycle, with any number of channels (Domke et al. 2016)";
  entry.serves = {{connected}};
  entry.fixed = true;
  entry.knows_faults = true;
  entry.make = [](const FunctionContext& context, const KeyValues&) { return std::make_unique<Nue>(context); };
  return entry;
}

}  // namespace starloom::routing
