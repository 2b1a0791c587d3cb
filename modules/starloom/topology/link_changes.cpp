// SPDX-License-Identifier: Apache-2.0
#include <starloom/topology/link_changes.hpp>

#include <charconv>

#include <starloom/schema/config_error.hpp>
#include <starloom/topology/instance_glob.hpp>
#include <starloom/topology/network_graph_builder.hpp>

namespace starloom {
namespace {

template <class Visit>
void each_link(const NetworkGraph& graph, const Visit& visit) {
  for (NodeId node = 0; node < graph.nodes(); ++node)
    for (const Port port : graph.out_ports(node)) visit(LinkEnd{node, port});
}

std::string no_link_text(const NetworkGraph& graph, const std::string& glob) {
  std::vector<std::string> names;
  each_link(graph, [&](LinkEnd from) { names.push_back(graph.link_name(from.node, from.port)); });
  return no_match_text(glob, {names}, names.empty() ? "the network has no links" : "a link is " + names.front());
}

}  // namespace

std::optional<std::int32_t> phits_of_width(const std::string& width) {
  if (width == "1") return 1;
  if (width.rfind("1/", 0) != 0) return std::nullopt;
  std::int32_t phits = 0;
  const char* const end = width.data() + width.size();
  const auto [rest, error] = std::from_chars(width.data() + 2, end, phits);
  if (error != std::errc{} || rest != end || phits < 1 || phits > most_phits) return std::nullopt;
  return phits;
}

std::string width_of_phits(std::int32_t phits) { return phits == 1 ? "1" : "1/" + std::to_string(phits); }

std::int64_t matching_links(const NetworkGraph& graph, const std::string& links) {
  std::int64_t count = 0;
  each_link(graph, [&](LinkEnd from) { count += glob_matches(links, graph.link_name(from.node, from.port)) ? 1 : 0; });
  return count;
}

LinkNetwork with_link_changes(LinkNetwork network, const std::vector<LinkChange>& changes) {
  if (changes.empty()) return network;
  const NetworkGraph& graph = network.graph;
  NetworkGraphBuilder builder(graph);
  std::vector<bool> matched(changes.size(), false);
  each_link(graph, [&](LinkEnd from) {
    const std::string name = graph.link_name(from.node, from.port);
    std::int32_t latency = graph.wire_latency(from.node, from.port), phits = graph.phits(from.node, from.port),
                 interval = graph.interval(from.node, from.port);
    std::optional<CrossingKeys> crossing;
    for (std::size_t i = 0; i < changes.size(); ++i) {
      const LinkChange& change = changes[i];
      if (!glob_matches(change.links, name)) continue;
      matched[i] = true;
      latency = change.latency.value_or(latency);
      phits = change.phits.value_or(phits);
      interval = change.interval.value_or(interval);
      if (!change.synchroniser && !change.fifo) continue;
      if (!crossing) crossing.emplace();
      if (change.synchroniser) crossing->synchroniser = change.synchroniser;
      crossing->fifo = change.fifo.value_or(crossing->fifo);
    }
    if (crossing) builder.set_crossing(from, *crossing);
    builder.set_timing(from, LinkTiming::narrow(latency, phits, interval));
  });
  std::vector<ConfigError::Diagnostic> unmatched;
  for (std::size_t i = 0; i < changes.size(); ++i)
    if (!matched[i]) unmatched.push_back({"links." + std::to_string(i), no_link_text(graph, changes[i].links)});
  if (!unmatched.empty()) throw ConfigError(std::move(unmatched));
  network.graph = builder.build();
  return network;
}

}  // namespace starloom
