// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Runs the program with the probes as a function, in a child of the test, for tests that link it: loading the
/// program takes longer than most of its runs in tests, and the child has it loaded.
#include <fcntl.h>
#include <unistd.h>
#include <wordexp.h>

#include <cstdio>
#include <functional>

#include <starloom/commands/program.hpp>

#include "cli/program_run.hpp"
#include "probes/probe_catalogue.hpp"

namespace starloom {

class ChildTest : public ProgramTest {
 protected:
  /// As ProgramTest::starloom. `words`: with quotes as in a shell, and none of its other characters. `before`: what the
  /// child does before it runs the program.
  ProgramRun starloom(
      const std::string& words, const std::function<void()>& before = [] {}) const {
    wordexp_t expanded{};
    if (wordexp(("starloom " + words).c_str(), &expanded, WRDE_NOCMD | WRDE_UNDEF) != 0)
      return {-1, "", "wordexp rejects " + words};
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) _exit(run(expanded, before));
    wordfree(&expanded);
    int state = 0;
    waitpid(child, &state, 0);
    return {WIFEXITED(state) ? WEXITSTATUS(state) : -1, scratch_.read("stdout"), scratch_.read("stderr")};
  }
  /// A `before`: reports then draw no pictures, and end with status 5.
  static void without_programs() { setenv("PATH", "", 1); }

 private:
  int run(const wordexp_t& words, const std::function<void()>& before) const {
    constexpr int mode = 0644;
    if (chdir(scratch_.path().c_str()) != 0 || dup2(open("stdout", O_CREAT | O_TRUNC | O_WRONLY, mode), 1) != 1 ||
        dup2(open("stderr", O_CREAT | O_TRUNC | O_WRONLY, mode), 2) != 2)
      return 127;
    before();
    const int status = run_program(probe_catalogue(), static_cast<int>(words.we_wordc), words.we_wordv);
    std::fflush(nullptr);
    return status;
  }
};

}  // namespace starloom
