// SPDX-License-Identifier: Apache-2.0
#include <starloom/message/pops/round_robin_model.hpp>

#include <algorithm>

namespace starloom::pops {

MessageRun route_round_robin(const Pops& pops, const std::vector<NodeId>& destination, const MessageLimits& limits) {
  MessageRun run;
  const Step slots = std::min<Step>(pops.nodes(), limits.slots);
  run.delivered.assign(destination.size(), -1);
  for (NodeId node = 0; node < pops.nodes(); ++node) {
    const bool speaks = destination[static_cast<std::size_t>(node)] != no_node;
    if (node >= slots) {
      run.undelivered += speaks ? 1 : 0;
      continue;
    }
    run.slots.push_back({speaks ? 1 : 0, speaks ? pops.nodes() : 0, 0, pops.nodes()});
    run.data_drives += speaks ? 1 : 0;
    if (speaks) run.delivered[static_cast<std::size_t>(node)] = node + 1;
  }
  run.units = slots;
  run.max_load = run.data_drives;
  run.finished = slots == pops.nodes();
  return run;
}

}  // namespace starloom::pops
