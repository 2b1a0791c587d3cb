// SPDX-License-Identifier: Apache-2.0
#include <starloom/fabric/clock/step_clock.hpp>

#include <limits>

namespace starloom {

void netlist_error(const std::string& text) { SC_REPORT_ERROR(netlist_report, text.c_str()); }

StepClock::StepClock(const sc_core::sc_module_name& name, const sc_core::sc_time& period)
    : sc_module(name), clock("clock"), period_(period), tick_("step_begins"), ended_("ended") {
  if (period_ == sc_core::SC_ZERO_TIME) netlist_error("the period of a fabric is longer than 0");
}

void StepClock::end_of_elaboration() {
  SC_METHOD(run_tick);
  dont_initialize();
  if (clocked()) sensitive << clock->posedge_event();
  else sensitive << tick_;
}

Step StepClock::end_of_time(std::uint64_t period) {
  // Dumps write signed numbers, in tenths of picoseconds if half a period is not an integer number of picoseconds.
  return std::numeric_limits<Step>::max() / 10 / static_cast<Step>(period);
}

Step StepClock::end_of_time() const {
  return clocked() ? std::numeric_limits<Step>::max() : end_of_time(period_.value());
}

std::string StepClock::time_is_over(const char* unit) {
  return std::string("begins a ") + unit +
         " at which simulated time overflows (2^63 x 0.1 ps); shorten the run, or lower units.clock_ns";
}

void StepClock::begin_at(Step step) {
  const sc_core::sc_time begin = sc_core::sc_time::from_value(static_cast<sc_dt::uint64>(step) * period_.value());
  tick_.notify(begin - sc_core::sc_time_stamp());
}

}  // namespace starloom
