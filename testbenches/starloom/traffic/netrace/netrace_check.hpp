// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The pass over a netrace file before a run, which finds all its faults.
#include <optional>

#include <starloom/core/ids.hpp>
#include <starloom/traffic/netrace/netrace_file.hpp>

namespace starloom {

/// The records of a run: all of a file, or those of a region.
struct NetraceExtent {
  NetraceHeader header;
  std::int64_t first = 0;      ///< the number of its first record
  std::int64_t count = 0;      ///< of records
  Step start = 0;              ///< the cycle of the file that is its cycle 0
  Step cycles = 0;             ///< as its header has them
  std::uint32_t first_id = 0;  ///< of its records; 0 if there are none
  std::uint32_t last_id = 0;
  int longest = 0;         ///< bytes of its longest packet
  NetraceContent content;  ///< null: the file is too long
  std::int64_t depth = 0;  ///< the greatest number of records in a chain in which each waits for the one before
};

/// Reads the whole file, in memory for the ids that are named but not read yet.
/// \param region its number; empty: all records.
/// \throws ConfigError with the key `file` or `region`; DataFileError with the faults of the file.
NetraceExtent check_netrace(const std::filesystem::path& path, const std::string& name,
                            std::optional<std::int64_t> region);

}  // namespace starloom
