// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/randomized/randomized_algorithm.hpp>

#include <starloom/algorithms/randomized/randomized.hpp>
#include <starloom/algorithms/randomized/starve.hpp>
#include <starloom/planning/pops/optics.hpp>

namespace starloom::pops {
namespace {

Rules randomized_rules(const Pops& pops, const KeyValues& keys) {
  constexpr Rules::Slot passes{MessageKind::data, false, true}, acknowledges{MessageKind::ack, false, false};
  Rules rules;
  if (pops.groups() == 1) {
    rules.slots = pops.group_size();
    return rules;
  }
  const bool literal = keys.boolean("literal");
  rules.cycle = {passes, passes, acknowledges, acknowledges, {MessageKind::data, true, literal}};
  rules.acknowledged = true;
  rules.observed = true;
  if (!literal && pops.group_size() > pops.groups()) rules.drain_slots = pops.group_size() / pops.groups() - 1;
  return rules;
}

std::int64_t count_of(const DeadCouplers& dead, const Pops& pops) {
  std::int64_t count = 0;
  for (std::int32_t from = 0; from < pops.groups(); ++from)
    for (std::int32_t to = 0; to < pops.groups(); ++to) count += dead.contains(to, from) ? 1 : 0;
  return count;
}

}  // namespace

RandomizedAlgorithm::RandomizedAlgorithm(const AlgorithmContext& context, const RandomizedOptions& options)
    : PermutationAlgorithm(context),
      seed_(context.seed),
      dead_(context.dead),
      rules_(context.pops, options, dead_ ? &*dead_ : nullptr) {
  if (dead_ && pops().group_size() != pops().groups())
    throw InputError("randomized handles dead couplers only if d = g, not on POPS(" +
                     std::to_string(pops().group_size()) + "," + std::to_string(pops().groups()) + ")");
}

ControllerSetup RandomizedAlgorithm::make_controllers() const {
  ControllerSetup control{
      {RandomizedRules::cycle_slots, rules_.drain_slots(), no_step},
      for_each_packet([this](NodeId, PacketId packet, NodeId to) { return RandomizedController(rules_, packet, to); })};
  if (rules_.round_robin()) control.program = {1, 0, pops().nodes()};
  return control;
}

Schedule RandomizedAlgorithm::schedule(const RunRecord& run) const {
  if (rules_.round_robin()) return Algorithm::schedule(run);
  return {static_cast<Step>(run.slots.size()), "five-slot cycle", run.units, RandomizedRules::cycle_slots};
}

std::vector<bool> RandomizedAlgorithm::acks_in_cycle() const {
  return rules_.round_robin() ? std::vector<bool>{false} : std::vector<bool>{false, false, true, true, false};
}

std::map<std::string, double> RandomizedAlgorithm::metrics(const RunRecord& run) const {
  auto metrics = PermutationAlgorithm::metrics(run);
  metrics["drain_slots"] = rules_.drain_slots();
  if (dead_) metrics["dead_couplers"] = static_cast<double>(count_of(*dead_, pops()));
  return metrics;
}

std::vector<MetricSpec> RandomizedAlgorithm::declared_metrics() {
  auto metrics = PermutationAlgorithm::declared_metrics();
  // Sorted by name, and `published_formula_slots` is the last.
  metrics.insert(
      metrics.end() - 1,
      {integer_metric("dead_couplers", "", "number of dead couplers").only("there are any"),
       integer_metric("drain_slots", "slots", "number of slots after the last cycle, for remaining packets")});
  return metrics;
}

std::optional<Cost> RandomizedAlgorithm::expected_cost() const {
  if (rules_.round_robin()) return Cost{static_cast<double>(pops().nodes()), 0, 1, 0};
  if (dead_) return std::nullopt;
  return randomized_cost(pops(), rules_.options().C);
}

std::string RandomizedAlgorithm::livelock_advice() const {
  return dead_ && !rules_.options().shift ? "packets wait for couplers that are dead; set routing.shift: true" : "";
}

std::string RandomizedAlgorithm::remark() const {
  if (rules_.round_robin()) return "one coupler: one processor per slot, in turn";
  if (dead_ && !rules_.options().shift) return "without shift, packets whose slot 5 uses a dead coupler wait forever";
  return "";
}

AlgorithmEntry randomized_entry() {
  AlgorithmEntry entry =
      entry_of<RandomizedAlgorithm>("randomized", "random relay groups in cycles of five slots", randomized_rules);
  entry.takes_dead_couplers = true;
  entry.quiet = [](const NetworkKeys& network) {
    return RandomizedRules::patience(std::get<MakePops>(network.entry->make)(network.keys));
  };
  entry.keys = {
      number_key("C",
                 "d > g: the number of processors that take part is chosen so that g/C packets per group are expected "
                 "to leave in a cycle")
          .by_default(4.0),
      boolean_key("literal", "d > g: slot 5 exactly as in the paper, which loses packets").by_default(false),
      boolean_key("guard", "few groups: once all processors may take part, they do so less and less often, in turn")
          .by_default(false),
      boolean_key("shift", "d = g: the temporary groups are shifted in each cycle, so that packets avoid dead couplers")
          .by_default(false)};
  entry.patterns = {patterns::starve_pattern()};
  entry.make = [](const AlgorithmContext& context, const KeyValues& keys) -> std::unique_ptr<Algorithm> {
    return std::make_unique<RandomizedAlgorithm>(
        context,
        RandomizedOptions{keys.number("C"), keys.boolean("literal"), keys.boolean("guard"), keys.boolean("shift")});
  };
  return entry;
}

}  // namespace starloom::pops
