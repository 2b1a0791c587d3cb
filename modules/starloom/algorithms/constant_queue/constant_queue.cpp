// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/constant_queue/constant_queue.hpp>

#include <algorithm>

#include <starloom/algorithms/constant_queue/block_patterns.hpp>
#include <starloom/algorithms/constant_queue/controller.hpp>
#include <starloom/algorithms/mesh_sort/subsquares.hpp>
#include <starloom/support/error.hpp>

namespace starloom::links {
namespace {

const std::vector<std::string> column_names = {"asap", "frozen"};
const std::vector<std::string> order_names = {"plain", "snake"};
const std::vector<std::string> sort_state_names = {"none", "columns", "rows", "waiting"};
const std::vector<std::string> phase_names = {"none",    "sort",   "blocks",  "rows",
                                              "columns", "nested", "corners", "release"};

/// The number of packets in a node besides those that wait for its column: two in transit along the row, two critical
/// ones, four that wait for row links, two in transit along the column, one that the next level has finished.
constexpr std::int32_t allowance = 11;

class ConstantQueueControllers final : public ControllerArray {
 public:
  ConstantQueueControllers(NodeId nodes, const ConstantQueueProgram& program)
      : controllers_(static_cast<std::size_t>(nodes), ConstantQueueController(program)),
        has_blocks_(!program.levels.front().is_base()) {}

  Controller& at(NodeId node) override { return controllers_[static_cast<std::size_t>(node)]; }
  std::map<std::string, double> metrics() const override {
    if (!has_blocks_) return {};
    Step one = 0, two = 0;
    for (const ConstantQueueController& controller : controllers_) {
      one = std::max(one, controller.latest_row_one());
      two = std::max(two, controller.latest_row_two());
    }
    return {{"latest_row", static_cast<double>(std::max(one, two))},
            {"latest_row_one", static_cast<double>(one)},
            {"latest_row_two", static_cast<double>(two)}};
  }

 private:
  std::vector<ConstantQueueController> controllers_;
  bool has_blocks_;  ///< the outermost level is not a base level
};

class ConstantQueue final : public Algorithm {
 public:
  ConstantQueue(const Grid& mesh, ConstantQueueProgram program, const std::vector<Packet>& packets)
      : Algorithm(declare(program)), mesh_(mesh), program_(std::move(program)), classes_(count(packets)) {}

  std::unique_ptr<ControllerArray> make_controllers() const override {
    return std::make_unique<ConstantQueueControllers>(mesh_.nodes(), program_);
  }
  std::map<std::string, double> bounds(const std::vector<Packet>& /*packets*/) const override {
    return {{"steps", mesh_.diameter()}, {"queue", most_stored(program_)}};
  }
  std::map<std::string, double> metrics() const override;
  std::string remark() const override {
    const Level& level = program_.levels.front();
    if (!level.is_base()) return "";
    return "the whole mesh is a base level and routed greedily: its side is at most `base`, not a multiple of 8, or "
           "below 24";
  }

 private:
  static std::int32_t most_stored(const ConstantQueueProgram& program) {
    std::int32_t most = 0;
    for (const Level& level : program.levels) most = std::max(most, level.column_bound());
    return most + allowance;
  }
  static Declaration declare(const ConstantQueueProgram& program) {
    Declaration d;
    d.storage = StorageModel::store_and_forward;
    d.buffers = BufferSide::out_ports;
    d.bound = most_stored(program);
    d.routes_own = !program.levels.front().is_base();
    d.state = {{"sort", 2, sort_state_names}, {"phase", 3, phase_names}};
    return d;
  }
  /// [class] packets of the outermost level.
  std::vector<std::int64_t> count(const std::vector<Packet>& packets) const;

  const Grid& mesh_;
  ConstantQueueProgram program_;
  std::vector<std::int64_t> classes_;
};

std::vector<std::int64_t> ConstantQueue::count(const std::vector<Packet>& packets) const {
  std::vector<std::int64_t> classes(std::size(packet_class_names));
  const Level& level = program_.levels.front();
  const auto place = [this](NodeId node) { return Local{mesh_.coordinate(node, 0), mesh_.coordinate(node, 1)}; };
  for (const Packet& packet : packets) {
    const PacketClass packet_class =
        level.is_base() ? PacketClass::greedy : classify(level, place(packet.source), place(packet.destination));
    ++classes[static_cast<std::size_t>(packet_class)];
  }
  return classes;
}

std::map<std::string, double> ConstantQueue::metrics() const {
  const Level& level = program_.levels.front();
  std::map<std::string, double> metrics = {{"levels", static_cast<double>(program_.levels.size())},
                                           {"m", level.m},
                                           {"s", level.s},
                                           {"T", static_cast<double>(level.sort.steps())}};
  if (!level.is_base()) metrics["claimed_queue"] = 56.0 / 3 * level.m / level.s;
  for (std::size_t i = 0; i < classes_.size(); ++i) {
    const bool of_base = static_cast<PacketClass>(i) == PacketClass::greedy;
    if (of_base == level.is_base()) metrics[std::string(packet_class_names[i])] = static_cast<double>(classes_[i]);
  }
  return metrics;
}

std::vector<Level> levels_of(const Grid& mesh, const KeyValues& keys) {
  const auto base = static_cast<std::int32_t>(keys.integer("base"));
  const auto s = keys.has("s") ? static_cast<std::int32_t>(keys.integer("s")) : 0;
  return constant_queue_levels(mesh.side(0), base, s, keys.text("order") == "snake");
}

void refuse_constant_queue(const Grid& mesh, const KeyValues& keys) {
  if (mesh.dimensions() != 2 || mesh.side(0) != mesh.side(1)) throw InputError("constant-queue needs a square mesh");
  levels_of(mesh, keys);
}

std::unique_ptr<Algorithm> make(const AlgorithmContext& context, const KeyValues& keys) {
  const Grid& mesh = context.grid();
  refuse_constant_queue(mesh, keys);
  check_sortable(mesh, context.packets, "constant-queue");
  check_one_packet_to_each(mesh, *context.packets, "constant-queue accepts");
  ConstantQueueProgram program = constant_queue_program(levels_of(mesh, keys), keys.text("column") == "frozen");
  return std::make_unique<ConstantQueue>(mesh, std::move(program), *context.packets);
}

std::vector<MetricSpec> declared_metrics() {
  const std::string with_blocks = "the outermost level is not a base level";
  std::vector<MetricSpec> metrics = {
      integer_metric("T", "steps", "duration of the sort of the outermost level"),
      number_metric("claimed_queue", "packets", "queue bound that the paper claims: 18 2/3 m/s").only(with_blocks),
      integer_metric("critical", "packets", "number of packets from corner to corner").only(with_blocks),
      integer_metric("far_block", "packets", "number of packets of the class of far blocks").only(with_blocks),
      integer_metric("greedy", "packets", "number of packets routed greedily: all")
          .only("the outermost level is a base level"),
      integer_metric("levels", "", "number of nested regions, including the outermost"),
      integer_metric("m", "nodes", "side of a supersquare of the outermost level, n/8"),
      integer_metric("near_block", "packets", "number of packets of the class of near blocks").only(with_blocks),
      integer_metric("s", "nodes", "side of a sorted subsquare of the outermost level"),
      integer_metric("type_one_b", "packets", "number of packets of type Ib").only(with_blocks),
      integer_metric("type_two", "packets", "number of packets of type II").only(with_blocks),
      integer_metric("latest_row", "steps", "last step in which a packet reached its column").only(with_blocks),
      integer_metric("latest_row_one", "steps",
                     "last step in which a packet of type I reached its column, 0 if there is none")
          .only(with_blocks),
      integer_metric("latest_row_two", "steps",
                     "last step in which a packet of type II reached its column, 0 if there is none")
          .only(with_blocks),
  };
  return metrics;
}

}  // namespace

AlgorithmEntry constant_queue_entry() {
  AlgorithmEntry entry;
  entry.name = "constant-queue";
  entry.meaning = "2n - 2 steps, short queues: sorted subsquares, rows, columns";
  entry.audience = Audience::theory;
  entry.needs = {"mesh"};
  entry.bounds = {integer_metric("queue", "packets", "greatest column bound of a level plus 11"),
                  integer_metric("steps", "steps", "2n - 2")};
  entry.metrics = declared_metrics();
  entry.storage = StorageModel::store_and_forward;
  entry.in_lockstep = true;
  entry.keys = {
      choice_key("column", column_names,
                 "start of the column phase: as soon as a packet is there (asap), or at the common step 8m - 1 of the "
                 "paper (frozen)")
          .by_default(column_names.front()),
      integer_key(
          "base",
          "sides up to this one are routed greedily, as are sides below 24 and sides that are not multiples of 8")
          .by_default(16)
          .within(1, 1 << 30)
          .measured_in("nodes"),
      integer_key("s",
                  "side of a sorted subsquare of the outermost level; it divides m = n/8, and its sort needs at most m "
                  "steps; default: the largest such side")
          .within(1, 1 << 15)
          .measured_in("nodes"),
      choice_key("order", order_names,
                 "order of a sorted subsquare: columns downwards (plain), or alternately down and up as in the paper "
                 "(snake), for which queues can be longer than the paper says")
          .by_default(order_names.front())};
  entry.refuse = refuse_grids(refuse_constant_queue);
  entry.patterns = patterns::block_patterns();
  entry.make = make;
  return entry;
}

}  // namespace starloom::links
