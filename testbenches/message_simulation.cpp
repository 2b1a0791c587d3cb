#include "message_simulation.hpp"

#include "message/plan_run.hpp"

namespace starloom {
namespace {

Outcome outcome_of(const MessageRun& run, const MessageLimits& limits) {
  if (run.finished) return run.undelivered > 0 ? Outcome::incomplete : Outcome::completed;
  if (limits.interrupt != nullptr && *limits.interrupt) return Outcome::interrupted;
  return static_cast<Step>(run.slots.size()) >= limits.slots ? Outcome::step_limit : Outcome::livelock;
}

/// Who has not arrived, a few of them.
std::vector<std::string> undelivered_text(const Pops& pops, const RunRecord& record) {
  constexpr std::size_t most = 20;
  std::vector<std::string> lines;
  const std::int64_t left = static_cast<std::int64_t>(record.packets.size()) - record.delivered_count;
  for (std::size_t p = 0; p < record.packets.size() && left > 0; ++p) {
    if (record.delivered[p] != no_step) continue;
    if (lines.size() + 1 == most) {
      lines.push_back("and others: " + std::to_string(left) + " packets are not delivered in all");
      break;
    }
    const Packet& packet = record.packets[p];
    lines.push_back("packet " + std::to_string(p) + " of " + pops.node_name(packet.source) + " has not reached " +
                    (packet.destination == no_node ? "everyone" : pops.node_name(packet.destination)));
  }
  return lines;
}

SimulationResult simulate_star_messages(const SimulationSetup& setup) {
  MessageLimits limits;
  if (setup.limits.steps) limits.slots = *setup.limits.steps;
  limits.quiet = setup.limits.quiet;
  limits.interrupt = setup.interrupt;
  MessageRun run = setup.star->run_messages(limits);

  SimulationResult result;
  RunRecord& record = result.record;
  setup.traffic->generate(0, setup.traffic->end().value(), record.packets);
  record.delivered.assign(run.delivered.begin(), run.delivered.end());
  record.delivered_count = static_cast<std::int64_t>(record.packets.size()) - run.undelivered;
  record.flit_hops = run.data_drives;
  record.control_hops = run.ack_drives;
  record.steps_run = static_cast<Step>(run.slots.size());
  result.outcome = outcome_of(run, limits);
  result.explanation = undelivered_text(setup.star->pops(), record);
  StarResult& star = result.star.emplace();
  if (run.finished) star.schedule = setup.star->schedule(run);
  star.figures = setup.star->figures(run);
  star.record = std::move(run);
  return result;
}

}  // namespace

SimulationResult simulate_messages(const SimulationSetup& setup) {
  if (setup.star != nullptr) return simulate_star_messages(setup);
  std::vector<Packet> packets;
  setup.traffic->generate(0, setup.traffic->end().value(), packets);
  PlanRun run = run_plan(*setup.topology, packets, *setup.algorithm->plan(), setup.algorithm->declaration());

  SimulationResult result;
  const auto left = static_cast<std::int64_t>(packets.size()) - run.record.delivered_count;
  result.outcome = left > 0 ? Outcome::incomplete : Outcome::completed;
  if (left > 0) result.explanation.push_back(std::to_string(left) + " packets are not delivered in all");
  if (run.violation) {
    result.outcome = Outcome::violation;
    result.violation = *run.violation;
  }
  result.record = std::move(run.record);
  return result;
}

}  // namespace starloom
