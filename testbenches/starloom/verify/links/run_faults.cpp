// SPDX-License-Identifier: Apache-2.0
#include <starloom/verify/links/run_faults.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <starloom/core/most_steps.hpp>
#include <starloom/schema/config_error.hpp>
#include <starloom/topology/fault_keys.hpp>
#include <starloom/trace_io/links/faults_csv.hpp>

namespace starloom::links {
namespace {

const std::string faults_path = "experiment.faults.";

Step step_or(const ResultDocument& result, const std::string& path, Step otherwise) {
  return result.find(path) != nullptr ? result.integer(path) : otherwise;
}

DeadItem read_item(const ResultDocument& result, const std::string& path) {
  using Kind = DeadItem::Kind;
  if (result.at(path).is_string()) return {Kind::named, result.text(path)};
  if (result.find(path + ".channel") != nullptr) {
    DeadItem item{Kind::channel, result.text(path + ".of"), result.small(path + ".channel", 0)};
    if (result.find(path + ".places") == nullptr) return item;
    item.kind = Kind::places;
    item.places = result.small(path + ".places", 0);
    return item;
  }
  for (const auto& [key, kind] : {std::pair("cable", Kind::cable), std::pair("link", Kind::link),
                                  std::pair("router", Kind::router), std::pair("processor", Kind::processor)})
    if (result.find(path + "." + key) != nullptr)
      return {kind, result.text(path + "." + key),    0,
              0,    step_or(result, path + ".at", 0), step_or(result, path + ".until", no_step)};
  result.fail(path, "does not name dead hardware");
}

/// Ordered pairs of living processors without a path over living links.
std::int64_t disconnected_pairs(const Faults& faults, const NetworkGraph& left) {
  std::int64_t pairs = 0;
  for (NodeId one = 0; one < left.processors(); ++one)
    for (NodeId other = 0; other < left.processors(); ++other) {
      const NodeId source = left.processor(one), destination = left.processor(other);
      if (!faults.processor_is_dead(source) && !faults.processor_is_dead(destination))
        pairs += left.distance(source, destination) < 0 ? 1 : 0;
    }
  return pairs;
}

}  // namespace

std::optional<FaultTimeline> faults_of_run(const ResultDocument& result, const NetworkGraph& graph, int channels) {
  if (!result.given("experiment.faults")) return std::nullopt;
  FaultKeys keys;
  const nlohmann::ordered_json& list = result.at(faults_path + "dead");
  if (!list.is_array()) result.fail(faults_path + "dead", "is not a list");
  for (std::size_t i = 0; i < list.size(); ++i)
    keys.dead.push_back(read_item(result, faults_path + "dead." + std::to_string(i)));
  const auto number = [&](const char* key) -> std::optional<std::int64_t> {
    const std::string path = faults_path + "random." + key;
    return result.given(path) ? std::optional(result.integer(path)) : std::nullopt;
  };
  const auto rate = [&](const char* key) -> std::optional<double> {
    const std::string path = faults_path + "random." + key;
    return result.given(path) ? std::optional(result.number(path)) : std::nullopt;
  };
  keys.cables = number("cables");
  keys.routers = number("routers");
  keys.cable_rate = rate("cable_rate");
  keys.router_rate = rate("router_rate");
  if (result.given(faults_path + "random")) {
    keys.at = step_or(result, faults_path + "random.at", 0);
    keys.until = step_or(result, faults_path + "random.until", no_step);
  }
  keys.seed = static_cast<std::uint64_t>(result.integer(faults_path + "seed"));
  if (result.given(faults_path + "lifetime")) {
    const std::string cables = faults_path + "lifetime.cables.";
    constexpr std::int64_t longest_mean = std::int64_t{1} << 32;
    keys.lifetimes =
        Lifetimes{result.integer(cables + "mtbf", 1, longest_mean), result.integer(cables + "mttr", 1, longest_mean)};
  }
  try {
    FaultTimeline timeline = faults_of(graph, keys, channels, *keys.seed);
    if (!timeline.is_known())
      make_known(timeline, read_faults(std::filesystem::path(result.name()).parent_path() / "faults.csv"));
    return timeline;
  } catch (const ConfigError& error) {
    const ConfigError::Diagnostic& first = error.diagnostics().front();
    result.fail(first.key.empty() ? "experiment.faults" : faults_path + first.key, first.text);
  }
}

std::shared_ptr<const LinkErrors> errors_of_run(const ResultDocument& result, const NetworkGraph& graph) {
  const std::string path = faults_path + "errors";
  if (!result.given("experiment.faults") || !result.given(path)) return nullptr;
  ErrorKeys keys;
  keys.recovery = static_cast<LinkErrors::Recovery>(result.choice(path + ".recovery", recovery_names, "a recovery"));
  const auto rate = [&](const std::string& key) -> std::optional<double> {
    return result.given(path + key) ? std::optional(result.number(path + key)) : std::nullopt;
  };
  keys.flit = rate(".flit");
  keys.bit = rate(".bit");
  if (keys.recovery == LinkErrors::Recovery::end_to_end) {
    keys.repetition.timeout = result.integer(path + ".timeout", 1, most_steps);
    keys.repetition.attempts = result.small(path + ".attempts", 1);
  }
  if (result.given(path + ".replay")) keys.replay = result.small(path + ".replay", 1);
  const nlohmann::ordered_json& list = result.at(path + ".at");
  if (!list.is_array()) result.fail(path + ".at", "is not a list");
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string entry = path + ".at." + std::to_string(i);
    keys.at.push_back({result.text(entry + ".link"), result.integer(entry + ".step")});
  }
  try {
    return std::make_shared<const LinkErrors>(
        errors_of(graph, keys, result.integer("experiment.units.flit_bytes", 1, 1 << 20),
                  static_cast<std::uint64_t>(result.integer(faults_path + "seed"))));
  } catch (const ConfigError& error) {
    const ConfigError::Diagnostic& first = error.diagnostics().front();
    result.fail(faults_path + first.key, first.text);
  }
}

std::optional<RerouteRules> reroute_rules_of_run(const ResultDocument& result) {
  RerouteRules rules;
  const std::string path = faults_path + "reroute.";
  if (!result.given("experiment.faults") || !result.given(faults_path + "reroute")) return rules;
  if (result.at(path + "after").is_string()) {
    constexpr std::string_view words[] = {"flood", "never"};
    if (result.choice(path + "after", words, "a time") == 1) return std::nullopt;
    rules.floods = true;
  } else {
    rules.after = result.integer(path + "after");
  }
  rules.transition = static_cast<Transition>(result.choice(path + "transition", transition_names, "a transition"));
  return rules;
}

void compare_faults(Comparison& comparison, const ResultDocument& result, Referee& referee, FaultTimeline timeline,
                    Step last, const PacketTable& packets, const std::filesystem::path& folder) {
  const Faults& faults = timeline.start();
  const NetworkGraph left = faults.left();
  const std::int32_t parts = parts_of(faults, left).count;
  comparison.expect("faults.cables", faults.cables());
  comparison.expect("faults.links", faults.links());
  comparison.expect("faults.routers", faults.routers());
  comparison.expect("faults.parts", parts);
  comparison.expect_boolean("faults.connected", parts == 1);
  const std::int64_t disconnected = disconnected_pairs(faults, left);
  comparison.require(result.integer("faults.unreachable_pairs") >= disconnected,
                     "in result.json fewer pairs are unreachable than the " + std::to_string(disconnected) +
                         " that the faults disconnect");
  std::vector<std::int64_t> lost(std::size(loss_cause_names), 0);
  if (packets.lost)
    for (const auto& [packet, loss] : *packets.lost) {
      ++lost[static_cast<std::size_t>(loss.cause)];
      last = std::max(last, loss.at);
    }
  for (std::size_t cause = 0; cause < lost.size(); ++cause) {
    const std::string path = "faults.lost." + std::string(loss_cause_names[cause]);
    if (lost[cause] > 0) comparison.expect(path, lost[cause]);
    else
      comparison.require(result.find(path) == nullptr,
                         "in result.json packets are lost by " + path.substr(12) + ", but in packets.csv none is");
  }
  const bool any = std::any_of(lost.begin(), lost.end(), [](std::int64_t count) { return count > 0; });
  const bool counts = result.text(faults_path + "losses") == "count";
  comparison.require(result.outcome() != Outcome::completed || !any || counts,
                     "in result.json the run is completed, but it has lost packets, and losses is not count");
  const std::vector<FaultRow> rows = read_faults(folder / "faults.csv");
  if (!rows.empty()) last = std::max(last, rows.back().step);
  timeline.find(timeline.events().size(), last);
  const auto [drains, reroutes] = referee.changes(last);
  const std::vector<FaultRow> expected = fault_rows(faults, timeline.events(), drains, reroutes, last);
  comparison.require(rows == expected,
                     "faults.csv does not have the dead and repaired hardware of the keys of the experiment, or other "
                     "steps of changes than the trace");
  comparison.expect("faults.events", std::count_if(expected.begin(), expected.end(), [](const FaultRow& row) {
                      return row.step > 0 && row.is_of_hardware();
                    }));
  comparison.require(result.at("faults.changes") == nlohmann::ordered_json(reroutes),
                     "in result.json, faults.changes are other steps than those of the trace");
}

}  // namespace starloom::links
