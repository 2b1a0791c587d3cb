#include "commands/junit.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace starloom {
namespace {

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\n': out += "&#10;"; break;
      // Other control characters are no XML at all.
      default: out += static_cast<unsigned char>(c) < 0x20 && c != '\t' ? '?' : c;
    }
  }
  return out;
}

}  // namespace

std::string junit_text(const std::vector<ScenarioReport>& reports) {
  const auto failures =
      std::count_if(reports.begin(), reports.end(), [](const ScenarioReport& report) { return !report.fault.empty(); });
  std::string text = R"(<?xml version="1.0" encoding="UTF-8"?>)"
                     "\n";
  text += fmt::format(R"(<testsuite name="starloom regress" tests="{}" failures="{}">)"
                      "\n",
                      reports.size(), failures);
  for (const ScenarioReport& report : reports) {
    text += fmt::format(R"(  <testcase name="{}" time="{:.3f}")", escaped(report.name), report.seconds);
    if (report.fault.empty()) text += "/>\n";
    else text += fmt::format(">\n    <failure message=\"{}\"/>\n  </testcase>\n", escaped(report.fault));
  }
  return text + "</testsuite>\n";
}

}  // namespace starloom
