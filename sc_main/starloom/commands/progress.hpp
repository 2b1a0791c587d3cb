// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The progress line of a long run on a terminal.
#include <chrono>
#include <string>

#include <starloom/simulation/simulation.hpp>

namespace starloom {

/// Names the stage of the preparation, on stderr if that is a terminal.
class StageLine {
 public:
  StageLine();
  /// Removes the line.
  ~StageLine() { end(); }
  StageLine(const StageLine&) = delete;
  StageLine& operator=(const StageLine&) = delete;
  void begin(const std::string& what) const;
  void end() const;

 private:
  bool terminal_;
};

/// Writes to stderr if that is a terminal, from the third second of a run on, a few times per second.
class Progress final : public ProgressObserver {
 public:
  /// \param clock the unit of the run: `step` or `slot`.
  explicit Progress(std::string clock);
  /// Removes the line.
  ~Progress() override;
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  void after_step(const RunProgress& progress) override;

 private:
  std::string clock_;
  bool terminal_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point next_;
};

/// `step 1200 of at most 31000: 52 packets in flight, 4800 delivered`.
std::string progress_text(const std::string& clock, const RunProgress& progress);

}  // namespace starloom
