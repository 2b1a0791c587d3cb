// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The scenarios of the project, and those of the probes, for tests that go through all of them.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "support/places.hpp"

namespace starloom {

inline std::filesystem::path probe_scenarios() { return project() / "tests" / "probes" / "scenarios"; }

/// Names of the scenarios in a folder without `.yaml`, sorted.
inline std::vector<std::string> scenario_names(const std::filesystem::path& folder = testbenches() / "scenarios") {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

/// Those of the project, then those of the probes.
inline std::vector<std::string> all_scenario_names() {
  std::vector<std::string> names = scenario_names();
  for (std::string& name : scenario_names(probe_scenarios())) names.push_back(std::move(name));
  return names;
}

inline std::filesystem::path scenario_file(const std::string& name) {
  const std::filesystem::path of_probes = probe_scenarios() / (name + ".yaml");
  return std::filesystem::exists(of_probes) ? of_probes : testbenches() / "scenarios" / (name + ".yaml");
}

inline std::string scenario_text(const std::string& name) {
  std::ifstream in(scenario_file(name), std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Names of those that run on hardware, of which there is a trace: not messages, and no views of a network that reckon.
inline std::vector<std::string> scenarios_with_hardware() {
  std::vector<std::string> names;
  for (const std::string& name : all_scenario_names()) {
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
