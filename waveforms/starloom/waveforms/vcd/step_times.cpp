// SPDX-License-Identifier: Apache-2.0
#include <starloom/waveforms/vcd/step_times.hpp>

#include <algorithm>
#include <charconv>
#include <limits>

namespace starloom {
namespace {

__extension__ using Exact = unsigned __int128;

constexpr int decimals_of_fs = 13;  ///< of an exact time
constexpr int decimals_of_ns = decimals_of_fs + 6;
constexpr int picosecond = 3;  ///< as a unit

Exact power_of_ten(int exponent) {
  Exact power = 1;
  for (; exponent > 0; --exponent) power *= 10;
  return power;
}

/// The shortest decimal number that is read as `ns`: as in an experiment file, not the exact value of the double.
Exact exact_time(double ns) {
  char text[32];
  const char* const end = std::to_chars(text, text + sizeof text, ns, std::chars_format::scientific).ptr;
  const char* const letter = std::find(text, const_cast<char*>(end), 'e');
  std::uint64_t digits = 0;
  int exponent = decimals_of_ns;
  bool fraction = false;
  for (const char* c = text; c != letter; ++c) {
    if (*c == '.') {
      fraction = true;
      continue;
    }
    digits = digits * 10 + static_cast<std::uint64_t>(*c - '0');
    if (fraction) --exponent;
  }
  int written = 0;
  std::from_chars(letter + (letter[1] == '+' ? 2 : 1), end, written);
  exponent += written;
  return exponent >= 0 ? digits * power_of_ten(exponent) : digits / power_of_ten(std::min(-exponent, 20));
}

}  // namespace

StepTimes::StepTimes(const std::vector<double>& cycle_ns) : begins_(1, 0) {
  for (const double ns : cycle_ns) begins_.push_back(begins_.back() + exact_time(ns));
  const auto all_are_multiples_of = [this](Exact part) {
    return std::all_of(begins_.begin(), begins_.end(), [part](Exact begin) { return begin % part == 0; });
  };
  set_unit(picosecond);
  if (all_are_multiples_of(2 * size_)) return;  // the falling edge is in the middle
  do set_unit(unit_ - 1);
  while (unit_ > 0 && !all_are_multiples_of(size_));
}

void StepTimes::set_unit(int unit) {
  unit_ = unit;
  size_ = power_of_ten(decimals_of_fs + unit);
  const bool whole = begins_.size() == 2 && begins_[1] % size_ == 0;
  whole_ = whole ? static_cast<std::uint64_t>(begins_[1] / size_) : 0;
  Exact longest = 0;
  for (std::size_t step = 1; step < begins_.size(); ++step)
    longest = std::max(longest, begins_[step] - begins_[step - 1]);
  last_ = static_cast<Step>(std::numeric_limits<std::int64_t>::max() / (longest / size_ + 1));
}

std::string StepTimes::unit() const {
  constexpr const char* numbers[] = {"1 ", "10 ", "100 "};
  constexpr const char* names[] = {"fs", "ps", "ns", "us", "ms", "s"};
  return std::string(numbers[unit_ % 3]) + names[unit_ / 3];
}

StepTimes::Exact StepTimes::exact_begin(Step step) const {
  const Step cyclic = cycles_end_ == no_step ? step : std::min(step, cycles_end_);
  const auto steps = static_cast<std::uint64_t>(cyclic), length = static_cast<std::uint64_t>(begins_.size() - 1);
  return steps / length * begins_.back() + begins_[steps % length] + static_cast<Exact>(step - cyclic) * begins_[1];
}

std::uint64_t StepTimes::rounded_begin(Step step) const {
  return static_cast<std::uint64_t>((exact_begin(step) + size_ / 2) / size_);
}

Step StepTimes::step_at(std::uint64_t time) const {
  Step begun = 0, later = last_;
  while (later - begun > 1) {
    const Step step = begun + (later - begun) / 2;
    (begin(step) <= time ? begun : later) = step;
  }
  return begun;
}

}  // namespace starloom
