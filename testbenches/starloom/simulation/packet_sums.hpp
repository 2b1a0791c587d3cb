// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Sums over the packets of a run, for metrics, computed packet by packet, so that no packet need be kept.
#include <algorithm>
#include <cstdint>
#include <optional>

#include <starloom/core/histogram.hpp>
#include <starloom/core/packet.hpp>
#include <starloom/traffic/traffic.hpp>

namespace starloom {

class PacketSums {
 public:
  /// With phases, only packets created in the measurement phase count; else all packets count.
  explicit PacketSums(const std::optional<Phases>& phases = {}) : phases_(phases) {}

  /// Adds a packet with a known result. `delivered` is no_step if it never arrived, `injected` if it has not left its
  /// processor, and empty if that is not recorded; the same for `crossed`, the links on its path; `least`: links of a
  /// shortest path.
  void add(const Packet& packet, Step delivered, std::optional<Step> injected = {}, std::int32_t least = 0,
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

  // Over all packets.
  Step last_delivered = 0;
  std::int64_t flits_delivered = 0;
  bool network = false;  ///< injections are recorded

  // Over the packets that count; from the delivery metrics on, over those that were delivered.
  std::int64_t total = 0;
  std::int64_t flits = 0;
  Histogram distance;
  /// greatest created + least: not all packets can have arrived before it; 0 if no distance is known
  Step least_end = 0;
  Histogram hops;             ///< links that they crossed; empty if that is not recorded
  Histogram latency;          ///< delivered - created, in steps
  Histogram network_latency;  ///< delivered - injected

 private:
  bool counts(const Packet& packet) const {
    return !phases_ || (packet.created >= phases_->warmup && packet.created < phases_->warmup + phases_->measure);
  }

  std::optional<Phases> phases_;
};

}  // namespace starloom
