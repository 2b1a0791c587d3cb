// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The part of the replay that depends on the storage model.
#include <memory>
#include <vector>

#include <starloom/referee/links/check_context.hpp>

namespace starloom::links {

/// Follows every packet through memories and network. Rows are well formed: ids in range, links existing, `eject` and
/// `store` at the right kind of node. A broken rule is thrown as a Breach.
class StorageChecker {
 public:
  static std::unique_ptr<StorageChecker> make(CheckContext& context);
  virtual ~StorageChecker() = default;

  void expect(std::size_t packets) { make_room(states_, packets); }
  /// Drops the packets that the context no longer knows.
  void forget() {
    const std::size_t left = context_.at(context_.packets());
    states_.erase(states_.begin(), states_.end() - static_cast<std::ptrdiff_t>(left));
  }
  void announce(PacketId packet) {
    const std::size_t at = context_.at(packet);
    if (at >= states_.size()) states_.resize(at + 1);
    states_[at] = {context_.packet(packet).created, context_.packet(packet).source, in_memory};
  }

  virtual void begin_step(Step /*step*/) {}
  virtual void inject(const TraceRow& row) = 0;
  virtual void hop(const TraceRow& row, LinkId link) = 0;
  // Of links that repeat corrupt flits:
  /// Called behind `hop`: the receiver does not accept the flit, and gets it again.
  virtual void repeat(const TraceRow& /*row*/) {}
  /// It accepts the flit of a `resend`.
  virtual void accept(const TraceRow& /*row*/, LinkId /*link*/) {}
  /// Called for `eject` or `store`.
  virtual void consume(const TraceRow& row) = 0;
  /// Called for a flit that vanishes, before the other rows of its step; and behind the last one of the step.
  virtual void drop(const TraceRow& row) { context_.reject(row, "vanishes, but no hardware dies in this model"); }
  virtual void end_drops() {}
  // Of models without routers, whose packets have one flit:
  /// True if a flit that vanishes uses hardware that dies in the step. Called before `drop`.
  virtual bool uses(const TraceRow& /*row*/, const std::vector<FaultEvent>& /*deaths*/) const { return false; }
  /// Called when all flits that vanish in the step are known: none is left that uses the hardware.
  virtual void check_death(const FaultEvent& /*death*/) const {}
  /// Called for a key or token.
  virtual void control(const TraceRow& /*row*/, LinkId /*link*/) {}
  virtual void end_step(Step /*step*/) {}

  /// The node of the first flit of a packet that is not consumed, or of its next arrival.
  NodeId location(PacketId packet) const {
    const State& s = states_[context_.at(packet)];
    return s.slot < 0 ? s.node : location_in_network(packet, s);
  }
  /// Calls `visit(packet, state)` for each packet that has left its memory and is not consumed.
  template <class Visit>
  void for_each_in_network(const Visit& visit) const {
    for (std::size_t i = 0; i < states_.size(); ++i)
      if (states_[i].slot >= 0) visit(context_.first() + static_cast<PacketId>(i), states_[i]);
  }

 protected:
  static constexpr std::int32_t in_memory = -1;
  static constexpr std::int32_t consumed = -2;
  static constexpr std::int32_t dropped = -3;

  struct State {
    Step ready;         ///< in a memory: first step in which it may leave; a model may use it in the network
    NodeId node;        ///< the node of the memory; a model may use it in the network
    std::int32_t slot;  ///< in_memory, consumed, dropped, or the index of the model's data for a packet in the network
  };

  explicit StorageChecker(CheckContext& context) : context_(context) {}
  virtual NodeId location_in_network(PacketId packet, const State& state) const = 0;

  State& state(const TraceRow& row) { return states_[context_.at(row.packet)]; }
  const State& state(const TraceRow& row) const { return states_[context_.at(row.packet)]; }
  /// The state of a packet that has left its memory.
  State& in_network(const TraceRow& row);
  /// Checks the first flit that leaves a memory: it is there, and may leave now.
  void check_departure(const TraceRow& row, const State& state) const;
  /// The last flit was consumed.
  void end_of_packet(const TraceRow& row, State& state);

  CheckContext& context_;

 private:
  std::vector<State> states_;  ///< of the packets that the context knows
};

}  // namespace starloom::links
