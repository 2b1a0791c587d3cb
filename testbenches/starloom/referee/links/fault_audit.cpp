// SPDX-License-Identifier: Apache-2.0
#include <starloom/referee/links/fault_audit.hpp>

#include <cstddef>
#include <optional>
#include <string>

namespace starloom::links {
namespace {

std::string name_of(LossCause cause) { return std::string(loss_cause_names[static_cast<std::size_t>(cause)]); }

}  // namespace

FaultAudit::FaultAudit(const CheckContext& context)
    : context_(context), faults_(*context.rules().faults), left_(faults_.left()) {}

void FaultAudit::inject(const TraceRow& row) {
  const auto packet = static_cast<std::size_t>(row.packet);
  if (packet >= injected_.size()) injected_.resize(packet + 1, false);
  injected_[packet] = true;
  if (faults_.processor_is_dead(row.node)) context_.reject(row, "is injected by a dead processor");
  if (const auto lost = cause(context_.packet(row.packet)))
    context_.reject(row, "is injected, but its packet is unreachable: " + name_of(*lost));
}

void FaultAudit::consume(const TraceRow& row) const {
  if (faults_.processor_is_dead(row.node)) context_.reject(row, "is consumed by a dead processor");
}

std::optional<LossCause> FaultAudit::cause(const Packet& packet) const {
  if (faults_.processor_is_dead(packet.source)) return LossCause::dead_source;
  if (faults_.processor_is_dead(packet.destination)) return LossCause::dead_destination;
  if (left_.distance(packet.source, packet.destination) < 0) return LossCause::disconnected;
  return std::nullopt;
}

void FaultAudit::judge(PacketId packet, const Loss* loss, Step reported) const {
  const Packet& facts = context_.packet(packet);
  const auto reject = [&](const std::string& text) { context_.reject(facts.created, facts.source, packet, 0, text); };
  const std::optional<LossCause> expected = cause(facts);
  if (loss == nullptr) {
    if (expected) reject("is not reported as lost, but is unreachable: " + name_of(*expected));
    return;
  }
  if (reported != no_step) reject("is reported as lost and as delivered");
  if (loss->at != facts.created)
    reject("is reported as lost in step " + std::to_string(loss->at) + ", but unreachable packets are lost in step " +
           std::to_string(facts.created) + ", in which they are created");
  if (static_cast<std::size_t>(packet) < injected_.size() && injected_[static_cast<std::size_t>(packet)])
    reject("is reported as unreachable, but was injected");
  if (loss->cause != expected.value_or(LossCause::no_route))
    reject("is reported as lost by " + name_of(loss->cause) + ", but " +
           (expected ? "the cause is " + name_of(*expected) : "a path is left, and both processors are alive"));
}

}  // namespace starloom::links
