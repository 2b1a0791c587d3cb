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

/// All changes of a run, made before it.
class Reroutes {
 public:
  /// \param algorithm of step 0. \param make returns it for other faults, which outlive it.
  /// \throws ConfigError if routers cannot change from one algorithm to another, and what `make` throws
  Reroutes(const RerouteRules& rules, const Faults& start, const std::vector<FaultEvent>& events,
           const Algorithm& algorithm, const std::function<std::unique_ptr<Algorithm>(const Faults&)>& make);

  const RerouteRules& rules() const { return rules_; }
  /// One for each step with events, in order.
  const std::deque<RerouteKnowledge>& changes() const { return changes_; }

 private:
  const RerouteRules rules_;
  std::deque<RerouteKnowledge> changes_;  ///< which stay where they are
};

}  // namespace starloom::links
