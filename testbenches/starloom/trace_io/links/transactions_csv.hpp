// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `transactions.csv`: the transactions of a run and their responses (docs/tlm.md).
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <starloom/core/ids.hpp>

namespace starloom::links {

inline constexpr std::string_view transactions_header = "transaction,issued,completed,status,data";
/// The status of a transaction without an error, as the TLM-2.0 standard names it.
inline constexpr std::string_view ok_status = "TLM_OK_RESPONSE";

struct TransactionRow {
  Step issued = no_step;     ///< no_step: never
  Step completed = no_step;  ///< no_step: no response
  std::string status{};      ///< empty: no response
};

/// By number. Strict: every line is complete, transactions are numbered 0, 1, 2, ...; a transaction with a response
/// was issued before it, and has a status. \throws InputError `file:line:column: text`
std::vector<TransactionRow> read_transactions(const std::filesystem::path& file);

}  // namespace starloom::links
