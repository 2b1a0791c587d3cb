// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file result.json: the results of a run, with its experiment.
#include <nlohmann/json.hpp>
#include <optional>

#include <starloom/experiment/experiment.hpp>
#include <starloom/results/run_report.hpp>

namespace starloom {

/// The experiment with all defaults, without waves and expectations; each file name is followed by the SHA-256 of its
/// content (`file`, `file_sha256`).
nlohmann::ordered_json experiment_json(const Experiment& experiment);

/// The whole of result.json (docs/output.md), with the metrics that the algorithm's entry declares. `experiment`:
/// from `experiment_json`, taken before the run, so that it names the content that was read. `phases`: of open loop.
/// \throws std::logic_error if the run has a metric that is not declared.
nlohmann::ordered_json result_json(const AlgorithmEntry& algorithm, nlohmann::ordered_json experiment,
                                   const std::optional<Phases>& phases, const RunReport& run);

/// The text of a result file: indented, with a line end.
std::string json_text(const nlohmann::ordered_json& json);
/// The same with the texts of some numbers. \param exact_numbers by path, as in RunReport
std::string json_text(nlohmann::ordered_json json, const std::map<std::string, std::string>& exact_numbers);

/// The version of this program.
std::string program_version();

}  // namespace starloom
