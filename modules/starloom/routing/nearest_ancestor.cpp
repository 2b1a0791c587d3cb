// SPDX-License-Identifier: Apache-2.0
#include <starloom/routing/nearest_ancestor.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace starloom::routing {
namespace {

/// Selects the up-ports.
enum class Ascent { digits, random, adaptive };
const std::vector<std::string> ascent_names = {"digits", "random", "adaptive"};
constexpr const char* ascent_key = "nearest-ancestor.ascent";

class NearestAncestor final : public RoutingFunction {
 public:
  NearestAncestor(const FatTree& tree, Port local, ChannelRange channels, Ascent ascent)
      : tree_(tree), local_(local), channels_(channels), ascent_(ascent) {}

  void route(const Head& head, Choices& choices) const override {
    const auto add = [&](Port port) { choices.add(port, channels_.first, channels_.count); };
    const Port port = nearest_ancestor_port(tree_, head.node, head.destination);
    if (port == no_port) return add(local_);
    if (ascent_ == Ascent::digits || !goes_up(head)) return add(port);
    if (ascent_ == Ascent::random)
      return add(tree_.up_port(tree_.digit(static_cast<NodeId>(head.random_choice), tree_.level(head.node))));
    for (std::int32_t digit = 0; digit < tree_.arity(); ++digit) add(tree_.up_port(digit));
  }
  std::uint32_t random_choices() const override {
    return ascent_ == Ascent::random ? static_cast<std::uint32_t>(tree_.switches_per_level()) : 1;
  }
  bool adaptive() const override { return ascent_ == Ascent::adaptive; }
  bool in_phases() const override { return ascent_ == Ascent::random; }
  bool on_first_phase(const Head& head) const override {
    return tree_.level(head.node) < 0 ? head.node != head.destination : goes_up(head);
  }

 private:
  /// True in a switch that the destination is not below.
  bool goes_up(const Head& head) const {
    return tree_.level(head.node) >= 0 && !tree_.above(head.node, head.destination);
  }

  const FatTree& tree_;
  Port local_;
  ChannelRange channels_;
  Ascent ascent_;
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
  entry.keys = {
      choice_key(ascent_key, ascent_names,
                 "up-ports of nearest-ancestor: by the digits of the destination, by those of a random number "
                 "of each packet, or all of them (adaptive)")
          .by_default(ascent_names.front())
          .omitted_at_default()};
  entry.make = [](const FunctionContext& context, const KeyValues& keys) {
    const std::string name = keys.has(ascent_key) ? keys.text(ascent_key) : ascent_names.front();
    const auto ascent = std::find(ascent_names.begin(), ascent_names.end(), name) - ascent_names.begin();
    return std::make_unique<NearestAncestor>(*context.network->as<FatTree>(), context.graph().ports(),
                                             context.all_channels(), static_cast<Ascent>(ascent));
  };
  return entry;
}

}  // namespace starloom::routing
