// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file An optical passive star coupler as a module.
#include <systemc>

#include <starloom/fabric/pops/engine.hpp>

namespace starloom::pops {

class PassiveStar;

/// The interface of the inputs of a coupler, for the transmit row bound to them.
class CouplerInput : public virtual sc_core::sc_interface {
 public:
  virtual PassiveStar& driven() = 0;
};

/// The interface of the outputs of a coupler, for the receive column bound to them.
class CouplerOutput : public virtual sc_core::sc_interface {
 public:
  virtual PassiveStar& sampled() = 0;
};

/// A passive star coupler: its inputs are the processors of a group, its outputs those of a group. A message that one
/// input drives in a slot reaches all outputs in that slot; light from two or more inputs mixes, and no output can
/// read it.
///
/// Ports: none; it *is* the channel that one transmit row and one receive column bind to. The engine has its state;
/// the fabric reads the bindings at the start of simulation.
class PassiveStar : public sc_core::sc_module, public CouplerInput, public CouplerOutput {
 public:
  /// `dead`: out of service, carries no light.
  explicit PassiveStar(const sc_core::sc_module_name& name, bool dead = false) : sc_module(name), dead_(dead) {}

  /// True if the outputs can read a message when this many inputs drive, 1 or more. Called at the start of
  /// simulation, for one driver and for two; a subclass that returns other values models another device. If several
  /// drivers can be read, then as the first of them, in the order of evaluation.
  virtual bool carries(std::int32_t drivers) const { return drivers == 1 && !dead_; }

  /// In the slot that ran last.
  CouplerState state() const { return engine_ == nullptr ? CouplerState::idle : engine_->state(number_); }
  /// The message that it carries; valid in state `carrying`.
  const Message& message() const { return engine_->message(number_); }

  PassiveStar& driven() override { return *this; }
  PassiveStar& sampled() override { return *this; }

  /// Called by the fabric at the start of simulation.
  void attach(const Engine& engine, std::size_t number) {
    engine_ = &engine;
    number_ = number;
  }

 private:
  const Engine* engine_ = nullptr;
  std::size_t number_ = 0;
  bool dead_;
};

}  // namespace starloom::pops
