// SPDX-License-Identifier: Apache-2.0
#include "across_first.hpp"

#include <cstdlib>
#include <string>

#include "spidergon.hpp"

namespace own {

using namespace starloom;
using namespace starloom::links;

namespace {

/// The order of packets that wait for a link.
const std::vector<std::string> order_names = {"passing", "fifo"};
enum class Order { passing, fifo };

/// The state of a node, for waves.
const std::vector<std::string> mode_names = {"idle", "passing", "yielding"};
enum class Mode : std::uint32_t { idle, passing, yielding };

/// The data that all nodes share.
struct Rules {
  Spidergon ring;
  std::int32_t across_beyond;
  Order order;

  /// Never across twice: that is what the least `across_beyond` is for.
  Port port(NodeId at, NodeId destination) const {
    if (at == destination) return no_port;
    const std::int32_t offset = ring.offset(at, destination);
    if (std::abs(offset) > across_beyond) return Spidergon::across;
    return offset > 0 ? Spidergon::clockwise : Spidergon::anticlockwise;
  }
};

/// The controller of one node.
class AcrossFirstNode final : public FlitController {
 public:
  explicit AcrossFirstNode(const Rules& rules) : rules_(&rules) {}

  void step(FlitView& view) override {
    for (PortMask left = view.arrived(); left != 0; left &= left - 1) {
      const Flit& flit = view.arrival(lowest_port(left));
      if (flit.destination == view.node()) view.eject(flit);
      else queue(view, flit, /*own=*/false);
    }
    while (view.waiting() > 0) queue(view, view.accept(), /*own=*/true);

    bool more = false;
    for (Port port = 0; port < view.buffers(); ++port) {
      if (view.empty(port)) continue;
      const Flit flit = view.pop(port);
      if (view.packet(flit.packet).source == view.node()) --own_;
      view.send(port, flit);
      more = more || !view.empty(port);
    }
    mode_ = own_ > 0 ? Mode::yielding : more ? Mode::passing : Mode::idle;
    if (more) view.wake_at(view.step() + 1);  // arrivals and new packets wake the node anyway
  }

  void publish(std::uint32_t* values) const override { values[0] = static_cast<std::uint32_t>(mode_); }

 private:
  /// The lowest rank leaves first; among equal ones the lowest packet number.
  void queue(FlitView& view, const Flit& flit, bool own) {
    constexpr Step after_all_passing = Step{1} << 40;
    const bool yields = own && rules_->order == Order::passing;
    view.push(rules_->port(view.node(), flit.destination), flit, view.step() + (yields ? after_all_passing : 0));
    if (own) ++own_;
  }

  const Rules* rules_;
  std::int32_t own_ = 0;  ///< packets of this processor that wait
  Mode mode_ = Mode::idle;
};

class AcrossFirst final : public Algorithm {
 public:
  explicit AcrossFirst(const Rules& rules) : Algorithm(declare()), rules_(rules) {}

  std::unique_ptr<ControllerArray> make_controllers() const override {
    return controllers_like(AcrossFirstNode(rules_), rules_.ring.nodes());
  }
  Port next_port(NodeId at, const Flit& head) const override { return rules_.port(at, head.destination); }
  std::map<std::string, double> metrics() const override { return {{"across_beyond", rules_.across_beyond}}; }

 private:
  static Declaration declare() {
    Declaration declaration;
    declaration.storage = StorageModel::store_and_forward;
    declaration.buffers = BufferSide::out_ports;
    declaration.state = {{"mode", 2, mode_names}};
    return declaration;
  }

  Rules rules_;
};

std::int64_t across_beyond(const Spidergon& ring, const KeyValues& keys) {
  return keys.has("across_beyond") ? keys.integer("across_beyond") : ring.diameter();
}

/// Known from the keys alone, so campaigns hear of it before they run.
void refuse_to_and_fro(const Spidergon& ring, const KeyValues& keys) {
  const std::int64_t least = ring.half() / 2, beyond = across_beyond(ring, keys);
  if (beyond < least)
    throw InputError("with across_beyond " + std::to_string(beyond) + " packets would cross a ring of " +
                     std::to_string(ring.nodes()) + " to and fro; it can be " + std::to_string(least) + " or more");
}

std::unique_ptr<Algorithm> make_across_first(const AlgorithmContext& context, const KeyValues& keys) {
  const Spidergon& ring = *context.network->as<Spidergon>();
  refuse_to_and_fro(ring, keys);
  const Order order = keys.text("order") == "fifo" ? Order::fifo : Order::passing;
  return std::make_unique<AcrossFirst>(Rules{ring, static_cast<std::int32_t>(across_beyond(ring, keys)), order});
}

}  // namespace

AlgorithmEntry across_first_entry() {
  AlgorithmEntry entry;
  entry.name = "across-first";
  entry.meaning = "across the ring where that is shorter, then along it, store-and-forward";
  entry.needs = {"spidergon"};
  entry.storage = StorageModel::store_and_forward;
  entry.keys = {
      integer_key(
          "across_beyond",
          "packets with more links than this to go along the ring cross it first; not given: where that is shorter")
          .within(1, 1 << 20)
          .measured_in("links"),
      choice_key("order", order_names,
                 "which waiting packet a link takes: those that pass through before the node's own, or first come")
          .by_default(order_names.front())};
  entry.metrics = {integer_metric("across_beyond", "links", "the key of that name, also where it is not given")};
  entry.refuse = [](const NetworkKeys& network, const KeyValues& keys) {
    refuse_to_and_fro(Spidergon(network.keys.integer("nodes")), keys);
  };
  entry.make = make_across_first;
  return entry;
}

}  // namespace own
