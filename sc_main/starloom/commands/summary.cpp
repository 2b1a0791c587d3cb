// SPDX-License-Identifier: Apache-2.0
#include <starloom/commands/summary.hpp>

#include <starloom/results/lines.hpp>
#include <starloom/support/escape.hpp>
#include <starloom/support/numbers.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace starloom {
namespace {

using Json = nlohmann::ordered_json;

/// `6 steps, 12 ns (at least 6 by distance)`. `clock_ns`, here and below: length of a step; 0 if no times are printed.
std::string duration_text(Step steps, std::string_view word, const std::string& bounds, double clock_ns) {
  std::string text = fmt::format("{} {}{}", steps, word, steps == 1 ? "" : "s");
  if (clock_ns > 0) text += fmt::format(", {} ns", decimal(static_cast<double>(steps) * clock_ns, 10));
  return bounds.empty() ? text : text + " (" + bounds + ")";
}

std::string line(const std::string& name, const std::string& text) { return line_text(name, text) + "\n"; }

/// Two decimals are enough for people.
std::string mean_text(const Json& mean) { return fmt::format("{:.2f}", mean.get<double>()); }

std::string latency_text(const Json& latency, std::string_view word, double clock_ns) {
  std::string text =
      fmt::format("mean {}, p50 {}, p95 {}, p99 {}, max {} {}s", mean_text(latency["mean"]), latency["p50"].get<Step>(),
                  latency["p95"].get<Step>(), latency["p99"].get<Step>(), latency["max"].get<Step>(), word);
  if (clock_ns > 0)
    text += fmt::format(" (mean {:.2f}, max {} ns)", latency["mean"].get<double>() * clock_ns,
                        decimal(latency["max"].get<double>() * clock_ns, 10));
  if (latency["partial"].get<bool>()) text += "; delivered packets only";
  return text;
}

/// `rate`: flits per step in the whole network. Empty if no times are printed.
std::string bandwidth_text(double rate, std::int64_t flit_bytes, double clock_ns) {
  if (clock_ns <= 0) return "";
  return fmt::format(" ({} Gbit/s in total)", decimal(rate * static_cast<double>(flit_bytes) * 8 / clock_ns));
}

std::string throughput_text(const RunReport& run, Step steps, std::string_view word, NodeId processors, double clock_ns,
                            std::int64_t flit_bytes) {
  if (steps == 0) return fmt::format("none: all packets were delivered in {} 0", word);
  const double rate = static_cast<double>(run.sums.flits_delivered) / static_cast<double>(steps);
  return fmt::format("{} flits per {}, {} per processor and {}{}", decimal(rate), word, decimal(rate / processors),
                     word, bandwidth_text(rate, flit_bytes, clock_ns));
}

/// For the measurement phase. `processors`: of the whole network.
std::string throughput_text(const Json& throughput, std::string_view word, NodeId processors, double clock_ns,
                            std::int64_t flit_bytes) {
  if (throughput["offered"].is_null()) return fmt::format("none: no {} was measured", word);
  const double accepted = throughput["accepted"].get<double>();
  return fmt::format("accepted {}, offered {} flits per processor and {}{}", decimal(accepted),
                     decimal(throughput["offered"].get<double>()), word,
                     bandwidth_text(accepted * processors, flit_bytes, clock_ns));
}

/// The steps of each phase until the run ended.
std::string window_text(const Phases& phases, Step steps_run) {
  const Step measured = std::clamp<Step>(steps_run - phases.warmup, 0, phases.measure);
  const Step drained = std::max<Step>(steps_run - phases.warmup - phases.measure, 0);
  return fmt::format("warm-up {}, measurement {}, drain {} of at most {} steps", std::min(steps_run, phases.warmup),
                     measured, drained, phases.drain);
}

/// The bounds that are printed with the duration.
bool is_of_duration(const std::string& bound) {
  return bound == "steps" || bound == "slots" || bound == "least_steps" || bound == "critical_path";
}

/// `least`: lower bound from the distances of the packets; 0: none.
std::string duration_bounds(const Json& bounds, Step least) {
  std::vector<std::string> texts;
  if (bounds.contains("least_steps"))
    texts.push_back(fmt::format("at least {:.15g} by theory", bounds["least_steps"].get<double>()));
  else if (bounds.contains("critical_path"))
    texts.push_back(fmt::format("at least {:.15g} by the critical path", bounds["critical_path"].get<double>()));
  else if (least > 0) texts.push_back(fmt::format("at least {} by distance", least));
  for (const char* name : {"steps", "slots"})
    if (bounds.contains(name)) texts.push_back(fmt::format("at most {:.15g} by theory", bounds[name].get<double>()));
  return fmt::format("{}", fmt::join(texts, ", "));
}

/// All other bounds.
std::string bounds_text(const Json& bounds) {
  std::vector<std::string> texts;
  for (const auto& [name, value] : bounds.items())
    if (!is_of_duration(name)) texts.push_back(bound_text(name, value.get<double>()));
  return fmt::format("{}", fmt::join(texts, "; "));
}

/// Four digits of a fraction are enough for people; result.json has all.
std::string value_text(const Json& value) {
  if (value.is_number_float()) return decimal(value.get<double>());
  if (!value.is_object()) return value.dump();
  std::vector<std::string> texts;
  for (const auto& [name, part] : value.items()) texts.push_back(fmt::format("{} {}", name, value_text(part)));
  return fmt::format("{}", fmt::join(texts, ", "));
}

/// The metrics of the algorithm by their keys, in columns of their own, because keys are longer than the names of
/// other rows.
std::string algorithm_table(const std::string& algorithm, const Json& metrics) {
  if (metrics.empty()) return "";
  std::string text = fmt::format("  metrics of {}\n", algorithm);
  std::size_t widest = 0;
  for (const auto& [name, value] : metrics.items()) widest = std::max(widest, name.size());
  for (const auto& [name, value] : metrics.items())
    text += fmt::format("    {:<{}}  {}\n", name, widest, value_text(value));
  return text;
}

std::string advice(Outcome outcome) {
  switch (outcome) {
    case Outcome::completed: return "";
    case Outcome::saturated:
      return "packets of the measurement phase are undelivered after the drain; lower traffic.rate or raise "
             "traffic.drain";
    case Outcome::incomplete: return "the schedule of the algorithm has ended with packets undelivered";
    case Outcome::deadlock: return "packets are undelivered and no flit can move again";
    case Outcome::livelock: return "flits move but none is delivered; raise limits.quiet if this is expected";
    case Outcome::step_limit: return "limits.steps stopped the run; raise it to see the end";
    case Outcome::violation: break;
    case Outcome::interrupted: return "interrupted; the outputs contain the run up to this step";
  }
  return "";
}

/// The reason why a run ended without all packets delivered, and advice.
std::string cause_text(const RunReport& run) {
  if (run.out_of_time) return "simulated time ends at 2^63 x 0.1 ps; lower units.clock_ns to see the end";
  const std::string& known = run.outcome == Outcome::violation ? run.violation.text : run.advice;
  return known.empty() ? advice(run.outcome) : known;
}

/// Empty without a section `expect`, unless the outcome itself is a bad one.
std::string expected_text(const Experiment& experiment, const RunReport& run, const Verdict& verdict) {
  if (run.outcome == Outcome::interrupted) return "";
  if (verdict.status != ExitStatus::done) return " (NOT expected)";
  return experiment.expect.empty() ? "" : " (as expected)";
}

/// The experiment gives a key of `units`, so times are printed.
bool has_units(const Experiment& experiment) {
  return std::any_of(experiment.locations.begin(), experiment.locations.end(),
                     [](const auto& location) { return location.first.rfind("units", 0) == 0; });
}

}  // namespace

std::string summary_text(const Experiment& experiment, const RunFacts& facts, const RunReport& run,
                         const nlohmann::ordered_json& result, const Verdict& verdict,
                         const std::filesystem::path& folder) {
  const bool completed = run.outcome == Outcome::completed, delivered = run.sums.flits_delivered > 0;
  const auto steps = result["steps"].get<Step>();
  const double clock_ns = has_units(experiment) ? facts.clock_ns : 0;
  const std::int64_t flit_bytes = experiment.units.flit_bytes;

  const Json& packets = result["packets"];
  std::string arrived =
      fmt::format("{} of {} delivered{}", packets["delivered"].get<std::int64_t>(),
                  packets["total"].get<std::int64_t>(), facts.phases ? " (of the measurement phase)" : "");
  if (run.not_created > 0) arrived += fmt::format("; {} more not created", run.not_created);
  std::string latencies;
  for (const auto& [name, key] : {std::pair{"latency", "latency"}, std::pair{"in network", "network_latency"}})
    if (const Json& latency = result[key]; !latency.is_null() && !latency["mean"].is_null())
      latencies += line(name, latency_text(latency, facts.clock, clock_ns));

  // The most important number, and the rows that belong to it.
  std::string headline, rows;
  if (facts.phases) {
    headline = throughput_text(result["throughput"], facts.clock, facts.processors, clock_ns, flit_bytes);
    if (!completed) rows += line("throughput", headline);
    rows += latencies + line("packets", arrived) + line("window", window_text(*facts.phases, run.steps_run));
  } else {
    headline = duration_text(steps, facts.clock, duration_bounds(result["bounds"], run.sums.least_end), clock_ns);
    rows += line("packets", arrived);
    if (!completed && delivered) rows += line("last delivery", fmt::format("{} {}", facts.clock, steps));
    rows += latencies;
    if (delivered)
      rows += line("throughput", throughput_text(run, steps, facts.clock, facts.processors, clock_ns, flit_bytes));
  }

  std::string text = fmt::format("{}{}: {}\n", result["outcome"].get<std::string>(),
                                 expected_text(experiment, run, verdict), completed ? headline : cause_text(run));
  text += line("experiment", facts.title) + rows;
  for (const Line& one : run.timetable) text += line(one.name, one.text);
  const Json& distance = result["distance"];
  if (!distance.is_null() && !distance["mean"].is_null())
    text += line("distance",
                 fmt::format("mean {}, max {}", mean_text(distance["mean"]), distance["max"].get<std::int64_t>()));
  for (const Line& one : run.lines) text += line(one.name, one.text);
  if (!facts.remark.empty()) text += line("remark", facts.remark);
  if (const std::string bounds = bounds_text(result["bounds"]); !bounds.empty()) text += line("bounds", bounds);
  text += algorithm_table(experiment.algorithm->name, result["algorithm"]);
  text += line("files", shown(folder));
  return text;
}

std::vector<std::string> outcome_notes(const Experiment& experiment, const RunReport& run,
                                       const std::optional<TraceWindow>& trace, const std::filesystem::path& folder) {
  if (run.outcome == Outcome::completed) return {};
  std::vector<std::string> notes = {
      fmt::format("{}: {}{}: {}", experiment.file.string(), outcome_names[static_cast<std::size_t>(run.outcome)],
                  expects(experiment.expect, run.outcome) ? ", as expected" : "", cause_text(run))};
  // A saturated network is a regular result: that packets wait is expected.
  const std::size_t first =
      run.outcome == Outcome::saturated && !run.explanation.empty() ? run.explanation.size() - 1 : 0;
  for (std::size_t i = first; i < run.explanation.size(); ++i) notes.push_back("  " + run.explanation[i]);
  if (run.look_at) {
    const bool traced = trace && trace->from == 0 && (trace->to == no_step || *run.look_at < trace->to);
    notes.push_back(fmt::format("  to see it: {}`starloom show {} --step {}`", traced ? "" : "run with --trace, then ",
                                folder.string(), *run.look_at));
  }
  return notes;
}

}  // namespace starloom
