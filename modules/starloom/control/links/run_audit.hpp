// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Checks, on the trace of a run, of what its algorithm promises beyond the rules of the hardware. `verify`
/// makes the audit that the entry of the algorithm names, and includes none itself.
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <starloom/core/links/trace.hpp>
#include <starloom/core/packet.hpp>
#include <starloom/topology/network.hpp>

namespace starloom::links {

/// The values of result.json by their paths, for example `experiment.seed`.
class ReportedRun {
 public:
  virtual ~ReportedRun() = default;
  /// Each \throws InputError with the name of the file and the path if the value is missing, of another
  /// type or out of range.
  virtual std::int64_t integer(const std::string& path, std::int64_t least = 0,
                               std::int64_t greatest = std::numeric_limits<std::int64_t>::max()) const = 0;
  virtual std::string text(const std::string& path) const = 0;
  /// \throws InputError "FILE: 'path' fault".
  [[noreturn]] virtual void fail(const std::string& path, const std::string& error) const = 0;
};

struct AuditReport {
  std::string error{};  ///< the first broken promise, a sentence; empty: none
  /// Values computed from the trace, by their paths in result.json.
  std::vector<std::pair<std::string, std::int64_t>> metrics{};
};

/// Receives all rows of a completed run, then reports. It shares no code with the controllers that it audits.
class RunAudit : public TraceSink {
 public:
  virtual AuditReport report() = 0;
};

/// Network and packets outlive the audit. Null if there is no promise to audit.
/// \throws InputError if the result lacks a value that the audit needs.
using MakeRunAudit = std::function<std::unique_ptr<RunAudit>(const LinkNetwork& network, const ReportedRun& run,
                                                             const std::vector<Packet>& packets)>;

}  // namespace starloom::links
