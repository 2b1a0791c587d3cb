// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Checks the calls between two sockets of the base protocol, and reports which of its rules is broken.
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <cstdint>
#include <map>
#include <string>
#include <systemc>
#include <tlm>

namespace starloom {

/// Report type of broken rules (error).
inline constexpr const char* protocol_report = "/starloom/protocol";

/// A module between an initiator, bound to `target_socket`, and a target, to which `initiator_socket` is bound;
/// passes all calls on unchanged. Every broken rule is an error report: the transaction, the call, and the rule.
///
/// Rules (IEEE 1666-2011, 14 and 15) of calls without blocking:
/// - phases: BEGIN_REQ, END_REQ, BEGIN_RESP, END_RESP in this order, the middle ones may be omitted; BEGIN_REQ and
///   END_RESP come from the initiator, the others from the target; no phase after the end, not even in the answer to
///   END_RESP;
/// - exclusion: no BEGIN_REQ before the END_REQ of the previous one, no BEGIN_RESP before its END_RESP;
/// - timing annotation: no phase of a transaction takes effect before the previous one;
/// - memory management: the payload has a memory manager.
///
/// Rules of all calls:
/// - a transaction is in progress once, by b_transport or without blocking;
/// - memory management: a payload with a memory manager has a holder; one that had none has none at the return;
/// - payload: command, data pointer and length, byte enables and streaming width do not change; nor do the data of a
///   write; the response status is incomplete at first and another value at the end; the DMI hint is false at first.
class ProtocolChecker final : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<ProtocolChecker> target_socket;
  tlm_utils::simple_initiator_socket<ProtocolChecker> initiator_socket;

  explicit ProtocolChecker(const sc_core::sc_module_name& name);

  /// Number of transactions that have ended.
  std::int64_t seen() const { return seen_; }

 private:
  using Payload = tlm::tlm_generic_payload;

  /// The content that must not change, and the state of a transaction.
  struct Watched {
    tlm::tlm_command command;
    unsigned char* data;
    unsigned length, width;
    unsigned char* enables;
    unsigned enable_length;
    std::uint64_t content;  ///< a digest of the data of a write and of the byte enables
    bool managed;           ///< has a memory manager
    int phase;              ///< the last one, BEGIN_REQ to END_RESP as 0 to 3; 4 in b_transport
    sc_core::sc_time effect;
  };

  void b_transport(Payload& payload, sc_core::sc_time& delay);
  tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  tlm::tlm_sync_enum nb_transport_bw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  unsigned transport_dbg(Payload& payload);
  bool get_direct_mem_ptr(Payload& payload, tlm::tlm_dmi& region);
  void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last);

  Watched begin(const Payload& payload, int phase) const;
  void check_payload(const Watched& watched, const Payload& payload, const char* call) const;
  void check_answer(const Payload& payload, const char* call) const;
  void advance(const Payload& payload, int phase, bool from_initiator, const sc_core::sc_time& delay);
  void check_returned(const Payload& payload, tlm::tlm_sync_enum status, const tlm::tlm_phase& phase, int called,
                      bool by_target, const sc_core::sc_time& delay);
  void end(const Payload& payload);
  void broken(const Payload& payload, const std::string& text) const;

  std::map<const Payload*, Watched> in_flight_;
  const Payload* requesting_ = nullptr;
  const Payload* responding_ = nullptr;
  std::int64_t seen_ = 0;
};

}  // namespace starloom
