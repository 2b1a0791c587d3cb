// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The sockets of an interconnect, the rules for what initiators ask for, and debug and direct memory access,
/// which pass without a packet.
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

/// Report type of bad maps and placements, of what breaks the protocol of sockets (errors), and of loose attributes
/// (warning).
inline constexpr const char* interconnect_report = "/starloom/interconnect";

/// Who sits where, and what the network costs.
struct InterconnectOptions {
  using Target = PlacedTarget;
  std::vector<NodeId> initiators;  ///< the node of the initiator bound to target_socket[i]
  std::vector<Target> targets;     ///< node and addresses of the target bound to initiator_socket[i]
  /// One step; without a value: 1 ns. An sc_time of 1 ns here would fix the time resolution.
  std::optional<sc_core::sc_time> period;
  std::int32_t flit_bytes = 16;  ///< bytes of data in one flit
  /// A data length or streaming width of 0 and byte enables longer than the data are errors, as in the standard.
  /// Without it a network takes the length for the width, ignores byte enables behind the data, and warns once of each.
  bool strict = false;

  sc_core::sc_time step() const { return period.value_or(sc_core::sc_time(1, sc_core::SC_NS)); }
};

/// The attributes of a payload that an interconnect changes on the way to a target, as the initiator has set them.
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

/// Restores them at the end of a scope, also where an error or the end of a process unwinds the stack.
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
/// address. Faults are answered at once: TLM_ADDRESS_ERROR_RESPONSE where no range holds the whole transaction,
/// TLM_COMMAND_ERROR_RESPONSE, TLM_GENERIC_ERROR_RESPONSE (null data pointer), TLM_BYTE_ENABLE_ERROR_RESPONSE (byte
/// enables of length 0), and if `strict` what InterconnectOptions says.
/// `transport_dbg` takes no time and ends where the range of the target ends. Direct memory access is the target's to
/// grant: its region is translated and cut to the target's range, its latencies grow by what the interconnect says.
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
  /// Where a transaction goes, and as what.
  struct Destination {
    std::size_t target = 0;
    TransactionForm form{};
  };
  /// The target that holds a transaction as a whole; beyond the streaming width the same addresses come again. Without
  /// a value the transaction is at fault and has its response status. Warns of an attribute that is loose for the first
  /// time.
  std::optional<Destination> destination_of(int initiator, tlm::tlm_generic_payload& transaction);
  /// Gives a transaction the attributes that a target sees: the offset from its base, and no loose attributes.
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
