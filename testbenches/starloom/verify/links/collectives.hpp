// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The operations of a program in an output folder, checked by its messages and rows.
#include <cstdint>
#include <filesystem>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <starloom/core/links/trace.hpp>
#include <starloom/topology/network_graph.hpp>
#include <starloom/trace_io/links/collectives_csv.hpp>
#include <starloom/trace_io/links/operations_csv.hpp>
#include <starloom/verify/comparison.hpp>
#include <starloom/verify/links/messages.hpp>
#include <starloom/verify/result_document.hpp>

namespace starloom::links {

class RunCollectives {
 public:
  /// Reads `collectives.csv`, `chunks.csv` and `operations.csv`.
  /// \param result, graph outlive the object. \param packets their number.
  /// \throws InputError if a file cannot be read, or names an operation twice, or one that is not there.
  RunCollectives(const std::filesystem::path& folder, const ResultDocument& result, const NetworkGraph& graph,
                 const RunMessages& messages, std::size_t packets);

  /// The rows of a step.
  void rows(const std::vector<TraceRow>& of_one_step);
  /// Compares times, bandwidths and loads with those of messages and rows, and `workload.collectives` with the file.
  void compare(Comparison& comparison) const;

 private:
  /// The messages of a collective.
  struct Messages {
    Step first = no_step;                                 ///< creation; no_step: there is none
    Step last = no_step;                                  ///< delivery
    std::unordered_map<NodeId, std::int64_t> sent{};      ///< flits; only their greatest counts
    std::unordered_map<NodeId, std::int64_t> received{};  ///< the same
    std::int64_t busiest = 0;                             ///< the greatest of both
    std::int64_t busiest_link = 0;                        ///< flits of rows
  };

  /// The times of ranks with those of their messages and of their collectives.
  void compare_operations(Comparison& comparison) const;
  void compare_with_result(Comparison& comparison) const;
  void compare_chunks(Comparison& comparison) const;

  const ResultDocument& result_;
  const NetworkGraph& graph_;
  std::vector<CollectiveRow> collectives_;
  std::vector<ChunkRow> chunks_;
  std::vector<OperationRow> operations_;
  /// [operation] the first creation of a message of the rank, and the last delivery from and to it
  std::vector<std::pair<Step, Step>> of_messages_;
  std::unordered_map<std::string, std::size_t> by_name_;   ///< `NAME[INSTANCE]`
  std::vector<Messages> messages_;                         ///< [collective]
  std::vector<std::int32_t> collective_of_;                ///< [packet] -1: none
  std::unordered_map<std::uint64_t, std::int64_t> flits_;  ///< [collective * link slots + link]
};

}  // namespace starloom::links
