// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `collectives.csv` and `chunks.csv`: the collectives of a program, and when their data was complete
/// (docs/output.md).
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include <starloom/core/ids.hpp>

namespace starloom::links {

/// Steps that a collective takes at least, and an estimate of them; null where there is none.
struct CollectiveBounds {
  std::int64_t node = 0;               ///< the most flits that a rank sends, or receives
  std::optional<std::int64_t> link{};  ///< flits over the busiest link
  std::optional<double> bisection{};   ///< flits over the middle of a grid, by its links
  std::optional<double> model{};       ///< the estimate

  friend bool operator==(const CollectiveBounds& a, const CollectiveBounds& b) {
    return std::tie(a.node, a.link, a.bisection, a.model) == std::tie(b.node, b.link, b.bisection, b.model);
  }
};

/// A collective among the ranks of a list.
struct CollectiveRow {
  std::string name;
  std::int64_t instance = 0;  ///< among those of its name
  std::string op;
  std::string algorithm;
  std::int32_t ranks = 0;
  std::int64_t flits = 0;
  Step start = no_step;   ///< its first rank enters; no_step: none has
  Step finish = no_step;  ///< its last rank finishes; no_step: it has not
  std::optional<double> algbw_gbps{};
  std::optional<double> busbw_gbps{};
  CollectiveBounds bounds{};

  friend bool operator==(const CollectiveRow& a, const CollectiveRow& b) {
    return std::tie(a.name, a.instance, a.op, a.algorithm, a.ranks, a.flits, a.start, a.finish, a.algbw_gbps,
                    a.busbw_gbps, a.bounds) == std::tie(b.name, b.instance, b.op, b.algorithm, b.ranks, b.flits,
                                                        b.start, b.finish, b.algbw_gbps, b.busbw_gbps, b.bounds);
  }
};

/// A block of the data of a collective, or a piece of it.
struct ChunkRow {
  std::string name;
  std::int64_t instance = 0;
  std::int32_t block = 0;
  std::int32_t piece = 0;
  Step finish = 0;  ///< the last delivery that carries it, or the end of the reduction after that
};

/// \throws OutputError
void write_collectives(const std::filesystem::path& file, const std::vector<CollectiveRow>& rows);
void write_chunks(const std::filesystem::path& file, const std::vector<ChunkRow>& rows);

/// Strict: every line is complete. \throws InputError `file:line:column: text`
std::vector<CollectiveRow> read_collectives(const std::filesystem::path& file);
std::vector<ChunkRow> read_chunks(const std::filesystem::path& file);

}  // namespace starloom::links
