#pragma once
/// \file What a run says to people when it ends.
#include <filesystem>
#include <string>
#include <vector>

#include <starloom/experiment/experiment.hpp>
#include <starloom/simulation/simulation.hpp>

namespace starloom {

/// `mesh 4 x 4`, `POPS(8,2)`.
std::string network_text(const Setup& setup);
/// What was run: algorithm, network, pattern, seed.
std::string run_title(const Experiment& experiment, const Setup& setup);

/// The table on stdout: figures in steps, and in nanoseconds and Gb/s by `units`.
std::string summary_text(const Experiment& experiment, const Setup& setup, const SimulationResult& run,
                         const nlohmann::ordered_json& result, const std::filesystem::path& folder);

/// Sentences for stderr about an outcome other than `completed`: what happened, who waits for whom, what to do.
std::vector<std::string> outcome_notes(const Experiment& experiment, const Setup& setup, const SimulationResult& run);

}  // namespace starloom
