// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The two audiences of Starloom: the readers for whom an entry of a catalogue is meant.

namespace starloom {

/// README.md, docs/README.md and `starloom list` have a section for each.
enum class Audience {
  networks,  ///< architects who study a network: routers, topologies, synthetic traffic
  theory,    ///< readers of the papers: their algorithms, their adversaries, POPS networks
};

}  // namespace starloom
