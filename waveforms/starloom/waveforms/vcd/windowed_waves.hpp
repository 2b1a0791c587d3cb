// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Waves of a run within a window of steps.
#include <algorithm>
#include <exception>
#include <filesystem>

#include <starloom/support/error.hpp>
#include <starloom/waveforms/vcd/step_waves.hpp>

namespace starloom {

/// Waves of a network of any kind: they begin and end with a window, and an error of their file ends them, not the
/// run. Destruction and `exit` complete the file with the steps shown so far.
class WindowedWaves {
 public:
  /// \throws OutputError: the file cannot be created.
  WindowedWaves(const std::filesystem::path& vcd, WaveWindow window, StepTimes times);
  /// Completes the file unless `close` has. Does not report a write error; `close` does.
  ~WindowedWaves();
  WindowedWaves(const WindowedWaves&) = delete;
  WindowedWaves& operator=(const WindowedWaves&) = delete;

  /// Calls `declare(waves)` for the variables. Never throws OutputError: `close` does.
  template <typename Declare>
  void declare(Declare declare) {
    guard([&] { declare(waves_); });
  }
  /// The state of the network is the same in all steps `from` .. `to` - 1. Within the window calls `all()` first,
  /// which sets every variable, and then `changed()`, which sets those that may have changed. Never throws
  /// OutputError: `close` does.
  template <typename All, typename Changed>
  void show(Step from, Step to, All all, Changed changed) {
    shown_to_ = to;
    if (to <= window_.from || (window_.to != no_step && from >= window_.to)) return;
    guard([&] {
      if (begun()) {
        waves_.step(from);
        changed();
        return;
      }
      waves_.begin(std::max(from, window_.from));
      all();
      waves_.end_first_step();
    });
  }
  /// Calls `changed()`, which sets variables that have a new value from step `at` on. Steps ascend over the calls of
  /// this and of `show`. Never throws OutputError: `close` does.
  template <typename Changed>
  void change(Step at, Changed changed) {
    if (window_.to != no_step && at >= window_.to) return;
    guard([&] {
      if (begun()) waves_.step(at);
      changed();
    });
  }
  /// The same at the end of a run of `steps` steps, if the window has no end before.
  template <typename Changed>
  void change_at_end(Step steps, Changed changed) {
    if (window_.to != no_step && steps > window_.to) return;
    guard([&] {
      waves_.end_steps();
      changed();
    });
  }
  /// Completes the file of a run of `steps` steps. \throws OutputError for this write or an earlier one.
  void close(Step steps);

  /// True if the window has begun before the run ended.
  bool begun() const { return waves_.begun(); }
  /// The step with which a call of `show` from step `from` on begins.
  Step first_step_of(Step from) const { return std::max(from, window_.from); }
  /// For setting values in the calls of `show`.
  StepWaves& writer() { return waves_; }
  /// As those of `StepWaves`.
  const StepTimes& times() const { return waves_.times(); }
  std::int64_t changes() const { return waves_.changes(); }
  /// The first step on a reader's screen: shortly before the first event, so that the step before it is visible,
  /// unless the window begins there.
  Step first_sight() const {
    constexpr Step in_sight = 16;  ///< steps on a screen
    const Step event = waves_.first_change();
    return event == no_step || event < window_.from + in_sight ? window_.from : event - 1;
  }

 private:
  /// The disk is full: the run continues without waves, whose space is freed immediately for its trace and result.
  template <typename Write>
  void guard(Write write) {
    if (error_ != nullptr) return;
    try {
      write();
    } catch (const OutputError&) {
      error_ = std::current_exception();
      waves_.discard();
    }
  }

  void complete(Step steps);
  static void complete_all();

  StepWaves waves_;
  const WaveWindow window_;
  Step shown_to_ = 0;
  bool complete_ = false;
  std::exception_ptr error_;
};

}  // namespace starloom
