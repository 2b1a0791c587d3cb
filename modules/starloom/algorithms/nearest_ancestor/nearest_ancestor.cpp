// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/nearest_ancestor/nearest_ancestor.hpp>

#include <algorithm>
#include <memory>
#include <utility>

#include <starloom/routing/nearest_ancestor.hpp>

namespace starloom::links {
namespace {

/// The state of a node, for waves.
enum class TreeMode : std::uint32_t { idle, queueing, throttled };
const std::vector<std::string> tree_mode_names = {"idle", "queueing", "throttled"};

/// The next links of packets: by the digits of their destinations, or with faults those that lead to them.
class TreePaths {
 public:
  /// \param function null: all links are alive.
  TreePaths(const FatTree& tree, Port local, std::unique_ptr<routing::RoutingFunction> function)
      : tree_(tree), local_(local), function_(std::move(function)) {}

  /// \param in_port no_port in its source.
  Port port(NodeId at, Port in_port, NodeId destination) const {
    if (function_ == nullptr || at == destination) return routing::nearest_ancestor_port(tree_, at, destination);
    routing::Choices choices;
    function_->route({at, in_port == no_port ? local_ : in_port, 0, destination, 0}, choices);
    return choices.size() == 0 ? no_port : choices.begin()->port;
  }
  const routing::PairsWithoutPath* without_path() const {
    return function_ == nullptr ? nullptr : function_->without_path();
  }

 private:
  const FatTree& tree_;
  Port local_;
  std::unique_ptr<routing::RoutingFunction> function_;
};

/// The word of a flit header with 1 + the in-port through which it came, 0 in its source.
constexpr std::size_t in_port_word = 0;

/// One first-come queue per out-port.
class NearestAncestorController final : public FlitController {
 public:
  NearestAncestorController(const TreePaths& paths, std::int32_t bound) : paths_(&paths), bound_(bound) {}

  void step(FlitView& view) override {
    for (PortMask left = view.arrived(); left != 0; left &= left - 1) {
      const Port in_port = lowest_port(left);
      const Flit& flit = view.arrival(in_port);
      if (flit.destination == view.node()) view.eject(flit);
      else queue(view, in_port, flit);
    }
    while (view.waiting() > 0 && has_room(view)) queue(view, no_port, view.accept());
    throttled_ = view.waiting() > 0;
    for (PortMask left = queued_ & view.out_ports(); left != 0; left &= left - 1) {
      const Port port = lowest_port(left);
      view.send(port, view.pop(port));
      if (view.empty(port)) queued_ ^= PortMask{1} << port;
    }
    if (queued_ != 0 || throttled_) view.wake_at(view.step() + 1);
  }

  Port asked_port(const FlitView& view, Port in) const override {
    return paths_->port(view.node(), in, view.arrival(in).destination);
  }

  void reroute(FlitView& view, const FlitController& other, const PortMask& dead, std::vector<Flit>& lost) override {
    paths_ = dynamic_cast<const NearestAncestorController&>(other).paths_;
    std::vector<Flit> waiting;
    for_each_port(dead, [&](Port port) {
      while (!view.empty(port)) waiting.push_back(view.pop(port));
      remove_port(queued_, port);
    });
    for (const Flit& flit : waiting) {
      const Port in = static_cast<Port>(flit.header[in_port_word]) - 1;
      if (paths_->port(view.node(), in, flit.destination) == no_port) lost.push_back(flit);
      else queue(view, in, flit);
    }
  }

  void refresh(const FlitView& view) override {
    for_each_port(queued_, [&](Port port) {
      if (view.empty(port)) remove_port(queued_, port);
    });
    throttled_ = throttled_ && view.waiting() > 0;
  }

  void publish(std::uint32_t* values) const override {
    const TreeMode mode = throttled_ ? TreeMode::throttled : queued_ != 0 ? TreeMode::queueing : TreeMode::idle;
    values[0] = static_cast<std::uint32_t>(mode);
  }

 private:
  void queue(FlitView& view, Port in_port, Flit flit) {
    const Port port = paths_->port(view.node(), in_port, flit.destination);
    flit.header[in_port_word] = static_cast<std::uint32_t>(in_port + 1);
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
    const Port port = paths_->port(view.node(), no_port, view.packet(view.next_packet()).destination);
    return view.size(port) < leave(port) || stay < bound_;
  }

  const TreePaths* paths_;
  std::int32_t bound_;
  PortMask queued_ = 0;     ///< ports whose queue is not empty
  bool throttled_ = false;  ///< the bound holds packets back in the processor's memory
};

class NearestAncestor final : public Algorithm {
 public:
  NearestAncestor(TreePaths paths, NodeId nodes, std::int32_t bound)
      : Algorithm(declare(bound)), paths_(std::move(paths)), nodes_(nodes), bound_(bound) {}

  std::unique_ptr<ControllerArray> make_controllers() const override {
    return controllers_like(NearestAncestorController(paths_, bound_), nodes_);
  }
  Port next_port(NodeId at, const Flit& head) const override { return paths_.port(at, no_port, head.destination); }
  Port next_port_from(NodeId at, Port in_port, const Flit& head) const override {
    return paths_.port(at, in_port, head.destination);
  }
  const routing::PairsWithoutPath* without_path() const override { return paths_.without_path(); }

 private:
  static Declaration declare(std::int32_t bound) {
    Declaration d;
    d.storage = StorageModel::store_and_forward;
    d.bound = bound;
    d.buffers = BufferSide::out_ports;
    d.state = {{"mode", 2, tree_mode_names}};
    return d;
  }

  const TreePaths paths_;
  const NodeId nodes_;
  const std::int32_t bound_;
};

}  // namespace

AlgorithmEntry nearest_ancestor_entry() {
  AlgorithmEntry entry;
  entry.name = "nearest-ancestor";
  entry.meaning = "store-and-forward, up to the nearest common ancestor and down";
  entry.needs = {"fat-tree"};
  entry.storage = StorageModel::store_and_forward;
  entry.takes_dead_links = true;
  entry.keys = {
      integer_key(
          "bound",
          "greatest number of packets that may stay in a node; one more ends the run as a violation; 0: no bound")
          .by_default(0)
          .within(0, 1 << 30)
          .measured_in("packets")};
  entry.make = [](const AlgorithmContext& context, const KeyValues& keys) -> std::unique_ptr<Algorithm> {
    std::unique_ptr<routing::RoutingFunction> function;
    if (context.faults != nullptr)
      function = routing::nearest_ancestor_entry().made(
          {context.network, 0, 1, context.folder, true, context.seed, context.faults}, keys);
    return std::make_unique<NearestAncestor>(
        TreePaths(*context.network->as<FatTree>(), context.graph().ports(), std::move(function)),
        context.graph().nodes(), static_cast<std::int32_t>(keys.integer("bound")));
  };
  return entry;
}

}  // namespace starloom::links
