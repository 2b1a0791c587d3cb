// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `starloom verify DIR` for runs on networks of links.
#include <filesystem>

#include <starloom/verify/known_entries.hpp>
#include <starloom/verify/result_document.hpp>
#include <starloom/verify/verify_report.hpp>

namespace starloom::links {

/// Replays the trace with the referee and compares the metrics of `result.json` and `packets.csv` with the rows:
/// `packets`, `steps`, `links`, `latency.max`, and `queue` if rows determine it (see QueueTally). \throws InputError
VerifyReport verify_folder(const std::filesystem::path& folder, const ResultDocument& result,
                           const KnownEntries& known);

}  // namespace starloom::links
