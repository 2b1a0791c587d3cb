// SPDX-License-Identifier: Apache-2.0
#include <starloom/referee/links/fault_audit.hpp>

#include <algorithm>
#include <string>

namespace starloom::links {
namespace {

std::string name_of(LossCause cause) { return std::string(loss_cause_names[static_cast<std::size_t>(cause)]); }

}  // namespace

FaultAudit::FaultAudit(const CheckContext& context)
    : context_(context), faults_(*context.rules().faults), left_(faults_.left()), hardware_(faults_) {}

void FaultAudit::inject(const TraceRow& row) {
  const auto packet = static_cast<std::size_t>(row.packet);
  if (packet >= injected_.size()) injected_.resize(packet + 1, 0);
  ++injected_[packet];
  if (hardware_.processor_is_dead(row.node)) context_.reject(row, "is injected by a dead processor");
  if (const auto lost = cause(context_.packet(row.packet)))
    context_.reject(row, "is injected, but its packet is unreachable: " + name_of(*lost));
}

void FaultAudit::consume(const TraceRow& row) const {
  if (hardware_.processor_is_dead(row.node)) context_.reject(row, "is consumed by a dead processor");
}

bool FaultAudit::has_dead_out_port(NodeId node) const {
  if (hardware_.processor_is_dead(node)) return true;
  for (const Port port : context_.graph().out_ports(node))
    if (hardware_.link_is_dead(node, port)) return true;
  return false;
}

void FaultAudit::drop(const TraceRow& row, bool is_cut) {
  Dropped& dropped = dropped_[row.packet];
  dropped.step = row.step;
  dropped.is_cut = dropped.is_cut || is_cut;
  if (row.flit == 0) dropped.has_no_way = has_dead_out_port(row.node);
}

/// The cause that the faults alone give when a packet is created; empty: none.
std::optional<LossCause> FaultAudit::cause(const Packet& packet) const {
  if (processor_is_dead(packet.source, packet.created)) return LossCause::dead_source;
  if (faults_.processor_is_dead(packet.destination)) return LossCause::dead_destination;
  if (left_.distance(packet.source, packet.destination) < 0) return LossCause::disconnected;
  return std::nullopt;
}

bool FaultAudit::processor_is_dead(NodeId node, Step step) const {
  bool dead = faults_.processor_is_dead(node);
  for (const FaultEvent& event : context_.rules().fault_events)
    if (event.step <= step && event.node == node && event.port == context_.graph().ports()) dead = event.dies;
  return dead;
}

/// The first step from this one on, of those that have run, in which the processor of a node dies.
std::optional<Step> FaultAudit::next_death(NodeId node, Step from) const {
  for (std::size_t event = 0; event < next_; ++event) {
    const FaultEvent& death = context_.rules().fault_events[event];
    if (death.dies && death.step >= from && death.node == node && death.port == context_.graph().ports())
      return death.step;
  }
  return std::nullopt;
}

void FaultAudit::judge(PacketId packet, const Loss* loss, Step reported) const {
  const Packet& facts = context_.packet(packet);
  const auto reject = [&](const std::string& text) { context_.reject(facts.created, facts.source, packet, 0, text); };
  const std::optional<LossCause> expected = cause(facts);
  const bool sent = injected(packet) > 0;
  const std::optional<Step> death = next_death(facts.source, facts.created);
  if (loss == nullptr) {
    if (expected) reject("is not reported as lost, but is unreachable: " + name_of(*expected));
    if (dropped_.count(packet) != 0) reject("is not reported as lost, but its flits have vanished");
    if (death && reported == no_step && injected(packet) < facts.flits)
      reject("is not reported as lost, but its processor died in step " + std::to_string(*death) +
             " before it had sent all flits");
    return;
  }
  if (reported != no_step) reject("is reported as lost and as delivered");
  if (loss->cause == LossCause::cut || loss->cause == LossCause::no_way) {
    if (expected || !sent) reject("is reported as lost by " + name_of(loss->cause) + ", but was not injected");
    return judge_dropped(packet, *loss);
  }
  if (sent) reject("is reported as unreachable, but was injected");
  if (!expected && loss->cause == LossCause::dead_source && death) {
    if (loss->at != *death)
      reject("is reported as lost in step " + std::to_string(loss->at) + ", but its processor died in step " +
             std::to_string(*death));
    return;
  }
  if (loss->at != facts.created)
    reject("is reported as lost in step " + std::to_string(loss->at) + ", but unreachable packets are lost in step " +
           std::to_string(facts.created) + ", in which they are created");
  if (loss->cause != expected.value_or(LossCause::no_route))
    reject("is reported as lost by " + name_of(loss->cause) + ", but " +
           (expected ? "the cause is " + name_of(*expected) : "a path is left, and both processors are alive"));
}

/// A packet that was cut while no flit of it was in the network has no flit that has vanished.
void FaultAudit::judge_dropped(PacketId packet, const Loss& loss) const {
  const Packet& facts = context_.packet(packet);
  const auto reject = [&](const std::string& text) {
    context_.reject(loss.at, facts.source, packet, 0, "is reported as lost by " + name_of(loss.cause) + text);
  };
  const auto dropped = dropped_.find(packet);
  if (dropped == dropped_.end()) {
    const bool interrupted =
        loss.cause == LossCause::cut && injected(packet) < facts.flits && next_death(facts.source, loss.at) == loss.at;
    if (!interrupted) reject(", but its flits have not vanished");
    return;
  }
  if (dropped->second.step != loss.at)
    reject(" in step " + std::to_string(loss.at) + ", but its flits have vanished in step " +
           std::to_string(dropped->second.step));
  if (loss.cause == LossCause::cut && !dropped->second.is_cut) reject(", but it uses no hardware that dies then");
  if (loss.cause == LossCause::no_way && !dropped->second.has_no_way)
    reject(", but its head is in a router without a dead out-port");
}

}  // namespace starloom::links
