// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Sets of ports as values, in one word or in several, with the same operations on both.
#include <array>
#include <cstddef>
#include <cstdint>

#include <starloom/core/ids.hpp>

namespace starloom {

/// A set of up to `max_ports` ports, for networks whose nodes have more than a `PortMask` has bits.
class ManyPorts {
 public:
  bool has(Port port) const { return (words_[word_of(port)] >> (port % bits) & 1) != 0; }
  void add(Port port) { words_[word_of(port)] |= std::uint64_t{1} << (port % bits); }
  void remove(Port port) { words_[word_of(port)] &= ~(std::uint64_t{1} << (port % bits)); }
  bool empty() const {
    std::uint64_t all = 0;
    for (const std::uint64_t word : words_) all |= word;
    return all == 0;
  }
  /// The lowest member of a set that is not empty.
  Port lowest() const {
    std::size_t w = 0;
    while (words_[w] == 0) ++w;
    return bits * static_cast<int>(w) + __builtin_ctzll(words_[w]);
  }
  /// Calls `visit` for every member, in ascending order.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::size_t w = 0; w < words_.size(); ++w)
      for (std::uint64_t left = words_[w]; left != 0; left &= left - 1)
        visit(static_cast<Port>(bits * static_cast<int>(w) + __builtin_ctzll(left)));
  }

  ManyPorts& operator|=(const ManyPorts& other) {
    for (std::size_t w = 0; w < words_.size(); ++w) words_[w] |= other.words_[w];
    return *this;
  }
  friend ManyPorts operator|(ManyPorts a, const ManyPorts& b) { return a |= b; }
  /// The members of `a` that `b` has not.
  friend ManyPorts without(ManyPorts a, const ManyPorts& b) {
    for (std::size_t w = 0; w < words; ++w) a.words_[w] &= ~b.words_[w];
    return a;
  }

 private:
  static constexpr int bits = 64;
  static constexpr std::size_t words = max_ports / bits;
  static std::size_t word_of(Port port) { return static_cast<std::size_t>(port) / bits; }

  std::array<std::uint64_t, words> words_{};
};

/// The most ports of a node whose sets of ports have this type.
template <class Ports>
inline constexpr int most_ports_of = max_ports;
template <>
inline constexpr int most_ports_of<PortMask> = ports_per_word;

inline bool has_port(PortMask ports, Port port) { return (ports >> port & 1) != 0; }
inline void add_port(PortMask& ports, Port port) { ports |= PortMask{1} << port; }
inline void remove_port(PortMask& ports, Port port) { ports &= ~(PortMask{1} << port); }
inline bool has_none(PortMask ports) { return ports == 0; }
inline PortMask without(PortMask a, PortMask b) { return a & ~b; }
template <class Visit>
[[gnu::always_inline]] inline void for_each_port(PortMask ports, Visit&& visit) {
  for (; ports != 0; ports &= ports - 1) visit(lowest_port(ports));
}

inline bool has_port(const ManyPorts& ports, Port port) { return ports.has(port); }
inline Port lowest_port(const ManyPorts& ports) { return ports.lowest(); }
inline void add_port(ManyPorts& ports, Port port) { ports.add(port); }
inline void remove_port(ManyPorts& ports, Port port) { ports.remove(port); }
inline bool has_none(const ManyPorts& ports) { return ports.empty(); }
template <class Visit>
void for_each_port(const ManyPorts& ports, Visit&& visit) {
  ports.for_each(visit);
}

}  // namespace starloom
