// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Transactions of a run: from an experiment to its report.
#include <starloom/experiment/experiment.hpp>
#include <starloom/results/run_report.hpp>
#include <starloom/simulation/links/transaction_plan.hpp>
#include <vector>

namespace starloom::links {

/// Refers to `transactions`. The experiment has a section `tlm`.
TransactionPlan transaction_plan(const Experiment& experiment, const std::vector<Transaction>& transactions);

/// Adds metrics, a line and `transactions.csv`: `transaction,issued,completed,status,data`, times in steps, status by
/// its name in the standard, data of reads in hexadecimal.
void add_transactions(RunReport& report, const TransactionPlan& plan, const std::vector<PlayedTransaction>& played);

}  // namespace starloom::links
