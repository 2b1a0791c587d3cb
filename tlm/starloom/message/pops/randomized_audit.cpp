// SPDX-License-Identifier: Apache-2.0
#include <starloom/message/pops/randomized_audit.hpp>

#include <algorithm>
#include <stdexcept>
#include <string>

namespace starloom::pops {
namespace {

/// [RandomizedAudit::Rule]
constexpr const char* breaches[] = {
    "no processor sampled in slot 1",
    "no processor sampled in slot 2",
    "a packet arrived at a full buffer",
    "an acknowledgement came or failed against the model",
    "two packets met in slot 5",
    "the destination sampled another group",
    "a packet arrived twice",
};

[[noreturn]] void reject(const std::string& breach, std::int64_t cycle) {
  throw std::logic_error("check of randomized, cycle " + std::to_string(cycle) + ": " + breach);
}

}  // namespace

RandomizedAudit::RandomizedAudit(const Pops& pops, const RandomizedRules& rules, const std::vector<GroupRange>& ranges,
                                 ThreadPool& pool)
    : pops_(pops),
      rules_(rules),
      pool_(pool),
      passing_(static_cast<std::size_t>(pops.nodes()), no_node),
      has_final_(static_cast<std::size_t>(pops.nodes()), 0) {
  for (const GroupRange& groups : ranges) {
    Share& share = shares_.emplace_back(Share{groups, CouplerAudit(pops, rules.dead(), groups)});
    share.sent.resize(ranges.size());
    share.relayed.resize(ranges.size());
    share.onward.resize(ranges.size());
    range_of_.resize(groups.end, shares_.size() - 1);
  }
}

void RandomizedAudit::cycle(std::int64_t cycle, const SlotCounts* rows) {
  const auto compare = [&](int slot) {
    if (!(counted(slot) == rows[slot])) reject("the counts of slot " + std::to_string(slot + 1) + " differ", cycle);
  };
  in_all_shares([&](std::size_t, Share& share) { first_slot(cycle, share); });
  judge(cycle);
  compare(0);
  in_all_shares([&](std::size_t own, Share& share) { second_slot(cycle, own, share); });
  judge(cycle);
  compare(1);
  in_all_shares([&](std::size_t own, Share& share) {
    acknowledgements(cycle, own, share);
    drive_last_slot(cycle, share);
  });
  compare(2);
  judge(cycle);
  compare(3);
  hear_last_slot(cycle, rows[4]);
  for (Share& share : shares_)
    for (std::vector<SentCopy>& copies : share.sent) copies.clear();
}

void RandomizedAudit::drain(std::int64_t cycle, const SlotCounts& row) {
  in_all_shares([&](std::size_t, Share& share) { drive_last_slot(cycle, share); });
  hear_last_slot(cycle, row);
}

std::int64_t RandomizedAudit::arrived() const {
  std::int64_t arrived = 0;
  for (const Share& share : shares_) arrived += share.arrived;
  return arrived;
}

/// The processor of a group that samples the coupler from group `from` in slots 1 and 2.
NodeId RandomizedAudit::relay(std::int32_t group, std::int32_t from, std::int64_t cycle) const {
  const std::int32_t index = from - rules_.block_of(from) * rules_.width();
  return pops_.node_at(group, rules_.relaying_class(cycle) * rules_.width() + index);
}

/// For source groups.
void RandomizedAudit::first_slot(std::int64_t cycle, Share& share) {
  CouplerAudit& couplers = share.couplers;
  SlotCounts counts;
  couplers.next_slot();
  for (const std::vector<SentCopy>& copies : share.sent) {
    counts.drives += static_cast<std::int64_t>(copies.size());
    for (const SentCopy& copy : copies) couplers.drive(copy.intermediate, pops_.group_of(copy.source));
  }
  for (std::size_t range = 0; range < shares_.size(); ++range) {
    share.relayed[range].clear();
    for (const SentCopy& copy : share.sent[range]) {
      const std::int32_t from = pops_.group_of(copy.source);
      if (!couplers.carries(copy.intermediate, from)) continue;
      share.require(rules_.first_sample(relay(copy.intermediate, from, cycle), cycle) == from, Rule::sampled_first);
      share.relayed[range].push_back(
          {copy.destination, from, copy.intermediate, rules_.temporary_group(copy.destination, cycle), false});
      ++counts.delivered;
    }
  }
  counts.collisions = couplers.collisions();
  counts.listeners = static_cast<std::int64_t>(share.groups.end - share.groups.begin) * rules_.width();
  share.counts[0] = counts;
}

/// Of intermediate groups.
void RandomizedAudit::second_slot(std::int64_t cycle, std::size_t own, Share& share) {
  CouplerAudit& couplers = share.couplers;
  SlotCounts counts;
  couplers.next_slot();
  for (const Share& from : shares_) {
    counts.drives += static_cast<std::int64_t>(from.relayed[own].size());
    for (const Relayed& copy : from.relayed[own]) couplers.drive(copy.temporary, copy.intermediate);
  }
  for (std::vector<Relayed>& copies : share.onward) copies.clear();
  for (Share& from : shares_)
    for (Relayed& copy : from.relayed[own]) {
      if (couplers.carries(copy.temporary, copy.intermediate)) {
        ++counts.delivered;
        const NodeId at = relay(copy.temporary, copy.intermediate, cycle);
        // The processor that samples this group has copies of no other group: no other thread uses that buffer.
        if (share.require(rules_.second_sample(at, cycle) == copy.intermediate, Rule::sampled_second) &&
            !rules_.refuses(copy.temporary, copy.destination)) {
          share.require(passing_[static_cast<std::size_t>(at)] == no_node, Rule::buffer_empty);
          passing_[static_cast<std::size_t>(at)] = copy.destination;
          copy.kept = true;
        }
      }
      share.onward[range_of(copy.temporary)].push_back(copy);
    }
  counts.collisions = couplers.collisions();
  counts.listeners = share.counts[0].listeners;
  share.counts[1] = counts;
}

/// Slot 3 of temporary groups, slot 4 of intermediate groups.
void RandomizedAudit::acknowledgements(std::int64_t cycle, std::size_t own, Share& share) {
  CouplerAudit& couplers = share.couplers;
  SlotCounts third, fourth;
  couplers.next_slot();
  for (const Share& from : shares_)
    for (const Relayed& copy : from.onward[own]) {
      if (!copy.kept) continue;
      couplers.drive(copy.intermediate, copy.temporary);
      share.waiting.push_back({relay(copy.temporary, copy.intermediate, cycle), copy.destination});
      ++third.drives;
    }
  for (const Share& from : shares_) {
    third.listeners += static_cast<std::int64_t>(from.onward[own].size());
    for (const Relayed& copy : from.onward[own])
      third.delivered += couplers.carries(copy.intermediate, copy.temporary) ? 1 : 0;
  }
  third.collisions = couplers.collisions();
  share.counts[2] = third;

  couplers.next_slot();
  for (const Share& from : shares_)
    for (const Relayed& copy : from.relayed[own]) {
      if (!copy.kept) continue;
      couplers.drive(copy.source_group, copy.intermediate);
      ++fourth.drives;
    }
  for (const Share& from : shares_) {
    fourth.listeners += static_cast<std::int64_t>(from.sent[own].size());
    for (const SentCopy& copy : from.sent[own]) {
      const bool acknowledged = couplers.carries(pops_.group_of(copy.source), copy.intermediate);
      share.require(acknowledged == copy.acknowledged, Rule::acknowledged);
      fourth.delivered += acknowledged ? 1 : 0;
    }
  }
  fourth.collisions = couplers.collisions();
  share.counts[3] = fourth;
}

/// Temporary groups forward the packets of the class that slot 5, or a drain slot, serves.
void RandomizedAudit::drive_last_slot(std::int64_t cycle, Share& share) {
  share.couplers.next_slot();
  share.leaving.clear();
  const auto leaves = [&](const Holding& holding) {
    if (!rules_.serves(holding.destination, cycle)) return false;
    share.couplers.drive(pops_.group_of(holding.destination), pops_.group_of(holding.at));
    passing_[static_cast<std::size_t>(holding.at)] = no_node;
    share.leaving.push_back(holding);
    return true;
  };
  share.waiting.erase(std::remove_if(share.waiting.begin(), share.waiting.end(), leaves), share.waiting.end());
}

void RandomizedAudit::hear_last_slot(std::int64_t cycle, const SlotCounts& row) {
  // Samplers first, because a message that they hear changes later samples.
  in_all_shares([&](std::size_t, Share& share) {
    SlotCounts counts{static_cast<std::int64_t>(share.leaving.size()), 0, share.couplers.collisions(), 0};
    const NodeId end = static_cast<NodeId>(share.groups.end) * pops_.group_size();
    for (NodeId node = static_cast<NodeId>(share.groups.begin) * pops_.group_size(); node < end; ++node) {
      if (has_final_[static_cast<std::size_t>(node)] != 0) continue;
      const std::int32_t from = rules_.last_sample(node, cycle);
      if (from == no_group) continue;
      ++counts.listeners;
      if (shares_[range_of(from)].couplers.carries(pops_.group_of(node), from)) ++counts.delivered;
    }
    share.counts[4] = counts;
  });
  in_all_shares([&](std::size_t, Share& share) {
    for (const Holding& holding : share.leaving) {
      const std::int32_t to = pops_.group_of(holding.destination), from = pops_.group_of(holding.at);
      if (!share.couplers.carries(to, from)) {
        share.require(rules_.options().literal, Rule::alone);
        continue;
      }
      const auto final = static_cast<std::size_t>(holding.destination);
      // The processor that samples a group hears no other group: no other thread uses that destination.
      if (!share.require(rules_.last_sample(holding.destination, cycle) == from, Rule::expected)) continue;
      share.require(has_final_[final] == 0, Rule::once);
      has_final_[final] = 1;
      ++share.arrived;
    }
  });
  judge(cycle);
  if (!(counted(4) == row)) reject("the counts of slot 5 or a drain slot differ", cycle);
}

/// \throws std::logic_error if a share has found a breach. If there are several, the first rule is reported,
/// whichever thread found it.
void RandomizedAudit::judge(std::int64_t cycle) const {
  Rule broken = Rule::none;
  for (const Share& share : shares_) broken = std::min(broken, share.broken);
  if (broken != Rule::none) reject(breaches[static_cast<std::size_t>(broken)], cycle);
}

SlotCounts RandomizedAudit::counted(int slot) const {
  SlotCounts counts;
  for (const Share& share : shares_) counts += share.counts[slot];
  return counts;
}

}  // namespace starloom::pops
