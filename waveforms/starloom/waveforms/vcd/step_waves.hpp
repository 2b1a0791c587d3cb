// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Waves by steps: a clock, the number of the step, and variables that are written when they change.
#include <filesystem>
#include <string_view>
#include <vector>

#include <starloom/core/ids.hpp>
#include <starloom/waveforms/vcd/step_times.hpp>
#include <starloom/waveforms/vcd/vcd_writer.hpp>

namespace starloom {

/// Steps that are shown: `from` included, `to` not.
struct WaveWindow {
  Step from = 0;
  Step to = no_step;  ///< no_step: to the end
};

/// The VCD file of a clocked model of any kind. One clock period a step; a value that is set for step t shows from its
/// beginning to that of step t + 1. The root scope is `network` and holds `clk` and `step`.
///
/// Order of use: declare; for the first step that is shown `begin`, set everything, `end_first_step`; for each step in
/// which something may have changed `step`, and set what may have changed; `close`.
/// Steps in which nothing changes need no call: the clock goes on by itself. In a stretch of more than `longest_quiet`
/// steps without a change it rests (an idle network may sleep for 10^9 steps).
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

  void begin(Step step);
  void end_first_step();
  bool begun() const { return begun_; }
  void step(Step step) { now_ = step; }
  void set(Variable variable, std::uint64_t value) { put(variable, value, '\0'); }
  /// Nothing drives it.
  void set_empty(Variable variable) { put(variable, 0, 'z'); }
  /// It has no value, though something is there.
  void set_unknown(Variable variable) { put(variable, 0, 'x'); }
  /// Completes the file: the last step shown is `end` - 1.
  void close(Step end);
  /// Removes the file. Nothing may be set afterwards.
  void discard() { vcd_.discard(); }

  /// When steps begin; whoever knows may tell it where cycles end, before that step is shown.
  StepTimes& times() { return times_; }
  const StepTimes& times() const { return times_; }
  /// Values written so far, those of the clock included.
  std::int64_t changes() const { return changes_; }
  /// The first step that shows something else than the step before it; no_step: none does.
  Step first_change() const { return first_change_; }

 private:
  struct Shown {
    std::uint64_t value = 0;
    char letter = 'x';  ///< '\0': it is the value
  };

  void put(Variable variable, std::uint64_t value, char letter) {
    Shown& shown = shown_[variable];
    if (shown.value == value && shown.letter == letter) return;
    shown = {value, letter};
    if (!first_written_) return;
    if (first_change_ == no_step) first_change_ = now_;
    if (ticked_ != now_) tick();
    write(variable, shown);
  }
  void write(Variable variable, const Shown& shown);
  /// Takes a unit in which the steps up to this one have times, before it is written.
  void reach(Step step) {
    if (!times_.fits(step + 1)) coarsen_for(step + 1);
  }
  void coarsen_for(Step step);
  void tick();
  void rise(Step step);
  void fall(Step step);

  StepTimes times_;
  VcdWriter vcd_;
  std::vector<Shown> shown_;  ///< [variable]
  Variable clk_, step_;
  bool begun_ = false;
  bool first_written_ = false;
  Step now_ = 0;     ///< values are set for this step
  Step ticked_ = 0;  ///< the last step whose rising edge is written
  std::int64_t changes_ = 0;
  Step first_change_ = no_step;
};

}  // namespace starloom
