// SPDX-License-Identifier: Apache-2.0
#include <starloom/verify/links/run_audit.hpp>

namespace starloom::links {
namespace {

class ReportedResult final : public ReportedRun {
 public:
  explicit ReportedResult(const ResultDocument& result) : result_(result) {}
  std::int64_t integer(const std::string& path, std::int64_t least, std::int64_t greatest) const override {
    return result_.integer(path, least, greatest);
  }
  std::string text(const std::string& path) const override { return result_.text(path); }
  [[noreturn]] void fail(const std::string& path, const std::string& error) const override {
    result_.fail(path, error);
  }

 private:
  const ResultDocument& result_;
};

}  // namespace

std::unique_ptr<RunAudit> run_audit_of(const LinkNetwork& network, const ResultDocument& result,
                                       const std::vector<Packet>& packets, const KnownEntries& known) {
  if (!result.given("experiment.routing.algorithm") || result.outcome() != Outcome::completed) return nullptr;
  const auto audit = known.audits.find(result.text("experiment.routing.algorithm"));
  return audit == known.audits.end() ? nullptr : audit->second(network, ReportedResult(result), packets);
}

void compare_audit(Comparison& comparison, const AuditReport& report) {
  comparison.require(report.error.empty(), report.error);
  for (const auto& [path, found] : report.metrics) comparison.expect(path, found);
}

}  // namespace starloom::links
