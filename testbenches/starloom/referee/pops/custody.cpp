// SPDX-License-Identifier: Apache-2.0
#include <starloom/referee/pops/custody.hpp>

#include <algorithm>
#include <tuple>
#include <utility>

#include <starloom/referee/breach.hpp>

namespace starloom::pops {
namespace {

constexpr int places = 3;  // of a processor's buffer

std::string text_of(MessageKind kind, PacketId packet) {
  if (packet == no_packet) return "its sampling";
  return (kind == MessageKind::ack ? "the acknowledgement of packet " : "packet ") + std::to_string(packet);
}

}  // namespace

Custody::Custody(const Pops& pops, Rules rules, const std::vector<Packet>& packets)
    : pops_(pops),
      rules_(std::move(rules)),
      packets_(packets),
      delivered_(packets.size(), no_step),
      left_(packets.size(), no_step),
      holders_(static_cast<std::size_t>(pops.nodes())),
      at_sources_(static_cast<std::int64_t>(packets.size())) {
  if (rules_.observed && at_sources_ == 0) end_of_cycles_ = 0;
  const auto outside = [&](NodeId node) { return node < 0 || node >= pops_.nodes(); };
  for (PacketId p = 0; p < this->packets(); ++p) {
    const bool to_all = packet(p).destination == no_node && rules_.arrival == Rules::Arrival::everywhere;
    if (outside(packet(p).source) || (outside(packet(p).destination) && !to_all) || packet(p).flits != 1)
      reject(0, no_node, "the network",
             "packet " + std::to_string(p) + " is not one flit from a processor to a processor of this network");
    if (passes_on()) at(packet(p).source).copies.push_back({p, no_group, no_step});
  }
  if (rules_.arrival == Rules::Arrival::everywhere) missing_.assign(packets.size(), pops.nodes());
  if (rules_.arrival != Rules::Arrival::summed) return;
  if (this->packets() != pops_.nodes())
    reject(0, no_node, "the network", "there are values of " + std::to_string(packets.size()) + " processors only");
  for (PacketId p = 0; p < this->packets(); ++p) parts_.push_back({p});
  sent_parts_.resize(parts_.size());
}

void Custody::begin_slot(Step slot) {
  const Step drained = end_of_cycles_ == no_step ? no_step : end_of_cycles_ + rules_.drain_slots;
  const Step fixed = rules_.arrival == Rules::Arrival::everywhere ? packets() : rules_.slots;
  const Step end = fixed != no_step ? fixed : drained;
  if (end != no_step && slot >= end)
    reject(slot, no_node, "the network", "has rows, but the program ended before slot " + std::to_string(end));
  slot_ = slot;
  now_ = rules_of(slot);
}

Rules::Slot Custody::rules_of(Step slot) const {
  if (end_of_cycles_ != no_step && slot >= end_of_cycles_) return {};
  return rules_.cycle[static_cast<std::size_t>(slot) % rules_.cycle.size()];
}

Step Custody::cycle_start() const { return slot_ - slot_ % static_cast<Step>(rules_.cycle.size()); }

bool Custody::at_its_source(const TraceRow& row) const {
  if (passes_on() || packet(row.packet).source != row.processor) return false;
  const Step left = left_[static_cast<std::size_t>(row.packet)];
  return left == no_step || left == row.slot;  // one coupler each to several groups
}

Custody::Copy* Custody::find_copy(Holder& holder, PacketId packet) const {
  const auto found = std::find_if(holder.copies.rbegin(), holder.copies.rend(), [&](const Copy& copy) {
    return copy.packet == packet && (passes_on() || copy.driven == no_step);
  });
  return found == holder.copies.rend() ? nullptr : &*found;
}

void Custody::leave_source(PacketId packet, Step slot) {
  Step& left = left_[static_cast<std::size_t>(packet)];
  if (left != no_step) return;
  left = slot;
  if (--at_sources_ > 0 || !rules_.observed) return;
  const auto cycle = static_cast<Step>(rules_.cycle.size());
  end_of_cycles_ = (slot / cycle + 1) * cycle;
}

void Custody::drive(const TraceRow& row) {
  if (row.kind != now_.kind)
    reject(row, "is driven in a slot for " + std::string(now_.kind == MessageKind::ack ? "acknowledgements" : "data"));
  if (row.kind == MessageKind::ack) drive_acknowledgement(row);
  else drive_data(row);
}

void Custody::drive_data(const TraceRow& row) {
  Holder& holder = at(row.processor);
  if (packet(row.packet).created > row.slot) reject(row, "is driven before it is created");
  if (rules_.arrival == Rules::Arrival::summed) {
    if (row.packet != row.processor) reject(row, "is driven, but a processor sends its own sum");
    auto& parts = parts_[static_cast<std::size_t>(row.processor)];
    if (parts.empty()) reject(row, "is driven a second time");
    sent_parts_[static_cast<std::size_t>(row.processor)] = std::exchange(parts, {});
  } else if (at_its_source(row)) {
    if (!rules_.acknowledged) leave_source(row.packet, row.slot);
  } else if (Copy* const copy = find_copy(holder, row.packet); copy != nullptr && copy->heard < row.slot) {
    copy->driven = row.slot;
  } else {
    reject(row, "is driven, but the processor does not hold it");
  }
  holder.sent[0] = holder.sent[1];
  holder.sent[1] = {row.slot, MessageKind::data, row.packet, row.destination_group};
}

void Custody::drive_acknowledgement(const TraceRow& row) {
  Holder& holder = at(row.processor);
  if (holder.heard.slot != row.slot - 1 || holder.heard.packet != row.packet)
    reject(row, "is driven, but the processor heard neither packet nor acknowledgement in the slot before");
  std::int32_t from = holder.heard.group;
  if (holder.heard.kind == MessageKind::ack) {
    const auto copy = std::find_if(holder.copies.rbegin(), holder.copies.rend(), [&](const Copy& one) {
      return one.packet == row.packet && one.heard >= cycle_start();
    });
    from = copy == holder.copies.rend() ? no_group : copy->from;
  }
  if (row.destination_group != from)
    reject(row, "is driven to group " + std::to_string(row.destination_group) + ", but the packet came from " +
                    (from == no_group ? "nowhere" : "group " + std::to_string(from)));
}

void Custody::hear(const TraceRow& row) {
  if (row.kind == MessageKind::ack) hear_acknowledgement(row);
  else hear_data(row);
  at(row.processor).heard = {row.slot, row.kind, row.packet, row.source_group};
}

void Custody::hear_acknowledgement(const TraceRow& row) {
  const auto sent = [&](const Event& event) {
    return event.slot >= cycle_start() && event.packet == row.packet && event.group == row.source_group;
  };
  const Holder& holder = at(row.processor);
  if (!sent(holder.sent[0]) && !sent(holder.sent[1]))
    reject(row, "is heard, but the processor did not send the packet to group " + std::to_string(row.source_group) +
                    " in this cycle");
  // The last slot of acknowledgements is for the sources.
  const Step next = (slot_ + 1) % static_cast<Step>(rules_.cycle.size());
  if (next != 0 && rules_.cycle[static_cast<std::size_t>(next)].kind == MessageKind::ack) return;
  if (packet(row.packet).source != row.processor) reject(row, "is heard, but the processor is not the packet's source");
  if (left_[static_cast<std::size_t>(row.packet)] != no_step) reject(row, "is heard a second time");
  leave_source(row.packet, row.slot);
}

void Custody::hear_data(const TraceRow& row) {
  if (rules_.arrival == Rules::Arrival::summed) return add_up(row);
  if (now_.delivers) return arrive(row);
  at(row.processor).copies.push_back({row.packet, row.source_group, row.slot});
}

void Custody::arrive(const TraceRow& row) {
  Step& delivered = delivered_[static_cast<std::size_t>(row.packet)];
  if (rules_.arrival == Rules::Arrival::everywhere) {
    if (--missing_[static_cast<std::size_t>(row.packet)] == 0) delivered = row.slot + 1;
    return;
  }
  if (packet(row.packet).destination != row.processor) return;  // a sampler to which the message is not addressed
  if (delivered != no_step) reject(row, "arrives a second time");
  delivered = row.slot + 1;
}

void Custody::add_up(const TraceRow& row) {
  auto& sum = parts_[static_cast<std::size_t>(row.processor)];
  const auto& heard = sent_parts_[static_cast<std::size_t>(row.packet)];
  sum.insert(sum.end(), heard.begin(), heard.end());
  if (row.processor == 0 && static_cast<PacketId>(sum.size()) >= packets()) check_sum(row);
}

/// Processor 0 has one value per processor.
void Custody::check_sum(const TraceRow& row) {
  std::vector<PacketId> values = parts_.front();
  std::sort(values.begin(), values.end());
  const auto twice = std::adjacent_find(values.begin(), values.end());
  if (twice != values.end()) reject(row, "adds the value of processor " + std::to_string(*twice) + " a second time");
  std::fill(delivered_.begin(), delivered_.end(), row.slot + 1);
}

void Custody::finish(Step slots) {
  using Arrival = Rules::Arrival;
  if (rules_.arrival == Arrival::summed && packets() == 1) delivered_.front() = 0;
  if (rules_.arrival == Arrival::sorted && slots == rules_.slots) {
    std::vector<PacketId> ended(holders_.size(),
                                no_packet);  // if packets are exchanged, each processor ends with one
    for (PacketId p = 0; p < packets(); ++p) {
      const NodeId node = packet(p).destination;
      if (find_copy(at(node), p) == nullptr) continue;
      PacketId& other = ended[static_cast<std::size_t>(node)];
      if (other != no_packet)
        reject(slots, node, pops_.node_name(node),
               text_of(MessageKind::data, p) + " ends here, as does packet " + std::to_string(other));
      other = p;
      delivered_[static_cast<std::size_t>(p)] = slots;
    }
  }
  for (PacketId p = 0; p < packets(); ++p) {
    const Step delivered = delivered_[static_cast<std::size_t>(p)];
    if (delivered != no_step && delivered < packet(p).created)
      reject(slots, no_node, "the network", text_of(MessageKind::data, p) + " arrives before it is created");
  }
  if (rules_.arrival == Arrival::heard || rules_.arrival == Arrival::sorted) check_buffers(slots);
}

/// A packet needs a buffer slot from the slot after the one in which it was heard to the last slot in which it is
/// driven.
void Custody::check_buffers(Step slots) const {
  struct Stay {
    Step slot;
    int change;  // of the packets held
  };
  std::vector<std::vector<Stay>> stays(holders_.size());
  const auto add = [&](NodeId node, Step first, Step last) {
    auto& list = stays[static_cast<std::size_t>(node)];
    list.push_back({first, 1});
    list.push_back({last + 1, -1});
  };
  for (PacketId p = 0; p < packets(); ++p) {
    const Step left = left_[static_cast<std::size_t>(p)], delivered = delivered_[static_cast<std::size_t>(p)];
    if (!passes_on()) add(packet(p).source, 0, left == no_step ? slots : left);
    if (delivered != no_step) add(packet(p).destination, delivered, slots);
  }
  for (std::size_t node = 0; node < holders_.size(); ++node) {
    for (const Copy& copy : holders_[node].copies)
      if (copy.driven != no_step) add(static_cast<NodeId>(node), copy.heard + 1, copy.driven);
    auto& list = stays[node];
    std::sort(list.begin(), list.end(),
              [](const Stay& a, const Stay& b) { return std::tie(a.slot, a.change) < std::tie(b.slot, b.change); });
    int held = 0;
    for (const Stay& stay : list)
      if ((held += stay.change) > places)
        reject(stay.slot, static_cast<NodeId>(node), pops_.node_name(static_cast<NodeId>(node)),
               std::to_string(held) + " packets are in the buffer, which has " + std::to_string(places) + " places");
  }
}

void Custody::reject(const TraceRow& row, const std::string& text) const {
  reject(row.slot, row.processor, pops_.node_name(row.processor), text_of(row.kind, row.packet) + " " + text);
}

void Custody::reject(Step slot, NodeId node, const std::string& location, const std::string& text) {
  throw Breach{{slot, node, "slot " + std::to_string(slot) + ", " + location + ": " + text, true}};
}

}  // namespace starloom::pops
