// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Payload words, by which a destination recognises flits.
#include <cstdint>
#include <initializer_list>

#include <starloom/core/ids.hpp>

namespace starloom {

/// The word of flit `index` of a worm from node `source`. Different for all flits of a network of up to 2^16 nodes and
/// worms of up to 2^16 flits: source and index are concatenated, then mixed by invertible operations.
inline constexpr std::uint32_t payload_word(NodeId source, std::int32_t index) {
  std::uint32_t word = static_cast<std::uint32_t>(source) << 16 ^ static_cast<std::uint32_t>(source) >> 16 ^
                       static_cast<std::uint32_t>(index);
  for (const std::uint32_t factor : {0x7FEB352Du, 0x846CA68Bu}) {
    word ^= word >> 16;
    word *= factor;
  }
  return word ^ word >> 15;
}

}  // namespace starloom
