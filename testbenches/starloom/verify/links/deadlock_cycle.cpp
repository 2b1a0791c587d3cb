// SPDX-License-Identifier: Apache-2.0
#include <starloom/verify/links/deadlock_cycle.hpp>

#include <algorithm>
#include <string>

namespace starloom::links {

DeadlockCycle::DeadlockCycle(const ResultDocument& result, const PacketTable& table, const NetworkGraph& graph)
    : table_(table), graph_(graph) {
  if (!result.given("deadlock.circle")) return;
  const std::size_t entries = result.at("deadlock.circle").size();
  for (std::size_t i = 0; i < entries; ++i) {
    const std::string entry = "deadlock.circle." + std::to_string(i) + ".";
    const auto or_none = [&](const char* key) {
      return result.at(entry + key).is_null() ? -1 : result.small(entry + key, 0);
    };
    const std::int32_t packet = result.small(entry + "packet", 0);
    const bool exists = table.has(packet);
    const int subnet = exists ? std::max<int>(table.packets[static_cast<std::size_t>(packet)].subnet, 0) : 0;
    const LinkEnd end = graph.from_files({result.small(entry + "node", 0), static_cast<Port>(or_none("port"))}, subnet);
    const Wait wait{packet, end.node, end.port, or_none("channel")};
    at_[{wait.node, wait.port}].push_back(i);
    of_[wait.packet] = i;
    waits_.push_back(wait);
  }
}

void DeadlockCycle::add_row(const TraceRow& row) {
  if (const auto own = of_.find(row.packet); own != of_.end()) {
    Wait& wait = waits_[own->second];
    if (row.event == TraceEvent::hop) wait.last_hops[row.flit] = row;
    wait.copied = wait.copied || row.to == wait.node;
    if (row.event == TraceEvent::eject) ++wait.ejected;
  }
  const auto waiting = at_.find({row.node, row.port});
  if (row.event != TraceEvent::hop || waiting == at_.end()) return;
  for (const std::size_t i : waiting->second)
    if (next(i).packet == row.packet && waits_[i].channel == row.channel) waits_[i].held = true;
}

bool DeadlockCycle::is_there(const Wait& wait) const {
  const Packet& packet = table_.packets[static_cast<std::size_t>(wait.packet)];
  if (is_group(packet.destination)) return wait.copied || packet.source == graph_.home(wait.node);
  const auto hop = wait.last_hops.find(wait.ejected);
  if (hop == wait.last_hops.end()) return packet.source == graph_.home(wait.node);
  const TraceRow& row = hop->second;
  return row.to == wait.node || (row.node == wait.node && row.port == wait.port && row.channel == wait.channel);
}

bool DeadlockCycle::is_allocated(std::size_t i) const {
  const Wait &wait = waits_[i], &holder = next(i);
  return holder.held && holder.node == wait.node && holder.port == wait.port && holder.channel == wait.channel;
}

void DeadlockCycle::compare(Comparison& comparison) const {
  for (std::size_t i = 0; i < waits_.size(); ++i) {
    const Wait& wait = waits_[i];
    const auto packet = static_cast<std::size_t>(wait.packet);
    const std::string says = "in result.json packet " + std::to_string(wait.packet) + " waits ";
    const bool exists = table_.has(wait.packet);
    comparison.require(exists && table_.delivered[packet] == no_step,
                       says + "in the cycle of the deadlock, but it is not in flight");
    comparison.require(!exists || is_there(wait),
                       says + "at node " + std::to_string(wait.node) + ", but by the rows it is not there");
    comparison.require(wait.held || is_allocated(i) || wait.port == no_port || wait.port == graph_.ports(),
                       says + "for out-port " + std::to_string(wait.port) + " of node " + std::to_string(wait.node) +
                           ", which packet " + std::to_string(next(i).packet) +
                           " holds, but by the rows that packet did not cross there");
  }
}

}  // namespace starloom::links
