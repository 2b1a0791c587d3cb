// SPDX-License-Identifier: Apache-2.0
#include <starloom/core/random.hpp>

#include <Random123/philox.h>

#include <cmath>

namespace starloom {

RandomBlock random_block(std::uint64_t seed, Purpose purpose, std::uint32_t block, Step step, std::uint32_t index) {
  const auto s = static_cast<std::uint64_t>(step);
  const r123::Philox4x32::ctr_type counter{
      {block, static_cast<std::uint32_t>(s), static_cast<std::uint32_t>(s >> 32), index}};
  const r123::Philox4x32::key_type key{
      {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32) ^ static_cast<std::uint32_t>(purpose)}};
  const auto out = r123::Philox4x32()(counter, key);
  return {{out[0], out[1], out[2], out[3]}};
}

std::uint32_t RandomStream::bounded(std::uint32_t range) {
  std::uint64_t product = std::uint64_t{word()} * range;
  auto low = static_cast<std::uint32_t>(product);
  if (low < range) {
    const std::uint32_t threshold = (0u - range) % range;
    while (low < threshold) {
      product = std::uint64_t{word()} * range;
      low = static_cast<std::uint32_t>(product);
    }
  }
  return static_cast<std::uint32_t>(product >> 32);
}

bool RandomStream::bernoulli(double p) { return word() < bernoulli_threshold(p); }

std::uint64_t bernoulli_threshold(double p) {
  if (p >= 1.0) return std::uint64_t{1} << 32;
  if (!(p > 0.0)) return 0;
  return static_cast<std::uint64_t>(std::floor(std::ldexp(p, 32)));
}

}  // namespace starloom
