// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `starloom verify DIR` for runs on POPS networks.
#include <filesystem>

#include <starloom/verify/known_entries.hpp>
#include <starloom/verify/result_document.hpp>
#include <starloom/verify/verify_report.hpp>

namespace starloom::pops {

/// Replays `trace.csv` with the referee of POPS networks and compares `packets.csv`, `slots.csv` and the metrics of
/// `result.json` with the rows. \throws InputError
VerifyReport verify_folder(const std::filesystem::path& folder, const ResultDocument& result,
                           const DeclaredRules& rules);

}  // namespace starloom::pops
