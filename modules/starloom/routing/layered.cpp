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

class Layered final : public RoutingFunction {
 public:
  Layered(const FunctionContext& context, Layering layering)
      : graph_(context.graph()),
        through_terminals_(context.through_terminals),
        channels_(context.all_channels()),
        paths_(first_shortest("layered", context, channels_)),
        processors_(static_cast<std::size_t>(graph_.processors())),
        layers_(layers_of(layering, graph_.link_slots(), processors_ * processors_,
                          [this](std::size_t pair) { return path_of(pair); })) {
    if (count() > channels_.count)
      throw ConfigError("channels", "layered needs " + std::to_string(count()) + " channels here, has " +
                                        std::to_string(channels_.count));
  }

  void route(const Head& head, Choices& choices) const override {
    if (head.node == head.destination) return choices.add(graph_.ports(), channels_.first, channels_.count);
    Choices next;
    paths_->route(head, next);
    const int layer = head.in_port == graph_.ports() ? layer_of(head.node, head.destination)
                                                     : (head.in_channel - channels_.first) % count();
    for (int channel = layer; channel < channels_.count; channel += count())
      choices.add(next.begin()->port, channels_.first + channel, 1);
  }
  /// The router of a terminal is that at the end of its link, which knows the layer from the channel.
  ChannelRange source_channels(const Head& head, const ChannelRange& all) const override {
    if (through_terminals_ || !graph_.is_terminal(head.node)) return all;
    return {channels_.first + layer_of(head.node, head.destination), 1};
  }
  void mark_channel(int channel, std::vector<int>& marks) const override {
    marks.push_back((channel - channels_.first) % count());
  }
  const PairsWithoutPath* without_path() const override { return paths_->without_path(); }
  double table_bytes() const override { return paths_->table_bytes() + static_cast<double>(layers_.of_pair.size()); }
  std::vector<std::int64_t> pairs_of_layers() const override { return layers_.pairs; }

 private:
  int count() const { return static_cast<int>(layers_.pairs.size()); }
  int layer_of(NodeId source, NodeId destination) const {
    return layers_.of_pair[static_cast<std::size_t>(graph_.processor_of(source)) * processors_ +
                           static_cast<std::size_t>(graph_.processor_of(destination))];
  }
  LinkPath path_of(std::size_t pair) const {
    const NodeId source = graph_.processor(static_cast<NodeId>(pair / processors_)),
                 destination = graph_.processor(static_cast<NodeId>(pair % processors_));
    const PairsWithoutPath* const lost = paths_->without_path();
    LinkPath path;
    if (lost != nullptr && lost->contains(source, destination)) return path;
    for (NodeId at = source; at != destination;) {
      Choices choices;
      paths_->route({at, graph_.ports(), channels_.first, destination}, choices);
      path.push_back(graph_.index(at, choices.begin()->port));
      at = graph_.far_end(at, choices.begin()->port).node;
    }
    return path;
  }

  const NetworkGraph graph_;
  const bool through_terminals_;
  const ChannelRange channels_;
  const std::unique_ptr<RoutingFunction> paths_;
  const std::size_t processors_;
  const Layers layers_;  ///< of pairs: source * processors + destination, numbers of processors
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
    return without_dead_channels(std::make_unique<Layered>(context, lash ? Layering::lash : Layering::dfsssp), context);
  };
  return entry;
}

}  // namespace starloom::routing
