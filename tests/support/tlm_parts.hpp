// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Initiators and memories of the base protocol that use every legal variant of it.
#include <gtest/gtest.h>
#include <tlm_utils/peq_with_cb_and_phase.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <systemc>
#include <tlm>
#include <vector>

namespace starloom::tlm_parts {

using sc_core::sc_time;
using Payload = tlm::tlm_generic_payload;

/// The request of a transaction, and its result.
struct Transaction {
  tlm::tlm_command command = tlm::TLM_READ_COMMAND;
  std::uint64_t address = 0;
  std::vector<unsigned char> data;     ///< written, or what the buffer holds before it is read
  std::vector<unsigned char> enables;  ///< empty: none
  unsigned width = 0;                  ///< 0: as long as the data
  sc_time at{};                        ///< when it is made, at the earliest
  // Afterwards.
  sc_time begun{}, ended{};
  tlm::tlm_response_status status = tlm::TLM_INCOMPLETE_RESPONSE;
  bool over = false;
};

/// Payloads with a memory manager.
class Pool final : public tlm::tlm_mm_interface {
 public:
  Payload& take() {
    if (idle_.empty()) {
      all_.push_back(std::make_unique<Payload>(this));
      idle_.push_back(all_.back().get());
    }
    Payload& payload = *idle_.back();
    idle_.pop_back();
    return payload;
  }
  void free(Payload* payload) override {
    payload->reset();
    idle_.push_back(payload);
  }
  /// Every payload has come back.
  bool whole() const { return idle_.size() == all_.size(); }

 private:
  std::vector<std::unique_ptr<Payload>> all_;
  std::vector<Payload*> idle_;
};

inline void fill(Payload& payload, Transaction& transaction) {
  const auto length = static_cast<unsigned>(transaction.data.size());
  payload.set_command(transaction.command);
  payload.set_address(transaction.address);
  payload.set_data_ptr(transaction.data.data());
  payload.set_data_length(length);
  payload.set_streaming_width(transaction.width == 0 ? length : transaction.width);
  payload.set_byte_enable_ptr(transaction.enables.empty() ? nullptr : transaction.enables.data());
  payload.set_byte_enable_length(static_cast<unsigned>(transaction.enables.size()));
  payload.set_dmi_allowed(false);
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
}

/// Starts its transactions in order, by blocking calls one after the other, or without blocking, `most` of them in
/// progress. `seed` 0: every response is over immediately and only `ahead` is annotated; else legal variants are
/// chosen at random.
class Initiator final : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Initiator> socket;
  std::deque<Transaction> transactions;
  std::size_t most = 4;
  bool blocking = false;
  sc_time ahead{};  ///< annotated to every request
  sc_time step = sc_time(1, sc_core::SC_NS);
  std::function<void(Transaction&, Payload&)> heard = [](Transaction&, Payload&) {};
  std::function<void(Transaction&, Payload&)> spoil = [](Transaction&, Payload&) {};  ///< before it is sent

  SC_HAS_PROCESS(Initiator);
  explicit Initiator(const sc_core::sc_module_name& name, unsigned seed = 0)
      : sc_module(name), socket("socket"), seed_(seed), draws_(seed), later_("later", this, &Initiator::end_later) {
    socket.register_nb_transport_bw(this, &Initiator::nb_transport_bw);
    SC_THREAD(run);
  }
  bool done() const {
    for (const Transaction& transaction : transactions)
      if (!transaction.over) return false;
    return pool_.whole() && in_flight_.empty();
  }

 private:
  unsigned draw(unsigned below) { return seed_ == 0 ? 0 : static_cast<unsigned>(draws_() % below); }

  void run() {
    for (Transaction& transaction : transactions) {
      if (transaction.at > sc_core::sc_time_stamp()) wait(transaction.at - sc_core::sc_time_stamp());
      if (blocking) call(transaction);
      else make(transaction);
    }
  }
  void call(Transaction& transaction) {
    Payload payload;
    fill(payload, transaction);
    spoil(transaction, payload);
    sc_time delay = ahead + draw(3) * 0.7 * step;
    transaction.begun = sc_core::sc_time_stamp() + delay;
    socket->b_transport(payload, delay);
    if (draw(2) == 0) {
      wait(delay);
      delay = sc_core::SC_ZERO_TIME;
    }
    transaction.ended = sc_core::sc_time_stamp() + delay;
    finish(transaction, payload);
    wait(delay);
  }
  void make(Transaction& transaction) {
    while (in_flight_.size() >= most) wait(freed_);
    Payload& payload = pool_.take();
    payload.acquire();
    fill(payload, transaction);
    spoil(transaction, payload);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_time delay = ahead + draw(3) * 0.7 * step;
    transaction.begun = sc_core::sc_time_stamp() + delay;
    in_flight_[&payload] = &transaction;
    request_ = &payload;
    const sc_time annotated = delay;
    switch (socket->nb_transport_fw(payload, phase, delay)) {
      case tlm::TLM_COMPLETED:
        request_ = nullptr;
        finish(transaction, payload);
        release(payload);
        break;
      case tlm::TLM_UPDATED:
        ASSERT_EQ(phase, tlm::END_REQ);
        ASSERT_GE(delay, annotated);
        wait(delay);
        request_ = nullptr;
        break;
      case tlm::TLM_ACCEPTED:
        while (request_ != nullptr) wait(request_over_);
        break;
    }
  }
  tlm::tlm_sync_enum nb_transport_bw(Payload& payload, tlm::tlm_phase& phase, sc_time& delay) {
    EXPECT_EQ(in_flight_.count(&payload), 1u);
    if (request_ == &payload) {
      request_ = nullptr;
      request_over_.notify(delay);
    }
    if (phase == tlm::END_REQ) return tlm::TLM_ACCEPTED;
    EXPECT_EQ(phase, tlm::BEGIN_RESP);
    EXPECT_EQ(response_, nullptr) << "a response before the END_RESP of the one before";
    finish(*in_flight_[&payload], payload);
    switch (draw(3)) {
      case 0: release(payload); return tlm::TLM_COMPLETED;
      case 1:
        release(payload);
        phase = tlm::END_RESP;
        delay += draw(3) * step;
        return tlm::TLM_UPDATED;
      default:
        response_ = &payload;
        later_.notify(payload, tlm::END_RESP, delay + draw(4) * step);
        return tlm::TLM_ACCEPTED;
    }
  }
  void end_later(Payload& payload, const tlm::tlm_phase&) {
    tlm::tlm_phase phase = tlm::END_RESP;
    sc_time delay = sc_core::SC_ZERO_TIME;
    response_ = nullptr;
    EXPECT_EQ(socket->nb_transport_fw(payload, phase, delay), tlm::TLM_COMPLETED);
    release(payload);
  }
  void finish(Transaction& transaction, Payload& payload) {
    if (!blocking) transaction.ended = sc_core::sc_time_stamp();
    transaction.status = payload.get_response_status();
    transaction.over = true;
    heard(transaction, payload);
  }
  void release(Payload& payload) {
    in_flight_.erase(&payload);
    payload.release();
    freed_.notify(sc_core::SC_ZERO_TIME);
  }

  const unsigned seed_;
  std::mt19937 draws_;
  Pool pool_;
  std::map<Payload*, Transaction*> in_flight_;
  Payload* request_ = nullptr;
  Payload* response_ = nullptr;
  sc_core::sc_event request_over_, freed_;
  tlm_utils::peq_with_cb_and_phase<Initiator> later_;
};

/// A memory that is written and read when a request begins. `style`: it blocks, or uses one of the legal variants of
/// the phases, or (any) chooses one at random.
enum class Style { blocking, early, response_returned, response_called, four_phases, request_returned, any };
inline constexpr Style styles[] = {
    Style::blocking,         Style::early, Style::response_returned, Style::response_called, Style::four_phases,
    Style::request_returned, Style::any};

class Memory final : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<Memory> socket;
  std::vector<unsigned char> bytes;
  sc_time service{};                          ///< from request to response
  sc_time step = sc_time(1, sc_core::SC_NS);  ///< unit of random delays
  bool answers = true;
  bool waits = false;   ///< in b_transport, for as long as it serves
  bool grants = false;  ///< direct access
  std::function<void(Payload&)> heard = [](Payload&) {};

  Memory(const sc_core::sc_module_name& name, std::size_t size, Style style = Style::blocking, unsigned seed = 0)
      : sc_module(name),
        socket("socket"),
        bytes(size, 0),
        style_(style),
        seed_(seed),
        draws_(seed),
        later_("later", this, &Memory::go_on) {
    if (style == Style::blocking) socket.register_b_transport(this, &Memory::b_transport);
    else socket.register_nb_transport_fw(this, &Memory::nb_transport_fw);
    socket.register_transport_dbg(this, &Memory::transport_dbg);
    socket.register_get_direct_mem_ptr(this, &Memory::get_direct_mem_ptr);
  }

 private:
  unsigned draw(unsigned below) { return seed_ == 0 ? 0 : static_cast<unsigned>(draws_() % below); }
  sc_time served() { return service + draw(20) * 0.3 * step; }

  void access(Payload& payload) {
    heard(payload);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    payload.set_dmi_allowed(grants);
    const unsigned char* const enables = payload.get_byte_enable_ptr();
    for (unsigned i = 0; i < payload.get_data_length(); ++i) {
      if (enables != nullptr && enables[i % payload.get_byte_enable_length()] == 0) continue;
      unsigned char& byte = bytes.at(payload.get_address() + i % payload.get_streaming_width());
      if (payload.is_read()) payload.get_data_ptr()[i] = byte;
      if (payload.is_write()) byte = payload.get_data_ptr()[i];
    }
  }
  void b_transport(Payload& payload, sc_time& delay) {
    access(payload);
    if (draw(2) == 1) {
      wait(delay);
      delay = sc_core::SC_ZERO_TIME;
    }
    if (!answers) wait(never_);
    delay += served();
    if (!waits) return;
    wait(delay);
    delay = sc_core::SC_ZERO_TIME;
  }
  tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase, sc_time& delay) {
    if (phase == tlm::END_RESP) {
      EXPECT_EQ(&payload, response_);
      response_ = nullptr;
      payload.release();
      return tlm::TLM_COMPLETED;
    }
    EXPECT_EQ(phase, tlm::BEGIN_REQ);
    EXPECT_EQ(request_, nullptr) << "a request before the END_REQ of the one before";
    EXPECT_TRUE(payload.has_mm());
    EXPECT_GE(payload.get_ref_count(), 1);
    access(payload);
    Style style = style_ == Style::any ? styles[1 + draw(5)] : style_;
    if (style == Style::response_returned && response_ != nullptr) style = Style::four_phases;
    if (!answers) style = Style::four_phases;
    switch (style) {
      case Style::early: delay += served(); return tlm::TLM_COMPLETED;
      case Style::response_returned:
        payload.acquire();
        response_ = &payload;
        phase = tlm::BEGIN_RESP;
        delay += served();
        return tlm::TLM_UPDATED;
      case Style::response_called:
        payload.acquire();
        request_ = &payload;
        later_.notify(payload, tlm::BEGIN_RESP, delay + served());
        return tlm::TLM_ACCEPTED;
      case Style::request_returned:
        payload.acquire();
        phase = tlm::END_REQ;
        delay += draw(4) * step;
        if (answers) later_.notify(payload, tlm::BEGIN_RESP, delay + served());
        return tlm::TLM_UPDATED;
      default:
        payload.acquire();
        request_ = &payload;
        later_.notify(payload, tlm::END_REQ, delay + draw(4) * step);
        return tlm::TLM_ACCEPTED;
    }
  }
  void go_on(Payload& payload, const tlm::tlm_phase& due) {
    sc_time delay = sc_core::SC_ZERO_TIME;
    tlm::tlm_phase phase = due;
    if (request_ == &payload) request_ = nullptr;
    if (due == tlm::END_REQ) {
      EXPECT_EQ(socket->nb_transport_bw(payload, phase, delay), tlm::TLM_ACCEPTED);
      // Not in the same instant: where the socket makes these calls of b_transport (SystemC 2.3.4), it would take the
      // response for the END_REQ of the next request, too.
      if (answers) later_.notify(payload, tlm::BEGIN_RESP, served() + 0.1 * step);
      return;
    }
    if (response_ != nullptr) return later_.notify(payload, due, step);  // that one has to end before
    switch (socket->nb_transport_bw(payload, phase, delay)) {
      case tlm::TLM_ACCEPTED: response_ = &payload; break;
      case tlm::TLM_UPDATED: EXPECT_EQ(phase, tlm::END_RESP); [[fallthrough]];
      case tlm::TLM_COMPLETED: payload.release();
    }
  }
  unsigned transport_dbg(Payload& payload) {
    access(payload);
    return payload.get_data_length();
  }
  bool get_direct_mem_ptr(Payload&, tlm::tlm_dmi& region) {
    region.set_dmi_ptr(bytes.data());
    region.set_start_address(0);
    region.set_end_address(bytes.size() - 1);
    if (grants) region.allow_read_write();
    return grants;
  }

  const Style style_;
  const unsigned seed_;
  std::mt19937 draws_;
  Payload* request_ = nullptr;
  Payload* response_ = nullptr;
  sc_core::sc_event never_;
  tlm_utils::peq_with_cb_and_phase<Memory> later_;
};

}  // namespace starloom::tlm_parts
