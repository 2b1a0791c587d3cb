// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The requests that processors have accepted and not answered (docs/traffic-classes.md).
#include <map>
#include <vector>

#include <starloom/core/links/trace.hpp>
#include <starloom/inspection/links/run_files.hpp>

namespace starloom::links {

/// Knows which packets are replies from the facts of packets.csv, or in a closed loop from messages.csv, and the steps
/// of requests from rows. Empty if processors accept all requests.
class OpenRequests {
 public:
  /// \param run outlives the object.
  explicit OpenRequests(const RunFiles& run);

  /// A row of the run, in their order.
  void row(const TraceRow& row);
  /// If a processor does not accept a packet in a step, the first request of its class that occupies a place; else
  /// no_packet.
  PacketId before(PacketId packet, Step step) const;

 private:
  void read_replies();
  std::int32_t places_for(PacketId packet) const;

  const RunFiles& run_;
  std::vector<PacketId> answers_;  ///< [packet] the request that it answers, or no_packet; empty without limits
  struct Open {
    PacketId packet;
    Step from;  ///< in which the head is consumed
    Step to;    ///< in which the tail of the reply leaves, or before the one in which the reply is created
  };
  std::vector<Step> freed_;  ///< of a closed loop: [packet] `to`
  std::map<NodeId, std::vector<Open>> requests_;
};

}  // namespace starloom::links
