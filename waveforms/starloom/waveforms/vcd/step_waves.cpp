// SPDX-License-Identifier: Apache-2.0
#include <starloom/waveforms/vcd/step_waves.hpp>

#include <utility>

namespace starloom {

StepWaves::StepWaves(const std::filesystem::path& file, StepTimes times)
    : times_(std::move(times)), vcd_(file, times_.unit()) {
  vcd_.open_scope("network");
  clk_ = add("clk", 1);
  step_ = add("step", 64);
}

StepWaves::Variable StepWaves::add(std::string_view name, int width) {
  shown_.emplace_back();
  return vcd_.add(name, width);
}

StepWaves::Variable StepWaves::add_real(std::string_view name) {
  shown_.push_back({bits_of(0), real});
  return vcd_.add_real(name);
}

void StepWaves::add_clock(std::string_view name, Step period) { clocks_.push_back({add(name, 1), period}); }

void StepWaves::write_clocks(Step half_steps) {
  for (SlowClock& clock : clocks_) {
    const bool high = half_steps % (2 * clock.period) < clock.period;
    if (std::exchange(clock.high, high) == high) continue;
    vcd_.number(clock.variable, high ? 1 : 0);
    ++changes_;
  }
}

void StepWaves::begin(Step step) {
  vcd_.close_scope();
  vcd_.end_declarations();
  begun_ = true;
  now_ = ticked_ = step;
  set(clk_, 1);
  set(step_, static_cast<std::uint64_t>(step));
  for (SlowClock& clock : clocks_) {
    clock.high = 2 * (step % clock.period) < clock.period;
    set(clock.variable, clock.high ? 1 : 0);
  }
}

void StepWaves::end_first_step() {
  reach(now_);
  vcd_.time(times_.begin(now_));
  vcd_.begin_dump();
  for (Variable v = 0; v < shown_.size(); ++v) write(v, shown_[v]);
  vcd_.end_dump();
  first_written_ = true;
}

void StepWaves::write(Variable variable, const Shown& shown) {
  ++changes_;
  if (shown.letter == '\0') {
    vcd_.number(variable, shown.value);
  } else if (shown.letter == real) {
    double value = 0;
    std::memcpy(&value, &shown.value, sizeof value);
    vcd_.real(variable, value);
  } else {
    vcd_.letter(variable, shown.letter);
  }
}

// A run with such long idle times has few values to write again.
void StepWaves::coarsen_for(Step step) {
  const StepTimes finer = times_;
  while (!times_.fits(step)) times_.coarsen();
  vcd_.change_unit(times_.unit(), [&](std::uint64_t time) {
    const Step begun = finer.step_at(time);
    return time == finer.begin(begun) ? times_.begin(begun) : times_.middle(begun);
  });
}

void StepWaves::rise(Step step) {
  reach(step);
  vcd_.time(times_.begin(step));
  vcd_.number(clk_, 1);
  vcd_.number(step_, static_cast<std::uint64_t>(step));
  write_clocks(2 * step);
  changes_ += 2;
  ticked_ = step;
}

void StepWaves::fall(Step step) {
  vcd_.time(times_.middle(step));
  vcd_.number(clk_, 0);
  write_clocks(2 * step + 1);
  ++changes_;
}

void StepWaves::tick() {
  fall(ticked_);
  if (now_ - ticked_ <= longest_quiet) {
    while (ticked_ + 1 < now_) {
      rise(ticked_ + 1);
      fall(ticked_);
    }
  }
  rise(now_);
}

void StepWaves::close(Step end) {
  if (ticked_ + 1 < end) {
    now_ = end - 1;
    tick();
  }
  fall(ticked_);
  vcd_.time(times_.begin(ticked_ + 1));
  for (const Variable variable : at_end_) write(variable, shown_[variable]);
  vcd_.close();
}

}  // namespace starloom
