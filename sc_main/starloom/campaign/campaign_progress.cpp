// SPDX-License-Identifier: Apache-2.0
#include <starloom/campaign/campaign_progress.hpp>

#include <starloom/config/duration_text.hpp>
#include <starloom/support/message.hpp>

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace starloom {
namespace {

using std::chrono::steady_clock;

steady_clock::duration pace(bool terminal) {
  return terminal ? std::chrono::milliseconds(200) : std::chrono::milliseconds(10'000);
}

}  // namespace

CampaignProgress::CampaignProgress(std::string name, std::int64_t before, std::int64_t total)
    : name_(std::move(name)),
      before_(before),
      total_(total),
      terminal_(::isatty(STDERR_FILENO) == 1),
      started_(steady_clock::now()),
      next_(started_ + pace(terminal_)) {}

void CampaignProgress::tick() {
  const auto now = steady_clock::now();
  if (now < next_) return;
  next_ = now + pace(terminal_);
  shown_ = true;
  const std::string text = line(std::chrono::duration<double>(now - started_).count());
  if (terminal_) print_progress(text);
  else print_message(text);
}

void CampaignProgress::wipe() {
  if (shown_ && terminal_) print_progress("");
  shown_ = false;
}

std::string CampaignProgress::line(double seconds) const {
  const std::int64_t now = done_ + failed_;
  std::string text = fmt::format("{}: {} of {} runs", name_, before_ + done_, total_);
  if (now > 0 && seconds > 0) {
    const double rate = static_cast<double>(now) / seconds;
    const auto left = static_cast<double>(total_ - before_ - now);
    text += fmt::format(", {:.{}f} runs/s", rate, rate < 10 ? 1 : 0);
    if (10 * now >= total_ - before_) text += fmt::format(", {} remaining", duration_text(left / rate));
  }
  return text + fmt::format(", {} failed", failed_);
}

}  // namespace starloom
