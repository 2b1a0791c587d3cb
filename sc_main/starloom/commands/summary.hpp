// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The summary of a run.
#include <filesystem>
#include <starloom/experiment/verdict.hpp>
#include <starloom/run/prepared_run.hpp>
#include <string>
#include <vector>

namespace starloom {

/// The table on stdout. Its first line has the outcome, whether it was expected (`verdict`), and the most important
/// number, or the cause of a bad end. Times in ns and Gbit/s are printed if the experiment gives `units`.
std::string summary_text(const Experiment& experiment, const RunFacts& facts, const RunReport& run,
                         const nlohmann::ordered_json& result, const Verdict& verdict,
                         const std::filesystem::path& folder);

/// Sentences for stderr about an outcome other than `completed`: the event, the packets that wait for each other, and
/// advice.
/// \param trace the window of the trace in the folder; empty: no trace.
std::vector<std::string> outcome_notes(const Experiment& experiment, const RunReport& run,
                                       const std::optional<TraceWindow>& trace, const std::filesystem::path& folder);

}  // namespace starloom
