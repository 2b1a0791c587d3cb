// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The progress line of a campaign.
#include <chrono>
#include <cstdint>
#include <string>

namespace starloom {

/// Writes to stderr: on a terminal one line that changes, elsewhere a line every 10 s.
class CampaignProgress {
 public:
  /// `before`: runs that are already stored.
  CampaignProgress(std::string name, std::int64_t before, std::int64_t total);
  ~CampaignProgress() { wipe(); }
  CampaignProgress(const CampaignProgress&) = delete;
  CampaignProgress& operator=(const CampaignProgress&) = delete;

  void done() { ++done_; }
  void failed() { ++failed_; }
  /// Prints the line if it is due.
  void tick();
  /// Removes the line on a terminal, before other lines.
  void wipe();

  /// `greedy-queue: 120 of 400 runs, 56 runs/s, 5 s left, 0 failed`. The remaining time is printed after a tenth of
  /// the runs, because later runs may take longer.
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
