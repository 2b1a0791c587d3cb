// SPDX-License-Identifier: Apache-2.0
#include <starloom/trace_io/links/operations_csv.hpp>

#include <limits>
#include <string_view>

#include <starloom/core/most_steps.hpp>
#include <starloom/support/text_writer.hpp>
#include <starloom/trace_io/csv_reader.hpp>

namespace starloom::links {
namespace {

constexpr std::string_view operations_header = "name,instance,op,rank,node,start,finish";

}  // namespace

void write_operations(const std::filesystem::path& file, const std::vector<OperationRow>& rows) {
  TextWriter out(file);
  out << operations_header << '\n';
  for (const OperationRow& row : rows) {
    out << row.name << ',' << row.instance << ',' << row.op << ',' << row.rank << ',' << row.node << ',';
    if (row.start != no_step) out << row.start;
    out << ',';
    if (row.finish != no_step) out << row.finish;
    out << '\n';
  }
  out.close();
}

std::vector<OperationRow> read_operations(const std::filesystem::path& file) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  CsvReader csv(file, operations_header);
  std::vector<OperationRow> rows;
  while (csv.next_line()) {
    OperationRow& row = rows.emplace_back();
    row.name = csv.cell();
    row.instance = csv.number(most);
    row.op = csv.cell();
    row.rank = static_cast<std::int32_t>(csv.number(most));
    row.node = static_cast<NodeId>(csv.number(most));
    row.start = csv.number_or_empty(most_steps);
    row.finish = csv.number_or_empty(most_steps);
    if (row.finish != no_step && (row.start == no_step || row.start > row.finish))
      csv.fail("a rank finishes an operation after it has entered it");
  }
  return rows;
}

}  // namespace starloom::links
