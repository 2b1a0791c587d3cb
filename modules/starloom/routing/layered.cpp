// SPDX-License-Identifier: Apache-2.0
#include <starloom/routing/layered.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <starloom/routing/layers.hpp>
#include <starloom/routing/pairs_without_path.hpp>
#include <starloom/routing/pruned.hpp>
#include <starloom/routing/shortest.hpp>
#include <starloom/schema/config_error.hpp>

namespace starloom::routing {
namespace {

constexpr const char* layering_key = "layering";

/// The paths of all pairs, and their layers.
class LayeredPaths {
 public:
  LayeredPaths(const FunctionContext& context, Layering layering)
      : graph_(context.graph()),
        paths_(first_shortest("layered", context, context.all_channels())),
        processors_(static_cast<std::size_t>(graph_.processors())),
        layers_(layers_of(layering, graph_.link_slots(), processors_ * processors_,
                          [this](std::size_t pair) { return path_of(pair); })) {}

  const NetworkGraph& graph() const { return graph_; }
  const std::vector<std::int64_t>& pairs() const { return layers_.pairs; }
  int count() const { return static_cast<int>(layers_.pairs.size()); }
  int layer_of(NodeId source, NodeId destination) const {
    return layers_.of_pair[static_cast<std::size_t>(graph_.processor_of(source)) * processors_ +
                           static_cast<std::size_t>(graph_.processor_of(destination))];
  }
  /// The next link of a packet before its destination; no_port: there is no path from here.
  Port next_port(NodeId node, NodeId destination) const {
    Choices choices;
    paths_->route({node, graph_.ports(), 0, destination}, choices);
    return choices.size() == 0 ? no_port : choices.begin()->port;
  }
  const PairsWithoutPath* without_path() const { return paths_->without_path(); }
  double bytes() const { return paths_->table_bytes() + static_cast<double>(layers_.of_pair.size()); }

 private:
  LinkPath path_of(std::size_t pair) const {
    const NodeId source = graph_.processor(static_cast<NodeId>(pair / processors_)),
                 destination = graph_.processor(static_cast<NodeId>(pair % processors_));
    LinkPath path;
    if (without_path() != nullptr && without_path()->contains(source, destination)) return path;
    for (NodeId at = source; at != destination;) {
      const Port port = next_port(at, destination);
      path.push_back(graph_.index(at, port));
      at = graph_.far_end(at, port).node;
    }
    return path;
  }

  const NetworkGraph graph_;
  const std::unique_ptr<RoutingFunction> paths_;
  const std::size_t processors_;
  const Layers layers_;  ///< of pairs: source * processors + destination, numbers of processors
};

class Layered final : public RoutingFunction {
 public:
  /// \param channels at least one for each layer.
  Layered(std::shared_ptr<const LayeredPaths> paths, ChannelRange channels, bool through_terminals)
      : paths_(std::move(paths)), channels_(channels), through_terminals_(through_terminals) {
    // Channels of a layer are alike.
    if (channels.count > count())
      narrow_ = std::make_unique<Layered>(paths_, ChannelRange{channels.first, count()}, through_terminals);
  }

  void route(const Head& head, Choices& choices) const override {
    const Port local = paths_->graph().ports();
    if (head.node == head.destination) return choices.add(local, channels_.first, channels_.count);
    const Port port = paths_->next_port(head.node, head.destination);
    if (port == no_port) return;
    const int layer = head.in_port == local ? paths_->layer_of(head.node, head.destination)
                                            : (head.in_channel - channels_.first) % count();
    for (int channel = layer; channel < channels_.count; channel += count())
      choices.add(port, channels_.first + channel, 1);
  }
  /// The router of a terminal is that at the end of its link, which knows the layer from the channel.
  ChannelRange source_channels(const Head& head, const ChannelRange& all) const override {
    if (through_terminals_ || !paths_->graph().is_terminal(head.node)) return all;
    return {channels_.first + paths_->layer_of(head.node, head.destination), 1};
  }
  void mark_channel(int channel, std::vector<int>& marks) const override {
    marks.push_back((channel - channels_.first) % count());
  }
  /// In one channel for each layer.
  const RoutingFunction* every_path() const override { return narrow_ ? narrow_.get() : this; }
  const PairsWithoutPath* without_path() const override { return paths_->without_path(); }
  double table_bytes() const override { return paths_->bytes(); }
  std::vector<std::int64_t> pairs_of_layers() const override { return paths_->pairs(); }

 private:
  int count() const { return paths_->count(); }

  const std::shared_ptr<const LayeredPaths> paths_;
  const ChannelRange channels_;
  const bool through_terminals_;
  std::unique_ptr<Layered> narrow_;
};

}  // namespace

FunctionEntry layered_entry() {
  FunctionEntry entry;
  entry.name = "layered";
  entry.meaning = "shortest paths, divided into layers of channels without cycles: LASH or DFSSSP";
  entry.serves = {{connected}};
  entry.knows_faults = true;
  entry.keys = {choice_key(layering_key, layering_names,
                           "the layers of layered: each pair in the lowest possible one (lash), or cycles broken one "
                           "after another (dfsssp)")
                    .by_default(layering_names.front())
                    .omitted_at_default()};
  entry.make = [](const FunctionContext& context, const KeyValues& keys) {
    const bool lash = !keys.has(layering_key) || keys.text(layering_key) == layering_names.front();
    auto paths = std::make_shared<const LayeredPaths>(context, lash ? Layering::lash : Layering::dfsssp);
    if (paths->count() > context.channels)
      throw ConfigError("channels", "layered needs " + std::to_string(paths->count()) + " channels here, has " +
                                        std::to_string(context.channels));
    return without_dead_channels(
        std::make_unique<Layered>(std::move(paths), context.all_channels(), context.through_terminals), context);
  };
  return entry;
}

}  // namespace starloom::routing
