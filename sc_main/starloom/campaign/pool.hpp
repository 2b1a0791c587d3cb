// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The pool of worker processes of a campaign.
#include <cstdint>
#include <optional>
#include <string>

#include <starloom/campaign/runner.hpp>
#include <starloom/campaign/work.hpp>
#include <starloom/support/stop_flag.hpp>

namespace starloom {

/// Receives the rows of the workers, in the parent. Its exceptions end the campaign.
class RowSink {
 public:
  virtual ~RowSink() = default;
  virtual void row(std::int32_t point, const RunRow& row) = 0;
  /// A run that has no row: its worker ended, exceeded its time limit, or threw.
  virtual void failure(std::int32_t point, std::int64_t index, const std::string& reason) = 0;
  /// Called at intervals of at most a tenth of a second.
  virtual void pause() {}
};

struct PoolOptions {
  int jobs = 1;                         ///< number of parallel processes
  std::optional<double> seconds;        ///< time limit of a run, which then counts as failed
  const StopFlag* interrupt = nullptr;  ///< if set: finish the runs in flight that take less than a second, then stop
};

/// The result of a pool.
struct PoolReport {
  std::int64_t rows = 0;
  std::int64_t failures = 0;
  std::int64_t cpu_microseconds = 0;  ///< inside the runs
  std::int64_t workers = 0;           ///< processes started, including replacements
};

/// Carries out all runs of `work`, each once, in child processes of this one. The process must have one thread.
PoolReport run_pool(WorkList& work, const RunnerFactory& make, const PoolOptions& options, RowSink& sink);

}  // namespace starloom
