// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The times of the operations of a program in a run.
#include <cstdint>
#include <vector>

#include <starloom/core/ids.hpp>

namespace starloom {

/// Those of a rank in an instance.
struct OperationTimes {
  Step start = no_step;   ///< the rank enters; no_step: it has not
  Step finish = no_step;  ///< the rank finishes; no_step: it has not
};

/// A piece of a block of data.
struct ChunkTime {
  std::uint32_t instance = 0;
  std::int32_t block = 0;
  std::int32_t piece = 0;
  Step finish = 0;  ///< the last delivery that carries it, or the end of the reduction after that
};

struct OperationLog {
  std::vector<OperationTimes> times;  ///< [part of the program]
  std::vector<ChunkTime> chunks;      ///< of finished operations, in the order in which they finish
};

}  // namespace starloom
