#include <starloom/commands/progress.hpp>

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace starloom {

using std::chrono::steady_clock;

Progress::Progress() : terminal_(::isatty(STDERR_FILENO) == 1), next_(steady_clock::now() + std::chrono::seconds(2)) {}

Progress::~Progress() {
  if (shown_) fmt::print(stderr, "\r\033[K");
}

void Progress::after_step(Step step, std::int64_t delivered, std::size_t packets) {
  if (!terminal_) return;
  const auto now = steady_clock::now();
  if (now < next_) return;
  next_ = now + std::chrono::milliseconds(200);
  shown_ = true;
  fmt::print(stderr, "\r\033[Kstep {}: {} of {} packets delivered", step, delivered, packets);
  std::fflush(stderr);
}

}  // namespace starloom
