// SPDX-License-Identifier: Apache-2.0
#include <starloom/referee/links/reply_audit.hpp>

#include <algorithm>
#include <string>

namespace starloom::links {

void ReplyAudit::announce(PacketId packet) {
  const Packet& facts = context_.packet(packet);
  const bool may_answer = std::any_of(classes().begin(), classes().end(), [&](const RefereeRules::Class& of_requests) {
    return of_requests.reply && of_requests.reply->traffic_class == facts.traffic_class;
  });
  if (may_answer) in_memory_[facts_of(facts)].push_back(packet);
}

/// Among packets with the same facts, replies are the last ones: sources create theirs first.
void ReplyAudit::inject(const TraceRow& row) {
  const auto alike = in_memory_.find(facts_of(context_.packet(row.packet)));
  if (row.flit == 0 && alike != in_memory_.end()) {
    const auto requests = unanswered_.find(alike->first);
    if (requests != unanswered_.end() && alike->second.size() <= requests->second.size()) {
      replies_[row.packet] = requests->second.front().traffic_class;
      requests->second.erase(requests->second.begin());
      if (requests->second.empty()) unanswered_.erase(requests);
    }
    std::vector<PacketId>& packets = alike->second;
    packets.erase(std::remove(packets.begin(), packets.end(), row.packet), packets.end());
    if (packets.empty()) in_memory_.erase(alike);
  }
  if (const auto reply = replies_.find(row.packet); reply != replies_.end() && is_tail(row))
    left_.push_back({row.step, home(row.node), reply->second});
}

void ReplyAudit::consume(const TraceRow& row) {
  const auto before =
      std::partition(left_.begin(), left_.end(), [&](const Left& left) { return left.step == row.step; });
  for (auto left = before; left != left_.end(); ++left) --open(left->node, left->request_class);
  left_.erase(before, left_.end());

  const Packet& packet = context_.packet(row.packet);
  const auto& reply = classes()[packet.traffic_class].reply;
  const bool answers = replies_.count(row.packet) != 0;
  if (answers && is_tail(row)) replies_.erase(row.packet);
  if (answers || !reply) return;
  if (row.flit == 0 && reply->places > 0 && ++open(home(row.node), packet.traffic_class) > reply->places)
    context_.reject(row, "is consumed although the replies to " + std::to_string(reply->places) +
                             " requests of its class have not left the node");
  if (is_tail(row))
    unanswered_[{row.step + reply->service, home(packet.destination), home(packet.source), reply->traffic_class,
                 reply->flits}]
        .push_back({row.packet, packet.traffic_class});
}

void ReplyAudit::finish(Step last) const {
  for (const auto& [facts, requests] : unanswered_) {
    const auto alike = in_memory_.find(facts);
    const std::size_t there = alike == in_memory_.end() ? 0 : alike->second.size();
    const auto& [created, node, to, number, flits] = facts;
    if (created <= last && there < requests.size())
      context_.reject(created, node, requests[there].packet, 0,
                      "has no reply of " + std::to_string(flits) + " flits of class " + std::to_string(number));
  }
}

}  // namespace starloom::links
