#include <starloom/commands/run.hpp>

#include <fmt/format.h>

#include <cstdio>
#include <exception>

#include <starloom/commands/interrupt.hpp>
#include <starloom/commands/progress.hpp>
#include <starloom/commands/run_waves.hpp>
#include <starloom/commands/summary.hpp>
#include <starloom/commands/watch.hpp>
#include <starloom/experiment/experiment.hpp>
#include <starloom/experiment/verdict.hpp>
#include <starloom/pictures/latency_picture.hpp>
#include <starloom/pictures/links/links_picture.hpp>
#include <starloom/pictures/pops/coupler_film.hpp>
#include <starloom/pictures/pops/couplers_picture.hpp>
#include <starloom/records/packets_csv.hpp>
#include <starloom/records/pops/slots_csv.hpp>
#include <starloom/records/pops/trace_writer.hpp>
#include <starloom/results/counted.hpp>
#include <starloom/results/links/netlist_json.hpp>
#include <starloom/results/output_folder.hpp>
#include <starloom/results/pops/netlist_json.hpp>
#include <starloom/results/result.hpp>
#include <starloom/results/timing.hpp>
#include <starloom/simulation/simulation.hpp>

namespace starloom {
namespace {

/// `trace.csv` while the run writes it. What cannot be written ends the run early: its fault must not travel through the
/// SystemC kernel, which would turn it into a report of its own.
template <class Writer, class Sink, class Row>
class TraceFile final : public Sink {
 public:
  TraceFile(const OutputFolder& folder, TraceWindow window) : writer_(folder.aside() / "trace.csv", window) {}
  void rows(const std::vector<Row>& of_one_step) override {
    if (fault_ != nullptr) return;
    try {
      writer_.rows(of_one_step);
    } catch (const OutputError&) {
      fault_ = std::current_exception();
      request_interrupt();
    }
  }
  void close() {
    if (fault_ != nullptr) std::rethrow_exception(fault_);
    writer_.close();
  }

 private:
  Writer writer_;
  std::exception_ptr fault_;
};

void note(const std::string& text) { fmt::print(stderr, "starloom: {}\n", text); }

/// Drives with data, [Pops::coupler].
std::vector<std::int64_t> coupler_load(const pops::Engine& engine, const Pops& pops) {
  std::vector<std::int64_t> load(static_cast<std::size_t>(pops.couplers()));
  for (std::int32_t from = 0; from < pops.groups(); ++from)
    for (std::int32_t to = 0; to < pops.groups(); ++to)
      load[static_cast<std::size_t>(pops.coupler(to, from))] = engine.load(engine.coupler(to, from));
  return load;
}

/// Runs; trace and netlist are in `folder.aside()` afterwards. `waves`: null, or what sees the run. `couplers`: the
/// picture of a POPS netlist.
SimulationResult simulate_into(const OutputFolder& folder, const RunOptions& options, const Experiment& experiment,
                               Setup& setup, RunWaves* waves, std::string& couplers) {
  SimulationSetup simulation = simulation_of(experiment, setup);
  simulation.referee = options.referee;
  simulation.interrupt = &interrupt_flag();
  simulation.shuffle = options.shuffle;
  simulation.wake_all = options.wake_all;
  if (waves != nullptr) waves->watch(simulation);

  std::optional<TraceFile<links::TraceWriter, links::TraceSink, links::TraceRow>> trace;
  std::optional<TraceFile<pops::TraceWriter, pops::TraceSink, pops::TraceRow>> star_trace;
  std::optional<PacketWatch<links::TraceSink, links::TraceRow>> watch;
  std::optional<PacketWatch<pops::TraceSink, pops::TraceRow>> star_watch;
  if (setup.star != nullptr) {
    if (options.trace) simulation.star_sinks.push_back(&star_trace.emplace(folder, *options.trace));
    if (!options.watch.empty())
      simulation.star_sinks.push_back(&star_watch.emplace(
          options.watch, [&](const pops::TraceRow& row) { return describe(row, setup.star->pops()); }));
  } else {
    if (options.trace) simulation.sinks.push_back(&trace.emplace(folder, *options.trace));
    if (!options.watch.empty())
      simulation.sinks.push_back(&watch.emplace(
          options.watch, [&](const links::TraceRow& row) { return describe(row, setup.network->graph); }));
  }

  std::string netlist;
  if (options.netlist)
    simulation.inspect = [&](links::Network& network) {
      netlist = links::netlist_json(network, setup.network->graph.nodes());
    };
  std::optional<pops::CouplerFilm> film;
  if (setup.star != nullptr && !simulation.messages) {
    const Pops& pops = setup.star->pops();
    simulation.star_probe = &film.emplace(pops, simulation.star_probe);
    simulation.inspect_star = [&, pops](pops::Network& network) {
      couplers = pops::couplers_picture(pops, setup.star->dead(), film->frames(),
                                        coupler_load(network.fabric.engine(), pops), run_title(experiment, setup));
      if (options.netlist) netlist = pops::netlist_json(network, pops);
    };
  }

  SimulationResult run;
  {
    Progress progress;
    simulation.observer = &progress;
    run = simulate(simulation);
  }
  for (const PacketId packet : options.watch)
    if (static_cast<std::size_t>(packet) >= run.record.packets.size())
      note(fmt::format("--watch packet={}: there is no such packet; {} were created", packet,
                       run.record.packets.size()));
  if (trace) trace->close();
  if (star_trace) star_trace->close();
  if (options.netlist) folder.write("netlist.json", netlist);
  return run;
}

void write_pictures(const OutputFolder& folder, const Experiment& experiment, const Setup& setup,
                    const links::RunRecord& record, const std::string& couplers) {
  const std::string title = run_title(experiment, setup);
  if (!couplers.empty()) folder.write("couplers.svg", couplers);
  if (!record.link_load.empty())
    folder.write("links.svg", links::links_picture(*setup.network, record.link_load, title));
  folder.write("latency.svg", latency_picture(latencies_of(record, Counted(setup.traffic->phases())), title,
                                              setup.star != nullptr ? "slots" : "steps"));
}

/// Writes all files but trace, netlist and waves.
void write_result(const OutputFolder& folder, bool packets, const Experiment& experiment, const Setup& setup,
                  const SimulationResult& run, const std::string& couplers, const nlohmann::ordered_json& result,
                  const Stopwatch& watch) {
  if (packets) write_packets(folder.aside() / "packets.csv", run.record.packets, run.record.delivered);
  if (run.star) pops::write_slots(folder.aside() / "slots.csv", run.star->record.slots);
  folder.write(
      "timing.json",
      json_text(timing_json(watch, run.record, setup.network ? setup.network->graph.nodes() : setup.processors.count)));
  folder.write("result.json", json_text(result));
  write_pictures(folder, experiment, setup, run.record, couplers);
}

}  // namespace

std::vector<Override> overrides_of(const ExperimentOptions& options) {
  std::vector<Override> overrides;
  for (const std::string& text : options.set) overrides.push_back(parse_override(text));
  if (options.seed) overrides.push_back({"--seed", "seed", *options.seed});
  return overrides;
}

TraceWindow parse_trace_window(const std::string& text) {
  const std::size_t colon = text.find(':');
  TraceWindow window;
  const auto read = [](const std::string& part, Step absent) {
    return part.empty() ? std::optional<Step>(absent) : parse_integer(part);
  };
  if (colon != std::string::npos) {
    const auto from = read(text.substr(0, colon), 0);
    const auto to = read(text.substr(colon + 1), no_step);
    window.from = from.value_or(-1);
    window.to = to.value_or(window.from);
  }
  if (colon == std::string::npos || window.from < 0 || (window.to != no_step && window.to <= window.from))
    throw InputError(
        fmt::format("--trace {}: the form is --trace FROM:TO, two steps; FROM is included, TO is not", text));
  return window;
}

Ending run_experiment(const RunOptions& options) {
  const Stopwatch watch;
  const Experiment experiment = load_experiment(options.experiment.file, overrides_of(options.experiment));
  if (experiment.model == "message" && options.netlist)
    throw InputError(
        fmt::format("{}: model: message has no netlist; use model: netlist", experiment.place("model").text()));
  const bool wants_waves = options.waves || experiment.waves;
  if (experiment.model == "message" && (options.trace || !options.watch.empty() || wants_waves))
    throw InputError(fmt::format(
        "{}: model: message has {}; use model: netlist", experiment.place("model").text(),
        options.trace || !options.watch.empty() ? "nothing to trace or watch" : "no hardware to show in waves"));
  const auto setup = set_up(experiment);
  const auto facts = experiment_json(experiment);

  const auto out = options.out.value_or(std::filesystem::path("out") / experiment.file.stem());
  OutputFolder folder(out, options.force);
  catch_interrupts();
  SimulationResult run;
  nlohmann::ordered_json result;
  std::optional<WavesFault> without_waves;
  try {
    std::optional<RunWaves> waves;
    if (wants_waves) waves.emplace(experiment, *setup, folder.aside());
    std::string couplers;
    run = simulate_into(folder, options, experiment, *setup, waves ? &*waves : nullptr, couplers);
    if (waves) without_waves = waves->finish(run.record.steps_run);
    result = result_json(facts, *setup, run);
    try {
      write_result(folder, options.packets, experiment, *setup, run, couplers, result, watch);
    } catch (const OutputError& fault) {
      if (!waves || without_waves) throw;
      without_waves = waves->give_up(fault);
      write_result(folder, options.packets, experiment, *setup, run, couplers, result, watch);
    }
    folder.publish();
  } catch (...) {
    folder.tell_what_is_left();
    throw;
  }

  for (const std::string& text : outcome_notes(experiment, *setup, run)) fmt::print(stderr, "{}\n", text);
  const Verdict verdict = judge(run.outcome, experiment.expect, result);
  for (const std::string& miss : verdict.misses) fmt::print(stderr, "{}\n", miss);
  if (!options.quiet) fmt::print("{}", summary_text(experiment, *setup, run, result, out));
  if (without_waves) {
    fmt::print(stderr, "{}\n", without_waves->text);
    const bool bad_end = verdict.status == ExitStatus::contract || verdict.status == ExitStatus::undelivered;
    if (!bad_end) return {without_waves->status, run.leave_by_exit};
  }
  return {verdict.status, run.leave_by_exit};
}

}  // namespace starloom
