// SPDX-License-Identifier: Apache-2.0
#include <starloom/verify/links/measured_rows.hpp>

#include <algorithm>
#include <utility>

#include <starloom/energy/windows.hpp>

namespace starloom::links {

MeasuredRows::MeasuredRows(const NetworkGraph& graph, const EnergyFacts& facts, bool has_faults, Step from, Step to,
                           Step window, WindowEnd window_end)
    : from_(from),
      to_(to),
      window_(window),
      window_end_(std::move(window_end)),
      window_from_(from),
      tally_(graph, facts.declaration, from, to),
      of_window_(tally_),
      gates_idle_(facts.gates_idle),
      toggles_(facts.toggles),
      busy_steps_(graph, has_faults) {}

void MeasuredRows::rows(const std::vector<TraceRow>& of_one_step) {
  advance(of_one_step.front().step);
  tally_.rows(of_one_step);
  of_window_.rows(of_one_step);
  if (gates_idle_) busy_steps_.rows(of_one_step);
}

energy::Events MeasuredRows::finish(Step steps) {
  advance(from_ + steps);
  end_measuring(from_ + steps);
  return with_toggles(tally_.events(steps, *busy_));
}

bool MeasuredRows::has_windows() const { return window_ > 0 && windows_ < energy::Windows::most; }

/// Begins and ends the measured steps and the windows before a step, all rows before which are known.
void MeasuredRows::advance(Step step) {
  if (step < from_) return;
  if (!std::exchange(measuring_, true)) {
    busy_since(busy_at_start_, from_);
    busy_at_window_ = busy_at_start_;
  }
  const Step end = to_ == no_step ? step : std::min(step, to_);
  while (has_windows() && window_from_ + window_ <= end) end_window(window_);
  if (end == to_) end_measuring(end);
}

void MeasuredRows::end_measuring(Step end) {
  if (busy_) return;
  if (has_windows() && window_from_ < end) end_window(end - window_from_);
  busy_ = busy_since(busy_at_start_, end);
}

void MeasuredRows::end_window(Step steps) {
  window_end_(window_from_, with_toggles(of_window_.take(steps, busy_since(busy_at_window_, window_from_ + steps))));
  window_from_ += steps;
  ++windows_;
}

/// Toggles are known for all measured steps only, so a run that has them has one window at most.
energy::Events MeasuredRows::with_toggles(energy::Events events) const {
  events.toggles = toggles_;
  return events;
}

/// [node] The busy steps before `step` that are not in `before`, which then has them; empty: clocks are not gated.
std::vector<std::int64_t> MeasuredRows::busy_since(std::vector<std::int64_t>& before, Step step) const {
  if (!gates_idle_) return {};
  std::vector<std::int64_t> now = busy_steps_.before(step), since = now;
  for (std::size_t node = 0; node < before.size(); ++node) since[node] -= before[node];
  before = std::move(now);
  return since;
}

}  // namespace starloom::links
