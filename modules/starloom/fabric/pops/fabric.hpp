// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The clocked fabric of a POPS network: the one process that runs all slots.
#include <memory>
#include <vector>

#include <starloom/fabric/clock/step_clock.hpp>
#include <starloom/fabric/pops/processor.hpp>
#include <starloom/fabric/pops/slot_observer.hpp>

namespace starloom::pops {

/// Decides before every slot whether the run continues. Null: until the program is over.
class RunController {
 public:
  virtual ~RunController() = default;
  /// Called before slot `next` unless the program ends there; false ends the run before it.
  virtual bool before_slot(Step next, Engine& engine) = 0;
};

/// The clocked fabric. Owns all state that changes from slot to slot; slot t is step t of its clock.
/// Reports: `/starloom/contract` (error) when a rule is broken, after which no slot runs.
class Fabric final : public StepClock {
 public:
  struct Setup {
    const Pops* pops = nullptr;
    ControllerArray* controllers = nullptr;  ///< of its processors
    Program program;
    std::vector<NodeId> destination;  ///< [packet], `no_node`: all processors
    std::uint64_t seed = 1;
    std::uint64_t shuffle = 0;
    int threads = 1;  ///< per slot; SystemC sees one
  };
  Fabric(const sc_core::sc_module_name& name, Setup setup, const sc_core::sc_time& period)
      : StepClock(name, period), setup_(std::move(setup)) {}

  /// Adds modules of the netlist; all modules are added before the end of elaboration.
  void add(Processor& processor) { processors_.push_back(&processor); }
  void add(TransmitRow& row) { rows_.push_back(&row); }
  void add(ReceiveColumn& column) { columns_.push_back(&column); }

  /// Set before simulation starts.
  void set_sinks(std::vector<TraceSink*> sinks) { sinks_ = std::move(sinks); }
  /// Checks each slot, with several threads while the next one runs; null: none.
  void set_checker(CheckingSink* checker) { checker_ = checker; }
  void set_observer(SlotObserver* observer) { observer_ = observer; }
  void set_run_controller(RunController* run_controller) { run_controller_ = run_controller; }

  /// The slot that runs, or ran last; -1 before slot 0.
  Step slot() const { return slot_; }
  /// The engine; exists from the start of simulation on.
  Engine& engine() { return *engine_; }
  const Engine& engine() const { return *engine_; }

 private:
  void start_of_simulation() override;
  void tick() override;
  Wiring compile_bindings(std::vector<PassiveStar*>& stars) const;

  Setup setup_;
  std::vector<Processor*> processors_;
  std::vector<TransmitRow*> rows_;
  std::vector<ReceiveColumn*> columns_;
  std::vector<TraceSink*> sinks_;
  CheckingSink* checker_ = nullptr;
  SlotObserver* observer_ = nullptr;
  RunController* run_controller_ = nullptr;
  std::unique_ptr<Engine> engine_;
  Step slot_ = no_step;
  bool over_ = false;
};

}  // namespace starloom::pops
