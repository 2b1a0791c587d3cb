#include <starloom/message/pops/randomized_audit.hpp>

#include <stdexcept>
#include <string>

namespace starloom::pops {
namespace {

void require(bool holds, const char* rule, std::int64_t cycle) {
  if (!holds) throw std::logic_error("check of randomized, cycle " + std::to_string(cycle) + ": " + rule);
}

}  // namespace

/// The processor of a group that samples the coupler from group `from` in slots 1 and 2.
NodeId RandomizedAudit::relay(std::int32_t group, std::int32_t from, std::int64_t cycle) const {
  const std::int32_t place = from - rules_.block_of(from) * rules_.width();
  return pops_.node_at(group, rules_.relaying_class(cycle) * rules_.width() + place);
}

void RandomizedAudit::cycle(std::int64_t cycle, const std::vector<SentCopy>& copies, const SlotCounts* rows) {
  const auto relays = std::int64_t{pops_.groups()} * rules_.width();
  const auto compare = [&](int slot, std::int64_t drives, std::int64_t heard, std::int64_t listeners) {
    const SlotCounts counted{drives, heard, couplers_.collisions(), listeners};
    require(counted == rows[slot], ("the counts of slot " + std::to_string(slot + 1) + " differ").c_str(), cycle);
  };
  const auto copy_count = static_cast<std::int64_t>(copies.size());

  couplers_.next_slot();
  for (const SentCopy& copy : copies) couplers_.drive(copy.asked, pops_.group_of(copy.source));
  std::vector<const SentCopy*> relayed;
  for (const SentCopy& copy : copies) {
    const std::int32_t from = pops_.group_of(copy.source);
    if (!couplers_.carries(copy.asked, from)) continue;
    require(rules_.first_sample(relay(copy.asked, from, cycle), cycle) == from, "nobody sampled in slot 1", cycle);
    relayed.push_back(&copy);
  }
  const auto relayed_count = static_cast<std::int64_t>(relayed.size());
  compare(0, copy_count, relayed_count, relays);

  couplers_.next_slot();
  for (const SentCopy* copy : relayed) couplers_.drive(rules_.temporary_group(copy->destination, cycle), copy->asked);
  std::vector<const SentCopy*> kept;
  std::int64_t sampled = 0;
  for (const SentCopy* copy : relayed) {
    const std::int32_t temporary = rules_.temporary_group(copy->destination, cycle);
    if (!couplers_.carries(temporary, copy->asked)) continue;
    const NodeId at = relay(temporary, copy->asked, cycle);
    require(rules_.second_sample(at, cycle) == copy->asked, "nobody sampled in slot 2", cycle);
    ++sampled;
    if (rules_.refuses(temporary, copy->destination)) continue;
    require(passing_[static_cast<std::size_t>(at)] == no_node, "a packet arrived at a full buffer", cycle);
    passing_[static_cast<std::size_t>(at)] = copy->destination;
    waiting_.push_back({at, copy->destination});
    kept.push_back(copy);
  }
  const auto kept_count = static_cast<std::int64_t>(kept.size());
  compare(1, relayed_count, sampled, relays);

  couplers_.next_slot();
  for (const SentCopy* copy : kept) couplers_.drive(copy->asked, rules_.temporary_group(copy->destination, cycle));
  std::int64_t heard = 0;
  for (const SentCopy* copy : relayed)
    if (couplers_.carries(copy->asked, rules_.temporary_group(copy->destination, cycle))) ++heard;
  compare(2, kept_count, heard, relayed_count);

  couplers_.next_slot();
  for (const SentCopy* copy : kept) couplers_.drive(pops_.group_of(copy->source), copy->asked);
  heard = 0;
  for (const SentCopy& copy : copies) {
    const bool acknowledged = couplers_.carries(pops_.group_of(copy.source), copy.asked);
    require(acknowledged == copy.acknowledged, "an acknowledgement came or failed against the model", cycle);
    if (acknowledged) ++heard;
  }
  compare(3, kept_count, heard, copy_count);

  last_slot(cycle, rows[4]);
}

void RandomizedAudit::drain(std::int64_t cycle, const SlotCounts& row) { last_slot(cycle, row); }

void RandomizedAudit::last_slot(std::int64_t cycle, const SlotCounts& row) {
  couplers_.next_slot();
  std::vector<Holding> sent, still;
  for (const Holding& holding : waiting_) {
    if (!rules_.serves(holding.destination, cycle)) {
      still.push_back(holding);
      continue;
    }
    couplers_.drive(pops_.group_of(holding.destination), pops_.group_of(holding.at));
    passing_[static_cast<std::size_t>(holding.at)] = no_node;
    sent.push_back(holding);
  }
  waiting_.swap(still);
  // Samplers first, for what they hear changes who samples later.
  SlotCounts counted{static_cast<std::int64_t>(sent.size()), 0, couplers_.collisions(), 0};
  for (NodeId node = 0; node < pops_.nodes(); ++node) {
    if (has_final_[static_cast<std::size_t>(node)]) continue;
    const std::int32_t from = rules_.last_sample(node, cycle);
    if (from == no_group) continue;
    ++counted.listeners;
    if (couplers_.carries(pops_.group_of(node), from)) ++counted.delivered;
  }
  for (const Holding& holding : sent) {
    const std::int32_t to = pops_.group_of(holding.destination), from = pops_.group_of(holding.at);
    if (!couplers_.carries(to, from)) {
      require(rules_.options().literal, "two packets met in slot 5", cycle);
      continue;
    }
    const auto final = static_cast<std::size_t>(holding.destination);
    require(rules_.last_sample(holding.destination, cycle) == from, "the destination sampled another group", cycle);
    require(!has_final_[final], "a packet arrived twice", cycle);
    has_final_[final] = true;
    ++arrived_;
  }
  require(counted == row, "the counts of slot 5 or a drain slot differ", cycle);
}

}  // namespace starloom::pops
