// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The view of the waves of a network of links in GTKWave.
#include <vector>

#include <starloom/control/links/algorithm.hpp>
#include <starloom/topology/network_graph.hpp>
#include <starloom/waveforms/gtkwave/save_file.hpp>
#include <starloom/waveforms/links/link_waves.hpp>
#include <starloom/waveforms/links/selection.hpp>

namespace starloom::links {

/// A group for each node: its state fields, the packets on the links that leave it, the occupancy of its buffers as
/// curves; the other variables of each link in a closed group. Links and buffers shown without their node have a
/// group of their own at the end.
WaveView wave_view(const NetworkGraph& graph, const Declaration& declaration, const std::vector<ShownNode>& shown,
                   const std::string& dump, std::uint64_t from_time, std::uint64_t period,
                   const OptionalVariables& optional = {});

}  // namespace starloom::links
