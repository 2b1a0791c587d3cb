#include <starloom/commands/interrupt.hpp>

#include <sys/time.h>

#include <atomic>
#include <csignal>

#include <starloom/results/output_folder.hpp>

namespace starloom {
namespace {

/// Seconds and microseconds after which work that does not look at the flag is ended.
constexpr timeval patience = {1, 0};

// A signal handler can reach nothing but globals.
StopFlag flag;
std::atomic<bool> finishing{false};
volatile std::sig_atomic_t first_signal = SIGTERM;

void note_interrupt(int signal) {
  first_signal = signal;
  flag.ask();
  const itimerval once = {{0, 0}, patience};
  ::setitimer(ITIMER_REAL, &once, nullptr);
}

/// Where nobody has looked, the signal does what it does to other programs.
void end_by_signal(int) {
  if (flag.seen() || finishing) return;
  OutputFolder::abandon();
  std::signal(first_signal, SIG_DFL);
  std::raise(first_signal);
}

void handle(int signal, void (*handler)(int), int flags) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigaction(signal, &action, nullptr);
}

}  // namespace

void catch_interrupts() {
  handle(SIGALRM, end_by_signal, SA_RESTART);
  handle(SIGINT, note_interrupt, static_cast<int>(SA_RESETHAND));
  handle(SIGTERM, note_interrupt, static_cast<int>(SA_RESETHAND));
}

const StopFlag& interrupt_flag() { return flag; }

void let_finish() { finishing = true; }

void request_interrupt() { flag.ask(); }

}  // namespace starloom
