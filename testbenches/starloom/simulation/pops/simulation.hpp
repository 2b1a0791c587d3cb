// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file One run on a POPS network: builds the netlist of SystemC modules, runs it to its end, and returns its
/// outcome.
#include <functional>
#include <map>
#include <optional>
#include <starloom/control/pops/algorithm.hpp>
#include <starloom/core/pops/rules.hpp>
#include <starloom/core/pops/run_record.hpp>
#include <starloom/core/pops/trace.hpp>
#include <starloom/fabric/pops/slot_observer.hpp>
#include <starloom/simulation/simulation.hpp>
#include <string>
#include <vector>

namespace starloom::pops {

class Network;

struct SimulationSetup : SimulationOptions {
  const Algorithm* algorithm = nullptr;
  Rules rules;                              ///< for the referee
  std::vector<TraceSink*> sinks;            ///< receive the sorted rows of every slot
  SlotObserver* observer = nullptr;         ///< observes the hardware in every slot (waves)
  std::function<void(Network&)> inspect{};  ///< called with the netlist, all its ports bound, when the run is over
};

struct SimulationResult : SimulationEnd {
  Packets packets;
  RunRecord record;
  std::optional<Schedule> schedule;  ///< empty if the program did not end regularly
  std::map<std::string, double> metrics;
};

/// Runs the algorithm in a netlist of SystemC modules, or, with `messages`, its model on arrays: without trace and
/// referee, and with the same result.
SimulationResult simulate(const SimulationSetup& setup);

/// The greatest number of threads that can share such a run.
int most_threads(const SimulationSetup& setup);

/// Builds the netlist and calls `inspect` with all its ports bound; no slot runs. True: the netlist is too large to
/// destroy, end the process by std::_Exit.
bool elaborate(const SimulationSetup& setup, const std::function<void(Network&)>& inspect);

}  // namespace starloom::pops
