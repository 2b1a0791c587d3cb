// SPDX-License-Identifier: Apache-2.0
#include <starloom/referee/links/storage_checker.hpp>

#include <starloom/referee/links/store_and_forward_checker.hpp>
#include <starloom/referee/links/virtual_channel_checker.hpp>
#include <starloom/referee/links/worm_checker.hpp>

namespace starloom::links {

std::unique_ptr<StorageChecker> StorageChecker::make(CheckContext& context) {
  switch (context.rules().storage) {
    case RefereeRules::Storage::store_and_forward: return std::make_unique<StoreAndForwardChecker>(context);
    case RefereeRules::Storage::virtual_channels: return std::make_unique<VirtualChannelChecker>(context);
    case RefereeRules::Storage::links_only:
    case RefereeRules::Storage::never_standing: break;
  }
  return std::make_unique<WormChecker>(context);
}

StorageChecker::State& StorageChecker::in_network(const TraceRow& row) {
  State& s = state(row);
  if (s.slot == in_memory)
    context_.reject(row, "moves, but it is in the memory of " + context_.node_name(s.node) + " and was not injected");
  if (s.slot == consumed) context_.reject(row, "moves, but its packet was ejected before");
  if (s.slot == dropped) context_.reject(row, "moves, but its packet has vanished");
  return s;
}

void StorageChecker::check_departure(const TraceRow& row, const State& state) const {
  if (row.node != state.node)
    context_.reject(row, "is injected, but it is in the memory of " + context_.node_name(state.node));
  if (row.step < state.ready)
    context_.reject(row,
                    "is injected before step " + std::to_string(state.ready) + ", the first in which it may leave");
}

void StorageChecker::end_of_packet(const TraceRow& row, State& state) {
  if (row.event == TraceEvent::eject) {
    context_.deliver(row.packet, row.step);
    state.slot = consumed;
    return;
  }
  // A write of a step is visible in the next: the memory can send the packet from then on.
  state = {row.step + 1, row.node, in_memory};
}

}  // namespace starloom::links
