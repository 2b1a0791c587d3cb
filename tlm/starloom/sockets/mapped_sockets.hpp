// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The sockets of an interconnect, the checks of initiators' transactions, and debug and direct memory access,
/// which take no packets.
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include <starloom/sockets/placement.hpp>
#include <starloom/sockets/transaction_packets.hpp>

namespace starloom {

/// Report type of bad maps and placements, of violations of the socket protocol (errors), and of loose attributes
/// (warning).
inline constexpr const char* interconnect_report = "/starloom/interconnect";

/// The nodes of initiators and targets, and the cost of the network.
struct InterconnectOptions {
  using Target = PlacedTarget;
  std::vector<NodeId> initiators;  ///< the node of the initiator bound to target_socket[i]
  std::vector<Target> targets;     ///< node and addresses of the target bound to initiator_socket[i]
  /// One step; without a value: 1 ns. An sc_time of 1 ns here would fix the time resolution.
  std::optional<sc_core::sc_time> period;
  std::int32_t flit_bytes = 16;  ///< bytes of data in one flit
  /// A data length or streaming width of 0 and byte enables longer than the data are errors, as in the standard. If
  /// false, a network takes the length as the width, ignores byte enables beyond the data, and warns once of each.
  bool strict = false;

  sc_core::sc_time step() const { return period.value_or(sc_core::sc_time(1, sc_core::SC_NS)); }
};

/// The attributes of a payload that an interconnect changes for the target, as the initiator has set them.
class InitiatorAttributes {
 public:
  InitiatorAttributes() = default;
  explicit InitiatorAttributes(const tlm::tlm_generic_payload& payload)
      : address_(payload.get_address()),
        length_(payload.get_data_length()),
        streaming_width_(payload.get_streaming_width()),
        byte_enable_length_(payload.get_byte_enable_length()) {}

  void restore(tlm::tlm_generic_payload& payload) const {
    payload.set_address(address_);
    payload.set_data_length(length_);
    payload.set_streaming_width(streaming_width_);
    payload.set_byte_enable_length(byte_enable_length_);
  }
  std::uint64_t address() const { return address_; }

 private:
  std::uint64_t address_ = 0;
  unsigned length_ = 0, streaming_width_ = 0, byte_enable_length_ = 0;
};

/// Restores them at the end of a scope, also when an error or the end of a process unwinds the stack.
class RestoredAttributes {
 public:
  explicit RestoredAttributes(tlm::tlm_generic_payload& payload) : payload_(payload), attributes_(payload) {}
  ~RestoredAttributes() { attributes_.restore(payload_); }
  RestoredAttributes(const RestoredAttributes&) = delete;
  RestoredAttributes& operator=(const RestoredAttributes&) = delete;

 private:
  tlm::tlm_generic_payload& payload_;
  const InitiatorAttributes attributes_;
};

/// Base of interconnects of the base protocol (IEEE 1666-2011).
///
/// Sockets: initiators bind to `target_socket[i]`, `initiator_socket[j]` binds to targets; both 32 bits wide.
/// Addresses: a target sees offsets from the base of its range; the initiator gets its payload back with its own
/// address. Errors are answered immediately: TLM_ADDRESS_ERROR_RESPONSE if no range contains the whole transaction,
/// TLM_COMMAND_ERROR_RESPONSE, TLM_GENERIC_ERROR_RESPONSE (null data pointer), TLM_BYTE_ENABLE_ERROR_RESPONSE (byte
/// enables of length 0), and if `strict` those of InterconnectOptions. `transport_dbg` takes no time and ends at the
/// end of the target's range. Direct memory access is granted by the target: its region is translated and limited to
/// the target's range, its latencies grow by those of the interconnect.
class MappedSockets : public sc_core::sc_module {
 public:
  using TargetSocket = tlm_utils::simple_target_socket_tagged<MappedSockets>;
  using InitiatorSocket = tlm_utils::simple_initiator_socket_tagged<MappedSockets>;

  sc_core::sc_vector<TargetSocket> target_socket;
  sc_core::sc_vector<InitiatorSocket> initiator_socket;

 protected:
  /// Error report if a node is not a processor of the network, ranges are empty or overlap, or a flit has no bytes.
  MappedSockets(const sc_core::sc_module_name& name, const NetworkGraph& graph, const InterconnectOptions& options);

  virtual void b_transport(int initiator, tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay) = 0;
  /// True if initiators may bypass the network.
  virtual bool lets_direct_access() const { return true; }
  /// The round trip of packets of one flit to a target and back.
  virtual sc_core::sc_time both_ways(std::size_t initiator, std::size_t target) const = 0;

  const AddressMap& map() const { return map_; }
  /// The target of a transaction, and its attributes there.
  struct Destination {
    std::size_t target = 0;
    TransactionForm form{};
  };
  /// The target that contains a transaction completely; beyond the streaming width the addresses repeat. Without a
  /// value the transaction has an error and has its response status. Warns of the first occurrence of each loose
  /// attribute.
  std::optional<Destination> destination_of(int initiator, tlm::tlm_generic_payload& transaction);
  /// Gives a transaction the attributes for a target: the offset from its base, and no loose attributes.
  void translate(tlm::tlm_generic_payload& transaction, std::size_t target) const;

 private:
  unsigned int transport_dbg(int initiator, tlm::tlm_generic_payload& transaction);
  bool get_direct_mem_ptr(int initiator, tlm::tlm_generic_payload& transaction, tlm::tlm_dmi& region);
  void invalidate_direct_mem_ptr(int target, sc_dt::uint64 first, sc_dt::uint64 last);
  void warn_of(LooseAttribute loose, int initiator, const tlm::tlm_generic_payload& transaction);

  AddressMap map_;
  const bool strict_;
  std::array<bool, 4> warned_{};  ///< [LooseAttribute]
};

/// "read of 4 bytes at 0x1000"
std::string described(const tlm::tlm_generic_payload& transaction, std::uint64_t address);

}  // namespace starloom
