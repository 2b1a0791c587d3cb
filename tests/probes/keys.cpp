// SPDX-License-Identifier: Apache-2.0
#include "probes/probes.hpp"

#include <starloom/control/links/algorithm.hpp>

#include "probes/dimension_order_queues.hpp"

namespace starloom::links {
namespace {

/// In each step before `rounds`, a node that has a packet in step 0 sends a key with the number of the round and its
/// own to the neighbour that comes next in the first dimension. From then on packets go by dimension order. A node
/// that has read a wrong key keeps its own packets for ever, so that no run completes that mangles keys.
class KeysController final : public FlitController {
 public:
  explicit KeysController(Step rounds) : rounds_(rounds) {}

  void step(FlitView& view) override {
    const Grid& grid = view.grid();
    const int axis = grid.route_axes().front();
    const Port out = grid.port_along(axis, +1), in = grid.port_along(axis, -1);

    if ((view.arrived() >> in & 1) != 0 && view.arrival(in).kind == FlitKind::key)
      read(view.arrival(in), grid.neighbour(view.node(), in));
    if (view.step() == 0) sends_ = view.waiting() > 0;
    if (view.step() < rounds_ && sends_) {
      if ((view.out_ports() >> out & 1) != 0) view.send(out, key(view));
      view.wake_at(view.step() + 1);
    } else if (view.step() < rounds_ && view.waiting() > 0) {
      view.wake_at(rounds_);
    }
    if (view.step() < rounds_) return;

    take_in_arrivals(view);
    while (!wrong_ && view.waiting() > 0) take_in(view, view.accept());
    if (send_fronts(view)) view.wake_at(view.step() + 1);
  }

  void publish(std::uint32_t* values) const override {
    values[0] = read_;
    values[1] = wrong_ ? 1 : 0;
  }

 private:
  static Flit key(const FlitView& view) {
    Flit flit;
    flit.kind = FlitKind::key;
    flit.header = {static_cast<std::uint32_t>(view.step()), static_cast<std::uint32_t>(view.node()), 0};
    return flit;
  }

  void read(const Flit& key, NodeId sender) {
    if (key.header[0] != read_ || key.header[1] != static_cast<std::uint32_t>(sender)) wrong_ = true;
    ++read_;
  }

  Step rounds_;
  bool sends_ = false;
  std::uint32_t read_ = 0;  ///< keys read; the next one must have this number
  bool wrong_ = false;
};

class Keys final : public Algorithm {
 public:
  Keys(const Grid& topology, Step rounds) : Algorithm(declare()), topology_(topology), rounds_(rounds) {}

  std::unique_ptr<ControllerArray> make_controllers() const override {
    return controllers_like(KeysController(rounds_), topology_.nodes());
  }
  Port next_port(NodeId at, const Flit& head) const override {
    return topology_.dimension_order_port(at, head.destination);
  }

 private:
  static Declaration declare() {
    Declaration d;
    d.buffers = BufferSide::out_ports;
    d.state = {{"read", 32, {}}, {"verdict", 1, {"right", "wrong"}}};
    return d;
  }

  const Grid& topology_;
  Step rounds_;
};

}  // namespace

AlgorithmEntry probe_keys_entry() {
  AlgorithmEntry entry;
  entry.name = "probe-keys";
  entry.meaning = "test controller: neighbours exchange keys, then packets follow dimension order";
  entry.needs = {"mesh", "torus"};
  entry.storage = StorageModel::store_and_forward;
  entry.keys = {integer_key("rounds", "number of steps in which keys are sent, one per link of the first dimension")
                    .by_default(4)
                    .within(1, 1 << 30)
                    .measured_in("steps")};
  entry.make = [](const AlgorithmContext& context, const KeyValues& keys) -> std::unique_ptr<Algorithm> {
    return std::make_unique<Keys>(context.grid(), keys.integer("rounds"));
  };
  return entry;
}

}  // namespace starloom::links
