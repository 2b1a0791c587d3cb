// SPDX-License-Identifier: Apache-2.0
#include <starloom/verify/links/diagonal_timetable.hpp>

#include <starloom/referee/links/diagonal_audit.hpp>
#include <string>

namespace starloom::links {
namespace {

bool no_two_to_one_node(NodeId nodes, const std::vector<Packet>& packets) {
  std::vector<bool> receives(static_cast<std::size_t>(nodes));
  for (const Packet& packet : packets) {
    if (receives[static_cast<std::size_t>(packet.destination)]) return false;
    receives[static_cast<std::size_t>(packet.destination)] = true;
  }
  return true;
}

DiagonalAuditRules diagonal_rules_of(const Grid& torus, const ResultDocument& result,
                                     const std::vector<Packet>& packets) {
  const auto constant = [&result](const char* name) { return result.small(std::string("algorithm.") + name, 1); };
  DiagonalAuditRules rules;
  rules.flits = packets.front().flits;
  rules.a = constant("a");
  rules.b = constant("b");
  rules.width = constant("w0");
  rules.forward = constant("F");
  rules.rounds = constant("R");
  rules.thinning = constant("g");
  if (std::int64_t{rules.a} * rules.b * rules.flits > torus.side(0) ||
      std::int64_t{rules.width} * rules.flits > torus.side(0))
    result.fail("algorithm", "has constants that do not fit the torus");
  rules.registers_only = result.text("experiment.routing.level") == "B";
  const std::string intermediate = result.text("experiment.routing.intermediate");
  rules.intermediate = intermediate == "on" || (intermediate == "auto" && no_two_to_one_node(torus.nodes(), packets));
  rules.seed = static_cast<std::uint64_t>(result.integer("experiment.seed"));
  return rules;
}

/// The audit, and what it found against the figures of the result.
class DiagonalRunAudit final : public RunAudit {
 public:
  DiagonalRunAudit(const Grid& torus, const ResultDocument& result, const std::vector<Packet>& packets)
      : result_(result), packets_(packets), audit_(torus, diagonal_rules_of(torus, result, packets)) {}

  void rows(const std::vector<TraceRow>& rows) override { audit_.rows(rows); }
  void compare(Comparison& comparison) override {
    const DiagonalAuditReport report = audit_.report(packets_);
    comparison.require(report.faults.empty(),
                       report.faults.empty() ? "" : "the timetable was not kept: " + report.faults.front());
    const auto expect = [&](const char* path, std::int64_t found) { comparison.expect(path, found); };
    expect("schedule.steps", report.steps);
    expect("schedule.units", report.batches);
    expect("algorithm.failures.pass_1", report.pass_1);
    expect("algorithm.failures.phase_2", report.phase_2);
    expect("algorithm.failures.overflow", report.overflow);
    expect("algorithm.failures.no_place", report.no_place);
    expect("algorithm.clean_up_batches", report.clean_up_batches);
  }

 private:
  const ResultDocument& result_;
  const std::vector<Packet>& packets_;
  DiagonalAudit audit_;
};

}  // namespace

std::unique_ptr<RunAudit> make_diagonal_audit(const LinkNetwork& network, const ResultDocument& result,
                                              const std::vector<Packet>& packets) {
  if (packets.empty()) return nullptr;
  const Grid* torus = network.as<Grid>();
  if (torus == nullptr || torus->kind() != GridKind::torus || torus->dimensions() < 2)
    result.fail("experiment.network", "is not a torus for sliding-diagonals");
  return std::make_unique<DiagonalRunAudit>(*torus, result, packets);
}

}  // namespace starloom::links
