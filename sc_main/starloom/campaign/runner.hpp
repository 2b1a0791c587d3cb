// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The interface between workers of campaigns and the kinds of models.
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include <starloom/campaign/run_row.hpp>

namespace starloom {

/// Runs of one point. Results depend only on point and index.
class Runner {
 public:
  virtual ~Runner() = default;
  /// Run `index`; sets outcome, metrics and result. A std::exception that leaves it fails only this run.
  virtual void run(std::int64_t index, RunRow& row) = 0;
  /// True if the process cannot free the memory of its runs, and should be replaced.
  virtual bool spent() const { return false; }
};

/// Makes the runner of a point, by its number in the campaign. Called in the worker.
using RunnerFactory = std::function<std::unique_ptr<Runner>(std::int32_t point)>;

}  // namespace starloom
