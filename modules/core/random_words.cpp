#include <algorithm>
#include <cstring>
#include <iterator>

#include <starloom/core/random.hpp>

// Philox evaluated for eight blocks side by side. Compilers do not find this form by themselves, so it is written with
// the vector instructions of x86-64 where they exist; integer arithmetic, hence the same words everywhere.
#if defined(__x86_64__) && defined(__GNUC__)
#define STARLOOM_WIDE_PHILOX 1
#include <immintrin.h>
#endif

namespace starloom {
namespace {

constexpr std::size_t words_in_mask = 64;

#ifdef STARLOOM_WIDE_PHILOX

constexpr int vectors = 2;        ///< independent chains, to hide the latency of the multiplications
constexpr int vector_blocks = 4;  ///< blocks per vector: one 32-bit word in each 64-bit lane
constexpr std::size_t wide_blocks = vectors * vector_blocks;
constexpr std::size_t wide_words = 4 * wide_blocks;
constexpr int rounds = 10;

/// What all blocks of a call have in common.
struct WideDraw {
  std::uint64_t key_0[rounds], key_1[rounds];
  std::uint32_t step_low, step_high, index;

  WideDraw(std::uint64_t seed, Purpose purpose, Step step, std::uint32_t index_of_draw) : index(index_of_draw) {
    const auto s = static_cast<std::uint64_t>(step);
    step_low = static_cast<std::uint32_t>(s);
    step_high = static_cast<std::uint32_t>(s >> 32);
    auto k0 = static_cast<std::uint32_t>(seed);
    auto k1 = static_cast<std::uint32_t>(seed >> 32) ^ static_cast<std::uint32_t>(purpose);
    for (int round = 0; round < rounds; ++round, k0 += 0x9E3779B9u, k1 += 0xBB67AE85u) {
      key_0[round] = k0;
      key_1[round] = k1;
    }
  }
};

/// For each group of `wide_blocks` blocks, its words to `words`, or, if that is null, a bit for each word that is not
/// above `greatest` to `bits`.
__attribute__((target("avx2"))) void wide_groups(const WideDraw& draw, std::uint32_t first_block, std::size_t groups,
                                                 std::uint32_t* words, std::uint32_t greatest, std::uint32_t* bits) {
  // Multipliers of Philox4x32 (Salmon et al., SC'11).
  const __m256i multiplier_0 = _mm256_set1_epi64x(0xD2511F53);
  const __m256i multiplier_1 = _mm256_set1_epi64x(0xCD9E8D57);
  const __m256i most = _mm256_set1_epi32(static_cast<int>(greatest));
  for (std::size_t group = 0; group < groups; ++group) {
    // The upper half of a lane may hold anything: products read lower halves only, and so do the shuffles at the end.
    __m256i x0[vectors], x1[vectors], x2[vectors], x3[vectors];
    for (int v = 0; v < vectors; ++v) {
      const std::uint32_t block = first_block + static_cast<std::uint32_t>(group * wide_blocks) + v * vector_blocks;
      x0[v] = _mm256_add_epi64(_mm256_set1_epi64x(block), _mm256_set_epi64x(3, 2, 1, 0));
      x1[v] = _mm256_set1_epi64x(draw.step_low);
      x2[v] = _mm256_set1_epi64x(draw.step_high);
      x3[v] = _mm256_set1_epi64x(draw.index);
    }
    for (int round = 0; round < rounds; ++round) {
      const __m256i key_0 = _mm256_set1_epi64x(static_cast<std::int64_t>(draw.key_0[round]));
      const __m256i key_1 = _mm256_set1_epi64x(static_cast<std::int64_t>(draw.key_1[round]));
      for (int v = 0; v < vectors; ++v) {
        const __m256i product_0 = _mm256_mul_epu32(x0[v], multiplier_0);
        const __m256i product_1 = _mm256_mul_epu32(x2[v], multiplier_1);
        x0[v] = _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(product_1, 32), x1[v]), key_0);
        x2[v] = _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(product_0, 32), x3[v]), key_1);
        x1[v] = product_1;
        x3[v] = product_0;
      }
    }
    std::uint32_t below = 0;
    for (int v = 0; v < vectors; ++v) {
      // Transpose the lower halves: blocks 0, 2 and blocks 1, 3 share a vector until the last exchange of halves.
      const __m256i even =
          _mm256_unpacklo_epi64(_mm256_unpacklo_epi32(x0[v], x1[v]), _mm256_unpacklo_epi32(x2[v], x3[v]));
      const __m256i odd =
          _mm256_unpacklo_epi64(_mm256_unpackhi_epi32(x0[v], x1[v]), _mm256_unpackhi_epi32(x2[v], x3[v]));
      const __m256i halves[] = {_mm256_permute2x128_si256(even, odd, 0x20), _mm256_permute2x128_si256(even, odd, 0x31)};
      for (int h = 0; h < 2; ++h) {
        const int first = 16 * v + 8 * h;
        if (words != nullptr) {
          std::memcpy(words + group * wide_words + static_cast<std::size_t>(first), &halves[h], sizeof halves[h]);
          continue;
        }
        const __m256i not_above = _mm256_cmpeq_epi32(_mm256_max_epu32(halves[h], most), most);
        below |= static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(not_above))) << first;
      }
    }
    if (words == nullptr) bits[group] = below;
  }
}

const bool wide_philox_runs_here = __builtin_cpu_supports("avx2");

#endif

}  // namespace

void random_words(std::uint64_t seed, Purpose purpose, std::uint32_t first_block, std::size_t blocks, Step step,
                  std::uint32_t index, std::uint32_t* words) {
#ifdef STARLOOM_WIDE_PHILOX
  if (wide_philox_runs_here) {
    const WideDraw draw(seed, purpose, step, index);
    const std::size_t groups = blocks / wide_blocks, done = groups * wide_blocks;
    wide_groups(draw, first_block, groups, words, 0, nullptr);
    if (done == blocks) return;
    std::uint32_t last[wide_words];
    wide_groups(draw, first_block + static_cast<std::uint32_t>(done), 1, last, 0, nullptr);
    std::copy(last, last + 4 * (blocks - done), words + 4 * done);
    return;
  }
#endif
  for (std::size_t done = 0; done < blocks; ++done) {
    const RandomBlock block = random_block(seed, purpose, first_block + static_cast<std::uint32_t>(done), step, index);
    std::memcpy(words + 4 * done, block.word, sizeof block.word);
  }
}

void random_below(std::uint64_t seed, Purpose purpose, NodeId nodes, Step step, std::uint32_t index,
                  std::uint64_t threshold, std::uint64_t* below) {
  const auto count = static_cast<std::size_t>(nodes);
  const std::size_t masks = (count + words_in_mask - 1) / words_in_mask;
  std::fill(below, below + masks, 0);
  if (threshold == 0) return;
  const auto greatest = static_cast<std::uint32_t>(threshold - 1);
#ifdef STARLOOM_WIDE_PHILOX
  if (wide_philox_runs_here) {
    const WideDraw draw(seed, purpose, step, index);
    std::uint32_t bits[64];
    constexpr std::size_t at_once = std::size(bits);
    const std::size_t groups = (count + wide_words - 1) / wide_words;
    for (std::size_t first = 0; first < groups; first += at_once) {
      const std::size_t some = std::min(at_once, groups - first);
      wide_groups(draw, static_cast<std::uint32_t>(first * wide_blocks), some, nullptr, greatest, bits);
      for (std::size_t g = 0; g < some; ++g) below[(first + g) / 2] |= std::uint64_t{bits[g]} << 32 * (g & 1);
    }
  } else
#endif
    for (std::size_t node = 0; node < count; ++node)
      if (random_word(seed, purpose, static_cast<NodeId>(node), step, index) <= greatest)
        below[node / words_in_mask] |= std::uint64_t{1} << node % words_in_mask;
  if (count % words_in_mask != 0) below[masks - 1] &= ~(~std::uint64_t{0} << count % words_in_mask);
}

}  // namespace starloom
