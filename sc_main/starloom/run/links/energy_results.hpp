// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The energy and the area of a run on a network of links (docs/energy.md).
#include <functional>
#include <optional>
#include <starloom/control/links/algorithm.hpp>
#include <starloom/core/links/event_counts.hpp>
#include <starloom/energy/busy_steps.hpp>
#include <starloom/energy/events.hpp>
#include <starloom/energy/hardware.hpp>
#include <starloom/energy/windows.hpp>
#include <starloom/experiment/experiment.hpp>
#include <starloom/pictures/links/power_picture.hpp>
#include <starloom/results/run_report.hpp>
#include <starloom/simulation/links/simulation.hpp>
#include <string>
#include <vector>

namespace starloom::links {

/// The costs of the hardware of an experiment with `energy`. Errors are added to `diagnostics`.
energy::Hardware energy_hardware(const Experiment& experiment, const NetworkGraph& graph,
                                 const Declaration& declaration, Diagnostics& diagnostics);

/// A sentence for each size of the network for which the numbers of the table are not known to hold.
std::vector<std::string> energy_warnings(const energy::Table& table, const energy::Hardware& hardware);

/// Reads the events of the measured steps of a run, and those of each window.
class MeasuredEvents final : public EventReader {
 public:
  /// Called at the end of each of the first `energy::Windows::most` windows, with its first step, its events and its
  /// number of steps.
  using WindowEnd = std::function<void(Step, const EventCounts&, Step)>;

  /// \param busy outlives the object; null: clocks run in all steps. \param window steps; 0: there are none
  MeasuredEvents(const std::optional<Phases>& phases, const energy::BusySteps* busy, Step window, WindowEnd window_end);

  Step due() const override;
  void read(EventCounts events) override;
  void finish(Step steps, EventCounts events) override;
  /// \pre the run is over
  const EventCounts& events() const { return *measured_; }

 private:
  bool has_windows() const { return window_ > 0 && windows_ < energy::Windows::most; }
  void end_window(Step end, const EventCounts& events);

  Step from_ = 0, to_ = no_step;
  const energy::BusySteps* const busy_;
  const Step window_;
  const WindowEnd window_end_;
  Step window_from_ = 0;
  std::size_t windows_ = 0;
  std::optional<EventCounts> before_, measured_;
  EventCounts before_window_;
};

/// Adds the metrics `energy`, `energy.csv`, and a line of the summary.
void add_energy(RunReport& report, const Experiment& experiment, const NetworkGraph& graph,
                const Declaration& declaration, const energy::Hardware& hardware, const energy::Events& events,
                const RequestCounts& requests, const energy::Windows& windows, const SimulationResult& result);

/// The mean power of each router and link, for `power.svg`.
PowerUse power_use_of(const NetworkGraph& graph, const energy::Hardware& hardware, const energy::Events& events,
                      double clock_ns);

}  // namespace starloom::links
