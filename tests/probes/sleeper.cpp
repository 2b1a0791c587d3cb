// SPDX-License-Identifier: Apache-2.0
#include "probes/probes.hpp"

#include <starloom/control/links/algorithm.hpp>

#include "probes/dimension_order_queues.hpp"

namespace starloom::links {
namespace {

/// A packet stays in its processor's memory until `delay` steps after its creation, then takes dimension order.
class SleeperController final : public FlitController {
 public:
  explicit SleeperController(Step delay) : delay_(delay) {}

  void step(FlitView& view) override {
    take_in_arrivals(view);
    while (view.waiting() > 0 && due(view) <= view.step()) take_in(view, view.accept());
    const bool more = send_fronts(view);
    if (more) view.wake_at(view.step() + 1);
    if (view.waiting() > 0) view.wake_at(due(view));
    phase_ = more ? sending : view.waiting() > 0 ? asleep : idle;
  }

  void publish(std::uint32_t* values) const override { values[0] = phase_; }

 private:
  enum Phase : std::uint8_t { idle, asleep, sending };

  /// Packets are in the memory in the order of their creation, so the front is due first.
  Step due(const FlitView& view) const { return view.packet(view.next_packet()).created + delay_; }

  Step delay_;
  Phase phase_ = idle;
};

class Sleeper final : public Algorithm {
 public:
  Sleeper(const Grid& topology, Step delay) : Algorithm(declare()), topology_(topology), delay_(delay) {}

  std::unique_ptr<ControllerArray> make_controllers() const override {
    return controllers_like(SleeperController(delay_), topology_.nodes());
  }
  Port next_port(NodeId at, const Flit& head) const override {
    return topology_.dimension_order_port(at, head.destination);
  }

 private:
  static Declaration declare() {
    Declaration d;
    d.buffers = BufferSide::out_ports;
    d.state = {{"phase", 2, {"idle", "asleep", "sending"}}};
    return d;
  }

  const Grid& topology_;
  Step delay_;
};

}  // namespace

AlgorithmEntry probe_sleeper_entry() {
  AlgorithmEntry entry;
  entry.name = "probe-sleeper";
  entry.meaning = "test controller: packets stay long in their processor, then follow dimension order";
  entry.needs = {"mesh", "torus"};
  entry.storage = StorageModel::store_and_forward;
  entry.keys = {integer_key("delay", "time that a packet stays in its processor's memory")
                    .by_default(100'000'000)
                    .within(0, 1e15)
                    .measured_in("steps")};
  entry.make = [](const AlgorithmContext& context, const KeyValues& keys) -> std::unique_ptr<Algorithm> {
    return std::make_unique<Sleeper>(context.grid(), keys.integer("delay"));
  };
  return entry;
}

}  // namespace starloom::links
