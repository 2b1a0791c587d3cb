// SPDX-License-Identifier: Apache-2.0
#include <starloom/message/pops/models.hpp>

#include <stdexcept>

#include <starloom/message/pops/collective_model.hpp>
#include <starloom/message/pops/direct_model.hpp>
#include <starloom/message/pops/plan_model.hpp>
#include <starloom/message/pops/randomized_model.hpp>

namespace starloom::pops {
namespace {

/// Number of processors above which a cycle takes much longer than the synchronisation of threads, also on a busy
/// machine.
constexpr NodeId shared_nodes = 1 << 17;

/// Runs the model if the algorithm is of class A.
template <class A>
bool run_as(const Algorithm& algorithm, const MessageLimits& limits, MessageRun& run) {
  const auto* found = dynamic_cast<const A*>(&algorithm);
  if (found != nullptr) run = run_model(*found, limits);
  return found != nullptr;
}

/// A new model adds its line here.
constexpr bool (*models[])(const Algorithm&, const MessageLimits&, MessageRun&) = {
    run_as<BroadcastAlgorithm>, run_as<ComparatorSortAlgorithm>, run_as<DataSumAlgorithm>,
    run_as<DirectAlgorithm>,    run_as<OfflineAlgorithm>,        run_as<RandomizedAlgorithm>,
};

/// Renumbers from sources to packets, which are numbered in the order of their sources.
void number_by_packet(const PermutationAlgorithm& algorithm, std::vector<std::int32_t>& delivered) {
  std::size_t packet = 0;
  for (std::size_t source = 0; source < delivered.size(); ++source)
    if (algorithm.destination()[source] != no_node) delivered[packet++] = delivered[source];
  delivered.resize(packet);
}

}  // namespace

MessageRun run_messages(const Algorithm& algorithm, const MessageLimits& limits) {
  MessageRun run;
  for (const auto& model : models) {
    if (!model(algorithm, limits, run)) continue;
    if (const auto* permutation = dynamic_cast<const PermutationAlgorithm*>(&algorithm))
      number_by_packet(*permutation, run.delivered);
    return run;
  }
  throw std::logic_error("an algorithm without a message-level model was asked for messages");
}

int most_threads(const Algorithm& algorithm) {
  if (algorithm.pops().nodes() < shared_nodes) return 1;
  if (const auto* direct = dynamic_cast<const DirectAlgorithm*>(&algorithm)) return most_threads(*direct);
  if (const auto* randomized = dynamic_cast<const RandomizedAlgorithm*>(&algorithm)) return most_threads(*randomized);
  return 1;
}

}  // namespace starloom::pops
