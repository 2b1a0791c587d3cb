// SPDX-License-Identifier: Apache-2.0
#include "strided.hpp"

#include <starloom/traffic/packet_list.hpp>

namespace own {

using namespace starloom;

namespace {

std::unique_ptr<Traffic> make_strided(const TrafficContext& context, const KeyValues& keys) {
  const NodeId n = context.processors.count;
  const auto stride = static_cast<NodeId>(keys.integer("stride") % n);
  std::vector<Packet> packets;
  for (NodeId source = 0; source < n; ++source) {
    NodeId line = source;
    for (Step step = 0; step < keys.integer("lines"); ++step) {
      line = (line + stride) % n;
      packets.push_back({source, line, /*flits=*/1, /*created=*/step});
    }
  }
  return std::make_unique<PacketList>(std::move(packets));
}

}  // namespace

PatternEntry strided_entry() {
  PatternEntry entry;
  entry.name = "strided";
  entry.meaning = "in step k, from 0 on, node v sends to (v + (k + 1) * stride) mod n";
  entry.keys = {
      integer_key("stride", "lines from one request to the next").at_least(1).measured_in("lines").by_default(1),
      integer_key("lines", "how many lines every processor asks for")
          .within(1, 1 << 20)
          .measured_in("lines")
          .is_required()};
  entry.make = make_strided;
  return entry;
}

}  // namespace own
