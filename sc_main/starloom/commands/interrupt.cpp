// SPDX-License-Identifier: Apache-2.0
#include <starloom/commands/interrupt.hpp>

#include <sys/time.h>

#include <atomic>
#include <csignal>
#include <ctime>

#include <starloom/results/output_folder.hpp>

namespace starloom {
namespace {

/// Seconds and microseconds after which work that does not check the flag is ended.
constexpr timeval patience = {1, 0};
/// Seconds within which a second signal counts as the same one: `timeout` sends one to the process, then one to its
/// whole group.
constexpr double one_moment = 0.2;

// A signal handler can access only globals.
StopFlag flag;
std::atomic<bool> finishing{false};
volatile std::sig_atomic_t first_signal = 0;
timespec first_came{};

/// The signal gets its default effect.
void end_by(int signal) {
  OutputFolder::abandon();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void note_interrupt(int signal) {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  if (first_signal != 0) {
    const auto nanoseconds = static_cast<double>(now.tv_nsec - first_came.tv_nsec);
    if (static_cast<double>(now.tv_sec - first_came.tv_sec) + 1e-9 * nanoseconds > one_moment) end_by(signal);
    return;
  }
  first_signal = signal;
  first_came = now;
  flag.request();
  const itimerval once = {{0, 0}, patience};
  ::setitimer(ITIMER_REAL, &once, nullptr);
}

void end_if_unseen(int) {
  if (!flag.seen() && !finishing) end_by(first_signal);
}

constexpr int interrupts[] = {SIGINT, SIGTERM, SIGHUP};

/// One signal at a time.
void handle(int signal, void (*handler)(int), int flags) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  for (const int other : interrupts) sigaddset(&action.sa_mask, other);
  sigaction(signal, &action, nullptr);
}

/// As `nohup` sets SIGHUP for its program.
bool is_ignored(int signal) {
  struct sigaction now {};
  return sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}

}  // namespace

void catch_interrupts() {
  handle(SIGALRM, end_if_unseen, SA_RESTART);
  for (const int signal : interrupts)
    if (signal != SIGHUP || !is_ignored(signal)) handle(signal, note_interrupt, 0);
}

const StopFlag& interrupt_flag() { return flag; }

void let_finish() { finishing = true; }

void request_interrupt() { flag.request(); }

}  // namespace starloom
