// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The energy and the area of a run on a network of links (docs/energy.md).
#include <optional>
#include <starloom/control/links/algorithm.hpp>
#include <starloom/core/links/event_counts.hpp>
#include <starloom/energy/events.hpp>
#include <starloom/energy/hardware.hpp>
#include <starloom/experiment/experiment.hpp>
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

/// Reads the events of the measured steps of a run.
class MeasuredEvents final : public EventReader {
 public:
  explicit MeasuredEvents(const std::optional<Phases>& phases);

  Step due() const override { return !before_ ? from_ : !measured_ ? to_ : no_step; }
  void read(EventCounts events) override;
  void finish(Step steps, EventCounts events) override;
  /// \pre the run is over
  const EventCounts& events() const { return *measured_; }

 private:
  Step from_ = 0, to_ = no_step;
  std::optional<EventCounts> before_, measured_;
};

/// Adds the metrics `energy`, `energy.csv`, and a line of the summary.
void add_energy(RunReport& report, const Experiment& experiment, const NetworkGraph& graph,
                const Declaration& declaration, const energy::Hardware& hardware, const EventCounts& counts,
                const SimulationResult& result);

}  // namespace starloom::links
