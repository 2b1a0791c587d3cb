// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/nearest_ancestor/nearest_ancestor.hpp>

#include <algorithm>

#include <starloom/routing/nearest_ancestor.hpp>

namespace starloom::links {
namespace {

/// The state of a node, for waves.
enum class TreeMode : std::uint32_t { idle, queueing, throttled };
const std::vector<std::string> tree_mode_names = {"idle", "queueing", "throttled"};

/// One first-come queue per out-port.
class NearestAncestorController final : public FlitController {
 public:
  NearestAncestorController(const FatTree& tree, std::int32_t bound) : tree_(&tree), bound_(bound) {}

  void step(FlitView& view) override {
    for (PortMask left = view.arrived(); left != 0; left &= left - 1) {
      const Flit& flit = view.arrival(lowest_port(left));
      if (flit.destination == view.node()) view.eject(flit);
      else queue(view, flit);
    }
    while (view.waiting() > 0 && has_room(view)) queue(view, view.accept());
    throttled_ = view.waiting() > 0;
    for (PortMask left = queued_ & view.out_ports(); left != 0; left &= left - 1) {
      const Port port = lowest_port(left);
      view.send(port, view.pop(port));
      if (view.empty(port)) queued_ ^= PortMask{1} << port;
    }
    if (queued_ != 0 || throttled_) view.wake_at(view.step() + 1);
  }

  void publish(std::uint32_t* values) const override {
    const TreeMode mode = throttled_ ? TreeMode::throttled : queued_ != 0 ? TreeMode::queueing : TreeMode::idle;
    values[0] = static_cast<std::uint32_t>(mode);
  }

 private:
  void queue(FlitView& view, const Flit& flit) {
    const Port port = routing::nearest_ancestor_port(*tree_, view.node(), flit.destination);
    view.push(port, flit, view.step());
    queued_ |= PortMask{1} << port;
  }

  /// With a bound, a packet leaves its processor's memory only if the packets that stay afterwards respect it.
  bool has_room(const FlitView& view) const {
    if (bound_ == 0) return true;
    // The front of each queue leaves in this step, if the link accepts it.
    const auto leave = [&view](Port port) { return (view.withheld() >> port & 1) == 0 ? 1 : 0; };
    std::int32_t stay = 0;
    for (Port port = 0; port < view.buffers(); ++port) stay += std::max(0, view.size(port) - leave(port));
    const Port port = routing::nearest_ancestor_port(*tree_, view.node(), view.packet(view.next_packet()).destination);
    return view.size(port) < leave(port) || stay < bound_;
  }

  const FatTree* tree_;
  std::int32_t bound_;
  PortMask queued_ = 0;     ///< ports whose queue is not empty
  bool throttled_ = false;  ///< the bound holds packets back in the processor's memory
};

class NearestAncestor final : public Algorithm {
 public:
  NearestAncestor(const FatTree& tree, std::int32_t bound) : Algorithm(declare(bound)), tree_(tree), bound_(bound) {}

  std::unique_ptr<ControllerArray> make_controllers() const override {
    return controllers_like(NearestAncestorController(tree_, bound_), tree_.nodes());
  }
  Port next_port(NodeId at, const Flit& head) const override {
    return routing::nearest_ancestor_port(tree_, at, head.destination);
  }

 private:
  static Declaration declare(std::int32_t bound) {
    Declaration d;
    d.storage = StorageModel::store_and_forward;
    d.bound = bound;
    d.buffers = BufferSide::out_ports;
    d.state = {{"mode", 2, tree_mode_names}};
    return d;
  }

  const FatTree& tree_;
  std::int32_t bound_;
};

}  // namespace

AlgorithmEntry nearest_ancestor_entry() {
  AlgorithmEntry entry;
  entry.name = "nearest-ancestor";
  entry.meaning = "store-and-forward, up to the nearest common ancestor and down";
  entry.needs = {"fat-tree"};
  entry.storage = StorageModel::store_and_forward;
  entry.keys = {
      integer_key(
          "bound",
          "greatest number of packets that may stay in a node; one more ends the run as a violation; 0: no bound")
          .by_default(0)
          .within(0, 1 << 30)
          .measured_in("packets")};
  entry.make = [](const AlgorithmContext& context, const KeyValues& keys) -> std::unique_ptr<Algorithm> {
    return std::make_unique<NearestAncestor>(*context.network->as<FatTree>(),
                                             static_cast<std::int32_t>(keys.integer("bound")));
  };
  return entry;
}

}  // namespace starloom::links
