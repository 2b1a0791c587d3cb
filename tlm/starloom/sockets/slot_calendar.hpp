// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The occupied steps of a resource that serves one flit per step. Without SystemC.
#include <array>
#include <cstdint>

#include <starloom/core/ids.hpp>

namespace starloom {

/// A window of steps around the latest requests. A request takes the first gap that is long enough, whatever the
/// times of earlier requests: requests need not come in the order of their times. Steps a window or more before the
/// latest step are forgotten, and free again.
class SlotCalendar {
 public:
  static constexpr Step window = 4096;

  /// Takes `length` consecutive steps, the first at or after `from`, and returns that. `from` and `length` are at
  /// least 0 and 1; of a length above a quarter of the window, only a quarter is reserved.
  Step take(Step from, Step length) {
    length = length < window / 4 ? length : window / 4;
    Step at = from;
    for (Step seen = at; seen < at + length;) {
      const std::uint64_t busy = bits(seen >> 6) >> (seen & 63);
      if (busy == 0) {
        seen = (seen | 63) + 1;
        continue;
      }
      seen += __builtin_ctzll(busy);
      if (seen >= at + length) break;
      at = seen = free_from(seen);
    }
    for (Step step = at; step < at + length;) {
      const Step next = ((step | 63) + 1 < at + length) ? (step | 63) + 1 : at + length;
      const Step count = next - step;
      const std::uint64_t ones = count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
      mark(step >> 6, ones << (step & 63));
      step = next;
    }
    return at;
  }

 private:
  static constexpr Step words = window / 64;
  struct Word {
    Step number = -1;  ///< represents steps 64 * number .. 64 * number + 63
    std::uint64_t bits = 0;
  };

  std::uint64_t bits(Step number) const {
    const Word& word = ring_[static_cast<std::size_t>(number % words)];
    return word.number == number ? word.bits : 0;
  }
  Step free_from(Step step) const {
    while (true) {
      const std::uint64_t free = ~bits(step >> 6) >> (step & 63);
      if (free != 0) return step + __builtin_ctzll(free);
      step = (step | 63) + 1;
    }
  }
  void mark(Step number, std::uint64_t taken) {
    Word& word = ring_[static_cast<std::size_t>(number % words)];
    if (word.number > number) return;  // forgotten
    if (word.number < number) word = {number, 0};
    word.bits |= taken;
  }

  std::array<Word, static_cast<std::size_t>(words)> ring_{};
};

}  // namespace starloom
