#include <starloom/commands/interrupt.hpp>

#include <sys/time.h>

#include <csignal>

namespace starloom {
namespace {

/// Seconds and microseconds after which work that does not look at the flag is ended.
constexpr timeval patience = {1, 0};

// A signal handler can reach nothing but globals.
std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);
volatile std::sig_atomic_t first_signal = SIGTERM;

void set_alarm(const timeval& in) {
  const itimerval once = {{0, 0}, in};
  ::setitimer(ITIMER_REAL, &once, nullptr);
}

void note_interrupt(int signal) {
  first_signal = signal;
  interrupted = true;
  set_alarm(patience);
}

/// Nobody has looked: the signal does what it does to other programs.
void end_by_signal(int) {
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

const std::atomic<bool>& interrupt_flag() { return interrupted; }

bool obey_interrupt() {
  if (!interrupted) return false;
  set_alarm({0, 0});
  return true;
}

void request_interrupt() { interrupted = true; }

}  // namespace starloom
