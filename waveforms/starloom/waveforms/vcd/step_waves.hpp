// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Waves by steps: a clock, the number of the step, and variables that are written when they change.
#include <cstring>
#include <filesystem>
#include <string_view>
#include <vector>

#include <starloom/core/ids.hpp>
#include <starloom/waveforms/vcd/step_times.hpp>
#include <starloom/waveforms/vcd/vcd_writer.hpp>

namespace starloom {

/// The steps of the waves: from `from`, before `to`.
struct WaveWindow {
  Step from = 0;
  Step to = no_step;  ///< no_step: to the end
};

/// The VCD file of a clocked model of any kind. One clock period per step; a value that is set for step t is shown
/// from its beginning to that of step t + 1. The root scope is `network` and contains `clk` and `step`.
///
/// Order of use: declare; for the first step `begin`, set all values, `end_first_step`; for each step with possible
/// changes `step`, and set the values that may have changed; `close`. Steps without changes need no call: the clock
/// continues by itself. In a stretch of more than `longest_quiet` steps without a change it stops (an idle network
/// may sleep for 10^9 steps).
class StepWaves {
 public:
  using Variable = VcdWriter::Variable;
  static constexpr Step longest_quiet = 10'000;

  /// \throws OutputError; so do all others.
  StepWaves(const std::filesystem::path& file, StepTimes times);

  // Declarations.
  void open_scope(std::string_view name) { vcd_.open_scope(name); }
  void close_scope() { vcd_.close_scope(); }
  /// A variable in the open scope, unknown until it is set. \param width 1 to 64 bits
  Variable add(std::string_view name, int width);
  /// A real number in the open scope, 0 until it is set.
  Variable add_real(std::string_view name);
  /// A clock in the open scope, with edges at the beginnings of the steps that are multiples of its period.
  void add_clock(std::string_view name, Step period);

  void begin(Step step);
  void end_first_step();
  bool begun() const { return begun_; }
  void step(Step step) { now_ = step; }
  void set(Variable variable, std::uint64_t value) { put(variable, value, '\0'); }
  void set_real(Variable variable, double value) { put(variable, bits_of(value), real); }
  /// Values that are set from here on are those at the end of the last step, with which the file ends.
  void end_steps() { ended_ = true; }
  /// It has no driver.
  void set_empty(Variable variable) { put(variable, 0, 'z'); }
  /// It has no value, although an object is there.
  void set_unknown(Variable variable) { put(variable, 0, 'x'); }
  /// Completes the file: the last step is `end` - 1.
  void close(Step end);
  /// Removes the file. No values may be set afterwards.
  void discard() { vcd_.discard(); }

  /// The beginnings of steps; the end of cycles may be set here, before that step is written.
  StepTimes& times() { return times_; }
  const StepTimes& times() const { return times_; }
  /// Values written so far, including those of the clock.
  std::int64_t changes() const { return changes_; }
  /// The first step in which a variable that is not real has another value than before; no_step: none.
  Step first_change() const { return first_change_; }

 private:
  static constexpr char real = 'r';
  struct Shown {
    std::uint64_t value = 0;
    char letter = 'x';  ///< '\0': `value` is valid; `real`: it has the bits of a real number
  };
  static std::uint64_t bits_of(double value) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
  }

  void put(Variable variable, std::uint64_t value, char letter) {
    Shown& shown = shown_[variable];
    if (shown.value == value && shown.letter == letter) return;
    shown = {value, letter};
    if (!first_written_) return;
    if (ended_) return at_end_.push_back(variable);
    if (first_change_ == no_step && letter != real) first_change_ = now_;
    if (ticked_ != now_) tick();
    write(variable, shown);
  }
  void write(Variable variable, const Shown& shown);
  /// Selects a unit in which the steps up to this one have times, before it is written.
  void reach(Step step) {
    if (!times_.fits(step + 1)) coarsen_for(step + 1);
  }
  void coarsen_for(Step step);
  void tick();
  void rise(Step step);
  void fall(Step step);
  struct SlowClock {
    Variable variable;
    Step period;
    bool high = false;
  };
  /// Writes the clocks that change at this number of half steps.
  void write_clocks(Step half_steps);

  StepTimes times_;
  VcdWriter vcd_;
  std::vector<Shown> shown_;  ///< [variable]
  Variable clk_, step_;
  std::vector<SlowClock> clocks_{};
  bool begun_ = false;
  bool first_written_ = false;
  Step now_ = 0;     ///< values are set for this step
  Step ticked_ = 0;  ///< the last step whose rising edge is written
  std::int64_t changes_ = 0;
  Step first_change_ = no_step;
  bool ended_ = false;
  std::vector<Variable> at_end_{};  ///< set after the last step
};

}  // namespace starloom
