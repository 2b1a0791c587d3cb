// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file What a worker runs: the seam between campaigns and the kinds of models.
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include <starloom/campaign/run_row.hpp>

namespace starloom {

/// Runs of one point. What it found depends on point and index alone.
class Runner {
 public:
  virtual ~Runner() = default;
  /// Run `index`; fills outcome, figures and result. A std::exception that leaves it fails this run alone.
  virtual void run(std::int64_t index, RunRow& row) = 0;
  /// The process cannot give back what its runs took, and should be replaced.
  virtual bool spent() const { return false; }
};

/// Makes the runner of a point, by its number in the campaign. Called in the worker.
using RunnerFactory = std::function<std::unique_ptr<Runner>(std::int32_t point)>;

}  // namespace starloom
