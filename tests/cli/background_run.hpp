#pragma once
/// \file The program in the background, for tests that send it signals.
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/program_run.hpp"
#include "support/places.hpp"

namespace starloom {

/// Runs `starloom WORDS` in the folder `at` until it ends; killed with the object if nobody waits for it.
class BackgroundRun {
 public:
  BackgroundRun(const ScratchFolder& at, std::vector<std::string> words) : at_(at), pid_(fork()) {
    if (pid_ != 0) return;
    std::vector<char*> arguments;
    words.insert(words.begin(), program().string());
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    constexpr int mode = 0644;
    if (chdir(at.path().c_str()) == 0 && dup2(open("stdout", O_CREAT | O_TRUNC | O_WRONLY, mode), 1) == 1 &&
        dup2(open("stderr", O_CREAT | O_TRUNC | O_WRONLY, mode), 2) == 2)
      execv(arguments[0], arguments.data());
    _exit(127);
  }
  ~BackgroundRun() {
    if (running()) {
      kill(pid_, SIGKILL);
      wait();
    }
  }
  BackgroundRun(const BackgroundRun&) = delete;
  BackgroundRun& operator=(const BackgroundRun&) = delete;

  pid_t pid() const { return pid_; }
  bool running() {
    if (!ended_) ended_ = waitpid(pid_, &state_, WNOHANG) == pid_;
    return !ended_;
  }
  void signal(int number) const { kill(pid_, number); }
  /// What it left; status -1 if a signal ended it.
  ProgramRun wait() {
    if (!ended_) waitpid(pid_, &state_, 0);
    ended_ = true;
    return {WIFEXITED(state_) ? WEXITSTATUS(state_) : -1, at_.read("stdout"), at_.read("stderr")};
  }

 private:
  const ScratchFolder& at_;
  pid_t pid_;
  int state_ = 0;
  bool ended_ = false;
};

}  // namespace starloom
