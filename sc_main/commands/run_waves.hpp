#pragma once
/// \file The waves of a run: `waves.vcd` or `waves.fst`, and how GTKWave shows them.
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include <starloom/core/error.hpp>
#include <starloom/experiment/experiment.hpp>

namespace starloom {

/// \throws InputError, with its place, if a scope of `waves:` matches nothing.
void require_waves(const Experiment& experiment, const Setup& setup);

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

  ~RunWaves();
  /// Lets the waves see a run.
  void watch(SimulationSetup& simulation) const;
  /// Completes the files of a run of `steps` steps.
  std::optional<WavesFault> finish(Step steps);
  /// Removes the files after a fault of the disk, for the result needs their room.
  WavesFault give_up(const OutputError& fault) const;

 private:
  class Network;
  class LinkWavesOf;
  class CouplerWavesOf;

  static std::unique_ptr<Network> network_of(const Experiment& experiment, const Setup& setup,
                                             const WavesConfig& config, const std::filesystem::path& folder);
  void write_view(const std::string& dump) const;
  WavesFault remove(WavesFault fault) const;

  const Experiment& experiment_;
  const std::filesystem::path folder_;
  const WavesConfig config_;
  const std::unique_ptr<Network> network_;
};

}  // namespace starloom
