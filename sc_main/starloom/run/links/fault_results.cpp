// SPDX-License-Identifier: Apache-2.0
#include <starloom/run/links/fault_results.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

#include <starloom/run/links/fault_verdict.hpp>
#include <starloom/support/names.hpp>
#include <starloom/support/numbers.hpp>
#include <starloom/trace_io/links/faults_csv.hpp>

namespace starloom::links {

void add_faults(RunReport& report, const Unreachable& unreachable, const LinkErrors* link_errors,
                const Algorithm& algorithm, const SimulationResult& result) {
  const RunRecord& record = result.record;
  const Faults& faults = unreachable.faults();
  const std::int32_t parts = parts_of(faults, unreachable.left()).count;
  MetricValues& values = report.metrics;
  values["faults.cables"] = faults.cables();
  values["faults.links"] = faults.links();
  values["faults.routers"] = faults.routers();
  const FaultTimeline* const timeline = unreachable.timeline();
  const std::vector<FaultRow> rows =
      fault_rows(faults, timeline == nullptr ? std::vector<FaultEvent>() : timeline->events(), record.drains,
                 record.reroutes, record.steps_run - 1);
  const auto later =
      std::count_if(rows.begin(), rows.end(), [](const FaultRow& row) { return row.step > 0 && row.is_of_hardware(); });
  values["faults.events"] = static_cast<std::int64_t>(later);
  values["faults.changes"] = record.reroutes;
  values["faults.parts"] = parts;
  values["faults.connected"] = parts == 1;
  values["faults.unreachable_pairs"] = unreachable_pairs(unreachable);
  if (const auto acyclic = is_acyclic(faults.graph(), algorithm)) values["faults.acyclic"] = *acyclic;
  nlohmann::ordered_json lost = nlohmann::ordered_json::object();
  std::vector<std::string> named;
  for (std::size_t cause = 0; cause < record.lost_by_cause.size(); ++cause) {
    if (record.lost_by_cause[cause] == 0) continue;
    lost[std::string(loss_cause_names[cause])] = record.lost_by_cause[cause];
    named.push_back(fmt::format("{} {}", record.lost_by_cause[cause], loss_cause_names[cause]));
  }
  values["faults.lost"] = std::move(lost);
  values["faults.flits_dropped"] = record.flits_dropped;
  if (link_errors != nullptr) {
    const ErrorCounts& errors = record.errors;
    values["faults.corrupt"] = errors.corrupt;
    values["faults.nacks"] = errors.nacks;
    values["faults.resends"] = errors.resends;
    values["faults.discards"] = errors.discards;
    std::string found = counted(errors.corrupt, "crossing") + " corrupt";
    if (result.of_attempts) {
      values["faults.duplicates"] = record.duplicates;
      found += fmt::format(", {} sent again, {}",
                           counted(static_cast<std::int64_t>(result.of_attempts->attempts.firsts().size()), "packet"),
                           counted(record.duplicates, "duplicate"));
    }
    if (repeats_flits(link_errors)) found += fmt::format(", {} sent again", counted(errors.resends, "flit"));
    report.lines.push_back({"errors", std::move(found)});
  }
  report.lines.push_back({"lost", named.empty() ? "no packet" : "packets: " + joined_with_and(named)});
  report.files.push_back({"faults.csv", [rows](const std::filesystem::path& file) { write_faults(file, rows); }});
}

void add_dead_hardware(Captions& captions, const Faults& start, const std::vector<FaultEvent>& events, Step last) {
  const NetworkGraph& graph = start.graph();
  std::map<std::pair<NodeId, Port>, std::vector<std::string>> steps;
  for (const DeadTime& time : dead_times(start, events)) {
    if (time.from > last || time.port == graph.ports()) continue;
    const bool ends = time.until != no_step && time.until <= last;
    steps[{time.node, time.port}].push_back(!ends && time.from == 0 ? ""
                                            : !ends                 ? fmt::format("from step {} on", time.from)
                                                    : fmt::format("in steps {} to {}", time.from, time.until - 1));
  }
  for (const auto& [place, times] : steps) {
    const auto& [node, port] = place;
    const bool always = times.front().empty();
    const std::string text = always ? Captions::throughout : fmt::format("dead {}", fmt::join(times, ", "));
    if (port == no_port) captions.dead_routers[node] = text;
    else captions.dead_links[graph.index(node, port)] = text;
  }
}

}  // namespace starloom::links
