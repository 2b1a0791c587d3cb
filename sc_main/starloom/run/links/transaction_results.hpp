// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Transactions of a run: made from an experiment, told in its report.
#include <starloom/experiment/experiment.hpp>
#include <starloom/results/run_report.hpp>
#include <starloom/simulation/links/transaction_plan.hpp>
#include <vector>

namespace starloom::links {

/// Refers to `transactions`. The experiment has a section `tlm`.
TransactionPlan transaction_plan(const Experiment& experiment, const std::vector<Transaction>& transactions);

/// Adds figures, a line and `transactions.csv`: `transaction,issued,completed,status,data`, times in steps, status by
/// the name that the standard has for it, data of reads in hexadecimal.
void add_transactions(RunReport& report, const TransactionPlan& plan, const std::vector<PlayedTransaction>& played);

}  // namespace starloom::links
