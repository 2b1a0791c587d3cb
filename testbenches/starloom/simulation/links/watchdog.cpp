// SPDX-License-Identifier: Apache-2.0
#include <starloom/simulation/links/watchdog.hpp>

#include <algorithm>
#include <iterator>
#include <map>

#include <starloom/support/numbers.hpp>

namespace starloom::links {

Watchdog::Watchdog(const Limits& limits, const Algorithm& algorithm, const NetworkGraph& graph, const Traffic& traffic,
                   const StopFlag* interrupt)
    : limits_(limits),
      algorithm_(algorithm),
      phases_(traffic.phases()),
      packet_count_(traffic.packet_count()),
      interrupt_(interrupt) {
  const auto end_at = [this](Step step, Outcome outcome) {
    if (horizon_ != no_step && horizon_ <= step) return;
    horizon_ = step;
    horizon_outcome_ = outcome;
  };
  // Clients wait for their replies, and so do not overload a network.
  const bool closed_loop = traffic.closed_loop() != nullptr;
  if (phases_ && !closed_loop) saturation_.emplace(*phases_, limits.latency, graph, algorithm, traffic);
  else if (traffic.tasks() != nullptr)
    saturation_.emplace(Phases{0, traffic.end().value(), 0}, std::nullopt, graph, algorithm, traffic);
  if (phases_) end_at(phases_->warmup + phases_->measure + phases_->drain, Outcome::saturated);
  const Declaration& program = algorithm.declaration();
  if (program.program_end != no_step)
    end_at(program.program_end, program.may_leave_packets ? Outcome::completed : Outcome::incomplete);
  if (limits.steps) end_at(*limits.steps, Outcome::step_limit);
  if (!program.classes.empty() && !closed_loop) starvation_.emplace(program.classes.size(), limits.quiet);
}

void Watchdog::expect_attempts(const Attempts& attempts) {
  attempts_ = &attempts;
  if (saturation_) saturation_->expect_attempts(attempts);
}

bool Watchdog::measured_all_delivered(const RunRecord& record) {
  const Step from = phases_->warmup;
  const Step to = from + phases_->measure;
  // Packets that are not listed have arrived.
  first_unmeasured_ = std::max(first_unmeasured_, record.first);
  for (; first_unmeasured_ < record.end(); ++first_unmeasured_) {
    const std::size_t packet = record.at(first_unmeasured_);
    const Step created = record.packets[packet].created;
    if (created >= to) break;
    if (created >= from && is_left(first_unmeasured_, record, attempts_)) return false;
  }
  return true;
}

void Watchdog::before_removal(PacketId first, const RunRecord& record) {
  if (saturation_) saturation_->before_removal(first, record);
}

std::optional<Outcome> Watchdog::judge(Step next, Engine& engine) {
  if (saturation_) {
    saturation_->look(next == no_step || horizon_ == no_step ? next : std::min(next, horizon_), engine.record(),
                      [&engine](Step step) { return engine.port_flits_before(step); });
    verdict_ = saturation_->verdict();
  }
  const std::optional<Outcome> outcome = outcome_before(next, engine);
  if (outcome && phases_) {
    if (outcome != Outcome::saturated) verdict_.reset();
    else if (!verdict_) verdict_ = SaturationVerdict{SaturationReason::drain, end_};
  }
  if (outcome != Outcome::completed || accepts_losses_ || engine.record().lost_count == 0) return outcome;
  const bool loses = attempts_ == nullptr || of_first_attempts(engine.record(), *attempts_).lost_count > 0;
  return loses ? Outcome::incomplete : outcome;
}

std::optional<Outcome> Watchdog::outcome_before(Step next, Engine& engine) {
  const RunRecord& record = engine.record();
  const Step done = record.steps_run - 1;  // the last step run, -1 before the first
  end_ = record.steps_run;
  if (engine.stopped()) return Outcome::violation;
  if (interrupt_ != nullptr && interrupt_->requested()) return Outcome::interrupted;

  const bool left = record.left_count() > 0;
  if (phases_) {
    // Measured packets are all created once the measurement phase is over, unless the run ends within it.
    const Step over = phases_->warmup + phases_->measure;
    const bool all_created = record.steps_run >= over || (horizon_ >= over && (next == no_step || next >= over));
    if (all_created && measured_all_delivered(record)) {
      end_ = std::max(end_, over);
      return saturation_ && saturation_->verdict() ? Outcome::saturated : Outcome::completed;
    }
  }
  const bool all_delivered = !phases_ && !left && engine.source_exhausted() && !engine.source_cut() && !more();
  const bool blocked = all_delivered && blocked_ && blocked_();
  if (all_delivered && !blocked) return Outcome::completed;

  if (done != last_judged_) {
    last_judged_ = done;
    const bool some_arrived = record.flits_delivered != flits_delivered_;
    if (some_arrived) moving_steps_ = 0;
    else if (engine.moved()) ++moving_steps_;
    if (engine.moved() || some_arrived) last_moved_ = cycle_checked_ = done;
    flits_delivered_ = record.flits_delivered;
    if (moving_steps_ >= limits_.quiet) return Outcome::livelock;
    if (starvation_ && done >= 0) starved_ = starvation_->look(done, record);
  }
  if (blocked) return Outcome::deadlock;

  // No flit moves and no node will wake: only the end of the program remains.
  const bool stuck = left && done >= 0 && !engine.moved() && !engine.wake_pending();
  const bool program_goes_on =
      horizon_ != no_step && (horizon_outcome_ == Outcome::incomplete || horizon_outcome_ == Outcome::completed);
  if (stuck && !program_goes_on) return Outcome::deadlock;
  if (starved_) return Outcome::livelock;

  const Step until = next == no_step ? horizon_ : next;
  if (left && until != no_step && done >= 0 && until - cycle_checked_ > limits_.quiet) {
    const Step looked = cycle_checked_ + limits_.quiet + 1;
    cycle_checked_ = until - 1;
    if (!wait_cycle(engine.waiting(algorithm_)).empty()) {
      if (next != no_step) end_ = std::max(end_, looked);
      return Outcome::deadlock;
    }
  }
  if (saturation_ && saturation_->end_of_run()) {
    end_ = *saturation_->end_of_run();
    return Outcome::saturated;
  }
  if (next == no_step && more()) return std::nullopt;
  if (horizon_ != no_step && (next == no_step || next >= horizon_)) {
    end_ = horizon_;
    return horizon_outcome_;
  }
  if (next == no_step) return Outcome::deadlock;
  out_of_time_ = limits_.end_of_time != no_step && next >= limits_.end_of_time;
  return out_of_time_ ? std::optional(Outcome::step_limit) : std::nullopt;
}

std::vector<Engine::Waiting> wait_cycle(const std::vector<Engine::Waiting>& waiting) {
  // A packet moves on when its foremost flit does. Packets in memories hold no resources that others wait for, but for
  // replies, which hold the places of their requests.
  std::map<PacketId, const Engine::Waiting*> blocked;
  for (const Engine::Waiting& w : waiting) {
    if (w.in_memory && w.behind.empty()) continue;
    const Engine::Waiting*& foremost = blocked.emplace(w.packet, &w).first->second;
    if (w.flit < foremost->flit) foremost = &w;
  }
  // A packet that waits for no other will move on; then so will packets that wait for it.
  const auto goes_on = [&blocked](const Engine::Waiting& w) {
    return w.behind.empty() || std::any_of(w.behind.begin(), w.behind.end(),
                                           [&blocked](PacketId packet) { return blocked.count(packet) == 0; });
  };
  for (std::size_t before = 0; before != blocked.size();) {
    before = blocked.size();
    for (auto at = blocked.begin(); at != blocked.end();) at = goes_on(*at->second) ? blocked.erase(at) : std::next(at);
  }
  if (blocked.empty()) return {};

  // The remaining ones wait only for each other: follow them until one repeats.
  const auto by_node = [](const auto& a, const auto& b) { return a.second->node < b.second->node; };
  PacketId packet = std::min_element(blocked.begin(), blocked.end(), by_node)->first;
  std::vector<Engine::Waiting> path;
  const auto on_path = [&path, &packet] {
    return std::find_if(path.begin(), path.end(), [packet](const auto& w) { return w.packet == packet; });
  };
  for (; on_path() == path.end(); packet = path.back().behind.front()) path.push_back(*blocked.at(packet));
  return {on_path(), path.end()};
}

std::int64_t Watchdog::not_created(const Engine& engine) const {
  if (!packet_count_) return 0;
  const std::vector<Packet>& packets = engine.record().packets;
  const auto replies = std::count_if(packets.begin(), packets.end(), [](const Packet& packet) { return packet.reply; });
  const auto again = attempts_ == nullptr ? 0 : static_cast<std::int64_t>(attempts_->firsts().size());
  return *packet_count_ - (engine.created_count() - replies - again);
}

/// Names the first packets that are lost, and their number.
void Watchdog::explain_losses(const RunRecord& record, const NetworkGraph& graph, std::vector<std::string>& lines) {
  constexpr std::size_t most_named = 5;
  for (const auto& [packet, loss] : record.lost) {
    if (lines.size() == most_named) break;
    const Packet& facts = record.packets[record.at(packet)];
    lines.push_back("packet " + std::to_string(packet) + " from " + graph.node_name(facts.source) + " to " +
                    graph.node_name(facts.destination) + " is lost in step " + std::to_string(loss.at) + ": " +
                    std::string(loss_cause_names[static_cast<std::size_t>(loss.cause)]));
  }
  if (record.lost_count > static_cast<std::int64_t>(lines.size()))
    lines.push_back(counted(record.lost_count, "packet") + " lost in total");
}

std::vector<std::string> Watchdog::explain(Outcome outcome, const Engine& engine, const NetworkGraph& graph,
                                           std::size_t most) const {
  std::vector<std::string> lines;
  if (outcome == Outcome::completed || outcome == Outcome::violation) return lines;
  const Wiring& wiring = engine.wiring();
  std::optional<RunRecord> of_packets;
  if (attempts_ != nullptr) of_packets = of_first_attempts(engine.record(), *attempts_);
  const RunRecord& counted_record = of_packets ? *of_packets : engine.record();
  explain_losses(counted_record, graph, lines);
  std::vector<Engine::Waiting> shown;
  if (outcome == Outcome::deadlock) shown = wait_cycle(engine.waiting(algorithm_));
  if (!shown.empty()) lines.emplace_back("a cycle of waiting packets:");
  else if (!starved_) shown = engine.waiting(algorithm_, most);
  if (starved_) {
    lines.push_back("packets of class " + algorithm_.declaration().classes[starved_->number].name + " in the network:");
    const RunRecord& record = engine.record();
    for (Engine::Waiting& w : engine.waiting(algorithm_, static_cast<std::size_t>(record.created_count())))
      if (!w.in_memory && record.packets[record.at(w.packet)].traffic_class == starved_->number)
        shown.push_back(std::move(w));
  }
  for (const Engine::Waiting& w : shown) {
    if (lines.size() + 1 >= most) break;
    std::string line = "packet " + std::to_string(w.packet) +
                       (w.in_memory ? " waits in the memory of " : " waits at ") + graph.node_name(w.node);
    if (w.behind_link_of != no_node || (w.wants == no_port && !w.behind.empty()))
      line += " behind packet " + std::to_string(w.behind.front());
    else if (w.wants == graph.ports()) line += " for its processor";
    else if (w.wants != no_port && wiring.out[wiring.index(w.node, w.wants)].connected())
      line += " for " + graph.link_name(w.node, w.wants) + " to " +
              graph.node_name(wiring.out[wiring.index(w.node, w.wants)].node);
    const NodeId destination = engine.record().packets[engine.record().at(w.packet)].destination;
    line += is_group(destination) ? ", addressed to several nodes" : ", addressed to " + graph.node_name(destination);
    lines.push_back(line);
  }
  const std::int64_t left = counted_record.left_count();
  if (static_cast<std::size_t>(left) > shown.size() || shown.size() > lines.size())
    lines.push_back(counted(left, "packet") + " undelivered in total" +
                    (phases_ ? ", including those outside the measurement phase" : ""));
  if (const std::int64_t count = not_created(engine); count > 0)
    lines.push_back(counted(count, "packet") + " of the input not created, because the run ended first");
  return lines;
}

}  // namespace starloom::links
