// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Netrace files that tests write (docs/formats.md, "Netrace files").
#include <boost/iostreams/copy.hpp>
#include <boost/iostreams/filter/bzip2.hpp>
#include <boost/iostreams/filtering_streambuf.hpp>
#include <cstdint>
#include <cstring>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace starloom {

inline std::string bzip2(const std::string& bytes) {
  std::istringstream in(bytes);
  boost::iostreams::filtering_streambuf<boost::iostreams::input> packed;
  packed.push(boost::iostreams::bzip2_compressor(boost::iostreams::bzip2_params(1)));  // the smallest blocks: fast
  packed.push(in);
  std::ostringstream out;
  boost::iostreams::copy(packed, out);
  return out.str();
}

struct NetraceTrace {
  struct Record {
    std::uint64_t cycle = 0;
    std::uint32_t id = 0;
    int type = 1, source = 0, destination = 0;
    std::vector<std::uint32_t> dependants{};
  };
  struct Region {
    std::uint64_t offset, cycles, packets;
  };
  std::uint32_t magic = 0x484A5455;
  float version = 1;
  std::string name = "test";
  int nodes = 4;
  std::uint64_t cycles = 0;
  std::string notes{};
  std::vector<Region> regions{};
  std::vector<Record> records{};

  /// Before compression.
  std::string bytes() const {
    std::string text;
    const auto put = [&text](std::uint64_t value, int count) {
      for (; count > 0; --count, value >>= 8) text += static_cast<char>(value & 0xff);
    };
    std::uint32_t bits = 0;
    static_assert(sizeof bits == sizeof version);
    std::memcpy(&bits, &version, sizeof bits);
    put(magic, 4);
    put(bits, 4);
    text += name + std::string(30 - name.size(), '\0');
    put(static_cast<std::uint64_t>(nodes), 2);
    put(cycles, 8);
    put(records.size(), 8);
    put(notes.empty() ? 0 : notes.size() + 1, 4);
    put(regions.size(), 4);
    put(0, 8);
    if (!notes.empty()) text += notes + '\0';
    for (const Region& region : regions)
      for (const std::uint64_t value : {region.offset, region.cycles, region.packets}) put(value, 8);
    for (const Record& record : records) {
      put(record.cycle, 8);
      put(record.id, 4);
      put(0x1000, 4);  // address
      for (const int value : {record.type, record.source, record.destination, 0x03}) put(std::uint64_t(value), 1);
      put(record.dependants.size(), 1);
      for (const std::uint32_t id : record.dependants) put(id, 4);
    }
    return text;
  }
};

/// Records of which each waits for some of those before it. Ids have gaps if `gaps`.
inline NetraceTrace random_netrace(unsigned seed, int count, int nodes, int most_steps_apart, bool gaps = true) {
  std::mt19937 random(seed);
  const auto below = [&random](int bound) { return static_cast<int>(random() % static_cast<unsigned>(bound)); };
  constexpr int types[] = {1, 2, 6, 13, 16, 27};
  NetraceTrace trace;
  trace.nodes = nodes;
  std::uint64_t cycle = static_cast<std::uint64_t>(below(3));
  std::uint32_t id = static_cast<std::uint32_t>(below(50));
  for (int i = 0; i < count; ++i) {
    trace.records.push_back({cycle, id, types[below(6)], below(nodes), below(nodes)});
    cycle += static_cast<std::uint64_t>(below(3) == 0 ? below(most_steps_apart) : 0);
    id += 1 + static_cast<std::uint32_t>(gaps ? below(3) : 0);
  }
  trace.cycles = cycle + 1;
  for (int i = 1; i < count; ++i)
    for (int left = below(3); left > 0; --left)
      trace.records[static_cast<std::size_t>(below(i))].dependants.push_back(
          trace.records[static_cast<std::size_t>(i)].id);
  return trace;
}

}  // namespace starloom
