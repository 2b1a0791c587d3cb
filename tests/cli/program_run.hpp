// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Runs the program in a folder of its own and keeps what it says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "support/places.hpp"
#include "unit/scratch_folder.hpp"

namespace starloom {

/// The output streams of a call of the program, and its exit status.
struct ProgramRun {
  int status = 0;
  std::string out;
  std::string err;
};

class ProgramTest : public testing::Test {
 protected:
  /// `words`: the words behind `starloom`, as a shell reads them. `before`: shell commands of the same process.
  ProgramRun starloom(const std::string& words, const std::string& before = "") const {
    return run(before + " exec '" + program().string() + "' " + words);
  }
  /// The same of the program with the probes.
  ProgramRun starloom_with_probes(const std::string& words) const {
    return run(" exec '" + probe_program().string() + "' " + words);
  }
  /// The program refuses the words with a status and exactly this text; or with one that begins so, if it ends in `...`
  /// because a list of names that may grow comes last.
  void refuses(const std::string& words, int status, const std::string& text) const {
    const ProgramRun run = starloom(words);
    EXPECT_EQ(run.status, status) << words;
    const std::string open_end = "...";
    const bool open = text.size() > open_end.size() && text.substr(text.size() - open_end.size()) == open_end;
    if (open) EXPECT_EQ(run.err.substr(0, text.size() - open_end.size()) + open_end, text) << words;
    else EXPECT_EQ(run.err, text + "\n") << words;
    EXPECT_EQ(run.out, "") << words;
  }
  /// The names in a folder, in order.
  std::vector<std::string> files(const std::string& folder) const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(scratch_.file(folder)))
      names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }
  bool exists(const std::string& name) const { return std::filesystem::exists(scratch_.file(name)); }

  ScratchFolder scratch_;

 private:
  ProgramRun run(const std::string& commands) const {
    const std::string command = "cd '" + scratch_.path().string() + "' && { " + commands + "; } >stdout 2>stderr";
    const int state = std::system(command.c_str());
    return {WIFEXITED(state) ? WEXITSTATUS(state) : -1, scratch_.read("stdout"), scratch_.read("stderr")};
  }
};

/// A mesh of four by four that runs in a moment.
inline const char* const small_experiment =
    "schema: 1\n"
    "network: {topology: mesh, shape: [4, 4]}\n"
    "routing: {algorithm: greedy}\n"
    "traffic: {pattern: reversal}\n";

}  // namespace starloom
