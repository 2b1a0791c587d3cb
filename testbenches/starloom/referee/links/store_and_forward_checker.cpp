// SPDX-License-Identifier: Apache-2.0
#include <starloom/referee/links/store_and_forward_checker.hpp>

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
  if (s.slot != in_memory) context_.reject(row, "is injected a second time");
  check_departure(row, s);
  s = {row.step, row.node, in_buffers};
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
  if (staying_) staying_->arrive(row.to, s.ready);
}

void StoreAndForwardChecker::consume(const TraceRow& row) { end_of_packet(row, leave(row)); }

}  // namespace starloom::links
