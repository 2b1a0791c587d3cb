// SPDX-License-Identifier: Apache-2.0
#include <starloom/referee/links/attempt_audit.hpp>

#include <algorithm>
#include <string>
#include <tuple>

namespace starloom::links {

AttemptAudit::AttemptAudit(const CheckContext& context)
    : context_(context), latencies_(context.graph()), attempts_(context.rules().errors->repetition().attempts) {}

void AttemptAudit::declare(PacketId attempt, PacketId first) {
  const auto reject = [&](const std::string& text) {
    CheckContext::reject(0, no_node, "the network", "packet " + std::to_string(attempt) + " " + text);
  };
  if (first < 0 || first >= attempt || attempts_.is_later(first))
    reject("is an attempt of packet " + std::to_string(first) + ", which is not an earlier first attempt");
  if (attempts_.are_used_up(first))
    reject("is one attempt of packet " + std::to_string(first) + " more than " + std::to_string(attempts_.most()));
  attempts_.add(attempt, first);
}

void AttemptAudit::inject(const TraceRow& row) {
  if (row.flit > 0) return;
  const auto packet = static_cast<std::size_t>(row.packet);
  if (packet >= injected_.size()) injected_.resize(packet + 1, no_step);
  injected_[packet] = row.step;
}

void AttemptAudit::finish(Step last, const Losses& lost) {
  for (const auto& [attempt, first] : attempts_.firsts()) check_facts(attempt, first);
  for (PacketId packet = 0; packet < context_.packets(); ++packet) {
    if (!context_.packet(packet).exists() || attempts_.is_later(packet)) continue;
    std::vector<PacketId> attempts{packet};
    const std::vector<PacketId>& later = attempts_.later_of(packet);
    attempts.insert(attempts.end(), later.begin(), later.end());
    check(attempts, last, lost);
  }
}

void AttemptAudit::check_facts(PacketId attempt, PacketId first) const {
  const auto facts_of = [](const Packet& packet) {
    return std::tuple(packet.source, packet.destination, packet.flits, packet.traffic_class, packet.subnet);
  };
  const auto exists = [&](PacketId packet) { return packet < context_.packets() && context_.packet(packet).exists(); };
  if (!exists(attempt) || !exists(first) || facts_of(context_.packet(attempt)) != facts_of(context_.packet(first)))
    CheckContext::reject(0, no_node, "the network",
                         "packet " + std::to_string(attempt) + " is an attempt of packet " + std::to_string(first) +
                             ", but has another source, destination, length, class or subnet");
}

Step AttemptAudit::known(const std::vector<PacketId>& attempts, const Losses& lost) {
  Step arrival = no_step;
  for (const PacketId attempt : attempts) {
    const Step step = lost.count(attempt) > 0 ? no_step : context_.delivered(attempt);
    if (step != no_step && (arrival == no_step || step < arrival)) arrival = step;
  }
  if (arrival == no_step) return no_step;
  const Packet& packet = context_.packet(attempts.front());
  const NetworkGraph& graph = context_.graph();
  return arrival + std::max<Step>(1, latencies_.between(graph.home(packet.source), graph.home(packet.destination)));
}

void AttemptAudit::check(const std::vector<PacketId>& attempts, Step last, const Losses& lost) {
  const Step knows = known(attempts, lost);
  const auto is_known = [knows](Step step) { return knows != no_step && knows <= step; };
  const std::string name = "packet " + std::to_string(attempts.front());
  for (std::size_t number = 1; number < attempts.size(); ++number) {
    const Packet& packet = context_.packet(attempts[number]);
    const auto reject = [&](const std::string& text) {
      context_.reject(packet.created, packet.source, attempts[number], 0, "is created as an attempt of " + name + text);
    };
    const Step before = injected(attempts[number - 1]);
    if (before == no_step) reject(", but the attempt before it was not injected");
    if (const Step due = before + repetition().timeout; packet.created != due)
      reject(", which is due in step " + std::to_string(due));
    if (is_known(packet.created))
      reject(", but its processor knows from step " + std::to_string(knows) + " on that it has arrived");
  }
  const Step before = injected(attempts.back());
  if (before == no_step || attempts_.are_used_up(attempts.front())) return;
  const Step due = before + repetition().timeout;
  if (due <= last && !is_known(due))
    context_.reject(due, context_.packet(attempts.front()).source, attempts.front(), 0,
                    "has no further attempt in this step, but its processor does not know that it has arrived");
}

}  // namespace starloom::links
