// SPDX-License-Identifier: Apache-2.0
/// \file POPS networks as SystemC modules: the reference simulator agrees on every row, the message-level model on
/// every slot.
#include <gtest/gtest.h>

#include <starloom/algorithms/randomized/randomized_rules.hpp>
#include <starloom/fabric/pops/network.hpp>
#include <starloom/message/pops/models.hpp>
#include <starloom/simulation/pops/simulation.hpp>
#include <starloom/traffic/packet_list.hpp>
#include "support/fresh_context.hpp"
#include "support/pops_cases.hpp"
#include "support/report_text.hpp"
#include "support/same_run.hpp"

namespace starloom::pops {
namespace {

class RowCollector final : public TraceSink {
 public:
  void rows(const std::vector<TraceRow>& of_one_slot) override {
    all.insert(all.end(), of_one_slot.begin(), of_one_slot.end());
  }
  std::vector<TraceRow> all;
};

class SlotLimit final : public RunController {
 public:
  SlotLimit(Step limit, Step cycle_slots) : limit_(limit), cycle_slots_(cycle_slots) {}
  bool before_slot(Step next, Engine& engine) override {
    if (engine.draining()) return next < limit_;
    return !engine.cycle_begins(next) || next + cycle_slots_ <= limit_;
  }

 private:
  Step limit_;
  Step cycle_slots_;
};

struct NetlistOptions {
  NetworkOptions network;
  Step slot_limit = 1 << 14;
  std::function<void(Network&)> watch;  ///< called before simulation, and after
};

struct NetlistRun : SteppedRun {
  Violation violation;
};

NetlistRun run_netlist(const Case& c, std::uint64_t seed, NetlistOptions options = {}) {
  fresh_context();
  sc_core::sc_report_handler::set_actions(contract_report, sc_core::SC_DO_NOTHING);
  const ControllerSetup control = c.algorithm->make_controllers();
  std::vector<NodeId> destination;
  for (const Packet& packet : c.packets) destination.push_back(packet.destination);
  options.network.seed = seed;
  options.network.dead = c.algorithm->dead();
  Network network("network", c.pops(), *control.controllers, control.program, destination, options.network);
  RowCollector rows;
  SlotLimit limit(options.slot_limit, control.program.cycle_slots);
  network.fabric.set_sinks({&rows});
  network.fabric.set_run_controller(&limit);
  sc_core::sc_start();
  if (options.watch) options.watch(network);
  NetlistRun run;
  static_cast<RunRecord&>(run) = network.fabric.engine().record();
  run.rows = std::move(rows.all);
  run.violation = network.fabric.engine().violation();
  if (network.fabric.engine().stopped()) run.breach = "the fabric stopped the run";
  return run;
}

void expect_same_rows(const std::vector<TraceRow>& netlist, const std::vector<TraceRow>& plain) {
  for (std::size_t i = 0; i < std::min(netlist.size(), plain.size()); ++i)
    ASSERT_EQ(netlist[i], plain[i]) << "row " << i << " in slot " << plain[i].slot;
  EXPECT_EQ(netlist.size(), plain.size());
}

/// Does not act for some slots, and reports that it has work to do.
class IdleController final : public Controller {
 public:
  explicit IdleController(Step slots) : left_(slots) {}
  void slot(SlotView& /*view*/) override { --left_; }
  bool unfinished() const override { return left_ > 0; }

 private:
  Step left_;
};

// One processor that is not ready is enough to go on, whichever it is.
TEST(PopsNetlist, TheObserverLooksAtEveryProcessor) {
  const Pops pops(3, 2);
  for (NodeId last = 0; last < pops.nodes(); ++last) {
    fresh_context();
    const auto controllers = controllers_for(pops, [&](NodeId node) { return IdleController(node == last ? 7 : 0); });
    Network network("network", pops, *controllers, Program{}, {});
    sc_core::sc_start();
    EXPECT_EQ(network.fabric.engine().record().units, 7) << last;
  }
}

TEST(PopsLockstep, StepperModelAndNetlistAgreeInAnyOrderAndInThreads) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed)
    for (const Case& c : cases(seed)) {
      SCOPED_TRACE(c.name + ", seed " + std::to_string(seed));
      const SteppedRun plain = c.run_plain(seed);
      const MessageRun model = run_messages(*c.algorithm, 1 << 14);
      for (const auto& [shuffle, threads] :
           {std::pair(std::uint64_t{0}, 1), std::pair(seed + 40, 2), std::pair(std::uint64_t{0}, 3)}) {
        NetlistOptions options;
        options.network.shuffle = shuffle;
        options.network.threads = threads;
        const NetlistRun netlist = run_netlist(c, seed, options);
        expect_same(model, netlist);
        expect_same_rows(netlist.rows, plain.rows);
        const Program program = c.algorithm->make_controllers().program;
        EXPECT_EQ(netlist.units, program.slots == no_step ? plain.units : program.slots);
        EXPECT_EQ(netlist.undelivered, model.undelivered);
        EXPECT_TRUE(netlist.finished);
        if (HasFatalFailure()) return;
      }
    }
}

TEST(PopsLockstep, TheyStopAtTheSameLimit) {
  const Case c = randomized_case(64, 16, 2);
  const Step cycles_end = 5 * run_messages(*c.algorithm, 1 << 14).units;
  for (const Step limit : {Step{1}, Step{10}, Step{12}, cycles_end - 1, cycles_end, cycles_end + 1}) {
    SCOPED_TRACE(limit);
    NetlistOptions options;
    options.slot_limit = limit;
    const NetlistRun netlist = run_netlist(c, 2, options);
    expect_same(run_messages(*c.algorithm, limit), netlist);
    Stepping stepping;
    stepping.slot_limit = limit;
    expect_same_rows(netlist.rows, c.run_plain(2, stepping).rows);
    EXPECT_FALSE(netlist.finished);
    const Step cycles_only = limit / 5 * 5;
    EXPECT_EQ(netlist.slots.size(), static_cast<std::size_t>(limit < cycles_end ? cycles_only : limit));
  }
}

/// A device that is not a passive star: its outputs read the first of several inputs.
class FirstDriverWins final : public PassiveStar {
 public:
  using PassiveStar::PassiveStar;
  bool carries(std::int32_t /*drivers*/) const override { return true; }
};

TEST(PopsLockstep, OtherPartsThanPassiveStarsCarryWhatTheySay) {
  Stepping stepping;
  stepping.first_driver_wins = true;
  NetlistOptions options;
  stepping.slot_limit = options.slot_limit = 1 << 11;  // some acknowledge for ever what is not theirs
  options.network.make_coupler = [](const char* name, std::int32_t /*to*/, std::int32_t /*from*/) {
    return std::make_unique<FirstDriverWins>(name);
  };
  int seen = 0;
  for (const Case& c : cases(1)) {
    if (c.name.rfind("direct", 0) != 0) continue;
    SCOPED_TRACE(c.name);
    const SteppedRun plain = c.run_plain(1, stepping);
    const NetlistRun netlist = run_netlist(c, 1, options);
    expect_same(netlist, plain);
    expect_same_rows(netlist.rows, plain.rows);
    ++seen;
  }
  EXPECT_GE(seen, 15);
}

/// Controllers with forging hardware: a message driven in one slot names another packet. Only the referee can detect
/// that.
class ForgingControllers final : public ControllerArray {
 public:
  ForgingControllers(std::unique_ptr<ControllerArray> honest, Step forged)
      : honest_(std::move(honest)), forged_(forged) {}
  NodeId size() const override { return honest_->size(); }
  Controller& at(NodeId node) override { return honest_->at(node); }
  const Controller& at(NodeId node) const override { return std::as_const(*honest_).at(node); }
  void slots(SlotContext& context, SlotFrame* first, const SlotFrame* last) override {
    honest_->slots(context, first, last);
    if (context.slot != forged_) return;
    for (SlotFrame* frame = first; frame != last; ++frame)
      if (frame->driven != no_group) frame->sent.packet = (frame->sent.packet + 1) % size();
  }

 private:
  std::unique_ptr<ControllerArray> honest_;
  const Step forged_;
};

class Forging final : public Algorithm {
 public:
  Forging(const Algorithm& honest, Step forged) : Algorithm(honest.pops()), honest_(honest), forged_(forged) {}
  ControllerSetup make_controllers() const override {
    ControllerSetup control = honest_.make_controllers();
    control.controllers = std::make_unique<ForgingControllers>(std::move(control.controllers), forged_);
    return control;
  }
  const DeadCouplers* dead() const override { return honest_.dead(); }

 private:
  const Algorithm& honest_;
  const Step forged_;
};

class SlotCounter final : public SlotObserver {
 public:
  void show(Step /*slot*/, const Engine& /*engine*/) override { ++shown; }
  std::size_t shown = 0;
};

/// Asks a run to stop once a slot is over.
class Stopper final : public ProgressObserver {
 public:
  explicit Stopper(Step after) : after_(after) {}
  void after_step(const RunProgress& progress) override {
    if (progress.step >= after_) flag.request();
  }
  StopFlag flag;

 private:
  const Step after_;
};

// In a cycle it continues to its end; in the drain it stops immediately.
TEST(PopsNetlist, StopsInItsDrain) {
  int seen = 0;
  for (const Case& c : cases(1)) {
    const auto simulated = [&c](Stopper* stopper) {
      fresh_context();
      PacketList traffic(c.packets);
      SimulationSetup setup;
      setup.algorithm = c.algorithm.get();
      setup.rules = c.rules;
      setup.traffic = &traffic;
      setup.progress = stopper;
      if (stopper != nullptr) setup.interrupt = &stopper->flag;
      return simulate(setup);
    };
    if (c.name.rfind("randomized", 0) != 0) continue;
    const SimulationResult whole = simulated(nullptr);
    const auto slots = static_cast<Step>(whole.record.slots.size());
    const Step drain = slots - whole.record.units * RandomizedRules::cycle_slots;
    if (!whole.record.finished || drain < 3) continue;
    SCOPED_TRACE(c.name);
    Stopper stopper(slots - 3);
    const SimulationResult stopped = simulated(&stopper);
    EXPECT_EQ(stopped.outcome, Outcome::interrupted);
    EXPECT_EQ(static_cast<Step>(stopped.record.slots.size()), slots - 2);
    EXPECT_TRUE(stopper.flag.seen());
    ++seen;
  }
  EXPECT_GE(seen, 1);
}

// A slot of 10^14 ns leaves time for nine.
TEST(PopsNetlist, EndsWithSimulatedTime) {
  int seen = 0;
  for (const Case& c : cases(1)) {
    fresh_context();
    PacketList traffic(c.packets);
    SimulationSetup setup;
    setup.algorithm = c.algorithm.get();
    setup.rules = c.rules;
    setup.traffic = &traffic;
    const auto slots = static_cast<Step>(simulate(setup).record.slots.size());
    if (slots < 20) continue;
    SCOPED_TRACE(c.name);
    setup.clock_ns = 1e14;
    const SimulationResult ended = simulate(setup);
    EXPECT_EQ(ended.outcome, Outcome::step_limit) << ended.violation.text;
    EXPECT_TRUE(ended.out_of_time);
    EXPECT_LE(ended.record.slots.size(), 9U);
    ++seen;
  }
  EXPECT_GE(seen, 2);
}

/// All that a run shows.
struct ShownRun : SimulationResult {
  std::vector<TraceRow> rows;
  std::size_t shown = 0;            ///< slots
  std::vector<std::int64_t> loads;  ///< [coupler]
};

ShownRun simulate_forged(const Case& c, Step forged, std::optional<Step> limit, int threads) {
  fresh_context();
  const Forging algorithm(*c.algorithm, forged);
  PacketList traffic(c.packets);
  RowCollector rows;
  SlotCounter observer;
  ShownRun run;
  SimulationSetup setup;
  setup.algorithm = &algorithm;
  setup.rules = c.rules;
  setup.traffic = &traffic;
  setup.limits.steps = limit;
  setup.sinks = {&rows};
  setup.observer = &observer;
  setup.threads = threads;
  setup.inspect = [&](Network& network) {
    const Engine& engine = network.fabric.engine();
    for (std::int32_t from = 0; from < c.pops().groups(); ++from)
      for (std::int32_t to = 0; to < c.pops().groups(); ++to)
        run.loads.push_back(engine.load(engine.coupler(to, from)));
  };
  static_cast<SimulationResult&>(run) = simulate(setup);
  run.rows = std::move(rows.all);
  run.shown = observer.shown;
  return run;
}

/// The record contains only slots up to the last one with rows, not one that ran afterwards.
void expect_counted_as_in_rows(const ShownRun& run, const Pops& pops) {
  std::vector<std::int64_t> loads(run.loads.size(), 0);
  std::int64_t data_drives = 0, ack_drives = 0;
  for (const TraceRow& row : run.rows) {
    if (row.event != TraceEvent::drive) continue;
    const bool data = row.kind == MessageKind::data;
    ++(data ? data_drives : ack_drives);
    loads[static_cast<std::size_t>(row.source_group * pops.groups() + row.destination_group)] += data ? 1 : 0;
  }
  EXPECT_EQ(run.loads, loads);
  EXPECT_EQ(run.record.max_load, *std::max_element(loads.begin(), loads.end()));
  EXPECT_EQ(run.record.data_drives, data_drives);
  EXPECT_EQ(run.record.ack_drives, ack_drives);
  EXPECT_EQ(run.record.slots.size(), run.shown);
}

void expect_same_end(const ShownRun& run, const ShownRun& one) {
  EXPECT_EQ(run.outcome, one.outcome);
  EXPECT_EQ(run.violation.text, one.violation.text);
  EXPECT_EQ(run.violation.step, one.violation.step);
  EXPECT_EQ(run.violation.node, one.violation.node);
  EXPECT_EQ(run.explanation, one.explanation);
  EXPECT_EQ(run.metrics, one.metrics);
  EXPECT_EQ(run.record.slots, one.record.slots);
  EXPECT_EQ(run.record.delivered, one.record.delivered);
  EXPECT_EQ(run.record.finished, one.record.finished);
  EXPECT_EQ(run.rows, one.rows);
  EXPECT_EQ(run.shown, one.shown);
  EXPECT_EQ(run.loads, one.loads);
}

/// In each slot: in the middle of the run, before a limit that ends it, in the drain, in the last slot.
TEST(PopsNetlist, EndsAlikeWhereTheRefereeRejects) {
  int at_once = 0;
  for (const Case& c : cases(1)) {
    if (c.pops().groups() < 4 || c.pops().nodes() > 16) continue;
    const auto slots = static_cast<Step>(run_messages(*c.algorithm, 1 << 14).slots.size());
    for (Step forged = 0; forged < slots; ++forged)
      for (const std::optional<Step> limit : {std::optional<Step>(), std::optional(forged + 1)}) {
        SCOPED_TRACE(c.name + ", forged in slot " + std::to_string(forged) + (limit ? ", the last" : ""));
        const ShownRun one = simulate_forged(c, forged, limit, 1);
        if (one.violation.located) expect_counted_as_in_rows(one, c.pops());
        if (one.violation.step == forged && !limit) {
          EXPECT_EQ(one.rows.back().slot, forged);
          EXPECT_EQ(one.record.slots.size(), static_cast<std::size_t>(forged + 1));
          ++at_once;
        }
        for (const int threads : {2, 3}) expect_same_end(simulate_forged(c, forged, limit, threads), one);
        if (HasFailure()) return;
      }
  }
  EXPECT_GT(at_once, 100);
}

}  // namespace
}  // namespace starloom::pops
