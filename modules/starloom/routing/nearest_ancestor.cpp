// SPDX-License-Identifier: Apache-2.0
#include <starloom/routing/nearest_ancestor.hpp>

namespace starloom::routing {
namespace {

class NearestAncestor final : public RoutingFunction {
 public:
  NearestAncestor(const FatTree& tree, Port local, ChannelRange channels)
      : tree_(tree), local_(local), channels_(channels) {}

  void route(const Head& head, Choices& choices) const override {
    const Port port = nearest_ancestor_port(tree_, head.node, head.destination);
    choices.add(port == no_port ? local_ : port, channels_.first, channels_.count);
  }

 private:
  const FatTree& tree_;
  Port local_;
  ChannelRange channels_;
};

}  // namespace

Port nearest_ancestor_port(const FatTree& tree, NodeId at, NodeId destination) {
  if (at == destination) return no_port;
  const int level = tree.level(at);
  if (level < 0) return 0;
  if (tree.above(at, destination)) return tree.down_port(at, destination);
  return tree.up_port(tree.digit(destination, level));
}

FunctionEntry nearest_ancestor_entry() {
  FunctionEntry entry;
  entry.name = "nearest-ancestor";
  entry.meaning = "up to the nearest common ancestor, then down (Petrini and Vanneschi 1997)";
  entry.serves = {{"fat-tree"}};
  entry.fixed = true;
  entry.make = [](const FunctionContext& context, const KeyValues&) {
    return std::make_unique<NearestAncestor>(*context.network->as<FatTree>(), context.graph().ports(),
                                             context.all_channels());
  };
  return entry;
}

}  // namespace starloom::routing
