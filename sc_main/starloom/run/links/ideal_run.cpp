// SPDX-License-Identifier: Apache-2.0
#include <starloom/run/links/ideal_run.hpp>

#include <algorithm>
#include <starloom/control/links/paths.hpp>
#include <starloom/traffic/workloads/critical_path.hpp>

namespace starloom::links {
namespace {

/// Calls `visit` with the flits of each packet of a message.
template <class Visit>
void each_packet(const Item& message, std::int32_t longest, Visit&& visit) {
  if (longest == 0) return visit(message.flits);
  for (std::int32_t left = message.flits; left > 0; left -= longest) visit(std::min(left, longest));
}

}  // namespace

Step MessageLatency::operator()(const Item& message) const {
  // Packets leave one flit after the other if they have one queue at the source, or one port.
  const bool one_by_one = algorithm_.declaration().storage == StorageModel::virtual_channels ||
                          routed_port(algorithm_, message.source, message.destination) != no_port;
  Step last = 0, sent = 0;
  each_packet(message, longest_packet_, [&](std::int32_t flits) {
    const Step least = zero_load_.least(message.source, message.destination, flits);
    last = std::max(last, least == 0 ? 0 : sent + least);
    if (one_by_one) sent += flits;
  });
  return last;
}

IdealRun ideal_run_of(const NetworkGraph& graph, const Algorithm& algorithm, Workload& workload,
                      const std::function<void(const Packet& packet)>& created) {
  const std::int32_t longest = workload.longest_packet();
  const MessageLatency latency(graph, algorithm, longest);
  IdealRun ideal;
  ideal.critical_path = critical_path(workload, latency, [&](const Item& message, Step step, Step least) {
    if (message.deadline != no_step) {
      ++ideal.deadlines;
      ideal.missed += least > message.deadline ? 1 : 0;
      if (least - message.deadline > ideal.late) {
        ideal.late = least - message.deadline;
        ideal.latest = message;
      }
    }
    if (!created) return;
    each_packet(message, longest, [&](std::int32_t flits) {
      created({message.source, message.destination, flits, step, false, message.traffic_class, 0, message.subnet});
    });
  });
  return ideal;
}

}  // namespace starloom::links
