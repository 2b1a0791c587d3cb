// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The common part of the tests of the program on POPS networks: an experiment, and runs with other values in
/// it.
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/program_run.hpp"

namespace starloom {

/// POPS(8,4): groups of eight.
inline const char* const pops_experiment =
    "schema: 1\n"
    "network: {topology: pops, groups: 4, group_size: 8}\n"
    "model: message\n"
    "routing: {algorithm: randomized}\n"
    "traffic: {pattern: random-permutation}\n";

class PopsProgram : public ProgramTest {
 protected:
  PopsProgram() { scratch_.write("p.yaml", pops_experiment); }
  /// `run p.yaml` with some values of the file replaced.
  std::string with(const std::string& values) const {
    std::string words = "run p.yaml --force --quiet";
    std::istringstream stream(values);
    for (std::string value; stream >> value;) words += " --set '" + value + "'";
    return words;
  }
  nlohmann::json result(const std::string& values, int status = 0) const {
    const ProgramRun run = starloom(with(values));
    EXPECT_EQ(run.status, status) << values << ": " << run.err;
    return nlohmann::json::parse(scratch_.read("out/p/result.json"));
  }
  void refuses_values(const std::string& values, const std::string& text) const { refuses(with(values), 2, text); }
};

}  // namespace starloom
