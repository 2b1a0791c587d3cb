// SPDX-License-Identifier: Apache-2.0
#include <starloom/referee/links/server_audit.hpp>

#include <algorithm>
#include <string>

namespace starloom::links {

ServerAudit::ServerAudit(const CheckContext& context)
    : context_(context), clients_(static_cast<std::size_t>(context.graph().nodes())), servers_(clients_.size()) {
  for (const NodeId node : rules().servers) server(node).exists = true;
  std::int64_t first = rules().outstanding;
  if (rules().requests > 0) first = std::min(first, rules().requests);
  for (const NodeId node : rules().clients) client(node).due.assign(static_cast<std::size_t>(first), 0);
}

void ServerAudit::announce(PacketId packet) {
  const Packet& facts = context_.packet(packet);
  order_.resize(static_cast<std::size_t>(packet) + 1, 0);
  checked_.resize(order_.size(), false);
  order_.back() = facts.reply ? server(facts.source).announced++ : client(facts.source).announced++;
}

/// The deliveries and departures of a step count when it is over. Requests that are delivered together are served in
/// the order of their numbers.
void ServerAudit::begin(Step step) {
  if (step == step_) return;
  std::sort(delivered_.begin(), delivered_.end());
  for (const PacketId packet : delivered_) {
    const Packet& facts = context_.packet(packet);
    if (!facts.reply) {
      create_replies(server(facts.destination), step_);
      server(facts.destination).waiting.emplace_back(step_, packet);
      continue;
    }
    std::vector<Step>& due = client(facts.destination).due;
    if (rules().requests == 0 || static_cast<std::int64_t>(due.size()) < rules().requests)
      due.push_back(step_ + rules().think);
  }
  for (const NodeId node : left_) {
    Server& of_reply = server(node);
    create_replies(of_reply, step_);
    if (of_reply.unsent-- == rules().unsent) of_reply.open_from = step_ + 1;
  }
  delivered_.clear();
  left_.clear();
  step_ = step;
}

bool ServerAudit::take_way(Server& of_requests, Step delivered, Step& start) const {
  start = delivered;
  if (!of_requests.free.empty()) {
    start = std::max(delivered, of_requests.free.top());
    of_requests.free.pop();
    return true;
  }
  if (rules().ways > 0 && of_requests.ways == rules().ways) return false;
  ++of_requests.ways;
  return true;
}

/// Computes the replies that are created up to a step, from the events before it.
void ServerAudit::create_replies(Server& of_requests, Step until) {
  while (true) {
    for (Step start = 0;
         !of_requests.waiting.empty() && take_way(of_requests, of_requests.waiting.front().first, start);
         of_requests.waiting.pop_front()) {
      const auto [delivered, request] = of_requests.waiting.front();
      of_requests.served.emplace(start + rules().service, delivered, request);
    }
    if (of_requests.served.empty() || (rules().unsent > 0 && of_requests.unsent >= rules().unsent)) return;
    const auto [end, delivered, request] = *of_requests.served.begin();
    const Step created = std::max(end, of_requests.open_from);
    if (created > until) return;
    of_requests.served.erase(of_requests.served.begin());
    of_requests.free.push(created);
    of_requests.replies.push_back({created, context_.packet(request).source});
    ++of_requests.unsent;
  }
}

void ServerAudit::inject(const TraceRow& row) {
  begin(row.step);
  const Packet& facts = context_.packet(row.packet);
  if (!checked_[static_cast<std::size_t>(row.packet)]) check(row.packet);
  if (facts.reply && row.flit + 1 == facts.flits) left_.push_back(facts.source);
}

void ServerAudit::check(PacketId packet) {
  const Packet& facts = context_.packet(packet);
  const std::int64_t order = order_[static_cast<std::size_t>(packet)];
  checked_[static_cast<std::size_t>(packet)] = true;
  const auto reject = [&](const std::string& text) { context_.reject(facts.created, facts.source, packet, 0, text); };
  const std::string kind = facts.reply ? "reply " : "request ";
  const std::int32_t flits = facts.reply ? rules().reply_flits : rules().request_flits;
  if (facts.flits != flits)
    reject("has " + std::to_string(facts.flits) + " flits, but is a " + kind + "of " + std::to_string(flits));
  Step created = no_step;
  if (facts.reply) {
    Server& sender = server(facts.source);
    create_replies(sender, step_);
    if (order < static_cast<std::int64_t>(sender.replies.size())) {
      const Reply& reply = sender.replies[static_cast<std::size_t>(order)];
      created = reply.created;
      if (reply.client != facts.destination)
        reject("goes to " + context_.node_name(facts.destination) + ", but the request that is served came from " +
               context_.node_name(reply.client));
    }
  } else {
    if (!server(facts.destination).exists || facts.destination == facts.source)
      reject("is a request to " + context_.node_name(facts.destination) + ", which is not another server");
    const std::vector<Step>& due = client(facts.source).due;
    if (order < static_cast<std::int64_t>(due.size())) created = due[static_cast<std::size_t>(order)];
  }
  if (created == facts.created) return;
  reject("is " + kind + std::to_string(order) + " of its node, which is due " +
         (created == no_step ? "later" : "in step " + std::to_string(created)));
}

void ServerAudit::consume(const TraceRow& row) {
  begin(row.step);
  if (row.event != TraceEvent::eject) return;
  const Packet& facts = context_.packet(row.packet);
  if (!facts.reply && row.flit == 0) {
    Server& of_requests = server(facts.destination);
    create_replies(of_requests, row.step);
    const std::int64_t open = of_requests.heads++ - static_cast<std::int64_t>(of_requests.replies.size());
    if (rules().queue > 0 && open >= rules().queue)
      context_.reject(row, "is consumed although " + std::to_string(open) + " requests there have no reply, and " +
                               std::to_string(rules().queue) + " have room");
  }
  if (row.flit + 1 == facts.flits) delivered_.push_back(row.packet);
}

void ServerAudit::finish(Step last) {
  begin(last + 1);
  for (std::size_t packet = 0; packet < checked_.size(); ++packet)
    if (!checked_[packet]) check(static_cast<PacketId>(packet));
  for (const NodeId node : rules().servers) {
    create_replies(server(node), last);
    const Server& sender = server(node);
    const auto announced = static_cast<std::size_t>(sender.announced);
    if (announced < sender.replies.size() && sender.replies[announced].created <= last)
      CheckContext::reject(
          sender.replies[announced].created, node, context_.node_name(node),
          "creates no reply to " + context_.node_name(sender.replies[announced].client) + ", although one is due");
  }
  for (const NodeId node : rules().clients) {
    const Client& sender = client(node);
    const auto announced = static_cast<std::size_t>(sender.announced);
    if (announced < sender.due.size() && sender.due[announced] <= last)
      CheckContext::reject(sender.due[announced], node, context_.node_name(node),
                           "creates no request, although one is due");
  }
}

}  // namespace starloom::links
