// SPDX-License-Identifier: Apache-2.0
/// \file The packets that wait in routers, with the out-ports that they wait for and the packets that they wait
/// behind: for the explanation of a deadlock.
#include <algorithm>

#include <starloom/router/router_engine.hpp>
#include <starloom/routing/routing_function.hpp>

namespace starloom::links {

/// The head of a packet that waits for an output channel waits behind all owners of those that it may take, and if it
/// requires more room in the next buffer than there is, behind the first packet there. A flit without a credit waits
/// behind the first packet in the next buffer. If processors limit requests, one that is not accepted waits behind the
/// replies that have not left, and they wait in memories behind the packets in the buffers that they may enter.
template <int words>
std::vector<Engine::Waiting> RouterEngine<words>::waiting(const Algorithm& algorithm, std::size_t most) const {
  std::vector<Waiting> list = waiting_in_memories(algorithm, most);
  if (several_subnets_) add_waiting_fronts(list);
  if (!sinks_.empty()) {
    for (Waiting& waiting : list) find_blockers_of_memory(waiting);
    add_waiting_at_sinks(list);
  }
  for (NodeId node = 0; node < wiring_.nodes && list.size() < most; ++node) {
    const NodeState& state = nodes_[static_cast<std::size_t>(node)];
    state.table.occupied().for_each([&](int in) {
      for (std::int32_t i = 0; i < state.table.input(in).flits; ++i) {
        const Flit flit = stored(node, shape_.port(in) * shape_.channels + shape_.number(in), i);
        if (i > 0 && list.back().packet == flit.packet) continue;
        list.push_back({flit.packet, node, no_port, false, flit.index});
        if (i == 0) find_holders(node, in, algorithm, list.back());
        else wait_behind_front(node, in, list.back());
      }
    });
  }
  return list;
}

template <int words>
void RouterEngine<words>::wait_behind_front(NodeId node, int in, Waiting& waiting) const {
  waiting.behind = {front_of(node, in).packet};
  if (shape_.port_index(in) == local_) return;
  const FarPort& from = upstream(node, shape_.port_index(in));
  if (from.is_terminal()) return;
  const int out = in + from.shift;
  waiting.behind_link_of = upstream_node(node, shape_.port_index(in));
  waiting.wants = shape_.port(out);
  waiting.channel = shape_.number(out);
}

/// The first packet in the buffer behind an output channel, or no_packet.
template <int words>
PacketId RouterEngine<words>::first_behind(NodeId node, int out) const {
  const FarPort& to = downstream(node, shape_.port_index(out));
  if (to.lane == no_node || to.is_terminal()) return no_packet;
  const NodeId there = downstream_node(node, shape_.port_index(out));
  const int beyond = out + to.shift;
  return nodes_[static_cast<std::size_t>(there)].table.occupied().has(beyond) ? front_of(there, beyond).packet
                                                                              : no_packet;
}

/// A packet to several destinations waits for a branch without an output channel, or else for one without a credit.
template <int words>
void RouterEngine<words>::find_holders_of_fork(NodeId node, int in, Waiting& waiting) const {
  const NodeState& state = nodes_[static_cast<std::size_t>(node)];
  const router::Fork& fork = forks_[static_cast<std::size_t>(node)].at(in);
  for (const router::Fork::Branch& branch : fork.branches) {
    if (branch.next >= state.table.input(in).flits || state.table.credited().has(branch.out)) continue;
    waiting.wants = shape_.port(branch.out);
    waiting.channel = shape_.number(branch.out);
    if (const PacketId first = first_behind(node, branch.out); first != no_packet) waiting.behind = {first};
  }
  if (fork.open == 0) return;
  const int out_index = __builtin_ctzll(fork.open);
  waiting.wants = shape_.ports[static_cast<std::size_t>(out_index)];
  waiting.channel = 0;
  waiting.behind.clear();
  for (int out = shape_.first(out_index); out < shape_.first(out_index) + shape_.channels; ++out) {
    const bool free = state.table.free().has(out);
    const PacketId holder = free ? first_behind(node, out) : packet_in(node, state.table.output(out).owner);
    if (holder != no_packet) waiting.behind.push_back(holder);
  }
}

template <int words>
void RouterEngine<words>::find_holders(NodeId node, int in, const Algorithm& algorithm, Waiting& waiting) const {
  const NodeState& state = nodes_[static_cast<std::size_t>(node)];
  if (is_fork(node, in)) return find_holders_of_fork(node, in, waiting);
  const RingFlit& flit = front_of(node, in);
  if (state.table.active().has(in)) {
    const int out = state.table.output_of(in);
    waiting.wants = shape_.port(out);
    waiting.channel = shape_.number(out);
    const FarPort& to = downstream(node, shape_.port_index(out));
    if (state.table.ready().has(in)) return;
    if (!sinks_.empty() && (shape_.port_index(out) == local_ || to.is_terminal())) {
      const NodeId there = to.is_terminal() ? downstream_node(node, shape_.port_index(out)) : node;
      const Queue<RingFlit>& waits = sinks_[static_cast<std::size_t>(there)].buffer(shape_.number(out));
      if (!waits.empty()) waiting.behind = {waits.front().packet};
    }
    if (const PacketId first = first_behind(node, out); first != no_packet) waiting.behind = {first};
    return;
  }
  const routing::RoutingFunction* function = algorithm.function_of(record_.packets[record_.at(flit.packet)]);
  if (function == nullptr) return;
  routing::Choices choices;
  function->route({home(node), shape_.port(in), shape_.number(in), flit.destination, choice_of(flit.packet)}, choices);
  const std::int32_t flits = record_.packets[record_.at(flit.packet)].flits;
  for (const routing::Choice& choice : choices)
    for (int channel = choice.first; channel < choice.first + choice.count; ++channel) {
      const int out = shape_.channel(choice.port, channel);
      if (is_dead(node, out)) continue;
      if (waiting.wants == no_port) {
        waiting.wants = choice.port;
        waiting.channel = channel;
      }
      PacketId holder = no_packet;
      if (!state.table.free().has(out)) {
        holder = packet_in(node, state.table.output(out).owner);
      } else if ((choice.priority > 0 && !declaration_.requests_all_choices && !has_room_for(node, out, flits)) ||
                 !admits(shape_.port(in), node, out, flits)) {
        holder = first_behind(node, out);
      }
      if (holder == no_packet) {
        waiting.behind.clear();
        return;
      }
      waiting.behind.push_back(holder);
    }
}

/// For a packet in the memory of a processor: it waits behind the first packet of its queue, or that waits behind the
/// packets in the channels that it may enter.
template <int words>
void RouterEngine<words>::find_blockers_of_memory(Waiting& waiting) const {
  const NodeId node = waiting.node;
  const Packet& packet = record_.packets[record_.at(waiting.packet)];
  waiting.wants = no_port;
  const int queue = memory_.queues() == 1 ? 0 : packet.traffic_class;
  if (const PacketId first = first_of_queue(node, queue); first != waiting.packet) {
    waiting.behind = {first};
    return;
  }
  const auto sources = static_cast<std::size_t>(node) * static_cast<std::size_t>(shape_.channels);
  waiting.flit = memory_of(node).flits_sent(memory_.queue_of(home(node), queue));
  const bool begun = waiting.flit > 0;
  routing::ChannelRange own{0, channels_behind_source(node)};
  if (!declaration_.classes.empty()) own = declaration_.classes[packet.traffic_class].channels.value_or(own);
  for (int channel = own.first; channel < own.first + own.count; ++channel) {
    const SourceChannel& source = sources_[sources + static_cast<std::size_t>(channel)];
    if (begun && source.queue != queue) continue;
    PacketId holder = no_packet;
    if (!begun && source.queue >= 0) holder = packet_entering(node, channel);
    else if (source.credits == 0) holder = first_behind_source(node, channel);
    if (holder == no_packet) {
      waiting.behind.clear();
      return;
    }
    waiting.behind.push_back(holder);
  }
}

/// The first packet in the buffer that a channel of a processor leads to, or no_packet.
template <int words>
PacketId RouterEngine<words>::first_behind_source(NodeId node, int channel) const {
  NodeId there = node;
  int in = shape_.first(local_) + channel;
  if (const Downstream* const link = link_of_terminal(node); link != nullptr) {
    const int port_index = terminal_index_[static_cast<std::size_t>(node)];
    there = downstream_node(node, port_index);
    in = shape_.first(port_index) + channel + link->shift;
  }
  const bool occupied = nodes_[static_cast<std::size_t>(there)].table.occupied().has(in);
  return occupied ? front_of(there, in).packet : no_packet;
}

/// Adds the first packets of the queues of processors, at their subnets.
template <int words>
void RouterEngine<words>::add_waiting_fronts(std::vector<Waiting>& list) const {
  for (NodeId node = 0; node < wiring_.nodes; ++node)
    for (int queue = 0; queue < memory_.queues(); ++queue)
      if (const PacketId front = memory_of(node).front(memory_.queue_of(home(node), queue)); front != no_packet)
        list.push_back({front, node, no_port, true});
}

/// The packet that leaves a queue of the processor of a node next, or no_packet.
template <int words>
PacketId RouterEngine<words>::first_of_queue(NodeId node, int queue) const {
  const NodeId number = memory_.queue_of(home(node), queue);
  return !several_subnets_ ? memory_.front(number) : subnets_.front().front(number);
}

/// Adds the packets that wait for their processors.
template <int words>
void RouterEngine<words>::add_waiting_at_sinks(std::vector<Waiting>& list) const {
  for (NodeId node = 0; node < wiring_.nodes; ++node) {
    const router::FiniteSink& sink = sinks_[static_cast<std::size_t>(node)];
    for (int channel = 0; channel < shape_.channels && !sink.empty(); ++channel) {
      const Queue<RingFlit>& buffer = sink.buffer(channel);
      for (std::size_t i = 0; i < buffer.size(); ++i) {
        if (i > 0 && buffer[i].packet == buffer[i - 1].packet) continue;
        list.push_back({buffer[i].packet, node, shape_.local, false, buffer[i].index, {}, channel});
        const Packet& packet = record_.packets[record_.at(buffer[i].packet)];
        if (i > 0) list.back().behind = {buffer.front().packet};
        else if (is_head(buffer[i].kind) && !sink.accepts(packet))
          list.back().behind = replies_in_memory(node, packet.traffic_class);
      }
    }
  }
}

/// The replies of a node to requests of a class for which another request of the class waits; empty if it waits for a
/// reply that has not been created yet, and will be.
template <int words>
std::vector<PacketId> RouterEngine<words>::replies_in_memory(NodeId node, int request_class) const {
  std::vector<PacketId> replies;
  const auto add = [&](PacketId id) {
    const Packet& packet = record_.packets[record_.at(id)];
    if (packet.reply && packet.request_class == request_class) replies.push_back(id);
  };
  for (int queue = 0; queue < memory_.queues(); ++queue) {
    const NodeId number = memory_.queue_of(home(node), queue);
    if (const PacketId front = first_of_queue(node, queue); several_subnets_ && front != no_packet) add(front);
    for (PacketId id = memory_.front(number); id != no_packet; id = memory_.after(id)) add(id);
  }
  const ReplyRules& rules = *reply_rules_[static_cast<std::size_t>(request_class)];
  const auto count = static_cast<std::int32_t>(replies.size());
  const bool all = rules.queue > 0 ? rules.unsent > 0 && count >= rules.unsent
                                   : count == sinks_[static_cast<std::size_t>(node)].open(request_class);
  return all ? replies : std::vector<PacketId>();
}

/// As ChannelRequests: flow control lets a head go on.
template <int words>
bool RouterEngine<words>::admits(Port in, NodeId node, int out, std::int32_t flits) const {
  return shape_.port_index(out) == local_ || nodes_[static_cast<std::size_t>(node)].table.output(out).credits >=
                                                 declaration_.flow.needed(in, shape_.port(out), flits);
}

/// As OpenChoices: an output channel takes the whole packet, or its buffer is empty.
template <int words>
bool RouterEngine<words>::has_room_for(NodeId node, int out, std::int32_t flits) const {
  const router::OutputChannel& output = nodes_[static_cast<std::size_t>(node)].table.output(out);
  if (output.credits == room_behind(node, out)) return true;
  if (!shares_places_) return output.credits >= flits;
  return places_[static_cast<std::size_t>(node) * port_count_ + output.port_index].own_left(shape_.number(out)) >=
         flits;
}

/// The packet that has begun to leave the memory of a node into a channel, or no_packet.
template <int words>
PacketId RouterEngine<words>::packet_entering(NodeId node, int channel) const {
  const int queue = sources_[static_cast<std::size_t>(node * shape_.channels + channel)].queue;
  return queue < 0 ? no_packet : memory_of(node).front(memory_.queue_of(home(node), queue));
}

/// The packet that an active input channel forwards: if its buffer is empty, the packet's flits are in upstream
/// buffers. no_packet if they are on links.
template <int words>
PacketId RouterEngine<words>::packet_in(NodeId node, int in) const {
  for (;;) {
    const auto& table = nodes_[static_cast<std::size_t>(node)].table;
    if (table.occupied().has(in)) return front_of(node, in).packet;
    if (shape_.port_index(in) == local_) return packet_entering(node, shape_.number(in));
    const FarPort& from = upstream(node, shape_.port_index(in));
    const NodeId there = upstream_node(node, shape_.port_index(in));
    if (from.is_terminal()) return packet_entering(there, shape_.number(in));
    const int out = in + from.shift;
    node = there;
    const auto& before = nodes_[static_cast<std::size_t>(node)].table;
    if (before.free().has(out)) return no_packet;
    in = before.output(out).owner;
  }
}

template std::vector<Engine::Waiting> RouterEngine<1>::waiting(const Algorithm&, std::size_t) const;
template std::vector<Engine::Waiting> RouterEngine<router::any_words>::waiting(const Algorithm&, std::size_t) const;

}  // namespace starloom::links
