// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The two doors of Starloom: which readers an entry of a catalogue is meant for.

namespace starloom {

/// README.md, docs/README.md and `starloom list` are divided in this way.
enum class Audience {
  networks,  ///< architects who study a network: routers, topologies, synthetic traffic
  theory,    ///< readers of the papers: their algorithms, their adversaries, POPS networks
};

}  // namespace starloom
