// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `trace_window.json`: the steps that a trace covers, if it does not cover the whole run.
#include <filesystem>
#include <optional>
#include <string>

#include <starloom/trace_io/trace_window.hpp>

namespace starloom {

inline constexpr const char* trace_window_file = "trace_window.json";

/// The content of the file.
std::string trace_window_json(const TraceWindow& window);

/// The window of an output folder; empty if its trace covers the whole run. \throws InputError for a file that cannot
/// be read.
std::optional<TraceWindow> read_trace_window(const std::filesystem::path& folder);

/// "the trace covers only part of the run, steps 3 to 4"; `clock` names the unit.
std::string window_text(const TraceWindow& window, const std::string& clock);

}  // namespace starloom
