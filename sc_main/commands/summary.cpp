#include <starloom/commands/summary.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace starloom {
namespace {

using Json = nlohmann::ordered_json;

/// What a run counts: steps on grids, slots on POPS networks.
std::string_view clock_word(const Setup& setup) { return setup.star != nullptr ? "slot" : "step"; }

/// A number of steps, and the time it is. `clock_ns`, here and below: length of a step; 0 where steps differ in length.
std::string span(Step steps, std::string_view word, double clock_ns) {
  return fmt::format("{} {}{}", steps, word, steps == 1 ? "" : "s") +
         (clock_ns > 0 ? fmt::format(" ({:.10g} ns)", static_cast<double>(steps) * clock_ns) : "");
}

std::string line(const std::string& name, const std::string& text) { return fmt::format("  {:<13} {}\n", name, text); }

std::string counted(std::int64_t count, const std::string& what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

/// Two decimals are enough for people.
std::string mean_text(const Json& mean) { return fmt::format("{:.2f}", mean.get<double>()); }

std::string latency_text(const Json& latency, std::string_view word, double clock_ns) {
  if (latency["mean"].is_null()) return "none: no packet was delivered";
  std::string text =
      fmt::format("mean {}, p50 {}, p95 {}, p99 {}, max {} {}s", mean_text(latency["mean"]), latency["p50"].get<Step>(),
                  latency["p95"].get<Step>(), latency["p99"].get<Step>(), latency["max"].get<Step>(), word);
  if (clock_ns > 0)
    text += fmt::format(" (mean {:.2f}, max {:.10g} ns)", latency["mean"].get<double>() * clock_ns,
                        latency["max"].get<double>() * clock_ns);
  return text;
}

std::string queue_text(const Json& queue, const NetworkGraph& graph) {
  if (queue.is_null()) return "none: nodes store nothing";
  if (queue["max"] == 0) return "always empty";
  return fmt::format("at most {}, first in {} at the end of step {}",
                     counted(queue["max"].get<std::int64_t>(), "packet"), graph.node_name(queue["node"].get<NodeId>()),
                     queue["step"].get<Step>());
}

std::string busiest_link(const links::RunRecord& record, const NetworkGraph& graph) {
  const auto& load = record.link_load;
  const auto busiest = std::max_element(load.begin(), load.end());
  if (busiest == load.end() || *busiest == 0) return "none: no flit crossed a link";
  const auto index = static_cast<NodeId>(busiest - load.begin());
  return fmt::format("{} with {}", graph.link_name(index / graph.ports(), index % graph.ports()),
                     counted(*busiest, "flit"));
}

std::string throughput_text(const links::RunRecord& record, Step steps, std::string_view word, NodeId nodes,
                            double clock_ns, std::int64_t flit_bytes) {
  std::int64_t flits = 0;
  for (std::size_t p = 0; p < record.packets.size(); ++p)
    if (record.delivered[p] != no_step) flits += record.packets[p].flits;
  if (steps == 0) return fmt::format("none: no {} was needed", word);
  const double rate = static_cast<double>(flits) / static_cast<double>(steps);
  return fmt::format("{:.4g} flits a {}, {:.4g} a node and {}", rate, word, rate / nodes, word) +
         (clock_ns > 0 ? fmt::format(" ({:.4g} Gb/s in all)", rate * static_cast<double>(flit_bytes) * 8 / clock_ns)
                       : "");
}

std::string schedule_text(const Json& schedule) {
  if (schedule.is_null()) return "none: the program did not come to its end";
  const std::string unit = schedule["unit"].get<std::string>();
  if (unit == "slot") return counted(schedule["units"].get<std::int64_t>(), unit);
  return fmt::format("{}, {} in all", counted(schedule["units"].get<std::int64_t>(), unit),
                     counted(schedule["steps"].get<Step>(), "slot"));
}

std::string couplers_text(const Json& links) {
  return fmt::format("driven {} times with data and {} with acknowledgements; one at most {} with data",
                     links["flit_hops"].get<std::int64_t>(), links["control_hops"].get<std::int64_t>(),
                     links["max_load"].get<std::int64_t>());
}

std::string bounds_text(const Json& bounds) {
  std::vector<std::string> texts;
  for (const auto& [name, value] : bounds.items()) texts.push_back(fmt::format("{} {}", name, value.dump()));
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string advice(Outcome outcome) {
  switch (outcome) {
    case Outcome::completed: return "";
    case Outcome::saturated:
      return "packets of the measurement phase are left after the drain; lower traffic.rate or raise traffic.drain";
    case Outcome::incomplete: return "the algorithm's program is over and packets are left";
    case Outcome::deadlock:
      return "packets are left and nothing will move any more; run with --trace and look at the last step with "
             "`starloom show`";
    case Outcome::livelock: return "packets move but none is delivered; raise limits.quiet if that is to be expected";
    case Outcome::step_limit: return "the run was stopped by limits.steps; raise it to see the end";
    case Outcome::violation: break;
    case Outcome::interrupted: return "stopped from outside; the outputs hold what happened until then";
  }
  return "";
}

/// The referee's sentences say when and where, the engine's begin with what the node did.
std::string violation_text(const Violation& violation, const Setup& setup) {
  const bool complete = violation.text.rfind("step ", 0) == 0 || violation.text.rfind("slot ", 0) == 0;
  if (complete || violation.node == no_node) return violation.text;
  return fmt::format("step {}, {}: {}", violation.step, setup.network->graph.node_name(violation.node), violation.text);
}

}  // namespace

std::string network_text(const Setup& setup) {
  if (setup.star != nullptr)
    return fmt::format("POPS({},{})", setup.star->pops().group_size(), setup.star->pops().groups());
  return setup.network->title;
}

std::string run_title(const Experiment& experiment, const Setup& setup) {
  return fmt::format("{} on {}, {}, seed {}", experiment.algorithm->name, network_text(setup), experiment.pattern->name,
                     experiment.seed);
}

std::string summary_text(const Experiment& experiment, const Setup& setup, const SimulationResult& run,
                         const nlohmann::ordered_json& result, const std::filesystem::path& folder) {
  const std::string_view word = clock_word(setup);
  const Json& packets = result["packets"];
  const auto steps = result["steps"].get<Step>();
  // With optics a slot is as long as its messages; acknowledgements are short.
  const double clock_ns = setup.optics ? 0 : experiment.units.clock_ns;
  std::string text = fmt::format("{}: {}\n", run_title(experiment, setup), result["outcome"].get<std::string>());
  text += line("makespan", span(steps, word, clock_ns));
  if (run.star) text += line("schedule", schedule_text(result["schedule"]));
  text += line("packets", fmt::format("{} of {} delivered{}", packets["delivered"].get<std::int64_t>(),
                                      packets["total"].get<std::int64_t>(),
                                      setup.traffic->phases() ? " (of the measurement phase)" : ""));
  const Json& distance = result["distance"];
  if (!distance.is_null() && !distance["mean"].is_null())
    text += line("distance",
                 fmt::format("mean {}, max {}", mean_text(distance["mean"]), distance["max"].get<std::int64_t>()));
  text += line("latency", latency_text(result["latency"], word, clock_ns));
  text += line("throughput",
               throughput_text(run.record, steps, word, setup.processors.count, clock_ns, experiment.units.flit_bytes));
  if (run.star) {
    text += line("couplers", couplers_text(result["links"]));
    if (setup.optics)
      text += line("optics", fmt::format("all slots take {:.10g} ns", result["optics"]["time_ns"].get<double>()));
  } else {
    text += line("queue", queue_text(result["queue"], setup.network->graph));
    text += line("busiest link", busiest_link(run.record, setup.network->graph));
  }
  const std::string remark = run.star ? setup.star->remark() : setup.algorithm->remark();
  if (!remark.empty()) text += line("remark", remark);
  if (!result["bounds"].empty()) text += line("bounds", bounds_text(result["bounds"]));
  for (const auto& [name, value] : result["algorithm"].items()) text += line(name, value.dump());
  text += line("files", folder.string());
  return text;
}

std::vector<std::string> outcome_notes(const Experiment& experiment, const Setup& setup, const SimulationResult& run) {
  if (run.outcome == Outcome::completed) return {};
  const bool blocked =
      run.outcome == Outcome::livelock && experiment.coupler_faults.any() && !experiment.routing.boolean("shift");
  const std::string text = run.outcome == Outcome::violation ? violation_text(run.violation, setup)
                           : blocked ? "packets wait for couplers that are dead; set routing.shift: true"
                                     : advice(run.outcome);
  std::vector<std::string> notes = {
      fmt::format("{}: {}: {}", experiment.file.string(), outcome_names[static_cast<std::size_t>(run.outcome)], text)};
  if (run.outcome == Outcome::violation && run.star)
    notes.push_back(
        fmt::format("  to look at it: run with --trace; the rows of slot {} of trace.csv", run.violation.step));
  else if (run.outcome == Outcome::violation && run.violation.step != no_step)
    notes.push_back(
        fmt::format("  to look at it: run with --trace, then `starloom show DIR --step {}`", run.violation.step));
  // A saturated network is a result like another: that packets wait is what was asked for.
  const std::size_t first =
      run.outcome == Outcome::saturated && !run.explanation.empty() ? run.explanation.size() - 1 : 0;
  for (std::size_t i = first; i < run.explanation.size(); ++i) notes.push_back("  " + run.explanation[i]);
  return notes;
}

}  // namespace starloom
