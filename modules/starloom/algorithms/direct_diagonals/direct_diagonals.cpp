// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/direct_diagonals/direct_diagonals.hpp>

#include <algorithm>

#include <starloom/algorithms/links/least_steps.hpp>
#include <starloom/algorithms/links/one_packet_each.hpp>
#include <starloom/support/error.hpp>

namespace starloom::links {
namespace {

/// Worms move only in the directions of greater coordinates, so the sum of coordinates minus the step, modulo n,
/// never changes: their diagonal position. They start at positions that are multiples of L, so two of them either
/// meet head to head or not at all. Dimensions are served in order; a worm that does not get the link of a later
/// dimension continues in its own.
class DirectDiagonalsController final : public WormController {
 public:
  explicit DirectDiagonalsController(std::int32_t flits) : flits_(flits) {}

  void step(WormView& view) override {
    taken_ = view.bound();
    // Later dimensions first: their worms leave links free, or continue, before other worms request the links.
    for (int axis = view.grid().dimensions() - 1; axis >= 0; --axis) {
      const Port in = view.grid().port_along(axis, -1);  // faces the neighbour that it comes from
      if ((view.arrived() >> in & 1) != 0) decide(view, in, axis);
    }
    if (view.waiting() > 0) start(view);
  }

  void publish(std::uint32_t* values) const override { values[0] = refused_; }

  /// The step after the one in which the last worm ended here; 0: none did.
  Step ended() const { return ended_; }

 private:
  void decide(WormView& view, Port in, int axis) {
    const NodeId destination = view.arrival(in).destination;
    if (destination == view.node()) {
      ended_ = view.step() + flits_;
      return view.eject(in);
    }
    const Port straight = view.grid().port_along(axis, 1), wanted = wanted_port(view, destination);
    const bool gets = (taken_ >> wanted & 1) == 0;
    refused_ += gets ? 0 : 1;
    send(view, in, gets ? wanted : straight);
  }

  void send(WormView& view, Port in, Port out) {
    taken_ |= PortMask{1} << out;
    view.route(in, out);
  }

  /// Upwards in the first dimension with a wrong coordinate.
  static Port wanted_port(const WormView& view, NodeId destination) {
    const Grid& grid = view.grid();
    int axis = 0;
    while (grid.offset(view.node(), destination, axis) == 0) ++axis;
    return grid.port_along(axis, 1);
  }

  void start(WormView& view) {
    const Grid& grid = view.grid();
    const std::int32_t n = grid.side(0), diagonals = n / flits_;
    std::int64_t sum = -view.step() % n + n;
    for (int axis = 0; axis < grid.dimensions(); ++axis) sum += grid.coordinate(view.node(), axis);
    const auto position = static_cast<std::int32_t>(sum % n);
    const bool usable = position % flits_ == 0 && position / flits_ < diagonals;
    bool more = true;
    if (usable) {
      const Port out = wanted_port(view, view.packet(view.next_packet()).destination);
      if ((taken_ >> out & 1) == 0) {
        more = view.waiting() > 1;
        view.inject(out, static_cast<std::uint16_t>(position / flits_));
      }
    }
    const std::int32_t last = (diagonals - 1) * flits_;
    const std::int32_t wait = position > last ? position - last : position == 0 ? n - last : position % flits_;
    if (more) view.wake_at(view.step() + (wait == 0 ? flits_ : wait));
  }

  std::int32_t flits_;
  std::uint32_t refused_ = 0;  ///< number of times that a worm did not get its link here
  Step ended_ = 0;
  PortMask taken_ = 0;  ///< links with a flit in this step
};

class DirectDiagonalsControllers final : public ControllerArray {
 public:
  DirectDiagonalsControllers(const Grid& torus, std::int32_t flits, double least)
      : controllers_(static_cast<std::size_t>(torus.nodes()), DirectDiagonalsController(flits)),
        least_(least),
        flits_and_side_(flits * torus.side(0)) {}

  Controller& at(NodeId node) override { return controllers_[static_cast<std::size_t>(node)]; }
  std::map<std::string, double> metrics() const override {
    Step end = 0;
    for (const DirectDiagonalsController& controller : controllers_) end = std::max(end, controller.ended());
    const auto steps = static_cast<double>(end);
    std::map<std::string, double> metrics = {{"steps_per_flit_and_side", steps / flits_and_side_}};
    if (least_ > 0) metrics["times_least"] = steps / least_;
    return metrics;
  }

 private:
  std::vector<DirectDiagonalsController> controllers_;
  double least_, flits_and_side_;
};

class DirectDiagonals final : public Algorithm {
 public:
  DirectDiagonals(const Grid& torus, std::int32_t flits, const std::vector<Packet>& packets)
      : Algorithm(declare(flits)), torus_(torus), flits_(flits), least_(least_steps(torus, packets)) {}

  std::unique_ptr<ControllerArray> make_controllers() const override {
    return std::make_unique<DirectDiagonalsControllers>(torus_, flits_, least_);
  }
  std::map<std::string, double> bounds(const std::vector<Packet>& /*packets*/) const override {
    return {{"least_steps", least_}};
  }

 private:
  static Declaration declare(std::int32_t flits) {
    Declaration d;
    d.storage = StorageModel::never_standing;
    d.most_flits = flits;
    d.state = {{"refused", 32, {}}};
    return d;
  }

  const Grid& torus_;
  std::int32_t flits_;
  double least_;
};

}  // namespace

AlgorithmEntry direct_diagonals_entry() {
  AlgorithmEntry entry;
  entry.name = "direct-diagonals";
  entry.meaning = "worms on sliding diagonals circle until their next link is free";
  entry.audience = Audience::theory;
  entry.needs = {"torus"};
  entry.storage = StorageModel::never_standing;
  entry.in_lockstep = true;
  entry.bounds = {least_steps_bound()};
  entry.metrics = {
      number_metric("steps_per_flit_and_side", "steps", "steps to the last arrival, divided by flits and side"),
      number_metric("times_least", "", "steps to the last arrival, divided by `bounds.least_steps`")
          .only("`bounds.least_steps` is above 0")};
  entry.refuse = refuse_grids([](const Grid& grid, const KeyValues&) { check_equal_sides(grid, "direct-diagonals"); });
  entry.make = [](const AlgorithmContext& context, const KeyValues& /*keys*/) -> std::unique_ptr<Algorithm> {
    const Grid& torus = context.grid();
    const std::vector<Packet>& packets = known_packets(context, "direct-diagonals");
    check_equal_sides(torus, "direct-diagonals");
    check_one_packet_each(torus, packets, "direct-diagonals moves");
    const std::int32_t flits = flits_of_each(packets, "direct-diagonals moves");
    if (flits > torus.side(0))
      throw InputError("direct-diagonals: a worm of " + std::to_string(flits) + " flits does not fit into rings of " +
                       std::to_string(torus.side(0)) + " nodes");
    return std::make_unique<DirectDiagonals>(torus, flits, packets);
  };
  return entry;
}

}  // namespace starloom::links
