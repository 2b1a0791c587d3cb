// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Routing functions that learn of hardware that dies or is repaired during the run (docs/faults.md).
#include <deque>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include <starloom/control/links/algorithm.hpp>
#include <starloom/control/links/unreachable.hpp>
#include <starloom/topology/rerouting.hpp>

namespace starloom::links {

/// The faults that routing functions and sources know after a change, and the algorithm that is made for them.
struct RerouteKnowledge {
  RerouteKnowledge(Reroute change, const std::function<std::unique_ptr<Algorithm>(const Faults&)>& make)
      : reroute(std::move(change)),
        algorithm(make(reroute.faults)),
        unreachable(reroute.faults, algorithm->without_path()) {}

  const Reroute reroute;
  const std::unique_ptr<const Algorithm> algorithm;
  const Unreachable unreachable;
};

/// The changes of a run. Those after events that are known before it are made before it.
class Reroutes {
 public:
  using Make = std::function<std::unique_ptr<Algorithm>(const Faults&)>;

  /// \param start faults of step 0. \param events that are known. \param algorithm of step 0. \param make returns it
  /// for other faults, which outlive it. `start` and `algorithm` outlive this.
  /// \throws ConfigError if routers cannot change from one algorithm to another, and what `make` throws
  Reroutes(const RerouteRules& rules, const Faults& start, const std::vector<FaultEvent>& events,
           const Algorithm& algorithm, Make make);

  const RerouteRules& rules() const { return rules_; }
  /// Those that are made before the run, one for each step with events, in order.
  const std::vector<std::shared_ptr<const RerouteKnowledge>>& changes() const { return changes_; }
  /// The change that follows the events of a step. \param hardware after them
  /// \throws ConfigError as the constructor
  std::shared_ptr<const RerouteKnowledge> after(const std::vector<FaultEvent>& events,
                                                const LivingHardware& hardware) const;

 private:
  std::shared_ptr<const RerouteKnowledge> made(Reroute reroute) const;

  const RerouteRules rules_;
  const Faults& start_;
  const Algorithm& algorithm_;
  const Make make_;
  std::vector<std::shared_ptr<const RerouteKnowledge>> changes_;
};

}  // namespace starloom::links
