// SPDX-License-Identifier: Apache-2.0
#include <starloom/referee/links/retry_audit.hpp>

#include <algorithm>
#include <string>

namespace starloom::links {
namespace {

std::string name_of(PacketId packet, std::int32_t flit) {
  return "flit " + std::to_string(flit) + " of packet " + std::to_string(packet);
}

}  // namespace

RetryAudit::RetryAudit(const CheckContext& context) : context_(context), links_(context.link_slots()) {}

RetryAudit::Crossing RetryAudit::cross(const TraceRow& row, LinkId link) {
  Link& state = links_[static_cast<std::size_t>(link)];
  if (row.step == state.repeats_from) {
    state.turn = 0;
    state.repeats_from = no_step;
  }
  const bool again = row.event == TraceEvent::resend;
  if (state.turn < state.kept.size()) {
    const Kept& next = state.kept[state.turn];
    if (!again || next.packet != row.packet || next.flit != row.flit)
      context_.reject(row, "enters " + context_.link_name(link) + " before " + name_of(next.packet, next.flit) +
                               " has entered it again");
  } else if (again) {
    context_.reject(row, "enters " + context_.link_name(link) + " again, but its sender knows of no corrupt flit");
  } else {
    state.kept.push_back({row.packet, row.flit});
  }
  due_.erase({row.step, link});

  const Step latency = context_.latency(link);
  const bool corrupt = context_.rules().errors->corrupts(row.node, row.port, row.step);
  const Crossing crossing{!corrupt && state.repeats_from == no_step, state.free_from};
  state.free_from = row.step + 1;
  if (crossing.accepted) {
    state.kept.pop_front();
    state.acknowledged.push_back(row.step + 2 * latency);
  } else {
    ++state.turn;
    discards_[{row.step + latency, link}] = {row.packet, row.flit};
    if (state.repeats_from == no_step) {
      state.repeats_from = row.step + 2 * latency;
      due_[{state.repeats_from, link}] = {row.packet, row.flit};
    }
  }
  if (state.turn < state.kept.size()) due_[{row.step + 1, link}] = state.kept[state.turn];
  return crossing;
}

void RetryAudit::discard(const TraceRow& row) {
  const LinkEnd from = context_.graph().near_end(row.node, row.port);
  const auto found =
      from.connected() ? discards_.find({row.step, context_.link(from.node, from.port)}) : discards_.end();
  if (found == discards_.end() || found->second.packet != row.packet || found->second.flit != row.flit)
    context_.reject(row, "is discarded, but it does not arrive there corrupt or behind a corrupt flit");
  discards_.erase(found);
}

void RetryAudit::enter(const TraceRow& row, LinkId link, Step left, Step entry, Step free_from) {
  Link& state = links_[static_cast<std::size_t>(link)];
  if (const Step due = std::max(left + entry, free_from); row.step != due)
    context_.reject(row, "enters " + context_.link_name(link) + " in another step than " + std::to_string(due));
  for (; !state.acknowledged.empty() && state.acknowledged.front() <= left; state.acknowledged.pop_front()) continue;
  // Its own place is one of these.
  const auto taken = static_cast<std::int64_t>(state.acknowledged.size() + state.kept.size());
  const int places = context_.rules().errors->places(static_cast<int>(entry), static_cast<int>(context_.latency(link)));
  if (taken > places)
    context_.reject(row, "leaves for " + context_.link_name(link) + " in step " + std::to_string(left) + " as one of " +
                             std::to_string(taken) + " flits that are not acknowledged, but its sender keeps " +
                             std::to_string(places));
}

void RetryAudit::begin_step(Step step) {
  const auto check = [&](const auto& list, const std::string& rule) {
    if (list.empty() || list.begin()->first.first >= step) return;
    const auto& [place, flit] = *list.begin();
    const auto [due, link] = place;
    context_.reject(due, context_.near_end(link), flit.packet, flit.flit, rule + context_.link_name(link));
  };
  check(due_, "does not enter again ");
  check(discards_, "is not discarded at the end of ");
}

}  // namespace starloom::links
