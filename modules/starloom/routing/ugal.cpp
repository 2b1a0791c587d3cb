// SPDX-License-Identifier: Apache-2.0
#include <starloom/routing/ugal.hpp>

#include <utility>

#include <starloom/routing/dragonfly_valiant.hpp>
#include <starloom/routing/valiant.hpp>
#include <starloom/topology/dragonfly.hpp>
#include <starloom/topology/flattened_butterfly.hpp>

namespace starloom::routing {
namespace {

constexpr const char* threshold_key = "ugal.threshold";

/// Valiant's routing through a random *area*, a group or a switch, in which the router of the source may instead choose
/// its own area as the intermediate one: the minimal path.
class Ugal : public RoutingFunction {
 public:
  void route(const Head& head, Choices& choices) const final { valiant_->route(head, choices); }
  void mark_channel(int channel, std::vector<int>& marks) const final { valiant_->mark_channel(channel, marks); }
  std::uint32_t random_choices() const final { return valiant_->random_choices(); }
  bool in_phases() const final { return true; }
  bool on_first_phase(const Head& head) const final { return valiant_->on_first_phase(head); }
  bool decides() const final { return true; }
  std::uint32_t decision(const Head& head, const PortLoad& load) const final {
    const NodeId here = area(head.node), there = area(head.destination);
    const auto between = static_cast<NodeId>(head.random_choice);
    if (!starts(head) || here == there || between == here) return head.random_choice;
    const auto minimal = static_cast<std::uint32_t>(here);
    if (between == there) return minimal;
    const auto cost = [&](const Path& path) { return std::int64_t{load.used_places(path.first)} * path.links; };
    return cost(path(head, there)) - cost(path(head, between)) <= threshold_ ? minimal : head.random_choice;
  }

 protected:
  /// A path from the router of the source to the area of the destination.
  struct Path {
    Port first;
    int links;
  };
  Ugal(std::unique_ptr<RoutingFunction> valiant, std::int64_t threshold)
      : valiant_(std::move(valiant)), threshold_(threshold) {}

  virtual NodeId area(NodeId node) const = 0;
  /// True in the router of the source.
  virtual bool starts(const Head& head) const = 0;
  /// Through this area, which is not that of the head; the minimal path, if it is that of the destination.
  virtual Path path(const Head& head, NodeId through) const = 0;

 private:
  const std::unique_ptr<RoutingFunction> valiant_;
  const std::int64_t threshold_;
};

/// The lengths are the numbers of global links.
class OnDragonfly final : public Ugal {
 public:
  static constexpr std::int64_t default_threshold = 30;

  OnDragonfly(const Dragonfly& dragonfly, std::unique_ptr<RoutingFunction> valiant, std::int64_t threshold)
      : Ugal(std::move(valiant), threshold), dragonfly_(dragonfly) {}

 private:
  NodeId area(NodeId node) const override { return dragonfly_.group(node); }
  bool starts(const Head& head) const override {
    return dragonfly_.is_router(head.node) && head.in_port < dragonfly_.terminals_per_router();
  }
  Path path(const Head& head, NodeId through) const override {
    const std::int32_t here = dragonfly_.group(head.node);
    const NodeId gateway = dragonfly_.gateway(here, through);
    return {head.node == gateway ? dragonfly_.global_port(here, through) : dragonfly_.local_port(head.node, gateway),
            through == dragonfly_.group(head.destination) ? 1 : 2};
  }

  const Dragonfly& dragonfly_;
};

/// The lengths are the numbers of links between switches.
class OnButterfly final : public Ugal {
 public:
  static constexpr std::int64_t default_threshold = 2;

  OnButterfly(const FlattenedButterfly& butterfly, std::unique_ptr<RoutingFunction> valiant, std::int64_t threshold)
      : Ugal(std::move(valiant), threshold), butterfly_(butterfly) {}

 private:
  NodeId area(NodeId node) const override { return butterfly_.number(node); }
  bool starts(const Head& head) const override {
    return butterfly_.is_switch(head.node) && head.in_port >= butterfly_.ports_to_switches();
  }
  Path path(const Head& head, NodeId through) const override {
    const NodeId here = area(head.node), there = area(head.destination);
    return {butterfly_.dimension_order_port(here, through),
            butterfly_.switch_distance(here, through) + butterfly_.switch_distance(through, there)};
  }

  const FlattenedButterfly& butterfly_;
};

}  // namespace

FunctionEntry ugal_entry() {
  FunctionEntry entry;
  entry.name = "ugal";
  entry.meaning = "minimal, or through a random group or switch, by the load at the source (Singh 2005)";
  entry.serves = {{"dragonfly", 3, "local links of three groups"}, {"flattened-butterfly", 2, "the two phases"}};
  entry.keys = {
      integer_key(threshold_key,
                  "packets take the minimal path if its used places times its length exceed those of the other "
                  "path by at most this number (default 30 on a dragonfly, 2 on a flattened butterfly)")
          .omitted_at_default()};
  entry.make = [](const FunctionContext& context, const KeyValues& keys) -> std::unique_ptr<RoutingFunction> {
    const auto threshold = [&](std::int64_t otherwise) {
      return keys.has(threshold_key) ? keys.integer(threshold_key) : otherwise;
    };
    if (const auto* butterfly = context.network->as<FlattenedButterfly>())
      return std::make_unique<OnButterfly>(*butterfly, valiant_entry().make(context, keys),
                                           threshold(OnButterfly::default_threshold));
    return std::make_unique<OnDragonfly>(*context.network->as<Dragonfly>(),
                                         dragonfly_valiant_entry().make(context, keys),
                                         threshold(OnDragonfly::default_threshold));
  };
  return entry;
}

}  // namespace starloom::routing
