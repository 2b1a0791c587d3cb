// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The bytes that the flits of packets carry.
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include <starloom/core/ids.hpp>

namespace starloom::links {

/// Those of packets under way.
class FlitContents {
 public:
  explicit FlitContents(std::size_t flit_bytes) : flit_bytes_(flit_bytes) {}

  std::size_t flit_bytes() const { return flit_bytes_; }
  /// \param bytes [flit * flit_bytes + byte]
  void add(PacketId packet, std::vector<std::uint8_t> bytes) { packets_[packet] = std::move(bytes); }
  /// The first of the `flit_bytes()` bytes of a flit.
  const std::uint8_t* of(PacketId packet, std::int32_t flit) const {
    return packets_.at(packet).data() + static_cast<std::size_t>(flit) * flit_bytes_;
  }
  /// The packet is removed with its last flit.
  void arrived(PacketId packet, std::int32_t flit) {
    const auto found = packets_.find(packet);
    if ((static_cast<std::size_t>(flit) + 1) * flit_bytes_ == found->second.size()) packets_.erase(found);
  }

 private:
  const std::size_t flit_bytes_;
  std::unordered_map<PacketId, std::vector<std::uint8_t>> packets_;  ///< looked up by number, never iterated
};

}  // namespace starloom::links
