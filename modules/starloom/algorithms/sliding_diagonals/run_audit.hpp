// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The audit of sliding diagonals on an output folder.
#include <starloom/control/links/run_audit.hpp>

namespace starloom::links {

/// By the constants that the result reports. Null if there are no packets. \throws InputError as `MakeRunAudit`.
std::unique_ptr<RunAudit> make_diagonal_audit(const LinkNetwork& network, const ReportedRun& run,
                                              const std::vector<Packet>& packets);

}  // namespace starloom::links
