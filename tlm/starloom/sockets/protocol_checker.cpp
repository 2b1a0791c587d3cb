// SPDX-License-Identifier: Apache-2.0
#include <starloom/sockets/protocol_checker.hpp>

#include <cstdio>
#include <memory>

namespace starloom {
namespace {

enum BasePhase { begin_req, end_req, begin_resp, end_resp, blocking };
constexpr const char* phase_names[] = {"BEGIN_REQ", "END_REQ", "BEGIN_RESP", "END_RESP", "b_transport"};

/// -1: outside the base protocol.
int base_phase(const tlm::tlm_phase& phase) {
  if (phase == tlm::BEGIN_REQ) return begin_req;
  if (phase == tlm::END_REQ) return end_req;
  if (phase == tlm::BEGIN_RESP) return begin_resp;
  if (phase == tlm::END_RESP) return end_resp;
  return -1;
}

/// FNV-1a of the content that must not change during a transaction.
std::uint64_t content_of(const tlm::tlm_generic_payload& payload) {
  std::uint64_t digest = 14695981039346656037u;
  const auto add = [&digest](const unsigned char* bytes, unsigned count) {
    for (unsigned i = 0; bytes != nullptr && i < count; ++i) digest = (digest ^ bytes[i]) * 1099511628211u;
  };
  if (payload.is_write()) add(payload.get_data_ptr(), payload.get_data_length());
  add(payload.get_byte_enable_ptr(), payload.get_byte_enable_length());
  return digest;
}

}  // namespace

ProtocolChecker::ProtocolChecker(const sc_core::sc_module_name& name)
    : sc_module(name), target_socket("target_socket"), initiator_socket("initiator_socket") {
  target_socket.register_b_transport(this, &ProtocolChecker::b_transport);
  target_socket.register_nb_transport_fw(this, &ProtocolChecker::nb_transport_fw);
  initiator_socket.register_nb_transport_bw(this, &ProtocolChecker::nb_transport_bw);
  target_socket.register_transport_dbg(this, &ProtocolChecker::transport_dbg);
  target_socket.register_get_direct_mem_ptr(this, &ProtocolChecker::get_direct_mem_ptr);
  initiator_socket.register_invalidate_direct_mem_ptr(this, &ProtocolChecker::invalidate_direct_mem_ptr);
}

void ProtocolChecker::broken(const Payload& payload, const std::string& text) const {
  char what[64];
  std::snprintf(what, sizeof what, "%s of %u bytes at 0x%llx: ",
                payload.is_read()    ? "read"
                : payload.is_write() ? "write"
                                     : "transaction",
                payload.get_data_length(), static_cast<unsigned long long>(payload.get_address()));
  SC_REPORT_ERROR(protocol_report, (std::string(name()) + ": " + what + text).c_str());
}

ProtocolChecker::Watched ProtocolChecker::begin(const Payload& payload, int phase) const {
  const std::string by = std::string(" in ") + phase_names[phase];
  if (payload.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE)
    broken(payload, "the response status is " + payload.get_response_string() + by +
                        ", but an initiator sets TLM_INCOMPLETE_RESPONSE");
  if (payload.is_dmi_allowed()) broken(payload, "the DMI hint is set" + by + ", but an initiator clears it");
  return {payload.get_command(),
          payload.get_data_ptr(),
          payload.get_data_length(),
          payload.get_streaming_width(),
          payload.get_byte_enable_ptr(),
          payload.get_byte_enable_length(),
          content_of(payload),
          payload.has_mm(),
          phase,
          sc_core::sc_time_stamp()};
}

void ProtocolChecker::check_payload(const Watched& watched, const Payload& payload, const char* call) const {
  const auto same = [&](bool equal, const char* what) {
    if (!equal)
      broken(payload, std::string(what) + " changed before " + call + "; it stays as the initiator has set it");
  };
  same(watched.command == payload.get_command(), "the command");
  same(watched.data == payload.get_data_ptr(), "the data pointer");
  same(watched.length == payload.get_data_length(), "the data length");
  same(watched.width == payload.get_streaming_width(), "the streaming width");
  same(watched.enables == payload.get_byte_enable_ptr(), "the byte enable pointer");
  same(watched.enable_length == payload.get_byte_enable_length(), "the byte enable length");
  same(watched.content == content_of(payload), "what a write carries, or its byte enables,");
  same(watched.managed == payload.has_mm(), "the memory manager");
}

void ProtocolChecker::check_answer(const Payload& payload, const char* call) const {
  if (payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE)
    broken(payload,
           std::string("the response status is still TLM_INCOMPLETE_RESPONSE at ") + call + "; a target sets it");
}

void ProtocolChecker::b_transport(Payload& payload, sc_core::sc_time& delay) {
  if (payload.has_mm() && payload.get_ref_count() < 1) broken(payload, "b_transport with a payload that no one holds");
  if (in_flight_.count(&payload) != 0) broken(payload, "b_transport of a transaction that is in flight");
  const Watched watched = begin(payload, blocking);
  const sc_core::sc_time before = sc_core::sc_time_stamp() + delay;
  {
    in_flight_.emplace(&payload, watched);
    // Also when an error or the end of the process unwinds the stack.
    const auto erase = [this](const Payload* ended) { in_flight_.erase(ended); };
    const std::unique_ptr<const Payload, decltype(erase)> until_return(&payload, erase);
    initiator_socket->b_transport(payload, delay);
  }
  check_payload(watched, payload, "the return of b_transport");
  check_answer(payload, "the return of b_transport");
  if (sc_core::sc_time_stamp() + delay < before)
    broken(payload, "b_transport returns an earlier time than it was called with");
  ++seen_;
}

void ProtocolChecker::end(const Payload& payload) {
  if (requesting_ == &payload) requesting_ = nullptr;
  if (responding_ == &payload) responding_ = nullptr;
  in_flight_.erase(&payload);
  ++seen_;
}

void ProtocolChecker::advance(const Payload& payload, int phase, bool from_initiator, const sc_core::sc_time& delay) {
  const char* const called = phase_names[phase];
  const sc_core::sc_time effect = sc_core::sc_time_stamp() + delay;
  if (!payload.has_mm()) return broken(payload, std::string(called) + " without a memory manager");
  if (payload.get_ref_count() < 1) return broken(payload, std::string(called) + " with a payload that no one holds");
  const bool of_initiator = phase == begin_req || phase == end_resp;
  if (of_initiator != from_initiator)
    return broken(payload, std::string(called) + " comes from the " + (from_initiator ? "initiator" : "target"));
  const auto found = in_flight_.find(&payload);
  if (phase == begin_req) {
    if (found != in_flight_.end()) return broken(payload, "BEGIN_REQ of a transaction that is in flight");
    if (requesting_ != nullptr) return broken(payload, "BEGIN_REQ before the END_REQ of the request before");
    Watched watched = begin(payload, phase);
    watched.effect = effect;
    in_flight_.emplace(&payload, watched);
    requesting_ = &payload;
    return;
  }
  if (found == in_flight_.end())
    return broken(payload, std::string(called) + " of a transaction that is not in flight");
  Watched& watched = found->second;
  const bool follows = phase == end_req      ? watched.phase == begin_req
                       : phase == begin_resp ? watched.phase == begin_req || watched.phase == end_req
                                             : watched.phase == begin_resp;
  if (!follows) return broken(payload, std::string(called) + " after " + phase_names[watched.phase]);
  if (effect < watched.effect)
    return broken(payload,
                  std::string(called) + " takes effect before the " + phase_names[watched.phase] + " before it");
  check_payload(watched, payload, called);
  if (requesting_ == &payload) requesting_ = nullptr;
  if (phase == begin_resp) {
    check_answer(payload, called);
    if (responding_ != nullptr) return broken(payload, "BEGIN_RESP before the END_RESP of the response before");
    responding_ = &payload;
  }
  watched.phase = phase;
  watched.effect = effect;
}

void ProtocolChecker::check_returned(const Payload& payload, tlm::tlm_sync_enum status, const tlm::tlm_phase& phase,
                                     int called, bool by_target, const sc_core::sc_time& delay) {
  if (status == tlm::TLM_COMPLETED) {
    const auto found = in_flight_.find(&payload);
    if (found == in_flight_.end()) return;  // already reported
    check_payload(found->second, payload, "the completion");
    check_answer(payload, "the completion");
    if (sc_core::sc_time_stamp() + delay < found->second.effect)
      broken(payload, "the completion takes effect before the phase before it");
    return end(payload);
  }
  if (status != tlm::TLM_UPDATED) return;
  if (called == end_resp) return broken(payload, "END_RESP is answered with another phase, but it is the last");
  const int next = base_phase(phase);
  if (next < 0) return;
  advance(payload, next, !by_target, delay);
  if (next == end_resp) end(payload);
}

tlm::tlm_sync_enum ProtocolChecker::nb_transport_fw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  const int called = base_phase(phase);
  if (called < 0) return initiator_socket->nb_transport_fw(payload, phase, delay);
  advance(payload, called, true, delay);
  if (called == end_resp) {
    // The payload may have been freed by the call.
    end(payload);
    const tlm::tlm_sync_enum status = initiator_socket->nb_transport_fw(payload, phase, delay);
    if (status == tlm::TLM_UPDATED) check_returned(payload, status, phase, called, true, delay);
    return status;
  }
  const tlm::tlm_sync_enum status = initiator_socket->nb_transport_fw(payload, phase, delay);
  check_returned(payload, status, phase, called, true, delay);
  return status;
}

tlm::tlm_sync_enum ProtocolChecker::nb_transport_bw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  const int called = base_phase(phase);
  if (called >= 0) advance(payload, called, false, delay);
  // The initiator may release it in the call.
  if (payload.has_mm()) payload.acquire();
  const tlm::tlm_sync_enum status = target_socket->nb_transport_bw(payload, phase, delay);
  if (called >= 0) check_returned(payload, status, phase, called, false, delay);
  if (payload.has_mm()) payload.release();
  return status;
}

unsigned ProtocolChecker::transport_dbg(Payload& payload) { return initiator_socket->transport_dbg(payload); }

bool ProtocolChecker::get_direct_mem_ptr(Payload& payload, tlm::tlm_dmi& region) {
  return initiator_socket->get_direct_mem_ptr(payload, region);
}

void ProtocolChecker::invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) {
  target_socket->invalidate_direct_mem_ptr(first, last);
}

}  // namespace starloom
