// SPDX-License-Identifier: Apache-2.0
/// \file Every rule of the base protocol, broken once, on either side of the checker.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

#include <starloom/sockets/protocol_checker.hpp>
#include "support/fresh_context.hpp"
#include "support/report_text.hpp"
#include "support/tlm_parts.hpp"

namespace starloom {
namespace {

using testing::HasSubstr;
using tlm_parts::Payload;

/// A call as its answer: what the other side returns, and what it does to the payload.
struct Answer {
  tlm::tlm_sync_enum status = tlm::TLM_ACCEPTED;
  tlm::tlm_phase phase = tlm::UNINITIALIZED_PHASE;
  double delay_ns = 0;
  std::function<void(Payload&)> act = [](Payload&) {};

  tlm::tlm_sync_enum give(Payload& payload, tlm::tlm_phase& to, sc_core::sc_time& delay) const {
    act(payload);
    if (phase != tlm::UNINITIALIZED_PHASE) to = phase;
    delay = sc_core::sc_time(delay_ns, sc_core::SC_NS);
    return status;
  }
};

struct HandInitiator final : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<HandInitiator> socket{"socket"};
  Answer answer;
  explicit HandInitiator(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_nb_transport_bw(this, &HandInitiator::nb_transport_bw);
  }
  tlm::tlm_sync_enum nb_transport_bw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    return answer.give(payload, phase, delay);
  }
};

struct HandTarget final : sc_core::sc_module {
  tlm_utils::simple_target_socket<HandTarget> socket{"socket"};
  Answer answer;
  explicit HandTarget(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_nb_transport_fw(this, &HandTarget::nb_transport_fw);
    socket.register_b_transport(this, &HandTarget::b_transport);
  }
  tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    return answer.give(payload, phase, delay);
  }
  void b_transport(Payload& payload, sc_core::sc_time& delay) {
    tlm::tlm_phase phase;
    answer.give(payload, phase, delay);
  }
};

class Protocol : public testing::Test {
 protected:
  Protocol() {
    initiator.socket.bind(checker.target_socket);
    checker.initiator_socket.bind(target.socket);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  Payload& request(tlm::tlm_command command = tlm::TLM_READ_COMMAND) {
    asked.emplace_back();
    asked.back().command = command;
    asked.back().data.assign(8, 1);
    asked.back().address = 0x40;
    asked.back().enables.assign(4, 0xff);
    Payload& payload = pool.take();
    payload.acquire();
    tlm_parts::fill(payload, asked.back());
    return payload;
  }
  std::string forward(Payload& payload, tlm::tlm_phase phase, double delay_ns = 0) {
    sc_core::sc_time delay(delay_ns, sc_core::SC_NS);
    return report_of([&] { initiator.socket->nb_transport_fw(payload, phase, delay); });
  }
  std::string backward(Payload& payload, tlm::tlm_phase phase, double delay_ns = 0) {
    sc_core::sc_time delay(delay_ns, sc_core::SC_NS);
    return report_of([&] { target.socket->nb_transport_bw(payload, phase, delay); });
  }
  std::string block(Payload& payload, double delay_ns = 0) {
    sc_core::sc_time delay(delay_ns, sc_core::SC_NS);
    return report_of([&] { initiator.socket->b_transport(payload, delay); });
  }
  static void succeed(Payload& payload) { payload.set_response_status(tlm::TLM_OK_RESPONSE); }

  const bool fresh = (fresh_context(), true);
  sc_core::sc_clock clock{"clock"};  // something has to happen in a simulation
  std::deque<tlm_parts::Transaction> asked;
  tlm_parts::Pool pool;
  HandInitiator initiator{"initiator"};
  HandTarget target{"target"};
  ProtocolChecker checker{"checker"};

 private:
  template <class Call>
  static std::string report_of(Call&& call) {
    const std::string text = report_text(call);
    const std::string front = "/starloom/protocol: checker: ";
    return text.compare(0, front.size(), front) == 0 ? text.substr(front.size()) : text;
  }
};

class ProtocolEnds : public Protocol, public testing::WithParamInterface<tlm::tlm_sync_enum> {};
INSTANTIATE_TEST_SUITE_P(Answers, ProtocolEnds, testing::Values(tlm::TLM_ACCEPTED, tlm::TLM_COMPLETED));
TEST_P(ProtocolEnds, FourPhasesAreFine) {
  Payload& payload = request();
  EXPECT_EQ(forward(payload, tlm::BEGIN_REQ, 3), "");
  EXPECT_EQ(backward(payload, tlm::END_REQ, 4), "");
  succeed(payload);
  EXPECT_EQ(backward(payload, tlm::BEGIN_RESP, 5), "");
  // A target may accept END_RESP, to act on it later, or call the transaction complete.
  target.answer.status = GetParam();
  EXPECT_EQ(forward(payload, tlm::END_RESP, 5), "");
  EXPECT_EQ(checker.seen(), 1);
}

TEST_F(Protocol, ShortcutsAreFine) {
  target.answer = {tlm::TLM_COMPLETED, tlm::UNINITIALIZED_PHASE, 9, succeed};
  EXPECT_EQ(forward(request(), tlm::BEGIN_REQ, 3), "");
  target.answer = {tlm::TLM_UPDATED, tlm::BEGIN_RESP, 9, succeed};
  Payload& payload = request();
  EXPECT_EQ(forward(payload, tlm::BEGIN_REQ), "");
  target.answer = {tlm::TLM_COMPLETED};
  EXPECT_EQ(forward(payload, tlm::END_RESP, 9), "");
  target.answer = {tlm::TLM_UPDATED, tlm::END_REQ};
  Payload& other = request();
  EXPECT_EQ(forward(other, tlm::BEGIN_REQ), "");
  succeed(other);
  initiator.answer = {tlm::TLM_UPDATED, tlm::END_RESP, 1};
  EXPECT_EQ(backward(other, tlm::BEGIN_RESP), "");
  EXPECT_EQ(checker.seen(), 3);
}

TEST_F(Protocol, PhasesOutOfOrder) {
  Payload& payload = request();
  EXPECT_EQ(forward(payload, tlm::END_RESP),
            "read of 8 bytes at 0x40: END_RESP of a transaction that is not in flight");
  EXPECT_EQ(forward(payload, tlm::BEGIN_REQ), "");
  EXPECT_THAT(forward(payload, tlm::BEGIN_REQ), HasSubstr("BEGIN_REQ of a transaction that is in flight"));
  EXPECT_THAT(forward(payload, tlm::END_RESP), HasSubstr("END_RESP after BEGIN_REQ"));
  EXPECT_THAT(forward(payload, tlm::BEGIN_RESP), HasSubstr("BEGIN_RESP comes from the initiator"));
  EXPECT_THAT(backward(payload, tlm::END_RESP), HasSubstr("END_RESP comes from the target"));
  EXPECT_EQ(backward(payload, tlm::END_REQ), "");
  EXPECT_THAT(backward(payload, tlm::END_REQ), HasSubstr("END_REQ after END_REQ"));
  succeed(payload);
  EXPECT_EQ(backward(payload, tlm::BEGIN_RESP), "");
  EXPECT_THAT(backward(payload, tlm::END_REQ), HasSubstr("END_REQ after BEGIN_RESP"));
  target.answer = {tlm::TLM_UPDATED, tlm::BEGIN_RESP};
  EXPECT_THAT(forward(payload, tlm::END_RESP), HasSubstr("END_RESP is answered with another phase"));
  EXPECT_THAT(backward(payload, tlm::BEGIN_RESP), HasSubstr("BEGIN_RESP of a transaction that is not in flight"));
}

TEST_F(Protocol, Exclusion) {
  Payload &one = request(), &other = request();
  EXPECT_EQ(forward(one, tlm::BEGIN_REQ), "");
  EXPECT_THAT(forward(other, tlm::BEGIN_REQ), HasSubstr("BEGIN_REQ before the END_REQ of the request before"));
  EXPECT_EQ(backward(one, tlm::END_REQ), "");
  EXPECT_EQ(forward(other, tlm::BEGIN_REQ), "");
  succeed(one), succeed(other);
  EXPECT_EQ(backward(one, tlm::BEGIN_RESP), "");
  EXPECT_THAT(backward(other, tlm::BEGIN_RESP), HasSubstr("BEGIN_RESP before the END_RESP of the response before"));
}

TEST_F(Protocol, TimingAnnotation) {
  Payload& payload = request();
  EXPECT_EQ(forward(payload, tlm::BEGIN_REQ, 5), "");
  EXPECT_THAT(backward(payload, tlm::END_REQ, 4), HasSubstr("END_REQ takes effect before the BEGIN_REQ before it"));
  target.answer = {tlm::TLM_COMPLETED, tlm::UNINITIALIZED_PHASE, 4, succeed};
  EXPECT_EQ(backward(payload, tlm::END_REQ, 5), "");
  EXPECT_THAT(forward(request(), tlm::BEGIN_REQ, 5),
              HasSubstr("the completion takes effect before the phase before it"));
  target.answer.delay_ns = 1;
  EXPECT_THAT(block(request(), 2), HasSubstr("b_transport returns an earlier time than it was called with"));
}

TEST_F(Protocol, MemoryManagement) {
  Payload bare;
  bare.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  EXPECT_THAT(forward(bare, tlm::BEGIN_REQ), HasSubstr("BEGIN_REQ without a memory manager"));
  Payload& unheld = pool.take();
  EXPECT_THAT(forward(unheld, tlm::BEGIN_REQ), HasSubstr("BEGIN_REQ with a payload that no one holds"));
  EXPECT_THAT(block(unheld), HasSubstr("b_transport with a payload that no one holds"));
  target.answer.act = [this](Payload& payload) {
    succeed(payload);
    payload.set_mm(&pool);
  };
  EXPECT_THAT(block(bare), HasSubstr("the memory manager changed before the return of b_transport"));
}

TEST_F(Protocol, ATransactionIsUnderWayOnce) {
  Payload& payload = request();
  EXPECT_EQ(forward(payload, tlm::BEGIN_REQ), "");
  EXPECT_THAT(block(payload), HasSubstr("b_transport of a transaction that is in flight"));
  std::string text;
  bool inside = false;
  target.answer.act = [&](Payload& blocked) {
    succeed(blocked);
    if (!std::exchange(inside, true)) text = forward(blocked, tlm::BEGIN_REQ);
  };
  EXPECT_EQ(block(request()), "");
  EXPECT_THAT(text, HasSubstr("BEGIN_REQ of a transaction that is in flight"));
}

TEST_F(Protocol, ThePayloadStaysAsItWas) {
  const std::pair<std::function<void(Payload&)>, const char*> changes[] = {
      {[](Payload& p) { p.set_command(tlm::TLM_IGNORE_COMMAND); }, "the command changed"},
      {[](Payload& p) { p.set_data_ptr(p.get_data_ptr() + 1); }, "the data pointer changed"},
      {[](Payload& p) { p.set_data_length(4); }, "the data length changed"},
      {[](Payload& p) { p.set_streaming_width(4); }, "the streaming width changed"},
      {[](Payload& p) { p.set_byte_enable_ptr(nullptr); }, "the byte enable pointer changed"},
      {[](Payload& p) { p.set_byte_enable_length(2); }, "the byte enable length changed"},
      {[](Payload& p) { ++p.get_data_ptr()[7]; }, "what a write carries, or its byte enables, changed"},
      {[](Payload& p) { p.get_byte_enable_ptr()[0] = 0; }, "what a write carries, or its byte enables, changed"}};
  for (const auto& [change, text] : changes) {
    const auto spoil = [change = change](Payload& payload) {
      succeed(payload);
      change(payload);
    };
    target.answer.act = spoil;
    EXPECT_THAT(block(request(tlm::TLM_WRITE_COMMAND)), HasSubstr(text));
    target.answer = {tlm::TLM_UPDATED, tlm::END_REQ};
    Payload& payload = request(tlm::TLM_WRITE_COMMAND);
    EXPECT_EQ(forward(payload, tlm::BEGIN_REQ), "");
    spoil(payload);
    EXPECT_THAT(backward(payload, tlm::BEGIN_RESP), HasSubstr(text));
  }
}

TEST_F(Protocol, AReadMayChangeItsData) {
  target.answer.act = [](Payload& payload) {
    ++payload.get_data_ptr()[3];
    succeed(payload);
  };
  EXPECT_EQ(block(request()), "");
}

TEST_F(Protocol, StatusAndHint) {
  EXPECT_THAT(block(request()), HasSubstr("the response status is still TLM_INCOMPLETE_RESPONSE at the return"));
  Payload& stale = request();
  succeed(stale);
  EXPECT_THAT(block(stale), HasSubstr("but an initiator sets TLM_INCOMPLETE_RESPONSE"));
  Payload& hinted = request();
  hinted.set_dmi_allowed(true);
  EXPECT_THAT(forward(hinted, tlm::BEGIN_REQ), HasSubstr("the DMI hint is set in BEGIN_REQ"));
}

}  // namespace
}  // namespace starloom
