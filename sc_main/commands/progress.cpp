#include <starloom/commands/progress.hpp>
#include <starloom/core/tell.hpp>

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace starloom {

using std::chrono::steady_clock;

Progress::Progress() : terminal_(::isatty(STDERR_FILENO) == 1), next_(steady_clock::now() + std::chrono::seconds(2)) {}

Progress::~Progress() {
  if (shown_) tell_progress("");
}

void Progress::after_step(Step step, std::int64_t delivered, std::size_t packets) {
  if (!terminal_) return;
  const auto now = steady_clock::now();
  if (now < next_) return;
  next_ = now + std::chrono::milliseconds(200);
  shown_ = true;
  tell_progress(fmt::format("step {}: {} of {} packets delivered", step, delivered, packets));
}

}  // namespace starloom
