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

void Progress::after_step(Step step, const links::RunRecord& record) {
  if (!terminal_) return;
  const auto now = steady_clock::now();
  if (now < next_) return;
  next_ = now + std::chrono::milliseconds(200);
  shown_ = true;
  fmt::print(stderr, "\r\033[Kstep {}: {} of {} packets delivered", step, record.delivered_count,
             record.packets.size());
  std::fflush(stderr);
}

}  // namespace starloom
