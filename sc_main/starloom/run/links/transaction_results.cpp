// SPDX-License-Identifier: Apache-2.0
#include <starloom/run/links/transaction_results.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <starloom/results/lines.hpp>
#include <starloom/run/text_file.hpp>
#include <starloom/trace_io/links/transactions_csv.hpp>

namespace starloom::links {
namespace {

std::string transactions_csv(const std::vector<PlayedTransaction>& played) {
  std::string text = std::string(transactions_header) + "\n";
  const auto cell = [](Step step) { return step == no_step ? std::string() : std::to_string(step); };
  for (std::size_t i = 0; i < played.size(); ++i) {
    const PlayedTransaction& one = played[i];
    text += fmt::format("{},{},{},{},", i, cell(one.issued), cell(one.completed), one.status);
    for (const std::uint8_t byte : one.data) text += fmt::format("{:02x}", byte);
    text += '\n';
  }
  return text;
}

}  // namespace

TransactionPlan transaction_plan(const Experiment& experiment, const std::vector<Transaction>& transactions) {
  const TlmConfig& tlm = *experiment.tlm;
  TransactionPlan plan;
  const auto view = std::find(std::begin(transaction_view_names), std::end(transaction_view_names), tlm.view);
  plan.view = static_cast<TransactionView>(view - std::begin(transaction_view_names));
  // An invalid node number is kept.
  const auto node = [](std::int64_t number) {
    return number == static_cast<NodeId>(number) ? static_cast<NodeId>(number) : no_node;
  };
  for (const std::int64_t initiator : tlm.initiators) plan.initiators.push_back(node(initiator));
  for (const TlmConfig::Target& target : tlm.targets)
    plan.targets.push_back({node(target.node), {target.base, target.size}});
  plan.flit_bytes = static_cast<std::int32_t>(experiment.units.flit_bytes);
  plan.transactions = &transactions;
  return plan;
}

void add_transactions(RunReport& report, const TransactionPlan& plan, const std::vector<PlayedTransaction>& played) {
  std::int64_t answered = 0, errors = 0, sum = 0, longest = 0;
  for (const PlayedTransaction& one : played) {
    if (one.completed == no_step) continue;
    ++answered;
    if (one.status != ok_status) ++errors;
    sum += one.completed - one.issued;
    longest = std::max(longest, one.completed - one.issued);
  }
  report.metrics["transactions.total"] = played.size();
  report.metrics["transactions.answered"] = answered;
  report.metrics["transactions.errors"] = errors;
  if (answered > 0) {
    report.metrics["transactions.mean"] = static_cast<double>(sum) / static_cast<double>(answered);
    report.metrics["transactions.max"] = longest;
  }
  if (plan.view != TransactionView::cycle_accurate) {
    // There are no routers that could store packets.
    for (const char* const metric : {"queue.max", "queue.node", "queue.step"}) report.metrics.erase(metric);
    report.lines.erase(
        std::remove_if(report.lines.begin(), report.lines.end(), [](const Line& line) { return line.name == "queue"; }),
        report.lines.end());
  }
  std::string text = fmt::format("{} of {} answered, {}", answered, played.size(),
                                 transaction_view_names[static_cast<int>(plan.view)]);
  if (errors > 0) text += fmt::format("; {} with an error", errors);
  report.lines.push_back({"transactions", text});
  report.files.push_back(text_file("transactions.csv", transactions_csv(played)));
}

}  // namespace starloom::links
