#include <starloom/waveforms/vcd/step_waves.hpp>

#include <cmath>

namespace starloom {

StepWaves::Unit StepWaves::unit_of(double period_ns) {
  const auto picoseconds = static_cast<std::uint64_t>(std::llround(period_ns * 1000));
  if (picoseconds % 2 == 0) return {"1 ps", picoseconds};
  return {"100 fs", 10 * picoseconds};
}

StepWaves::StepWaves(const std::filesystem::path& file, double period_ns)
    : unit_(unit_of(period_ns)), vcd_(file, unit_.name) {
  vcd_.open_scope("network");
  clk_ = add("clk", 1);
  step_ = add("step", 64);
}

StepWaves::Variable StepWaves::add(std::string_view name, int width) {
  shown_.emplace_back();
  return vcd_.add(name, width);
}

void StepWaves::begin(Step step) {
  vcd_.close_scope();
  vcd_.end_declarations();
  begun_ = true;
  now_ = ticked_ = step;
  set(clk_, 1);
  set(step_, static_cast<std::uint64_t>(step));
}

void StepWaves::end_first_step() {
  vcd_.time(static_cast<std::uint64_t>(now_) * unit_.period);
  vcd_.begin_dump();
  for (Variable v = 0; v < shown_.size(); ++v) write(v, shown_[v]);
  vcd_.end_dump();
  first_written_ = true;
}

void StepWaves::write(Variable variable, const Shown& shown) {
  ++changes_;
  if (shown.letter == '\0') vcd_.number(variable, shown.value);
  else vcd_.letter(variable, shown.letter);
}

void StepWaves::rise(Step step) {
  vcd_.time(static_cast<std::uint64_t>(step) * unit_.period);
  vcd_.number(clk_, 1);
  vcd_.number(step_, static_cast<std::uint64_t>(step));
  changes_ += 2;
  ticked_ = step;
}

void StepWaves::fall(Step step) {
  vcd_.time(static_cast<std::uint64_t>(step) * unit_.period + unit_.period / 2);
  vcd_.number(clk_, 0);
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
  vcd_.time(static_cast<std::uint64_t>(ticked_ + 1) * unit_.period);
  vcd_.close();
}

}  // namespace starloom
