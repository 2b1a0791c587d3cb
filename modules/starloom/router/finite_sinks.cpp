// SPDX-License-Identifier: Apache-2.0
/// \file The engine of networks whose processors accept few requests (docs/traffic-classes.md).
#include <algorithm>

#include <starloom/router/router_engine.hpp>

namespace starloom::links {

/// Before a step: requests whose replies left in an earlier one, or are created in this one, do not occupy places any
/// more. The sink of a terminal
/// belongs to the part of its router, so parts do not write there themselves.
template <int words>
void RouterEngine<words>::give_places() {
  for (RouterPart& part : parts_) {
    for (const auto& [node, request_class] : part.answered)
      sinks_[static_cast<std::size_t>(node)].answered(request_class);
    part.answered.clear();
  }
  for (const Packet& packet : created()) {
    router::FiniteSink& sink = sinks_[static_cast<std::size_t>(packet.source)];
    if (sink.frees_when_created(packet)) sink.answered(packet.request_class);
  }
}

/// Flits that reach their sinks in this step; then each sink whose processor runs consumes one.
template <int words>
void RouterEngine<words>::fill_sinks(RouterPart& part, PendingEvents& pending) {
  for (const Ejection& ejection : pending.ejections) {
    router::FiniteSink& sink = sinks_[static_cast<std::size_t>(ejection.node)];
    if (sink.empty()) part.filled_sinks.push_back(ejection.node);
    sink.arrive(ejection.flit.channel, ejection.flit);
  }
  pending.ejections.clear();
  std::vector<NodeId>& filled = part.filled_sinks;
  filled.erase(
      std::remove_if(filled.begin(), filled.end(), [&](NodeId node) { return at_edge(node) && !consume(part, node); }),
      filled.end());
}

/// \return true if flits are left in the sink.
template <int words>
bool RouterEngine<words>::consume(RouterPart& part, NodeId node) {
  router::FiniteSink& sink = sinks_[static_cast<std::size_t>(node)];
  const auto consumed =
      sink.consume([this](PacketId packet) -> const Packet& { return record_.packets[record_.at(packet)]; });
  if (!consumed) return true;  // until a reply leaves
  deliver_flit(part, consumed->flit.whole(), node);
  LinkEnd from{node, shape_.local};
  if (link_of_terminal(node) != nullptr) from = wiring_.in[wiring_.index(node, graph_.in_ports(node).lowest())];
  const int out = shape_.channel(from.port, consumed->channel);
  return_credit_of_exit(part, from.node, out, terminal_credit(from.node, shape_.port_index(out), 0));
  if (!sink.empty()) part.ahead(cycle_steps(node)).calendar.mark();
  return !sink.empty();
}

/// When the tail of a reply leaves its processor, its request gives its place from the next step on.
template <int words>
void RouterEngine<words>::note_answer(RouterPart& part, NodeId node, const Packet& packet) const {
  if (!sinks_[static_cast<std::size_t>(node)].frees_when_sent(packet)) return;
  const int subnet = declaration_.classes[packet.request_class].subnet.value_or(0);
  part.answered.emplace_back(graph_.in_subnet(home(node), subnet), packet.request_class);
  for (const int steps : {1, cycle_steps(node)}) part.ahead(steps).calendar.mark();
}

template void RouterEngine<1>::give_places();
template void RouterEngine<1>::fill_sinks(RouterPart&, PendingEvents&);
template void RouterEngine<1>::note_answer(RouterPart&, NodeId, const Packet&) const;
template void RouterEngine<router::any_words>::give_places();
template void RouterEngine<router::any_words>::fill_sinks(RouterPart&, PendingEvents&);
template void RouterEngine<router::any_words>::note_answer(RouterPart&, NodeId, const Packet&) const;

}  // namespace starloom::links
