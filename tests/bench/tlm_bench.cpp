// SPDX-License-Identifier: Apache-2.0
// Transactions a CPU second in the three views: reads of 32 bytes on a 4 x 4 mesh, an initiator and a memory at every
// node.
#include <benchmark/benchmark.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <array>
#include <cstring>
#include <memory>
#include <tlm>
#include <vector>

#include <starloom/algorithms/table/make_algorithm.hpp>
#include <starloom/fabric/links/network.hpp>
#include <starloom/sockets/transaction_network.hpp>
#include "bench/child.hpp"

namespace starloom::bench {
namespace {

constexpr std::size_t nodes = 16;
constexpr std::uint64_t region = 1 << 16;  ///< bytes of a memory
constexpr unsigned bytes = 32;

/// Addresses all over the memories, the same in every run.
class Addresses {
 public:
  explicit Addresses(std::uint32_t seed) : state_(seed * 2654435761u + 1) {}
  std::uint64_t next() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return (state_ >> 40) % (nodes * region / bytes) * bytes;
  }

 private:
  std::uint64_t state_;
};

struct Memory final : sc_core::sc_module, tlm::tlm_fw_transport_if<> {
  tlm::tlm_target_socket<> socket;
  std::vector<unsigned char> content = std::vector<unsigned char>(region, 0);

  explicit Memory(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") { socket.bind(*this); }
  void access(tlm::tlm_generic_payload& payload) {
    std::memcpy(payload.get_data_ptr(), &content[payload.get_address()], payload.get_data_length());
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) override { access(payload); }
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase&, sc_core::sc_time&) override {
    access(payload);
    return tlm::TLM_COMPLETED;
  }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
  unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }
};

/// Blocking, decoupled by a quantum; or without blocking, four in progress, the next started in the response of one.
struct Initiator final : sc_core::sc_module, tlm::tlm_bw_transport_if<>, tlm::tlm_mm_interface {
  struct Payload : tlm::tlm_generic_payload {
    std::array<unsigned char, bytes> data{};
  };
  tlm::tlm_initiator_socket<> socket;

  SC_HAS_PROCESS(Initiator);
  Initiator(const sc_core::sc_module_name& name, std::uint32_t seed, std::int64_t count, bool blocks)
      : sc_module(name), socket("socket"), addresses_(seed), left_(count) {
    socket.bind(*this);
    for (Payload& payload : payloads_) {
      payload.set_mm(this);
      payload.acquire();
      payload.set_command(tlm::TLM_READ_COMMAND);
      payload.set_data_ptr(payload.data.data());
      payload.set_data_length(bytes);
      payload.set_streaming_width(bytes);
    }
    if (blocks) {
      SC_THREAD(block);
    } else {
      SC_METHOD(begin);
    }
  }
  void prepare(Payload& payload) {
    payload.set_address(addresses_.next());
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    --left_;
  }
  void block() {
    const sc_core::sc_time quantum(1, sc_core::SC_US);
    sc_core::sc_time delay;
    while (left_ > 0) {
      prepare(payloads_[0]);
      socket->b_transport(payloads_[0], delay);
      if (delay < quantum) continue;
      wait(delay);
      delay = sc_core::SC_ZERO_TIME;
    }
  }
  void begin() {
    for (Payload& payload : payloads_) make(payload);
  }
  void make(Payload& payload) {
    if (left_ == 0) return;
    prepare(payload);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay;
    socket->nb_transport_fw(payload, phase, delay);
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time&) override {
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
    // The network has finished with a payload when it releases it; another one is started meanwhile.
    waiting_.push_back(static_cast<Payload*>(&payload));
    next_.notify(sc_core::SC_ZERO_TIME);
    return tlm::TLM_COMPLETED;
  }
  void free(tlm::tlm_generic_payload*) override {}
  void again() {
    for (Payload* const payload : waiting_) make(*payload);
    waiting_.clear();
  }
  void end_of_elaboration() override {
    SC_METHOD(again);
    dont_initialize();
    sensitive << next_;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

 private:
  Addresses addresses_;
  std::int64_t left_;
  std::array<Payload, 4> payloads_;
  std::vector<Payload*> waiting_;
  sc_core::sc_event next_;
};

struct Measured {
  double seconds;
  double steps;  ///< of a transaction, by simulated time
};

Measured run(TransactionView view, std::int64_t count) {
  const bool blocks = view != TransactionView::cycle_accurate;
  const LinkNetwork mesh = link_network(Grid::mesh({4, 4}));
  links::AlgorithmContext context;
  context.network = &mesh;
  context.reply_channels = 1;
  const auto algorithm = links::make_algorithm("vc-wormhole", context, {{"channels", std::int64_t{2}}});
  TransactionNetworkOptions options;
  options.view = view;
  for (NodeId node = 0; node < static_cast<NodeId>(nodes); ++node) {
    options.initiators.push_back(node);
    options.targets.push_back({node, {static_cast<std::uint64_t>(node) * region, region}, blocks});
  }
  TransactionNetwork network("network", mesh, *algorithm, options);
  std::vector<std::unique_ptr<Initiator>> initiators;
  std::vector<std::unique_ptr<Memory>> memories;
  for (std::size_t i = 0; i < nodes; ++i) {
    initiators.push_back(std::make_unique<Initiator>(("initiator_" + std::to_string(i)).c_str(),
                                                     static_cast<std::uint32_t>(i), count / 16, blocks));
    initiators.back()->socket.bind(network.target_socket[i]);
    memories.push_back(std::make_unique<Memory>(("memory_" + std::to_string(i)).c_str()));
    network.initiator_socket[i].bind(memories.back()->socket);
  }
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  const double before = cpu_seconds();
  sc_core::sc_start();
  const double each = static_cast<double>(count) / 16 / (blocks ? 1 : 4);
  return {cpu_seconds() - before, sc_core::sc_time_stamp() / sc_core::sc_time(1, sc_core::SC_NS) / each};
}

void transactions(benchmark::State& state) {
  const auto view = static_cast<TransactionView>(state.range(0));
  const std::int64_t count = state.range(1);
  Measured best{};
  for (auto _ : state) {
    // Noise only ever adds time.
    for (int repetition = 0; repetition < 3; ++repetition) {
      const Measured one = in_child([&] { return run(view, count); });
      if (repetition == 0 || one.seconds < best.seconds) best = one;
    }
    state.SetIterationTime(best.seconds);
  }
  state.SetLabel(transaction_view_names[static_cast<std::size_t>(view)].data());
  state.counters["transactions/s"] = static_cast<double>(count) / best.seconds;
  state.counters["steps"] = best.steps;
}

BENCHMARK(transactions)
    ->Args({0, 16 * 200'000})
    ->Args({1, 16 * 100'000})
    ->Args({2, 16 * 20'000})
    ->UseManualTime()
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace starloom::bench
