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

/// Scenarios end in their expectations: the text before them.
inline std::string without_expectations(const std::string& text) { return text.substr(0, text.find("\nexpect:") + 1); }

/// Copies scenarios, their data and the application graphs below `to`, where they can be damaged.
inline void copy_scenarios(const std::filesystem::path& to) {
  for (const char* folder : {"scenarios", "applications", "graphs"})
    std::filesystem::copy(testbenches() / folder, to / folder, std::filesystem::copy_options::recursive);
}

}  // namespace starloom
