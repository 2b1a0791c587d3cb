// SPDX-License-Identifier: Apache-2.0
#include <starloom/commands/summary.hpp>

#include <starloom/experiment/verdict.hpp>
#include <starloom/results/lines.hpp>
#include <starloom/support/numbers.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace starloom {
namespace {

using Json = nlohmann::ordered_json;

/// A number of steps, and the time it is. `clock_ns`, here and below: length of a step; 0 where steps differ in length.
std::string span(Step steps, std::string_view word, double clock_ns) {
  return fmt::format("{} {}{}", steps, word, steps == 1 ? "" : "s") +
         (clock_ns > 0 ? fmt::format(" ({} ns)", decimal(static_cast<double>(steps) * clock_ns, 10)) : "");
}

std::string line(const std::string& name, const std::string& text) { return line_text(name, text) + "\n"; }

/// Two decimals are enough for people.
std::string mean_text(const Json& mean) { return fmt::format("{:.2f}", mean.get<double>()); }

std::string latency_text(const Json& latency, std::string_view word, double clock_ns) {
  if (latency["mean"].is_null()) return "none: no packet was delivered";
  std::string text =
      fmt::format("mean {}, p50 {}, p95 {}, p99 {}, max {} {}s", mean_text(latency["mean"]), latency["p50"].get<Step>(),
                  latency["p95"].get<Step>(), latency["p99"].get<Step>(), latency["max"].get<Step>(), word);
  if (clock_ns > 0)
    text += fmt::format(" (mean {:.2f}, max {} ns)", latency["mean"].get<double>() * clock_ns,
                        decimal(latency["max"].get<double>() * clock_ns, 10));
  if (latency["partial"].get<bool>()) text += "; delivered packets only";
  return text;
}

std::string throughput_text(const RunReport& run, Step steps, std::string_view word, NodeId processors, double clock_ns,
                            std::int64_t flit_bytes) {
  if (run.sums.flits_delivered == 0) return "none: no packet was delivered";
  if (steps == 0) return fmt::format("none: all packets were delivered in {} 0", word);
  const double rate = static_cast<double>(run.sums.flits_delivered) / static_cast<double>(steps);
  return fmt::format("{} flits per {}, {} per processor and {}", decimal(rate), word, decimal(rate / processors),
                     word) +
         (clock_ns > 0
              ? fmt::format(" ({} Gbit/s in total)", decimal(rate * static_cast<double>(flit_bytes) * 8 / clock_ns))
              : "");
}

/// Of the measurement phase. `processors`: of the whole network.
std::string throughput_text(const Json& throughput, std::string_view word, NodeId processors, double clock_ns,
                            std::int64_t flit_bytes) {
  if (throughput["offered"].is_null()) return fmt::format("none: no {} was measured", word);
  const double accepted = throughput["accepted"].get<double>();
  return fmt::format("accepted {}, offered {} flits per processor and {}", decimal(accepted),
                     decimal(throughput["offered"].get<double>()), word) +
         (clock_ns > 0 ? fmt::format(" ({} Gbit/s in total)",
                                     decimal(accepted * processors * static_cast<double>(flit_bytes) * 8 / clock_ns))
                       : "");
}

/// Upper bounds of theory; `least_steps` is a lower one.
std::string bounds_text(const Json& bounds) {
  std::vector<std::string> texts;
  for (const auto& [name, value] : bounds.items()) texts.push_back(bound_text(name, value.get<double>()));
  return fmt::format("{}", fmt::join(texts, "; "));
}

std::string names_and_values(const Json& figures) {
  std::vector<std::string> texts;
  for (const auto& [name, value] : figures.items()) texts.push_back(fmt::format("{} {}", name, value.dump()));
  return fmt::format("{}", fmt::join(texts, ", "));
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

}  // namespace

std::string summary_text(const Experiment& experiment, const RunFacts& facts, const RunReport& run,
                         const nlohmann::ordered_json& result, const std::filesystem::path& folder) {
  const Json& packets = result["packets"];
  const auto steps = result["steps"].get<Step>();
  std::string text =
      fmt::format("{}: {}{}\n", facts.title, result["outcome"].get<std::string>(),
                  run.outcome != Outcome::completed && expects(experiment.expect, run.outcome) ? ", as expected" : "");
  text += line("makespan", run.sums.flits_delivered == 0
                               ? fmt::format("none: no packet was delivered in {} {}s", run.steps_run, facts.clock)
                               : span(steps, facts.clock, facts.clock_ns));
  for (const Line& one : run.timetable) text += line(one.name, one.text);
  text += line("packets",
               fmt::format("{} of {} delivered{}{}", packets["delivered"].get<std::int64_t>(),
                           packets["total"].get<std::int64_t>(), facts.phases ? " (of the measurement phase)" : "",
                           run.not_created > 0 ? fmt::format("; {} more not created", run.not_created) : ""));
  const Json& distance = result["distance"];
  if (!distance.is_null() && !distance["mean"].is_null())
    text += line("distance",
                 fmt::format("mean {}, max {}", mean_text(distance["mean"]), distance["max"].get<std::int64_t>()));
  text += line("latency", latency_text(result["latency"], facts.clock, facts.clock_ns));
  if (!result["network_latency"].is_null())
    text += line("in the network", latency_text(result["network_latency"], facts.clock, facts.clock_ns));
  const std::int64_t flit_bytes = experiment.units.flit_bytes;
  text += line("throughput",
               facts.phases
                   ? throughput_text(result["throughput"], facts.clock, facts.processors, facts.clock_ns, flit_bytes)
                   : throughput_text(run, steps, facts.clock, facts.processors, facts.clock_ns, flit_bytes));
  for (const Line& one : run.lines) text += line(one.name, one.text);
  if (!facts.remark.empty()) text += line("remark", facts.remark);
  if (!result["bounds"].empty()) text += line("bounds", bounds_text(result["bounds"]));
  for (const auto& [name, value] : result["algorithm"].items())
    text += line(name, value.is_object() ? names_and_values(value) : value.dump());
  text += line("files", folder.string());
  return text;
}

std::vector<std::string> outcome_notes(const Experiment& experiment, const RunReport& run,
                                       const std::optional<TraceWindow>& trace, const std::filesystem::path& folder) {
  if (run.outcome == Outcome::completed) return {};
  const bool violated = run.outcome == Outcome::violation;
  const std::string& text = violated ? run.violation.text : run.advice;
  std::vector<std::string> notes = {fmt::format(
      "{}: {}{}: {}", experiment.file.string(), outcome_names[static_cast<std::size_t>(run.outcome)],
      expects(experiment.expect, run.outcome) ? ", as expected" : "", text.empty() ? advice(run.outcome) : text)};
  // A saturated network is a result like another: that packets wait is what was asked for.
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
