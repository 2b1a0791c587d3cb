#include <starloom/message/pops/direct_model.hpp>

#include <algorithm>

#include <starloom/controllers/pops/direct/direct.hpp>
#include <starloom/message/pops/coupler_audit.hpp>
#include <starloom/message/pops/requirements.hpp>

namespace starloom::pops {

MessageRun route_direct(const Pops& pops, const std::vector<NodeId>& destination, std::uint64_t seed,
                        const MessageLimits& limits) {
  require_permutation(pops, destination);
  require_couplers(pops);
  const DirectRules rules(pops);
  CouplerAudit couplers(pops);
  MessageRun run;
  run.delivered.assign(destination.size(), -1);
  std::vector<std::uint8_t> tries(destination.size(),
                                  0);  // more than the greatest number of halvings matters to nobody
  std::vector<NodeId> waiting, asking;
  for (NodeId node = 0; node < pops.nodes(); ++node)
    if (destination[static_cast<std::size_t>(node)] != no_node) waiting.push_back(node);
  const auto to_group = [&](NodeId node) { return pops.group_of(destination[static_cast<std::size_t>(node)]); };
  std::int64_t cycle = 0;
  Step last_delivery = 0;
  constexpr int length = DirectRules::cycle_slots;
  for (; !waiting.empty() && !limits.reached(cycle * length, length, last_delivery); ++cycle) {
    couplers.next_slot();
    asking.clear();
    for (const NodeId node : waiting) {
      std::uint8_t& tried = tries[static_cast<std::size_t>(node)];
      if (!rules.takes_part(seed, node, cycle, tried)) continue;
      if (tried < 255) ++tried;
      asking.push_back(node);
      couplers.drive(to_group(node), pops.group_of(node));
    }
    // Each destination samples the coupler of its packet, whoever speaks there.
    SlotCounts data{static_cast<std::int64_t>(asking.size()), 0, couplers.collisions(),
                    static_cast<std::int64_t>(waiting.size())};
    for (const NodeId node : waiting) data.delivered += couplers.carries(to_group(node), pops.group_of(node)) ? 1 : 0;
    std::int64_t acknowledged = 0;
    for (const NodeId node : asking) {
      if (!couplers.carries(to_group(node), pops.group_of(node))) continue;
      run.delivered[static_cast<std::size_t>(node)] = static_cast<std::int32_t>(cycle * DirectRules::cycle_slots + 1);
      ++acknowledged;
    }
    waiting.erase(std::remove_if(waiting.begin(), waiting.end(),
                                 [&](NodeId node) { return run.delivered[static_cast<std::size_t>(node)] >= 0; }),
                  waiting.end());
    if (acknowledged > 0) last_delivery = cycle * DirectRules::cycle_slots + 1;
    run.slots.push_back(data);
    run.slots.push_back({acknowledged, acknowledged, 0, data.drives});
    run.data_drives += data.drives;
    run.ack_drives += acknowledged;
    couplers.add_to_load();
  }
  run.units = static_cast<std::int64_t>(run.slots.size());
  run.undelivered = static_cast<std::int64_t>(waiting.size());
  run.finished = waiting.empty();
  run.max_load = couplers.max_load();
  return run;
}

MessageRun run_model(const DirectAlgorithm& algorithm, const MessageLimits& limits) {
  return route_direct(algorithm.pops(), algorithm.destination(), algorithm.seed(), limits);
}

}  // namespace starloom::pops
