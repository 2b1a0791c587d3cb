// SPDX-License-Identifier: Apache-2.0
#include <starloom/run/links/fault_setup.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include <starloom/schema/config_error.hpp>
#include <starloom/support/numbers.hpp>
#include <starloom/topology/fault_keys.hpp>

namespace starloom::links {
namespace {

/// A buffer keeps at least one place.
void refuse_dead_places(const Experiment& experiment, const Faults& faults, const Declaration& declared,
                        Diagnostics& diagnostics) {
  const auto refuse = [&](const std::string& text) {
    diagnostics.add(experiment.location("faults.dead"), "faults.dead: " + text);
  };
  const NetworkGraph& graph = faults.graph();
  for (const auto& [buffer, dead] : faults.dead_places()) {
    const auto& [node, port, channel] = buffer;
    const std::int32_t places = declared.capacity_at(graph.far_end(node, port).node);
    if (dead >= places)
      refuse(fmt::format("the buffer behind channel {} of {} has {}, so that at most {} can be dead, not {}", channel,
                         graph.link_name(node, port), counted(places, "place"), places - 1, dead));
  }
  if (!faults.dead_places().empty() &&
      (declared.shared.is_shared() || declared.flow.rule != router::FlowRule::wormhole))
    refuse("dead places need buffers of their own for each channel, and flow: wormhole; leave them out");
}

bool any_terminal(const NetworkGraph& graph) {
  for (NodeId node = 0; node < graph.nodes(); ++node)
    if (graph.is_terminal(node)) return true;
  return false;
}

bool any_function_decides(const Algorithm& algorithm) {
  for (int number = 0; number < algorithm.class_count(); ++number)
    if (const auto* const function = algorithm.routing_function(number); function != nullptr && function->decides())
      return true;
  return false;
}

/// True if a processor would wait forever for the reply to a lost request.
bool any_limit_of_requests(const Declaration& declared) {
  const std::vector<std::optional<ReplyRules>> replies = declared.replies_by_class();
  return std::any_of(replies.begin(), replies.end(),
                     [](const auto& rules) { return rules && (rules->places > 0 || rules->queue > 0); });
}
constexpr const char* limit_of_requests = "processors that accept a limited number of requests";

/// The key because of which hardware cannot die during the run; empty: it can.
std::string obstacle_to_deaths(const Experiment& experiment, const NetworkGraph& graph, const Algorithm& algorithm) {
  const Declaration& declared = algorithm.declaration();
  if (declared.storage != StorageModel::virtual_channels) return "";
  const router::Pipelines& pipelines = declared.pipelines;
  if (any_function_decides(algorithm)) return "functions that decide by the load of the router";
  if (graph.has_clocks()) return "network.clocks, synchroniser or fifo of network.links";
  if (!experiment.regions.empty()) return "network.regions";
  if (any_terminal(graph)) return "processors without a router of their own";
  if (declared.shared.is_shared()) return "buffers that channels share";
  if (pipelines.common.speedup.any()) return "routing.speedup";
  if (!pipelines.allocate_in_a_step()) return "allocations that take several steps (routing.stages)";
  if (any_limit_of_requests(declared)) return limit_of_requests;
  return "";
}

/// What `make` makes of the keys; empty if they have errors, which are added to `diagnostics`.
template <class Make>
auto made_of_faults(const Experiment& experiment, const Make& make, Diagnostics& diagnostics)
    -> std::optional<decltype(make())> {
  try {
    return make();
  } catch (const ConfigError& error) {
    for (const auto& [key, text] : error.diagnostics()) {
      const std::string path = key.empty() ? "faults" : "faults." + key;
      diagnostics.add(experiment.location(path), fmt::format("{}: {}", path, text));
    }
    return std::nullopt;
  }
}

/// The key because of which links cannot repeat flits; empty: they can.
std::string obstacle_to_retry(const NetworkGraph& graph, const Algorithm& algorithm) {
  const router::Pipelines& pipelines = algorithm.declaration().pipelines;
  if (graph.has_clocks()) return "network.clocks, synchroniser or fifo of network.links";
  if (graph.greatest_interval() > 1) return "links that take a flit in every second step or less often";
  if (pipelines.common.speedup.has_fifo()) return "output, internal and fifo of routing.speedup";
  if (!pipelines.allocate_in_a_step()) return "allocations that take several steps (routing.stages)";
  return "";
}

/// The keys because of which processors cannot send packets again; empty: they can.
std::string obstacle_to_attempts(const Algorithm& algorithm, const Traffic* traffic) {
  const Declaration& declared = algorithm.declaration();
  const std::vector<std::optional<ReplyRules>> replies = declared.replies_by_class();
  const bool to_classes = std::any_of(replies.begin(), replies.end(), [](const auto& rules) { return bool(rules); });
  if (to_classes || (traffic != nullptr && traffic->replies())) return "packets that get replies";
  if (traffic != nullptr && traffic->tasks() != nullptr) return "packets of tasks";
  return "";
}

void refuse_errors(const Experiment& experiment, const NetworkGraph& graph, const Algorithm& algorithm,
                   const Traffic* traffic, Diagnostics& diagnostics) {
  const LinkErrors::Recovery recovery = experiment.link_faults->keys.errors->recovery;
  const auto refuse = [&](const char* what, const std::string& obstacle) {
    if (!obstacle.empty())
      diagnostics.add(experiment.location("faults.errors"),
                      fmt::format("faults.errors: {} exclude {}; leave one of the two out", what, obstacle));
  };
  if (recovery == LinkErrors::Recovery::retry)
    return refuse("links that repeat flits", obstacle_to_retry(graph, algorithm));
  if (any_limit_of_requests(algorithm.declaration())) return refuse("packets that are lost", limit_of_requests);
  if (recovery == LinkErrors::Recovery::end_to_end)
    refuse("packets that are sent again", obstacle_to_attempts(algorithm, traffic));
}

/// Packets that wait for others cannot go on if these are lost.
void refuse_waiting_traffic(const Experiment& experiment, const Traffic* traffic, Diagnostics& diagnostics) {
  const LinkFaults& faults = *experiment.link_faults;
  const bool corrupt = faults.keys.errors && faults.keys.errors->recovery != LinkErrors::Recovery::retry;
  if (traffic == nullptr || (!corrupt && !faults.change_hardware())) return;
  if (traffic->closed_loop() == nullptr && traffic->transactions() == nullptr && traffic->ideal_workload() == nullptr)
    return;
  diagnostics.add(
      experiment.location("traffic.pattern"),
      fmt::format("traffic: packets of {} wait for others, which would wait forever for one that is lost {}",
                  experiment.pattern->name,
                  corrupt
                      ? "because it is corrupt; choose another pattern, or faults.errors.recovery: retry"
                      : "when hardware dies; choose another pattern, or leave at, until and lifetime out of faults"));
}

}  // namespace

std::optional<FaultTimeline> faults_of(const Experiment& experiment, const NetworkGraph& graph,
                                       Diagnostics& diagnostics) {
  if (!experiment.link_faults) return std::nullopt;
  const AlgorithmEntry& entry = *experiment.algorithm;
  for (const DeadItem& item : experiment.link_faults->keys.dead)
    if ((item.kind == DeadItem::Kind::channel || item.kind == DeadItem::Kind::places) && !entry.divides_channels) {
      diagnostics.add(
          experiment.location("faults.dead"),
          fmt::format("faults.dead: {} has no virtual channels; use vc-wormhole, or name a link", entry.name));
      return std::nullopt;
    }
  std::int64_t channels = 1;
  if (entry.divides_channels) {
    channels = experiment.routing.integer("channels");
    for (const router::Region& region : experiment.regions)
      channels = std::max<std::int64_t>(channels, region.channels.value_or(1));
  }
  const FaultKeys& keys = experiment.link_faults->keys;
  return made_of_faults(
      experiment, [&] { return starloom::faults_of(graph, keys, static_cast<int>(channels), experiment.seed); },
      diagnostics);
}

std::optional<LinkErrors> errors_of(const Experiment& experiment, const NetworkGraph& graph, Diagnostics& diagnostics) {
  if (!experiment.link_faults || !experiment.link_faults->keys.errors) return std::nullopt;
  const FaultKeys& keys = experiment.link_faults->keys;
  return made_of_faults(
      experiment,
      [&] {
        return starloom::errors_of(graph, *keys.errors, experiment.units.flit_bytes,
                                   keys.seed.value_or(experiment.seed));
      },
      diagnostics);
}

void refuse_faults(const Experiment& experiment, const FaultTimeline& faults, const Algorithm& algorithm,
                   const Traffic* traffic, Diagnostics& diagnostics) {
  refuse_dead_places(experiment, faults.start(), algorithm.declaration(), diagnostics);
  if (experiment.link_faults->keys.errors)
    refuse_errors(experiment, faults.start().graph(), algorithm, traffic, diagnostics);
  refuse_waiting_traffic(experiment, traffic, diagnostics);
  if (!experiment.link_faults->change_hardware()) return;
  if (const std::string obstacle = obstacle_to_deaths(experiment, faults.start().graph(), algorithm); !obstacle.empty())
    diagnostics.add(experiment.location("faults"),
                    fmt::format("faults: hardware that dies or is repaired during the run excludes {}; leave one of "
                                "the two out",
                                obstacle));
}

}  // namespace starloom::links
