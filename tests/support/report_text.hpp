// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The report that an action ends in, and the warnings of a scope.
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

/// Takes the texts of SystemC warnings while it exists; then they fail a test again.
class ReportedWarnings {
 public:
  ReportedWarnings() : before_(sc_core::sc_report_handler::get_handler()) {
    text_of_all().clear();
    sc_core::sc_report_handler::set_handler(&ReportedWarnings::take);
  }
  ~ReportedWarnings() { sc_core::sc_report_handler::set_handler(before_); }
  ReportedWarnings(const ReportedWarnings&) = delete;
  ReportedWarnings& operator=(const ReportedWarnings&) = delete;

  /// A line for each.
  std::string text() const { return text_of_all(); }

 private:
  static std::string& text_of_all() {
    static std::string text;
    return text;
  }
  static void take(const sc_core::sc_report& report, const sc_core::sc_actions& actions) {
    if (report.get_severity() == sc_core::SC_WARNING) text_of_all() += std::string(report.get_msg()) + '\n';
    else sc_core::sc_report_handler::default_handler(report, actions);
  }

  const sc_core::sc_report_handler_proc before_;
};

}  // namespace starloom
