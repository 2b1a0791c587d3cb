// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The clock of a fabric, which runs its one process at the beginning of each step.
#include <cstdint>
#include <string>
#include <systemc>

#include <starloom/core/ids.hpp>

namespace starloom {

/// Report types of the fabric.
inline constexpr const char* contract_report = "/starloom/contract";  ///< a rule of the contract was broken
inline constexpr const char* netlist_report = "/starloom/netlist";    ///< the netlist is not complete
inline constexpr const char* threads_report = "/starloom/threads";    ///< fewer threads than were asked for

/// Reports an error of the netlist.
void netlist_error(const std::string& text);

/// Base of the modules that run all nodes of a network, step by step (slot by slot).
///
/// Ports: `clock` is optional. Bound, every rising edge is a step. Unbound, step t begins at start + t * period.
/// Start is the time at which simulation starts. Process: one SC_METHOD, which calls `tick`.
class StepClock : public sc_core::sc_module {
 public:
  sc_core::sc_port<sc_core::sc_signal_in_if<bool>, 1, sc_core::SC_ZERO_OR_MORE_BOUND> clock;

  const sc_core::sc_time& period() const { return period_; }
  /// Notified when the run has ended: by the run controller, by a broken rule, or because no further event is
  /// possible (in that case a later call from outside resumes it).
  const sc_core::sc_event& ended() const { return ended_; }

  /// The first step that has no time in SystemC and dumps, without a clock. `period`: in picoseconds, above 0.
  static Step end_of_time(std::uint64_t period);

 protected:
  SC_HAS_PROCESS(StepClock);
  StepClock(const sc_core::sc_module_name& name, const sc_core::sc_time& period);

  /// Called at an edge of the clock, or at the beginning of the requested step.
  virtual void tick() = 0;

  bool clocked() const { return clock.size() > 0; }
  /// Without a clock: `tick` is called when `step` begins.
  void begin_at(Step step);
  /// The same for this period. With a clock, the clock's own limit applies.
  Step end_of_time() const;
  /// The message for a run that reaches this time; `unit` is its step or slot.
  static std::string time_is_over(const char* unit);
  void end_run() { ended_.notify(sc_core::SC_ZERO_TIME); }

 private:
  void end_of_elaboration() override;
  void run_tick() { tick(); }

  sc_core::sc_time period_;
  sc_core::sc_event tick_;
  sc_core::sc_event ended_;
};

}  // namespace starloom
