#include <starloom/referee/pops/rules.hpp>

namespace starloom::pops {
namespace {

Step ceil_log2(std::int64_t number) {
  Step bits = 0;
  while ((std::int64_t{1} << bits) < number) ++bits;
  return bits;
}

/// Slots in which any permutation can be routed off-line.
Step slots_of_plan(const Pops& pops) {
  return pops.group_size() == 1 ? 1 : Step{2} * ((pops.group_size() + pops.groups() - 1) / pops.groups());
}

Rules randomized(const Pops& pops, bool literal) {
  constexpr Rules::Slot passes{MessageKind::data, false, true}, acknowledges{MessageKind::ack, false, false};
  Rules rules;
  if (pops.groups() == 1) {
    rules.slots = pops.group_size();
    return rules;
  }
  rules.cycle = {passes, passes, acknowledges, acknowledges, {MessageKind::data, true, literal}};
  rules.acknowledged = true;
  rules.observed = true;
  if (!literal && pops.group_size() > pops.groups()) rules.drain_slots = pops.group_size() / pops.groups() - 1;
  return rules;
}

}  // namespace

Rules rules_of(std::string_view algorithm, const Pops& pops, bool literal) {
  if (algorithm == "randomized") return randomized(pops, literal);
  constexpr Rules::Slot passes{MessageKind::data, false, false}, delivers{MessageKind::data, true, false};
  Rules rules;
  if (algorithm == "direct") {
    rules.cycle = {{MessageKind::data, true, true}, {MessageKind::ack, false, false}};
    rules.acknowledged = true;
    rules.observed = true;
  } else if (algorithm == "offline") {
    rules.slots = slots_of_plan(pops);
    if (rules.slots > 1) rules.cycle = {passes, delivers};
  } else if (algorithm == "comparator-sort") {
    const Step k = ceil_log2(pops.nodes());
    rules.arrival = Rules::Arrival::sorted;
    rules.slots = k * (k + 1) / 2 * slots_of_plan(pops);
    rules.cycle = {passes};
  } else if (algorithm == "broadcast") {
    rules.arrival = Rules::Arrival::everywhere;
  } else if (algorithm == "data-sum") {
    rules.arrival = Rules::Arrival::summed;
  } else {
    rules.cycle = {{MessageKind::data, true, true}};
  }
  return rules;
}

}  // namespace starloom::pops
