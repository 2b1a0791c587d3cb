// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The source of packets of an engine.
#include <optional>
#include <vector>

#include <starloom/core/packet.hpp>

namespace starloom {

/// A stream of packets in the order of their numbers: by (created, source, order in the input).
class PacketSource {
 public:
  virtual ~PacketSource() = default;

  /// Appends to `out` the packets created in steps [from, to), in order. The intervals of
  /// successive calls adjoin, from step 0 on; the packets do not depend on the division into intervals.
  virtual void generate(Step from, Step to, std::vector<Packet>& out) = 0;

  /// A lower bound, at least `from`, of the step in which the next packet is created; exact where that is known without
  /// random words. `no_step` if no packet will be created any more.
  virtual Step next_creation(Step from) const = 0;
};

}  // namespace starloom
