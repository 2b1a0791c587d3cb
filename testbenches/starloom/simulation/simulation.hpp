// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file What simulations of both kinds of networks are told and tell.
#include <cstdint>
#include <starloom/core/outcome.hpp>
#include <starloom/core/violation.hpp>
#include <starloom/simulation/limits.hpp>
#include <starloom/support/stop_flag.hpp>
#include <starloom/traffic/traffic.hpp>
#include <string>
#include <vector>

namespace starloom {

/// How far a run is.
struct RunProgress {
  Step step = 0;               ///< or slot, the last one executed
  Step most = no_step;         ///< the run has no more steps than these; no_step: that is not known
  std::int64_t created = 0;    ///< packets so far
  std::int64_t delivered = 0;  ///< of those
};

/// Called after every executed step or slot (not for skipped ones); for progress lines. Must not influence the run.
class ProgressObserver {
 public:
  virtual ~ProgressObserver() = default;
  virtual void after_step(const RunProgress& progress) = 0;
};

struct SimulationOptions {
  Traffic* traffic = nullptr;
  std::uint64_t seed = 1;
  double clock_ns = 1;
  Limits limits;
  bool messages = false;  ///< the transaction-level model instead of hardware
  bool referee = true;    ///< let the referee watch; what it rejects ends the run as a violation
  ProgressObserver* progress = nullptr;
  const StopFlag* interrupt = nullptr;  ///< set from a signal handler: end as `interrupted`
  std::uint64_t shuffle = 0;  ///< changes nothing in the result: construction and evaluation order permuted, 0: by id
  int threads = 1;            ///< likewise: that share a step, or a slot
};

/// What open loop has found in its measurement phase, or in what there was of it.
struct Measured {
  Step steps = 0;             ///< that were measured
  std::int64_t offered = 0;   ///< flits created in them
  std::int64_t accepted = 0;  ///< flits that arrived in them
};

/// How a run ended.
struct SimulationEnd {
  Outcome outcome = Outcome::completed;
  std::vector<std::string> explanation;  ///< what is left, who waits for whom; lines for people, at most 20
  std::int64_t not_created = 0;          ///< packets of the traffic that come after the end of the run
  Violation violation;                   ///< valid if outcome is `violation`
  bool out_of_time = false;              ///< the outcome is `step-limit` because simulated time has an end
  bool leave_by_exit = false;            ///< the net is too large to destroy: end the process by std::_Exit
};

/// All packets of a traffic that has an end.
inline Packets all_packets(Traffic& traffic) {
  if (traffic.packets() != nullptr) return *traffic.packets();
  std::vector<Packet> packets;
  traffic.generate(0, traffic.end().value(), packets);
  return packets;
}

/// Stops the engine where the referee has rejected a row.
template <class Engine, class Referee>
void obey(const Referee* referee, Engine& engine) {
  if (referee != nullptr && !referee->ok()) engine.stop(referee->violation());
}

}  // namespace starloom
