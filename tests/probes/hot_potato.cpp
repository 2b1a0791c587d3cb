// SPDX-License-Identifier: Apache-2.0
#include "probes/probes.hpp"

#include <starloom/control/links/algorithm.hpp>

#include <starloom/support/error.hpp>

namespace starloom::links {
namespace {

constexpr Port plus = 0;    ///< the out-port along +1
constexpr Port behind = 1;  ///< the in-port where worms that move along +1 arrive

/// The ring is cut into frames of `flits` links that turn with the worms: a worm that starts has its head at the front
/// of a frame, so its flits fill no link outside. A frame is free for a new worm if no head arrives at its front, or
/// if the worm in it is ejected here, flit by flit, while the new one enters.
class HotPotatoController final : public WormController {
 public:
  HotPotatoController(std::int32_t flits, std::uint32_t laps, bool absorb)
      : flits_(flits), laps_(laps), absorb_(absorb) {}

  void step(WormView& view) override {
    bool passes = false;
    if ((view.arrived() >> behind & 1) != 0) passes = !eject_or_pass(view);
    if (view.waiting() == 0) return;
    if (!passes && at_front_of_a_frame(view)) view.inject(plus);
    if (view.waiting() > 0) view.wake_at(view.step() + 1);
  }

  void publish(std::uint32_t* values) const override {
    values[0] = passes_;
    values[1] = ejected_;
  }

 private:
  /// True if the worm is ejected here.
  bool eject_or_pass(WormView& view) {
    const Flit& head = view.arrival(behind);
    if (head.destination == view.node()) {
      ++passes_;
      if (absorb_ && head.header[0] == laps_) {
        view.eject(behind);
        ++ejected_;
        return true;
      }
      FlitHeader header = head.header;
      ++header[0];
      view.relabel(behind, head.tag, header);
    }
    view.route(behind, plus);
    return false;
  }

  bool at_front_of_a_frame(const WormView& view) const {
    const std::int64_t n = view.grid().nodes();
    const std::int64_t turned = ((view.node() - view.step()) % n + n) % n;
    return turned % flits_ == flits_ - 1 && turned / flits_ < n / flits_;
  }

  std::int32_t flits_;
  std::uint32_t laps_;
  bool absorb_;
  std::uint32_t passes_ = 0;   ///< heads that have reached their destination here
  std::uint32_t ejected_ = 0;  ///< worms ejected here
};

class HotPotato final : public Algorithm {
 public:
  HotPotato(const Grid& topology, std::int32_t flits, std::uint32_t laps, bool absorb)
      : Algorithm(declare(flits)), nodes_(topology.nodes()), flits_(flits), laps_(laps), absorb_(absorb) {}

  std::unique_ptr<ControllerArray> make_controllers() const override {
    return controllers_like(HotPotatoController(flits_, laps_, absorb_), nodes_);
  }
  Port next_port(NodeId, const Flit&) const override { return plus; }

 private:
  static Declaration declare(std::int32_t flits) {
    Declaration d;
    d.storage = StorageModel::never_standing;
    d.most_flits = flits;
    d.state = {{"passes", 32, {}}, {"ejected", 32, {}}};
    return d;
  }

  NodeId nodes_;
  std::int32_t flits_;
  std::uint32_t laps_;
  bool absorb_;
};

void refuse_probe_hot_potato(const Grid& grid, const KeyValues& keys) {
  if (grid.dimensions() != 1) throw InputError("probe-hot-potato needs a torus of one dimension");
  if (keys.integer("flits") > grid.nodes()) throw InputError("probe-hot-potato: a worm is longer than the ring");
}

}  // namespace

AlgorithmEntry probe_hot_potato_entry() {
  AlgorithmEntry entry;
  entry.name = "probe-hot-potato";
  entry.meaning = "test controller: worms circle a ring and never stop";
  entry.needs = {"torus"};
  entry.mixed_lengths = true;
  entry.storage = StorageModel::never_standing;
  entry.keys = {
      integer_key("flits", "length of the longest worm").by_default(1).within(1, 1 << 20).measured_in("flits"),
      integer_key("laps", "number of times that a worm passes its destination before it is ejected there")
          .by_default(0)
          .within(0, 1 << 30),
      boolean_key("absorb", "false: worms are never ejected").by_default(true)};
  entry.refuse = refuse_grids(refuse_probe_hot_potato);
  entry.make = [](const AlgorithmContext& context, const KeyValues& keys) -> std::unique_ptr<Algorithm> {
    refuse_probe_hot_potato(context.grid(), keys);
    return std::make_unique<HotPotato>(context.grid(), static_cast<std::int32_t>(keys.integer("flits")),
                                       static_cast<std::uint32_t>(keys.integer("laps")), keys.boolean("absorb"));
  };
  return entry;
}

}  // namespace starloom::links
