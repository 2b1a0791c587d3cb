// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/pops/permutation.hpp>

#include <starloom/planning/pops/optics.hpp>

namespace starloom::pops {
namespace {

/// [node] the destination of its packet, `no_node` if it has none.
std::shared_ptr<const std::vector<NodeId>> destinations_of(const AlgorithmContext& context) {
  if (context.packets.destinations() != nullptr) return context.packets.destinations();
  auto shared = std::make_shared<std::vector<NodeId>>(static_cast<std::size_t>(context.pops.nodes()), no_node);
  std::vector<NodeId>& destination = *shared;
  for (std::size_t p = 0; p < context.packets.size(); ++p) {
    const Packet packet = context.packets[p];
    if (packet.destination == no_node)
      throw UnservedPackets(packet_text(context, p) + " is sent to all processors, which only broadcast supports");
    NodeId& to = destination[static_cast<std::size_t>(packet.source)];
    if (to != no_node)
      throw UnservedPackets(packet_text(context, p) + " is its second; POPS algorithms route permutations");
    to = packet.destination;
  }
  return shared;
}

/// True if all are in the network and no two are equal: marks all and counts the marks.
bool all_differ(std::size_t nodes, const std::vector<NodeId>& destination) {
  constexpr std::size_t word_bits = 64;
  std::vector<std::uint64_t> marks(nodes / word_bits + 1, 0);
  std::size_t packets = 0;
  for (const NodeId to : destination) {
    if (to == no_node) continue;
    const auto place = static_cast<std::size_t>(to);
    if (place >= nodes) return false;
    marks[place / word_bits] |= std::uint64_t{1} << place % word_bits;
    ++packets;
  }
  std::size_t marked = 0;
  for (const std::uint64_t word : marks) marked += static_cast<std::size_t>(__builtin_popcountll(word));
  return marked == packets;
}

std::shared_ptr<const std::vector<NodeId>> permutation_of(const AlgorithmContext& context) {
  require_packets_at_once(context);
  auto destination = destinations_of(context);
  try {
    require_permutation(context.pops, *destination);
  } catch (const InputError& error) {
    throw UnservedPackets(error.what());
  }
  return destination;
}

}  // namespace

void require_permutation(const Pops& pops, const std::vector<NodeId>& destination) {
  const auto nodes = static_cast<std::size_t>(pops.nodes());
  if (destination.size() != nodes)
    throw InputError("the permutation has " + std::to_string(destination.size()) + " entries, but the network " +
                     std::to_string(nodes) + " processors");
  if (all_differ(nodes, destination)) return;
  std::vector<bool> taken(nodes, false);
  for (std::size_t node = 0; node < nodes; ++node) {
    const NodeId to = destination[node];
    if (to == no_node) continue;
    if (to < 0 || to >= pops.nodes())
      throw InputError("the packet of processor " + std::to_string(node) + " goes to " + std::to_string(to) +
                       ", but processors end at " + std::to_string(nodes - 1));
    if (taken[static_cast<std::size_t>(to)])
      throw InputError("two packets go to processor " + std::to_string(to) + ", the second from " +
                       std::to_string(node) + "; POPS algorithms route permutations");
    taken[static_cast<std::size_t>(to)] = true;
  }
}

PermutationAlgorithm::PermutationAlgorithm(const AlgorithmContext& context)
    : Algorithm(context.pops), destination_(permutation_of(context)) {}

std::map<std::string, double> PermutationAlgorithm::metrics(const RunRecord& run) const {
  auto metrics = Algorithm::metrics(run);
  if (const auto published = published_slots(pops())) metrics["published_formula_slots"] = *published;
  return metrics;
}

std::vector<MetricSpec> PermutationAlgorithm::declared_metrics() {
  auto metrics = Algorithm::declared_metrics();
  metrics.push_back(number_metric("published_formula_slots", "slots",
                                  "slots of an older deterministic algorithm by its published formula (formula B)")
                        .only("the formula covers these sizes"));
  return metrics;
}

}  // namespace starloom::pops
