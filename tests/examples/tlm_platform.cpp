// SPDX-License-Identifier: Apache-2.0
/// \file A virtual platform: two initiators and two memories on a 4 x 4 mesh, cycle by cycle, with waves of all that
/// crosses the network. docs/tlm.md walks through it.
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <systemc>
#include <tlm>

#include <starloom/control/links/make_algorithm.hpp>
#include <starloom/fabric/links/network.hpp>
#include <starloom/router/vc_wormhole.hpp>
#include <starloom/sockets/protocol_checker.hpp>
#include <starloom/sockets/transaction_network.hpp>
#include <starloom/waveforms/links/link_waves.hpp>

namespace {

using sc_core::SC_NS;
using sc_core::sc_time;

/// Answers after 10 ns.
struct Memory : sc_core::sc_module {
  tlm_utils::simple_target_socket<Memory> socket{"socket"};
  unsigned char bytes[4096] = {};

  explicit Memory(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_b_transport(this, &Memory::b_transport);
  }
  void b_transport(tlm::tlm_generic_payload& payload, sc_time& delay) {
    unsigned char* const at = bytes + payload.get_address();
    if (payload.is_read()) std::memcpy(payload.get_data_ptr(), at, payload.get_data_length());
    else std::memcpy(at, payload.get_data_ptr(), payload.get_data_length());
    delay += sc_time(10, SC_NS);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
};

/// Writes a word, reads it back, and reads an address without a target.
struct Processor : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<Processor> socket{"socket"};

  SC_HAS_PROCESS(Processor);
  Processor(const sc_core::sc_module_name& name, std::uint64_t address) : sc_module(name), address_(address) {
    SC_THREAD(run);
  }
  void run() {
    std::uint32_t word = 0x12345678;
    access(tlm::TLM_WRITE_COMMAND, address_, word);
    word = 0;
    access(tlm::TLM_READ_COMMAND, address_, word);
    access(tlm::TLM_READ_COMMAND, 0x8000, word);
  }

 private:
  void access(tlm::tlm_command command, std::uint64_t address, std::uint32_t& word) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(&word));
    payload.set_data_length(sizeof word);
    payload.set_streaming_width(sizeof word);
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    starloom::TransportRecord record;
    payload.set_extension(&record);
    sc_time delay;
    socket->b_transport(payload, delay);
    wait(delay);
    std::printf("%s %s 0x%llx: %s, 0x%x at %s, requested in step %lld, %d links\n", name(),
                command == tlm::TLM_READ_COMMAND ? "reads" : "writes", static_cast<unsigned long long>(address),
                payload.get_response_string().c_str(), word, sc_core::sc_time_stamp().to_string().c_str(),
                static_cast<long long>(record.request_created), record.hops);
    payload.clear_extension(&record);
  }
  std::uint64_t address_;
};

}  // namespace

int sc_main(int argc, char** argv) {
  using namespace starloom;
  // The network: a mesh, and routers with a channel for requests and one for responses.
  const LinkNetwork mesh = link_network(Grid::mesh({4, 4}));
  links::AlgorithmContext context;
  context.network = &mesh;
  context.reply_channels = 1;
  const auto algorithm = links::make_algorithm(links::vc_wormhole_entry(), context, {{"channels", 2}});

  TransactionNetworkOptions options;
  options.view = TransactionView::cycle_accurate;
  options.initiators = {0, 3};                              // nodes
  options.targets = {{15, {0, 4096}}, {12, {4096, 4096}}};  // node, base, size
  TransactionNetwork network("network", mesh, *algorithm, options);

  Processor one("one", 0x10), other("other", 0x1010);
  Memory low("low"), high("high");
  ProtocolChecker checker("checker");
  one.socket.bind(checker.target_socket);
  checker.initiator_socket.bind(network.target_socket[0]);
  other.socket.bind(network.target_socket[1]);
  network.initiator_socket[0].bind(low.socket);
  network.initiator_socket[1].bind(high.socket);

  // The waves show every link, buffer and router.
  const std::filesystem::path dump = argc > 1 ? argv[1] : "tlm_platform.vcd";
  const auto shown = links::choose_instances(mesh.graph, algorithm->declaration(), {"*"});
  links::LinkWaves waves(dump, mesh.graph, algorithm->declaration(), shown, WaveWindow{}, 1);
  network.hardware()->fabric.set_observer(&waves);
  sc_core::sc_start();
  waves.file().close(network.hardware()->fabric.step() + 1);
  return 0;
}
