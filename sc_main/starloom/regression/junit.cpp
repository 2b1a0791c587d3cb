// SPDX-License-Identifier: Apache-2.0
#include <starloom/regression/junit.hpp>

#include <fmt/format.h>

#include <algorithm>

#include <starloom/results/xml.hpp>

namespace starloom {

std::string junit_text(const std::vector<ScenarioReport>& reports) {
  const auto failures =
      std::count_if(reports.begin(), reports.end(), [](const ScenarioReport& report) { return !report.error.empty(); });
  std::string text = R"(<?xml version="1.0" encoding="UTF-8"?>)"
                     "\n";
  text += fmt::format("{} tests=\"{}\" failures=\"{}\">\n", junit_mark, reports.size(), failures);
  for (const ScenarioReport& report : reports) {
    text += fmt::format(R"(  <testcase name="{}" time="{:.3f}")", escaped(report.name), report.seconds);
    if (report.error.empty()) text += "/>\n";
    else text += fmt::format(">\n    <failure message=\"{}\"/>\n  </testcase>\n", escaped(report.error));
  }
  return text + "</testsuite>\n";
}

}  // namespace starloom
