// SPDX-License-Identifier: Apache-2.0
#include "probes/probes.hpp"

#include <starloom/control/links/algorithm.hpp>

namespace starloom::links {
namespace {

/// A node cannot see whether the register at the far end of its out-link is empty, so a link that a worm has entered
/// stays *reserved* until it is known to be: when the tail is consumed, the destination writes a word on the reverse
/// wire of the in-port; each node on the path frees the link and forwards the word, back to the source. A head whose
/// out-link is reserved holds; the word wakes the node, which releases the waiting worm of the lowest packet. On a
/// mesh the links wait for each other in dimension order, without a cycle.
class HoldController final : public WormController {
 public:
  HoldController() {
    entered_by_.fill(free);
    empty_at_.fill(no_step);
  }

  void step(WormView& view) override {
    for (PortMask left = view.reverse_words(); left != 0; left &= left - 1) free_link(view, lowest_port(left));
    const PortMask heads = view.arrived() | view.parked();
    for (PortMask left = heads; left != 0; left &= left - 1) {
      const Port in = lowest_port(left);
      const Flit& head = view.arrival(in);
      if (head.destination == view.node()) eject(view, in);
    }
    for (PortMask left = view.out_ports(); left != 0; left &= left - 1) serve(view, heads, lowest_port(left));
    held_ = 0;
    for (PortMask left = heads; left != 0; left &= left - 1) {
      const Port in = lowest_port(left);
      if (passed_ >> in & 1) continue;
      if ((view.arrived() >> in & 1) != 0) view.hold(in);
      ++held_;
    }
    passed_ = 0;
    announce_empty(view);
  }

  void publish(std::uint32_t* values) const override {
    std::uint32_t reserved = 0;
    for (const std::int8_t by : entered_by_) reserved += by != free;
    values[0] = reserved;
    values[1] = held_;
    values[2] = held_ > 0 ? 2 : reserved > 0 ? 1 : 0;
  }

 private:
  static constexpr std::int8_t free = -1, own = -2;

  void free_link(WormView& view, Port out) {
    const std::int8_t in = entered_by_[out];
    entered_by_[out] = free;
    if (in != own) view.write_reverse(in, 1);
  }

  void eject(WormView& view, Port in) {
    view.eject(in);
    passed_ |= PortMask{1} << in;
    empty_at_[in] = view.step() + view.packet(view.arrival(in).packet).flits - 1;
  }

  /// Gives a free link to the lowest packet whose head requests it, else to the processor.
  void serve(WormView& view, PortMask heads, Port out) {
    if (entered_by_[out] != free) return;
    Port winner = no_port;
    for (PortMask left = heads & ~passed_; left != 0; left &= left - 1) {
      const Port in = lowest_port(left);
      const Flit& head = view.arrival(in);
      if (view.grid().dimension_order_port(view.node(), head.destination) != out) continue;
      if (winner == no_port || head.packet < view.arrival(winner).packet) winner = in;
    }
    if (winner != no_port) {
      if ((view.parked() >> winner & 1) != 0) view.release(winner, out);
      else view.route(winner, out);
      passed_ |= PortMask{1} << winner;
      entered_by_[out] = static_cast<std::int8_t>(winner);
    } else if (view.waiting() > 0 && !injected(view)) {
      const NodeId destination = view.packet(view.next_packet()).destination;
      if (view.grid().dimension_order_port(view.node(), destination) != out) return;
      injected_in_ = view.step();
      view.inject(out);
      entered_by_[out] = own;
      // The next packet may ask for another link, which is free already: no word will come.
      if (view.waiting() > 1) view.wake_at(view.step() + 1);
    }
  }

  bool injected(const WormView& view) const { return injected_in_ == view.step(); }

  void announce_empty(WormView& view) {
    for (PortMask left = view.in_ports(); left != 0; left &= left - 1) {
      const Port in = lowest_port(left);
      if (empty_at_[in] == no_step) continue;
      if (empty_at_[in] == view.step()) {
        view.write_reverse(in, 1);
        empty_at_[in] = no_step;
      } else {
        view.wake_at(empty_at_[in]);
      }
    }
  }

  std::array<std::int8_t, ports_per_word>
      entered_by_{};                             ///< [out-port]: in-port of the worm that reserves it, free, own
  std::array<Step, ports_per_word> empty_at_{};  ///< [in-port]: step in which the tail of an ejected worm leaves it
  PortMask passed_ = 0;                          ///< in-ports whose heads leave in this step
  Step injected_in_ = no_step;                   ///< last step in which a worm started here
  std::uint32_t held_ = 0;                       ///< heads that stay here
};

class Hold final : public Algorithm {
 public:
  explicit Hold(const Grid& topology) : Algorithm(declare()), topology_(topology) {}

  std::unique_ptr<ControllerArray> make_controllers() const override {
    return controllers_like(HoldController(), topology_.nodes());
  }
  Port next_port(NodeId at, const Flit& head) const override {
    return topology_.dimension_order_port(at, head.destination);
  }

 private:
  static Declaration declare() {
    Declaration d;
    d.storage = StorageModel::links_only;
    d.reverse_wire = true;
    d.most_flits = 0;
    d.state = {{"reserved", 6, {}}, {"held", 6, {}}, {"phase", 2, {"idle", "passing", "holding"}}};
    return d;
  }

  const Grid& topology_;
};

}  // namespace

AlgorithmEntry probe_hold_entry() {
  AlgorithmEntry entry;
  entry.name = "probe-hold";
  entry.meaning = "test controller: worms in dimension order hold until their next link is certain to be free";
  entry.needs = {"mesh", "torus"};
  entry.mixed_lengths = true;
  entry.storage = StorageModel::links_only;
  entry.make = [](const AlgorithmContext& context, const KeyValues&) -> std::unique_ptr<Algorithm> {
    return std::make_unique<Hold>(context.grid());
  };
  return entry;
}

}  // namespace starloom::links
