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

Timeline::Timeline(const NetworkGraph& graph, Pipelines pipelines, std::int32_t credit_extra)
    : graph_(graph),
      pipelines_(std::move(pipelines)),
      longest_delay_(pipelines_.greatest(std::mem_fn(&Pipeline::consumption))),
      credit_extra_(credit_extra) {
  for (NodeId node = 0; node < graph.nodes(); ++node) terminal_.push_back(graph.is_terminal(node));
}

std::optional<CreditReturn> Timeline::credit(const CreditRow& row) const {
  if (row.port >= graph_.ports()) return std::nullopt;
  const LinkEnd from = graph_.near_end(row.node, row.port);
  if (!from.connected() || is_terminal(from.node)) return std::nullopt;
  const int delay = credit_delay(graph_.wire_latency(from.node, from.port)) + credit_extra_;
  return CreditReturn{from.node, from.port, row.channel, row.step - credit_word + delay};
}

std::optional<CreditReturn> Timeline::credit(const TraceRow& row) const {
  if (row.event != TraceEvent::hop || is_terminal(row.node) || !is_terminal(row.to)) return std::nullopt;
  const Step arrival = row.step + graph_.latency(row.node, row.port);
  return CreditReturn{row.node, row.port, row.channel, arrival + terminal_credit + credit_extra_};
}

Step Timeline::undisturbed(const TraceRow& row) const {
  if (const auto won = grant(row)) return stages(row.node) + row.step - won->step;
  return row.event == TraceEvent::hop ? terminal_entry : 0;
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
