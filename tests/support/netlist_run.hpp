// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Runs a network of SystemC modules on a list of packets, for comparison with the reference simulator.
#include <functional>
#include <vector>

#include <starloom/control/links/algorithm.hpp>
#include <starloom/core/links/run_record.hpp>
#include <starloom/core/links/trace.hpp>
#include <starloom/core/violation.hpp>
#include <starloom/fabric/links/network.hpp>
#include "support/stepper.hpp"

namespace starloom::links {

struct NetlistRun {
  StepperEnd end = StepperEnd::violation;
  std::vector<TraceRow> rows;
  std::vector<CreditRow> credits;
  RunRecord record;
  std::vector<StateChange> state;  ///< as the stepper notes it
  Violation violation;             ///< step is no_step if no rule was broken
};

struct NetlistRunOptions {
  NetworkOptions network;
  Step max_steps = 100'000;
  /// Called with the network before simulation starts.
  std::function<void(Network&)> prepare;
};

/// Makes `sc_start` return when the run of a fabric has ended, even if a clock continues.
class PauseAtEnd final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(PauseAtEnd);
  PauseAtEnd(const sc_core::sc_module_name& name, const Fabric& fabric) : sc_module(name) {
    SC_METHOD(pause);
    dont_initialize();
    sensitive << fabric.ended();
  }

 private:
  void pause() { sc_core::sc_pause(); }
};

/// Collects the rows of a run.
class RowCollector final : public TraceSink {
 public:
  void rows(const std::vector<TraceRow>& of_one_step) override {
    all.insert(all.end(), of_one_step.begin(), of_one_step.end());
  }
  std::vector<TraceRow> all;
};

class CreditCollector final : public CreditSink {
 public:
  void rows(const std::vector<CreditRow>& of_one_step) override {
    all.insert(all.end(), of_one_step.begin(), of_one_step.end());
  }
  std::vector<CreditRow> all;
};

/// Runs until all packets are delivered, no further event is possible, the program ends, or `max_steps` steps are
/// done. Begins with a fresh SystemC context.
NetlistRun run_netlist(const LinkNetwork& value, const Algorithm& algorithm, PacketSource& source,
                       const NetlistRunOptions& options = {});
inline NetlistRun run_netlist(const Grid& grid, const Algorithm& algorithm, PacketSource& source,
                              const NetlistRunOptions& options = {}) {
  return run_netlist(network_of(grid), algorithm, source, options);
}

}  // namespace starloom::links
