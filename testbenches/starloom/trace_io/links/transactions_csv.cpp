// SPDX-License-Identifier: Apache-2.0
#include <starloom/trace_io/links/transactions_csv.hpp>

#include <limits>

#include <starloom/core/most_steps.hpp>
#include <starloom/trace_io/csv_reader.hpp>

namespace starloom::links {

std::vector<TransactionRow> read_transactions(const std::filesystem::path& file) {
  CsvReader csv(file, transactions_header);
  std::vector<TransactionRow> rows;
  while (csv.next_line()) {
    if (csv.number(std::numeric_limits<std::int32_t>::max()) != static_cast<std::int64_t>(rows.size()))
      csv.fail("transaction " + std::to_string(rows.size()) + " is expected here");
    TransactionRow row;
    row.issued = csv.number_or_empty(most_steps);
    row.completed = csv.number_or_empty(most_steps);
    if (row.completed != no_step && (row.issued == no_step || row.completed < row.issued))
      csv.fail("completed must be greater than issued");
    row.status = csv.cell();
    if (row.status.empty() != (row.completed == no_step)) csv.fail("a transaction has a status once it is completed");
    const std::string_view data = csv.cell();
    if (data.size() % 2 != 0 || data.find_first_not_of("0123456789abcdef") != std::string_view::npos)
      csv.fail("data consists of two hexadecimal digits per byte");
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace starloom::links
