// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file What the tests of traffic share: making a pattern by name, reading its packets, data files, error texts.
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include <starloom/schema/key_check.hpp>
#include <starloom/traffic/traffic.hpp>

#include "support/named_pattern.hpp"
#include "support/networks.hpp"

namespace starloom {

inline bool operator==(const Packet& a, const Packet& b) {
  return a.source == b.source && a.destination == b.destination && a.flits == b.flits && a.created == b.created;
}
inline void PrintTo(const Packet& p, std::ostream* out) {
  *out << "{" << p.source << " -> " << p.destination << ", " << p.flits << " flits, step " << p.created << "}";
}

/// A folder for data files that is removed with the test.
class DataFolder {
 public:
  DataFolder()
      : path_(std::filesystem::temp_directory_path() /
              ("starloom_" + std::to_string(getpid()) + "_" +
               testing::UnitTest::GetInstance()->current_test_info()->name())) {
    std::filesystem::create_directories(path_);
  }
  ~DataFolder() { std::filesystem::remove_all(path_); }
  DataFolder(const DataFolder&) = delete;
  DataFolder& operator=(const DataFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  void write(const std::string& name, const std::string& text) const { std::ofstream(path_ / name) << text; }

 private:
  std::filesystem::path path_;
};

inline std::unique_ptr<Traffic> make_traffic(const std::string& pattern, const Grid& grid,
                                             std::map<std::string, KeyValue> keys = {}, std::uint64_t seed = 1,
                                             const std::filesystem::path& folder = {}, Units units = {}) {
  const PatternEntry* entry = find_pattern(pattern);
  if (entry == nullptr) throw std::logic_error("no pattern " + pattern);
  TrafficContext context;
  context.processors = processors_of(network_of(grid));
  context.seed = seed;
  context.units = units;
  context.folder = folder;
  return entry->make(context, checked_values(entry->keys, std::move(keys), pattern));
}

/// Packets of steps [0, to), asked for in intervals of `cut` steps.
inline std::vector<Packet> packets_until(Traffic& traffic, Step to, Step cut) {
  std::vector<Packet> packets;
  for (Step from = 0; from < to; from += cut) traffic.generate(from, std::min(to, from + cut), packets);
  return packets;
}

/// Destinations of a pattern that creates at most one packet per node, all in step 0.
inline std::vector<NodeId> destinations_of(const std::string& pattern, const Grid& grid,
                                           std::map<std::string, KeyValue> keys = {}, std::uint64_t seed = 1) {
  const auto traffic = make_traffic(pattern, grid, std::move(keys), seed);
  std::vector<NodeId> destinations(static_cast<std::size_t>(grid.nodes()), no_node);
  for (const Packet& packet : packets_until(*traffic, 1, 1)) destinations[packet.source] = packet.destination;
  return destinations;
}

/// The text of the InputError that `action` throws; "" if it throws none.
template <typename Action>
std::string input_error(Action&& action) {
  try {
    action();
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

}  // namespace starloom
