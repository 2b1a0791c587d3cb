#pragma once
/// \file The audit of sliding diagonals on an output folder.
#include <memory>
#include <vector>

#include <starloom/core/packet.hpp>
#include <starloom/referee/links/diagonal_audit.hpp>
#include <starloom/topology/network.hpp>
#include <starloom/verify/comparison.hpp>
#include <starloom/verify/result_document.hpp>

namespace starloom::links {

/// An audit by the constants that a result reports; null if the run was of another algorithm, or did not come to its end.
/// \throws InputError if the result does not say what it needs. The network must outlive the audit.
std::unique_ptr<DiagonalAudit> diagonal_audit_of(const LinkNetwork& network, const ResultDocument& result,
                                                 const std::vector<Packet>& packets);
/// What the audit found, against what the result reports.
void compare_timetable(Comparison& comparison, const ResultDocument& result, const DiagonalAuditReport& report);

}  // namespace starloom::links
