// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/greedy/greedy.hpp>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include <starloom/algorithms/greedy/greedykill.hpp>
#include <starloom/control/router_parts.hpp>
#include <starloom/routing/backup.hpp>
#include <starloom/routing/function_table.hpp>
#include <starloom/routing/grid_function.hpp>
#include <starloom/routing/ring_tie_break.hpp>
#include <starloom/routing/spread.hpp>
#include <starloom/schema/config_error.hpp>
#include <starloom/schema/part_keys.hpp>
#include <starloom/support/error.hpp>
#include <starloom/support/names.hpp>
#include <starloom/topology/express_mesh.hpp>

namespace starloom::links {
namespace {

enum class Discipline { farthest_destination, farthest_origin, fifo };
const std::vector<std::string> discipline_names = {"furthest-destination", "furthest-origin", "fifo"};

/// The state of a node, for waves.
enum class Mode : std::uint32_t { idle, queueing, throttled };
const std::vector<std::string> mode_names = {"idle", "queueing", "throttled"};

/// Words of a flit header, so that a node computes its path only where the dimension changes. All zero in a flit that
/// no greedy node has seen yet.
struct HeaderWord {
  static constexpr std::size_t port = 0;   ///< `PathPorts` of the current dimension
  static constexpr std::size_t until = 1;  ///< 1 + the node where the dimension ends
  static constexpr std::size_t random_choice =
      2;  ///< random choice of the packet at its source, if the function requires one
};

/// The out-port of a flit, and the in-port through which it came where its path was computed last, in one word.
struct PathPorts {
  static std::uint32_t word(Port out, Port in) {
    return static_cast<std::uint32_t>(static_cast<std::uint16_t>(out)) | static_cast<std::uint32_t>(in + 1) << 16;
  }
  static Port out(const Flit& flit) { return static_cast<std::int16_t>(flit.header[HeaderWord::port]); }
  /// no_port in its source.
  static Port in(const Flit& flit) { return static_cast<Port>(flit.header[HeaderWord::port] >> 16) - 1; }
};

/// A segment of a path in dimension order: its out-port, and the node up to which it continues.
struct Segment {
  Port port = no_port;
  NodeId until = no_node;
};

/// Dimension order on a mesh or torus.
class GridPaths {
 public:
  explicit GridPaths(const Grid& grid) : grid_(&grid) {}

  NodeId nodes() const { return grid_->nodes(); }
  /// Each packet makes a random choice below this number at its source; 1: no choice.
  std::uint32_t random_choices() const { return 1; }
  std::uint32_t random_choices_between(NodeId /*source*/, NodeId /*destination*/) const { return 1; }
  std::uint32_t random_choice_between(NodeId /*source*/, NodeId /*destination*/, std::uint32_t number) const {
    return number;
  }
  /// no_port at the destination.
  Port port(NodeId at, NodeId destination, std::uint32_t /*drawn*/ = 0) const {
    return grid_->dimension_order_port(at, destination);
  }
  Segment segment(NodeId at, Port /*in_port*/, NodeId destination, std::uint32_t /*drawn*/) const {
    const Port next = port(at, destination);
    return {next, grid_->projected(at, destination, grid_->axis_of(next))};
  }
  /// Links of the whole path.
  std::int32_t hops(NodeId from, NodeId to) const { return grid_->distance(from, to); }
  /// The mesh of at most two dimensions for which the theoretical bound holds, or null.
  const Grid* plane() const { return grid_->kind() == GridKind::mesh && grid_->dimensions() <= 2 ? grid_ : nullptr; }
  const routing::PairsWithoutPath* without_path() const { return nullptr; }

 private:
  const Grid* grid_;
};

/// Dimension order on a mesh with express links: in its row, then in its column, a packet takes the express link as
/// long as that does not overshoot. All packets for one destination merge, and no path goes back; if two steps back
/// would save more, the path is not a shortest one.
class ExpressPaths {
 public:
  explicit ExpressPaths(const ExpressMesh& express) : express_(&express) {}

  NodeId nodes() const { return mesh().nodes(); }
  std::uint32_t random_choices() const { return 1; }
  std::uint32_t random_choices_between(NodeId /*source*/, NodeId /*destination*/) const { return 1; }
  std::uint32_t random_choice_between(NodeId /*source*/, NodeId /*destination*/, std::uint32_t number) const {
    return number;
  }
  Port port(NodeId at, NodeId destination, std::uint32_t random_choice = 0) const {
    return at == destination ? no_port : segment(at, no_port, destination, random_choice).port;
  }
  Segment segment(NodeId at, Port /*in_port*/, NodeId destination, std::uint32_t /*drawn*/) const {
    const bool in_row = mesh().offset(at, destination, 1) != 0;
    const int axis = in_row ? 1 : 0;
    const std::int32_t left = mesh().offset(at, destination, axis), skip = express_->skip();
    const Port port = mesh().port_along(axis, left);
    const NodeId stride = in_row ? 1 : mesh().side(1);
    if (std::abs(left) < skip) return {port, at + left * stride};
    return {ExpressMesh::express(port), at + left / skip * skip * stride};
  }
  std::int32_t hops(NodeId from, NodeId to) const {
    std::int32_t sum = 0;
    for (const int axis : {0, 1}) {
      const std::int32_t left = std::abs(mesh().offset(from, to, axis));
      sum += left / express_->skip() + left % express_->skip();
    }
    return sum;
  }
  const Grid* plane() const { return nullptr; }
  const routing::PairsWithoutPath* without_path() const { return nullptr; }

 private:
  const Grid& mesh() const { return express_->mesh(); }

  const ExpressMesh* express_;
};

/// A routing function, evaluated in every node.
class FunctionPaths {
 public:
  FunctionPaths(const NetworkGraph& graph, std::shared_ptr<const routing::RoutingFunction> function)
      : graph_(graph), function_(std::move(function)) {}

  NodeId nodes() const { return graph_.nodes(); }
  std::uint32_t random_choices() const { return function_->random_choices(); }
  std::uint32_t random_choices_between(NodeId source, NodeId destination) const {
    return function_->random_choices_between(source, destination);
  }
  std::uint32_t random_choice_between(NodeId source, NodeId destination, std::uint32_t number) const {
    return function_->random_choice_between(source, destination, number);
  }
  /// For a packet in its source.
  Port port(NodeId at, NodeId destination, std::uint32_t random_choice = 0) const {
    return at == destination ? no_port : segment(at, no_port, destination, random_choice).port;
  }
  /// \param in_port no_port in its source.
  Segment segment(NodeId at, Port in_port, NodeId destination, std::uint32_t random_choice) const {
    routing::Choices choices;
    function_->route({at, in_port == no_port ? graph_.ports() : in_port, 0, destination, random_choice}, choices);
    if (choices.size() == 0) return {no_port, at};
    const Port next = choices.begin()->port;
    return {next, graph_.far_end(at, next).node};
  }
  /// Links of a shortest path.
  std::int32_t hops(NodeId from, NodeId to) const { return graph_.distance(from, to); }
  const Grid* plane() const { return nullptr; }
  const routing::PairsWithoutPath* without_path() const { return function_->without_path(); }

 private:
  NetworkGraph graph_;
  std::shared_ptr<const routing::RoutingFunction> function_;
};

/// One queue per out-port. A packet moves along its dimensions in order; each link sends the first packet by the
/// discipline, ties to the lower packet number. A packet's position in a queue never changes, because its distances
/// do not change while it waits.
/// \tparam Ports the sets of ports of its views.
template <class Paths, class Ports>
class GreedyController final : public FlitControllerOf<Ports> {
  using View = FlitViewOf<Ports>;

 public:
  GreedyController(Paths paths, Discipline discipline, std::int32_t bound)
      : paths_(paths), discipline_(discipline), bound_(bound) {}

  void step(View& view) override {
    for_each_port(view.arrived(), [&](Port in) {
      Flit& flit = view.arrival(in);
      if (flit.header[HeaderWord::until] == 0 ||
          flit.header[HeaderWord::until] == static_cast<std::uint32_t>(view.node()) + 1) {
        if (flit.destination == view.node()) {
          return view.eject(flit);
        }
        turn(view, in, flit);
      }
      go_on(view, flit);
    });
    if (view.waiting() > 0) start_packets(view);
    for_each_port(without(queued_, view.sent() | view.withheld()), [&](Port port) {
      view.send(port, view.front(port));
      view.pop(port);
      if (view.empty(port)) remove_port(queued_, port);
    });
    if (!has_none(queued_) || view.waiting() > 0) view.wake_at(view.step() + 1);
  }

  Port asked_port(const View& view, Port in) const override {
    const Flit& flit = view.arrival(in);
    return paths_.segment(view.node(), in, flit.destination, flit.header[HeaderWord::random_choice]).port;
  }

  void reroute(View& view, const FlitControllerOf<Ports>& other, const Ports& dead, std::vector<Flit>& lost) override {
    paths_ = dynamic_cast<const GreedyController&>(other).paths_;
    std::vector<Flit> waiting;
    for_each_port(dead, [&](Port port) {
      while (!view.empty(port)) waiting.push_back(view.pop(port));
      remove_port(queued_, port);
    });
    for (Flit& flit : waiting) {
      turn(view, PathPorts::in(flit), flit);
      if (PathPorts::out(flit) == no_port) lost.push_back(flit);
      else queue(view, PathPorts::out(flit), flit, rank(view, flit));
    }
  }

  void refresh(const View& view) override {
    for_each_port(queued_, [&](Port port) {
      if (view.empty(port)) remove_port(queued_, port);
    });
    throttled_ = throttled_ && view.waiting() > 0;
  }

  void publish(std::uint32_t* values) const override {
    const Mode mode = throttled_ ? Mode::throttled : !has_none(queued_) ? Mode::queueing : Mode::idle;
    values[0] = static_cast<std::uint32_t>(mode);
  }

 private:
  // Most flits go straight on: code for the other cases is out of line, which saves a tenth of the time.

  /// A flit leaves in the step in which it arrives, if its link accepts it and no other flit requests the port.
  void go_on(View& view, const Flit& flit) {
    const Port port = PathPorts::out(flit);
    if (!has_port(queued_ | view.sent() | view.withheld(), port)) view.send(port, flit);
    else contend(view, port, flit);
  }

  /// If several flits request a port, the first by the discipline is on the link, if any is, and the others are queued.
  [[gnu::noinline]] void contend(View& view, Port port, const Flit& flit) {
    const std::int64_t own = rank(view, flit);
    if (!has_port(view.sent(), port)) return queue(view, port, flit, own);
    const std::int64_t other = rank(view, view.on_link(port));
    if (!BufferPool::before(own, flit, other, view.on_link(port))) return queue(view, port, flit, own);
    queue(view, port, view.send_instead(port, flit), other);
  }

  void queue(View& view, Port port, const Flit& flit, std::int64_t rank) {
    view.push(port, flit, rank);
    add_port(queued_, port);
  }

  [[gnu::noinline]] void start_packets(View& view) {
    for (std::uint32_t started = 0; view.waiting() > 0; ++started) {
      const std::uint32_t random_choice = draw(view, started);
      if (!has_room(view, random_choice)) break;
      Flit flit = view.accept();
      flit.header[HeaderWord::random_choice] = random_choice;
      turn(view, no_port, flit);
      go_on(view, flit);
    }
    throttled_ = view.waiting() > 0;
  }

  /// Computes the next segment of the path of a flit that came in through a port, or no_port.
  [[gnu::noinline]] void turn(const View& view, Port in_port, Flit& flit) const {
    const Segment segment =
        paths_.segment(view.node(), in_port, flit.destination, flit.header[HeaderWord::random_choice]);
    flit.header[HeaderWord::port] = PathPorts::word(segment.port, in_port);
    flit.header[HeaderWord::until] = static_cast<std::uint32_t>(segment.until) + 1;
  }

  /// The random choice of packet number `started` of this step: that word of the node and step.
  std::uint32_t draw(const View& view, std::uint32_t started) const {
    if (paths_.random_choices() == 1) return 0;
    const NodeId destination = view.packet(view.next_packet()).destination;
    const std::uint64_t choices = paths_.random_choices_between(view.node(), destination);
    return paths_.random_choice_between(view.node(), destination,
                                        static_cast<std::uint32_t>(view.random_word(started) * choices >> 32));
  }

  /// With a bound, a packet leaves its processor's memory only if the packets that stay afterwards respect it.
  bool has_room(const View& view, std::uint32_t random_choice) const {
    if (bound_ == 0) return true;
    const auto here = [&view](Port port) { return view.size(port) + (has_port(view.sent(), port) ? 1 : 0); };
    // The first packet at a port leaves in this step, if the link accepts it.
    const auto leave = [&view](Port port) { return has_port(view.withheld(), port) ? 0 : 1; };
    std::int32_t stay = 0;
    for (Port port = 0; port < view.buffers(); ++port) stay += std::max(0, here(port) - leave(port));
    const Port port = paths_.port(view.node(), view.packet(view.next_packet()).destination, random_choice);
    return here(port) < leave(port) || stay < bound_;
  }

  std::int64_t rank(const View& view, const Flit& flit) const {
    switch (discipline_) {
      case Discipline::farthest_destination: return -paths_.hops(view.node(), flit.destination);
      case Discipline::farthest_origin: return -paths_.hops(view.packet(flit.packet).source, view.node());
      case Discipline::fifo: break;
    }
    return view.step();
  }

  Paths paths_;
  Discipline discipline_;
  std::int32_t bound_;
  Ports queued_{};          ///< ports whose queue is not empty
  bool throttled_ = false;  ///< the bound holds packets back in the processor's memory
};

template <class Paths>
class Greedy final : public Algorithm {
 public:
  /// \param one_way the path of a packet depends only on node and destination.
  Greedy(Paths paths, Discipline discipline, std::int32_t bound, const NetworkGraph& graph, bool one_way = true)
      : Algorithm(declare(bound)),
        paths_(std::move(paths)),
        discipline_(discipline),
        bound_(bound),
        link_latency_(graph.greatest_latency()),
        interval_(graph.greatest_interval()),
        many_ports_(graph.ports() > ports_per_word),
        one_way_(one_way) {}

  std::unique_ptr<ControllerArray> make_controllers() const override {
    if (many_ports_)
      return controllers_like(GreedyController<Paths, ManyPorts>(paths_, discipline_, bound_), paths_.nodes());
    return controllers_like(GreedyController<Paths, PortMask>(paths_, discipline_, bound_), paths_.nodes());
  }
  const routing::PairsWithoutPath* without_path() const override { return paths_.without_path(); }
  Port next_port(NodeId at, const Flit& head) const override {
    return one_way_ ? paths_.port(at, head.destination) : no_port;
  }
  Port next_port_from(NodeId at, Port in_port, const Flit& head) const override {
    if (paths_.random_choices() > 1 || at == head.destination) return no_port;
    return paths_.segment(at, in_port, head.destination, 0).port;
  }
  std::map<std::string, double> bounds(const std::vector<Packet>& packets) const override;

 private:
  static Declaration declare(std::int32_t bound) {
    Declaration d;
    d.storage = StorageModel::store_and_forward;
    d.bound = bound;
    d.buffers = BufferSide::out_ports;
    d.state = {{"mode", 2, mode_names}};
    return d;
  }

  Paths paths_;
  Discipline discipline_;
  std::int32_t bound_;
  std::int32_t link_latency_;  ///< of the slowest link
  std::int32_t interval_;      ///< the greatest of a link
  bool many_ports_;
  bool one_way_;
};

/// Rajasekaran and Overholt 1990, section 2 with lemma 4.1: a (partial) permutation that starts in step 0 on a
/// two-dimensional mesh, served farthest destination first, needs at most rows + columns - 2 steps. With links of
/// latency l it needs at most l times this number: so would a mesh in which every step takes l, and links that accept
/// a flit in every step are never slower, because packets that move together count as one stream.
template <class Paths>
std::map<std::string, double> Greedy<Paths>::bounds(const std::vector<Packet>& packets) const {
  const Grid* const mesh = paths_.plane();
  if (mesh == nullptr || discipline_ != Discipline::farthest_destination || bound_ != 0 || interval_ != 1) return {};
  std::vector<bool> sends(static_cast<std::size_t>(mesh->nodes())), receives(sends.size());
  for (const Packet& packet : packets) {
    if (packet.created != 0 || sends[packet.source] || receives[packet.destination]) return {};
    sends[packet.source] = receives[packet.destination] = true;
  }
  return {{"steps", static_cast<double>(mesh->diameter()) * link_latency_}};
}

/// The functions that greedy can follow, without the keys that spread packets over several paths and channels.
std::vector<routing::FunctionEntry> fixed_functions(const RouterParts& parts) {
  std::vector<routing::FunctionEntry> fixed;
  for (const routing::FunctionEntry& function : parts.functions) {
    if (!function.fixed) continue;
    fixed.push_back(function);
    std::vector<KeySpec>& keys = fixed.back().keys;
    for (const KeySpec& key : {routing::spread_key(), routing::backup_key()})
      keys.erase(std::remove(keys.begin(), keys.end(), key), keys.end());
  }
  return fixed;
}

/// The function of the keys, or null for dimension order, which is built into greedy, but only for whole networks.
/// \param grid of the network; null: it has none. \throws InputError
const routing::FunctionEntry* given_function(const std::vector<routing::FunctionEntry>& functions,
                                             const Capabilities& offers, const Grid* grid, const KeyValues& keys,
                                             bool faults = false) {
  const std::string name = keys.has("function") ? keys.text("function") : "dimension-order";
  const routing::FunctionEntry& function = part_named(functions, name);
  refuse_part_keys("function", functions, function, keys);
  const bool knows_grid =
      contains(offers, "mesh") ||
      (contains(offers, "torus") && routing::ring_tie_break_of(keys) == routing::RingTieBreak::positive);
  if (name == "dimension-order" && !faults && (knows_grid || contains(offers, "express-mesh"))) return nullptr;
  refuse_network(functions, function, offers, grid == nullptr ? 0 : grid->shape().size());
  return &function;
}

std::unique_ptr<Algorithm> follow(const routing::FunctionEntry& entry, const AlgorithmContext& context,
                                  const KeyValues& keys, Discipline discipline, std::int32_t bound) {
  std::shared_ptr<const routing::RoutingFunction> function =
      entry.made({context.network, 0, entry.service(context.network->capabilities())->channels, context.folder, true,
                  context.seed, context.faults},
                 keys);
  if (function->adaptive() || function->chooses_in_nodes()) {
    const bool table = entry.name == "table";
    throw ConfigError(table ? "table" : "function",
                      "greedy follows one route, but " +
                          (table ? "the table has" : entry.name + ", with its keys, has") +
                          " several ports for a node and a destination");
  }
  const bool random_choices = function->random_choices() > 1;
  return std::make_unique<Greedy<FunctionPaths>>(FunctionPaths(context.graph(), std::move(function)), discipline, bound,
                                                 context.graph(), !entry.by_in_port && !random_choices);
}

}  // namespace

AlgorithmEntry greedy_entry(std::shared_ptr<const RouterParts> parts) {
  const auto functions = std::make_shared<const std::vector<routing::FunctionEntry>>(fixed_functions(*parts));
  AlgorithmEntry entry;
  entry.name = "greedy";
  entry.meaning = "store-and-forward on a fixed route, one queue per out-port";
  entry.needs = {connected};
  entry.bounds = {
      integer_metric("steps", "steps", "link latency * (rows + columns - 2) (Rajasekaran and Overholt 1990, section 2)")
          .only("all packets of a permutation start in step 0 on a two-dimensional mesh with discipline "
                "furthest-destination")};
  entry.storage = StorageModel::store_and_forward;
  entry.many_ports = true;
  entry.takes_dead_links = true;
  entry.keys = {
      choice_key("discipline", discipline_names,
                 "the waiting packet that a link takes first: the one with the greatest remaining distance (Q'), with "
                 "the greatest distance from its origin (Q), or the oldest in the queue (Rajasekaran and Overholt "
                 "1990, section 2)")
          .by_default(discipline_names.front()),
      integer_key(
          "bound",
          "greatest number of packets that may stay in a node; one more ends the run as a violation; 0: no bound")
          .by_default(0)
          .within(0, 1 << 30)
          .measured_in("packets"),
      choice_key("function", names_of(*functions),
                 "routing function (docs/routing-functions.md); default: dimension order, on express meshes over the "
                 "long links first")};
  for (const KeySpec& key : part_keys(*functions)) entry.keys.push_back(key);
  entry.refuse = [functions](const NetworkKeys& network, const KeyValues& keys) {
    const std::optional<Grid> grid = network.grid();
    const auto* function = given_function(*functions, network.capabilities(), grid ? &*grid : nullptr, keys);
    if (function != nullptr && function->refuse) function->refuse(network, keys);
  };
  entry.patterns = {patterns::greedykill_pattern()};
  entry.make = [functions](const AlgorithmContext& context, const KeyValues& keys) -> std::unique_ptr<Algorithm> {
    const auto& name = keys.text("discipline");
    const auto index = std::find(discipline_names.begin(), discipline_names.end(), name) - discipline_names.begin();
    const auto discipline = static_cast<Discipline>(index);
    const auto most = static_cast<std::int32_t>(keys.integer("bound"));
    if (const auto* function = given_function(*functions, context.network->capabilities(),
                                              routing::grid_in(*context.network), keys, context.faults != nullptr))
      return follow(*function, context, keys, discipline, most);
    if (const auto* express = context.network->as<ExpressMesh>())
      return std::make_unique<Greedy<ExpressPaths>>(ExpressPaths(*express), discipline, most, context.graph());
    return std::make_unique<Greedy<GridPaths>>(GridPaths(context.grid()), discipline, most, context.graph());
  };
  entry.of_parts = greedy_entry;
  return entry;
}

}  // namespace starloom::links
