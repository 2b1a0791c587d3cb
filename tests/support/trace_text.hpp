// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Trace rows in the form of `trace.csv`, so that tests can quote them.
#include <ostream>
#include <string>
#include <vector>

#include <starloom/core/links/trace.hpp>

namespace starloom::links {

inline std::string row_text(const TraceRow& row) {
  const auto cell = [](std::int64_t value) { return "," + (value < 0 ? std::string() : std::to_string(value)); };
  return std::to_string(row.step) + "," + std::string(trace_event_names[static_cast<int>(row.event)]) +
         cell(row.packet) + cell(row.flit) + cell(row.node) + cell(row.port) + cell(row.to);
}

inline std::vector<std::string> row_texts(const std::vector<TraceRow>& rows) {
  std::vector<std::string> texts;
  for (const TraceRow& row : rows) texts.push_back(row_text(row));
  return texts;
}

inline std::ostream& operator<<(std::ostream& out, const TraceRow& row) { return out << row_text(row); }

}  // namespace starloom::links
