// SPDX-License-Identifier: Apache-2.0
#include <starloom/routing/planar_adaptive.hpp>

#include <starloom/routing/grid_function.hpp>
#include <starloom/routing/rows_and_columns.hpp>

namespace starloom::routing {
namespace {

class PlanarAdaptive final : public RoutingFunction {
 public:
  /// \param mesh of rows and columns, outlives the function.
  PlanarAdaptive(const Grid& mesh, ChannelRange channels)
      : mesh_(mesh),
        all_(channels),
        eastward_{channels.first, channels.count / 3},
        westward_{eastward_.first + eastward_.count, eastward_.count},
        last_{westward_.first + westward_.count, channels.count - 2 * eastward_.count} {}

  void route(const Head& head, Choices& choices) const override {
    const Offset to(mesh_, head.node, head.destination);
    const auto add = [&](Port port, ChannelRange channels) { choices.add(port, channels.first, channels.count); };
    const Port vertical = to.south < 0 ? north : south;
    if (to.east == 0) return to.south == 0 ? add(mesh_.ports(), all_) : add(vertical, last_);
    add(to.east > 0 ? east : west, last_);
    if (to.south != 0) add(vertical, to.east > 0 ? eastward_ : westward_);
  }
  bool adaptive() const override { return true; }

 private:
  const Grid& mesh_;
  ChannelRange all_, eastward_, westward_, last_;
};

}  // namespace

FunctionEntry planar_adaptive_entry() {
  FunctionEntry entry;
  entry.name = "planar-adaptive";
  entry.meaning = "both shortest directions, in channels of their own (Chien and Kim 1992)";
  entry.serves = {{"mesh", 3, "its three classes"}, {"concentrated-mesh", 3, "its three classes"}};
  entry.rows_and_columns = true;
  entry.make = [](const FunctionContext& context, const KeyValues&) {
    return on_network(context, std::make_unique<PlanarAdaptive>(*grid_in(*context.network), context.all_channels()));
  };
  return entry;
}

}  // namespace starloom::routing
