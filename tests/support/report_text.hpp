// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The report that an action ends in.
#include <string>
#include <systemc>

namespace starloom {

/// Type and text of the SystemC report that `action` throws; empty if it throws none.
template <class Action>
std::string report_text(Action&& action) {
  try {
    action();
  } catch (const sc_core::sc_report& report) {
    return std::string(report.get_msg_type()) + ": " + report.get_msg();
  }
  return {};
}

}  // namespace starloom
