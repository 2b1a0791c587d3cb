// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The runs of a campaign that its store lacks, done by a pool of processes.
#include <cstdint>
#include <string>
#include <vector>

#include <starloom/campaign/campaign_file.hpp>
#include <starloom/campaign/store.hpp>
#include <starloom/campaign/work.hpp>
#include <starloom/support/error.hpp>
#include <starloom/support/stop_flag.hpp>

namespace starloom {

/// The runs of one point: those this call is about, and those of them that are stored.
struct Share {
  Intervals wanted;
  Intervals done;
};

/// By point. `store`: null if there is none yet.
std::vector<Share> shares_of(const Campaign& campaign, const Shard& shard, Store* store);

struct MissingRunsOptions {
  int jobs = 1;                         ///< number of parallel processes
  Shard shard;                          ///< the part of the runs that is wanted
  std::string title;                    ///< of the line that says how far it is
  const StopFlag* interrupt = nullptr;  ///< set: finish the runs in flight, then stop
};

/// What has been done.
struct MissingRuns {
  std::int64_t wanted = 0;
  std::int64_t done = 0;  ///< of them, those in the store now
  std::int64_t now = 0;   ///< of them, those done by this call
  std::int64_t failed = 0;
  ExitStatus status = ExitStatus::done;  ///< contract: a run broke it; undelivered: one did not deliver, or failed
  std::vector<std::string> diagnostics;  ///< sentences about those, the first of them
};

/// Does the runs that are wanted and not in the store, which takes them as they come. The caller holds its lock.
MissingRuns run_missing(const Campaign& campaign, Store& store, const MissingRunsOptions& options);

}  // namespace starloom
