// SPDX-License-Identifier: Apache-2.0
#include <starloom/simulation/kernel.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include <starloom/fabric/clock/step_clock.hpp>

namespace starloom {
namespace {

constexpr std::size_t most_modules_to_destroy = 2000;

}  // namespace

void renew_kernel() {
  // SystemC elaborates once per context. The first context is never deleted, because it contains statics of the
  // library.
  static bool first = true;
  if (!first) {
    sc_core::sc_curr_simcontext = new sc_core::sc_simcontext;
    sc_core::sc_default_global_context = sc_core::sc_curr_simcontext;
  }
  first = false;
  sc_core::sc_report_handler::set_actions(contract_report, sc_core::SC_DO_NOTHING);
  // Traffic without packets needs no step at all, which is not an error here.
  sc_core::sc_report_handler::set_actions(sc_core::SC_ID_NO_SC_START_ACTIVITY_, sc_core::SC_DO_NOTHING);
}

Step end_of_time(double clock_ns) {
  return StepClock::end_of_time(static_cast<std::uint64_t>(std::max(1LL, std::llround(clock_ns * 1000))));
}

bool retire(std::unique_ptr<sc_core::sc_module> network, std::size_t module_count) {
  if (module_count <= most_modules_to_destroy) return false;
  static std::vector<std::unique_ptr<sc_core::sc_module>> kept;
  kept.push_back(std::move(network));
  return true;
}

}  // namespace starloom
