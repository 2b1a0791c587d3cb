// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A workload in a network in which no packet meets another one.
#include <functional>
#include <starloom/control/links/algorithm.hpp>
#include <starloom/control/links/zero_load.hpp>
#include <starloom/topology/network_graph.hpp>
#include <starloom/traffic/workloads/workload.hpp>

namespace starloom::links {

/// The least latency of messages.
class MessageLatency {
 public:
  /// \param algorithm outlives the object. \param longest_packet into which messages are cut; 0: a message is a packet.
  MessageLatency(const NetworkGraph& graph, const Algorithm& algorithm, std::int32_t longest_packet)
      : zero_load_(graph, algorithm), algorithm_(algorithm), longest_packet_(longest_packet) {}

  Step operator()(const Item& message) const;

 private:
  const ZeroLoad zero_load_;
  const Algorithm& algorithm_;
  const std::int32_t longest_packet_;
};

/// Its result.
struct IdealRun {
  Step critical_path = 0;      ///< the greatest step of a delivery: no run is faster
  std::int64_t deadlines = 0;  ///< messages that have one
  std::int64_t missed = 0;     ///< messages that miss it also here
  Step late = 0;               ///< steps after its deadline of the latest of them, which is the next member
  Item latest{};
};
/// \param graph of one subnet. \param created null, or called with each packet when it is created.
IdealRun ideal_run_of(const NetworkGraph& graph, const Algorithm& algorithm, Workload& workload,
                      const std::function<void(const Packet& packet)>& created = {});

}  // namespace starloom::links
