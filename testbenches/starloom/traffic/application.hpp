// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Traffic of an application: every edge of its graph sends packets at its bandwidth.
#include <starloom/traffic/placed_tasks.hpp>
#include <starloom/traffic/traffic.hpp>

namespace starloom {

struct ApplicationGraph;

/// Parameters of a run of an application.
struct ApplicationRun {
  Step steps = 0;          ///< length of the run: packets are created in steps 0 to steps-1
  double scale = 1;        ///< factor of all bandwidths
  std::int32_t flits = 1;  ///< per packet
};

/// Every edge has an integer accumulator, in units of 10^-9 bytes, that starts at 0. In each step below `steps` it
/// grows by bandwidth * scale * clock_ns * 10^6, rounded once to the nearest integer; while it is at least p =
/// flits * flit_bytes * 10^9, the edge creates a packet in this step and p is subtracted. So packet k (from 0) of an
/// edge that grows by g per step is created in step ceil((k+1)*p/g) - 1. The schedule is deterministic.
class Application final : public Traffic {
 public:
  /// `mapping`: [task] its node. \throws InputError if a bandwidth or packet size is too great for the accumulator.
  Application(const ApplicationGraph& graph, const std::vector<NodeId>& mapping, const Units& units,
              const ApplicationRun& run);

  void generate(Step from, Step to, std::vector<Packet>& out) override;
  /// Exact.
  Step next_creation(Step from) const override;
  std::optional<Step> end() const override { return end_; }
  bool open_loop() const override { return true; }
  std::optional<std::int64_t> packet_count() const override { return packet_count_; }
  /// Deterministic: the packets of each edge lag its bandwidth by less than one packet.
  double deviation(double /*flits*/) const override { return static_cast<double>(flows_.size()) * flits_; }
  const PlacedTasks* tasks() const override { return &tasks_; }

 private:
  struct Flow {
    NodeId source;
    NodeId destination;
    std::int64_t growth;  ///< of the accumulator in a step, above 0
  };

  std::int64_t created_before(const Flow& flow, Step step) const;
  Step creation_of(const Flow& flow, std::int64_t packet) const;

  PlacedTasks tasks_;
  std::vector<Flow> flows_;    ///< in the order of the edges; without edges that never send
  std::int64_t packet_units_;  ///< size of a packet, in units of 10^-9 bytes
  std::int32_t flits_;
  Step steps_;
  Step end_ = 0;
  std::int64_t packet_count_ = 0;
};

}  // namespace starloom
