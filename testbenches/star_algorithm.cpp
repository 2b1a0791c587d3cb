#include "star_algorithm.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "controllers/broadcast/broadcast.hpp"
#include "controllers/comparator_sort/comparator_sort.hpp"
#include "controllers/data_sum/data_sum.hpp"
#include "controllers/direct/direct.hpp"
#include "controllers/offline/offline.hpp"
#include "controllers/randomized/randomized.hpp"
#include "message/collective_model.hpp"
#include "message/direct_model.hpp"
#include "message/plan_model.hpp"
#include "message/randomized_model.hpp"
#include "message/requirements.hpp"
#include "planners/merge_exchange.hpp"
#include "planners/star_plan.hpp"

namespace starloom {
namespace {

std::string packet_text(const StarContext& context, std::size_t packet) {
  return "packet " + std::to_string(packet) + " of " + context.pops.node_name(context.packets[packet].source);
}

/// All couplers and packets are there when a program begins.
void require_packets_at_once(const StarContext& context) {
  for (std::size_t p = 0; p < context.packets.size(); ++p)
    if (context.packets[p].created != 0)
      throw UnservedPackets(packet_text(context, p) + " is created in slot " +
                            std::to_string(context.packets[p].created) +
                            ", but programs of POPS networks serve what is there in slot 0");
}

/// [node] where its packet goes, `no_node` if it has none. \throws InputError if that is not a permutation or a part of
/// one, all there in slot 0.
std::vector<NodeId> permutation_of(const StarContext& context) {
  require_packets_at_once(context);
  std::vector<NodeId> destination(static_cast<std::size_t>(context.pops.nodes()), no_node);
  for (std::size_t p = 0; p < context.packets.size(); ++p) {
    const Packet& packet = context.packets[p];
    if (packet.destination == no_node)
      throw UnservedPackets(packet_text(context, p) + " goes to all, which only broadcast serves");
    NodeId& to = destination[static_cast<std::size_t>(packet.source)];
    if (to != no_node)
      throw UnservedPackets(packet_text(context, p) + " is its second; POPS algorithms route permutations");
    to = packet.destination;
  }
  try {
    require_permutation(context.pops, destination);
  } catch (const InputError& fault) {
    throw UnservedPackets(fault.what());
  }
  return destination;
}

/// Of a StarTimetable, about.
double timetable_bytes(const Pops& pops) {
  const double rounds = std::ceil(static_cast<double>(pops.group_size()) / pops.groups());
  return pops.nodes() * (16 + 8 * rounds);
}

/// An algorithm that routes a permutation, or a part of one.
class PermutationAlgorithm : public StarAlgorithm {
 public:
  MessageRun run_messages(const MessageLimits& limits) const final {
    MessageRun run = route(limits);
    // From sources to packets, which are numbered in their order.
    std::size_t packet = 0;
    for (std::size_t source = 0; source < destination_.size(); ++source)
      if (destination_[source] != no_node) run.delivered[packet++] = run.delivered[source];
    run.delivered.resize(packet);
    return run;
  }
  std::map<std::string, double> bounds() const override {
    const auto published = published_slots(pops());
    if (!published) return {};
    return {{"published_formula_slots", *published}};
  }

 protected:
  explicit PermutationAlgorithm(const StarContext& context)
      : StarAlgorithm(context.pops), destination_(permutation_of(context)) {}
  /// As `run_messages`, but `delivered` is by source.
  virtual MessageRun route(const MessageLimits& limits) const = 0;
  const std::vector<NodeId>& destination() const { return destination_; }
  /// A controller for each processor: make(node, its packet, where that goes); `no_packet` to `no_node` if it has none.
  template <class Make>
  std::unique_ptr<StarControllers> for_each_packet(Make make) const {
    PacketId next = 0;
    return make_controllers(pops(), [&](NodeId node) {
      const NodeId to = destination_[static_cast<std::size_t>(node)];
      return make(node, to == no_node ? no_packet : next++, to);
    });
  }

 private:
  std::vector<NodeId> destination_;
};

class Randomized final : public PermutationAlgorithm {
 public:
  Randomized(const StarContext& context, const RandomizedOptions& options)
      : PermutationAlgorithm(context),
        seed_(context.seed),
        dead_(context.dead),
        rules_(context.pops, options, dead_ ? &*dead_ : nullptr) {
    if (dead_ && pops().group_size() != pops().groups())
      throw InputError("dead couplers are served for d = g only, not on POPS(" + std::to_string(pops().group_size()) +
                       "," + std::to_string(pops().groups()) + ")");
  }
  MessageRun route(const MessageLimits& limits) const override {
    return route_randomized(pops(), rules_, destination(), seed_, limits, pops().nodes() <= checked_nodes);
  }
  StarCrew make_crew() const override {
    StarCrew crew{{RandomizedRules::cycle_slots, rules_.drain_slots(), no_step},
                  for_each_packet(
                      [this](NodeId, PacketId packet, NodeId to) { return RandomizedController(rules_, packet, to); })};
    if (rules_.round_robin()) crew.program = {1, 0, pops().nodes()};
    return crew;
  }
  const DeadCouplers* dead() const override { return dead_ ? &*dead_ : nullptr; }
  Schedule schedule(const MessageRun& run) const override {
    if (rules_.round_robin()) return StarAlgorithm::schedule(run);
    return {static_cast<Step>(run.slots.size()), "five-slot cycle", run.units, RandomizedRules::cycle_slots};
  }
  std::map<std::string, double> figures(const MessageRun& run) const override {
    auto figures = StarAlgorithm::figures(run);
    figures["drain_slots"] = rules_.drain_slots();
    if (dead_) figures["dead_couplers"] = static_cast<double>(dead_count());
    return figures;
  }
  std::optional<StarCost> expected_cost() const override {
    if (rules_.round_robin()) return StarCost{static_cast<double>(pops().nodes()), 0, 1, 0};
    if (dead_) return std::nullopt;
    return randomized_cost(pops(), rules_.options().C);
  }
  std::string remark() const override {
    if (rules_.round_robin()) return "one coupler: the processors take turns, one a slot (round robin)";
    if (dead_ && !rules_.options().shift)
      return "without shift, packets that slot 5 would bring over a dead coupler wait for ever";
    return "";
  }

 private:
  std::int64_t dead_count() const {
    std::int64_t count = 0;
    for (std::int32_t from = 0; from < pops().groups(); ++from)
      for (std::int32_t to = 0; to < pops().groups(); ++to) count += dead_->contains(to, from) ? 1 : 0;
    return count;
  }

  std::uint64_t seed_;
  std::optional<DeadCouplers> dead_;
  RandomizedRules rules_;
};

class ComparatorSort final : public PermutationAlgorithm {
 public:
  /// Measured: what the referee remembers of a processor's two copies of each stage.
  static constexpr double remembered_bytes = 135;

  explicit ComparatorSort(const StarContext& context) : PermutationAlgorithm(context) {
    try {
      require_full_permutation(pops(), destination());
    } catch (const InputError& fault) {
      throw UnservedPackets(fault.what());
    }
  }
  MessageRun route(const MessageLimits& limits) const override { return sort_packets(pops(), destination(), limits); }
  StarCrew make_crew() const override {
    const auto program = std::make_shared<const SortProgram>(pops());
    return {{1, 0, program->slots()},
            for_each_packet(
                [&](NodeId, PacketId packet, NodeId to) { return ComparatorSortController(*program, packet, to); }),
            program};
  }
  double table_bytes() const override {
    return static_cast<double>(merge_exchange(pops().nodes()).size()) *
           (timetable_bytes(pops()) + pops().nodes() * remembered_bytes);
  }
  std::optional<StarCost> expected_cost() const override { return comparator_sort_cost(pops()); }
  std::map<std::string, double> bounds() const override {
    auto bounds = PermutationAlgorithm::bounds();
    bounds["slots"] = comparator_sort_cost(pops()).slots();
    return bounds;
  }
};

class Offline final : public PermutationAlgorithm {
 public:
  explicit Offline(const StarContext& context)
      : PermutationAlgorithm(context), plan_(plan_permutation(pops(), destination())) {}
  MessageRun route(const MessageLimits& limits) const override {
    return follow_plan(pops(), destination(), plan_, limits);
  }
  StarCrew make_crew() const override {
    const auto timetable = std::make_shared<const StarTimetable>(pops(), destination(), plan_);
    return {
        {1, 0, plan_.slots()},
        for_each_packet([&](NodeId, PacketId packet, NodeId to) { return OfflineController(*timetable, packet, to); }),
        timetable};
  }
  double table_bytes() const override { return timetable_bytes(pops()); }
  std::optional<StarCost> expected_cost() const override { return offline_cost(pops()); }
  std::map<std::string, double> bounds() const override {
    auto bounds = PermutationAlgorithm::bounds();
    bounds["slots"] = offline_cost(pops()).slots();
    return bounds;
  }

 private:
  StarPlan plan_;
};

class Direct final : public PermutationAlgorithm {
 public:
  explicit Direct(const StarContext& context) : PermutationAlgorithm(context), seed_(context.seed) {}
  MessageRun route(const MessageLimits& limits) const override {
    return route_direct(pops(), destination(), seed_, limits);
  }
  StarCrew make_crew() const override {
    std::vector<std::int32_t> source_group(destination().size(), no_group);
    for (NodeId node = 0; node < pops().nodes(); ++node) {
      const NodeId to = destination()[static_cast<std::size_t>(node)];
      if (to != no_node) source_group[static_cast<std::size_t>(to)] = pops().group_of(node);
    }
    const auto rules = std::make_shared<const DirectRules>(pops());
    return {{DirectRules::cycle_slots, 0, no_step},
            for_each_packet([&](NodeId node, PacketId packet, NodeId to) {
              return DirectController(*rules, packet, to, source_group[static_cast<std::size_t>(node)]);
            }),
            rules};
  }
  /// Slots, where the hardware counts cycles of two.
  Schedule schedule(const MessageRun& run) const override {
    const auto slots = static_cast<std::int64_t>(run.slots.size());
    return {slots, "slot", slots, 1};
  }

 private:
  std::uint64_t seed_;
};

class Broadcast final : public StarAlgorithm {
 public:
  explicit Broadcast(const StarContext& context) : StarAlgorithm(context.pops) {
    require_packets_at_once(context);
    for (std::size_t p = 0; p < context.packets.size(); ++p) {
      if (context.packets[p].destination != no_node)
        throw UnservedPackets(
            packet_text(context, p) +
            " has a destination, but broadcast sends packets to all; use traffic.pattern: packets and "
            "leave destinations empty");
      speakers_.push_back(context.packets[p].source);
    }
  }
  MessageRun run_messages(const MessageLimits& limits) const override { return broadcast(pops(), speakers_, limits); }
  StarCrew make_crew() const override {
    return {{1, 0, static_cast<Step>(speakers_.size())},
            make_controllers(pops(), [this](NodeId) { return BroadcastController(speakers_); })};
  }
  std::optional<StarCost> expected_cost() const override {
    return StarCost{static_cast<double>(speakers_.size()), 0, static_cast<double>(pops().groups()), 0};
  }
  std::map<std::string, double> bounds() const override { return {{"slots", static_cast<double>(speakers_.size())}}; }

 private:
  std::vector<NodeId> speakers_;
};

/// The value of a processor is its number.
class DataSum final : public StarAlgorithm {
 public:
  explicit DataSum(const StarContext& context) : StarAlgorithm(context.pops) {
    require_packets_at_once(context);
    const std::vector<Packet>& packets = context.packets;
    bool all = packets.size() == static_cast<std::size_t>(pops().nodes());
    for (std::size_t p = 0; all && p < packets.size(); ++p)
      all = packets[p].source == static_cast<NodeId>(p) && packets[p].destination == 0;
    if (!all)
      throw UnservedPackets(
          "data-sum takes a value from every processor to processor 0; use traffic: {pattern: hot-spot, targets: [0]}");
    for (NodeId node = 0; node < pops().nodes(); ++node) values_.push_back(node);
  }
  MessageRun run_messages(const MessageLimits& limits) const override { return sum_values(pops(), values_, limits); }
  StarCrew make_crew() const override {
    const auto program = std::make_shared<const DataSumProgram>(pops());
    return {
        {1, 0, program->slots()},
        make_controllers(
            pops(), [&](NodeId node) { return DataSumController(*program, values_[static_cast<std::size_t>(node)]); }),
        program};
  }
  void read_out(const StarControllers& controllers, StarRecord& record) const override {
    record.sum = static_cast<const DataSumController&>(controllers.at(0)).sum();
  }
  std::optional<StarCost> expected_cost() const override {
    return StarCost{static_cast<double>(DataSumProgram(pops()).slots()), 0, 1, 0};
  }
  std::map<std::string, double> bounds() const override {
    return {{"slots", static_cast<double>(DataSumProgram(pops()).slots())}};
  }
  std::map<std::string, double> figures(const MessageRun& run) const override {
    auto figures = StarAlgorithm::figures(run);
    if (run.sum) figures["sum"] = static_cast<double>(*run.sum);
    return figures;
  }

 private:
  std::vector<std::int64_t> values_;
};

template <class T>
std::unique_ptr<StarAlgorithm> make(const StarContext& context, const KeyValues& /*keys*/) {
  return std::make_unique<T>(context);
}

std::unique_ptr<StarAlgorithm> make_randomized(const StarContext& context, const KeyValues& keys) {
  return std::make_unique<Randomized>(context, RandomizedOptions{keys.number("C"), keys.boolean("literal"),
                                                                 keys.boolean("guard"), keys.boolean("shift")});
}

KeySpec key(std::string name, KeyType type, KeyValue default_value, std::string meaning) {
  KeySpec spec;
  spec.name = std::move(name);
  spec.type = type;
  spec.default_value = std::move(default_value);
  spec.meaning = std::move(meaning);
  return spec;
}

AlgorithmEntry entry(std::string name, std::string meaning, std::vector<KeySpec> keys,
                     std::unique_ptr<StarAlgorithm> (*make_star)(const StarContext&, const KeyValues&)) {
  AlgorithmEntry made{std::move(name), std::move(meaning), {TopologyKind::pops}, {}, std::move(keys)};
  made.make_star = make_star;
  return made;
}

}  // namespace

std::map<std::string, double> StarAlgorithm::figures(const MessageRun& run) const {
  std::int64_t collisions = 0;
  for (const SlotCounts& slot : run.slots) collisions += slot.collisions;
  return {{"collisions", static_cast<double>(collisions)}};
}

const std::vector<AlgorithmEntry>& star_algorithm_table() {
  static const std::vector<AlgorithmEntry> table = {
      entry("broadcast", "packets to all processors, one a slot", {}, make<Broadcast>),
      entry("comparator-sort",
            "sorts the packets by destination with Batcher's merge exchange, deterministic and on-line", {},
            make<ComparatorSort>),
      entry("data-sum", "the sum of all processors' numbers in processor 0", {}, make<DataSum>),
      entry("direct", "each packet through the coupler to its destination's group, tried ever less often", {},
            make<Direct>),
      entry("offline", "a plan by edge colouring: 1 or 2 ceil(d/g) slots for every permutation", {}, make<Offline>),
      entry("randomized", "random cycles of five slots (Mei and Rizzi, section III)",
            {key("C", KeyType::number, 4.0,
                 "d > g: the law of participation expects g/C packets a group to leave a cycle"),
             key("literal", KeyType::boolean, false, "d > g: the paper's own slot 5, which loses packets"),
             key("guard", KeyType::boolean, false, "few groups: take part ever less often, in turn, once all could"),
             key("shift", KeyType::boolean, false, "d = g: temporary groups move on each cycle, past dead couplers")},
            make_randomized),
  };
  return table;
}

}  // namespace starloom
