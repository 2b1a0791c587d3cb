// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The packets that source groups pass to intermediate groups in a cycle of `randomized`.
#include <cstddef>
#include <cstdint>

#include <starloom/message/pops/big_array.hpp>

namespace starloom::pops {

inline constexpr std::size_t word_bits = 64;

/// Words with this number of bits.
inline std::size_t words_for(std::size_t bits) { return (bits + word_bits - 1) / word_bits; }

/// The couplers from each source group to the intermediate groups of its block, as a table of the results of slot 1:
/// a bit if the coupler carried a copy, and the index of the copy's temporary group in its block. Intermediate groups
/// replace the bits by those of the copies that slot 2 carried as well. Sources are side by side, 64 in a *strip*: a
/// group writes within one strip, which fits into the second-level cache, and an intermediate group reads 64 bits at
/// a time.
class Handover {
 public:
  /// `groups` rows of intermediate groups, `width` source groups in a block.
  Handover(std::size_t groups, std::size_t width)
      : strips_(words_for(width)),
        strip_rows_(groups + 8),
        bits_(BigArray<std::uint64_t>::zeros(strips_ * strip_rows_)),
        indices_(bits_.size() * word_bits) {}
  std::size_t strips() const { return strips_; }
  /// The first row of a strip. The distance of strips is not a power of two, because they would share few sets of a
  /// cache: hence eight more rows.
  std::uint64_t* bits(std::size_t strip) { return bits_.data() + strip * strip_rows_; }
  std::uint16_t* indices(std::size_t strip) { return indices_.data() + strip * strip_rows_ * word_bits; }

 private:
  std::size_t strips_, strip_rows_;
  BigArray<std::uint64_t> bits_;
  BigArray<std::uint16_t> indices_;  ///< an index is below the number of groups, which is at most sqrt(2^29)
};

}  // namespace starloom::pops
