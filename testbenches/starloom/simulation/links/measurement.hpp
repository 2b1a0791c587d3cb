// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The offered and accepted load of an open-loop run, and the load of its links.
#include <optional>

#include <starloom/core/links/link_use.hpp>
#include <starloom/engines/engine.hpp>
#include <starloom/simulation/packet_sums.hpp>
#include <starloom/simulation/simulation.hpp>

namespace starloom::links {

/// Reads the counts of a run at both ends of its measurement phase.
class Measurement {
 public:
  explicit Measurement(const Phases& phases) : from_(phases.warmup), to_(phases.warmup + phases.measure) {}

  /// Called between two steps: `engine` has the counts of all steps before `next` (no_step: of all steps).
  void look(Step next, const Engine& engine);
  /// The measured values of a run that was over before step `end`. \param sums of its packets.
  Measured finish(Step end, const RunRecord& record, const PacketSums& sums) const;
  /// The flits that its links carried in the phase.
  LinkUse link_use(Step end, const RunRecord& record) const;

 private:
  struct Counts {
    std::int64_t delivered;                     ///< flits
    std::int64_t arrived;                       ///< packets, over routers or links
    std::vector<std::int64_t> class_delivered;  ///< [class of traffic] the same
    std::vector<std::int64_t> links;            ///< flits that entered each
  };
  Step measured_steps(Step end) const;

  Step from_, to_;
  std::optional<Counts> before_, until_;  ///< before `from_` and before `to_`
};

}  // namespace starloom::links
