// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file What a run says to people when it ends.
#include <filesystem>
#include <starloom/experiment/verdict.hpp>
#include <starloom/run/prepared_run.hpp>
#include <string>
#include <vector>

namespace starloom {

/// The table on stdout. Its first line has the outcome, whether it was expected (`verdict`), and the number that
/// matters most, or the cause of a bad end. Times in ns and Gbit/s are printed if the experiment gives `units`.
std::string summary_text(const Experiment& experiment, const RunFacts& facts, const RunReport& run,
                         const nlohmann::ordered_json& result, const Verdict& verdict,
                         const std::filesystem::path& folder);

/// Sentences for stderr about an outcome other than `completed`: what happened, who waits for whom, what to do.
/// \param trace what the folder holds of it; nothing: no trace.
std::vector<std::string> outcome_notes(const Experiment& experiment, const RunReport& run,
                                       const std::optional<TraceWindow>& trace, const std::filesystem::path& folder);

}  // namespace starloom
