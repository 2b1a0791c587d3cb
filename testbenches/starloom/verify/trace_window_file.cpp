// SPDX-License-Identifier: Apache-2.0
#include <starloom/verify/trace_window_file.hpp>

#include <fmt/format.h>

#include <starloom/schema/data_file.hpp>
#include <starloom/verify/result_document.hpp>

namespace starloom {

std::string trace_window_json(const TraceWindow& window) {
  return fmt::format("{{\"from\": {}, \"to\": {}}}\n", window.from,
                     window.to == no_step ? "null" : std::to_string(window.to));
}

std::optional<TraceWindow> read_trace_window(const std::filesystem::path& folder) {
  if (!is_there(folder / trace_window_file)) return std::nullopt;
  const FolderDocument document(folder / trace_window_file);
  TraceWindow window;
  window.from = document.integer("from");
  if (document.given("to")) window.to = document.integer("to", window.from + 1);
  return window;
}

std::string window_text(const TraceWindow& window, const std::string& clock) {
  const std::string text = fmt::format("the trace covers only part of the run, {}s {} ", clock, window.from);
  return text + (window.to == no_step ? "to the end" : fmt::format("to {}", window.to - 1));
}

}  // namespace starloom
