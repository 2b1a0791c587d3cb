// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The scenarios of the project, for tests that go through all of them.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "support/places.hpp"

namespace starloom {

/// Names of all scenarios without `.yaml`, sorted.
inline std::vector<std::string> scenario_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(testbenches() / "scenarios"))
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

inline std::filesystem::path scenario_file(const std::string& name) {
  return testbenches() / "scenarios" / (name + ".yaml");
}

inline std::string scenario_text(const std::string& name) {
  std::ifstream in(scenario_file(name), std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Names of those that run on hardware, of which there is a trace: not messages, and no views of a network that reckon.
inline std::vector<std::string> scenarios_with_hardware() {
  std::vector<std::string> names;
  for (const std::string& name : scenario_names()) {
    const std::string text = scenario_text(name);
    const bool reckons = text.find("\nmodel: message\n") != std::string::npos ||
                         text.find("view: loosely-timed") != std::string::npos ||
                         text.find("view: approximately-timed") != std::string::npos;
    if (!reckons) names.push_back(name);
  }
  return names;
}

/// Scenarios end in their expectations: the text before them.
inline std::string without_expectations(const std::string& text) { return text.substr(0, text.find("\nexpect:") + 1); }

/// Copies scenarios, their data and the application graphs below `to`, where they can be damaged.
inline void copy_scenarios(const std::filesystem::path& to) {
  for (const char* folder : {"scenarios", "applications", "graphs"})
    std::filesystem::copy(testbenches() / folder, to / folder, std::filesystem::copy_options::recursive);
}

}  // namespace starloom
