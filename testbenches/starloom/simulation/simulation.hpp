// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The common part of setups and results of simulations, for both kinds of networks.
#include <cstdint>
#include <starloom/core/outcome.hpp>
#include <starloom/core/violation.hpp>
#include <starloom/simulation/limits.hpp>
#include <starloom/support/stop_flag.hpp>
#include <starloom/traffic/traffic.hpp>
#include <string>
#include <vector>

namespace starloom {

/// The progress of a run.
struct RunProgress {
  Step step = 0;               ///< or slot, the last one executed
  Step most = no_step;         ///< upper limit of the steps of the run; no_step: not known
  std::int64_t created = 0;    ///< packets so far
  std::int64_t delivered = 0;  ///< of those
};

/// Called after every executed step or slot (not for skipped ones); for progress lines. Must not change the run.
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
  bool referee = true;    ///< the referee checks the run; a row that it rejects ends it as a violation
  ProgressObserver* progress = nullptr;
  const StopFlag* interrupt = nullptr;  ///< set from a signal handler: end as `interrupted`
  std::uint64_t shuffle = 0;  ///< permutes construction and evaluation order, 0: by id; no effect on the result
  int threads = 1;            ///< threads that share a step or slot; no effect on the result
};

/// The measured loads of open loop in its measurement phase, as far as it was run.
struct Measured {
  Step steps = 0;             ///< measured steps
  std::int64_t offered = 0;   ///< flits created in them
  std::int64_t accepted = 0;  ///< flits that arrived in them
  std::int64_t arrived = 0;   ///< packets that arrived in them, over routers or links
  std::vector<std::int64_t> offered_by_class{}, accepted_by_class{};  ///< [class of traffic] the same
};

/// How a run ended.
struct SimulationEnd {
  Outcome outcome = Outcome::completed;
  /// packets that remain and the packets that they wait for; lines for users, at most 20
  std::vector<std::string> explanation;
  std::int64_t not_created = 0;  ///< packets of the traffic that would be created after the end of the run
  Violation violation;           ///< valid if outcome is `violation`
  bool out_of_time = false;      ///< the outcome is `step-limit` because simulated time has an end
  bool leave_by_exit = false;    ///< the netlist is too large to destroy: end the process by std::_Exit
};

/// All packets of a traffic with an end.
inline Packets all_packets(Traffic& traffic) {
  if (traffic.packets() != nullptr) return *traffic.packets();
  std::vector<Packet> packets;
  traffic.generate(0, traffic.end().value(), packets);
  return packets;
}

/// Stops the engine if the referee has rejected a row.
template <class Engine, class Referee>
void obey(const Referee* referee, Engine& engine) {
  if (referee != nullptr && !referee->ok()) engine.stop(referee->violation());
}

}  // namespace starloom
