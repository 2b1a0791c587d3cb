// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The line that says how far a campaign is.
#include <chrono>
#include <cstdint>
#include <string>

namespace starloom {

/// Writes to stderr: on a terminal one line that changes, elsewhere a line every 10 s.
class CampaignProgress {
 public:
  /// `before`: runs that are not done now, because they are stored already.
  CampaignProgress(std::string name, std::int64_t before, std::int64_t total);
  ~CampaignProgress() { wipe(); }
  CampaignProgress(const CampaignProgress&) = delete;
  CampaignProgress& operator=(const CampaignProgress&) = delete;

  void done() { ++done_; }
  void failed() { ++failed_; }
  /// Shows the line if it is time.
  void tick();
  /// Makes room on a terminal for other lines.
  void wipe();

  /// `greedy-queue: 120 of 400 runs, 56 runs/s, 5 s left, 0 failed`. The time left is not told before a tenth of the
  /// runs is over, for those to come may be longer.
  std::string line(double seconds) const;

 private:
  std::string name_;
  std::int64_t before_, total_;
  std::int64_t done_ = 0, failed_ = 0;
  bool terminal_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point started_, next_;
};

}  // namespace starloom
