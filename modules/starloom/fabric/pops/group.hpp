// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The optics of a group: one module for all couplers that its processors drive, one for all that they sample.
/// A processor therefore has one port to each of them instead of one per coupler.
#include <systemc>

#include <starloom/fabric/pops/passive_star.hpp>

namespace starloom::pops {

class TransmitRow;
class ReceiveColumn;

class TransmitInterface : public virtual sc_core::sc_interface {
 public:
  virtual TransmitRow& row() = 0;
};

class ReceiveInterface : public virtual sc_core::sc_interface {
 public:
  virtual ReceiveColumn& column() = 0;
};

/// The transmitters of a group: the channel that the `transmit` ports of its processors bind to.
/// Ports: `couplers`, one binding for each group; the k-th leads to group k.
class TransmitRow final : public sc_core::sc_module, public TransmitInterface {
 public:
  sc_core::sc_port<CouplerInput, 0, sc_core::SC_ZERO_OR_MORE_BOUND> couplers;
  explicit TransmitRow(const sc_core::sc_module_name& name) : sc_module(name), couplers("couplers") {}
  TransmitRow& row() override { return *this; }
};

/// The receivers of a group: the channel that the `receive` ports of its processors bind to.
/// Ports: `couplers`, one binding for each group; the k-th comes from group k.
class ReceiveColumn final : public sc_core::sc_module, public ReceiveInterface {
 public:
  sc_core::sc_port<CouplerOutput, 0, sc_core::SC_ZERO_OR_MORE_BOUND> couplers;
  explicit ReceiveColumn(const sc_core::sc_module_name& name) : sc_module(name), couplers("couplers") {}
  ReceiveColumn& column() override { return *this; }
};

}  // namespace starloom::pops
