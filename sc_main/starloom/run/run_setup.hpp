// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The setups of simulations of both kinds, from an experiment and a call.
#include <optional>
#include <starloom/run/packet_watch.hpp>
#include <starloom/run/prepared_run.hpp>
#include <starloom/run/trace_file.hpp>
#include <starloom/simulation/simulation.hpp>
#include <string>
#include <utility>

namespace starloom {

/// Sets the part that describes the hardware and its packets.
inline void set_up(SimulationOptions& options, const Experiment& experiment, Traffic* traffic) {
  options.traffic = traffic;
  options.seed = experiment.seed;
  options.clock_ns = experiment.units.clock_ns;
  options.messages = experiment.model == "message";
}

/// Sets the part that describes the requested run.
inline void set_up_run(SimulationOptions& options, const Experiment& experiment, const RunRequest& request) {
  options.limits = experiment.limits;
  options.referee = request.referee;
  options.progress = request.progress;
  options.interrupt = request.interrupt;
  options.shuffle = request.shuffle;
  options.threads = request.threads;
}

/// The trace and the watch of packets, if the call requests them. `Sink` takes rows of type `Row`, a `Writer` writes
/// them.
template <class Writer, class Sink, class Row>
class RequestedRows {
 public:
  /// They are appended to `sinks`. `more`: for the writer. \throws OutputError
  template <class... More>
  RequestedRows(const RunRequest& request, std::vector<Sink*>& sinks, std::function<std::string(const Row&)> describe,
                More... more)
      : watch_(request.watch, std::move(describe)) {
    if (request.trace)
      sinks.push_back(&trace_.emplace(request.folder / "trace.csv", *request.trace, request.stop, more...));
    if (!request.watch.empty()) sinks.push_back(&watch_);
  }
  /// \throws OutputError for this write or an earlier one.
  void close() {
    if (trace_) trace_->close();
  }

 private:
  std::optional<TraceFile<Writer, Sink, Row>> trace_;
  PacketWatchSink<Sink, Row> watch_;
};

}  // namespace starloom
