// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Lengths of packets: the same for all, or random for each of them.
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include <starloom/core/random.hpp>
#include <starloom/schema/keys.hpp>

namespace starloom {

/// The indices of random words of sources: purpose `injection`, with node and step.
enum class InjectionWord : std::uint32_t {
  creation = 0,     ///< a packet is created
  turn = 1,         ///< a source is turned on or off
  first_state = 2,  ///< of step 0: a source is initially on
  length = 3,       ///< and up: the length of the packet
};
/// The words that determine the length of a packet. \param first_word of all random words of its class of traffic.
inline RandomStream length_words(std::uint64_t seed, NodeId source, Step created, std::uint32_t first_word = 0) {
  return {seed, Purpose::injection, source, created, first_word + static_cast<std::uint32_t>(InjectionWord::length)};
}

/// A distribution of packet lengths, in flits, at least 1.
class PacketLengths {
 public:
  explicit PacketLengths(std::int32_t flits = 1)
      : shortest_(flits), longest_(flits), mean_(flits), mean_square_(static_cast<double>(flits) * flits) {}
  /// Every length of `shortest` .. `longest` with the same probability.
  static PacketLengths uniform(std::int32_t shortest, std::int32_t longest);
  /// Each length with its share; the shares are rounded down to multiples of 2^-32 in their order, and the last
  /// length has the rest. The list is not empty.
  static PacketLengths mix(const ShareList& shares);

  /// The length of one packet; a fixed one uses no word.
  std::int32_t draw(RandomStream& words) const;
  bool fixed() const { return shortest_ == longest_; }
  std::int32_t longest() const { return longest_; }
  double mean() const { return mean_; }
  double mean_square() const { return mean_square_; }
  /// Calls `visit(flits, probability)` for every possible length.
  template <class Visit>
  void for_each(Visit&& visit) const {
    const double count = static_cast<double>(longest_) - shortest_ + 1;
    if (parts_.empty())
      for (std::int64_t flits = shortest_; flits <= longest_; ++flits)
        visit(static_cast<std::int32_t>(flits), 1 / count);
    std::uint64_t below = 0;
    for (const Part& part : parts_)
      visit(part.flits, std::ldexp(static_cast<double>(part.below - std::exchange(below, part.below)), -32));
  }

 private:
  struct Part {
    std::int32_t flits;
    std::uint64_t below;  ///< a word below this, and not below that of the previous part, gives this length
  };
  std::int32_t shortest_;
  std::int32_t longest_;
  double mean_, mean_square_;
  std::vector<Part> parts_;  ///< of a mix
};

/// The keys `flits`, `flits.uniform` and `flits.mix` of a pattern.
std::vector<KeySpec> length_keys();
/// The lengths that the keys give. \throws ConfigError: both sections, bounds in the wrong order, shares that do not
/// add up to 1.
PacketLengths packet_lengths(const KeyValues& keys);

}  // namespace starloom
