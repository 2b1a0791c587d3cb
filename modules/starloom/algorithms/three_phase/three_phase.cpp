// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/three_phase/three_phase.hpp>
#include <starloom/schema/config_error.hpp>

#include <algorithm>

#include <starloom/algorithms/links/out_queues.hpp>
#include <starloom/support/error.hpp>

namespace starloom::links {
namespace {

/// The tag of a flit.
enum Phase : std::uint16_t { no_phase = 0, to_row = 1, along_row = 2, to_destination = 3 };

/// The word of a flit with the node where its first phase ends.
constexpr std::size_t turn = 0;

/// One queue per out-port, greatest remaining distance first. A packet's position in a queue never changes, because
/// its distances do not change while it waits.
class ThreePhaseController final : public FlitController {
 public:
  explicit ThreePhaseController(std::int32_t slice) : slice_(slice) {}

  void step(FlitView& view) override {
    for (PortMask left = view.arrived(); left != 0; left &= left - 1) take_in(view, view.arrival(lowest_port(left)));
    RandomStream random = view.random();
    while (view.waiting() > 0) {
      Flit flit = view.accept();
      flit.tag = to_row;
      flit.header[turn] = static_cast<std::uint32_t>(random_turn(view, random));
      take_in(view, flit);
    }
    if (send_fronts(view)) view.wake_at(view.step() + 1);
  }

 private:
  /// A random node of this column within the slice of rows that contains this row. Nodes of a row have consecutive
  /// numbers.
  NodeId random_turn(const FlitView& view, RandomStream& random) const {
    const Grid& grid = view.grid();
    const NodeId columns = grid.side(grid.route_axes().front());
    const std::int32_t row = view.node() / columns;
    const std::int32_t first = row - row % slice_;
    const std::int32_t height = std::min(slice_, grid.nodes() / columns - first);
    const auto chosen = first + static_cast<std::int32_t>(random.bounded(static_cast<std::uint32_t>(height)));
    return view.node() + (chosen - row) * columns;
  }

  static void take_in(FlitView& view, Flit& flit) {
    if (flit.destination == view.node()) return view.eject(flit);
    const Grid& grid = view.grid();
    auto end_of_phase = static_cast<NodeId>(flit.header[turn]);
    if (flit.tag != to_row || end_of_phase == view.node()) {
      end_of_phase = flit.destination;
      const int axis = grid.axis_of(grid.dimension_order_port(view.node(), flit.destination));
      flit.tag = axis == grid.route_axes().front() ? along_row : to_destination;
    }
    const std::int32_t to_go = grid.distance(view.node(), end_of_phase) + grid.distance(end_of_phase, flit.destination);
    view.push(grid.dimension_order_port(view.node(), end_of_phase), flit, -to_go);
  }

  std::int32_t slice_;
};

class ThreePhase final : public Algorithm {
 public:
  ThreePhase(const Grid& topology, std::int32_t slice) : Algorithm(declare()), topology_(topology), slice_(slice) {}

  std::unique_ptr<ControllerArray> make_controllers() const override {
    return controllers_like(ThreePhaseController(slice_), topology_.nodes());
  }
  /// A packet whose row is not drawn yet has no fixed path, unless its slice has one row.
  Port next_port(NodeId at, const Flit& head) const override {
    if (head.tag == no_phase && slice_ > 1) return no_port;
    return topology_.dimension_order_port(
        at, head.tag == to_row ? static_cast<NodeId>(head.header[turn]) : head.destination);
  }

 private:
  static Declaration declare() {
    Declaration d;
    d.storage = StorageModel::store_and_forward;
    d.buffers = BufferSide::out_ports;
    return d;
  }

  const Grid& topology_;
  std::int32_t slice_;
};

std::int64_t slice_height(const Grid& grid, const KeyValues& keys) {
  return keys.has("slice") ? keys.integer("slice") : grid.side(grid.route_axes().back());
}

void refuse_three_phase(const Grid& grid, const KeyValues& keys) {
  if (grid.dimensions() != 2) throw InputError("three-phase needs a grid of two dimensions");
  const std::int64_t rows = grid.side(grid.route_axes().back()), height = slice_height(grid, keys);
  if (height > rows)
    throw ConfigError("slice", std::to_string(height) + " rows, but there are " + std::to_string(rows) +
                                   "; choose 1 to " + std::to_string(rows));
}

}  // namespace

AlgorithmEntry three_phase_entry() {
  AlgorithmEntry entry;
  entry.name = "three-phase";
  entry.meaning = "column to a random row, that row, column to the destination";
  entry.audience = Audience::theory;
  entry.needs = {"mesh", "torus"};
  entry.storage = StorageModel::store_and_forward;
  entry.keys = {integer_key("slice",
                            "height of a slice of rows; the random row is in the slice of the packet; 1 is dimension "
                            "order; default: one slice of all rows")
                    .within(1, 1 << 30)
                    .measured_in("rows")};
  entry.refuse = refuse_grids(refuse_three_phase);
  entry.make = [](const AlgorithmContext& context, const KeyValues& keys) -> std::unique_ptr<Algorithm> {
    refuse_three_phase(context.grid(), keys);
    return std::make_unique<ThreePhase>(context.grid(), static_cast<std::int32_t>(slice_height(context.grid(), keys)));
  };
  return entry;
}

}  // namespace starloom::links
