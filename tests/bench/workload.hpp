// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The workload that all styles of a mesh model carry, and what each must agree upon.
#include <cstdint>
#include <vector>

#include <starloom/core/packet.hpp>
#include <starloom/core/random.hpp>
#include <starloom/topology/grid/grid.hpp>

namespace starloom::links {
class StepObserver;
}

namespace starloom::bench {

/// Uniform open-loop traffic on a side x side mesh, drawn before the clock runs, so that the network alone is measured.
struct Workload {
  std::int32_t side = 0;
  Step steps = 0;
  std::vector<Packet> packets;  ///< by (created, source)

  /// \param hops mean link hops a node and step that the traffic asks for.
  Workload(std::int32_t side_, Step steps_, double hops) : side(side_), steps(steps_) {
    const NodeId nodes = side * side;
    const double rate = hops / (2.0 / 3.0 * side);
    for (Step step = 0; step < steps; ++step)
      for (NodeId node = 0; node < nodes; ++node) {
        if (!RandomStream(1, Purpose::injection, node, step).bernoulli(rate)) continue;
        RandomStream random(1, Purpose::destination, node, step);
        const auto destination = static_cast<NodeId>(random.bounded(static_cast<std::uint32_t>(nodes)));
        if (destination != node) packets.push_back({node, destination, 1, step});
      }
  }
};

/// The results of a run: equal for all styles, otherwise one of them is wrong.
struct Tally {
  std::int64_t delivered = 0;
  std::int64_t hops = 0;
  std::uint64_t checksum = 0;  ///< over (packet, step of delivery)
  std::int64_t latency = 0;    ///< sum over delivered packets, in steps
  void deliver(PacketId packet, Step created, Step step) {
    ++delivered;
    latency += step - created;
    checksum += static_cast<std::uint64_t>(packet + 1) * 0x9E3779B97F4A7C15ull * static_cast<std::uint64_t>(step + 1);
  }
  friend bool operator==(const Tally& a, const Tally& b) {
    return a.delivered == b.delivered && a.hops == b.hops && a.latency == b.latency && a.checksum == b.checksum;
  }
};

/// The styles. Each builds its model and runs `workload.steps` steps; CPU seconds of the steps alone in `seconds`.
struct Timed {
  Tally tally;
  double seconds = 0;        ///< CPU time of the steps
  double build_seconds = 0;  ///< CPU time of construction and elaboration
};
/// \param observer is called in every step, if it is not null.
Timed run_fabric(const Workload& workload, links::StepObserver* observer = nullptr);
Timed run_classic(const Workload& workload);
Timed run_classic_valid(const Workload& workload);
Timed run_loop(const Workload& workload);

}  // namespace starloom::bench
