// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A processor that accepts few requests before it has sent, or created, their replies
/// (docs/traffic-classes.md, docs/closed-loop.md).
#include <cstdint>
#include <optional>
#include <vector>

#include <starloom/control/links/traffic_class.hpp>
#include <starloom/core/packet.hpp>
#include <starloom/core/queue.hpp>
#include <starloom/router/ring_flit.hpp>

namespace starloom::router {

/// The exit of a router to its processor, or the end of the link to a terminal: a buffer for each channel, from which
/// the processor consumes one flit in a step.
class FiniteSink {
 public:
  /// [class of traffic] null: packets of the class get no replies.
  using Rules = std::vector<std::optional<ReplyRules>>;

  /// \param rules outlive this object.
  FiniteSink(int channels, const Rules& rules)
      : rules_(&rules), buffers_(static_cast<std::size_t>(channels)), open_(rules.size()) {}

  bool empty() const { return flits_ == 0; }
  std::int64_t flits() const { return flits_; }
  const Queue<RingFlit>& buffer(int channel) const { return buffers_[static_cast<std::size_t>(channel)]; }

  void arrive(int channel, const RingFlit& flit) {
    buffers_[static_cast<std::size_t>(channel)].push_back(flit);
    ++flits_;
  }
  /// True if the processor accepts a packet of these facts.
  bool accepts(const Packet& packet) const {
    const std::int32_t places = places_for(packet);
    return places == 0 || open_[packet.traffic_class] < places;
  }
  struct Consumed {
    int channel;
    RingFlit flit;
  };
  /// Consumes a flit: of the first channel, from the one behind that of the last flit, whose front is not the head of a
  /// request that has to wait; nullopt: there is none. \param packet_of returns the facts of a packet.
  template <class PacketOf>
  std::optional<Consumed> consume(const PacketOf& packet_of) {
    const int channels = static_cast<int>(buffers_.size());
    for (int i = 0; i < channels; ++i) {
      const int channel = (next_ + i) % channels;
      Queue<RingFlit>& buffer = buffers_[static_cast<std::size_t>(channel)];
      if (buffer.empty()) continue;
      const RingFlit flit = buffer.front();
      const Packet& packet = packet_of(flit.packet);
      if (is_head(flit.kind)) {
        if (!accepts(packet)) continue;
        if (places_for(packet) != 0) ++open_[packet.traffic_class];
      }
      buffer.pop_front();
      --flits_;
      next_ = channel + 1;
      return Consumed{channel, flit};
    }
    return std::nullopt;
  }
  /// A request of a class gives its place back: the tail of its reply has left the processor, or its reply was created.
  void answered(int request_class) { --open_[static_cast<std::size_t>(request_class)]; }
  /// The requests of a class that occupy places.
  std::int32_t open(int request_class) const { return open_[static_cast<std::size_t>(request_class)]; }

  /// True if processors limit the requests of a class.
  static bool needed(const Rules& rules) {
    for (const auto& reply : rules)
      if (reply && (reply->places > 0 || reply->queue > 0)) return true;
    return false;
  }
  /// True if this packet is a reply whose request gives its place back when the reply has left.
  bool frees_when_sent(const Packet& reply) const { return reply.reply && (*rules_)[reply.request_class]->places > 0; }
  /// The same, when the reply is created.
  bool frees_when_created(const Packet& reply) const {
    return reply.reply && (*rules_)[reply.request_class]->queue > 0;
  }

 private:
  /// The requests of its class that the processor accepts; 0: no limit.
  std::int32_t places_for(const Packet& packet) const {
    const auto& reply = (*rules_)[packet.traffic_class];
    if (packet.reply || !reply) return 0;
    return reply->queue > 0 ? reply->queue : reply->places;
  }

  const Rules* rules_;
  std::vector<Queue<RingFlit>> buffers_;  ///< [channel]
  std::vector<std::int32_t> open_;        ///< [class]
  std::int64_t flits_ = 0;
  int next_ = 0;  ///< the channel that is considered first
};

}  // namespace starloom::router
