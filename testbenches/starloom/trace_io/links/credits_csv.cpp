// SPDX-License-Identifier: Apache-2.0
#include <starloom/trace_io/links/credits_csv.hpp>

#include <starloom/core/most_steps.hpp>
#include <starloom/trace_io/rows_together.hpp>

#include <limits>

namespace starloom::links {
namespace {

constexpr std::int64_t greatest_cell = std::numeric_limits<std::int32_t>::max();

}  // namespace

CreditsWriter::CreditsWriter(const std::filesystem::path& file, TraceWindow window) : out_(file), window_(window) {
  out_ << credits_header << '\n';
}

void CreditsWriter::rows(const std::vector<CreditRow>& of_one_step) {
  for (const CreditRow& row : of_one_step) {
    if (row.step < window_.from || (window_.to != no_step && row.step >= window_.to)) continue;
    out_ << row.step << ',' << std::int64_t{row.node} << ',' << std::int64_t{row.port} << ','
         << std::int64_t{row.channel} << '\n';
  }
}

CreditsReader::CreditsReader(const std::filesystem::path& file) : csv_(file, credits_header), has_ahead_(read_row()) {}

bool CreditsReader::read_row() {
  if (!csv_.next_line()) return false;
  ahead_.step = csv_.number(most_steps);
  ahead_.node = static_cast<NodeId>(csv_.number(greatest_cell));
  ahead_.port = static_cast<Port>(csv_.number(greatest_cell));
  ahead_.channel = static_cast<std::int32_t>(csv_.number(greatest_cell));
  return true;
}

bool CreditsReader::next(std::vector<CreditRow>& rows) {
  return rows_together(rows, ahead_, has_ahead_, &CreditRow::step, [this] { return read_row(); });
}

}  // namespace starloom::links
