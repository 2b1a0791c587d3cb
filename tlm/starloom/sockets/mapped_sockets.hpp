// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The sockets of an interconnect, and what passes them without a packet: debug and direct memory access.
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <cstdint>
#include <optional>
#include <systemc>
#include <tlm>
#include <vector>

#include <starloom/sockets/placement.hpp>

namespace starloom {

/// Report type of bad maps and placements, and of what breaks the protocol of sockets (error).
inline constexpr const char* interconnect_report = "/starloom/interconnect";

/// Who sits where, and what the network costs.
struct InterconnectOptions {
  using Target = PlacedTarget;
  std::vector<NodeId> initiators;  ///< the node of the initiator bound to target_socket[i]
  std::vector<Target> targets;     ///< node and addresses of the target bound to initiator_socket[i]
  sc_core::sc_time period = sc_core::sc_time(1, sc_core::SC_NS);  ///< one step
  std::int32_t flit_bytes = 16;                                   ///< bytes of data in one flit
};

/// Base of interconnects of the base protocol (IEEE 1666-2011).
///
/// Sockets: initiators bind to `target_socket[i]`, `initiator_socket[j]` binds to targets; both 32 bits wide.
/// Addresses: a target sees offsets from the base of its range, and the transaction comes back with the offset, as the
/// standard has it.
/// `transport_dbg` takes no time. Direct memory access is the target's to grant: its region is translated and cut to
/// the target's range, its latencies grow by what the interconnect says.
class MappedSockets : public sc_core::sc_module {
 public:
  using TargetSocket = tlm_utils::simple_target_socket_tagged<MappedSockets>;
  using InitiatorSocket = tlm_utils::simple_initiator_socket_tagged<MappedSockets>;

  sc_core::sc_vector<TargetSocket> target_socket;
  sc_core::sc_vector<InitiatorSocket> initiator_socket;

 protected:
  /// Error report if a node is no processor of the network, ranges are empty or overlap, or a flit has no bytes.
  MappedSockets(const sc_core::sc_module_name& name, const NetworkGraph& graph, const InterconnectOptions& options);

  virtual void b_transport(int initiator, tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay) = 0;
  /// Whether initiators may go past the network at all.
  virtual bool lets_direct_access() const { return true; }
  /// What packets of one flit take to a target and back.
  virtual sc_core::sc_time both_ways(std::size_t initiator, std::size_t target) const = 0;

  const AddressMap& map() const { return map_; }
  /// The target that holds a transaction as a whole. Beyond the streaming width the same addresses come again.
  std::optional<std::size_t> target_of(const tlm::tlm_generic_payload& transaction) const;

 private:
  unsigned int transport_dbg(int initiator, tlm::tlm_generic_payload& transaction);
  bool get_direct_mem_ptr(int initiator, tlm::tlm_generic_payload& transaction, tlm::tlm_dmi& region);
  void invalidate_direct_mem_ptr(int target, sc_dt::uint64 first, sc_dt::uint64 last);

  AddressMap map_;
};

}  // namespace starloom
