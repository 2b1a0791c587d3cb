#pragma once
/// \file `starloom verify DIR` for runs on POPS networks.
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include <starloom/core/pops/rules.hpp>
#include <starloom/topology/pops/pops.hpp>
#include <starloom/verify/result_document.hpp>
#include <starloom/verify/verify_report.hpp>

namespace starloom::pops {

/// The rules that an algorithm declares, from the section `experiment.routing` of a result that stands in `file`.
/// \throws InputError
using DeclaredRules = std::function<Rules(const Pops& pops, const nlohmann::json& routing, const std::string& file)>;

/// Replays `trace.csv` with the referee of POPS networks and compares `packets.csv`, `slots.csv` and the figures of
/// `result.json` with the rows. \throws InputError
VerifyReport verify_folder(const std::filesystem::path& folder, const ResultDocument& result,
                           const DeclaredRules& rules);

}  // namespace starloom::pops
