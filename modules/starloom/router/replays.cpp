// SPDX-License-Identifier: Apache-2.0
/// \file Links that repeat corrupt flits: the replay buffers between the switches and the links (docs/link-errors.md).
#include <starloom/router/router_engine.hpp>

namespace starloom::links {

template <int words>
std::vector<router::ReplayBuffer> RouterEngine<words>::replay_buffers() const {
  std::vector<router::ReplayBuffer> buffers;
  if (!repeats_flits(errors_)) return buffers;
  buffers.resize(static_cast<std::size_t>(wiring_.nodes) * port_count_);
  for (NodeId node = 0; node < wiring_.nodes; ++node)
    for (int port_index = 0; port_index < local_; ++port_index) {
      const std::size_t link = wiring_.index(node, shape_.ports[static_cast<std::size_t>(port_index)]);
      if (!wiring_.out[link].connected()) continue;
      const int entry =
          graph_.is_terminal(node) ? router::terminal_entry : declaration_.pipelines.at(node).link_entry();
      buffers[static_cast<std::size_t>(node) * port_count_ + static_cast<std::size_t>(port_index)] =
          router::ReplayBuffer(errors_->places(entry, wiring_.latency[link]), wiring_.latency[link]);
    }
  return buffers;
}

/// Out-ports whose replay buffers have no place.
template <int words>
router::PortIndices<words> RouterEngine<words>::full_replays(NodeId node) {
  PortIndices& full = full_replays_[static_cast<std::size_t>(node)];
  const PortIndices before = full;
  before.for_each([&](int out_index) {
    if (!replay(node, out_index).is_full(now_)) full.remove(out_index);
  });
  return full;
}

/// True if a flit enters its link after a number of steps and is accepted at its end, which is known already.
template <int words>
bool RouterEngine<words>::crosses_well(RouterPart& part, NodeId node, int out_index, int entry) {
  router::ReplayBuffer& buffer = replay(node, out_index);
  if (!buffer.is_idle()) return false;
  if (errors_->any() && errors_->corrupts(node, shape_.ports[static_cast<std::size_t>(out_index)], now_ + entry))
    return false;
  buffer.accept(now_ + entry);
  note_place(node, out_index);
  if (observed()) show_free_place(part, node, out_index, entry);
  return true;
}

/// A flit that has won the switch. Its slot in the ring beyond is known already.
template <int words>
void RouterEngine<words>::pass_to_replay(RouterPart& part, NodeId node, NodeState& state, int in, int slot) {
  const router::InputChannel& input = state.table.input(in);
  RingFlit onward = state.rings[in * capacity_ + slot];
  onward.channel = static_cast<std::uint8_t>(shape_.number(input.output));
  if (!state.downstream[input.out_index].is_terminal()) {
    count_hop(onward);
    write_ahead(node, state, in, input.output, onward, slot);
  }
  keep(part, node, input.output, onward, times(node).link_entry);
}

/// The flit waits for its turn on the link. \param entry steps until it can enter that.
template <int words>
void RouterEngine<words>::keep(RouterPart& part, NodeId node, int out, const RingFlit& flit, int entry) {
  const int out_index = shape_.port_index(out);
  replay(node, out_index).join({flit, out, now_ + entry});
  note_place(node, out_index);
  part.ahead(entry).sends.emplace_back(node, out_index);
  part.ahead(entry).calendar.mark();
}

/// The flits that enter links in this step, and those that receivers discard.
template <int words>
void RouterEngine<words>::run_replays(RouterPart& part, PendingEvents& pending) {
  for (const auto& [node, out_index] : pending.sends) send_kept(part, node, out_index);
  pending.sends.clear();
  for (const Discard& discard : pending.discards) {
    ++part.errors.discards;
    if (tracing()) row(part, TraceEvent::discard, discard.packet, discard.index, discard.node, discard.in);
  }
  pending.discards.clear();
}

template <int words>
void RouterEngine<words>::send_kept(RouterPart& part, NodeId node, int out_index) {
  using Fate = router::ReplayBuffer::Fate;
  router::ReplayBuffer& buffer = replay(node, out_index);
  if (observed()) touch_twice(part, node);
  const router::ReplayBuffer::Kept* const next = buffer.next(now_);
  if (next == nullptr) return;
  const auto [flit, out, enters] = *next;
  const Port port = shape_.port(out);
  const std::size_t link = wiring_.index(node, port);
  const LinkEnd& far = wiring_.out[link];
  Downstream& to = downstream_[static_cast<std::size_t>(node) * port_count_ + out_index];
  const bool repeated = buffer.is_repeated(), corrupt = errors_->corrupts(node, port, now_);
  const int latency = wiring_.latency[link];
  const Fate fate = buffer.send(now_, corrupt);
  if (observed() && fate == Fate::accepted) show_free_place(part, node, out_index, 0);
  if (fate == Fate::corrupt) {
    part.ahead(2 * latency).sends.emplace_back(node, out_index);
    part.ahead(2 * latency).calendar.mark();
  }
  if (buffer.has_next(now_ + 1)) {
    part.ahead(1).sends.emplace_back(node, out_index);
    part.ahead(1).calendar.mark();
  }
  if (flit.packet == no_packet) return;  // a blank has no rows
  if (repeated) {
    ++part.errors.resends;
    ++part.resends;
  } else {
    ++part.hops;
    ++to.flits;
    if (counting()) count_head(nodes_[static_cast<std::size_t>(node)], flit);
  }
  if (repeated && counting()) ++part.counts->others[link];
  if (tracing())
    row(part, repeated ? TraceEvent::resend : TraceEvent::hop, flit.packet, flit.index, node, port, far.node,
        flit.channel);
  if (observed()) shown_[link] = {now_, flit, repeated};
  part.errors.corrupt += corrupt ? 1 : 0;
  part.errors.nacks += fate == Fate::corrupt ? 1 : 0;
  if (fate == Fate::accepted && to.is_terminal()) {
    pass_to_terminal(part, node, out, to, flit, latency);
  } else if (fate == Fate::accepted) {
    part.ahead(latency).arrive(to.lane, out + to.shift, is_head(flit.kind));
  } else {
    part.ahead(latency).discards.push_back({far.node, far.port, flit.packet, flit.index});
    part.ahead(latency).calendar.mark();
  }
}

template std::vector<router::ReplayBuffer> RouterEngine<1>::replay_buffers() const;
template router::PortIndices<1> RouterEngine<1>::full_replays(NodeId);
template bool RouterEngine<1>::crosses_well(RouterPart&, NodeId, int, int);
template void RouterEngine<1>::pass_to_replay(RouterPart&, NodeId, NodeState&, int, int);
template void RouterEngine<1>::keep(RouterPart&, NodeId, int, const RingFlit&, int);
template void RouterEngine<1>::run_replays(RouterPart&, PendingEvents&);
template std::vector<router::ReplayBuffer> RouterEngine<router::any_words>::replay_buffers() const;
template router::PortIndices<router::any_words> RouterEngine<router::any_words>::full_replays(NodeId);
template bool RouterEngine<router::any_words>::crosses_well(RouterPart&, NodeId, int, int);
template void RouterEngine<router::any_words>::pass_to_replay(RouterPart&, NodeId, NodeState&, int, int);
template void RouterEngine<router::any_words>::keep(RouterPart&, NodeId, int, const RingFlit&, int);
template void RouterEngine<router::any_words>::run_replays(RouterPart&, PendingEvents&);

}  // namespace starloom::links
