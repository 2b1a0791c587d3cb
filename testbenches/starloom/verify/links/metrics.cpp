// SPDX-License-Identifier: Apache-2.0
#include <starloom/verify/links/metrics.hpp>

#include <algorithm>
#include <string>
#include <utility>

#include <starloom/verify/latency_metrics.hpp>

namespace starloom::links {
namespace {

std::optional<double> mean(std::int64_t sum, std::int64_t count) {
  return count > 0 ? std::optional(static_cast<double>(sum) / static_cast<double>(count)) : std::nullopt;
}

std::string step_text(Step step) {
  return step == no_step ? "was never injected" : "was injected in step " + std::to_string(step);
}

}  // namespace

RunMetrics::RunMetrics(const ResultDocument& result, const NetworkGraph& graph, const PacketTable& table,
                       const RunFacts& facts, const Attempts* attempts)
    : result_(result),
      graph_(graph),
      table_(table),
      facts_(facts),
      attempts_(attempts),
      ports_(static_cast<std::size_t>(graph.ports())),
      accepted_by_class_(facts.rules.classes.size(), 0),
      load_(graph.link_slots(), 0),
      hops_(table.packets.size(), 0),
      injected_(table.packets.size(), no_step),
      ejected_(table.packets.size(), false),
      cycle_(result, table, graph) {
  if (attempts_ != nullptr) {
    PacketTable& own = of_packets_.emplace(table_);
    duplicates_ = leave_first_attempts({own.packets, own.delivered, *own.injected, *own.lost}, *attempts_);
  }
  if (facts.phases && result.given("saturation")) {
    verdict_ = result.integer("saturation.step");
    const auto nodes = static_cast<std::size_t>(graph.nodes());
    phase_ = {load_, std::vector<std::int64_t>(nodes, 0), std::vector<std::int64_t>(nodes, 0)};
  }
}

void RunMetrics::rows(const std::vector<TraceRow>& of_one_step) {
  last_ = of_one_step.front().step;
  const bool measured = facts_.phases && last_ >= facts_.measured_from && last_ < facts_.measured_to;
  const bool before_verdict = measured && last_ < verdict_;
  for (const TraceRow& row : of_one_step) {
    cycle_.row(row);
    const bool moves = row.event != TraceEvent::inject && row.event < TraceEvent::discard;
    if (moves) last_moved_ = row.step;
    const bool crosses = row.event == TraceEvent::hop || row.event == TraceEvent::resend;
    if (crosses && facts_.rules.errors != nullptr && facts_.rules.errors->corrupts(row.node, row.port, row.step))
      ++errors_.corrupt;
    const auto packet = static_cast<std::size_t>(row.packet), node = static_cast<std::size_t>(row.node);
    switch (row.event) {
      case TraceEvent::inject:
        if (row.flit == 0) injected_[packet] = row.step;
        if (before_verdict) ++phase_.from_processor[node];
        break;
      case TraceEvent::hop: see_hop(row, before_verdict); break;
      case TraceEvent::eject:
        ejected_[packet] = true;
        if (measured) ++accepted_;
        if (measured && !accepted_by_class_.empty()) ++accepted_by_class_[table_.packets[packet].traffic_class];
        if (before_verdict) ++phase_.to_processor[node];
        break;
      case TraceEvent::key:
      case TraceEvent::token: ++control_hops_; break;
      case TraceEvent::store: break;
      case TraceEvent::resend: ++errors_.resends; break;
      case TraceEvent::discard: ++errors_.discards; break;
      case TraceEvent::drop: ++flits_dropped_; break;
    }
  }
}

void RunMetrics::see_hop(const TraceRow& row, bool in_phase) {
  const std::size_t link = static_cast<std::size_t>(row.node) * ports_ + static_cast<std::size_t>(row.port);
  ++flit_hops_;
  max_load_ = std::max(max_load_, ++load_[link]);
  if (row.flit == 0) ++hops_[static_cast<std::size_t>(row.packet)];
  if (in_phase) ++phase_.links[link];
}

bool RunMetrics::counts(Step created) const {
  return created >= facts_.measured_from && (facts_.measured_to == no_step || created < facts_.measured_to);
}

std::vector<NodeId> RunMetrics::destinations_of(const Packet& packet) const {
  if (!is_group(packet.destination)) return {packet.destination};
  return table_.destinations.groups()[group_index(packet.destination)].destinations;
}

std::int64_t RunMetrics::hops_of(std::size_t packet) const {
  if (attempts_ == nullptr) return hops_[packet];
  const auto fate = attempts_->fate_of(static_cast<PacketId>(packet), table_.delivered, *table_.injected, *table_.lost);
  return hops_[static_cast<std::size_t>(fate.arrived)];
}

RunMetrics::Counted RunMetrics::count() const {
  Counted counted;
  const bool over_routers = facts_.rules.storage == RefereeRules::Storage::virtual_channels;
  const PacketTable& table = packets();
  for (std::size_t i = 0; i < table.packets.size(); ++i) {
    const Packet& packet = table.packets[i];
    if (!packet.exists() || !counts(packet.created)) continue;
    ++counted.total;
    counted.flits += packet.flits;
    std::int64_t links = 0;
    for (const NodeId destination : destinations_of(packet))
      links = std::max<std::int64_t>(links, over_routers ? graph_.distance_over_routers(packet.source, destination)
                                                         : graph_.distance(packet.source, destination));
    counted.links += links;
    counted.most_links = std::max(counted.most_links.value_or(0), links);
    if (is_lost(i)) ++counted.lost;
    if (table.delivered[i] == no_step) continue;
    const std::int64_t hops = hops_of(i);
    counted.hops += hops;
    counted.most_hops = std::max(counted.most_hops.value_or(0), hops);
    counted.latencies.push_back(table.delivered[i] - packet.created);
    counted.network_latencies.push_back(table.delivered[i] - injected_[i]);
  }
  return counted;
}

void RunMetrics::compare(Comparison& comparison, std::optional<std::int64_t> nacks) const {
  const Counted counted = count();
  compare_packets(comparison, counted);
  compare_injections(comparison);
  comparison.expect("links.flit_hops", flit_hops_);
  comparison.expect("links.control_hops", control_hops_);
  if (facts_.rules.faults != nullptr) comparison.expect("faults.flits_dropped", flits_dropped_);
  if (facts_.rules.errors != nullptr) {
    comparison.expect("faults.corrupt", errors_.corrupt);
    if (nacks) comparison.expect("faults.nacks", *nacks);
    comparison.expect("faults.resends", errors_.resends);
    comparison.expect("faults.discards", errors_.discards);
    if (attempts_ != nullptr) comparison.expect("faults.duplicates", duplicates_);
  }
  comparison.expect("links.max_load", max_load_);
  compare_throughput(comparison, counted.flits);
  compare_classes(comparison);
  compare_saturation(comparison);
  compare_deadlock(comparison);
}

void RunMetrics::compare_packets(Comparison& comparison, const Counted& counted) const {
  const auto delivered = static_cast<std::int64_t>(counted.latencies.size());
  const bool partial = delivered < counted.total;
  Step steps = 0;
  for (const Step at : packets().delivered) steps = std::max(steps, at);
  comparison.expect("packets.total", counted.total);
  comparison.expect("packets.delivered", delivered);
  comparison.expect("packets.undelivered", counted.total - delivered);
  comparison.require(
      facts_.outcome != Outcome::completed || delivered + counted.lost == counted.total || facts_.may_leave_packets,
      "in result.json the run is completed, but packets are not delivered");
  comparison.expect("steps", steps);
  comparison.expect("distance.max", counted.most_links);
  comparison.expect_number("distance.mean", mean(counted.links, counted.total));
  comparison.expect("hops.max", counted.most_hops);
  comparison.expect_number("hops.mean", mean(counted.hops, delivered));
  compare_latencies(comparison, "latency", counted.latencies, partial, counted.hops);
  if (facts_.rules.storage == RefereeRules::Storage::virtual_channels)
    compare_latencies(comparison, "network_latency", counted.network_latencies, partial, counted.hops);
  else comparison.expect_null("network_latency");
}

void RunMetrics::compare_injections(Comparison& comparison) const {
  if (!table_.injected) return;
  const auto other = std::mismatch(table_.injected->begin(), table_.injected->end(), injected_.begin()).first;
  if (other == table_.injected->end()) return;
  const auto packet = other - table_.injected->begin();
  comparison.require(false, "packets.csv says that packet " + std::to_string(packet) + " " + step_text(*other) +
                                ", but by the rows it " + step_text(injected_[static_cast<std::size_t>(packet)]));
}

std::optional<Step> RunMetrics::measured_steps() const {
  const Step from = facts_.measured_from, to = facts_.measured_to;
  const auto up_to = [&](Step end) { return std::clamp(end, from, to) - from; };
  const bool only_lost = facts_.outcome == Outcome::incomplete && packets().lost && !packets().lost->empty();
  if (facts_.outcome == Outcome::completed || only_lost || last_ >= to) return to - from;
  if (facts_.outcome == Outcome::saturated && verdict_ != no_step) return up_to(verdict_);
  if (facts_.outcome == Outcome::step_limit && result_.given("experiment.limits.steps"))
    return up_to(result_.integer("experiment.limits.steps"));
  return std::nullopt;
}

void RunMetrics::compare_throughput(Comparison& comparison, std::int64_t offered) const {
  if (!facts_.phases) return comparison.expect_null("throughput");
  const std::optional<Step> steps = measured_steps();
  if (!steps) return;
  std::int64_t accepted = accepted_;
  // Packets that need not leave their node arrive without a row when they are created.
  for (std::size_t i = 0; i < table_.packets.size(); ++i)
    if (!ejected_[i] && table_.delivered[i] != no_step && counts(table_.delivered[i]))
      accepted += table_.packets[i].flits;
  comparison.expect_number("throughput.offered", rate_of(offered, *steps));
  comparison.expect_number("throughput.accepted", rate_of(accepted, *steps));
}

std::optional<double> RunMetrics::rate_of(std::int64_t flits, Step steps) const {
  if (steps == 0) return std::nullopt;
  return static_cast<double>(flits) / (static_cast<double>(steps) * graph_.processors());
}

void RunMetrics::compare_classes(Comparison& comparison) const {
  const std::optional<Step> steps = facts_.phases ? measured_steps() : std::nullopt;
  for (std::size_t number = 0; number < facts_.rules.classes.size(); ++number) {
    const std::string path = "classes." + std::to_string(number);
    std::int64_t total = 0, flits = 0;
    std::vector<Step> latencies, network_latencies;
    Step oldest = no_step;
    const PacketTable& table = packets();
    for (std::size_t i = 0; i < table.packets.size(); ++i) {
      const Packet& packet = table.packets[i];
      if (!packet.exists() || packet.traffic_class != number) continue;
      if (table.delivered[i] == no_step && (oldest == no_step || packet.created < oldest)) oldest = packet.created;
      if (!counts(packet.created)) continue;
      ++total;
      flits += packet.flits;
      if (table.delivered[i] == no_step) continue;
      latencies.push_back(table.delivered[i] - packet.created);
      network_latencies.push_back(table.delivered[i] - injected_[i]);
    }
    const auto delivered = static_cast<std::int64_t>(latencies.size());
    comparison.expect_text(path + ".name", facts_.rules.closed_loop
                                               ? (number == 0 ? "request" : "reply")
                                               : result_.text("experiment.traffic." + path + ".name"));
    comparison.expect(path + ".packets.total", total);
    comparison.expect(path + ".packets.delivered", delivered);
    comparison.expect(path + ".packets.undelivered", total - delivered);
    compare_distribution(comparison, path + ".latency", std::move(latencies));
    comparison.expect_boolean(path + ".latency.partial", delivered < total);
    compare_distribution(comparison, path + ".network_latency", std::move(network_latencies));
    comparison.expect_boolean(path + ".network_latency.partial", delivered < total);
    if (!facts_.phases) comparison.expect_null(path + ".throughput");
    if (steps) {
      comparison.expect_number(path + ".throughput.offered", rate_of(flits, *steps));
      comparison.expect_number(path + ".throughput.accepted", rate_of(accepted_by_class_[number], *steps));
    }
    // The run may have gone on after its last row.
    if (oldest == no_step) comparison.expect_null(path + ".oldest");
    else
      comparison.require(result_.given(path + ".oldest") && result_.integer(path + ".oldest") > last_ - oldest,
                         "in result.json the oldest packet of class " + std::to_string(number) +
                             " is not as old as one that is not delivered, of step " + std::to_string(oldest));
  }
}

std::string RunMetrics::full_port() const {
  const Step steps = std::min(verdict_, facts_.measured_to) - facts_.measured_from;
  for (NodeId node = 0; node < graph_.nodes(); ++node)
    for (Port port = 0; port < graph_.ports(); ++port) {
      const std::int64_t flits = phase_.links[graph_.index(node, port)];
      // One more flit would not have fitted into the steps.
      if (flits > 0 && (flits + 1) * graph_.interval(node, port) > steps) return graph_.link_name(node, port);
    }
  // In other models a processor sends and receives any number of flits per step.
  if (facts_.rules.storage != RefereeRules::Storage::virtual_channels) return "";
  for (NodeId node = 0; node < graph_.nodes(); ++node) {
    if (graph_.is_terminal(node)) continue;
    const auto at = static_cast<std::size_t>(node);
    if (std::max(phase_.from_processor[at], phase_.to_processor[at]) >= steps) return graph_.node_name(node);
  }
  return "";
}

void RunMetrics::compare_saturation(Comparison& comparison) const {
  const bool saturated = facts_.outcome == Outcome::saturated;
  if (facts_.phases) comparison.expect_boolean("saturated", saturated);
  else if (result_.find("application") == nullptr) comparison.expect_null("saturated");
  // An application whose queues grew ends as completed.
  comparison.require(facts_.phases || !saturated,
                     "in result.json the run is saturated, but its traffic has no measurement phase");
  if (!facts_.phases || !saturated) return comparison.expect_null("saturation");
  comparison.expect_given("saturation");
  if (!comparison.text().empty()) return;
  const auto reason = static_cast<SaturationReason>(
      result_.choice("saturation.reason", saturation_reason_names, "a reason of saturation"));
  // A verdict before the end of the phase ends the run, so that `throughput` depends on its step.
  if (reason == SaturationReason::full || reason == SaturationReason::backlog)
    comparison.expect("saturation.step",
                      last_ < facts_.measured_to ? std::min(verdict_, facts_.measured_to) : facts_.measured_to);
  if (reason == SaturationReason::drain)
    comparison.expect("saturation.step", facts_.measured_to + result_.integer("experiment.traffic.drain"));
  if (reason == SaturationReason::full) {
    const std::string port = full_port();
    comparison.require(!port.empty(), "in result.json " + result_.at("saturation.link").dump() +
                                          " was full, but by the rows no link or local port was");
    return comparison.expect_text("saturation.link", port);
  }
  if (reason == SaturationReason::backlog)
    comparison.require(full_port().empty(),
                       "in result.json only the backlog grew, but by the rows " + full_port() + " was full");
  comparison.expect_null("saturation.link");
}

void RunMetrics::compare_deadlock(Comparison& comparison) const {
  if (facts_.outcome != Outcome::deadlock) return comparison.expect_null("deadlock");
  comparison.expect("deadlock.step", last_moved_ == no_step ? std::nullopt : std::optional(last_moved_));
  cycle_.compare(comparison);
}

}  // namespace starloom::links
