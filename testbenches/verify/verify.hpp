#pragma once
/// \file `starloom verify DIR`: the referee on an output folder. It knows the files only, neither fabric nor algorithms.
#include <cstdint>
#include <filesystem>
#include <string>

#include <starloom/verify/pops/verify.hpp>
#include <starloom/verify/verify_report.hpp>

namespace starloom {

/// Replays `trace.csv` (or, if there is none, `trace.csv.gz`) of a run with the referee and compares the figures of
/// `result.json` and `packets.csv` with the rows: `packets`, `steps`, `links`, `latency.max`, and on networks of links
/// `queue` where rows determine it (see links::QueueTally). A run that itself ended as a violation breaks a rule. The
/// storage rules of networks of links are those that the run declared for itself, `storage` of `result.json`; the protocols
/// of POPS networks are asked for by `rules`.
/// \throws InputError if a file is missing or cannot be read as its format.
VerifyReport verify_folder(const std::filesystem::path& folder, const pops::DeclaredRules& rules);

}  // namespace starloom
