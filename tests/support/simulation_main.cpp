// SPDX-License-Identifier: Apache-2.0
/// \file `main` of test binaries that simulate. The SystemC library brings its own main and calls sc_main.
#include <gtest/gtest.h>

#include <cstdlib>
#include <systemc>

namespace {

/// Turns SystemC warnings into failures: a test that provokes one says so by changing its action.
void report_handler(const sc_core::sc_report& report, const sc_core::sc_actions& actions) {
  if (report.get_severity() == sc_core::SC_WARNING && (actions & sc_core::SC_DISPLAY) != 0)
    ADD_FAILURE() << "SystemC warns: " << report.get_msg_type() << ": " << report.get_msg();
  sc_core::sc_report_handler::default_handler(report, actions);
}

// Before the library's main prints its banner on a stream that test discovery reads.
const int quiet = setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);

}  // namespace

int sc_main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  sc_core::sc_report_handler::set_handler(report_handler);
  return quiet != 0 ? 1 : RUN_ALL_TESTS();
}
