#pragma once
/// \file The line on a terminal that says how far a long run is.
#include <chrono>

#include <starloom/simulation/simulation.hpp>

namespace starloom {

/// Writes to stderr if that is a terminal, from the third second of a run on, a few times a second.
class Progress final : public StepObserver {
 public:
  Progress();
  /// Wipes the line.
  ~Progress() override;
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  void after_step(Step step, std::int64_t delivered, std::size_t packets) override;

 private:
  bool terminal_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace starloom
