// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A processor of a POPS network and its buffer.
#include <systemc>

#include <starloom/control/pops/controller.hpp>
#include <starloom/fabric/pops/group.hpp>

namespace starloom::pops {

/// The buffer of a processor: three slots, each with a use of its own that the controller defines. A facade of the
/// controller, which keeps its packets by use and not in order; therefore it is not a FlitBuffer, which is a queue.
class Buffer final : public sc_core::sc_module {
 public:
  Buffer(const sc_core::sc_module_name& name, const Controller& controller)
      : sc_module(name), controller_(controller) {}

  static constexpr std::int32_t capacity() { return buffer_slots; }
  /// The packet in a slot of the buffer after the slot that ran last, 0 <= slot < capacity(); `no_packet` if it is
  /// empty.
  PacketId packet(std::int32_t slot) const { return controller_.buffered()[static_cast<std::size_t>(slot)]; }
  std::int32_t size() const {
    std::int32_t count = 0;
    for (const PacketId held : controller_.buffered()) count += held != no_packet ? 1 : 0;
    return count;
  }

 private:
  const Controller& controller_;
};

/// One processor. The controller is ordinary C++ owned by the netlist; the fabric runs it in every slot.
///
/// Ports: `transmit` is bound to the transmit row of its group, `receive` to the receive column; a missing binding
/// ends elaboration with the name of the port.
class Processor final : public sc_core::sc_module {
 public:
  sc_core::sc_port<TransmitInterface, 1, sc_core::SC_ZERO_OR_MORE_BOUND> transmit;
  sc_core::sc_port<ReceiveInterface, 1, sc_core::SC_ZERO_OR_MORE_BOUND> receive;
  Buffer buffer;

  Processor(const sc_core::sc_module_name& name, NodeId id, Controller& controller)
      : sc_module(name),
        transmit("transmit"),
        receive("receive"),
        buffer("buffer", controller),
        id_(id),
        controller_(controller) {}

  NodeId id() const { return id_; }
  Controller& controller() { return controller_; }

 private:
  NodeId id_;
  Controller& controller_;
};

}  // namespace starloom::pops
