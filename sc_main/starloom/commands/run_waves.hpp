// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The waves of a run: `waves.vcd` or `waves.fst`, and the settings for GTKWave.
#include <filesystem>
#include <optional>
#include <starloom/run/prepared_run.hpp>
#include <starloom/support/error.hpp>
#include <string>

namespace starloom {

/// Selects the instances that the experiment's waves name, all of them if it names none.
/// \throws InputError, with its location, if a scope of `waves:` matches no instance.
void choose_waves(const Experiment& experiment, PreparedRun& run);

/// The reason why a run, whose result is kept, has no waves.
struct WavesError {
  ExitStatus status = ExitStatus::output;
  std::string text;
};

/// Writes the waves that an experiment requests (all of them by default) into a folder.
class RunWaves {
 public:
  /// \throws InputError: a scope matches no instance. OutputError: the file cannot be created.
  RunWaves(const Experiment& experiment, PreparedRun& run, const std::filesystem::path& folder);

  /// Completes the files of a run of `steps` steps. An interrupted run has no time for FST.
  std::optional<WavesError> finish(Step steps, bool interrupted);
  /// Removes the files after an error of the disk, because the result needs their space.
  WavesError give_up(const OutputError& error) const;

 private:
  void write_view(const std::string& dump);
  std::string text_of(const OutputError& error) const;
  WavesError remove(WavesError error) const;

  const Experiment& experiment_;
  const std::filesystem::path folder_;
  const WavesConfig config_;
  WaveFile& waves_;
};

}  // namespace starloom
