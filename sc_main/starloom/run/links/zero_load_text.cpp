// SPDX-License-Identifier: Apache-2.0
#include <starloom/run/links/zero_load_text.hpp>

#include <fmt/format.h>

#include <algorithm>
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
  const OfferedStream& stream = load.streams().front();
  const PacketLengths& lengths = stream.lengths;
  const auto traffic_class = static_cast<std::uint8_t>(stream.traffic_class);
  const std::int32_t reply_flits = load.streams().size() > 1 ? load.streams()[1].lengths.longest() : 0;
  const double uniform = load.uniform_share();
  const double pairs = uniform > 0 ? static_cast<double>(graph.processors()) * graph.processors()
                                   : static_cast<double>(stream.pairs.size());
  const double crossed = load.links()->hops / (load.flit_rate() * graph.processors()) * pairs;
  if (!paths_are_fixed(algorithm) || crossed > most_crossings || lengths.longest() > most_flits_followed)
    return std::nullopt;
  const auto packet_rate = [&](const PairRate& pair) {
    return pair.rate / (pair.flits > 0 ? pair.flits : lengths.mean());
  };
  double sum = 0, packets = 0;  // `packets` are in `sum`
  bool known = true;
  const Declaration& declared = algorithm.declaration();
  const bool nodes_differ = graph.has_clocks() || !declared.pipelines.alike() || !declared.capacities.empty();
  std::map<std::vector<std::int32_t>, double> request_means, reply_means;  // [timing of the links]
  // With flits 0 packets have the lengths of the stream.
  const auto visit = [&](NodeId source, NodeId destination, std::int32_t flits, double weight, bool reply) {
    PacketPath path;
    const Packet packet{source, destination, 1, 0, reply, traffic_class};
    known = known && offered_path(graph, algorithm, packet, only_random_choice(algorithm, packet), path);
    if (!known) return;
    std::vector<std::int32_t> key = {flits, graph.is_terminal(source) ? 1 : 0, graph.is_terminal(destination) ? 1 : 0};
    if (nodes_differ) key = {flits, source, destination};
    for (const std::size_t link : path.links) {
      const auto node = static_cast<NodeId>(link / static_cast<std::size_t>(graph.ports()));
      const auto port = static_cast<Port>(link % static_cast<std::size_t>(graph.ports()));
      key.push_back(graph.latency(node, port));
      key.push_back(graph.interval(node, port));
      key.push_back(graph.phits(node, port));
    }
    const auto [mean, fresh] = (reply ? reply_means : request_means).emplace(std::move(key), 0);
    if (fresh && flits > 0) {
      mean->second = static_cast<double>(zero_load.latency(path, flits));
    } else if (fresh) {
      const std::vector<Step> latencies = zero_load.latencies(path, lengths.longest());
      lengths.for_each([&](std::int32_t flits, double share) {
        mean->second += share * static_cast<double>(latencies[static_cast<std::size_t>(flits) - 1]);
      });
    }
    sum += weight * mean->second;
    packets += weight;
  };
  const auto see_pair = [&](const PairRate& pair, double weight) {
    visit(pair.source, pair.destination, pair.flits, weight, false);
    if (reply_flits > 0) visit(pair.destination, pair.source, reply_flits, weight, true);
  };
  double mean = 0;
  const auto add_share = [&](double share) {
    known = known && packets > 0;
    if (known) mean += share * std::exchange(sum, 0) / std::exchange(packets, 0);
  };
  if (uniform < 1) {
    double greatest = 0;
    for (const PairRate& pair : stream.pairs) greatest = std::max(greatest, packet_rate(pair));
    for (const PairRate& pair : stream.pairs)
      if (const double weight = greatest > 0 ? packet_rate(pair) / greatest : 1; weight > 0) see_pair(pair, weight);
    add_share(1 - uniform);
  }
  if (uniform > 0) {
    for (NodeId source = 0; source < graph.processors() && known; ++source)
      for (NodeId destination = 0; destination < graph.processors(); ++destination)
        if (source != destination || stream.to_itself)
          see_pair({graph.processor(source), graph.processor(destination)}, 1);
    add_share(uniform);
  }
  return known ? std::optional(mean) : std::nullopt;
}

}  // namespace

std::string zero_load_text(const NetworkGraph& graph, const Algorithm& algorithm, const OfferedLoad& load) {
  const ZeroLoad zero_load(graph, algorithm);
  const std::vector<PairRate>& pairs = load.streams().front().pairs;
  const bool lengths_differ =
      std::any_of(pairs.begin(), pairs.end(), [](const PairRate& pair) { return pair.flits > 0; });
  if (!zero_load.never_stretches() || load.streams().size() > 1 || lengths_differ)
    if (const auto mean = mean_over_pairs(graph, algorithm, load, zero_load))
      return fmt::format("mean latency {:.2f} steps without contention", *mean);
  if (lengths_differ) return "not computed: packets have several paths, and those of each pair a length of their own";
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
