// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The missing runs of a campaign, carried out by a pool of processes.
#include <cstdint>
#include <string>
#include <vector>

#include <starloom/campaign/campaign_file.hpp>
#include <starloom/campaign/store.hpp>
#include <starloom/campaign/work.hpp>
#include <starloom/support/error.hpp>
#include <starloom/support/stop_flag.hpp>

namespace starloom {

/// The runs of one point: those of this call, and those of them that are stored.
struct Share {
  Intervals wanted;
  Intervals done;
};

/// By point. `store`: null if there is none yet.
std::vector<Share> shares_of(const Campaign& campaign, const Shard& shard, Store* store);

struct MissingRunsOptions {
  int jobs = 1;                         ///< number of parallel processes
  Shard shard;                          ///< the requested part of the runs
  std::string title;                    ///< of the progress line
  const StopFlag* interrupt = nullptr;  ///< set: finish the runs in flight, then stop
};

/// The results of a call.
struct MissingRuns {
  std::int64_t wanted = 0;
  std::int64_t done = 0;  ///< of them, those in the store at the end
  std::int64_t now = 0;   ///< of them, those done by this call
  std::int64_t failed = 0;
  ExitStatus status = ExitStatus::done;  ///< contract: a run broke it; undelivered: one did not deliver, or failed
  std::vector<std::string> diagnostics;  ///< sentences about those, the first of them
};

/// Carries out the runs that are requested and not in the store, which receives them as they are completed. The
/// caller holds its lock.
MissingRuns run_missing(const Campaign& campaign, Store& store, const MissingRunsOptions& options);

}  // namespace starloom
