// SPDX-License-Identifier: Apache-2.0
#include <starloom/simulation/pops/simulation.hpp>

#include <algorithm>
#include <utility>

#include <starloom/fabric/pops/network.hpp>
#include <starloom/message/pops/models.hpp>
#include <starloom/referee/pops/referee.hpp>
#include <starloom/simulation/kernel.hpp>
#include <starloom/support/numbers.hpp>

namespace starloom::pops {
namespace {

/// Checks limits and reports progress between two slots.
class SimulationController final : public RunController {
 public:
  SimulationController(const MessageLimits& limits, const Program& program, ProgressObserver* progress,
                       std::int64_t packets)
      : limits_(limits), program_(program), progress_(progress), packets_(packets) {}

  bool before_slot(Step next, Engine& engine) override {
    if (progress_ != nullptr && next > 0)
      progress_->after_step({next - 1, program_.slots, packets_, engine.delivered_count()});
    if (engine.draining()) return next < limits_.slots && !limits_.interrupted();
    return !(engine.cycle_begins(next) && over(next, engine));
  }

 private:
  bool over(Step next, const Engine& engine) const {
    if (limits_.reached(next, program_.cycle_slots, next)) return true;
    // A program of fixed length ends by itself, however long no packet arrives.
    return program_.slots == no_step && limits_.reached(next, program_.cycle_slots, engine.last_delivery()) &&
           !engine.heard_by_destination();
  }

  const MessageLimits& limits_;
  const Program& program_;
  ProgressObserver* progress_;
  const std::int64_t packets_;
};

std::vector<NodeId> destinations_of(const Packets& packets) {
  std::vector<NodeId> destinations;
  destinations.reserve(packets.size());
  for (const Packet packet : packets) destinations.push_back(packet.destination);
  return destinations;
}

std::unique_ptr<Network> build(const SimulationSetup& setup, const ControllerSetup& control, const Packets& packets) {
  NetworkOptions options;
  options.seed = setup.seed;
  options.period = sc_core::sc_time(setup.clock_ns, sc_core::SC_NS);
  options.dead = setup.algorithm->dead();
  options.shuffle = setup.shuffle;
  options.threads = setup.threads;
  return std::make_unique<Network>("network", setup.algorithm->pops(), *control.controllers, control.program,
                                   destinations_of(packets), options);
}

/// Builds the netlist and runs it; fills in violation and `leave_by_exit`.
RunRecord run_netlist(const SimulationSetup& setup, const MessageLimits& limits, SimulationResult& result) {
  renew_kernel();
  const Algorithm& algorithm = *setup.algorithm;
  const Pops& pops = algorithm.pops();
  const ControllerSetup control = algorithm.make_controllers();
  auto network = build(setup, control, result.packets);
  std::unique_ptr<Referee> referee;
  if (setup.referee) {
    referee = std::make_unique<Referee>(pops, setup.rules, result.packets.list(), algorithm.dead());
    network->fabric.set_checker(referee.get());
  }
  SimulationController run_controller(limits, control.program, setup.progress,
                                      static_cast<std::int64_t>(result.packets.size()));
  network->fabric.set_sinks(setup.sinks);
  network->fabric.set_observer(setup.observer);
  network->fabric.set_run_controller(&run_controller);
  sc_core::sc_start();

  Engine& engine = network->fabric.engine();
  RunRecord record = std::move(engine.record());
  algorithm.read_out(*control.controllers, record);
  if (referee && !engine.stopped()) {
    referee->finish({record.delivered.begin(), record.delivered.end()}, record.slots,
                    record.finished && record.undelivered == 0);
    obey(referee.get(), engine);
  }
  result.violation = engine.violation();
  if (engine.stopped() && !result.violation.located)
    result.violation.text = "slot " + std::to_string(result.violation.step) + ", " +
                            pops.node_name(result.violation.node) + ": " + result.violation.text;
  if (setup.inspect) setup.inspect(*network);
  const std::size_t modules = network->module_count();
  result.leave_by_exit = retire(std::move(network), modules);
  return record;
}

/// Refuses to run any slot.
class Refusal final : public RunController {
 public:
  bool before_slot(Step, Engine&) override { return false; }
};

Outcome outcome_of(const RunRecord& record, const MessageLimits& limits) {
  if (record.finished) return record.undelivered > 0 ? Outcome::incomplete : Outcome::completed;
  if (limits.interrupted()) return Outcome::interrupted;
  const auto slots = static_cast<Step>(record.slots.size());
  if (slots >= limits.slots) return Outcome::step_limit;
  const auto last = std::max_element(record.delivered.begin(), record.delivered.end());
  const Step last_delivery = last == record.delivered.end() ? 0 : std::max(*last, 0);
  // Otherwise the next cycle would not have fitted.
  return slots - last_delivery >= limits.quiet ? Outcome::livelock : Outcome::step_limit;
}

/// Some of the packets that have not arrived.
std::vector<std::string> undelivered_text(const Pops& pops, const SimulationResult& result) {
  constexpr std::size_t most = 20;
  std::vector<std::string> lines;
  for (std::size_t p = 0; p < result.packets.size() && result.record.undelivered > 0; ++p) {
    if (result.record.delivered[p] != no_step) continue;
    if (lines.size() + 1 == most) {
      lines.push_back("and others: " + counted(result.record.undelivered, "packet") + " undelivered in total");
      break;
    }
    const Packet packet = result.packets[p];
    lines.push_back("packet " + std::to_string(p) + " of " + pops.node_name(packet.source) + " has not reached " +
                    (packet.destination == no_node ? "everyone" : pops.node_name(packet.destination)));
  }
  return lines;
}

}  // namespace

SimulationResult simulate(const SimulationSetup& setup) {
  const Step requested = setup.limits.steps.value_or(MessageLimits::most_slots);
  // The message model has no simulated time.
  MessageLimits limits(setup.messages ? requested : std::min(requested, end_of_time(setup.clock_ns) - 1));
  limits.quiet = setup.limits.quiet;
  limits.interrupt = setup.interrupt;
  limits.threads = setup.threads;

  SimulationResult result;
  result.packets = all_packets(*setup.traffic);
  result.record = setup.messages ? run_messages(*setup.algorithm, limits) : run_netlist(setup, limits, result);
  result.outcome = result.violation.step != no_step ? Outcome::violation : outcome_of(result.record, limits);
  result.out_of_time = result.outcome == Outcome::step_limit && limits.slots < requested;
  result.explanation = undelivered_text(setup.algorithm->pops(), result);
  if (result.record.finished) result.schedule = setup.algorithm->schedule(result.record);
  result.metrics = setup.algorithm->metrics(result.record);
  return result;
}

int most_threads(const SimulationSetup& setup) {
  return setup.messages ? most_threads(*setup.algorithm) : setup.algorithm->pops().groups();
}

bool elaborate(const SimulationSetup& setup, const std::function<void(Network&)>& inspect) {
  renew_kernel();
  const ControllerSetup control = setup.algorithm->make_controllers();
  auto network = build(setup, control, all_packets(*setup.traffic));
  Refusal refusal;
  network->fabric.set_run_controller(&refusal);
  sc_core::sc_start();
  inspect(*network);
  const std::size_t modules = network->module_count();
  return retire(std::move(network), modules);
}

}  // namespace starloom::pops
