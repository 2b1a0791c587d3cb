// SPDX-License-Identifier: Apache-2.0
/// \file Initiators and targets that behave as published models do, where those differ from the textbook.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <new>

#include <starloom/fabric/links/network.hpp>
#include "sockets/platform.hpp"
#include "support/report_text.hpp"

namespace starloom {
namespace {

using namespace tlm_parts;
using sc_core::SC_NS;

/// An extension of a design: a number, and how many of them exist.
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

/// A processor with a thread that is killed or reset while it waits in `b_transport`. Payload and data are gone then: what
/// writes there afterwards is seen in `storage`.
class Processor final : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Processor> socket{"socket"};
  bool marks = false;    ///< payloads have an extension
  bool manages = false;  ///< and a memory manager
  int begun = 0, completed = 0;

  SC_HAS_PROCESS(Processor);
  explicit Processor(const sc_core::sc_module_name& name) : sc_module(name) { SC_THREAD(run); }

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
  /// As a stack does it.
  struct Unwound {
    Processor& processor;
    Frame* frame;
    ~Unwound() {
      if (processor.marks) frame->payload.clear_extension(&frame->mark);
      frame->~Frame();
      processor.storage_.fill(gone);
    }
  };

  void run() {
    thread_ = sc_core::sc_get_current_process_handle();
    ++begun;
    const Unwound unwound{*this, new (storage_.data()) Frame};
    Frame& frame = *unwound.frame;
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
    sc_time delay(1.5, SC_NS);
    socket->b_transport(payload, delay);
    EXPECT_EQ(payload.get_response_status(), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(payload.get_address(), 0x40u);
    EXPECT_EQ(frame.data[31], 31);
    EXPECT_EQ(payload.get_extension<TransportRecord>(), nullptr);
    ++completed;
  }

  sc_core::sc_process_handle thread_;
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
  for (const TransactionView view : views)
    for (const Style style : tlm_parts::styles) {
      if (view != TransactionView::cycle_accurate && style != Style::blocking) continue;
      int completed = 0;
      for (const double at : times_of_the_call()) {
        SCOPED_TRACE(at);
        const int living = Mark::living;
        {
          ProcessorPlatform platform(view, with_processor(style));
          platform.processor.marks = platform.processor.manages = true;
          platform.run_and(at, [](sc_core::sc_process_handle thread) { thread.kill(); });
          completed += platform.processor.completed;
        }
        EXPECT_EQ(Mark::living, living) << "clones of extensions are freed";
      }
      EXPECT_GT(completed, 0) << "some times are after the call";
    }
}

TEST(ForeignModels, AProcessIsKilledWhenItsResponseArrives) {
  // Asked for at 1.5: created in step 2, delivered in 2 + 11; served until 23; the response of 3 flits created in 24.
  constexpr double end = 24 + 11 + 2;
  int completed = 0, killed = 0;
  for (int deltas = 0; deltas < 10; ++deltas) {
    ProcessorPlatform platform(TransactionView::cycle_accurate, with_processor(Style::blocking));
    platform.run_and(
        end, [](sc_core::sc_process_handle thread) { thread.kill(); }, deltas);
    ++(platform.processor.completed == 1 ? completed : killed);
  }
  EXPECT_GT(completed, 0);
  EXPECT_GT(killed, 0);
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
  // No stack unwinds then.
  for (const TransactionView view : views)
    for (const double at : times_of_the_call()) {
      const int living = Mark::living;
      {
        ProcessorPlatform platform(view, with_processor(Style::blocking));
        platform.processor.marks = true;
        sc_core::sc_start(sc_time(at, SC_NS));
      }
      EXPECT_LE(Mark::living, living + 1);
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

}  // namespace
}  // namespace starloom
