// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Sums over the packets of a run, for metrics, computed packet by packet, so that no packet need be kept.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include <starloom/core/histogram.hpp>
#include <starloom/core/packet.hpp>
#include <starloom/traffic/traffic.hpp>

namespace starloom {

class PacketSums {
 public:
  /// With phases, only packets created in the measurement phase count; else all packets count.
  explicit PacketSums(const std::optional<Phases>& phases = {}, std::size_t classes_of_traffic = 0)
      : classes(classes_of_traffic), phases_(phases) {}

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
    OfClass* const own = classes.empty() ? nullptr : &classes[packet.traffic_class];
    if (own != nullptr && !arrived && (own->oldest == no_step || packet.created < own->oldest))
      own->oldest = packet.created;
    if (!counts(packet)) return;
    if (own != nullptr) own->add(packet, delivered, injected);
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

  /// The same of the packets of one class of traffic.
  struct OfClass {
    std::int64_t total = 0;
    std::int64_t flits = 0;
    Histogram latency, network_latency;
    Step oldest = no_step;  ///< in which the first packet that never arrived was created, whether it counts or not

    void add(const Packet& packet, Step delivered, std::optional<Step> injected) {
      ++total;
      flits += packet.flits;
      if (delivered == no_step) return;
      latency.add(delivered - packet.created);
      if (injected) network_latency.add(delivered - *injected);
    }
  };
  std::vector<OfClass> classes;  ///< [class]

 private:
  bool counts(const Packet& packet) const {
    return !phases_ || (packet.created >= phases_->warmup && packet.created < phases_->warmup + phases_->measure);
  }

  std::optional<Phases> phases_;
};

}  // namespace starloom
