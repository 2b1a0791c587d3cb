// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The events of the measured steps of a run, and of each window of them, from the rows of its trace.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include <starloom/energy/busy_steps.hpp>
#include <starloom/energy/events.hpp>
#include <starloom/verify/links/energy_facts.hpp>

namespace starloom::links {

class MeasuredRows {
 public:
  /// Called at the end of each of the first `energy::Windows::most` windows, with its first step.
  using WindowEnd = std::function<void(Step, const energy::Events&)>;

  /// \param facts outlives the object, as `graph` does. \param has_faults hardware may be dead
  /// \param from, to the measured steps; no_step: they end with the run. \param window steps; 0: there are none
  MeasuredRows(const NetworkGraph& graph, const EnergyFacts& facts, bool has_faults, Step from, Step to, Step window,
               WindowEnd window_end);

  void rows(const std::vector<TraceRow>& of_one_step);
  /// The events of all measured steps. Called once, after all rows. \param steps their number
  energy::Events finish(Step steps);

 private:
  bool has_windows() const;
  void advance(Step step);
  void end_measuring(Step end);
  void end_window(Step steps);
  energy::Events with_toggles(energy::Events events) const;
  std::vector<std::int64_t> busy_since(std::vector<std::int64_t>& before, Step step) const;

  const Step from_, to_, window_;
  const WindowEnd window_end_;
  Step window_from_;  ///< the first step of the next window
  std::size_t windows_ = 0;
  energy::EventTally tally_, of_window_;
  const bool gates_idle_;
  const std::vector<std::int64_t>& toggles_;
  energy::BusySteps busy_steps_;
  bool measuring_ = false;
  std::vector<std::int64_t> busy_at_start_, busy_at_window_;  ///< [node] before the measured steps, and the next window
  std::optional<std::vector<std::int64_t>> busy_;             ///< [node] in the measured steps
};

}  // namespace starloom::links
