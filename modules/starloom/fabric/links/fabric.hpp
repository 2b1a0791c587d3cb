// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The clocked fabric: the one process that runs all nodes.
#include <deque>
#include <functional>
#include <memory>
#include <systemc>
#include <vector>

#include <starloom/engines/engine.hpp>
#include <starloom/fabric/clock/step_clock.hpp>
#include <starloom/fabric/links/node.hpp>

namespace starloom::links {

/// Decides after every step whether the run continues. Null: it continues while further events are possible.
class RunController {
 public:
  virtual ~RunController() = default;
  /// Called when the engine exists, before the first step is chosen.
  virtual void begin() {}
  /// Called before step `next` runs (no_step: no further event is possible); false ends the run before it.
  virtual bool before_step(Step next, Engine& engine) = 0;
};

/// The clocked fabric. Owns all state that changes from step to step.
///
/// Several threads may share a step, each with one partition of the network; the process starts them and waits, so
/// SystemC sees one thread. With controllers that call back into SystemC, or with buffers that have an observer, that
/// one thread runs all nodes. Reports: `/starloom/threads` (warning) if fewer threads run than requested;
/// `/starloom/contract` (error) when a rule is broken, after which no step runs.
class Fabric final : public StepClock {
 public:
  struct Setup {
    const LinkNetwork* network = nullptr;
    const Declaration* declaration = nullptr;
    std::uint64_t seed = 1;
    bool count_memory = true;
    std::uint64_t shuffle = 0;
    bool wake_all = false;
    double stall_rate = 0;
    int threads = 1;                           ///< at most one per node is used
    const Unreachable* unreachable = nullptr;  ///< as in EngineSetup
    const LinkErrors* errors = nullptr;        ///< as in EngineSetup
    bool count_events = false;                 ///< as in EngineSetup
  };
  Fabric(const sc_core::sc_module_name& name, Setup setup, const sc_core::sc_time& period);

  /// Adds a node of the netlist; all nodes are added before the end of elaboration.
  void add(Node& node) { nodes_.push_back(&node); }

  /// Set before simulation starts: packets, sinks, observer, event reader and run controller.
  void set_source(PacketSource* source, Step horizon) {
    source_ = source;
    horizon_ = horizon;
  }
  void set_sinks(std::vector<TraceSink*> sinks) { sinks_ = std::move(sinks); }
  void set_credit_sinks(std::vector<CreditSink*> sinks) { credit_sinks_ = std::move(sinks); }
  /// Receives each step, with several threads while the next one runs; null: none.
  void set_step_sink(StepSink* step_sink) { step_sink_ = step_sink; }
  void set_observer(StepObserver* observer) { observer_ = observer; }
  /// Needs `Setup::count_events`.
  void set_event_reader(EventReader* reader) { event_reader_ = reader; }
  /// As Engine::measure.
  void measure(Step from, Step to) {
    measured_from_ = from;
    measured_to_ = to;
  }
  void set_run_controller(RunController* run_controller) { run_controller_ = run_controller; }
  void on_created(std::function<void(const std::vector<Packet>&)> callback) {
    on_created_.push_back(std::move(callback));
  }
  /// As Engine::on_delivered.
  void on_delivered(std::function<void(PacketId)> callback) { on_delivered_ = std::move(callback); }

  /// A call from outside: `effect` is carried out at the beginning of the first step that begins after the current
  /// time, before any controller runs in it. Wakes the fabric.
  void call(std::function<void(Engine&, Step)> effect);
  /// A packet from outside, created in the first step that begins after the current time.
  void create_packet(const Packet& packet);

  /// A call from outside that ends the run: no further step begins.
  void end();

  /// The step that runs, or ran last; -1 before step 0.
  Step step() const { return step_; }
  const LinkNetwork& network() const { return *setup_.network; }
  /// The engine; exists from the start of simulation on.
  Engine& engine() { return *engine_; }
  const Engine& engine() const { return *engine_; }

 private:
  void start_of_simulation() override;
  void tick() override;
  void run(Step step);
  void schedule_next();
  void notify(Step step);
  Step first_step_after(const sc_core::sc_time& time) const;
  Wiring compile_bindings() const;
  int usable_threads() const;

  struct Call {
    sc_core::sc_time at;
    std::function<void(Engine&, Step)> effect;  ///< null: `packet` is created
    Packet packet{};
  };
  void add(Call call);

  Setup setup_;
  std::vector<Node*> nodes_;
  std::unique_ptr<Engine> engine_;
  PacketSource* source_ = nullptr;
  Step horizon_ = no_step;
  std::vector<TraceSink*> sinks_;
  std::vector<CreditSink*> credit_sinks_;
  Step measured_from_ = 0, measured_to_ = no_step;
  StepObserver* observer_ = nullptr;
  EventReader* event_reader_ = nullptr;
  StepSink* step_sink_ = nullptr;
  RunController* run_controller_ = nullptr;
  std::vector<std::function<void(const std::vector<Packet>&)>> on_created_;
  std::function<void(PacketId)> on_delivered_;
  std::deque<Call> calls_;  ///< from outside, in order of time
  Step step_ = no_step;
  Step scheduled_ = no_step;  ///< the next step to run, if known; without a clock tick_ is notified for it
  bool over_ = false;         ///< ended by the run controller, by a broken rule, or from outside
};

}  // namespace starloom::links
