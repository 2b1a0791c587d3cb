// SPDX-License-Identifier: Apache-2.0
#include <starloom/run/links/zero_load_text.hpp>

#include <fmt/format.h>

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <starloom/control/links/paths.hpp>
#include <starloom/control/links/zero_load.hpp>

namespace starloom::links {
namespace {

/// Longer packets are not followed flit by flit.
constexpr std::int32_t most_flits_followed = 1'000'000;

/// The mean latency of all packets, including replies; nullopt if paths are not fixed, or too long in total.
std::optional<double> mean_over_pairs(const NetworkGraph& graph, const Algorithm& algorithm, const OfferedLoad& load,
                                      const ZeroLoad& zero_load) {
  const PacketLengths& lengths = load.streams().front().lengths;
  const auto traffic_class = static_cast<std::uint8_t>(load.streams().front().traffic_class);
  const std::int32_t reply_flits = load.streams().size() > 1 ? load.streams()[1].lengths.longest() : 0;
  const double uniform = load.uniform_share();
  const double pairs = static_cast<double>(graph.processors()) * (uniform > 0 ? graph.processors() : 1);
  const double crossed = load.links()->hops / (load.flit_rate() * graph.processors()) * pairs;
  if (!paths_are_fixed(algorithm) || crossed > most_crossings || lengths.longest() > most_flits_followed)
    return std::nullopt;
  double sum = 0;
  std::int64_t packets = 0;  // in `sum`
  bool known = true;
  const Declaration& declared = algorithm.declaration();
  const bool nodes_differ = graph.has_clocks() || !declared.pipelines.alike() || !declared.capacities.empty();
  std::map<std::vector<std::int32_t>, double> request_means, reply_means;  // [timing of the links]
  const auto visit = [&](NodeId source, NodeId destination, bool reply) {
    PacketPath path;
    const Packet packet{source, destination, 1, 0, reply, traffic_class};
    known = known && offered_path(graph, algorithm, packet, only_random_choice(algorithm, packet), path);
    if (!known) return;
    std::vector<std::int32_t> key = {graph.is_terminal(source) ? 1 : 0, graph.is_terminal(destination) ? 1 : 0};
    if (nodes_differ) key = {source, destination};
    for (const std::size_t link : path.links) {
      const auto node = static_cast<NodeId>(link / static_cast<std::size_t>(graph.ports()));
      const auto port = static_cast<Port>(link % static_cast<std::size_t>(graph.ports()));
      key.push_back(graph.latency(node, port));
      key.push_back(graph.interval(node, port));
      key.push_back(graph.phits(node, port));
    }
    const auto [mean, fresh] = (reply ? reply_means : request_means).emplace(std::move(key), 0);
    if (fresh && reply) {
      mean->second = static_cast<double>(zero_load.latency(path, reply_flits));
    } else if (fresh) {
      const std::vector<Step> latencies = zero_load.latencies(path, lengths.longest());
      lengths.for_each([&](std::int32_t flits, double share) {
        mean->second += share * static_cast<double>(latencies[static_cast<std::size_t>(flits) - 1]);
      });
    }
    sum += mean->second;
    ++packets;
  };
  const auto see_pair = [&](NodeId source, NodeId destination) {
    visit(source, destination, false);
    if (reply_flits > 0) visit(destination, source, true);
  };
  double mean = 0;
  const auto add_share = [&](double share) {
    known = known && packets > 0;
    if (known) mean += share * std::exchange(sum, 0) / static_cast<double>(std::exchange(packets, 0));
  };
  if (uniform < 1) {
    for (const PacketEnds& pair : load.pairs()) see_pair(pair.source, pair.destination);
    add_share(1 - uniform);
  }
  if (uniform > 0) {
    for (NodeId source = 0; source < graph.processors() && known; ++source)
      for (NodeId destination = 0; destination < graph.processors(); ++destination)
        if (source != destination || load.streams().front().to_itself)
          see_pair(graph.processor(source), graph.processor(destination));
    add_share(uniform);
  }
  return known ? std::optional(mean) : std::nullopt;
}

}  // namespace

std::string zero_load_text(const NetworkGraph& graph, const Algorithm& algorithm, const OfferedLoad& load) {
  const ZeroLoad zero_load(graph, algorithm);
  if (!zero_load.never_stretches() || load.streams().size() > 1)
    if (const auto mean = mean_over_pairs(graph, algorithm, load, zero_load))
      return fmt::format("mean latency {:.2f} steps without contention", *mean);
  // The latency of a head is a sum over its links.
  double head_steps = 0;
  load.each_link([&](NodeId node, Port port, double flits) {
    head_steps += flits * static_cast<double>(zero_load.head_steps(graph.index(node, port)));
  });
  const double flits_per_step = load.flit_rate() * graph.processors();
  const double packets_per_step = load.packet_rate() * graph.processors();
  const double mean = static_cast<double>(zero_load.head_start()) + head_steps / flits_per_step +
                      (flits_per_step / packets_per_step - 1) * static_cast<double>(zero_load.flit_steps());
  return zero_load.never_stretches() ? fmt::format("mean latency {:.2f} steps without contention", mean)
                                     : fmt::format(
                                           "mean latency at least {:.2f} steps without contention: small buffers or "
                                           "slow links delay packets further, which is not computed",
                                           mean);
}

}  // namespace starloom::links
