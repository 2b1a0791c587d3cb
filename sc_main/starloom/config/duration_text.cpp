// SPDX-License-Identifier: Apache-2.0
#include <starloom/config/duration_text.hpp>

#include <fmt/format.h>

#include <cmath>
#include <cstdint>

namespace starloom {

std::string duration_text(double seconds) {
  const auto whole = std::int64_t{std::llround(seconds)};
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole / 60 % 60);
}

}  // namespace starloom
