// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Waves of a POPS network: its couplers, and the buffers of its processors.
#include <filesystem>
#include <string_view>
#include <vector>

#include <starloom/fabric/pops/slot_observer.hpp>
#include <starloom/waveforms/pops/selection.hpp>
#include <starloom/waveforms/vcd/windowed_waves.hpp>

namespace starloom::pops {

/// The names of CouplerState.
inline constexpr std::string_view coupler_state_names[] = {"idle", "carrying", "collision"};

/// Bits of the variables. GTKWave has names for the values of vectors only, so `kind` is a vector.
inline constexpr int coupler_state_width = 2;
inline constexpr int kind_width = 2;
inline constexpr int packet_width = 32;
inline constexpr int group_width = 32;
inline constexpr int occupancy_width = 2;
inline constexpr int slot_of_cycle_width = 8;

/// Writes the state of the selected instances. `slot_of_cycle` of the network is 'z' in the drain. A coupler has
/// `state`, `packet` and `kind`, the last two 'z' if it is idle and 'x' in a collision. A processor has `listens`,
/// the source group of the coupler that it samples ('z': none). Its buffer has `occupancy` and a packet for each slot
/// ('z': empty), at the end of the time slot: a message heard in slot t is in the buffer in slot t + 1.
class CouplerWaves final : public SlotObserver {
 public:
  /// \param shown the result of `choose_instances`. \param times of the slots. \throws OutputError: the file cannot
  /// be created.
  CouplerWaves(const std::filesystem::path& vcd, const Pops& pops, const ShownParts& shown, WaveWindow window,
               StepTimes times);

  /// Never throws: an error of the file ends the waves, not the run, and is reported when they are closed.
  void show(Step slot, const Engine& engine) override;
  /// The file, to close it.
  WindowedWaves& file() { return file_; }

 private:
  using Variable = StepWaves::Variable;

  void declare(const Pops& pops, StepWaves& waves);
  void show_all(const Engine& engine);

  WindowedWaves file_;
  const ShownParts shown_;
  bool draining_ = false;
  Variable first_ = 0;  ///< `slot_of_cycle`; the others follow in the order of `shown_`
};

/// The packet in a slot of a buffer: `packet_0`.
std::string slot_name(std::int32_t slot);

}  // namespace starloom::pops
