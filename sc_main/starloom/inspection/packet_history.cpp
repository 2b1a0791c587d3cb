// SPDX-License-Identifier: Apache-2.0
#include <starloom/inspection/packet_history.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numeric>
#include <starloom/support/numbers.hpp>

namespace starloom {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_named = 8;  ///< packets that a line of text names

std::string behind_text(const std::vector<PacketId>& behind) {
  if (behind.empty()) return "";
  const std::size_t named = std::min(behind.size(), most_named);
  const std::string list =
      fmt::format("{}", fmt::join(behind.begin(), behind.begin() + static_cast<std::ptrdiff_t>(named), ", "));
  const std::string more = behind.size() > named ? fmt::format(" and {} more", behind.size() - named) : "";
  return fmt::format(", behind packet{} {}{}", behind.size() == 1 ? "" : "s", list, more);
}

std::string wait_text(const Wait& wait, const std::string& clock) {
  return fmt::format("  {} {:>6}  {:>5}  {}{}{}{}\n", clock, wait.from, wait.to - wait.from, name_of(wait.cause),
                     wait.what.empty() ? "" : " for " + wait.what, behind_text(wait.behind),
                     wait.reason.empty() ? "" : ": " + wait.reason);
}

/// Steps by cause, in the order of the causes.
std::vector<std::pair<WaitCause, Step>> sums(const PacketHistory& history) {
  std::array<Step, std::size(wait_cause_names)> by_cause{};
  for (const Wait& wait : history.waits) by_cause[static_cast<std::size_t>(wait.cause)] += wait.to - wait.from;
  std::vector<std::pair<WaitCause, Step>> found;
  for (std::size_t cause = 0; cause < by_cause.size(); ++cause)
    if (by_cause[cause] > 0) found.emplace_back(static_cast<WaitCause>(cause), by_cause[cause]);
  return found;
}

/// `latency 12 = distance 4 + 8 contention`
std::string sum_text(const PacketHistory& history) {
  std::string text = fmt::format("distance {}", history.distance);
  for (const auto& [cause, steps] : sums(history)) text += fmt::format(" + {} {}", name_of(cause), steps);
  return history.delivered == no_step ? fmt::format("never delivered: {}", text)
                                      : fmt::format("latency {} = {}", history.latency(), text);
}

/// `message 8, flow done: created 5 steps after message 5 (flow result) was delivered with packet 5`
std::string message_text(const PacketHistory& history, const std::string& clock) {
  const MessageOfPacket& message = *history.message;
  const std::string name = fmt::format("message {}, flow {}: ", message.number, message.flow);
  if (!message.released_by) return name + "waited for no other message\n";
  const MessageOfPacket::Release& by = *message.released_by;
  return name + fmt::format("created {} after packet {} completed message {}, flow {}, in {} {}\n",
                            counted(history.created - by.step, clock), by.packet, by.message, by.flow, clock, by.step);
}

Json to_json(const MessageOfPacket& message) {
  Json by;
  if (message.released_by)
    by = {{"message", message.released_by->message},
          {"flow", message.released_by->flow},
          {"packet", message.released_by->packet},
          {"delivered", message.released_by->step}};
  return {{"message", message.number}, {"flow", message.flow}, {"released_by", std::move(by)}};
}

Json step_json(Step step) { return step == no_step ? Json(nullptr) : Json(step); }

Json to_json(const PacketHistory& history) {
  Json waits = Json::array(), path = Json::array(), by_cause = Json::object();
  for (const Wait& wait : history.waits) {
    waits.push_back({{"node", wait.node},
                     {"from", wait.from},
                     {"to", wait.to},
                     {"for", wait.what.empty() ? Json(nullptr) : Json(wait.what)},
                     {"cause", name_of(wait.cause)},
                     {"behind", wait.behind}});
    if (!wait.reason.empty()) waits.back()["reason"] = wait.reason;
  }
  for (const Carried& carried : history.path) path.push_back({{"step", carried.step}, {"over", carried.what}});
  for (const auto& [cause, steps] : sums(history)) by_cause[std::string(name_of(cause))] = steps;
  Json json = {{"packet", history.packet},
               {"created", history.created},
               {"delivered", step_json(history.delivered)},
               {"latency", step_json(history.latency())},
               {"distance", history.distance},
               {"waits", waits},
               {"by_cause", by_cause},
               {"way", path}};
  if (history.message) json.update(to_json(*history.message));
  if (const auto& lost = history.lost)
    json["lost"] = {{"cause", lost->cause},
                    {"step", lost->step},
                    {"node", lost->node},
                    {"fault", lost->fault.empty() ? Json(nullptr) : Json(lost->fault)}};
  if (const auto& attempt = history.attempt)
    json["attempt"] = {{"number", attempt->number},
                       {"of", attempt->first},
                       {"next", attempt->next == no_packet ? Json(nullptr) : Json(attempt->next)}};
  return json;
}

Json to_json(const std::vector<WaitLocation>& locations) {
  Json list = Json::array();
  for (const WaitLocation& location : locations) list.push_back({{"name", location.name}, {"waited", location.waited}});
  return list;
}

std::string locations_text(const WaitingOverview& overview, const std::vector<WaitLocation>& locations,
                           const std::string& clock) {
  std::string text;
  for (const WaitLocation& location : locations) text += fmt::format("  {:>8}  {}\n", location.waited, location.name);
  if (!text.empty()) return text;
  const bool left = std::any_of(overview.latest.begin(), overview.latest.end(),
                                [](const PacketHistory& history) { return history.delivered == no_step; });
  return left ? "  none; packets that are still waiting are not counted here\n"
              : fmt::format("  none: no packet waited a {}\n", clock);
}

}  // namespace

std::vector<WaitLocation> most_expensive(std::vector<WaitLocation> locations) {
  std::stable_sort(locations.begin(), locations.end(),
                   [](const WaitLocation& a, const WaitLocation& b) { return a.waited > b.waited; });
  locations.resize(std::min(locations.size(), overview_size));
  while (!locations.empty() && locations.back().waited == 0) locations.pop_back();
  return locations;
}

std::vector<PacketId> slowest(const std::vector<Step>& created, const std::vector<Step>& delivered, Step end) {
  std::vector<PacketId> packets(created.size());
  std::iota(packets.begin(), packets.end(), 0);
  const auto took = [&](PacketId packet) {
    const auto at = static_cast<std::size_t>(packet);
    return (delivered[at] == no_step ? end : delivered[at]) - created[at];
  };
  packets.erase(std::remove_if(packets.begin(), packets.end(),
                               [&](PacketId packet) { return created[static_cast<std::size_t>(packet)] == no_step; }),
                packets.end());
  const auto count = static_cast<std::ptrdiff_t>(std::min(packets.size(), overview_size));
  std::partial_sort(packets.begin(), packets.begin() + count, packets.end(),
                    [&](PacketId a, PacketId b) { return took(a) != took(b) ? took(a) > took(b) : a < b; });
  packets.resize(static_cast<std::size_t>(count));
  return packets;
}

/// `lost in step 0: dead-destination, node_r00_c01`; `lost in step 20 in node_r03_c04: cut, link_r03_c04_west`
std::string lost_text(const LossOfPacket& lost, const std::string& clock) {
  return fmt::format("lost in {} {}{}: {}{}", clock, lost.step, lost.place.empty() ? "" : " in " + lost.place,
                     lost.cause, lost.fault.empty() ? "" : ", " + lost.fault);
}

/// `, attempt 2 of packet 7`
std::string attempt_text(const PacketHistory& history) {
  if (!history.attempt || history.attempt->number == 1) return "";
  return fmt::format(", attempt {} of packet {}", history.attempt->number, history.attempt->first);
}

std::string history_text(const PacketHistory& history, const std::string& clock) {
  std::string text =
      fmt::format("packet {}{}, {}, from {} to {}: created in {} {}, {}\n", history.packet, attempt_text(history),
                  counted(history.flits, "flit"), history.source,
                  history.destinations == 1
                      ? history.destination
                      : fmt::format("{}, the last of {} destinations", history.destination, history.destinations),
                  clock, history.created,
                  history.lost                   ? lost_text(*history.lost, clock)
                  : history.delivered == no_step ? "never delivered"
                                                 : fmt::format("delivered in {} {}", clock, history.delivered));
  if (history.attempt && history.attempt->next != no_packet)
    text +=
        fmt::format("sent again as packet {} in {} {}\n", history.attempt->next, clock, history.attempt->next_created);
  if (history.lost && history.lost->place.empty()) return text;
  if (history.message) text += message_text(history, clock);
  text += '\n';
  auto carried = history.path.begin();
  const auto carry_until = [&](Step step) {
    for (; carried != history.path.end() && carried->step < step; ++carried)
      text += fmt::format("  {} {:>6}         over {}\n", clock, carried->step, carried->what);
  };
  for (const Wait& wait : history.waits) {
    // A detour or a slow link belongs to the crossing that it is part of.
    const bool of_crossing = wait.cause == WaitCause::detour || wait.cause == WaitCause::link;
    carry_until(wait.from + (of_crossing ? 1 : 0));
    text += wait_text(wait, clock);
  }
  if (!history.path.empty()) carry_until(history.path.back().step + 1);
  return history.lost ? text : text + "\n" + sum_text(history) + "\n";
}

std::string overview_text(const WaitingOverview& overview, const std::string& clock) {
  std::string text = "packets with the highest latency:\n";
  for (const PacketHistory& history : overview.latest)
    text +=
        fmt::format("  packet {}, created in {} {}: {}\n", history.packet, clock, history.created, sum_text(history));
  return text + fmt::format("\nlinks with the most waiting, {}s over all packets:\n", clock) +
         locations_text(overview, overview.links, clock) + "\nnodes with the most waiting:\n" +
         locations_text(overview, overview.nodes, clock);
}

std::string history_json(const PacketHistory& history) { return to_json(history).dump(2) + "\n"; }

std::string overview_json(const WaitingOverview& overview) {
  Json latest = Json::array();
  for (const PacketHistory& history : overview.latest) latest.push_back(to_json(history));
  return Json{{"latest", latest}, {"links", to_json(overview.links)}, {"nodes", to_json(overview.nodes)}}.dump(2) +
         "\n";
}

}  // namespace starloom
