// SPDX-License-Identifier: Apache-2.0
#include <starloom/commands/progress.hpp>
#include <starloom/support/message.hpp>

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace starloom {

using std::chrono::steady_clock;

std::string progress_text(const std::string& clock, const RunProgress& progress) {
  return fmt::format("{} {}{}: {} packet{} in flight, {} delivered", clock, progress.step,
                     progress.most == no_step ? "" : fmt::format(" of at most {}", progress.most),
                     progress.created - progress.delivered, progress.created - progress.delivered == 1 ? "" : "s",
                     progress.delivered);
}

StageLine::StageLine() : terminal_(::isatty(STDERR_FILENO) == 1) {}

void StageLine::begin(const std::string& what) const {
  if (terminal_) print_progress(fmt::format("analysing {} ...", what));
}

void StageLine::end() const {
  if (terminal_) print_progress("");
}

Progress::Progress(std::string clock)
    : clock_(std::move(clock)),
      terminal_(::isatty(STDERR_FILENO) == 1),
      next_(steady_clock::now() + std::chrono::seconds(2)) {}

Progress::~Progress() {
  if (shown_) print_progress("");
}

void Progress::after_step(const RunProgress& progress) {
  if (!terminal_) return;
  const auto now = steady_clock::now();
  if (now < next_) return;
  next_ = now + std::chrono::milliseconds(200);
  shown_ = true;
  print_progress(progress_text(clock_, progress));
}

}  // namespace starloom
