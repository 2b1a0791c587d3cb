// SPDX-License-Identifier: Apache-2.0
#include <starloom/trace_io/links/collectives_csv.hpp>

#include <limits>

#include <starloom/core/most_steps.hpp>
#include <starloom/support/text_writer.hpp>
#include <starloom/trace_io/csv_reader.hpp>

namespace starloom::links {
namespace {

constexpr std::string_view collectives_header =
    "name,instance,op,algorithm,ranks,flits,start,finish,algbw_gbps,busbw_gbps,node,link,bisection,model";
constexpr std::string_view chunks_header = "name,instance,block,piece,finish";

constexpr std::int64_t max_number = std::numeric_limits<std::int32_t>::max();

void write(TextWriter& out, std::int64_t value) {
  if (value >= 0) out << value;
}

void write(TextWriter& out, const std::optional<double>& value) {
  if (value) out << *value;
}

}  // namespace

void write_collectives(const std::filesystem::path& file, const std::vector<CollectiveRow>& rows) {
  TextWriter out(file);
  out << collectives_header << '\n';
  for (const CollectiveRow& row : rows) {
    out << row.name << ',' << row.instance << ',' << row.op << ',' << row.algorithm << ',' << row.ranks << ','
        << row.flits << ',';
    write(out, row.start);
    out << ',';
    write(out, row.finish);
    out << ',';
    write(out, row.algbw_gbps);
    out << ',';
    write(out, row.busbw_gbps);
    out << ',' << row.bounds.node << ',';
    write(out, row.bounds.link.value_or(-1));
    out << ',';
    write(out, row.bounds.bisection);
    out << ',';
    write(out, row.bounds.model);
    out << '\n';
  }
  out.close();
}

void write_chunks(const std::filesystem::path& file, const std::vector<ChunkRow>& rows) {
  TextWriter out(file);
  out << chunks_header << '\n';
  for (const ChunkRow& row : rows)
    out << row.name << ',' << row.instance << ',' << row.block << ',' << row.piece << ',' << row.finish << '\n';
  out.close();
}

std::vector<CollectiveRow> read_collectives(const std::filesystem::path& file) {
  CsvReader csv(file, collectives_header);
  std::vector<CollectiveRow> rows;
  while (csv.next_line()) {
    CollectiveRow& row = rows.emplace_back();
    row.name = csv.cell();
    row.instance = csv.number(max_number);
    row.op = csv.cell();
    row.algorithm = csv.cell();
    row.ranks = static_cast<std::int32_t>(csv.number(max_number));
    row.flits = csv.number(std::numeric_limits<std::int64_t>::max());
    row.start = csv.number_or_empty(most_steps);
    row.finish = csv.number_or_empty(most_steps);
    row.algbw_gbps = csv.fraction_or_empty();
    row.busbw_gbps = csv.fraction_or_empty();
    row.bounds.node = csv.number(std::numeric_limits<std::int64_t>::max());
    if (const std::int64_t link = csv.number_or_empty(std::numeric_limits<std::int64_t>::max()); link >= 0)
      row.bounds.link = link;
    row.bounds.bisection = csv.fraction_or_empty();
    row.bounds.model = csv.fraction_or_empty();
  }
  return rows;
}

std::vector<ChunkRow> read_chunks(const std::filesystem::path& file) {
  CsvReader csv(file, chunks_header);
  std::vector<ChunkRow> rows;
  while (csv.next_line()) {
    ChunkRow& row = rows.emplace_back();
    row.name = csv.cell();
    row.instance = csv.number(max_number);
    row.block = static_cast<std::int32_t>(csv.number(max_number));
    row.piece = static_cast<std::int32_t>(csv.number(max_number));
    row.finish = csv.number(most_steps);
  }
  return rows;
}

}  // namespace starloom::links
