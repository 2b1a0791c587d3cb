// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Where packets come from, as the engines see it.
#include <optional>
#include <vector>

#include <starloom/core/packet.hpp>

namespace starloom {

/// A stream of packets in the order of their numbers: by (created, source, order in the input).
class PacketSource {
 public:
  virtual ~PacketSource() = default;

  /// Appends to `out` the packets created in steps [from, to), in order. Calls come with adjoining intervals from 0 on;
  /// the packets do not depend on how the time is cut.
  virtual void generate(Step from, Step to, std::vector<Packet>& out) = 0;

  /// A step >= from before which nothing is created from `from` on; the exact next creation where it is known without
  /// drawing. `no_step` if nothing will ever be created again.
  virtual Step next_creation(Step from) const = 0;
};

}  // namespace starloom
