// SPDX-License-Identifier: Apache-2.0
#include <starloom/core/wide_philox.hpp>

#include <cstring>

#if defined(__x86_64__) && defined(__GNUC__)
#define STARLOOM_VECTOR_PHILOX 1
#include <immintrin.h>
#endif

namespace starloom {
namespace {

void plain_make(const WideDraw& draw, std::uint32_t first_block, std::size_t groups, std::uint32_t* words) {
  for (std::size_t block = 0; block < groups * WordMaker::blocks; ++block) {
    const RandomBlock made =
        random_block(draw.seed, draw.purpose, first_block + static_cast<std::uint32_t>(block), draw.step, draw.index);
    std::memcpy(words + 4 * block, made.word, sizeof made.word);
  }
}

void plain_compare(const WideDraw& draw, std::uint32_t first_block, std::size_t groups, std::uint32_t greatest,
                   std::uint32_t* bits) {
  for (std::size_t group = 0; group < groups; ++group) {
    std::uint32_t words[WordMaker::words];
    plain_make(draw, first_block + static_cast<std::uint32_t>(group * WordMaker::blocks), 1, words);
    bits[group] = 0;
    for (std::size_t at = 0; at < WordMaker::words; ++at) bits[group] |= (words[at] <= greatest ? 1u : 0u) << at;
  }
}

void plain_pick(const WideDraw& draw, const NodeId* nodes, std::size_t eights, std::uint32_t* words) {
  for (std::size_t at = 0; at < 8 * eights; ++at)
    words[at] = random_word(draw.seed, draw.purpose, nodes[at], draw.step, draw.index);
}

#ifdef STARLOOM_VECTOR_PHILOX

// GCC warns of arguments that its own intrinsics leave undefined on purpose (GCC bug 105593).
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

// Multipliers of Philox4x32 (Salmon et al., SC'11).
constexpr std::int64_t multiplier_0 = 0xD2511F53, multiplier_1 = 0xCD9E8D57;

#define STARLOOM_AVX2 __attribute__((target("avx2")))
#define STARLOOM_AVX512 __attribute__((target("avx512f,avx512bw,bmi2")))

/// A vector has a block in each lane of 64 bits, one word of it in the lower half; the upper half is arbitrary, because
/// products and the extraction of words read lower halves only. Several vectors are computed at a time as independent
/// chains, which hides the latency of the multiplications.
template <int vectors>
struct Avx2Blocks {
  static constexpr std::size_t blocks = 4 * vectors;
  __m256i x0[vectors], x1[vectors], x2[vectors], x3[vectors];

  STARLOOM_AVX2 void count_from(std::uint32_t first_block) {
    for (int v = 0; v < vectors; ++v)
      x0[v] = _mm256_add_epi64(_mm256_set1_epi64x(first_block + 4 * static_cast<std::uint32_t>(v)),
                               _mm256_set_epi64x(3, 2, 1, 0));
  }
  STARLOOM_AVX2 void run(const WideDraw& draw) {
    const __m256i by_0 = _mm256_set1_epi64x(multiplier_0), by_1 = _mm256_set1_epi64x(multiplier_1);
    for (int v = 0; v < vectors; ++v) {
      x1[v] = _mm256_set1_epi64x(draw.step_low);
      x2[v] = _mm256_set1_epi64x(draw.step_high);
      x3[v] = _mm256_set1_epi64x(draw.index);
    }
    for (int round = 0; round < WideDraw::rounds; ++round) {
      const __m256i key_0 = _mm256_set1_epi64x(static_cast<std::int64_t>(draw.key_0[round]));
      const __m256i key_1 = _mm256_set1_epi64x(static_cast<std::int64_t>(draw.key_1[round]));
      for (int v = 0; v < vectors; ++v) {
        const __m256i product_0 = _mm256_mul_epu32(x0[v], by_0);
        const __m256i product_1 = _mm256_mul_epu32(x2[v], by_1);
        x0[v] = _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(product_1, 32), x1[v]), key_0);
        x2[v] = _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(product_0, 32), x3[v]), key_1);
        x1[v] = product_1;
        x3[v] = product_0;
      }
    }
  }
  /// Eight words of two blocks each: blocks 0, 2 and 1, 3 of a vector share one until the last exchange of halves.
  STARLOOM_AVX2 void words(int v, __m256i* eights) const {
    const __m256i even =
        _mm256_unpacklo_epi64(_mm256_unpacklo_epi32(x0[v], x1[v]), _mm256_unpacklo_epi32(x2[v], x3[v]));
    const __m256i odd = _mm256_unpacklo_epi64(_mm256_unpackhi_epi32(x0[v], x1[v]), _mm256_unpackhi_epi32(x2[v], x3[v]));
    eights[0] = _mm256_permute2x128_si256(even, odd, 0x20);
    eights[1] = _mm256_permute2x128_si256(even, odd, 0x31);
  }
};

/// Of each lane `one` if the uppermost bit of `by` is set, else `zero`.
STARLOOM_AVX2 __m256i choose(__m256i zero, __m256i one, __m256i by) {
  return _mm256_castpd_si256(
      _mm256_blendv_pd(_mm256_castsi256_pd(zero), _mm256_castsi256_pd(one), _mm256_castsi256_pd(by)));
}

STARLOOM_AVX2 void avx2_make(const WideDraw& draw, std::uint32_t first_block, std::size_t groups,
                             std::uint32_t* words) {
  for (std::size_t group = 0; group < groups; ++group) {
    Avx2Blocks<2> made;
    made.count_from(first_block + static_cast<std::uint32_t>(group * WordMaker::blocks));
    made.run(draw);
    for (int v = 0; v < 2; ++v) {
      __m256i eights[2];
      made.words(v, eights);
      std::memcpy(words + group * WordMaker::words + static_cast<std::size_t>(16 * v), eights, sizeof eights);
    }
  }
}

STARLOOM_AVX2 void avx2_compare(const WideDraw& draw, std::uint32_t first_block, std::size_t groups,
                                std::uint32_t greatest, std::uint32_t* bits) {
  const __m256i most = _mm256_set1_epi32(static_cast<int>(greatest));
  for (std::size_t group = 0; group < groups; ++group) {
    Avx2Blocks<2> made;
    made.count_from(first_block + static_cast<std::uint32_t>(group * WordMaker::blocks));
    made.run(draw);
    bits[group] = 0;
    for (int v = 0; v < 2; ++v) {
      __m256i eights[2];
      made.words(v, eights);
      for (int half = 0; half < 2; ++half) {
        const __m256i not_above = _mm256_cmpeq_epi32(_mm256_max_epu32(eights[half], most), most);
        bits[group] |= static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(not_above)))
                       << (16 * v + 8 * half);
      }
    }
  }
}

STARLOOM_AVX2 void avx2_pick(const WideDraw& draw, const NodeId* nodes, std::size_t eights, std::uint32_t* words) {
  const __m256i lower = _mm256_set_epi32(0, 0, 0, 0, 6, 4, 2, 0);
  for (std::size_t eight = 0; eight < eights; ++eight) {
    Avx2Blocks<2> made;
    __m256i node[2];
    for (std::size_t v = 0; v < 2; ++v) {
      __m128i four;
      std::memcpy(&four, nodes + 8 * eight + 4 * v, sizeof four);
      node[v] = _mm256_cvtepu32_epi64(four);
      made.x0[v] = _mm256_srli_epi64(node[v], 2);
    }
    made.run(draw);
    for (std::size_t v = 0; v < 2; ++v) {
      const __m256i odd = _mm256_slli_epi64(node[v], 63), upper = _mm256_slli_epi64(node[v], 62);
      const __m256i chosen = choose(choose(made.x0[v], made.x1[v], odd), choose(made.x2[v], made.x3[v], odd), upper);
      const __m128i four = _mm256_castsi256_si128(_mm256_permutevar8x32_epi32(chosen, lower));
      std::memcpy(words + 8 * eight + 4 * v, &four, sizeof four);
    }
  }
}

template <int vectors>
struct Avx512Blocks {
  static constexpr std::size_t blocks = 8 * vectors;
  __m512i x0[vectors], x1[vectors], x2[vectors], x3[vectors];

  STARLOOM_AVX512 void count_from(std::uint32_t first_block) {
    for (int v = 0; v < vectors; ++v)
      x0[v] = _mm512_add_epi64(_mm512_set1_epi64(first_block + 8 * static_cast<std::uint32_t>(v)),
                               _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0));
  }
  STARLOOM_AVX512 static __m512i upper(__m512i product) {
    return _mm512_castps_si512(_mm512_movehdup_ps(_mm512_castsi512_ps(product)));
  }
  STARLOOM_AVX512 void run(const WideDraw& draw) {
    constexpr int exclusive_or_of_three = 0x96;
    const __m512i by_0 = _mm512_set1_epi64(multiplier_0), by_1 = _mm512_set1_epi64(multiplier_1);
    for (int v = 0; v < vectors; ++v) {
      x1[v] = _mm512_set1_epi64(draw.step_low);
      x2[v] = _mm512_set1_epi64(draw.step_high);
      x3[v] = _mm512_set1_epi64(draw.index);
    }
#pragma GCC unroll 10
    for (int round = 0; round < WideDraw::rounds; ++round) {
      const __m512i key_0 = _mm512_set1_epi64(static_cast<std::int64_t>(draw.key_0[round]));
      const __m512i key_1 = _mm512_set1_epi64(static_cast<std::int64_t>(draw.key_1[round]));
#pragma GCC unroll 4
      for (int v = 0; v < vectors; ++v) {
        const __m512i product_0 = _mm512_mul_epu32(x0[v], by_0);
        const __m512i product_1 = _mm512_mul_epu32(x2[v], by_1);
        x0[v] = _mm512_ternarylogic_epi64(upper(product_1), x1[v], key_0, exclusive_or_of_three);
        x2[v] = _mm512_ternarylogic_epi64(upper(product_0), x3[v], key_1, exclusive_or_of_three);
        x1[v] = product_1;
        x3[v] = product_0;
      }
    }
  }
  /// Words 0 and 1 of all eight blocks of a vector side by side, and words 2 and 3.
  STARLOOM_AVX512 __m512i first_two(int v) const {
    return _mm512_mask_shuffle_epi32(x0[v], 0xAAAA, x1[v], _MM_PERM_CCAA);
  }
  STARLOOM_AVX512 __m512i last_two(int v) const {
    return _mm512_mask_shuffle_epi32(x2[v], 0xAAAA, x3[v], _MM_PERM_CCAA);
  }
};

template <int vectors>
STARLOOM_AVX512 void avx512_make_some(const WideDraw& draw, std::uint32_t first_block, std::uint32_t* words) {
  const __m512i blocks_0_to_3 = _mm512_set_epi64(11, 3, 10, 2, 9, 1, 8, 0);
  const __m512i blocks_4_to_7 = _mm512_set_epi64(15, 7, 14, 6, 13, 5, 12, 4);
  Avx512Blocks<vectors> made;
  made.count_from(first_block);
  made.run(draw);
  for (int v = 0; v < vectors; ++v) {
    const __m512i halves[] = {_mm512_permutex2var_epi64(made.first_two(v), blocks_0_to_3, made.last_two(v)),
                              _mm512_permutex2var_epi64(made.first_two(v), blocks_4_to_7, made.last_two(v))};
    std::memcpy(words + WordMaker::words * static_cast<std::size_t>(v), halves, sizeof halves);
  }
}

STARLOOM_AVX512 void avx512_make(const WideDraw& draw, std::uint32_t first_block, std::size_t groups,
                                 std::uint32_t* words) {
  std::size_t group = 0;
  const auto block = [&] { return first_block + static_cast<std::uint32_t>(group * WordMaker::blocks); };
  for (; group + 4 <= groups; group += 4) avx512_make_some<4>(draw, block(), words + group * WordMaker::words);
  for (; group < groups; ++group) avx512_make_some<1>(draw, block(), words + group * WordMaker::words);
}

template <int vectors>
STARLOOM_AVX512 void avx512_compare_some(const WideDraw& draw, std::uint32_t first_block, __m512i most,
                                         std::uint32_t* bits) {
  Avx512Blocks<vectors> made;
  made.count_from(first_block);
  made.run(draw);
  for (int v = 0; v < vectors; ++v)
    bits[v] = _pdep_u32(_mm512_cmple_epu32_mask(made.first_two(v), most), 0x33333333u) |
              _pdep_u32(_mm512_cmple_epu32_mask(made.last_two(v), most), 0xCCCCCCCCu);
}

STARLOOM_AVX512 void avx512_compare(const WideDraw& draw, std::uint32_t first_block, std::size_t groups,
                                    std::uint32_t greatest, std::uint32_t* bits) {
  const __m512i most = _mm512_set1_epi32(static_cast<int>(greatest));
  std::size_t group = 0;
  const auto block = [&] { return first_block + static_cast<std::uint32_t>(group * WordMaker::blocks); };
  for (; group + 4 <= groups; group += 4) avx512_compare_some<4>(draw, block(), most, bits + group);
  for (; group < groups; ++group) avx512_compare_some<1>(draw, block(), most, bits + group);
}

template <int vectors>
STARLOOM_AVX512 void avx512_pick_some(const WideDraw& draw, const NodeId* nodes, std::uint32_t* words) {
  Avx512Blocks<vectors> made;
  __m512i node[vectors];
  for (int v = 0; v < vectors; ++v) {
    __m256i eight;
    std::memcpy(&eight, nodes + 8 * v, sizeof eight);
    node[v] = _mm512_cvtepu32_epi64(eight);
    made.x0[v] = _mm512_srli_epi64(node[v], 2);
  }
  made.run(draw);
  for (int v = 0; v < vectors; ++v) {
    const __mmask8 odd = _mm512_test_epi64_mask(node[v], _mm512_set1_epi64(1));
    const __mmask8 upper = _mm512_test_epi64_mask(node[v], _mm512_set1_epi64(2));
    const __m512i first = _mm512_mask_blend_epi64(odd, made.x0[v], made.x1[v]);
    const __m512i last = _mm512_mask_blend_epi64(odd, made.x2[v], made.x3[v]);
    const __m256i eight = _mm512_cvtepi64_epi32(_mm512_mask_blend_epi64(upper, first, last));
    std::memcpy(words + 8 * v, &eight, sizeof eight);
  }
}

STARLOOM_AVX512 void avx512_pick(const WideDraw& draw, const NodeId* nodes, std::size_t eights, std::uint32_t* words) {
  std::size_t eight = 0;
  for (; eight + 4 <= eights; eight += 4) avx512_pick_some<4>(draw, nodes + 8 * eight, words + 8 * eight);
  for (; eight < eights; ++eight) avx512_pick_some<1>(draw, nodes + 8 * eight, words + 8 * eight);
}

#pragma GCC diagnostic pop
#endif

std::vector<WordMaker> all_word_makers() {
  std::vector<WordMaker> makers;
#ifdef STARLOOM_VECTOR_PHILOX
  const bool bits = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw");
  makers.push_back({"avx512", bits && __builtin_cpu_supports("bmi2"), avx512_make, avx512_compare, avx512_pick});
  makers.push_back({"avx2", __builtin_cpu_supports("avx2") != 0, avx2_make, avx2_compare, avx2_pick});
#endif
  makers.push_back({"plain", true, plain_make, plain_compare, plain_pick});
  return makers;
}

const WordMaker*& maker_in_use() {
  static const WordMaker* in_use = [] {
    const WordMaker* widest = word_makers().data();
    while (!widest->runs_here) ++widest;
    return widest;
  }();
  return in_use;
}

}  // namespace

WideDraw::WideDraw(std::uint64_t seed_of_draw, Purpose purpose_of_draw, Step step_of_draw, std::uint32_t index_of_draw)
    : seed(seed_of_draw), purpose(purpose_of_draw), step(step_of_draw), index(index_of_draw) {
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

const std::vector<WordMaker>& word_makers() {
  static const std::vector<WordMaker> makers = all_word_makers();
  return makers;
}

const WordMaker& word_maker() { return *maker_in_use(); }

void use_word_maker(const WordMaker& maker) { maker_in_use() = &maker; }

}  // namespace starloom
