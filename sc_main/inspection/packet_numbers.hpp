#pragma once
/// \file Packets that a call names.
#include <fmt/format.h>

#include <filesystem>
#include <vector>

#include <starloom/core/error.hpp>
#include <starloom/core/ids.hpp>

namespace starloom {

/// \throws InputError for a packet that a run of `count` packets does not have.
inline void check_packets(const std::filesystem::path& folder, const std::vector<PacketId>& packets,
                          std::size_t count) {
  for (const PacketId packet : packets)
    if (packet < 0 || static_cast<std::size_t>(packet) >= count)
      throw InputError(fmt::format("--packet {}: {} has no such packet; {}", packet, folder.string(),
                                   count == 0 ? "it has none" : fmt::format("they are numbered 0 to {}", count - 1)));
}

}  // namespace starloom
