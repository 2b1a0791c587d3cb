// SPDX-License-Identifier: Apache-2.0
#include <starloom/routing/dimension_order.hpp>

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

#include <starloom/routing/backup.hpp>
#include <starloom/routing/grid_function.hpp>
#include <starloom/topology/express_mesh.hpp>
#include <starloom/topology/hypercube.hpp>

namespace starloom::routing {
namespace {

class DimensionOrder final : public RoutingFunction {
 public:
  DimensionOrder(const Grid& grid, const DimensionOrderOptions& options)
      : grid_(grid),
        axes_(grid.route_axes()),
        channels_(options.channels),
        upper_(options.channels.part(1, 2)),
        classes_(grid.kind() == GridKind::torus && options.datelines == Datelines::classes && upper_.count > 0),
        tie_break_(grid.kind() == GridKind::torus ? options.tie_break : RingTieBreak::positive) {
    if (options.last_first) std::reverse(axes_.begin(), axes_.end());
  }

  void route(const Head& head, Choices& choices) const override {
    for (const int axis : axes_) {
      const std::int32_t offset = offset_of(head, axis);
      if (offset == 0) continue;
      const Port port = grid_.port_along(axis, offset);
      if (!classes_) return choices.add(port, channels_.first, channels_.count);
      if (in_class_1(head, axis)) return choices.add(port, upper_.first, upper_.count);
      return choices.add(port, channels_.first, channels_.count - upper_.count);
    }
    choices.add(grid_.ports(), channels_.first, channels_.count);
  }

  void mark_channel(int channel, std::vector<int>& marks) const override {
    if (classes_) marks.push_back(!channels_.has(channel) ? 0 : channel < upper_.first ? 1 : 2);
  }
  std::uint32_t random_choices() const override {
    return tie_break_ == RingTieBreak::random ? 1u << grid_.dimensions() : 1;
  }

 private:
  /// A distance of half a ring remains only where a packet enters a dimension, so that the coordinate is still that
  /// of its source.
  std::int32_t offset_of(const Head& head, int axis) const {
    const std::int32_t offset = grid_.offset(head.node, head.destination, axis);
    if (tie_break_ == RingTieBreak::positive || 2 * offset != grid_.side(axis)) return offset;
    const bool negative = tie_break_ == RingTieBreak::random ? (head.random_choice >> axis & 1) != 0
                                                             : grid_.coordinate(head.node, axis) % 2 != 0;
    return negative ? -offset : offset;
  }
  bool in_class_1(const Head& head, int axis) const {
    const bool entered_before =
        head.in_port != grid_.ports() && grid_.axis_of(head.in_port) == axis && channels_.has(head.in_channel);
    if (entered_before) return head.in_channel >= upper_.first;
    return grid_.coordinate(head.node, axis) > grid_.coordinate(head.destination, axis);
  }

  const Grid& grid_;
  std::vector<int> axes_;
  ChannelRange channels_, upper_;
  bool classes_;
  RingTieBreak tie_break_;
};

/// Dimension order on a hypercube, e-cube routing: the lowest bit that differs first (H. Sullivan, T. R. Bashkow, "A
/// Large Scale, Homogeneous, Fully Distributed Parallel Machine, I", ISCA 1977).
class ECube final : public RoutingFunction {
 public:
  ECube(Port local, ChannelRange channels) : local_(local), channels_(channels) {}

  void route(const Head& head, Choices& choices) const override {
    const PortMask left = Hypercube::differing(head.node, head.destination);
    choices.add(left == 0 ? local_ : lowest_port(left), channels_.first, channels_.count);
  }

 private:
  Port local_;
  ChannelRange channels_;
};

/// Dimension order on an express mesh. A packet takes express links while they do not lead beyond its destination's row
/// or column, so that it never goes back: each line has the dependencies of a mesh.
class ExpressOrder final : public RoutingFunction {
 public:
  ExpressOrder(const ExpressMesh& express, ChannelRange channels) : express_(express), channels_(channels) {}

  void route(const Head& head, Choices& choices) const override {
    const Grid& mesh = express_.mesh();
    for (const int axis : mesh.route_axes()) {
      const std::int32_t offset = mesh.offset(head.node, head.destination, axis);
      if (offset == 0) continue;
      const Port port = mesh.port_along(axis, offset);
      return choices.add(std::abs(offset) < express_.skip() ? port : ExpressMesh::express(port), channels_.first,
                         channels_.count);
    }
    choices.add(ExpressMesh::ports, channels_.first, channels_.count);
  }

 private:
  const ExpressMesh& express_;
  ChannelRange channels_;
};

/// Dimension order between the switches of a flattened butterfly: a link for each dimension.
class ButterflyOrder final : public RoutingFunction {
 public:
  ButterflyOrder(const FlattenedButterfly& butterfly, ChannelRange channels)
      : butterfly_(butterfly), channels_(channels) {}

  void route(const Head& head, Choices& choices) const override {
    const Port port = butterfly_.dimension_order_port(head.node, head.destination);
    choices.add(port == no_port ? butterfly_.ports_to_switches() : port, channels_.first, channels_.count);
  }

 private:
  const FlattenedButterfly& butterfly_;
  ChannelRange channels_;
};

FunctionEntry entry(std::string name, std::string meaning, const DimensionOrderOptions& given) {
  FunctionEntry entry;
  entry.name = std::move(name);
  entry.meaning = std::move(meaning);
  const Service with_rings =
      given.datelines == Datelines::classes
          ? Service{"", 2, "datelines", 1, "without datelines, dimension-order-plain can deadlock"}
          : Service{};
  Service torus = with_rings, ring = with_rings;
  torus.capability = "torus";
  ring.capability = "ring";
  entry.serves = {{"mesh"}, torus, ring, {"concentrated-mesh"}};
  entry.fixed = true;
  entry.keys = {ring_tie_break_key()};
  entry.make = [given](const FunctionContext& context, const KeyValues& keys) {
    DimensionOrderOptions options = given;
    options.channels = context.all_channels();
    options.tie_break = ring_tie_break_of(keys);
    return on_network(context, dimension_order(*grid_in(*context.network), options));
  };
  return entry;
}

}  // namespace

std::unique_ptr<RoutingFunction> dimension_order(const Grid& grid, const DimensionOrderOptions& options) {
  return std::make_unique<DimensionOrder>(grid, options);
}

int dimension_order_channels(const Grid& grid) { return grid.kind() == GridKind::torus ? 2 : 1; }

std::unique_ptr<RoutingFunction> dimension_order(const FlattenedButterfly& butterfly, ChannelRange channels) {
  return std::make_unique<ButterflyOrder>(butterfly, channels);
}

FunctionEntry dimension_order_entry() {
  FunctionEntry all = entry("dimension-order", "one dimension after the other, x first; datelines on rings", {});
  for (const char* topology : {"express-mesh", "hypercube", "flattened-butterfly"}) all.serves.push_back({topology});
  all.make = [of_grid = all.make](const FunctionContext& context,
                                  const KeyValues& keys) -> std::unique_ptr<RoutingFunction> {
    const ChannelRange channels = context.all_channels();
    if (const auto* express = context.network->as<ExpressMesh>())
      return std::make_unique<ExpressOrder>(*express, channels);
    if (context.network->as<Hypercube>() != nullptr) return std::make_unique<ECube>(context.graph().ports(), channels);
    if (const auto* butterfly = context.network->as<FlattenedButterfly>())
      return on_network(context, dimension_order(*butterfly, channels));
    return of_grid(context, keys);
  };
  return with_backup_key(std::move(all));
}

FunctionEntry dimension_order_plain_entry() {
  return entry("dimension-order-plain", "dimension order without datelines, which can deadlock on a torus",
               {false, Datelines::none, {}});
}

FunctionEntry yx_entry() {
  return with_backup_key(entry("yx", "dimension order with the last dimension first", {true, Datelines::classes, {}}));
}

}  // namespace starloom::routing
