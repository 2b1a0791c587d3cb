#include <cstring>

#include <starloom/core/random.hpp>

// Philox evaluated for eight blocks side by side. Compilers do not find this form by themselves, so it is written with
// the vector instructions of x86-64 where they exist; integer arithmetic, hence the same words everywhere.
#if defined(__x86_64__) && defined(__GNUC__)
#define STARLOOM_WIDE_PHILOX 1
#include <immintrin.h>
#endif

namespace starloom {
namespace {

#ifdef STARLOOM_WIDE_PHILOX

constexpr int vectors = 2;        ///< independent chains, to hide the latency of the multiplications
constexpr int vector_blocks = 4;  ///< blocks per vector: one 32-bit word in each 64-bit lane
constexpr int wide_blocks = vectors * vector_blocks;
constexpr int rounds = 10;

/// Fills the words of the first `blocks` rounded down to a multiple of `wide_blocks`; returns how many blocks it did.
__attribute__((target("avx2"))) std::size_t wide_random_words(std::uint64_t seed, Purpose purpose,
                                                              std::uint32_t first_block, std::size_t blocks, Step step,
                                                              std::uint32_t index, std::uint32_t* words) {
  // Multipliers and key increments of Philox4x32 (Salmon et al., SC'11).
  const __m256i multiplier_0 = _mm256_set1_epi64x(0xD2511F53);
  const __m256i multiplier_1 = _mm256_set1_epi64x(0xCD9E8D57);
  __m256i key_0[rounds], key_1[rounds];
  auto k0 = static_cast<std::uint32_t>(seed);
  auto k1 = static_cast<std::uint32_t>(seed >> 32) ^ static_cast<std::uint32_t>(purpose);
  for (int round = 0; round < rounds; ++round, k0 += 0x9E3779B9u, k1 += 0xBB67AE85u) {
    key_0[round] = _mm256_set1_epi64x(k0);
    key_1[round] = _mm256_set1_epi64x(k1);
  }
  const auto s = static_cast<std::uint64_t>(step);
  std::size_t done = 0;
  for (; done + wide_blocks <= blocks; done += wide_blocks) {
    // The upper half of a lane may hold anything: products read lower halves only, and so do the shuffles at the end.
    __m256i x0[vectors], x1[vectors], x2[vectors], x3[vectors];
    for (int v = 0; v < vectors; ++v) {
      const std::uint32_t block = first_block + static_cast<std::uint32_t>(done) + v * vector_blocks;
      x0[v] = _mm256_set_epi64x(block + 3, block + 2, block + 1, block);
      x1[v] = _mm256_set1_epi64x(static_cast<std::uint32_t>(s));
      x2[v] = _mm256_set1_epi64x(static_cast<std::uint32_t>(s >> 32));
      x3[v] = _mm256_set1_epi64x(index);
    }
    for (int round = 0; round < rounds; ++round)
      for (int v = 0; v < vectors; ++v) {
        const __m256i product_0 = _mm256_mul_epu32(x0[v], multiplier_0);
        const __m256i product_1 = _mm256_mul_epu32(x2[v], multiplier_1);
        x0[v] = _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(product_1, 32), x1[v]), key_0[round]);
        x2[v] = _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(product_0, 32), x3[v]), key_1[round]);
        x1[v] = product_1;
        x3[v] = product_0;
      }
    for (int v = 0; v < vectors; ++v) {
      // Transpose the lower halves: blocks 0, 2 and blocks 1, 3 share a vector until the last exchange of halves.
      const __m256i even =
          _mm256_unpacklo_epi64(_mm256_unpacklo_epi32(x0[v], x1[v]), _mm256_unpacklo_epi32(x2[v], x3[v]));
      const __m256i odd =
          _mm256_unpacklo_epi64(_mm256_unpackhi_epi32(x0[v], x1[v]), _mm256_unpackhi_epi32(x2[v], x3[v]));
      const __m256i low = _mm256_permute2x128_si256(even, odd, 0x20);
      const __m256i high = _mm256_permute2x128_si256(even, odd, 0x31);
      std::uint32_t* out = words + 4 * (done + static_cast<std::size_t>(v) * vector_blocks);
      std::memcpy(out, &low, sizeof low);
      std::memcpy(out + 8, &high, sizeof high);
    }
  }
  return done;
}

const bool wide_philox_runs_here = __builtin_cpu_supports("avx2");

#endif

}  // namespace

void random_words(std::uint64_t seed, Purpose purpose, std::uint32_t first_block, std::size_t blocks, Step step,
                  std::uint32_t index, std::uint32_t* words) {
  std::size_t done = 0;
#ifdef STARLOOM_WIDE_PHILOX
  if (wide_philox_runs_here) done = wide_random_words(seed, purpose, first_block, blocks, step, index, words);
#endif
  for (; done < blocks; ++done) {
    const RandomBlock block = random_block(seed, purpose, first_block + static_cast<std::uint32_t>(done), step, index);
    std::memcpy(words + 4 * done, block.word, sizeof block.word);
  }
}

}  // namespace starloom
