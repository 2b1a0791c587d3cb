// SPDX-License-Identifier: Apache-2.0
#include <starloom/trace_io/links/critical_path_csv.hpp>

#include <limits>
#include <string_view>

#include <starloom/core/most_steps.hpp>
#include <starloom/support/text_writer.hpp>
#include <starloom/trace_io/csv_reader.hpp>

namespace starloom::links {
namespace {

constexpr std::string_view critical_path_header = "message,compute,ideal,contention";

}  // namespace

void write_critical_path(const std::filesystem::path& file, const std::vector<CriticalMessage>& chain) {
  TextWriter out(file);
  out << critical_path_header << '\n';
  for (const CriticalMessage& one : chain)
    out << one.message << ',' << one.compute << ',' << one.ideal << ',' << one.contention << '\n';
  out.close();
}

std::vector<CriticalMessage> read_critical_path(const std::filesystem::path& file) {
  CsvReader csv(file, critical_path_header);
  std::vector<CriticalMessage> chain;
  while (csv.next_line()) {
    CriticalMessage& one = chain.emplace_back();
    one.message = csv.number(std::numeric_limits<std::int32_t>::max());
    for (Step* const steps : {&one.compute, &one.ideal, &one.contention}) *steps = csv.number(most_steps);
  }
  return chain;
}

}  // namespace starloom::links
