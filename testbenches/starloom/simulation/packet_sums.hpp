// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file What figures tell of the packets of a run, summed up packet by packet, so that none need be kept for it.
#include <algorithm>
#include <cstdint>
#include <optional>

#include <starloom/core/histogram.hpp>
#include <starloom/core/packet.hpp>
#include <starloom/traffic/traffic.hpp>

namespace starloom {

class PacketSums {
 public:
  /// With phases, what is counted is what was created in the measurement phase; else all packets count.
  explicit PacketSums(const std::optional<Phases>& phases = {}) : phases_(phases) {}

  /// A packet whose fate is known. `delivered` is no_step if it never arrived, `injected` if it has not left its
  /// processor, and empty where that is not recorded, like `crossed`, the links on its way; `least`: links of a
  /// shortest way.
  void see(const Packet& packet, Step delivered, std::optional<Step> injected = {}, std::int32_t least = 0,
           std::optional<std::int32_t> crossed = {}) {
    const bool arrived = delivered != no_step;
    network = network || injected;
    if (arrived) {
      last_delivered = std::max(last_delivered, delivered);
      flits_delivered += packet.flits;
    }
    if (!counts(packet)) return;
    ++total;
    flits += packet.flits;
    distance.add(least);
    if (least > 0) least_end = std::max(least_end, packet.created + least);
    if (!arrived) return;
    if (crossed) hops.add(*crossed);
    latency.add(delivered - packet.created);
    if (injected) network_latency.add(delivered - *injected);
  }

  // Of all packets.
  Step last_delivered = 0;
  std::int64_t flits_delivered = 0;
  bool network = false;  ///< it is recorded when packets leave their processors

  // Of those that count; what begins with the delivery, of those that were delivered.
  std::int64_t total = 0;
  std::int64_t flits = 0;
  Histogram distance;
  Step least_end = 0;  ///< greatest created + least: before it not all can have arrived; 0 if no distance is known
  Histogram hops;      ///< links that they crossed; empty where that is not recorded
  Histogram latency;   ///< delivered - created, in steps
  Histogram network_latency;  ///< delivered - injected

 private:
  bool counts(const Packet& packet) const {
    return !phases_ || (packet.created >= phases_->warmup && packet.created < phases_->warmup + phases_->measure);
  }

  std::optional<Phases> phases_;
};

}  // namespace starloom
