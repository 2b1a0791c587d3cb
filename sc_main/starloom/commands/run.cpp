// SPDX-License-Identifier: Apache-2.0
#include <starloom/commands/run.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <starloom/commands/interrupt.hpp>
#include <starloom/commands/known_entries.hpp>
#include <starloom/commands/progress.hpp>
#include <starloom/commands/run_waves.hpp>
#include <starloom/commands/summary.hpp>
#include <starloom/config/document.hpp>
#include <starloom/experiment/verdict.hpp>
#include <starloom/inspection/run_folder.hpp>
#include <starloom/pictures/latency_picture.hpp>
#include <starloom/results/latency_csv.hpp>
#include <starloom/results/output_folder.hpp>
#include <starloom/results/result.hpp>
#include <starloom/results/timing.hpp>
#include <starloom/run/prepared_run.hpp>
#include <starloom/sockets/transaction_view.hpp>
#include <starloom/support/message.hpp>
#include <starloom/support/numbers.hpp>
#include <starloom/support/text_writer.hpp>
#include <starloom/support/thread_pool.hpp>
#include <starloom/trace_io/packets_csv.hpp>
#include <starloom/verify/trace_window_file.hpp>

namespace starloom {
namespace {

/// Number of nodes that keeps a thread busy.
constexpr int nodes_of_a_thread = 512;

/// The number of threads that share the steps of a run. Fewer than requested are reported on stderr.
int threads_of(const RunOptions& options, const RunFacts& facts) {
  const int cores = usable_cores();
  const int most = std::min(cores, facts.most_threads);
  if (!options.threads) return std::clamp(facts.nodes / nodes_of_a_thread, 1, most);
  if (*options.threads <= most) return *options.threads;
  const std::string why = cores < facts.most_threads ? fmt::format("the machine has {}", counted(cores, "core"))
                                                     : "this model of the network cannot use more";
  print_message(fmt::format("starloom: --threads {}: the run uses {}, because {}", *options.threads,
                            counted(most, "thread"), why));
  return most;
}

/// Runs; files written during the run are in `folder.temporary()` afterwards.
RunReport run_into(const OutputFolder& folder, const RunOptions& options, PreparedRun& prepared) {
  Progress progress(prepared.facts().clock);
  RunRequest request;
  request.referee = options.referee;
  request.packets = options.packets;
  request.pictures = true;
  request.netlist = options.netlist;
  request.folder = folder.temporary();
  request.trace = options.trace;
  request.watch = options.watch;
  request.progress = &progress;
  request.interrupt = &interrupt_flag();
  request.stop = request_interrupt;
  request.shuffle = options.shuffle;
  request.wake_all = options.wake_all;
  request.threads = threads_of(options, prepared.facts());
  return prepared.run(request);
}

void report_unknown_packets(const RunOptions& options, const RunReport& run) {
  for (const PacketId packet : options.watch)
    if (packet >= run.created)
      print_message(
          fmt::format("starloom: --watch packet={}: there is no such packet; {} were created", packet, run.created));
}

/// True if a window contains all steps of a run.
bool is_whole(const TraceWindow& window, Step steps_run) {
  return window.from == 0 && (window.to == no_step || window.to >= steps_run);
}

/// Writes all files except trace and waves.
void write_result(const OutputFolder& folder, const RunOptions& options, const RunFacts& facts, const RunReport& run,
                  const nlohmann::ordered_json& result, const Stopwatch& watch) {
  if (options.packets)
    write_packets(folder.temporary() / "packets.csv", run.packets, run.delivered, run.injected,
                  {facts.classes > 1, facts.subnets > 1, facts.groups, run.lost ? &*run.lost : nullptr,
                   run.attempts ? &*run.attempts : nullptr});
  if (options.trace && !is_whole(*options.trace, run.steps_run))
    folder.write(trace_window_file, trace_window_json(*options.trace));
  folder.write("timing.json", json_text(timing_json(watch, run, facts.nodes)));
  folder.write("result.json", json_text(result, run.exact_numbers));
  for (const OutputFile& file : run.files) file.write(folder.temporary() / file.name);
  if (facts.phases) folder.write("latency.csv", latency_csv(run.sums.latency, run.sums.network_latency));
  folder.write("latency.svg", latency_picture(run.sums.latency, result["packets"]["undelivered"].get<std::int64_t>(),
                                              facts.title, facts.clock + "s"));
}

/// \throws InputError if an option needs hardware and the model has none.
void require_hardware(const Experiment& experiment, const RunOptions& options, bool waves) {
  const bool message = experiment.model == "message";
  const bool reckoned = experiment.tlm && experiment.tlm->view != transaction_view_names[2];
  if (!message && !reckoned) return;
  std::string what;
  if (options.netlist) what = "no netlist";
  else if (options.trace || !options.watch.empty()) what = "no events to trace or watch";
  else if (waves) what = "no hardware to show in waves";
  if (!what.empty())
    throw InputError(
        message ? experiment.location("model").before(fmt::format("model: message has {}; use model: netlist", what))
                : experiment.location("tlm.view")
                      .before(fmt::format("tlm.view: {} has {}; use {}", experiment.tlm->view, what,
                                          transaction_view_names[2])));
}

/// Writes replay.html beside the files that it is made from. \return the reason why it is not written; empty if it
/// is.
std::string write_replay_page(const Catalogue& catalogue, const std::filesystem::path& out) {
  try {
    write_text(out / "replay.html", open_run_folder(out, known_entries(catalogue))->replay({}));
    return "";
  } catch (const Error& error) {
    return fmt::format("replay.html is not written: {}", error.what());
  }
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

Ending run_experiment(const Catalogue& catalogue, const RunOptions& options) {
  const Stopwatch watch;
  const Experiment experiment = load_experiment(catalogue, options.experiment.file, overrides_of(options.experiment));
  const bool wants_waves = options.waves || experiment.waves;
  require_hardware(experiment, options, wants_waves);
  if (options.replay && !options.packets) throw InputError("--replay: needs packets.csv; leave out --no-packets");
  std::optional<StageLine> stage;
  stage.emplace().begin("the network and its packets");
  const auto prepared = prepare(experiment);
  const auto described = experiment_json(experiment);
  stage.reset();
  const RunFacts facts = prepared->facts();

  const auto out = options.out.value_or(std::filesystem::path("out") / experiment.file.stem());
  catch_interrupts();
  OutputFolder folder(out, options.force);
  for (const std::string& warning : prepared->warnings())
    print_message(fmt::format("{}: warning: {}", experiment.file.string(), warning));
  RunReport run;
  nlohmann::ordered_json result;
  std::optional<WavesError> without_waves;
  try {
    std::optional<RunWaves> waves;
    if (wants_waves) waves.emplace(experiment, *prepared, folder.temporary());
    run = run_into(folder, options, *prepared);
    let_finish();
    report_unknown_packets(options, run);
    if (waves) without_waves = waves->finish(run.steps_run, run.outcome == Outcome::interrupted);
    result = result_json(*experiment.algorithm, described, facts.phases, run);
    try {
      write_result(folder, options, facts, run, result, watch);
    } catch (const OutputError& error) {
      if (!waves) throw;  // without the waves there is room on the disk
      without_waves = waves->give_up(error);
      write_result(folder, options, facts, run, result, watch);
    }
    folder.publish();
  } catch (...) {
    folder.report_partial_results();
    throw;
  }

  for (const std::string& text : outcome_notes(experiment, run, options.trace, out)) print_message(text);
  const Verdict verdict = judge(run.outcome, experiment.expect, result);
  for (const std::string& miss : verdict.misses) print_message(miss);
  if (!options.quiet) fmt::print("{}", summary_text(experiment, facts, run, result, verdict, out));
  const bool bad_end = verdict.status == ExitStatus::contract || verdict.status == ExitStatus::undelivered;
  std::string without_replay;
  if (options.replay)
    without_replay = run.outcome == Outcome::interrupted ? "replay.html is not written for an interrupted run"
                                                         : write_replay_page(catalogue, out);
  if (!without_replay.empty()) print_message(without_replay);
  if (!without_replay.empty() && !without_waves && !bad_end) return {ExitStatus::output, run.leave_by_exit};
  if (without_waves) {
    print_message(without_waves->text);
    if (!bad_end) return {without_waves->status, run.leave_by_exit};
  }
  return {verdict.status, run.leave_by_exit};
}

}  // namespace starloom
