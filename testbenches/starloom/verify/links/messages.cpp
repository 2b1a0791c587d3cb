// SPDX-License-Identifier: Apache-2.0
#include <starloom/verify/links/messages.hpp>

#include <algorithm>
#include <string>
#include <utility>

#include <starloom/support/error.hpp>
#include <starloom/verify/latency_metrics.hpp>

namespace starloom::links {

RunMessages::RunMessages(const std::filesystem::path& folder, PacketTable& table, Numbering numbering, bool closed_loop)
    : table_(table),
      messages_(folder / "messages.csv", table, numbering),
      critical_path_(read_critical_path(folder / "critical_path.csv")) {
  for (Packet& packet : table.packets) packet.reply = !numbering.has_gaps();
  each([&](const MessageRow& message, std::size_t first_packet, std::size_t count) {
    for (std::size_t packet = first_packet; packet < first_packet + count; ++packet)
      table.packets[packet].reply = closed_loop && message.traffic_class == "reply";
  });
}

void RunMessages::announce_to(Referee& referee) const {
  std::vector<std::vector<std::int64_t>> released(messages_.size());
  for (std::size_t number = 0; number < messages_.size(); ++number)
    if (const std::int64_t by = messages_[number].released_by; by >= 0)
      released[static_cast<std::size_t>(by)].push_back(static_cast<std::int64_t>(number));
  for (std::size_t number = 0; number < messages_.size(); ++number)
    if (messages_[number].exists())
      referee.message(static_cast<std::int64_t>(number), static_cast<std::int64_t>(messages_.packet_count(number)),
                      std::move(released[number]));
}

void RunMessages::compare(Comparison& comparison, const RunFacts& facts) const {
  std::int64_t delivered = 0;
  for (std::size_t number = 0; number < messages_.size(); ++number) {
    if (!messages_[number].exists()) continue;
    const Step last = table_.delivered[messages_.last_packet(number, table_)];
    delivered += last == no_step ? 0 : 1;
    comparison.require(last == messages_[number].delivered,
                       "messages.csv: message " + std::to_string(number) +
                           (last == no_step ? " has a packet that was not delivered"
                                            : " was delivered in step " + std::to_string(last) + ", by its packets"));
  }
  comparison.expect("workload.messages.delivered", delivered);
  compare_critical_path(comparison);
  if (facts.rules.closed_loop) compare_closed_loop(comparison, facts);
}

/// Where the algorithm decides which ports packets leave by, the files do not show what is ideal.
void RunMessages::compare_critical_path(Comparison& comparison) const {
  const auto require = [&comparison](bool holds, const std::string& text) {
    comparison.require(holds, "critical_path.csv: " + text);
  };
  std::int64_t last = -1;
  Step delivered = no_step;
  for (std::size_t number = 0; number < messages_.size(); ++number)
    if (messages_[number].exists() && messages_[number].delivered > delivered) {
      delivered = messages_[number].delivered;
      last = static_cast<std::int64_t>(number);
    }
  require((critical_path_.empty() ? -1 : critical_path_.back().message) == last,
          "the chain does not end with the last delivery");
  std::int64_t before = -1;
  Step from = 0;
  for (const CriticalMessage& entry : critical_path_) {
    const std::string name = "message " + std::to_string(entry.message);
    const bool exists = entry.message < static_cast<std::int64_t>(messages_.size());
    require(exists, name + " does not exist");
    if (!exists) return;
    const MessageRow& message = messages_[static_cast<std::size_t>(entry.message)];
    require(message.released_by == before, name + " was not released by the message before it");
    require(entry.compute == message.created - from, name + " has other steps before its creation");
    require(entry.ideal + entry.contention == message.delivered - message.created, name + " has another latency");
    before = entry.message;
    from = message.delivered;
  }
}

/// With phases, the replies that are delivered in the measured steps. A run that ends early does not measure all.
void RunMessages::compare_closed_loop(Comparison& comparison, const RunFacts& facts) const {
  std::vector<Step> round_trips;
  Step last = 0;
  for (std::size_t number = 0; number < messages_.size(); ++number) {
    const MessageRow& reply = messages_[number];
    if (reply.delivered != no_step) last = std::max(last, reply.delivered);
    if (reply.traffic_class != "reply" || reply.delivered < facts.measured_from) continue;
    if (facts.measured_to != no_step && reply.delivered >= facts.measured_to) continue;
    comparison.require(reply.released_by >= 0, "messages.csv: a reply has no request");
    if (reply.released_by < 0) return;
    round_trips.push_back(reply.delivered - messages_[static_cast<std::size_t>(reply.released_by)].created);
  }
  const std::string section = "workload.closed_loop.";
  const auto count = static_cast<std::int64_t>(round_trips.size());
  comparison.expect(section + "replies", count);
  const Step steps = facts.phases ? facts.measured_to - facts.measured_from : last;
  if (facts.outcome == Outcome::completed && steps > 0)
    comparison.expect_number(section + "rate", static_cast<double>(count) / static_cast<double>(steps));
  if (count > 0) compare_distribution(comparison, section + "round_trip", std::move(round_trips));
}

}  // namespace starloom::links
