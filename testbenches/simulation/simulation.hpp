#pragma once
/// \file One run: builds the netlist of SystemC modules, runs it to its end, says how it ended.
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <starloom/controllers/links/algorithm.hpp>
#include <starloom/controllers/pops/algorithm.hpp>
#include <starloom/core/links/run_record.hpp>
#include <starloom/core/links/trace.hpp>
#include <starloom/core/pops/run_record.hpp>
#include <starloom/core/pops/trace.hpp>
#include <starloom/core/violation.hpp>
#include <starloom/fabric/links/step_probe.hpp>
#include <starloom/fabric/pops/slot_probe.hpp>
#include <starloom/referee/pops/rules.hpp>
#include <starloom/simulation/links/watchdog.hpp>
#include <starloom/topology/network.hpp>
#include <starloom/traffic/traffic.hpp>

namespace starloom {

namespace links {
class Network;
}

namespace pops {
class Network;

/// What a run has beside the packets and counts of its record, where hops are drives of couplers.
struct Result {
  RunRecord record;
  std::optional<Schedule> schedule;  ///< none if the program did not come to its end
  std::map<std::string, double> figures;
};
}  // namespace pops

/// Called after every executed step (not for skipped ones); for progress lines. Must not influence the run.
class StepObserver {
 public:
  virtual ~StepObserver() = default;
  virtual void after_step(Step step, const links::RunRecord& record) = 0;
};

struct SimulationSetup {
  const LinkNetwork* network = nullptr;
  const links::Algorithm* algorithm = nullptr;
  const pops::Algorithm* star = nullptr;  ///< a POPS network; then `network` and `algorithm` are not looked at
  pops::Rules rules;                      ///< what the referee holds it to
  Traffic* traffic = nullptr;
  std::uint64_t seed = 1;
  double clock_ns = 1;
  Limits limits;
  bool messages = false;                     ///< the transaction-level model instead of hardware
  bool referee = true;                       ///< let the referee watch; what it rejects ends the run as a violation
  std::vector<links::TraceSink*> sinks;      ///< receive the sorted rows of every step
  std::vector<pops::TraceSink*> star_sinks;  ///< the same of every slot, on a POPS network
  StepObserver* observer = nullptr;
  links::StepProbe* probe = nullptr;      ///< sees what the hardware shows in every step (waves)
  pops::SlotProbe* star_probe = nullptr;  ///< the same of every slot, on a POPS network
  std::function<void(links::Network&)>
      inspect{};  ///< called with the netlist, all its ports bound, when the run is over
  std::function<void(pops::Network&)> inspect_star{};  ///< the same on a POPS network
  const std::atomic<bool>* interrupt = nullptr;        ///< set from a signal handler: end as `interrupted`
  // Change nothing in the result:
  std::uint64_t shuffle = 0;  ///< 0: construction and evaluation in id order; else permuted by this number
  bool wake_all = false;      ///< run every node in every step
};

struct SimulationResult {
  links::RunRecord record;
  std::optional<pops::Result> star;  ///< on a POPS network
  Outcome outcome = Outcome::completed;
  std::vector<std::string> explanation;  ///< what is left, who waits for whom; lines for people, at most 20
  Violation violation;                   ///< valid if outcome is `violation`
  bool leave_by_exit = false;            ///< the net is too large to destroy: end the process by std::_Exit
};

SimulationResult simulate(const SimulationSetup& setup);

}  // namespace starloom
