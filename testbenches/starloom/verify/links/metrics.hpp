// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The metrics of `result.json` that packets and rows determine, recomputed (docs/output.md, "What verify
/// compares").
#include <cstdint>
#include <optional>
#include <vector>

#include <starloom/core/links/attempts.hpp>
#include <starloom/core/links/run_record.hpp>
#include <starloom/core/links/trace.hpp>
#include <starloom/topology/network_graph.hpp>
#include <starloom/trace_io/packets_csv.hpp>
#include <starloom/verify/comparison.hpp>
#include <starloom/verify/links/deadlock_cycle.hpp>
#include <starloom/verify/links/run_facts.hpp>

namespace starloom::links {

/// All metrics except `queue`, which QueueMetrics compares, counted from rows and packets.
class RunMetrics {
 public:
  /// All arguments outlive the object.
  /// \param table packets as the rows name them. \param attempts of them; null: no packet has several
  /// \throws InputError if the cycle of a deadlock cannot be read
  RunMetrics(const ResultDocument& result, const NetworkGraph& graph, const PacketTable& table, const RunFacts& facts,
             const Attempts* attempts);

  /// The rows of a step, which satisfy the rules of the model; steps ascend.
  void rows(const std::vector<TraceRow>& of_one_step);
  /// The step of the last row.
  Step last_step() const { return last_; }
  /// Called after all rows. \throws InputError if a metric is missing
  /// \param nacks as counted by the referee, if it has
  void compare(Comparison& comparison, std::optional<std::int64_t> nacks) const;
  /// Steps of the measurement phase that were run; empty if the files do not determine them.
  std::optional<Step> measured_steps() const;
  /// The packets, of which all attempts together are one.
  const PacketTable& packets() const { return of_packets_ ? *of_packets_ : table_; }

 private:
  /// Flits that entered links and crossed local ports in the measurement phase, before the step of the verdict.
  struct PhaseFlits {
    std::vector<std::int64_t> links;                         ///< [node * ports + out-port]
    std::vector<std::int64_t> from_processor, to_processor;  ///< [node]
  };
  /// The packets that count: of the measurement phase, or all.
  struct Counted {
    std::int64_t total = 0, lost = 0, flits = 0, hops = 0, links = 0;
    std::optional<std::int64_t> most_hops, most_links;
    std::vector<Step> latencies, network_latencies;
  };

  void see_hop(const TraceRow& row, bool in_phase);
  bool counts(Step created) const;
  bool is_lost(std::size_t packet) const {
    return packets().lost && packets().lost->count(static_cast<PacketId>(packet)) > 0;
  }
  /// Links that the first flit of a delivered packet has crossed.
  std::int64_t hops_of(std::size_t packet) const;
  Counted count() const;
  std::vector<NodeId> destinations_of(const Packet& packet) const;
  void compare_packets(Comparison& comparison, const Counted& counted) const;
  void compare_injections(Comparison& comparison) const;
  void compare_throughput(Comparison& comparison, std::int64_t offered) const;
  void compare_classes(Comparison& comparison) const;
  /// The mean rate of flits in the measured steps; empty without any.
  std::optional<double> rate_of(std::int64_t flits, Step steps) const;
  void compare_saturation(Comparison& comparison) const;
  void compare_deadlock(Comparison& comparison) const;
  /// The link or node that was busy in every step of the phase up to `saturation.step`; empty if there is none.
  std::string full_port() const;

  const ResultDocument& result_;
  const NetworkGraph& graph_;
  const PacketTable& table_;
  const RunFacts& facts_;
  const Attempts* const attempts_;
  std::optional<PacketTable> of_packets_{};  ///< if they have attempts
  std::int64_t duplicates_ = 0;
  const std::size_t ports_;

  Step last_ = no_step;        ///< with a row
  Step last_moved_ = no_step;  ///< with a row other than `inject`
  std::int64_t flit_hops_ = 0, control_hops_ = 0, flits_dropped_ = 0, max_load_ = 0;
  ErrorCounts errors_{};                         ///< of links that repeat flits
  std::int64_t accepted_ = 0;                    ///< flits ejected in the measurement phase
  std::vector<std::int64_t> accepted_by_class_;  ///< [class of traffic] the same
  std::vector<std::int64_t> load_;               ///< [node * ports + out-port] flits
  std::vector<std::int64_t> hops_;               ///< [packet] links that its first flit has crossed
  std::vector<Step> injected_;                   ///< [packet] the step in which its first flit left its processor
  std::vector<bool> ejected_;                    ///< [packet] a flit was ejected
  DeadlockCycle cycle_;
  Step verdict_ = no_step;  ///< `saturation.step`
  PhaseFlits phase_;        ///< counted if there was a verdict
};

}  // namespace starloom::links
