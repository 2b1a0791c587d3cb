#pragma once
/// \file One run: builds the netlist of SystemC modules, runs it to its end, says how it ended.
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "controllers/algorithm.hpp"
#include "controllers/star_algorithm.hpp"
#include "core/run_record.hpp"
#include "core/star_record.hpp"
#include "core/star_trace.hpp"
#include "core/trace.hpp"
#include "fabric/star_probe.hpp"
#include "fabric/step_probe.hpp"
#include "referee/star_rules.hpp"
#include "topology/topology.hpp"
#include "traffic/traffic.hpp"
#include "watchdog.hpp"

namespace starloom {

class Network;
class StarNetwork;

/// Called after every executed step (not for skipped ones); for progress lines. Must not influence the run.
class StepObserver {
 public:
  virtual ~StepObserver() = default;
  virtual void after_step(Step step, const RunRecord& record) = 0;
};

struct SimulationSetup {
  const Topology* topology = nullptr;
  const Algorithm* algorithm = nullptr;
  const StarAlgorithm* star = nullptr;  ///< a POPS network; then `topology` and `algorithm` are not looked at
  StarRules star_rules;                 ///< what the referee holds it to
  Traffic* traffic = nullptr;
  std::uint64_t seed = 1;
  std::int32_t link_latency = 1;
  double clock_ns = 1;
  Limits limits;
  bool messages = false;                   ///< the transaction-level model instead of hardware
  bool referee = true;                     ///< let the referee watch; what it rejects ends the run as a violation
  std::vector<TraceSink*> sinks;           ///< receive the sorted rows of every step
  std::vector<StarTraceSink*> star_sinks;  ///< the same of every slot, on a POPS network
  StepObserver* observer = nullptr;
  StepProbe* probe = nullptr;               ///< sees what the hardware shows in every step (waves)
  StarProbe* star_probe = nullptr;          ///< the same of every slot, on a POPS network
  std::function<void(Network&)> inspect{};  ///< called with the netlist, all its ports bound, when the run is over
  std::function<void(StarNetwork&)> inspect_star{};  ///< the same on a POPS network
  const std::atomic<bool>* interrupt = nullptr;      ///< set from a signal handler: end as `interrupted`
  // Change nothing in the result:
  std::uint64_t shuffle = 0;  ///< 0: construction and evaluation in id order; else permuted by this number
  bool wake_all = false;      ///< run every node in every step
};

/// What a run on a POPS network has beside the packets and counts of its record, where hops are drives of couplers.
struct StarResult {
  StarRecord record;
  std::optional<Schedule> schedule;  ///< none if the program did not come to its end
  std::map<std::string, double> figures;
};

struct SimulationResult {
  RunRecord record;
  std::optional<StarResult> star;  ///< on a POPS network
  Outcome outcome = Outcome::completed;
  std::vector<std::string> explanation;  ///< what is left, who waits for whom; lines for people, at most 20
  Violation violation;                   ///< valid if outcome is `violation`
  bool leave_by_exit = false;            ///< the net is too large to destroy: end the process by std::_Exit
};

SimulationResult simulate(const SimulationSetup& setup);

/// Builds the netlist and calls `inspect` with all its ports bound; no step runs. Of `setup` only what describes
/// hardware counts. True: the net is too large to destroy, end the process by std::_Exit.
bool elaborate(const SimulationSetup& setup, const std::function<void(Network&)>& inspect);
/// The same for a POPS network.
bool elaborate_star(const SimulationSetup& setup, const std::function<void(StarNetwork&)>& inspect);

}  // namespace starloom
