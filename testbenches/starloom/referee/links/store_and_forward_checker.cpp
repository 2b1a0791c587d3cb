// SPDX-License-Identifier: Apache-2.0
#include <starloom/referee/links/store_and_forward_checker.hpp>

#include <algorithm>

namespace starloom::links {

StoreAndForwardChecker::StoreAndForwardChecker(CheckContext& context) : StorageChecker(context) {
  const RefereeRules& rules = context.rules();
  if (rules.bound > 0 || !rules.residents.empty())
    staying_.emplace(static_cast<std::size_t>(context.graph().nodes()), context.graph().greatest_latency());
}

void StoreAndForwardChecker::check_bound(NodeId node, std::int32_t stay, Step step) const {
  const RefereeRules& rules = context_.rules();
  const std::int32_t most = rules.residents.empty() ? rules.bound : rules.residents[static_cast<std::size_t>(node)];
  if (stay <= most || context_.foreign(node)) return;
  CheckContext::reject(
      step, node, context_.node_name(node),
      std::to_string(stay) + " packets stay at the end of the step, more than the bound of " + std::to_string(most));
}

void StoreAndForwardChecker::begin_step(Step step) {
  if (staying_)
    staying_->open(step, [this](NodeId node, std::int32_t count, Step at) { check_bound(node, count, at); });
}

void StoreAndForwardChecker::end_step(Step /*step*/) {
  if (staying_) staying_->close([this](NodeId node, std::int32_t count, Step at) { check_bound(node, count, at); });
}

void StoreAndForwardChecker::inject(const TraceRow& row) {
  State& s = state(row);
  if (s.slot == dropped) context_.reject(row, "is injected, but its packet has vanished");
  if (s.slot != in_memory) context_.reject(row, "is injected a second time");
  check_departure(row, s);
  s = {row.step, row.node, from_memory};
  if (staying_) staying_->arrive(row.node, row.step);
}

StorageChecker::State& StoreAndForwardChecker::leave(const TraceRow& row) {
  State& s = in_network(row);
  if (row.node != s.node) context_.reject(row, "moves, but it is in " + context_.node_name(s.node));
  if (row.step < s.ready)
    context_.reject(row, "moves before step " + std::to_string(s.ready) + ", when it is readable");
  if (staying_) staying_->leave(row.node);
  return s;
}

void StoreAndForwardChecker::hop(const TraceRow& row, LinkId link) {
  State& s = leave(row);
  s.node = row.to;
  s.ready = row.step + context_.latency(link);
  s.slot = over(link);
  if (staying_) staying_->arrive(row.to, s.ready);
}

void StoreAndForwardChecker::consume(const TraceRow& row) { end_of_packet(row, leave(row)); }

/// A packet on a link vanishes where it entered that.
void StoreAndForwardChecker::drop(const TraceRow& row) {
  State& s = in_network(row);
  const LinkId link = on_link(s, row.step);
  if (const NodeId there = link >= 0 ? context_.near_end(link) : s.node; there != row.node)
    context_.reject(row, "vanishes, but it is " +
                             (link >= 0 ? "on " + context_.link_name(link) : "in " + context_.node_name(there)));
  if (staying_) staying_->leave(s.node);
  s = {row.step, row.node, dropped};
}

bool StoreAndForwardChecker::uses(const TraceRow& row, const std::vector<FaultEvent>& deaths) const {
  const LinkId link = on_link(state(row), row.step);
  return std::any_of(deaths.begin(), deaths.end(), [&](const FaultEvent& death) {
    if (death.port == no_port) return link < 0 && row.node == death.node;
    return death.port != context_.graph().ports() && link == context_.link(death.node, death.port);
  });
}

void StoreAndForwardChecker::check_death(const FaultEvent& death) const {
  if (death.port == context_.graph().ports()) return;
  for_each_in_network([&](PacketId packet, const State& s) {
    const LinkId link = on_link(s, death.step);
    if (death.port == no_port ? link < 0 && s.node == death.node : link == context_.link(death.node, death.port))
      context_.reject(death.step, death.node, packet, 0,
                      std::string("is ") + (death.port == no_port ? "in a router" : "on a link") +
                          " that dies, but does not vanish");
  });
}

}  // namespace starloom::links
