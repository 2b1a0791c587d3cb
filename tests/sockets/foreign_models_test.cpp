// SPDX-License-Identifier: Apache-2.0
/// \file Initiators and targets that behave as published models do, where those differ from the textbook.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tlm_utils/multi_passthrough_target_socket.h>
#include <tlm_utils/passthrough_target_socket.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <utility>

#include <starloom/fabric/links/network.hpp>
#include "sockets/platform.hpp"
#include "support/report_text.hpp"

namespace starloom {
namespace {

using namespace tlm_parts;
using sc_core::SC_NS;

/// An extension of a design: a number, and a count of existing objects.
struct Mark final : tlm::tlm_extension<Mark> {
  static inline int living = 0;
  int number;
  explicit Mark(int its_number = 0) : number(its_number) { ++living; }
  Mark(const Mark& other) : tlm_extension<Mark>(other), number(other.number) { ++living; }
  Mark& operator=(const Mark&) = delete;
  ~Mark() override { --living; }
  tlm_extension_base* clone() const override { return new Mark(*this); }
  void copy_from(const tlm_extension_base& other) override { number = static_cast<const Mark&>(other).number; }
};

/// A processor with a thread that is killed or reset while it waits in `b_transport`. Payload and data are gone then:
/// what writes there afterwards is seen in `storage`.
class Processor final : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Processor> socket{"socket"};
  bool marks = false;     ///< payloads have an extension
  bool manages = false;   ///< and a memory manager
  double ahead_ns = 1.5;  ///< annotated to every request
  int begun = 0, completed = 0;
  sc_time ended{};

  SC_HAS_PROCESS(Processor);
  explicit Processor(const sc_core::sc_module_name& name) : sc_module(name) { SC_THREAD(run); }
  ~Processor() override {
    if (frame_ != nullptr) destroy_frame();
  }

  sc_core::sc_process_handle thread() const { return thread_; }
  /// No byte of a payload that is gone has been written since.
  bool untouched() const {
    return std::all_of(storage_.begin(), storage_.end(), [](unsigned char byte) { return byte == gone; });
  }

 private:
  static constexpr unsigned char gone = 0xdd;
  struct Frame final : tlm::tlm_mm_interface {
    Payload payload;
    Mark mark{7};
    std::array<unsigned char, 32> data{}, enables{};
    void free(Payload*) override {}
  };
  void destroy_frame() {
    Frame* const frame = std::exchange(frame_, nullptr);
    if (marks) frame->payload.clear_extension(&frame->mark);
    frame->~Frame();
    storage_.fill(gone);
  }
  /// As a stack does it.
  struct Unwound {
    Processor& processor;
    ~Unwound() { processor.destroy_frame(); }
  };

  void run() {
    thread_ = sc_core::sc_get_current_process_handle();
    ++begun;
    frame_ = new (storage_.data()) Frame;
    const Unwound unwound{*this};
    Frame& frame = *frame_;
    Payload& payload = frame.payload;
    frame.enables.fill(0xff);
    payload.set_read();
    payload.set_address(0x40);
    payload.set_data_ptr(frame.data.data());
    payload.set_data_length(32);
    payload.set_streaming_width(32);
    payload.set_byte_enable_ptr(frame.enables.data());
    payload.set_byte_enable_length(32);
    if (marks) payload.set_extension(&frame.mark);
    if (manages) {
      payload.set_mm(&frame);
      payload.acquire();
    }
    sc_time delay(ahead_ns, SC_NS);
    socket->b_transport(payload, delay);
    EXPECT_EQ(payload.get_response_status(), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(payload.get_address(), 0x40u);
    EXPECT_EQ(frame.data[31], 31);
    EXPECT_EQ(payload.get_extension<TransportRecord>(), nullptr);
    ++completed;
    ended = sc_core::sc_time_stamp();
  }

  sc_core::sc_process_handle thread_;
  Frame* frame_ = nullptr;
  alignas(Frame) std::array<unsigned char, sizeof(Frame)> storage_ = [] {
    std::array<unsigned char, sizeof(Frame)> bytes{};
    bytes.fill(gone);
    return bytes;
  }();
};

/// A processor in front of memory 0, which takes 10 ns and waits for them.
class ProcessorPlatform : public Platform {
 public:
  ProcessorPlatform(TransactionView view, const Platform::Shape& shape) : Platform(view, shape) {
    memories[0]->service = sc_time(10, SC_NS);
    memories[0]->waits = true;
    for (unsigned i = 0; i < 32; ++i) memories[0]->bytes[0x40 + i] = static_cast<unsigned char>(i);
    processor.socket.bind(network->target_socket[0]);
  }
  /// Runs, and does something with the thread of the processor at a time.
  template <class Act>
  void run_and(double at_ns, Act act, int deltas = 0) {
    sc_core::sc_spawn([=] {
      wait(sc_time(at_ns, SC_NS));
      for (int delta = 0; delta < deltas; ++delta) wait(sc_core::SC_ZERO_TIME);
      act(processor.thread());
    });
    sc_core::sc_start();
    EXPECT_EQ(network->outstanding(), 0u);
    EXPECT_TRUE(processor.untouched());
  }

  Processor processor{"processor"};
};

Platform::Shape with_processor(Style style) {
  Platform::Shape shape;
  shape.initiators = {0};
  shape.foreign_initiators = true;
  shape.style = style;
  shape.checked = true;
  return shape;
}

/// Times of everything that happens to the transaction, and of what is between.
std::vector<double> times_of_the_call() {
  std::vector<double> times;
  for (double at = 0.25; at<45; at += at> 11 && at < 32 ? 0.5 : 2.5) times.push_back(at);
  return times;
}

TEST(ForeignModels, AProcessIsKilledInACall) {
  const auto blocking = std::optional<bool>(true), phases = std::optional<bool>(false);
  for (const TransactionView view : views)
    for (const auto& [style, target_blocks] :
         {std::pair(Style::blocking, std::optional<bool>()), std::pair(Style::blocking, blocking),
          std::pair(Style::early, phases), std::pair(Style::response_returned, phases),
          std::pair(Style::response_called, phases), std::pair(Style::four_phases, phases),
          std::pair(Style::request_returned, phases)}) {
      Platform::Shape shape = with_processor(style);
      shape.target_blocks = target_blocks;
      int completed = 0;
      for (const double at : times_of_the_call()) {
        SCOPED_TRACE(at);
        const int living = Mark::living;
        {
          ProcessorPlatform platform(view, shape);
          platform.processor.marks = platform.processor.manages = true;
          platform.run_and(at, [](sc_core::sc_process_handle thread) { thread.kill(); });
          completed += platform.processor.completed;
        }
        EXPECT_EQ(Mark::living, living) << "clones of extensions are freed";
      }
      EXPECT_GT(completed, 0) << "some times are after the call";
    }
}

TEST(ForeignModels, AProcessIsKilledOrResetWhenItsResponseArrives) {
  // Asked for at 0: created in step 1, delivered in 1 + 11; served until 22; the response of 3 flits created in 23.
  constexpr double end = 23 + 11 + 2;
  for (const bool resets : {false, true}) {
    int completed = 0, ended = 0;
    for (int deltas = 0; deltas < 10; ++deltas) {
      SCOPED_TRACE(deltas);
      ProcessorPlatform platform(TransactionView::cycle_accurate, with_processor(Style::blocking));
      platform.processor.ahead_ns = 0;
      bool in_call = false;
      const auto act = [&](sc_core::sc_process_handle thread) {
        in_call = platform.processor.completed == 0;
        if (resets) thread.reset();
        else thread.kill();
      };
      platform.run_and(end, act, deltas);
      ++(in_call ? ended : completed);
      EXPECT_EQ(platform.processor.completed, resets || !in_call ? 1 : 0);
      if (resets && in_call) {
        EXPECT_EQ(platform.processor.ended, sc_time(2 * end, SC_NS))
            << "the second call waits for a response of its own";
      }
    }
    EXPECT_GT(completed, 0);
    EXPECT_GT(ended, 0);
  }
}

TEST(ForeignModels, AProcessIsResetInACallAndMakesItAgain) {
  for (const TransactionView view : views)
    for (const double at : times_of_the_call()) {
      SCOPED_TRACE(at);
      ProcessorPlatform platform(view, with_processor(Style::blocking));
      bool in_call = false;
      platform.run_and(at, [&](sc_core::sc_process_handle thread) {
        in_call = platform.processor.completed == 0;
        thread.reset();
      });
      EXPECT_EQ(platform.processor.begun, in_call ? 2 : 1);
      EXPECT_EQ(platform.processor.completed, 1);
    }
}

TEST(ForeignModels, TheSimulationEndsInACall) {
  // No stack unwinds then, but a payload that is a member of a module is destroyed with it.
  for (const TransactionView view : views)
    for (const double at : times_of_the_call()) {
      const int living = Mark::living;
      {
        ProcessorPlatform platform(view, with_processor(Style::blocking));
        platform.processor.marks = true;
        sc_core::sc_start(sc_time(at, SC_NS));
      }
      EXPECT_EQ(Mark::living, living);
    }
}

TEST(ForeignModels, AMethodThatCallsBlockingTransportIsRefusedByName) {
  Platform platform(TransactionView::cycle_accurate, {});
  Payload payload;
  Transaction asked = read(0x10, 4);
  fill(payload, asked);
  const auto call = [&] {
    sc_time delay(3, SC_NS);
    platform.initiators[1]->socket->b_transport(payload, delay);
  };
  const std::string text =
      "/starloom/interconnect: network: b_transport of initiator 1 waits in the cycle-accurate view, but it is not "
      "called by "
      "a thread; call it from an SC_THREAD, or use nb_transport_fw";
  EXPECT_EQ(report_text(call), text);
  sc_core::sc_spawn_options method;
  method.spawn_method();
  std::string of_method;
  sc_core::sc_spawn([&] { of_method = report_text(call); }, "method", &method);
  sc_core::sc_start();
  EXPECT_EQ(of_method, text);
  EXPECT_EQ(platform.network->outstanding(), 0u);
  EXPECT_EQ(payload.get_address(), 0x10u);
}

// ---- Targets with one interface, or with two that differ

/// The response and service time of all targets below.
void answer(Payload& payload) { payload.set_response_status(tlm::TLM_OK_RESPONSE); }
const auto service = [] { return sc_time(5, SC_NS); };

struct BlockingAtPassthrough final : sc_core::sc_module {
  tlm_utils::passthrough_target_socket<BlockingAtPassthrough> socket{"socket"};
  explicit BlockingAtPassthrough(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_b_transport(this, &BlockingAtPassthrough::b_transport);
  }
  void b_transport(Payload& payload, sc_time& delay) {
    answer(payload);
    delay += service();
  }
};

struct BlockingAtMulti final : sc_core::sc_module {
  tlm_utils::multi_passthrough_target_socket<BlockingAtMulti> socket{"socket"};
  explicit BlockingAtMulti(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_b_transport(this, &BlockingAtMulti::b_transport);
  }
  void b_transport(int, Payload& payload, sc_time& delay) {
    answer(payload);
    delay += service();
  }
};

struct BlockingInterface final : sc_core::sc_module, tlm::tlm_fw_transport_if<> {
  tlm::tlm_target_socket<> socket{"socket"};
  explicit BlockingInterface(const sc_core::sc_module_name& name) : sc_module(name) { socket.bind(*this); }
  void b_transport(Payload& payload, sc_time& delay) override {
    answer(payload);
    delay += service();
  }
  tlm::tlm_sync_enum nb_transport_fw(Payload&, tlm::tlm_phase&, sc_time&) override {
    SC_REPORT_ERROR("/own", "nb_transport_fw is not implemented");
    return tlm::TLM_ACCEPTED;
  }
  bool get_direct_mem_ptr(Payload&, tlm::tlm_dmi&) override { return false; }
  unsigned transport_dbg(Payload&) override { return 0; }
};

struct PhasesAtPassthrough final : sc_core::sc_module {
  tlm_utils::passthrough_target_socket<PhasesAtPassthrough> socket{"socket"};
  explicit PhasesAtPassthrough(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_nb_transport_fw(this, &PhasesAtPassthrough::nb_transport_fw);
  }
  tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase&, sc_time& delay) {
    answer(payload);
    delay += service();
    return tlm::TLM_COMPLETED;
  }
};

/// When two writes from node 0 to a target at node 15 are over.
template <class Target>
std::vector<double> ends_with(TransactionView view, std::optional<bool> target_blocks, bool blocking) {
  Platform::Shape shape;
  shape.targets = {15};
  shape.foreign_targets = true;
  shape.target_blocks = target_blocks;
  Platform platform(view, shape);
  Target target("target");
  platform.network->initiator_socket[0].bind(target.socket);
  platform.initiators[0]->blocking = blocking;
  platform.initiators[0]->transactions = {write(0, {1, 2, 3, 4}), write(0, {1, 2, 3, 4}, 200)};
  platform.run();
  std::vector<double> ends;
  for (const Transaction& one : platform.initiators[0]->transactions) {
    EXPECT_EQ(one.status, tlm::TLM_OK_RESPONSE);
    ends.push_back(one.ended / sc_time(1, SC_NS));
  }
  return ends;
}

template <class Target>
class BlockingTargets : public testing::Test {};
using TargetTypes = testing::Types<BlockingAtPassthrough, BlockingAtMulti, BlockingInterface>;
TYPED_TEST_SUITE(BlockingTargets, TargetTypes);

// From node 0 to node 15, six links: 1 + 24 steps there, 5 ns, 1 + 23 back.
const auto both_over = testing::ElementsAre(54, 254);

TYPED_TEST(BlockingTargets, AreCalledInEveryViewIfTheOptionSaysSo) {
  for (const TransactionView view : views)
    for (const bool blocking : {false, true}) EXPECT_THAT(ends_with<TypeParam>(view, true, blocking), both_over);
}

TYPED_TEST(BlockingTargets, AreFoundOutAndNamedWithTheOption) {
  for (const TransactionView view : views)
    for (const bool blocking : {false, true}) {
      const ReportedWarnings warnings;
      EXPECT_THAT(ends_with<TypeParam>(view, {}, blocking), both_over);
      if (blocking && view == TransactionView::loosely_timed) {
        EXPECT_EQ(warnings.text(), "");
        continue;
      }
      EXPECT_THAT(warnings.text(),
                  testing::StartsWith(
                      "network: the first nb_transport_fw of target 0 (target.socket) ends in an error report ("));
      EXPECT_THAT(
          warnings.text(),
          testing::HasSubstr("; its b_transport is called, here and later. Set `blocking` of the target to true"));
      const std::string text = warnings.text();
      EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1);
    }
}

TEST(ForeignModels, ATargetThatSaysItHasPhasesIsNotCalledOtherwise) {
  for (const TransactionView view : views) {
    SCOPED_TRACE(static_cast<int>(view));
    EXPECT_EQ(report_text([&] { ends_with<BlockingInterface>(view, false, true); }),
              "/own: nb_transport_fw is not implemented");
    EXPECT_THAT(ends_with<PhasesAtPassthrough>(view, false, true), both_over);
    if (view != TransactionView::loosely_timed) {
      EXPECT_THAT(ends_with<PhasesAtPassthrough>(view, {}, true), both_over);
      continue;
    }
    EXPECT_EQ(
        report_text([&] { ends_with<PhasesAtPassthrough>(view, {}, true); }),
        "/starloom/interconnect: network: b_transport of target 0 (target.socket) ends in an error report of a "
        "socket (target.socket: no blocking callback registered); set `blocking` of the target to false if it has "
        "nb_transport_fw alone");
  }
}

/// A functional `b_transport`, and the timing in its phases.
struct TimedPhases final : sc_core::sc_module {
  tlm_utils::simple_target_socket<TimedPhases> socket{"socket"};
  tlm_utils::peq_with_cb_and_phase<TimedPhases> later{"later", this, &TimedPhases::go_on};
  explicit TimedPhases(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_b_transport(this, &TimedPhases::b_transport);
    socket.register_nb_transport_fw(this, &TimedPhases::nb_transport_fw);
  }
  void b_transport(Payload& payload, sc_time&) { answer(payload); }
  tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase, sc_time& delay) {
    if (phase == tlm::BEGIN_REQ) {
      payload.acquire();
      later.notify(payload, tlm::END_REQ, delay + sc_time(10, SC_NS));
      later.notify(payload, tlm::BEGIN_RESP, delay + sc_time(100, SC_NS));
      return tlm::TLM_ACCEPTED;
    }
    payload.release();
    return tlm::TLM_COMPLETED;
  }
  void go_on(Payload& payload, const tlm::tlm_phase& due) {
    answer(payload);
    tlm::tlm_phase phase = due;
    sc_time delay;
    if (socket->nb_transport_bw(payload, phase, delay) == tlm::TLM_COMPLETED) payload.release();
  }
};

TEST(ForeignModels, TheApproximatelyTimedViewTakesThePhasesOfATargetForBlockingInitiators) {
  const auto ends = [](TransactionView view, std::optional<bool> target_blocks) {
    return ends_with<TimedPhases>(view, target_blocks, true);
  };
  const auto functional = testing::ElementsAre(49, 249), timed = testing::ElementsAre(149, 349);
  EXPECT_THAT(ends(TransactionView::cycle_accurate, {}), timed);
  EXPECT_THAT(ends(TransactionView::approximately_timed, {}), timed);
  EXPECT_THAT(ends(TransactionView::loosely_timed, {}), functional);
  EXPECT_THAT(ends(TransactionView::loosely_timed, false), timed);
  EXPECT_THAT(ends(TransactionView::approximately_timed, true), functional);
  EXPECT_THAT(ends(TransactionView::cycle_accurate, true), functional);
}

// ---- Models that ignore what calls return

/// Reacts only to END_RESP by a call.
struct DeafTarget final : sc_core::sc_module {
  tlm_utils::simple_target_socket<DeafTarget> socket{"socket"};
  explicit DeafTarget(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_nb_transport_fw(this, &DeafTarget::nb_transport_fw);
    SC_THREAD(run);
  }
  SC_HAS_PROCESS(DeafTarget);
  tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase, sc_time&) {
    if (phase == tlm::BEGIN_REQ) {
      payload.acquire();
      requests.push_back(&payload);
      asked.notify(sc_core::SC_ZERO_TIME);
      return tlm::TLM_ACCEPTED;
    }
    EXPECT_EQ(phase, tlm::END_RESP);
    ended.notify(sc_core::SC_ZERO_TIME);
    return tlm::TLM_COMPLETED;
  }
  void run() {
    for (;;) {
      while (requests.empty()) wait(asked);
      Payload& payload = *requests.front();
      requests.pop_front();
      call(payload, tlm::END_REQ);
      wait(sc_time(5, SC_NS));
      answer(payload);
      call(payload, tlm::BEGIN_RESP);
      wait(ended);
      payload.release();
    }
  }
  void call(Payload& payload, tlm::tlm_phase phase) {
    sc_time delay;
    socket->nb_transport_bw(payload, phase, delay);
  }
  std::deque<Payload*> requests;
  sc_core::sc_event asked, ended;
};

/// Reacts only to END_REQ and to the response by calls.
struct DeafInitiator final : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<DeafInitiator> socket{"socket"};
  std::deque<Transaction> transactions;
  bool ends_responses = true;
  explicit DeafInitiator(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_nb_transport_bw(this, &DeafInitiator::nb_transport_bw);
    SC_THREAD(run);
  }
  SC_HAS_PROCESS(DeafInitiator);
  void run() {
    for (Transaction& transaction : transactions) {
      Payload& payload = pool.take();
      payload.acquire();
      fill(payload, transaction);
      call(payload, tlm::BEGIN_REQ);
      wait(request_over);
      wait(responded);
      transaction.status = payload.get_response_status();
      transaction.over = true;
      if (ends_responses) call(payload, tlm::END_RESP);
      payload.release();
    }
  }
  void call(Payload& payload, tlm::tlm_phase phase) {
    sc_time delay(0.5, SC_NS);
    socket->nb_transport_fw(payload, phase, delay);
  }
  tlm::tlm_sync_enum nb_transport_bw(Payload&, tlm::tlm_phase& phase, sc_time&) {
    (phase == tlm::END_REQ ? request_over : responded).notify(sc_core::SC_ZERO_TIME);
    return tlm::TLM_ACCEPTED;
  }
  Pool pool;
  sc_core::sc_event request_over, responded;
};

struct DeafPlatform : Platform {
  DeafPlatform(TransactionView view, bool explicit_phases, Step patience = 1'000'000)
      : Platform(view, shape_of(explicit_phases, patience)) {
    initiator.socket.bind(network->target_socket[0]);
    network->initiator_socket[0].bind(target.socket);
    for (unsigned char k = 0; k < 200; ++k) initiator.transactions.push_back(write(0, {k, k}));
  }
  static Shape shape_of(bool explicit_phases, Step patience) {
    Shape shape;
    shape.initiators = {0};
    shape.targets = {15};
    shape.foreign_initiators = shape.foreign_targets = true;
    shape.explicit_initiators = shape.explicit_targets = explicit_phases;
    shape.patience = patience;
    return shape;
  }
  std::size_t completed() const {
    return static_cast<std::size_t>(std::count_if(initiator.transactions.begin(), initiator.transactions.end(),
                                                  [](const Transaction& one) { return one.over; }));
  }
  DeafInitiator initiator{"initiator"};
  DeafTarget target{"target"};
};

TEST(ForeignModels, ExplicitPhasesServeModelsThatIgnoreWhatCallsReturn) {
  for (const TransactionView view : views) {
    DeafPlatform platform(view, true);
    platform.initiator.transactions[100].address = 5 * region;
    sc_core::sc_start();
    EXPECT_EQ(platform.completed(), 200u);
    EXPECT_EQ(platform.initiator.transactions[99].status, tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(platform.initiator.transactions[100].status, tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(platform.network->outstanding(), 0u);
    EXPECT_TRUE(platform.initiator.pool.whole());
  }
}

TEST(ForeignModels, AnInitiatorThatIgnoresWhatCallsReturnIsReportedWithTheOption) {
  for (const TransactionView view : views) {
    DeafPlatform platform(view, false, 500);
    EXPECT_EQ(
        report_text([] { sc_core::sc_start(); }),
        "/starloom/interconnect: transaction 0, a write of 2 bytes at 0x0 by initiator 0, waits for the END_RESP of a "
        "response for 500 steps; does the initiator send it, or is `patience` too short? An initiator that ignores "
        "what "
        "nb_transport_fw returns needs `explicit_initiator_phases`");
    EXPECT_EQ(platform.completed(), 0u);
  }
}

TEST(ForeignModels, AnInitiatorThatNeverEndsAResponseIsReported) {
  for (const TransactionView view : views) {
    DeafPlatform platform(view, true, 500);
    platform.initiator.ends_responses = false;
    EXPECT_EQ(
        report_text([] { sc_core::sc_start(); }),
        "/starloom/interconnect: transaction 0, a write of 2 bytes at 0x0 by initiator 0, waits for the END_RESP of a "
        "response for 500 steps; does the initiator send it, or is `patience` too short?");
  }
}

TEST(ForeignModels, ATargetThatWaitsForACallIsReportedWithTheOption) {
  Platform::Shape shape;
  shape.targets = {15};
  shape.foreign_targets = true;
  shape.patience = 500;
  Platform platform(TransactionView::cycle_accurate, shape);
  DeafTarget target("target");
  platform.network->initiator_socket[0].bind(target.socket);
  platform.initiators[0]->transactions = {write(0, {1}), write(1, {2})};
  EXPECT_EQ(report_text([] { sc_core::sc_start(); }),
            "/starloom/interconnect: transaction 1, a write of 1 bytes at 0x1 by initiator 0, has had no response from "
            "target 0 "
            "for 500 steps; does the target answer it, or is `patience` too short? A target that ignores what "
            "nb_transport_bw returns needs `explicit_target_phases`");
}

}  // namespace
}  // namespace starloom
