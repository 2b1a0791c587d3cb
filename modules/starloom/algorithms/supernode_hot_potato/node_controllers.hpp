// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The controllers of a supernode, one class for each role. Each decides about heads from the clock, its own
/// cell, and the worms that have passed it; bodies follow.
#include <memory>
#include <vector>

#include <starloom/algorithms/supernode_hot_potato/round_timetable.hpp>
#include <starloom/algorithms/supernode_hot_potato/supernode_mesh.hpp>
#include <starloom/algorithms/supernode_hot_potato/superstep_decision.hpp>
#include <starloom/control/links/algorithm.hpp>

namespace starloom::links {

/// The repairs of the paper's protocol, one by one; tests omit them to show their effect.
struct SupernodeRepairs {
  bool bounce = true;         ///< odd supernodes let arriving worms turn back at the centre, two steps longer
  bool early_delay = true;    ///< worms taken out before the centre go two steps out of their buffer and back
  bool clocks_differ = true;  ///< the clocks of neighbouring supernodes differ by a step
  bool balance = true;        ///< rings exchange worms so that each has two slots for arrivals
};

/// The tables and options that all nodes share.
struct SupernodeDesign {
  SupernodeGeometry geometry;
  RoundTimetable timetable;
  std::shared_ptr<const SupernodeRouter> router;
  std::int32_t side = 1;       ///< N
  std::int32_t most_kept = 0;  ///< worms that a supernode may keep after sending
  bool preloaded = false;      ///< worms are in the slots of the rings when a round begins
  SupernodeRepairs repairs{};
};

/// The local destination and source, the clock, creation and consumption: the common part of all nodes.
class SupernodeController : public WormController {
 public:
  /// A node of the supernode at `here`. `design` outlives it.
  SupernodeController(const SupernodeDesign& design, SupernodePosition here, Cell cell);

  void step(WormView& view) final;
  void publish(std::uint32_t* values) const final;
  static std::vector<StateField> state_fields();

 protected:
  /// The out-port of a head that arrives at `in`.
  virtual Port out_port(WormView& view, Port in, std::int32_t tau) = 0;
  /// Called for a token that arrives at a head processor.
  virtual void take(const Flit& /*token*/, std::int32_t /*tau*/) {}
  /// The action of a node in a step for which it requested to run, with or without arrivals.
  virtual void act(WormView& /*view*/, std::int32_t /*tau*/) {}
  /// For waves: 1 + the slot that the node knows, 0 without one.
  virtual std::uint32_t shown_slot() const;

  const SupernodeDesign& design() const { return design_; }
  const SupernodeGeometry& geometry() const { return design_.geometry; }
  const RoundTimetable& timetable() const { return design_.timetable; }
  std::int32_t h() const { return geometry().size().h(); }
  Cell cell() const { return cell_; }
  SupernodePosition here() const { return here_; }
  bool is_odd() const { return odd_; }
  SupernodeMesh mesh(const View& view) const { return {view.grid(), geometry()}; }
  /// The number of a superstep among those of all rounds.
  std::int64_t superstep_number(std::int32_t superstep) const { return round_ * timetable().supersteps() + superstep; }
  /// The step in which the clock of this supernode shows `tau` in the current round.
  Step step_of(std::int32_t tau) const { return round_begins_ + tau; }

 private:
  /// An exception to the routing of the node: heads that arrive at `in` leave through `out`.
  struct Detour {
    Port in = no_port, out = no_port;
  };

  void enter_round(const View& view);
  Detour path_to_ring(Cell source) const;
  Detour path_from_ring(Cell destination) const;
  void decide(WormView& view, Port in, std::int32_t tau);
  void send_due(WormView& view);
  void find_due(const View& view);
  /// The first out-port of a new worm at its source.
  Port first_port() const;
  Step due(const View& view, PacketId packet) const;

  const SupernodeDesign& design_;
  SupernodePosition here_;
  Cell cell_;
  bool odd_;
  std::int16_t lag_;  ///< steps by which the clock of the supernode is behind
  // For the current round.
  Step round_begins_ = 0, round_ends_ = 0;
  std::int64_t round_ = -1;
  Detour entry_, exit_;
  NodeId exit_for_ = no_node;  ///< the destination of this round in this supernode
  // The next worm of the own processor.
  PacketId next_ = no_packet;
  Step next_due_ = no_step;
  // The last head that passed, for waves.
  std::int32_t last_tau_ = -1;
  Port last_in_ = no_port;
};

/// The notes of command processors and the centre in a superstep, and the decision that follows from them.
class SupernodeBoard {
 public:
  SupernodeBoard(const SupernodeDesign& design, SupernodePosition here);

  void note(std::int64_t number, Ring ring, std::int32_t slot, std::int32_t supernode);
  /// True if there are notes of this superstep.
  bool knows(std::int64_t number) const { return number_ == number; }
  /// The decision from the notes; empty without notes. The first call of a superstep decides.
  const SuperstepDecision& decision(std::int64_t number, std::int32_t superstep);
  bool decided() const { return decided_; }
  /// True if the decision keeps more worms than there are slots, or than the router has promised.
  bool overflows() const { return decided_ && decision_.kept > design_.most_kept; }

 private:
  const SupernodeDesign& design_;
  SupernodePosition here_;
  std::int64_t number_ = -1;  ///< of the superstep of the notes
  bool decided_ = false;
  SupernodeNotes notes_;
  SuperstepDecision decision_;
  SuperstepDecision nothing_;
};

/// Counts of one supernode in a run.
struct SupernodeTally {
  std::int64_t swaps = 0;
  std::int32_t most_kept = 0;
};

/// One controller a node, of the class of its role.
class SupernodeControllers final : public ControllerArray {
 public:
  /// `design` outlives it.
  explicit SupernodeControllers(const SupernodeDesign& design);
  Controller& at(NodeId node) override { return *controllers_[static_cast<std::size_t>(node)]; }
  std::map<std::string, double> metrics() const override;

 private:
  std::vector<std::unique_ptr<SupernodeController>> controllers_;
  std::vector<const SupernodeTally*> tallies_;  ///< [supernode]
};

}  // namespace starloom::links
