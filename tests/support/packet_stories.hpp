// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The stories of all packets of an output folder, as `starloom why` prints them one by one.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>
#include <vector>

#include <starloom/commands/known_entries.hpp>
#include <starloom/inspection/run_folder.hpp>
#include "probes/probe_catalogue.hpp"

namespace starloom {

/// By packet. `folder` has a trace and packets.csv.
inline std::vector<PacketHistory> packet_histories(const std::filesystem::path& folder) {
  static const Catalogue catalogue = probe_catalogue();
  std::ifstream packets(folder / "packets.csv");
  const auto lines = std::count(std::istreambuf_iterator<char>(packets), {}, '\n');
  std::vector<PacketId> numbers(static_cast<std::size_t>(lines - 1));
  std::iota(numbers.begin(), numbers.end(), 0);
  return open_run_folder(folder, known_entries(catalogue))->histories(numbers);
}

}  // namespace starloom
