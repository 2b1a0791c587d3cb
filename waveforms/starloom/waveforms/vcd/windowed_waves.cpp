// SPDX-License-Identifier: Apache-2.0
#include <starloom/waveforms/vcd/windowed_waves.hpp>

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

namespace starloom {
namespace {

/// All existing waves. Modules that are created by `new` and never deleted still have theirs when the program ends.
std::vector<WindowedWaves*>& living() {
  static auto& all = *new std::vector<WindowedWaves*>;
  return all;
}

}  // namespace

WindowedWaves::WindowedWaves(const std::filesystem::path& vcd, WaveWindow window, StepTimes times)
    : waves_(vcd, std::move(times)), window_(window) {
  [[maybe_unused]] static const int registered = std::atexit(complete_all);
  living().push_back(this);
}

WindowedWaves::~WindowedWaves() {
  complete(shown_to_);
  living().erase(std::find(living().begin(), living().end(), this));
}

void WindowedWaves::complete_all() {
  for (WindowedWaves* const waves : living()) waves->complete(waves->shown_to_);
}

void WindowedWaves::complete(Step steps) {
  if (std::exchange(complete_, true)) return;
  guard([&] {
    if (!begun()) {
      if (window_.from > 0) return;  // even a run without steps has a first value
      waves_.begin(window_.from);
      waves_.end_first_step();
    }
    waves_.close(window_.to == no_step ? steps : std::min(steps, window_.to));
  });
}

void WindowedWaves::close(Step steps) {
  complete(steps);
  if (error_ != nullptr) std::rethrow_exception(error_);
}

}  // namespace starloom
