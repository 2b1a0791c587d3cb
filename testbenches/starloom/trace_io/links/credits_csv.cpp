// SPDX-License-Identifier: Apache-2.0
#include <starloom/trace_io/links/credits_csv.hpp>

#include <starloom/core/most_steps.hpp>
#include <starloom/trace_io/rows_together.hpp>

#include <algorithm>
#include <limits>

namespace starloom::links {
namespace {

constexpr std::int64_t greatest_cell = std::numeric_limits<std::int32_t>::max();

}  // namespace

CreditsWriter::CreditsWriter(const std::filesystem::path& file, TraceWindow window, const SubnetRows& subnets)
    : out_(file), window_(window), subnets_(subnets) {
  out_ << credits_header << '\n';
}

void CreditsWriter::write(const std::vector<CreditRow>& of_one_step) {
  for (const CreditRow& row : of_one_step) {
    if (row.step < window_.from || (window_.to != no_step && row.step >= window_.to)) continue;
    out_ << row.step << ',' << std::int64_t{row.node} << ',' << std::int64_t{row.port} << ','
         << std::int64_t{row.channel} << '\n';
  }
}

CreditsReader::CreditsReader(const std::filesystem::path& file, const SubnetRows& subnets)
    : csv_(file, credits_header), subnets_(subnets), has_ahead_(read_row()) {}

bool CreditsReader::read_row() {
  if (!csv_.next_line()) return false;
  ahead_.step = csv_.number(most_steps);
  ahead_.node = static_cast<NodeId>(csv_.number(greatest_cell));
  ahead_.port = static_cast<Port>(csv_.number(greatest_cell));
  ahead_.channel = static_cast<std::int32_t>(csv_.number(greatest_cell));
  if (!subnets_.several()) return true;
  subnets_.check(csv_, in_file_, ahead_);
  in_file_ = ahead_;
  ahead_ = subnets_.from_file(ahead_);
  return true;
}

bool CreditsReader::next(std::vector<CreditRow>& rows) {
  const bool any = rows_together(rows, ahead_, has_ahead_, &CreditRow::step, [this] { return read_row(); });
  if (subnets_.several()) std::sort(rows.begin(), rows.end());
  return any;
}

}  // namespace starloom::links
