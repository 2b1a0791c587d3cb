// SPDX-License-Identifier: Apache-2.0
#include <starloom/run/links/needed_paths.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include <starloom/run/links/offered_load.hpp>
#include <starloom/run/traffic_setup.hpp>
#include <starloom/support/names.hpp>
#include <starloom/support/numbers.hpp>
#include <starloom/traffic/closed_loop/closed_loop.hpp>
#include <starloom/traffic/workloads/critical_path.hpp>

namespace starloom::links {
namespace {

/// A diagnostic names at most this number of pairs.
constexpr std::size_t most_named = 3;

/// Pairs of a source and another destination, each once.
class NeededPairs {
 public:
  NeededPairs(const NetworkGraph& graph, const routing::PairsWithoutPath& without_path)
      : graph_(graph),
        without_path_(without_path),
        seen_(static_cast<std::size_t>(graph.processors()) * static_cast<std::size_t>(graph.processors()), false) {}

  void add(NodeId source, NodeId destination) {
    if (source == destination) return;
    const std::size_t pair =
        static_cast<std::size_t>(graph_.processor_of(source)) * static_cast<std::size_t>(graph_.processors()) +
        static_cast<std::size_t>(graph_.processor_of(destination));
    if (seen_[pair]) return;
    seen_[pair] = true;
    ++count_;
    if (without_path_.contains(source, destination)) missing_.push_back({source, destination});
  }
  void add_both_ways(NodeId one, NodeId other) {
    add(one, other);
    add(other, one);
  }
  void add_all() {
    for (NodeId source = 0; source < graph_.processors(); ++source)
      for (NodeId destination = 0; destination < graph_.processors(); ++destination)
        add(graph_.processor(source), graph_.processor(destination));
  }

  /// `no path from a to b and c to d, needed by 2 pairs of the traffic (of 9); ...`; empty: all pairs have a path.
  /// \param faults it is because of faults
  std::string fault(bool faults) const {
    if (missing_.empty()) return "";
    std::vector<std::string> named;
    for (std::size_t i = 0; i < std::min(most_named, missing_.size()); ++i)
      named.push_back(graph_.node_name(missing_[i].source) + " to " + graph_.node_name(missing_[i].destination));
    if (missing_.size() > most_named) named.push_back(fmt::format("{} more", missing_.size() - most_named));
    if (faults)
      return fmt::format(
          "the faults leave no path from {}, needed by {} of the traffic (of {}), whose packets wait for "
          "others; leave some faults out, or choose another routing.function",
          joined_with_and(named), counted(static_cast<std::int64_t>(missing_.size()), "pair"), count_);
    return fmt::format("no path from {}, needed by {} of the traffic (of {}); {}", joined_with_and(named),
                       counted(static_cast<std::int64_t>(missing_.size()), "pair"), count_,
                       without_path_.remedy(missing_.front().source, missing_.front().destination));
  }

 private:
  const NetworkGraph& graph_;
  const routing::PairsWithoutPath& without_path_;
  std::vector<bool> seen_;  ///< [source, destination], numbers of processors
  std::int64_t count_ = 0;
  std::vector<PacketEnds> missing_;  ///< in the order of the traffic
};

void add_closed_loop(const ClosedLoop& loop, NeededPairs& pairs) {
  for (std::size_t client = 0; client < loop.clients.size(); ++client)
    for (std::size_t server = 0; server < loop.servers.size(); ++server)
      if (loop.destination != ClosedLoop::Choice::nearest || loop.first_server[client] == server)
        pairs.add_both_ways(loop.clients[client], loop.servers[server]);
}

/// The packets of open loops. \return the name of a pattern that sends between all pairs; empty: none does.
std::string add_streams(const Experiment& experiment, const Traffic& traffic, NeededPairs& pairs) {
  for (const OfferedStream& stream : offered_streams(experiment, traffic)) {
    if (stream.uniform_share > 0) {
      pairs.add_all();
      const auto number = static_cast<std::size_t>(stream.traffic_class);
      return (experiment.classes.empty() ? experiment.pattern : experiment.classes[number].pattern)->name;
    }
    for (const PairRate& pair : stream.pairs) pairs.add(pair.source, pair.destination);
  }
  return "";
}

void add_packets(const Experiment& experiment, const std::vector<Packet>& packets, NeededPairs& pairs) {
  for (const Packet& packet : packets) {
    pairs.add(packet.source, packet.destination);
    if (!experiment.classes.empty() && experiment.classes[packet.traffic_class].facts.reply)
      pairs.add(packet.destination, packet.source);
  }
}

}  // namespace

void require_needed_paths(const Experiment& experiment, const LinkNetwork& network, const Algorithm& algorithm,
                          const Traffic& traffic, const std::vector<Packet>* transactions, Diagnostics& diagnostics) {
  const routing::PairsWithoutPath* const without_path = algorithm.without_path();
  if (without_path == nullptr) return;
  const bool waits = traffic.closed_loop() != nullptr || transactions != nullptr || traffic.ideal_workload() != nullptr;
  const bool faults = experiment.link_faults.has_value();
  if (faults && !waits) return;
  NeededPairs pairs(network.graph, *without_path);
  std::string of_all;
  if (const ClosedLoop* const loop = traffic.closed_loop()) {
    add_closed_loop(*loop, pairs);
  } else if (transactions != nullptr) {
    add_packets(experiment, *transactions, pairs);
  } else if (const auto workload = traffic.ideal_workload()) {
    critical_path(
        *workload, [](const Item& /*message*/) { return Step{1}; },
        [&pairs](const Item& message, Step, Step) { pairs.add(message.source, message.destination); });
  } else if (traffic.phases()) {
    of_all = add_streams(experiment, traffic, pairs);
  } else {
    const auto once = make_traffic(*experiment.pattern, traffic_context(experiment, processors_of(network), false),
                                   experiment.traffic);
    std::vector<Packet> packets;
    if (const auto end = once->end()) once->generate(0, *end, packets);
    add_packets(experiment, packets, pairs);
  }
  const std::string fault = pairs.fault(faults);
  if (fault.empty()) return;
  diagnostics.add(experiment.location("traffic.pattern"),
                  fmt::format("traffic: {}{}", fault,
                              of_all.empty() ? "" : fmt::format("; {} sends packets between all pairs", of_all)));
}

}  // namespace starloom::links
