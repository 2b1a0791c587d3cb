// SPDX-License-Identifier: Apache-2.0
#include <starloom/referee/links/retry_audit.hpp>

#include <algorithm>
#include <iterator>
#include <string>

namespace starloom::links {
namespace {

std::string name_of(PacketId packet, std::int32_t flit) {
  if (packet == no_packet) return "a flit that has vanished";
  return "flit " + std::to_string(flit) + " of packet " + std::to_string(packet);
}

}  // namespace

RetryAudit::RetryAudit(const CheckContext& context) : context_(context), links_(context.link_slots()) {}

RetryAudit::Crossing RetryAudit::cross(const TraceRow& row, LinkId link) {
  if (Unsure* const unsure = this->unsure(link)) return cross_unsure(row, link, *unsure);
  Link& state = state_of(link);
  const bool again = row.event == TraceEvent::resend;
  const std::size_t turn = row.step == state.repeats_from ? 0 : state.turn;
  if (turn < state.kept.size()) {
    const Kept& next = state.kept[turn];
    if (!again || next.packet != row.packet || next.flit != row.flit)
      context_.reject(row, "enters " + context_.link_name(link) + " before " + name_of(next.packet, next.flit) +
                               " has entered it again");
  } else if (again) {
    context_.reject(row, "enters " + context_.link_name(link) + " again, but its sender knows of no corrupt flit");
  } else {
    state.kept.push_back({row.packet, row.flit});
  }
  due_.erase({row.step, link});
  const Step free_from = state.free_from;
  return {carry(link, row.step), free_from};
}

/// The flit whose turn it is enters the link. \return true if it is accepted.
bool RetryAudit::carry(LinkId link, Step step) {
  Link& state = state_of(link);
  if (step > state.free_from) state.idle = step - 1;
  if (step == state.repeats_from) {
    state.turn = 0;
    state.repeats_from = no_step;
  }
  const Kept flit = state.kept[state.turn];
  const bool has_rows = flit.packet != no_packet;
  const Step latency = context_.latency(link);
  const bool corrupt = corrupts(link, step), accepted = !corrupt && state.repeats_from == no_step;
  state.free_from = step + 1;
  if (accepted) {
    state.kept.pop_front();
    state.acknowledged.push_back(step + 2 * latency);
  } else {
    ++state.turn;
    if (has_rows) discards_[{step + latency, link}] = flit;
    if (state.repeats_from == no_step) {
      state.repeats_from = step + 2 * latency;
      if (has_rows) ++nacks_;
      if (has_rows) due_[{state.repeats_from, link}] = flit;
    }
  }
  if (step + 1 == state.repeats_from || state.turn == state.kept.size()) return accepted;
  if (const Kept& next = state.kept[state.turn]; next.packet != no_packet) due_[{step + 1, link}] = next;
  return accepted;
}

/// Flits that have vanished enter their link in the first steps before `until` in which it is free for them.
void RetryAudit::advance(LinkId link, Step until) {
  Link& state = state_of(link);
  for (;;) {
    const bool again = state.turn < state.kept.size();
    Step next = until;
    if (again) next = state.free_from;
    else if (!state.vanished.empty()) next = std::max(*state.vanished.begin(), state.free_from);
    const bool repeats = state.repeats_from != no_step && state.repeats_from <= next;
    if (repeats) next = state.repeats_from;
    if (next >= until) return;
    if (repeats || again) {
      if (state.kept[repeats ? 0 : state.turn].packet != no_packet) return;
    } else {
      state.vanished.erase(state.vanished.begin());
      state.kept.push_back({no_packet, 0});
    }
    carry(link, next);
  }
}

bool RetryAudit::has_vanished(const Link& state) {
  return !state.vanished.empty() ||
         std::any_of(state.kept.begin(), state.kept.end(), [](const Kept& flit) { return flit.packet == no_packet; });
}

bool RetryAudit::discard(const TraceRow& row) {
  const LinkEnd from = context_.graph().near_end(row.node, row.port);
  const auto reject = [&] {
    context_.reject(row, "is discarded, but it does not arrive there corrupt or behind a corrupt flit");
  };
  if (!from.connected()) reject();
  const LinkId link = context_.link(from.node, from.port);
  const auto due = discards_.find({row.step, link});
  if (due != discards_.end() && due->second.packet == row.packet && due->second.flit == row.flit) {
    discards_.erase(due);
    return false;
  }
  Unsure* const unsure = this->unsure(link);
  if (unsure == nullptr || unsure->flits.count({row.packet, row.flit}) == 0) reject();
  Sent& sent = unsure->flits.at({row.packet, row.flit});
  const Step latency = context_.latency(link), crossed = row.step - latency;
  if (sent.crossings.empty() || sent.crossings.front() != crossed) reject();
  bool may_be_ignored = false;
  for (Step before = 1; before < 2 * latency && !may_be_ignored; ++before)
    may_be_ignored = corrupts(link, crossed - before);
  if (!corrupts(link, crossed) && !may_be_ignored) reject();
  sent.crossings.pop_front();
  const bool refuted = sent.accepted && sent.crossings.empty();
  if (refuted) sent.accepted = false;
  return refuted;
}

void RetryAudit::enter(const TraceRow& row, LinkId link, Step left, Step entry, Step free_from) {
  Link& state = state_of(link);
  if (unsure(link) != nullptr) {
    if (row.step < left + entry) context_.reject(row, "enters " + context_.link_name(link) + " too early");
    return;
  }
  if (const Step due = std::max(left + entry, free_from); row.step != due)
    context_.reject(row, "enters " + context_.link_name(link) + " in another step than " + std::to_string(due));
  if (!state.vanished.empty() && *state.vanished.begin() < left + entry)
    context_.reject(row, "enters " + context_.link_name(link) + " before a flit that has vanished in front of it");
  for (; !state.acknowledged.empty() && state.acknowledged.front() <= left; state.acknowledged.pop_front()) continue;
  // Its own place is one of these.
  const auto taken = static_cast<std::int64_t>(state.acknowledged.size() + state.kept.size());
  if (taken > places(link, entry))
    context_.reject(row, "leaves for " + context_.link_name(link) + " in step " + std::to_string(left) + " as one of " +
                             std::to_string(taken) + " flits that are not acknowledged, but its sender keeps " +
                             std::to_string(places(link, entry)));
}

void RetryAudit::begin_step(Step step) {
  for (auto link = with_vanished_.begin(); link != with_vanished_.end();) {
    advance(*link, step);
    link = has_vanished(state_of(*link)) ? std::next(link) : with_vanished_.erase(link);
  }
  for (auto unsure = unsure_.begin(); unsure != unsure_.end();)
    unsure = settle(unsure->first, unsure->second, step) ? unsure_.erase(unsure) : std::next(unsure);
  const auto check = [&](const Due& list, const std::string& rule) {
    if (list.empty() || list.begin()->first.first >= step) return;
    const auto& [place, flit] = *list.begin();
    const auto [due, link] = place;
    context_.reject(due, context_.near_end(link), flit.packet, flit.flit, rule + context_.link_name(link));
  };
  check(due_, "does not enter again ");
  check(discards_, "is not discarded at the end of ");
}

void RetryAudit::forget(Due& due, LinkId link, const TraceRow& row) {
  for (auto at = due.begin(); at != due.end();) {
    const Kept& flit = at->second;
    const bool same = at->first.second == link && flit.packet == row.packet && flit.flit == row.flit;
    at = same ? due.erase(at) : std::next(at);
  }
}

void RetryAudit::vanish(const TraceRow& row, LinkId link, bool accepted) {
  forget(discards_, link, row);
  if (Unsure* const unsure = this->unsure(link)) {
    if (unsure->flits.erase({row.packet, row.flit}) == 0 && !accepted)
      context_.reject(row, "vanishes in front of " + context_.link_name(link) + ", which it has not entered");
    return;
  }
  if (accepted) return;
  Link& state = state_of(link);
  const auto kept = std::find_if(state.kept.begin(), state.kept.end(),
                                 [&](const Kept& flit) { return flit.packet == row.packet && flit.flit == row.flit; });
  if (kept == state.kept.end())
    context_.reject(row, "vanishes in front of " + context_.link_name(link) + ", which it has not entered");
  forget(due_, link, row);
  *kept = {no_packet, 0};
  with_vanished_.insert(link);
}

void RetryAudit::vanish_in_front(const TraceRow& row, LinkId link, Step left, Step entry) {
  if (left == no_step || unsure(link) != nullptr) return make_unsure(link, row.step, entry);
  Link& state = state_of(link);
  const bool was_free = state.turn == state.kept.size() && state.free_from < row.step;
  if (const Step idle = was_free ? row.step - 1 : state.idle; idle >= left + entry)
    context_.reject(row, "vanishes in front of " + context_.link_name(link) + ", which was free for it in step " +
                             std::to_string(idle));
  state.vanished.insert(left + entry);
  with_vanished_.insert(link);
}

/// From `until` on, no flit that has vanished is between the switch and the receiver: from the last answer to a corrupt
/// flit on, the link has carried one in each step, and there were at most as many as the sender has places.
void RetryAudit::make_unsure(LinkId link, Step step, Step entry) {
  was_unsure_ = true;
  const Step latency = context_.latency(link);
  const Step until = step + entry + 2 * latency + places(link, entry);
  const auto [found, is_new] = unsure_.try_emplace(link, Unsure{until, entry, step});
  Unsure& unsure = found->second;
  unsure.until = std::max(unsure.until, until);
  if (!is_new) return;
  Link& state = state_of(link);
  for (const Kept& flit : state.kept)
    if (flit.packet != no_packet) unsure.flits[{flit.packet, flit.flit}];
  for (auto at = discards_.begin(); at != discards_.end();) {
    // Others have been accepted since then.
    const auto flit = unsure.flits.find({at->second.packet, at->second.flit});
    if (at->first.second != link || flit == unsure.flits.end()) {
      ++at;
      continue;
    }
    flit->second.crossings.push_back(at->first.first - latency);
    at = discards_.erase(at);
  }
  for (auto at = due_.begin(); at != due_.end();) at = at->first.second == link ? due_.erase(at) : std::next(at);
  const Step free_from = state.free_from;
  state = {};
  state.free_from = free_from;
  with_vanished_.erase(link);
}

/// \return true if the link is sure again from this step on.
bool RetryAudit::settle(LinkId link, Unsure& unsure, Step step) {
  const Step latency = context_.latency(link);
  for (; unsure.drawn < step && unsure.drawn < unsure.until; ++unsure.drawn)
    if (corrupts(link, unsure.drawn))
      unsure.until = std::max(unsure.until, unsure.drawn + 1 + 2 * latency + places(link, unsure.entry));
  for (auto flit = unsure.flits.begin(); flit != unsure.flits.end();) {
    const auto& [name, sent] = *flit;
    const bool has_arrived = !sent.crossings.empty() && sent.crossings.front() + latency < step;
    if (has_arrived && (sent.crossings.size() > 1 || !sent.accepted))
      context_.reject(sent.crossings.front() + latency, context_.near_end(link), name.first, name.second,
                      "is not discarded at the end of " + context_.link_name(link));
    flit = has_arrived ? unsure.flits.erase(flit) : std::next(flit);
  }
  if (step < unsure.until) return false;
  for (const auto& [name, sent] : unsure.flits)
    if (!sent.accepted)
      context_.reject(unsure.until, context_.near_end(link), name.first, name.second,
                      "does not enter again " + context_.link_name(link));
  return true;
}

RetryAudit::Crossing RetryAudit::cross_unsure(const TraceRow& row, LinkId link, Unsure& unsure) {
  const auto [flit, is_new] = unsure.flits.try_emplace({row.packet, row.flit});
  if (is_new && row.event == TraceEvent::resend)
    context_.reject(row, "enters " + context_.link_name(link) + " again, but has been accepted");
  Link& state = state_of(link);
  Sent& sent = flit->second;
  const Crossing crossing{!corrupts(link, row.step), state.free_from, sent.accepted};
  sent.crossings.push_back(row.step);
  sent.accepted = crossing.accepted;
  state.free_from = row.step + 1;
  return crossing;
}

bool RetryAudit::refutes(const TraceRow& row, LinkId link) {
  Unsure* const unsure = this->unsure(link);
  if (unsure == nullptr) return false;
  const auto flit = unsure->flits.find({row.packet, row.flit});
  if (flit == unsure->flits.end() || !flit->second.accepted) return false;
  if (flit->second.crossings.back() + context_.latency(link) != row.step) return false;
  flit->second.accepted = false;
  return true;
}

void RetryAudit::kill(LinkId link, Step death) {
  const auto reject = [&](PacketId packet, std::int32_t flit) {
    context_.reject(death, context_.near_end(link), packet, flit,
                    "is on the way to the end of " + context_.link_name(link) + " when this dies, but does not vanish");
  };
  for (const Kept& flit : state_of(link).kept)
    if (flit.packet != no_packet) reject(flit.packet, flit.flit);
  if (const Unsure* const unsure = this->unsure(link))
    for (const auto& [name, sent] : unsure->flits)
      if (!sent.accepted) reject(name.first, name.second);
  for (Due* const due : {&due_, &discards_})
    for (auto at = due->begin(); at != due->end();)
      at = at->first.second == link && at->first.first >= death ? due->erase(at) : std::next(at);
  links_[static_cast<std::size_t>(link)] = {};
  with_vanished_.erase(link);
  unsure_.erase(link);
}

}  // namespace starloom::links
