// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Use of the buffers of a network with virtual channels.
#include <cstdint>
#include <vector>

#include <starloom/core/ids.hpp>

namespace starloom::links {

/// Sums over steps. A flit counts in every step in which the allocators find it in its buffer: from the one in which it
/// becomes readable to the one in which it leaves.
struct BufferUse {
  std::int64_t flit_steps = 0;
  std::int64_t credit_stalls = 0;  ///< steps in which it had a flit and an output channel, but no credit there
  std::int32_t most_flits = 0;     ///< in one step
  friend bool operator==(const BufferUse& a, const BufferUse& b) {
    return a.flit_steps == b.flit_steps && a.credit_stalls == b.credit_stalls && a.most_flits == b.most_flits;
  }
};

/// Use of all buffers in the measured steps.
struct ChannelUse {
  Step steps = 0;
  std::vector<BufferUse> buffers;  ///< [(node * (ports + 1) + in-port) * channels + channel], local port last
};

}  // namespace starloom::links
