#pragma once
/// \file A network as a loosely timed TLM-2.0 interconnect (IEEE 1666-2011).
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <cstdint>
#include <systemc>
#include <tlm>
#include <vector>

#include <starloom/sockets/address_map.hpp>
#include <starloom/topology/network_graph.hpp>

namespace starloom {

/// Report type of bad maps and placements (error).
inline constexpr const char* interconnect_report = "/starloom/interconnect";

/// Who sits where, and what the network costs.
struct InterconnectOptions {
  struct Target {
    NodeId node = 0;
    AddressRange addresses;
  };
  std::vector<NodeId> initiators;  ///< the node of the initiator bound to target_socket[i]
  std::vector<Target> targets;     ///< node and addresses of the target bound to initiator_socket[i]
  sc_core::sc_time period = sc_core::sc_time(1, sc_core::SC_NS);  ///< one step
  std::int32_t flit_bytes = 16;                                   ///< bytes of data in one flit
};

/// Carries transactions of the base protocol from any initiator to the target that owns the address.
///
/// Sockets: initiators bind to `target_socket[i]`, `initiator_socket[j]` binds to targets; both 32 bits wide.
/// Addresses: a target sees offsets from the base of its range, and the transaction comes back with the offset, as the
/// standard has it. One that no range holds whole comes back at once with TLM_ADDRESS_ERROR_RESPONSE.
/// Time: `b_transport` adds, without waiting, the steps that the request takes to the target and those of the response
/// back, as if the network were empty. A packet of L flits takes the latencies of the links of its fastest way and L - 1
/// steps, none if initiator and target share a node; it has one flit for each `flit_bytes` bytes of data that it carries (written data
/// go there, read data come back), and one if there are none.
/// `transport_dbg` takes no time. Direct memory access is the target's to grant: its region is translated and cut to
/// the target's range, its latencies grow by the way there and back of packets of one flit.
/// Initiators that call `nb_transport_fw` are served by the same `b_transport`, which the socket calls for them.
class Interconnect : public sc_core::sc_module {
 public:
  using TargetSocket = tlm_utils::simple_target_socket_tagged<Interconnect>;
  using InitiatorSocket = tlm_utils::simple_initiator_socket_tagged<Interconnect>;

  sc_core::sc_vector<TargetSocket> target_socket;
  sc_core::sc_vector<InitiatorSocket> initiator_socket;

  /// Error report if a node is no processor of the network, ranges are empty or overlap, or a number is below 1.
  Interconnect(const sc_core::sc_module_name& name, const NetworkGraph& graph, const InterconnectOptions& options);

  /// Steps that `bytes` bytes of data take from an initiator to a target, or back, through the empty network.
  std::int64_t steps(std::size_t initiator, std::size_t target, std::uint64_t bytes) const;

 private:
  static AddressMap checked_map(const NetworkGraph& graph, const InterconnectOptions& options);
  sc_core::sc_time time(std::size_t initiator, std::size_t target, std::uint64_t bytes) const;

  void b_transport(int initiator, tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay);
  unsigned int transport_dbg(int initiator, tlm::tlm_generic_payload& transaction);
  bool get_direct_mem_ptr(int initiator, tlm::tlm_generic_payload& transaction, tlm::tlm_dmi& region);
  void invalidate_direct_mem_ptr(int target, sc_dt::uint64 first, sc_dt::uint64 last);

  AddressMap map_;
  std::vector<std::int64_t> head_steps_;  ///< [initiator * targets + target]: link latencies on the way
  sc_core::sc_time period_;
  std::uint64_t flit_bytes_;
};

}  // namespace starloom
