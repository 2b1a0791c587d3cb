// SPDX-License-Identifier: Apache-2.0
#include <starloom/router/timeline.hpp>

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

namespace starloom::router {

using links::CreditRow;
using links::TraceEvent;
using links::TraceRow;

namespace {

Step longest_consumption(const NetworkGraph& graph, const Pipelines& pipelines) {
  if (!graph.has_clocks()) return pipelines.greatest(std::mem_fn(&Pipeline::consumption));
  Step longest = 0;
  for (NodeId node = 0; node < graph.nodes(); ++node)
    longest = std::max(longest, Step{graph.period(node)} * pipelines.at(node).consumption());
  return longest;
}

}  // namespace

Timeline::Timeline(const NetworkGraph& graph, Pipelines pipelines, std::int32_t credit_extra, bool repeats)
    : graph_(graph),
      pipelines_(std::move(pipelines)),
      longest_delay_(longest_consumption(graph, pipelines_)),
      credit_extra_(credit_extra),
      repeats_(repeats) {
  for (NodeId node = 0; node < graph.nodes(); ++node) terminal_.push_back(graph.is_terminal(node));
}

void Timeline::read(const TraceRow& row) {
  if (repeats_) return read_crossing(row);
  if (row.event != TraceEvent::hop || !graph_.has_clocks()) return;
  const std::size_t link = graph_.index(row.node, row.port);
  const ClockCrossing crossing = graph_.crossing(row.node, row.port);
  last_read_.resize(graph_.link_slots(), -Step{most_clock_period});
  const Step alone = crossing.readable(row.step + graph_.latency(row.node, row.port));
  last_read_[link] = std::max(alone, last_read_[link] + crossing.receiver);
  if (last_read_[link] > alone) later_[{link, row.step}] = last_read_[link];
}

/// The flits of a link are accepted in their order.
void Timeline::read_crossing(const TraceRow& row) {
  if (row.event != TraceEvent::hop && !is_repetition(row.event)) return;
  const bool discarded = row.event == TraceEvent::discard;
  const LinkEnd from = discarded ? graph_.near_end(row.node, row.port) : LinkEnd{row.node, row.port};
  const Step latency = graph_.latency(from.node, from.port);
  const std::size_t link = graph_.index(from.node, from.port);
  Queue<Crossed>& flits = crossed_[link];
  if (row.event == TraceEvent::hop) {
    while (!flits.empty() && flits.front().arrives < row.step) flits.pop_front();
    return flits.push_back({row.packet, row.flit, row.step, row.step + latency});
  }
  for (Crossed& flit : flits) {
    if (flit.packet != row.packet || flit.flit != row.flit) continue;
    if (discarded && flit.arrives != row.step) continue;  // it has entered the link again
    // Without such a row, the sender learns of a discarded flit, and sends it again, later.
    flit.arrives = row.step + (discarded ? 2 * latency : latency);
    later_[{link, flit.hop}] = flit.arrives;
  }
}

Step Timeline::readable(const TraceRow& row) const {
  const Step arrival = row.step + graph_.latency(row.node, row.port);
  if (!reads_rows()) return arrival;
  const auto waits = later_.find({graph_.index(row.node, row.port), row.step});
  return waits != later_.end() ? waits->second : graph_.crossing(row.node, row.port).readable(arrival);
}

std::optional<CreditReturn> Timeline::credit(const CreditRow& row) const {
  if (row.port >= graph_.ports()) return std::nullopt;
  const LinkEnd from = graph_.near_end(row.node, row.port);
  if (!from.connected() || is_terminal(from.node)) return std::nullopt;
  const Step arrival = row.step + graph_.wire_latency(from.node, from.port) + graph_.period(from.node) * credit_extra_;
  return CreditReturn{from.node, from.port, row.channel, graph_.crossing(from.node, from.port).available(arrival)};
}

std::optional<CreditReturn> Timeline::credit(const TraceRow& row) const {
  if (row.event != TraceEvent::hop || is_terminal(row.node) || !is_terminal(row.to)) return std::nullopt;
  const ClockCrossing crossing = graph_.crossing(row.node, row.port);
  const Step credit = readable(row) + crossing.receiver + crossing.sender * (terminal_credit - 1 + credit_extra_);
  return CreditReturn{row.node, row.port, row.channel, crossing.available(credit)};
}

Step Timeline::undisturbed(const TraceRow& row) const {
  if (const auto won = grant(row)) return stages(row.node) + row.step - won->step;
  return row.event == TraceEvent::hop ? graph_.period(row.node) * terminal_entry : 0;
}

void CreditHistory::spend(Step granted) {
  if (granted < from_) ++before_;
  else spent_.push_back(granted);
}

void CreditHistory::give_back(Step step) {
  if (step < from_) --before_;
  else back_.push_back(step);
}

std::int64_t CreditHistory::taken(Step step) const {
  const auto spent = std::lower_bound(spent_.begin(), spent_.end(), step) - spent_.begin();
  const auto back = std::upper_bound(back_.begin(), back_.end(), step) - back_.begin();
  return before_ + spent - back;
}

Step CreditHistory::next_change(Step step) const {
  Step next = std::numeric_limits<Step>::max();
  // A credit spent in a step is not available from the next one on.
  if (const auto at = std::lower_bound(spent_.begin(), spent_.end(), step); at != spent_.end())
    next = std::min(next, *at + 1);
  if (const auto at = std::upper_bound(back_.begin(), back_.end(), step); at != back_.end()) next = std::min(next, *at);
  return next;
}

}  // namespace starloom::router
