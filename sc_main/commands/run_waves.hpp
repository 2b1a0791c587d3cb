#pragma once
/// \file The waves of a run: `waves.vcd` or `waves.fst`, and how GTKWave shows them.
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "experiment/experiment.hpp"
#include "grid/grid_waves.hpp"

namespace starloom {

/// The instances that `waves.scope` chooses; all if the experiment does not say. \throws InputError with its
/// place, also for networks that are no grids
std::vector<ShownNode> shown_in_waves(const Experiment& experiment, const Setup& setup);

/// Why a run, whose result is kept, has no waves.
struct WavesFault {
  ExitStatus status = ExitStatus::output;
  std::string text;
};

/// Writes the waves that an experiment asks for (all of them if it does not say) into a folder.
class RunWaves {
 public:
  /// \throws InputError: a scope matches nothing. OutputError: the file cannot be created.
  RunWaves(const Experiment& experiment, const Setup& setup, const std::filesystem::path& folder);

  StepProbe& probe() { return waves_; }
  /// Completes the files of a run of `steps` steps.
  std::optional<WavesFault> finish(Step steps);

 private:
  void write_view(const std::string& dump) const;
  std::optional<WavesFault> remove(WavesFault fault) const;

  const Experiment& experiment_;
  const Setup& setup_;
  const std::filesystem::path folder_;
  const WavesConfig config_;
  const std::vector<ShownNode> shown_;
  GridWaves waves_;
};

}  // namespace starloom
