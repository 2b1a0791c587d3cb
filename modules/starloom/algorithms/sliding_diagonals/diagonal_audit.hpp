// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The timetable of sliding diagonals, computed independently of the controllers and without their code: from
/// the rows of a trace alone it checks that every worm followed docs/algorithms/sliding-diagonals.md in every step.
/// The referee checks the physical rules.
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <starloom/core/links/trace.hpp>
#include <starloom/core/packet.hpp>
#include <starloom/topology/grid/grid.hpp>

namespace starloom::links {

/// The constants of a run.
struct DiagonalAuditRules {
  std::int32_t flits = 1, a = 1, b = 1, width = 2, forward = 4, rounds = 1, thinning = 6;  // L, a, b, w0, F, R, g
  bool registers_only = false;
  bool intermediate = false;
  std::uint64_t seed = 1;  ///< of the run: with `intermediate`, its random words determine the first targets of worms
};

/// The results of the audit.
struct DiagonalAuditReport {
  std::vector<std::string> diagnostics;  ///< sentences; empty: the timetable was followed
  std::int64_t steps = 0;                ///< to the end of the last pass
  std::int64_t batches = 0, clean_up_batches = 0;
  std::int64_t pass_1 = 0, phase_2 = 0, overflow = 0, no_position = 0;
};

/// Collects the rows of a run that ended regularly; then audits the actions of its heads. Worms are all created in
/// step 0, at most one per node. Memory grows with the hops of heads, about 16 bytes each.
class DiagonalAudit final : public TraceSink {
 public:
  DiagonalAudit(const Grid& torus, const DiagonalAuditRules& rules);
  void rows(const std::vector<TraceRow>& of_one_step) override;
  DiagonalAuditReport report(const std::vector<Packet>& packets);

 private:
  struct Move {
    std::uint64_t word = 0;
    Move(Step step, Port port) : word(static_cast<std::uint64_t>(step) << 5 | static_cast<std::uint64_t>(port)) {}
    Step step() const { return static_cast<Step>(word >> 5); }
    Port port() const { return static_cast<Port>(word & 31); }
  };
  /// From a memory to a memory.
  struct Segment {
    PacketId packet = no_packet;
    Step begins = 0, ends = no_step;
    NodeId from = no_node, to = no_node;
    bool arrives = false;  ///< in a final routing
    std::vector<Move> moves;
  };
  struct Pass {
    Step begins = 0;
    std::int64_t batches = 0;
    Step ends = 0;
    bool second_run = false;
  };
  using Reservoir = std::tuple<Step, int, NodeId>;  ///< beginning of the stage, dimension, node below which it is

  std::int64_t slot_start(std::int64_t slot) const;
  Pass pass_of(Step begins, std::int64_t fullest, bool first, bool second_run) const;
  NodeId random_node(const Packet& packet) const;
  void audit_pass(const Pass& pass, const std::vector<Packet>& packets);
  void audit_segment(const Segment& segment, const Pass& pass, NodeId target);
  void audit_reservoirs();
  void audit_refusals();
  void expect_numbers(const Pass& pass, const std::map<NodeId, std::int32_t>& due);
  void add_error(const Segment& segment, Step step, const std::string& text);
  std::int32_t block(std::int32_t x, std::int32_t blocks) const;
  std::int32_t base(std::int32_t block, std::int32_t blocks) const { return block * n_ / blocks; }
  std::int32_t at(NodeId node, int axis) const { return torus_.coordinate(node, axis); }
  std::uint64_t crossing(Step step, NodeId node, Port port) const {
    return (static_cast<std::uint64_t>(step) * static_cast<std::uint64_t>(torus_.nodes()) +
            static_cast<std::uint64_t>(node))
               << 5 |
           static_cast<std::uint64_t>(port);
  }

  const Grid& torus_;
  const DiagonalAuditRules rules_;
  const std::int32_t n_, d_;
  std::int32_t diagonals_, positions_, column_blocks_, row_blocks_, prelude_, stage_;
  std::int32_t widest_ = 0, highest_ = 0;
  std::vector<Segment> segments_;
  std::map<PacketId, std::size_t> in_flight_;
  std::map<Reservoir, std::map<Step, std::int32_t>> admitted_;  ///< step of the turn: rows from the bottom to the head
  std::map<Reservoir, std::vector<Step>> refused_;              ///< worms that found it full
  std::vector<std::uint64_t> climbing_;                         ///< crossings of heads that go straight on in a column
  std::vector<std::pair<std::uint64_t, PacketId>> lost_;  ///< crossings that other heads attempted without success
  DiagonalAuditReport report_;
};

}  // namespace starloom::links
