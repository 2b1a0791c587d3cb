// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file What `verify` checks beyond the rules of the model, where an algorithm promises more: a row of a table, by its name.
#include <memory>
#include <string>
#include <vector>

#include <starloom/core/links/trace.hpp>
#include <starloom/core/packet.hpp>
#include <starloom/topology/network.hpp>
#include <starloom/verify/comparison.hpp>
#include <starloom/verify/result_document.hpp>

namespace starloom::links {

/// Sees all rows of a run. It knows files only, and shares no code with controllers.
class RunAudit {
 public:
  virtual ~RunAudit() = default;
  virtual void rows(const std::vector<TraceRow>& rows) = 0;
  /// What it found, against what the result reports.
  virtual void compare(Comparison& comparison) = 0;
};

/// A completed run; all arguments outlive the audit. \throws InputError if the result does not say what it needs.
using MakeRunAudit = std::unique_ptr<RunAudit> (*)(const LinkNetwork& network, const ResultDocument& result,
                                                   const std::vector<Packet>& packets);

struct RunAuditEntry {
  std::string algorithm;
  MakeRunAudit make;
};
const std::vector<RunAuditEntry>& run_audit_table();

/// Null if the run was of an algorithm without an audit, or did not come to its end.
std::unique_ptr<RunAudit> run_audit_of(const LinkNetwork& network, const ResultDocument& result,
                                       const std::vector<Packet>& packets);

}  // namespace starloom::links
