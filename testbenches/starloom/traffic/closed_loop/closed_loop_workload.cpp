// SPDX-License-Identifier: Apache-2.0
#include <starloom/traffic/closed_loop/closed_loop_workload.hpp>

#include <algorithm>

#include <starloom/core/most_steps.hpp>

namespace starloom {

ClosedLoopWorkload::ClosedLoopWorkload(std::shared_ptr<const ClosedLoop> loop, std::uint64_t seed)
    : loop_(std::move(loop)),
      seed_(seed),
      clients_(loop_->clients.size()),
      servers_(loop_->servers.size()),
      draws_(loop_->destination == ClosedLoop::Choice::uniform ? clients_.size() : 0) {
  const std::int64_t first = std::min(loop_->outstanding, loop_->requests.value_or(loop_->outstanding));
  for (std::size_t client = 0; client < clients_.size(); ++client) {
    clients_[client].requests = first;
    if (!loop_->first_server.empty()) clients_[client].server = loop_->first_server[client];
    for (std::int64_t i = 0; i < first; ++i) due_.emplace(0, static_cast<std::int32_t>(client), i - first);
  }
}

Step ClosedLoopWorkload::next_creation() const {
  Step next = due_.empty() ? no_step : std::get<0>(*due_.begin());
  if (!next_replies_.empty() && (next == no_step || next_replies_.begin()->first < next))
    next = next_replies_.begin()->first;
  return next;
}

/// Requests that wait get the free ways. \param from the first step in which these are free.
void ClosedLoopWorkload::serve(Server& server, Step from) const {
  for (; !server.waiting.empty() && has_way(server); server.waiting.erase(server.waiting.begin())) {
    const auto [delivered, request] = *server.waiting.begin();
    const Step end = std::min(std::max(delivered, from) + loop_->reply.service, most_steps);
    server.served.emplace(end, delivered, request);
  }
}

/// The step of the next reply, unless a request that is delivered later is served before; no_step: it is not known.
Step ClosedLoopWorkload::next_reply(const Server& server) const {
  if (loop_->reply.unsent > 0 && server.unsent >= loop_->reply.unsent) return no_step;
  Step end = server.served.empty() ? no_step : std::get<0>(*server.served.begin());
  if (!server.waiting.empty() && has_way(server)) {
    const Step first = std::min(server.waiting.begin()->first + loop_->reply.service, most_steps);
    if (end == no_step || first < end) end = first;
  }
  return end == no_step ? no_step : std::max(end, server.open_from);
}

void ClosedLoopWorkload::schedule(std::size_t server) {
  Server& changed = servers_[server];
  const Step next = next_reply(changed);
  if (next == changed.next) return;
  if (changed.next != no_step) next_replies_.erase({changed.next, server});
  if (next != no_step) next_replies_.emplace(next, server);
  changed.next = next;
}

void ClosedLoopWorkload::create(Step step, std::vector<NewMessage>& out) {
  new_.clear();
  for (; !due_.empty() && std::get<0>(*due_.begin()) == step; due_.erase(due_.begin())) {
    const auto [due, client, released_by] = *due_.begin();
    const NodeId node = loop_->clients[static_cast<std::size_t>(client)];
    new_.push_back({node,
                    false,
                    new_.size(),
                    std::max<MessageNumber>(released_by, -1),
                    {client, next_server(client, step), false, released_by < 0 ? new_item() : 0}});
  }
  while (!next_replies_.empty() && next_replies_.begin()->first == step)
    create_replies(next_replies_.begin()->second, step);
  std::sort(new_.begin(), new_.end(), [](const New& a, const New& b) {
    return std::tie(a.node, a.reply, a.order) < std::tie(b.node, b.reply, b.order);
  });
  for (New& created : new_) {
    Sent& sent = created.sent;
    if (created.released_by >= 0)
      sent.item = dependant_[static_cast<std::size_t>(sent_[static_cast<std::size_t>(created.released_by)].item)];
    const std::int64_t dependant = new_item();
    dependant_[static_cast<std::size_t>(sent.item)] = dependant;
    const NodeId client = loop_->clients[static_cast<std::size_t>(sent.client)];
    const NodeId server = loop_->servers[static_cast<std::size_t>(sent.server)];
    NewMessage message;
    message.item = sent.item;
    message.released_by = created.released_by;
    message.of_input.cycle = step;
    message.of_input.reply = sent.reply;
    message.of_input.source = sent.reply ? server : client;
    message.of_input.destination = sent.reply ? client : server;
    message.of_input.flits = sent.reply ? loop_->reply.flits : loop_->request_flits;
    if (sent.reply) message.of_input.traffic_class = static_cast<std::uint8_t>(loop_->reply.traffic_class);
    out.push_back(std::move(message));
    sent_.push_back(sent);
  }
}

/// All requests that were delivered before `step` are known.
void ClosedLoopWorkload::create_replies(std::size_t server, Step step) {
  Server& of_replies = servers_[server];
  serve(of_replies, 0);
  while (next_reply(of_replies) == step) {
    const MessageNumber request = std::get<2>(*of_replies.served.begin());
    of_replies.served.erase(of_replies.served.begin());
    if (loop_->reply.unsent > 0) ++of_replies.unsent;
    new_.push_back({loop_->servers[server],
                    true,
                    new_.size(),
                    request,
                    {sent_[static_cast<std::size_t>(request)].client, static_cast<std::int32_t>(server), true}});
    serve(of_replies, step);
  }
  schedule(server);
}

std::int64_t ClosedLoopWorkload::new_item() {
  dependant_.push_back(-1);
  return static_cast<std::int64_t>(dependant_.size()) - 1;
}

std::int32_t ClosedLoopWorkload::next_server(std::int32_t client, Step step) {
  if (loop_->destination == ClosedLoop::Choice::uniform) return random_server(client, step);
  std::size_t& server = clients_[static_cast<std::size_t>(client)].server;
  if (loop_->destination == ClosedLoop::Choice::nearest) return static_cast<std::int32_t>(server);
  const std::size_t count = loop_->servers.size();
  if (loop_->servers[server] == loop_->clients[static_cast<std::size_t>(client)]) server = (server + 1) % count;
  return static_cast<std::int32_t>(std::exchange(server, (server + 1) % count));
}

std::int32_t ClosedLoopWorkload::random_server(std::int32_t client, Step step) {
  const NodeId node = loop_->clients[static_cast<std::size_t>(client)];
  Draws& draws = draws_[static_cast<std::size_t>(client)];
  if (draws.step != step) {
    draws.step = step;
    draws.words.emplace(seed_, Purpose::destination, node, step);
  }
  while (true) {
    const std::uint32_t server = draws.words->bounded(static_cast<std::uint32_t>(servers_.size()));
    if (loop_->servers[server] != node) return static_cast<std::int32_t>(server);
  }
}

void ClosedLoopWorkload::delivered(MessageNumber message, Step step) {
  const Sent& sent = sent_[static_cast<std::size_t>(message)];
  if (!sent.reply) {
    servers_[static_cast<std::size_t>(sent.server)].waiting.emplace(step, message);
    return schedule(static_cast<std::size_t>(sent.server));
  }
  Client& client = clients_[static_cast<std::size_t>(sent.client)];
  const Due due{std::min(step + loop_->think, most_steps), sent.client, message};
  if (!loop_->requests || client.requests < *loop_->requests) {
    ++client.requests;
    due_.insert(due);
    return;
  }
  // If several replies are delivered in one step, those with the lowest numbers release the last requests.
  const auto behind = due_.upper_bound(due);
  if (behind == due_.end() || std::get<0>(*behind) != std::get<0>(due) || std::get<1>(*behind) != sent.client) return;
  auto last = behind;
  for (auto next = behind;
       next != due_.end() && std::get<0>(*next) == std::get<0>(due) && std::get<1>(*next) == sent.client; ++next)
    last = next;
  due_.erase(last);
  due_.insert(due);
}

void ClosedLoopWorkload::left(MessageNumber message, Step step) {
  const Sent& sent = sent_[static_cast<std::size_t>(message)];
  if (!sent.reply) return;
  Server& server = servers_[static_cast<std::size_t>(sent.server)];
  if (server.unsent-- == loop_->reply.unsent) server.open_from = step + 1;
  schedule(static_cast<std::size_t>(sent.server));
}

std::optional<std::int64_t> ClosedLoopWorkload::message_count() const {
  if (!loop_->requests) return std::nullopt;
  return 2 * *loop_->requests * static_cast<std::int64_t>(clients_.size());
}

std::string ClosedLoopWorkload::flow(const Item& item) const {
  return std::string(item.reply ? ClosedLoop::reply_class : ClosedLoop::request_class) + " " +
         std::to_string(item.source) + "->" + std::to_string(item.destination);
}

std::vector<std::string> ClosedLoopWorkload::waiting(std::size_t most) const {
  std::vector<std::string> lines;
  for (std::size_t server = 0; server < servers_.size() && lines.size() < most; ++server) {
    const Server& full = servers_[server];
    if (loop_->reply.unsent == 0 || full.unsent < loop_->reply.unsent) continue;
    const std::size_t held = full.waiting.size() + full.served.size();
    lines.push_back("the server in node " + std::to_string(loop_->servers[server]) + " has " +
                    std::to_string(full.unsent) + (full.unsent == 1 ? " reply" : " replies") +
                    " that it has not sent, and " + std::to_string(held) + (held == 1 ? " request" : " requests") +
                    " without a reply");
  }
  return lines;
}

}  // namespace starloom
