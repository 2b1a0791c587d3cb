// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The audit of the algorithm of a run, on an output folder.
#include <memory>
#include <vector>

#include <starloom/control/links/run_audit.hpp>
#include <starloom/verify/comparison.hpp>
#include <starloom/verify/known_entries.hpp>

namespace starloom::links {

/// Null if the algorithm has no audit, or if the run did not end regularly. Network and packets outlive the audit.
/// \throws InputError if the result lacks a value that the audit needs.
std::unique_ptr<RunAudit> run_audit_of(const LinkNetwork& network, const ResultDocument& result,
                                       const std::vector<Packet>& packets, const KnownEntries& known);

/// Compares its report with the metrics of the result.
void compare_audit(Comparison& comparison, const AuditReport& report);

}  // namespace starloom::links
