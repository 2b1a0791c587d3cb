// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Offered and accepted load of an open-loop run.
#include <optional>

#include <starloom/core/links/run_record.hpp>
#include <starloom/simulation/simulation.hpp>

namespace starloom::links {

/// Reads the counts of a run at both ends of its measurement phase.
class Measurement {
 public:
  explicit Measurement(const Phases& phases) : from_(phases.warmup), to_(phases.warmup + phases.measure) {}

  /// Between two steps: all steps before `next` (no_step: all there will be) have left their counts in `record`.
  void look(Step next, const RunRecord& record);
  /// What was measured in a run that was over before step `end`, and in whose phase so many flits were created.
  Measured finish(Step end, const RunRecord& record, std::int64_t created) const;

 private:
  Step from_, to_;
  std::optional<std::int64_t> before_, until_;  ///< flits delivered before `from_` and before `to_`
};

}  // namespace starloom::links
