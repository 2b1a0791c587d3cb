// SPDX-License-Identifier: Apache-2.0
#include <starloom/simulation/links/transaction_plan.hpp>

#include <algorithm>
#include <stdexcept>

#include <starloom/simulation/kernel.hpp>
#include <starloom/sockets/transaction_packets.hpp>

namespace starloom::links {

std::vector<Packet> expected_packets(const TransactionPlan& plan) {
  std::vector<AddressRange> ranges;
  for (const PlacedTarget& target : plan.targets) ranges.push_back(target.addresses);
  const AddressMap map(std::move(ranges));
  const PacketSizes sizes(static_cast<std::uint64_t>(plan.flit_bytes));
  std::vector<Packet> packets;
  for (const Transaction& one : *plan.transactions) {
    const auto target = map.find(one.address, one.length);
    if (!target) continue;
    const TransactionForm form{static_cast<TransactionCommand>(one.command), one.length, !one.byte_enables.empty()};
    const NodeId from = plan.initiators[static_cast<std::size_t>(one.initiator)], to = plan.targets[*target].node;
    packets.push_back({from, to, sizes.request(form), one.time + 1});
    packets.push_back({to, from, sizes.response(form), one.time + 1, true});
  }
  return packets;
}

std::string plan_error(const TransactionPlan& plan, const NetworkGraph& graph, double clock_ns) {
  try {
    checked_map(graph, plan.initiators, plan.targets);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  const Step steps = end_of_time(clock_ns);
  for (std::size_t i = 0; i < plan.transactions->size(); ++i)
    if (const Step time = (*plan.transactions)[i].time; time > steps / 2)
      return "transaction " + std::to_string(i) + " is issued in step " + std::to_string(time) +
             ", at which simulated time overflows; issue it earlier, or lower units.clock_ns";
  return "";
}

}  // namespace starloom::links
