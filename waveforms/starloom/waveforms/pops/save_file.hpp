// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The view of the waves of a POPS network in GTKWave.
#include <starloom/waveforms/gtkwave/save_file.hpp>
#include <starloom/waveforms/pops/selection.hpp>

namespace starloom::pops {

/// A group for each source group with its couplers: state by name, and packet; their kinds in a closed group. Then a
/// group for each group of processors: the group that each samples, and its buffer.
WaveView wave_view(const Pops& pops, const ShownParts& shown, const std::string& dump, std::uint64_t from_time,
                   std::uint64_t period);

}  // namespace starloom::pops
