// SPDX-License-Identifier: Apache-2.0
#include <starloom/run/links/fault_results.hpp>

#include <fmt/format.h>

#include <optional>

#include <starloom/analysis/links/channel_dependencies.hpp>
#include <starloom/run/links/offered_load.hpp>
#include <starloom/support/names.hpp>
#include <starloom/support/numbers.hpp>
#include <starloom/trace_io/links/faults_csv.hpp>

namespace starloom::links {
namespace {

/// Ordered pairs of living processors without a path.
std::int64_t unreachable_pairs(const Unreachable& unreachable) {
  if (unreachable.without_path() == nullptr) return 0;
  // Pairs with a dead processor have none either.
  const std::int64_t all = unreachable.left().processors(), living = unreachable.faults().processors();
  return unreachable.without_path()->count() - (all * (all - 1) - living * (living - 1));
}

/// Empty if it is not known.
std::optional<bool> is_acyclic(const NetworkGraph& graph, const Algorithm& algorithm) {
  const Declaration& declared = algorithm.declaration();
  if (declared.storage == StorageModel::store_and_forward || declared.flow.rule == router::FlowRule::bubble)
    return true;
  if (graph.nodes() > most_nodes_for_pairs) return std::nullopt;
  const auto found = channel_dependencies(graph, algorithm);
  if (!found || found->too_many_paths) return std::nullopt;
  return found->acyclic();
}

}  // namespace

void add_faults(RunReport& report, const Unreachable& unreachable, const Algorithm& algorithm,
                const RunRecord& record) {
  const Faults& faults = unreachable.faults();
  const std::int32_t parts = parts_of(faults, unreachable.left()).count;
  MetricValues& values = report.metrics;
  values["faults.cables"] = faults.cables();
  values["faults.links"] = faults.links();
  values["faults.routers"] = faults.routers();
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
  report.lines.push_back({"lost", named.empty() ? "no packet" : "packets: " + joined_with_and(named)});
  report.files.push_back(
      {"faults.csv", [rows = fault_rows(faults)](const std::filesystem::path& file) { write_faults(file, rows); }});
}

}  // namespace starloom::links
