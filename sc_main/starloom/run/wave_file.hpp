// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The dump of a run on any kind of network.
#include <cstdint>
#include <starloom/waveforms/gtkwave/save_file.hpp>
#include <starloom/waveforms/vcd/windowed_waves.hpp>
#include <string>

namespace starloom {

class WaveFile {
 public:
  virtual ~WaveFile() = default;
  /// The file, to close it.
  virtual WindowedWaves& file() = 0;
  /// The view of the dump of this name in GTKWave. `from_time`: first time on the screen, in the dump's unit.
  virtual WaveView view(const std::string& dump, std::uint64_t from_time) = 0;
};

}  // namespace starloom
