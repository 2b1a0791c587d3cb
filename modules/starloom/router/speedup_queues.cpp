// SPDX-License-Identifier: Apache-2.0
/// \file The engine of routers with speed-ups (docs/router-speedups.md): lines of the switch, FIFOs behind it, and
/// credit words that wait.
#include <array>

#include <starloom/router/router_engine.hpp>

namespace starloom::links {

/// True if flit `i` of those that pass takes a line of the switch that an earlier one has taken.
template <int words>
bool RouterEngine<words>::clashes(const NodeState& state, const ChannelFrame<words>& frame, int i) const {
  const auto lines = [&](int passing) {
    const int in = frame.passing[static_cast<std::size_t>(passing)];
    const router::InputChannel& input = state.table.input(in);
    return std::array<int, 4>{input.port_index, speedup_.sub_port(shape_.number(in)), input.out_index,
                              input.port_index % speedup_.output};
  };
  const auto [in_port, sub_port, out_port, line] = lines(i);
  for (int j = 0; j < i; ++j) {
    const auto [other_in_port, other_sub_port, other_out_port, other_line] = lines(j);
    if ((other_in_port == in_port && other_sub_port == sub_port) || (other_out_port == out_port && other_line == line))
      return true;
  }
  return false;
}

/// Out-ports whose FIFOs take no flit that requests the switch in this round.
template <int words>
router::PortIndices<words> RouterEngine<words>::full_ports(const NodeState& state, Step round) const {
  PortIndices full{};
  for (int port_index = 0; port_index < shape_.port_count(); ++port_index)
    if (state.queues->length(port_index, round) >= speedup_.fifo) full.add(port_index);
  return full;
}

template <int words>
void RouterEngine<words>::pass_to_fifo(RouterPart& part, NodeId node, NodeState& state, int in, const RingFlit& flit) {
  const router::InputChannel& input = state.table.input(in);
  const int out = input.output;
  RingFlit onward = flit;
  if (input.out_index != local_ && !state.downstream[input.out_index].is_terminal()) {
    onward.channel = static_cast<std::uint8_t>(shape_.number(out));
    count_hop(onward);
    write_ahead(node, state, in, out, onward, state.table.input(in).front);
  }
  state.queues->join(
      input.out_index,
      {onward, out, round_number(node, part.frame.round) + declaration_.pipelines.at(node).crossbar_steps});
}

/// At the end of a step, each FIFO whose link accepts a flit sends its front to it, and each in-port with internal
/// speed-up a credit word.
template <int words>
void RouterEngine<words>::empty_queues(RouterPart& part, NodeId node, NodeState& state) {
  router::PortQueues<words>& queues = *state.queues;
  const int cycle = cycle_steps(node);
  for (int port_index = 0; port_index < shape_.port_count(); ++port_index) {
    const auto* front = queues.front(port_index, round_number(node, speedup_.internal - 1));
    if (front != nullptr && (port_index == local_ ||
                             (link_is_free(static_cast<std::size_t>(state.downstream[port_index].link), now_ + cycle) &&
                              !is_full(node, port_index)))) {
      leave_fifo(part, node, state, port_index, *front);
      queues.leave(port_index);
    }
    queues.take_credits(port_index).for_each([&](int in) {
      if (watched(node)) {
        part.ahead(cycle * router::credit_word).credit_words.push_back({node, in});
        part.ahead(cycle * router::credit_word).calendar.mark();
      }
      this->template return_credit<false>(part, node, state, in);
    });
  }
  if (!queues.empty()) wake_node(part, node, now_ + cycle);
}

/// From a FIFO to the link, which it enters in the next cycle, or to the processor.
template <int words>
void RouterEngine<words>::leave_fifo(RouterPart& part, NodeId node, NodeState& state, int out_index,
                                     const typename router::PortQueues<words>::Departing& departing) {
  const auto& [flit, out, from_round] = departing;
  // Times from leaving the buffer, less those before the FIFO.
  const Times& of_router = times(node);
  const int cycle = cycle_steps(node), earlier = of_router.link_entry - cycle;
  Downstream& to = state.downstream[out_index];
  ++to.flits;
  if (part.noted) {
    if (counting() && out_index != local_) count_head(state, flit);
    if (watched(node)) note_crossing(part, cycle, node, out, flit);
  }
  part.ahead(cycle).calendar.mark();
  if (out_index == local_) {
    arrive_at_processor(part.ahead(of_router.consumption - earlier), node, flit, shape_.number(out));
    if (sinks_.empty()) part.ahead(of_router.exit_credit - earlier).to_output(part.lane(node), out);
    return;
  }
  const int arrival = until_readable(node, out_index, cycle, to.delay - earlier);
  if (to.is_terminal()) pass_to_terminal(part, node, out, to, flit, arrival);
  else part.ahead(arrival).arrive(to.lane, out + to.shift, is_head(flit.kind));
  note_entry(part, cycle);
  if (corrupts_packets_) expose(part, node, out, flit.packet, cycle);
  if (has_intervals()) occupy_link(static_cast<std::size_t>(to.link), now_ + cycle);
}

template bool RouterEngine<1>::clashes(const NodeState&, const ChannelFrame<1>&, int) const;
template router::PortIndices<1> RouterEngine<1>::full_ports(const NodeState&, Step) const;
template void RouterEngine<1>::pass_to_fifo(RouterPart&, NodeId, NodeState&, int, const RingFlit&);
template void RouterEngine<1>::empty_queues(RouterPart&, NodeId, NodeState&);
template bool RouterEngine<router::any_words>::clashes(const NodeState&, const ChannelFrame<router::any_words>&,
                                                       int) const;
template router::PortIndices<router::any_words> RouterEngine<router::any_words>::full_ports(const NodeState&,
                                                                                            Step) const;
template void RouterEngine<router::any_words>::pass_to_fifo(RouterPart&, NodeId, NodeState&, int, const RingFlit&);
template void RouterEngine<router::any_words>::empty_queues(RouterPart&, NodeId, NodeState&);

}  // namespace starloom::links
