// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/sliding_diagonals/run_audit.hpp>

#include <limits>
#include <string>

#include <starloom/algorithms/sliding_diagonals/diagonal_audit.hpp>

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

DiagonalAuditRules diagonal_rules_of(const Grid& torus, const ReportedRun& run, const std::vector<Packet>& packets) {
  const auto constant = [&run](const char* name) {
    return static_cast<std::int32_t>(
        run.integer(std::string("algorithm.") + name, 1, std::numeric_limits<std::int32_t>::max()));
  };
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
    run.fail("algorithm", "has constants that do not fit the torus");
  rules.registers_only = run.text("experiment.routing.level") == "B";
  const std::string intermediate = run.text("experiment.routing.intermediate");
  rules.intermediate = intermediate == "on" || (intermediate == "auto" && no_two_to_one_node(torus.nodes(), packets));
  rules.seed = static_cast<std::uint64_t>(run.integer("experiment.seed"));
  return rules;
}

class DiagonalRunAudit final : public RunAudit {
 public:
  DiagonalRunAudit(const Grid& torus, const DiagonalAuditRules& rules, const std::vector<Packet>& packets)
      : packets_(packets), audit_(torus, rules) {}

  void rows(const std::vector<TraceRow>& rows) override { audit_.rows(rows); }
  AuditReport report() override {
    const DiagonalAuditReport found = audit_.report(packets_);
    return {found.diagnostics.empty() ? "" : "the timetable was not kept: " + found.diagnostics.front(),
            {{"schedule.steps", found.steps},
             {"schedule.units", found.batches},
             {"algorithm.failures.pass_1", found.pass_1},
             {"algorithm.failures.phase_2", found.phase_2},
             {"algorithm.failures.overflow", found.overflow},
             {"algorithm.failures.no_place", found.no_position},
             {"algorithm.clean_up_batches", found.clean_up_batches}}};
  }

 private:
  const std::vector<Packet>& packets_;
  DiagonalAudit audit_;
};

}  // namespace

std::unique_ptr<RunAudit> make_diagonal_audit(const LinkNetwork& network, const ReportedRun& run,
                                              const std::vector<Packet>& packets) {
  if (packets.empty()) return nullptr;
  const Grid* torus = network.as<Grid>();
  if (torus == nullptr || torus->kind() != GridKind::torus || torus->dimensions() < 2)
    run.fail("experiment.network", "is not a torus for sliding-diagonals");
  return std::make_unique<DiagonalRunAudit>(*torus, diagonal_rules_of(*torus, run, packets), packets);
}

}  // namespace starloom::links
