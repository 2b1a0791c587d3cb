// SPDX-License-Identifier: Apache-2.0
#include <starloom/referee/links/fault_audit.hpp>

#include <algorithm>
#include <limits>
#include <string>

namespace starloom::links {
namespace {

std::string name_of(LossCause cause) { return std::string(loss_cause_names[static_cast<std::size_t>(cause)]); }

}  // namespace

FaultAudit::FaultAudit(const CheckContext& context)
    : context_(context),
      hardware_(faults()),
      corrupts_packets_(context.rules().errors != nullptr && !repeats_flits(context.rules().errors.get())) {
  if (context.rules().endless != nullptr) endless_ = *context.rules().endless;
  known_.emplace_back(0, faults());
}

void FaultAudit::apply(const FaultEvent& event) {
  hardware_.apply(event);
  ++next_;
  if (context_.rules().reroute) latest_.push_back(event);
}

void FaultAudit::change_routing(Step until) {
  if (!latest_.empty() && latest_.front().step <= until) {
    due_ = reroute_after(faults(), hardware_, latest_, *context_.rules().reroute);
    latest_.clear();
  }
  if (!due_ || due_->due > until) return;
  Step step = due_->due;
  if (context_.rules().reroute->transition == Transition::drain) {
    if (!draining_) drains_.push_back(step);
    draining_ = true;
    if (flits_ > 0 || !sending_.empty()) return;
    step = std::max(step, moved_ + 1);  // the first one that begins with an empty network
    if (step > until) return;
  }
  draining_ = false;
  known_.emplace_back(step, due_->faults);
  due_.reset();
}

std::vector<Step> FaultAudit::reroutes() const {
  std::vector<Step> steps;
  for (auto known = known_.begin() + 1; known != known_.end(); ++known) steps.push_back(known->from);
  return steps;
}

bool FaultAudit::is_flush(Step step) const {
  return known_.size() > 1 && context_.rules().reroute->transition == Transition::flush &&
         std::any_of(known_.begin() + 1, known_.end(), [step](const Known& known) { return known.from == step; });
}

void FaultAudit::inject(const TraceRow& row) {
  const auto packet = static_cast<std::size_t>(row.packet);
  const Packet& facts = context_.packet(row.packet);
  if (packet >= injected_.size()) injected_.resize(packet + 1, 0);
  ++injected_[packet];
  ++flits_;
  moved_ = row.step;
  if (row.flit == 0 && facts.flits > 1) sending_.emplace(row.packet, 0);
  if (row.flit + 1 == facts.flits) sending_.erase(row.packet);
  if (crowded_in_ == row.step)
    if (const auto found = crowded_.find({row.step, row.node}); found != crowded_.end()) ++found->second.unused;
  if (row.flit == 0 && draining_)
    context_.reject(row, "is injected, but processors begin no packet until the network is empty");
  if (hardware_.processor_is_dead(row.node)) context_.reject(row, "is injected by a dead processor");
  if (row.flit > 0) return;
  if (const auto lost = first_loss(facts, row.step))
    context_.reject(row, "is injected, but its packet is unreachable: " + name_of(lost->cause));
}

void FaultAudit::consume(const TraceRow& row) {
  if (hardware_.processor_is_dead(row.node)) context_.reject(row, "is consumed by a dead processor");
  --flits_;
  moved_ = row.step;
  if (const auto packet = sending_.find(row.packet); packet != sending_.end()) ++packet->second;
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
  if (row.flit == 0) {
    dropped.has_no_way = may_have_no_way(row);
    dropped.node = row.node;
  }
  if (context_.rules().storage == RefereeRules::Storage::never_standing) {
    crowded_in_ = row.step;
    const auto [found, is_new] = crowded_.try_emplace({row.step, row.node});
    for (const Port port : context_.graph().out_ports(row.node))
      if (is_new && !hardware_.link_is_dead(row.node, port)) ++found->second.unused;
    if (requires_paths(row.step) && dropped.has_no_way) ++found->second.cut_off;
    for (std::size_t event = next_; event-- > 0 && events()[event].step == row.step;) {
      const FaultEvent& death = events()[event];
      const bool of_link = death.port != no_port && death.port != context_.graph().ports();
      if (death.dies && of_link && death.node == row.node) found->second.lost_link = true;
    }
  }
  --flits_;
  moved_ = row.step;
  sending_.erase(row.packet);
}

bool FaultAudit::may_have_no_way(const TraceRow& row) const {
  const bool kept = known_.size() > 1 && context_.rules().reroute->transition == Transition::keep;
  const NodeId destination = context_.packet(row.packet).destination;
  if (context_.rules().storage == RefereeRules::Storage::virtual_channels) return kept || has_dead_out_port(row.node);
  if (row.node == destination) return hardware_.processor_is_dead(row.node);
  if (requires_paths(row.step)) return kept && known_.back().left.distance(row.node, destination) < 0;
  if (context_.rules().storage == RefereeRules::Storage::never_standing) return false;
  return context_.rules().reroute ? kept : has_dead_out_port(row.node);
}

void FaultAudit::check_path(Step step, PacketId packet, NodeId node) const {
  const NodeId destination = context_.packet(packet).destination;
  if (node != destination && known_.back().left.distance(node, destination) < 0)
    context_.reject(step, node, packet, 0, "does not vanish, but no path to its destination is left");
}

void FaultAudit::use_link(NodeId node) {
  const auto found = crowded_.find({crowded_in_, node});
  if (found != crowded_.end()) --found->second.unused;
}

void FaultAudit::end_drops(Step step) {
  if (known_.back().from != step || !is_flush(step)) return;
  sending_.clear();
  if (flits_ > 0)
    CheckContext::reject(step, no_node, "the network",
                         "is flushed in this step, but " + std::to_string(flits_) + " flits do not vanish");
}

std::vector<PacketId> FaultAudit::interrupted() const {
  std::vector<PacketId> packets;
  for (const auto& [packet, consumed] : sending_)
    if (injected(packet) == consumed) packets.push_back(packet);
  return packets;
}

void FaultAudit::cut(PacketId packet, Step step) {
  dropped_[packet] = {step, true, false, no_node};
  sending_.erase(packet);
  moved_ = std::max(moved_, step);
}

/// The cause that the faults give with what sources know; empty: none.
std::optional<LossCause> FaultAudit::cause(const Packet& packet, const Known& known) const {
  if (known.faults.processor_is_dead(packet.destination)) return LossCause::dead_destination;
  if (known.left.distance(packet.source, packet.destination) < 0) return LossCause::disconnected;
  return std::nullopt;
}

std::optional<LossCause> FaultAudit::cause_when_created(const Packet& packet) const {
  if (processor_is_dead(packet.source, packet.created)) return LossCause::dead_source;
  const auto later = std::find_if(known_.begin() + 1, known_.end(),
                                  [&packet](const Known& known) { return known.from > packet.created; });
  return cause(packet, *(later - 1));
}

/// The first step up to `until` in which a packet that has not been injected is unreachable: that of its creation, or
/// one in which routing functions change.
std::optional<Loss> FaultAudit::first_loss(const Packet& packet, Step until) const {
  if (const auto lost = cause_when_created(packet)) return Loss{*lost, packet.created};
  for (const Known& known : known_) {
    if (known.from <= packet.created || known.from > until) continue;
    if (const auto lost = cause(packet, known)) return Loss{*lost, known.from};
  }
  return std::nullopt;
}

bool FaultAudit::processor_is_dead(NodeId node, Step step) const {
  bool dead = faults().processor_is_dead(node);
  for (const FaultEvent& event : events())
    if (event.step <= step && event.node == node && event.port == context_.graph().ports()) dead = event.dies;
  return dead;
}

/// The first step from this one on, of those that have run, in which the processor of a node dies.
std::optional<Step> FaultAudit::next_death(NodeId node, Step from) const {
  for (std::size_t event = 0; event < next_; ++event) {
    const FaultEvent& death = events()[event];
    if (death.dies && death.step >= from && death.node == node && death.port == context_.graph().ports())
      return death.step;
  }
  return std::nullopt;
}

void FaultAudit::judge(PacketId packet, const Loss* loss, Step reported) const {
  const Packet& facts = context_.packet(packet);
  const auto reject = [&](const std::string& text) { context_.reject(facts.created, facts.source, packet, 0, text); };
  const bool sent = injected(packet) > 0;
  if (loss == nullptr) {
    const Step until = context_.stays_home(packet) ? facts.created : std::numeric_limits<Step>::max();
    if (const auto expected = sent ? std::nullopt : first_loss(facts, until))
      reject("is not reported as lost, but is unreachable: " + name_of(expected->cause));
    if (dropped_.count(packet) != 0) reject("is not reported as lost, but its flits have vanished");
    if (corrupt_.count(packet) != 0 && context_.delivered(packet) != no_step)
      reject("is not reported as lost, but has arrived corrupt");
    const std::optional<Step> death = next_death(facts.source, facts.created);
    if (death && reported == no_step && injected(packet) < facts.flits)
      reject("is not reported as lost, but its processor died in step " + std::to_string(*death) +
             " before it had sent all flits");
    return;
  }
  if (reported != no_step) reject("is reported as lost and as delivered");
  if (is_lost_under_way(loss->cause)) {
    if (!sent) reject("is reported as lost by " + name_of(loss->cause) + ", but was not injected");
    return loss->cause == LossCause::corrupt ? judge_corrupt(packet, *loss) : judge_dropped(packet, *loss);
  }
  if (sent) reject("is reported as unreachable, but was injected");
  judge_unreachable(packet, *loss);
}

/// Routing functions may have no path at any time, but another cause comes first.
void FaultAudit::judge_unreachable(PacketId packet, const Loss& loss) const {
  const Packet& facts = context_.packet(packet);
  const auto reject = [&](const std::string& text) {
    context_.reject(facts.created, facts.source, packet, 0, "is reported as lost by " + name_of(loss.cause) + text);
  };
  std::optional<Loss> expected = first_loss(facts, std::numeric_limits<Step>::max());
  const std::optional<Step> death = next_death(facts.source, facts.created);
  if (death && (!expected || *death <= expected->at)) expected = Loss{LossCause::dead_source, *death};
  if (loss.cause == LossCause::no_route && (!expected || loss.at < expected->at)) {
    const bool asked = loss.at == facts.created || std::any_of(known_.begin(), known_.end(), [&](const Known& known) {
                         return known.from == loss.at && known.from > facts.created;
                       });
    if (!asked)
      reject(" in step " + std::to_string(loss.at) + ", in which it was not created, and no routing function changed");
    return;
  }
  if (!expected) reject(", but a path is left, and both processors are alive");
  if (!(loss == *expected))
    reject(" in step " + std::to_string(loss.at) + ", but the cause is " + name_of(expected->cause) + ", in step " +
           std::to_string(expected->at));
}

void FaultAudit::judge_corrupt(PacketId packet, const Loss& loss) const {
  const auto reject = [&](const std::string& text) {
    context_.reject(loss.at, context_.packet(packet).source, packet, 0, "is reported as lost by corrupt" + text);
  };
  if (corrupt_.count(packet) == 0) reject(", but no flit of it was corrupt on a link");
  const Step consumed = context_.delivered(packet);
  if (consumed == no_step) reject(", but not all of its flits were consumed");
  if (consumed != loss.at)
    reject(" in step " + std::to_string(loss.at) + ", but its last flit was consumed in step " +
           std::to_string(consumed));
}

/// A packet whose processor had sent some flits may have none in the network when the hardware that it uses dies.
void FaultAudit::judge_dropped(PacketId packet, const Loss& loss) const {
  const Packet& facts = context_.packet(packet);
  const auto reject = [&](const std::string& text) {
    context_.reject(loss.at, facts.source, packet, 0, "is reported as lost by " + name_of(loss.cause) + text);
  };
  if (loss.cause == LossCause::flush && !is_flush(loss.at))
    reject(" in step " + std::to_string(loss.at) + ", in which the network is not flushed");
  const auto dropped = dropped_.find(packet);
  if (dropped == dropped_.end()) {
    if (loss.cause != LossCause::flush || injected(packet) == facts.flits) reject(", but its flits have not vanished");
    return;
  }
  if (dropped->second.step != loss.at)
    reject(" in step " + std::to_string(loss.at) + ", but its flits have vanished in step " +
           std::to_string(dropped->second.step));
  if (loss.cause == LossCause::cut && !dropped->second.is_cut) reject(", but it uses no hardware that dies then");
  const bool has_routers = context_.rules().storage == RefereeRules::Storage::virtual_channels;
  if (loss.cause != LossCause::cut && dropped->second.is_cut && !has_routers)
    reject(", but it uses hardware that dies then");
  if (loss.cause == LossCause::no_way && !dropped->second.has_no_way)
    reject(has_routers ? ", but its head is in a router without a dead out-port" : ", but a path may be left");
  if (loss.cause != LossCause::overflow) return;
  const auto crowded = crowded_.find({loss.at, dropped->second.node});
  if (crowded == crowded_.end() || !crowded->second.lost_link) reject(", but no link of its node died then");
  if (crowded->second.unused > crowded->second.cut_off)
    reject(", but packets that arrived with it did not take all living links of its node");
}

}  // namespace starloom::links
