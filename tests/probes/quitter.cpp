// SPDX-License-Identifier: Apache-2.0
#include "probes/probes.hpp"

#include <starloom/control/links/algorithm.hpp>

#include "probes/dimension_order_queues.hpp"

namespace starloom::links {
namespace {

/// Dimension order. The controller does not know the end: the engine enforces it.
class QuitterController final : public FlitController {
 public:
  void step(FlitView& view) override {
    take_in_arrivals(view);
    while (view.waiting() > 0) take_in(view, view.accept());
    more_ = send_fronts(view);
    if (more_) view.wake_at(view.step() + 1);
  }

  void publish(std::uint32_t* values) const override { values[0] = more_ ? 1 : 0; }

 private:
  bool more_ = false;
};

class Quitter final : public Algorithm {
 public:
  Quitter(const Grid& topology, Step program) : Algorithm(declare(program)), topology_(topology) {}

  std::unique_ptr<ControllerArray> make_controllers() const override {
    return controllers_like(QuitterController(), topology_.nodes());
  }
  Port next_port(NodeId at, const Flit& head) const override {
    return topology_.dimension_order_port(at, head.destination);
  }

 private:
  static Declaration declare(Step program) {
    Declaration d;
    d.buffers = BufferSide::out_ports;
    d.program_end = program;
    d.state = {{"phase", 1, {"idle", "sending"}}};
    return d;
  }

  const Grid& topology_;
};

}  // namespace

AlgorithmEntry probe_quitter_entry() {
  AlgorithmEntry entry;
  entry.name = "probe-quitter";
  entry.meaning = "test controller: dimension order, with a schedule that ends even if packets are left";
  entry.needs = {"mesh", "torus"};
  entry.storage = StorageModel::store_and_forward;
  entry.keys = {integer_key("program", "length of the schedule: packets move in steps 0 to program-1")
                    .by_default(4)
                    .within(1, 1e15)
                    .measured_in("steps")};
  entry.make = [](const AlgorithmContext& context, const KeyValues& keys) -> std::unique_ptr<Algorithm> {
    return std::make_unique<Quitter>(context.grid(), keys.integer("program"));
  };
  return entry;
}

}  // namespace starloom::links
