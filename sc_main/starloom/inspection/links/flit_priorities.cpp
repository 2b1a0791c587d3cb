// SPDX-License-Identifier: Apache-2.0
#include <starloom/inspection/links/flit_priorities.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include <starloom/support/names.hpp>
#include <starloom/support/numbers.hpp>
#include <starloom/topology/clock_crossing.hpp>

namespace starloom::links {
namespace {

std::uint64_t key_of(PacketId packet, std::int32_t flit) {
  return static_cast<std::uint64_t>(packet) << 32 | static_cast<std::uint32_t>(flit);
}

/// The name of an allocator, which may be a section with one key: `{islip: 2}`.
std::string name_in(const nlohmann::ordered_json& value) {
  if (value.is_object() && !value.empty()) return value.begin().key();
  return value.is_string() ? value.get<std::string>() : "";
}

}  // namespace

PriorityFacts read_priorities(const ResultDocument& result, const std::vector<std::string>& compare) {
  const std::string routing = "experiment.routing.";
  PriorityFacts facts;
  if (!result.given(routing + "priority")) return facts;
  facts.rule =
      static_cast<PriorityRule>(result.choice(routing + "priority", priority_rule_names, "a rule of priorities"));
  facts.donate = result.given(routing + "donate") && result.boolean(routing + "donate");
  const char* const allocator = result.given(routing + "switch_allocator") ? "switch_allocator" : "allocator";
  facts.compared = result.given(routing + allocator) && contains(compare, name_in(result.at(routing + allocator)));
  const std::string classes = "experiment.traffic.classes";
  for (std::size_t number = 0; result.given(classes) && number < result.at(classes).size(); ++number) {
    const std::string key = classes + "." + std::to_string(number) + ".priority";
    facts.of_classes.push_back(result.given(key) ? result.integer(key) : 0);
  }
  const std::string replies = "experiment.traffic.reply.channels";
  if (result.text("experiment.traffic.pattern") == "closed-loop" && result.given(replies)) facts.of_classes = {0, 0};
  return facts;
}

FlitPriorities::FlitPriorities(const PriorityFacts& facts, const NetworkGraph& graph,
                               const std::vector<Packet>& packets)
    : facts_(facts), graph_(graph), packets_(packets) {
  if (facts_.rule == PriorityRule::sequence) sent_.assign(packets.size(), no_step);
}

void FlitPriorities::row(const TraceRow& row) {
  if (row.packet == no_packet) return;
  const bool injects = row.event == TraceEvent::inject;
  switch (facts_.rule) {
    case PriorityRule::sequence:
      if (injects && row.flit + 1 == packets_[static_cast<std::size_t>(row.packet)].flits)
        sent_[static_cast<std::size_t>(row.packet)] = row.step;
      break;
    case PriorityRule::network_age:
    case PriorityRule::hop_count:
      if (injects) of_flits_[key_of(row.packet, row.flit)] = facts_.rule == PriorityRule::hop_count ? 0 : -row.step;
      else if (row.event == TraceEvent::eject) of_flits_.erase(key_of(row.packet, row.flit));
      else if (facts_.rule == PriorityRule::hop_count && !graph_.is_terminal(row.node))
        ++of_flits_[key_of(row.packet, row.flit)];
      break;
    default: break;
  }
}

/// A packet is numbered when it comes to the front of the queue of its class in its source: when it is created there,
/// or in the cycle after the tail of the one before has left. Packets that come in the same cycle have the order of
/// their classes.
void FlitPriorities::number_packets() {
  if (facts_.rule != PriorityRule::sequence) return;
  constexpr Step never = std::numeric_limits<Step>::max();
  std::map<std::pair<NodeId, std::int32_t>, Step> free;  // by source and class: the step in which its front is free
  std::map<NodeId, std::vector<std::tuple<Step, std::int32_t, std::size_t>>> fronts;  // by source: step, class, packet
  for (std::size_t at = 0; at < packets_.size(); ++at) {
    const Packet& packet = packets_[at];
    const NodeId source = graph_.home(packet.source);
    const std::int32_t queue = facts_.of_classes.empty() ? 0 : packet.traffic_class;
    Step& from = free[{source, queue}];
    if (from == never) continue;
    const Step front = edge_from(std::max(packet.created, from), graph_.period(source));
    fronts[source].emplace_back(front, queue, at);
    from = sent_[at] == no_step ? never : sent_[at] + 1;
  }
  sequences_.assign(packets_.size(), 0);
  for (auto& [source, list] : fronts) {
    std::sort(list.begin(), list.end());
    for (std::size_t number = 0; number < list.size(); ++number)
      sequences_[std::get<2>(list[number])] = static_cast<std::int64_t>(number);
  }
}

std::int64_t FlitPriorities::of_flit(PacketId packet, std::int32_t flit, Step readable) const {
  const Packet& whole = packets_[static_cast<std::size_t>(packet)];
  switch (facts_.rule) {
    case PriorityRule::of_class: return facts_.of_classes.empty() ? 0 : facts_.of_classes[whole.traffic_class];
    case PriorityRule::age: return -whole.created;
    case PriorityRule::local_age: return -readable;
    case PriorityRule::network_age:
    case PriorityRule::hop_count: {
      const auto found = of_flits_.find(key_of(packet, flit));
      return found == of_flits_.end() ? 0 : found->second;
    }
    case PriorityRule::none:
    case PriorityRule::queue_length:
    case PriorityRule::sequence: break;
  }
  return 0;
}

std::int64_t FlitPriorities::of_channel(const BufferLog& buffer, Step front_readable, Step step) const {
  const auto& flits = buffer.flits();
  const auto front = std::lower_bound(flits.begin(), flits.end(), front_readable,
                                      [](const BufferedFlit& one, Step at) { return one.readable < at; });
  const auto back = std::find_if(front, flits.end(), [step](const BufferedFlit& one) { return one.readable > step; });
  if (facts_.rule == PriorityRule::queue_length) return back - front;
  const auto of = [&](const BufferedFlit& one) {
    return facts_.rule == PriorityRule::sequence ? of_packet(one.packet) : one.priority;
  };
  if (front == back) return 0;
  std::int64_t greatest = of(*front);
  const bool all = facts_.donate && facts_.rule != PriorityRule::local_age;
  for (auto one = front; all && one != back; ++one) greatest = std::max(greatest, of(*one));
  return greatest;
}

std::string FlitPriorities::reason(PacketId other, std::int64_t its, std::int64_t own) const {
  if (facts_.donate) return "";  // the priority may be that of another packet in the channel
  const auto sentence = [&](const std::string& facts, std::int64_t of_own) {
    return fmt::format("{}: packet {} {}, this one {}", priority_rule_names[static_cast<std::size_t>(facts_.rule)],
                       other, facts, of_own);
  };
  switch (facts_.rule) {
    case PriorityRule::of_class: return sentence(fmt::format("has priority {}", its), own);
    case PriorityRule::age: return sentence(fmt::format("was created in step {}", -its), -own);
    case PriorityRule::network_age: return sentence(fmt::format("was injected in step {}", -its), -own);
    case PriorityRule::local_age: return sentence(fmt::format("was here in step {}", -its), -own);
    case PriorityRule::hop_count: return sentence("has passed " + counted(its, "router"), own);
    case PriorityRule::queue_length: return sentence("has " + counted(its, "flit") + " in its channel", own);
    case PriorityRule::sequence: return sentence("has " + counted(-its, "packet") + " of its source before it", -own);
    case PriorityRule::none: break;
  }
  return "";
}

}  // namespace starloom::links
