// SPDX-License-Identifier: Apache-2.0
/// \file The engine of routers with clocks of different periods (docs/clocks.md).
#include <starloom/router/router_engine.hpp>

namespace starloom::links {

template <int words>
std::vector<router::ClockedLink> RouterEngine<words>::clocked_links() const {
  std::vector<router::ClockedLink> links;
  if (!graph_.has_clocks()) return links;
  links.resize(static_cast<std::size_t>(wiring_.nodes) * port_count_);
  for (NodeId node = 0; node < wiring_.nodes; ++node)
    for (int port_index = 0; port_index < local_; ++port_index)
      if (const Port port = shape_.ports[static_cast<std::size_t>(port_index)]; graph_.far_end(node, port).connected())
        links[static_cast<std::size_t>(node) * port_count_ + static_cast<std::size_t>(port_index)] =
            router::ClockedLink(graph_.crossing(node, port));
  return links;
}

template <int words>
void RouterEngine<words>::defer(RouterPart& part, WakeCalendar::Bitmap& awake) {
  for (std::size_t w = part.nodes.first_word(); w < part.nodes.last_word(); ++w)
    for (std::uint64_t left = awake[w]; left != 0; left &= left - 1) {
      const std::size_t lane = 64 * w + static_cast<std::size_t>(__builtin_ctzll(left));
      const NodeId node = static_cast<NodeId>(lane) - part.nodes.shift;
      if (at_edge(node)) continue;
      awake[w] &= ~(left & -left);
      wake_node(part, node, edge_from(now_, times(node).cycle));
    }
  // Values of a node and its links last for a cycle.
  if (!observed()) return;
  for (NodeId node = part.nodes.first; node < part.nodes.last; ++node)
    if (at_edge(node)) touch(part, node);
}

template <int words>
int RouterEngine<words>::send_over_clocked(NodeId node, int out_index, int entry, int arrival) {
  return static_cast<int>(clocked(node, out_index).send(now_, now_ + entry, now_ + arrival) - now_);
}

template <int words>
int RouterEngine<words>::credit_over_clocked(NodeId sender, int out_index, int arrival) const {
  return static_cast<int>(clocked(sender, out_index).crossing().available(now_ + arrival) - now_);
}

template <int words>
void RouterEngine<words>::return_clocked_credit(const RouterPart& part, NodeId node, int in) const {
  const int in_index = shape_.port_index(in), channel = shape_.number(in);
  if (in_index == local_)
    return give_credit(part, node, times(node).cycle * router::source_credit, {{}, Set::range(channel, 1)});
  const FarPort& from = upstream(node, in_index);
  const NodeId sender = upstream_node(node, in_index);
  const int steps = credit_over_clocked(sender, far_out_index(node, in_index), from.delay);
  if (from.is_terminal()) give_credit(part, sender, steps, {{}, Set::range(channel, 1)});
  else give_credit(part, sender, steps, {Set::range(in + from.shift, 1), {}});
}

template <int words>
void RouterEngine<words>::give_credit(const RouterPart& part, NodeId to, int steps, const Credits& credit) const {
  PendingEvents& then = part.ahead(steps);
  const NodeId lane = partition_.lane(part.nodes, to);
  const Credits& before = then.credits[lane];
  if (!(before.outputs & credit.outputs).empty() || !(before.source & credit.source).empty()) {
    then.more_credits.emplace_back(to, credit);
    then.calendar.mark();
  } else {
    credit.outputs.for_each([&](int out) { then.to_output(lane, out); });
    credit.source.for_each([&](int channel) { then.to_source(lane, channel); });
  }
}

/// A cycle of the processor and one of the sender; in the local port of a router, both are the same clock.
template <int words>
int RouterEngine<words>::terminal_credit(NodeId node, int out_index, int arrival) const {
  if (clocked_.empty()) return arrival + router::terminal_credit + credit_extra_;
  const int sender = times(node).cycle;
  if (out_index == local_) return arrival + sender * (router::terminal_credit + credit_extra_);
  const int receiver = clocked(node, out_index).crossing().receiver;
  return credit_over_clocked(node, out_index,
                             arrival + receiver + sender * (router::terminal_credit - 1 + credit_extra_));
}

template <int words>
void RouterEngine<words>::promise_link(NodeId node, int out_index) {
  const Times& of_router = times(node);
  clocked(node, out_index).promise(now_ + of_router.request_to_link - of_router.link_entry);
}

template <int words>
bool RouterEngine<words>::is_full(NodeId node, int out_index) {
  return !clocked_.empty() && clocked(node, out_index).is_full(now_);
}

template std::vector<router::ClockedLink> RouterEngine<1>::clocked_links() const;
template void RouterEngine<1>::defer(RouterPart&, WakeCalendar::Bitmap&);
template int RouterEngine<1>::send_over_clocked(NodeId, int, int, int);
template int RouterEngine<1>::credit_over_clocked(NodeId, int, int) const;
template void RouterEngine<1>::return_clocked_credit(const RouterPart&, NodeId, int) const;
template void RouterEngine<1>::give_credit(const RouterPart&, NodeId, int, const Credits&) const;
template int RouterEngine<1>::terminal_credit(NodeId, int, int) const;
template void RouterEngine<1>::promise_link(NodeId, int);
template bool RouterEngine<1>::is_full(NodeId, int);
template std::vector<router::ClockedLink> RouterEngine<router::any_words>::clocked_links() const;
template void RouterEngine<router::any_words>::defer(RouterPart&, WakeCalendar::Bitmap&);
template int RouterEngine<router::any_words>::send_over_clocked(NodeId, int, int, int);
template int RouterEngine<router::any_words>::credit_over_clocked(NodeId, int, int) const;
template void RouterEngine<router::any_words>::return_clocked_credit(const RouterPart&, NodeId, int) const;
template void RouterEngine<router::any_words>::give_credit(const RouterPart&, NodeId, int, const Credits&) const;
template int RouterEngine<router::any_words>::terminal_credit(NodeId, int, int) const;
template void RouterEngine<router::any_words>::promise_link(NodeId, int);
template bool RouterEngine<router::any_words>::is_full(NodeId, int);

}  // namespace starloom::links
