// SPDX-License-Identifier: Apache-2.0
#include <starloom/referee/links/retry_purge_audit.hpp>

namespace starloom::links {

void RetryPurgeAudit::change(const FaultEvent& event) {
  const std::optional<std::size_t> location = wires_.change(event);
  for (std::size_t channel = 0; location && event.dies && channel < wires_.channels(); ++channel)
    doubts_[*location * wires_.channels() + channel] = {};
}

RetryPurgeAudit::Word RetryPurgeAudit::word(Step step, std::size_t buffer) {
  wires_.check_word(step, buffer);
  if (const auto found = vanished_.find({step, buffer}); found != vanished_.end()) {
    Vanished& vanished = found->second;
    if (vanished.taken > 0) return --vanished.taken, Word::of_vanished;
    if (vanished.reserved > 0) return --vanished.reserved, Word::of_reserved;
    if (vanished.unsure > 0) return --vanished.unsure, Word::of_vanished;
  }
  Step& last = last_word_[wires_.location_of(buffer)];
  if (last == step) wires_.reject(step, buffer, "a second credit of the in-port is returned in the step, by");
  last = step;
  if (const auto doubt = doubts_.find(buffer); doubt != doubts_.end()) --doubt->second.without_word;
  return Word::of_flit;
}

void RetryPurgeAudit::vanish(Step purged, std::size_t buffer, Word word, bool may_be_free) {
  if (wires_.is_silent(wires_.location_of(buffer), purged)) return;
  Vanished& vanished = vanished_[{purged + SideWires::credit_word, buffer}];
  ++(may_be_free ? vanished.unsure : word == Word::of_reserved ? vanished.reserved : vanished.taken);
}

void RetryPurgeAudit::check_until(Step last) {
  while (!vanished_.empty() && vanished_.begin()->first.first <= last) {
    const auto [step, buffer] = vanished_.begin()->first;
    const Vanished flits = vanished_.begin()->second;
    vanished_.erase(vanished_.begin());
    // If the hardware has died in the step of the word, that is not sent.
    if (wires_.is_silent(wires_.location_of(buffer), step - SideWires::credit_word)) continue;
    if (flits.taken + flits.reserved > 0)
      wires_.reject(step, buffer, "a flit has vanished, but no credit is returned for");
    if (const auto doubt = doubts_.find(buffer); doubt != doubts_.end()) doubt->second.without_word += flits.unsure;
  }
}

std::int64_t RetryPurgeAudit::settle(std::size_t buffer, Step now) {
  check_until(now);
  const auto doubt = doubts_.find(buffer);
  if (doubt == doubts_.end() || vanished_.count({now + SideWires::credit_word, buffer}) != 0) return 0;
  const auto [is_repaired, flits, without_word] = doubt->second;
  if (!is_repaired) return 0;
  if (without_word < 0) wires_.reject(now, buffer, "a credit was returned, but no flit had left");
  if (without_word > flits) wires_.reject(now, buffer, "a flit has left, but no credit was returned, for");
  doubts_.erase(doubt);
  return without_word;
}

}  // namespace starloom::links
