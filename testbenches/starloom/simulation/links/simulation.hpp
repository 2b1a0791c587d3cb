// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file One run on a network of links: builds the netlist of SystemC modules, runs it to its end, and returns its
/// outcome.
#include <functional>
#include <starloom/control/links/algorithm.hpp>
#include <starloom/core/links/attempts.hpp>
#include <starloom/core/links/event_counts.hpp>
#include <starloom/core/links/link_use.hpp>
#include <starloom/core/links/run_record.hpp>
#include <starloom/core/links/trace.hpp>
#include <starloom/engines/engine.hpp>
#include <starloom/engines/step_observer.hpp>
#include <starloom/simulation/links/message_source.hpp>
#include <starloom/simulation/links/saturation.hpp>
#include <starloom/simulation/links/starvation.hpp>
#include <starloom/simulation/links/transaction_plan.hpp>
#include <starloom/simulation/packet_sums.hpp>
#include <starloom/simulation/simulation.hpp>
#include <starloom/topology/network.hpp>
#include <vector>

namespace starloom::links {

class FlitContents;
class Network;

struct SimulationSetup : SimulationOptions {
  const LinkNetwork* network = nullptr;
  const Algorithm* algorithm = nullptr;
  std::vector<TraceSink*> sinks;            ///< receive the sorted rows of every step
  std::vector<CreditSink*> credit_sinks{};  ///< receive those of credits, with virtual channels
  EventReader* events = nullptr;            ///< reads the events of the hardware (energy)
  StepObserver* observer = nullptr;         ///< observes the hardware in every step (waves)
  std::function<void(Network&)> inspect{};  ///< called with the netlist, all its ports bound, when the run is over
  const TransactionPlan* transactions = nullptr;  ///< carried out by the network, which has no other packets
  FlitContents* contents = nullptr;               ///< gets the bytes of their packets; null: none are kept
  double stall_rate = 0;  ///< virtual channels: share of steps in which a link accepts no flit from its switch
  const Unreachable* unreachable = nullptr;  ///< packets that are not sent, because of faults; null: there are none
  const LinkErrors* errors = nullptr;        ///< of links; null: there are none
  bool counts_losses = false;                ///< a run that loses packets may be completed, not incomplete
  bool list_packets = true;  ///< false: packets of open loop and messages that have arrived are removed from the record
  bool wake_all = false;     ///< runs every node in every step; no effect on the result
};

/// Packets that wait for each other forever.
struct Deadlock {
  Step step = no_step;  ///< last step in which a flit moved
  std::vector<Engine::Waiting> cycle;
};

struct SimulationResult : SimulationEnd {
  RunRecord record;  ///< if packets are sent again, `of_first_attempts`
  /// Attempts as packets, if packets are sent again.
  struct OfAttempts {
    RunRecord record;
    Attempts attempts;
  };
  std::optional<OfAttempts> of_attempts{};
  PacketSums sums{};         ///< of all packets, including those removed from the record
  bool hops_counted = true;  ///< links that packets crossed are recorded; false for the model of messages
  std::optional<Deadlock> deadlock{};
  std::optional<Measured> measured{};       ///< of open loop
  std::optional<LinkUse> measured_links{};  ///< of open loop
  std::optional<SaturationVerdict> saturation{};
  std::optional<Starvation::Found> starved{};  ///< if the outcome is `livelock` because of a class of traffic
  std::vector<PlayedTransaction> transactions{};
  std::optional<MessageLog> messages{};  ///< of a workload
};

/// The use of the links over the measured steps of an open loop, else over all steps.
inline LinkUse link_use_of(const SimulationResult& result) {
  return result.measured_links ? *result.measured_links : LinkUse{result.record.steps_run, result.record.link_load};
}

/// Runs the algorithm in a netlist of SystemC modules, or, with `messages`, its plan on arrays: without hardware,
/// trace and referee.
/// \throws ConfigError if routing functions cannot be made for hardware that dies at random
SimulationResult simulate(const SimulationSetup& setup);

/// Adds step and node to the beginning of a broken rule's text that does not contain them.
void locate(Violation& violation, const NetworkGraph& graph);

/// Builds the netlist and calls `inspect` with all its ports bound; no step runs. Only the hardware part of `setup`
/// is used. True: the netlist is too large to destroy, end the process by std::_Exit.
bool elaborate(const SimulationSetup& setup, const std::function<void(Network&)>& inspect);

}  // namespace starloom::links
