// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Replay of the links-only and never-standing models.
#include <cstdint>
#include <utility>
#include <vector>

#include <starloom/referee/links/storage_checker.hpp>

namespace starloom::links {

/// Worms that move as units. A worm of L flits makes its moves 0, 1, 2, ...; in move k its head crosses link k of its
/// path, flit j crosses link k - j, and flit k leaves the memory; if the head is consumed in move D, flit j is
/// consumed in move D + j. The link of a row of flit j is therefore determined, and the number of rows of a step
/// shows whether the whole worm moved.
class WormChecker final : public StorageChecker {
 public:
  explicit WormChecker(CheckContext& context);
  void begin_step(Step step) override;
  void inject(const TraceRow& row) override;
  void hop(const TraceRow& row, LinkId link) override;
  void consume(const TraceRow& row) override;
  void drop(const TraceRow& row) override;
  bool uses(const TraceRow& row, const std::vector<FaultEvent>& deaths) const override;
  void check_death(const FaultEvent& death) const override;
  void control(const TraceRow& row, LinkId link) override;
  void end_step(Step step) override;

 private:
  using Move = std::int64_t;
  static constexpr Move never = -1;

  /// A worm in the network. Reused, so that worms need no allocation once this number has been in flight.
  struct Worm {
    PacketId packet = no_packet;
    std::int32_t flits = 1;
    NodeId source = no_node;   ///< the node of the memory that it leaves
    NodeId head = no_node;     ///< the node of the head, or of its next arrival
    Move moves = 0;            ///< begun so far
    Move consumed_in = never;  ///< move in which the head was consumed
    Step moved_in = no_step;   ///< step of the last move
    std::int32_t rows = 0;     ///< of the last move
    bool injects = false;      ///< the last move has an `inject` row
    std::vector<LinkId> path;  ///< link k of the head's path at k modulo size; flits + 1 links
    std::vector<Move> moved;   ///< [flit] number of its last move, counted from 1

    Move current() const { return moves - 1; }
    LinkId& link(Move move) { return path[static_cast<std::size_t>(move) % path.size()]; }
    LinkId link(Move move) const { return path[static_cast<std::size_t>(move) % path.size()]; }
  };

  NodeId location_in_network(PacketId packet, const State& state) const override;
  /// Where a flit was before move `move`, or the source if it was in the memory.
  NodeId node_before(const Worm& worm, std::int32_t flit, Move move) const;
  std::int32_t take_slot();
  /// The worm of a row, with its move of this step begun.
  Worm& moving(const TraceRow& row, std::int32_t slot);
  /// Records that a flit makes the current move.
  void note(const TraceRow& row, Worm& worm);
  void remove(Worm& worm, std::int32_t slot);
  void check_unit(const Worm& worm, Step step) const;
  void leave_registers(const Worm& worm);
  void enter_registers(const Worm& worm, Step step);
  void check_all_move(Step step) const;

  const bool may_wait_;
  std::vector<Worm> worms_;                            ///< [slot]
  std::vector<std::int32_t> free_;                     ///< slots
  std::vector<std::int32_t> moving_;                   ///< slots of the worms that move in this step
  std::vector<std::pair<TraceRow, LinkId>> controls_;  ///< of this step
  std::vector<PacketId> register_;  ///< [link] packet of the flit in the register at its far end, or no_packet
  std::int64_t in_flight_ = 0;      ///< worms in the network
  Step last_step_ = no_step;        ///< the last step with rows
};

}  // namespace starloom::links
