// SPDX-License-Identifier: Apache-2.0
#include <starloom/verify/links/run_audit.hpp>

#include <starloom/verify/links/diagonal_timetable.hpp>

namespace starloom::links {

const std::vector<RunAuditEntry>& run_audit_table() {
  static const std::vector<RunAuditEntry> table = {{"sliding-diagonals", make_diagonal_audit}};
  return table;
}

std::unique_ptr<RunAudit> run_audit_of(const LinkNetwork& network, const ResultDocument& result,
                                       const std::vector<Packet>& packets) {
  if (!result.given("experiment.routing.algorithm") || result.outcome() != Outcome::completed) return nullptr;
  for (const RunAuditEntry& entry : run_audit_table())
    if (entry.algorithm == result.text("experiment.routing.algorithm")) return entry.make(network, result, packets);
  return nullptr;
}

}  // namespace starloom::links
