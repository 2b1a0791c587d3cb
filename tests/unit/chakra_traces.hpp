// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Chakra execution traces that tests write, byte by byte.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "unit/scratch_folder.hpp"

namespace starloom::chakra_traces {

inline std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
  return bytes + static_cast<char>(value);
}
inline std::string field(int number, std::uint64_t value) {
  return varint(static_cast<std::uint64_t>(number) << 3) + varint(value);
}
inline std::string field(int number, const std::string& bytes) {
  return varint(static_cast<std::uint64_t>(number) << 3 | 2) + varint(bytes.size()) + bytes;
}
/// An attribute of a node, which has an int64.
inline std::string attribute(const std::string& name, std::int64_t value) {
  return field(10, field(1, name) + field(9, static_cast<std::uint64_t>(value)));
}
inline std::string attribute(const std::string& name, const std::string& value) {
  return field(10, field(1, name) + field(29, value));
}

inline std::string node(std::uint64_t id, int type, const std::vector<std::uint64_t>& after = {}) {
  std::string text = field(1, id) + field(2, "n") + field(3, static_cast<std::uint64_t>(type));
  for (const std::uint64_t other : after) text += field(5, other);
  return text;
}
inline std::string compute(std::uint64_t id, std::uint64_t microseconds, const std::vector<std::uint64_t>& after = {}) {
  return node(id, 4, after) + field(7, microseconds);
}
inline std::string send(std::uint64_t id, int to, std::int64_t bytes, const std::vector<std::uint64_t>& after = {},
                        std::int64_t tag = 0) {
  return node(id, 5, after) + attribute("comm_dst", to) + attribute("comm_size", bytes) + attribute("comm_tag", tag);
}
inline std::string receive(std::uint64_t id, int from, const std::vector<std::uint64_t>& after = {},
                           std::int64_t tag = 0) {
  return node(id, 6, after) + attribute("comm_src", from) + attribute("comm_tag", tag);
}
/// \param comm_type the number of the collective in the format.
inline std::string collective(std::uint64_t id, int comm_type, std::int64_t bytes,
                              const std::vector<std::uint64_t>& after = {}, const std::string& group = "") {
  return node(id, 7, after) + attribute("comm_type", comm_type) + attribute("comm_size", bytes) +
         (group.empty() ? "" : attribute("pg_name", group));
}

/// A file with these nodes, behind metadata of 7 bytes.
inline std::string trace(const std::vector<std::string>& nodes) {
  std::string bytes;
  for (const std::string& record : nodes) bytes += varint(record.size()) + record;
  return varint(7) + field(1, "0.0.4") + bytes;
}
/// Writes the files PREFIX.0.et, PREFIX.1.et, ...
inline void write(const ScratchFolder& scratch, const std::string& prefix,
                  const std::vector<std::vector<std::string>>& ranks) {
  for (std::size_t rank = 0; rank < ranks.size(); ++rank)
    scratch.write(prefix + "." + std::to_string(rank) + ".et", trace(ranks[rank]));
}

}  // namespace starloom::chakra_traces
