// SPDX-License-Identifier: Apache-2.0
#include "support/netlist_run.hpp"

#include "support/fresh_context.hpp"

namespace starloom::links {
namespace {

/// Ends the run where the stepper does, and notes what the controllers publish after every step.
class Observer final : public RunController {
 public:
  Observer(const LinkNetwork& value, const Declaration& declaration, Step max_steps, NetlistRun& run)
      : nodes_(value.graph.nodes()),
        fields_(declaration.state.size()),
        program_end_(declaration.program_end),
        max_steps_(max_steps),
        run_(run),
        known_(static_cast<std::size_t>(nodes_) * fields_) {}

  bool before_step(Step next, Engine& engine) override {
    observe_state(engine);
    const RunRecord& record = engine.record();
    if (engine.source_exhausted() && record.left_count() == 0) run_.end = StepperEnd::all_delivered;
    else if (program_end_ != no_step && (next == no_step ? record.steps_run : next) >= program_end_)
      run_.end = StepperEnd::program_end;
    else if (next == no_step) run_.end = StepperEnd::nothing_pending;
    else if (next >= max_steps_) run_.end = StepperEnd::step_limit;
    else return true;
    return false;
  }

 private:
  void observe_state(const Engine& engine) {
    const Step done = engine.record().steps_run - 1;
    std::vector<std::uint32_t> values(fields_);
    for (NodeId node = 0; node < nodes_; ++node) {
      engine.publish(node, values.data());
      for (std::size_t field = 0; field < fields_; ++field) {
        std::uint32_t& known = known_[static_cast<std::size_t>(node) * fields_ + field];
        if (done >= 0 && known == values[field]) continue;
        known = values[field];
        run_.state.push_back({done, node, static_cast<std::int32_t>(field), values[field]});
      }
    }
  }

  NodeId nodes_;
  std::size_t fields_;
  Step program_end_;
  Step max_steps_;
  NetlistRun& run_;
  std::vector<std::uint32_t> known_;  ///< [node][field]
};

}  // namespace

NetlistRun run_netlist(const LinkNetwork& value, const Algorithm& algorithm, PacketSource& source,
                       const NetlistRunOptions& options) {
  fresh_context();
  sc_core::sc_report_handler::set_actions(contract_report, sc_core::SC_DO_NOTHING);
  NetlistRun run;
  RowCollector collector;
  CreditCollector credits;
  Observer observer(value, algorithm.declaration(), options.max_steps, run);
  Network network("network", value, algorithm, options.network);
  const PauseAtEnd pause("pause", network.fabric);
  network.fabric.set_source(&source, no_step);
  network.fabric.set_sinks({&collector});
  network.fabric.set_credit_sinks({&credits});
  network.fabric.set_run_controller(&observer);
  if (options.prepare) options.prepare(network);
  sc_core::sc_start();
  sc_core::sc_report_handler::set_actions(contract_report, sc_core::SC_UNSPECIFIED);
  network.fabric.engine().finish();
  run.rows = std::move(collector.all);
  run.credits = std::move(credits.all);
  run.record = network.fabric.engine().record();
  run.violation = network.fabric.engine().violation();
  return run;
}

}  // namespace starloom::links
