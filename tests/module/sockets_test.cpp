// SPDX-License-Identifier: Apache-2.0
/// \file The network as a TLM-2.0 interconnect: addresses, times, debug, direct memory access, bad maps.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>

#include <starloom/sockets/interconnect.hpp>
#include <starloom/topology/grid/grid_graph.hpp>
#include "support/fresh_context.hpp"
#include "support/list_source.hpp"
#include "support/named_algorithm.hpp"
#include "support/netlist_run.hpp"
#include "support/report_text.hpp"

namespace starloom::links {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;
using testing::ElementsAre;

/// Something that initiator and target alone know of.
struct Mark final : tlm::tlm_extension<Mark> {
  tlm_extension_base* clone() const override { return new Mark; }
  void copy_from(const tlm_extension_base&) override {}
};

/// A target that keeps what it saw, answers at once or after a wait, and grants access to `granted` bytes.
struct Memory final : sc_core::sc_module {
  explicit Memory(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
    socket.register_b_transport(this, &Memory::b_transport);
    socket.register_transport_dbg(this, &Memory::transport_dbg);
    socket.register_get_direct_mem_ptr(this, &Memory::get_direct_mem_ptr);
  }

  void b_transport(tlm::tlm_generic_payload& transaction, sc_time& delay) {
    addresses.push_back(transaction.get_address());
    widths.push_back(transaction.get_streaming_width());
    if (fails) SC_REPORT_ERROR("/memory", "fails");
    delays.push_back(delay);
    extended = transaction.get_extension<Mark>() != nullptr;
    if (waits) {
      wait(delay);
      delay = sc_core::SC_ZERO_TIME;
    }
    delay += service;
    transaction.set_dmi_allowed(granted > 0);
    transaction.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  unsigned int transport_dbg(tlm::tlm_generic_payload& transaction) {
    addresses.push_back(transaction.get_address());
    return transaction.get_data_length();
  }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& transaction, tlm::tlm_dmi& region) {
    addresses.push_back(transaction.get_address());
    region.set_dmi_ptr(bytes);
    region.set_start_address(0);
    region.set_end_address(granted > 0 ? granted - 1 : 2 * sizeof bytes);
    region.allow_read_write();
    region.set_read_latency(sc_time(3, SC_NS));
    region.set_write_latency(sc_time(5, SC_NS));
    return granted > 0;
  }

  tlm_utils::simple_target_socket<Memory> socket;
  std::vector<std::uint64_t> addresses;
  std::vector<sc_time> delays;
  std::vector<unsigned> widths;
  bool fails = false;
  sc_time service = sc_time(7, SC_NS);
  bool waits = false;
  bool extended = false;
  std::uint64_t granted = 0;
  unsigned char bytes[256] = {};
};

/// An initiator whose socket the tests call directly.
struct Initiator final : sc_core::sc_module {
  explicit Initiator(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
    socket.register_invalidate_direct_mem_ptr(this, &Initiator::invalidate);
  }
  void invalidate(sc_dt::uint64 first, sc_dt::uint64 last) { invalidated.emplace_back(first, last); }

  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase& phase, sc_time&) {
    heard(phase);
    return tlm::TLM_COMPLETED;
  }

  tlm_utils::simple_initiator_socket<Initiator> socket;
  std::function<void(const tlm::tlm_phase&)> heard;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> invalidated;
};

struct Payload final : tlm::tlm_generic_payload {
  Payload(tlm::tlm_command command, std::uint64_t address, unsigned length, unsigned char* data) {
    set_command(command);
    set_address(address);
    set_data_ptr(data);
    set_data_length(length);
    set_streaming_width(length);
  }
};

/// Two initiators and two memories of 256 bytes, from 0x1000 and from 0x2000 on, in the corners of a mesh.
class Sockets : public testing::Test {
 protected:
  void build(const Grid& grid, InterconnectOptions options = {}) {
    const NetworkGraph topology = make_grid_graph(grid);
    options.initiators = {0, topology.nodes() - 1};
    options.targets = {{1, {0x1000, 0x100}}, {topology.nodes() - 2, {0x2000, 0x100}}};
    network = std::make_unique<Interconnect>("network", topology, options);
    for (std::size_t i = 0; i < 2; ++i) {
      initiators[i].socket.bind(network->target_socket[i]);
      network->initiator_socket[i].bind(memories[i].socket);
    }
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  /// Status and delay of a transaction.
  tlm::tlm_response_status transport(tlm::tlm_command command, std::uint64_t address, unsigned length, sc_time& delay,
                                     std::size_t initiator = 0) {
    Payload sent(command, address, length, data);
    initiators[initiator].socket->b_transport(sent, delay);
    return sent.get_response_status();
  }
  sc_time delay_of(tlm::tlm_command command, std::uint64_t address, unsigned length, std::size_t initiator = 0) {
    sc_time delay;
    EXPECT_EQ(transport(command, address, length, delay, initiator), tlm::TLM_OK_RESPONSE);
    return delay;
  }

  /// A read that models make though the standard does not allow it, and the response that the standard has for it.
  struct LooseShape {
    unsigned length, width, enable_length;
    tlm::tlm_response_status error;
  };
  static constexpr LooseShape loose_shapes[] = {{4, 0, 0, tlm::TLM_BURST_ERROR_RESPONSE},
                                                {0, 0, 0, tlm::TLM_BURST_ERROR_RESPONSE},
                                                {4, 4, 6, tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE}};
  tlm::tlm_response_status status_of(const LooseShape& shape) {
    unsigned char enables[6] = {};
    Payload sent(tlm::TLM_READ_COMMAND, 0x1000, shape.length, data);
    sent.set_streaming_width(shape.width);
    if (shape.enable_length > 0) sent.set_byte_enable_ptr(enables);
    sent.set_byte_enable_length(shape.enable_length);
    sc_time delay;
    initiators[0].socket->b_transport(sent, delay);
    EXPECT_EQ(sent.get_streaming_width(), shape.width);
    EXPECT_EQ(sent.get_byte_enable_length(), shape.enable_length);
    return sent.get_response_status();
  }

  const bool fresh = (fresh_context(), true);  // before the modules
  Initiator initiators[2] = {Initiator("initiator_0"), Initiator("initiator_1")};
  Memory memories[2] = {Memory("memory_0"), Memory("memory_1")};
  std::unique_ptr<Interconnect> network;
  unsigned char data[4096] = {};
};

// ---- addresses

TEST_F(Sockets, ATargetSeesOffsetsFromItsBase) {
  build(Grid::mesh({4, 4}));
  for (const std::uint64_t address : {0x1000, 0x1004, 0x10fc}) delay_of(tlm::TLM_WRITE_COMMAND, address, 4);
  delay_of(tlm::TLM_READ_COMMAND, 0x2010, 8, 1);
  EXPECT_THAT(memories[0].addresses, ElementsAre(0x0, 0x4, 0xfc));
  EXPECT_THAT(memories[1].addresses, ElementsAre(0x10));
}

TEST_F(Sockets, WhatNoRangeHoldsWholeIsAnAddressErrorAtOnce) {
  build(Grid::mesh({4, 4}));
  const std::pair<std::uint64_t, unsigned> outside[] = {
      {0x0, 4}, {0xfff, 1}, {0xffe, 4}, {0x10fd, 4}, {0x1000, 257}, {0x1100, 1}, {0x20ff, 2}, {~0ull, 4}, {0x2100, 0}};
  for (const auto& [address, length] : outside)
    for (const tlm::tlm_command command : {tlm::TLM_READ_COMMAND, tlm::TLM_WRITE_COMMAND}) {
      sc_time delay(11, SC_NS);
      EXPECT_EQ(transport(command, address, length, delay), tlm::TLM_ADDRESS_ERROR_RESPONSE) << address;
      EXPECT_EQ(delay, sc_time(11, SC_NS));
    }
  EXPECT_THAT(memories[0].addresses, ElementsAre());
  EXPECT_THAT(memories[1].addresses, ElementsAre());
}

TEST_F(Sockets, StreamingAsksForTheWidthAlone) {
  build(Grid::mesh({4, 4}));
  Payload sent(tlm::TLM_WRITE_COMMAND, 0x10f0, 64, data);
  sent.set_streaming_width(16);
  sc_time delay;
  initiators[0].socket->b_transport(sent, delay);
  EXPECT_TRUE(sent.is_response_ok());
  sent.set_streaming_width(17);
  initiators[0].socket->b_transport(sent, delay);
  EXPECT_EQ(sent.get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

TEST_F(Sockets, PayloadsComeBackWithTheAddressOfTheInitiator) {
  // A splitter in front makes a second access with the same payload.
  build(Grid::mesh({4, 4}));
  memories[1].granted = 16;
  Payload sent(tlm::TLM_WRITE_COMMAND, 0x2010, 4, data);
  tlm::tlm_dmi region;
  sc_time delay;
  initiators[0].socket->b_transport(sent, delay);
  EXPECT_EQ(sent.get_address(), 0x2010u);
  initiators[0].socket->transport_dbg(sent);
  EXPECT_EQ(sent.get_address(), 0x2010u);
  initiators[0].socket->get_direct_mem_ptr(sent, region);
  EXPECT_EQ(sent.get_address(), 0x2010u);
  memories[1].fails = true;
  EXPECT_NE(report_text([&] { initiators[0].socket->b_transport(sent, delay); }), "");
  EXPECT_EQ(sent.get_address(), 0x2010u);
}

TEST_F(Sockets, LooseAttributesAreTakenWithOneWarningEach) {
  build(Grid::mesh({4, 4}));
  const ReportedWarnings warnings;
  for (int time = 0; time < 2; ++time)
    for (const auto& loose : loose_shapes) EXPECT_EQ(status_of(loose), tlm::TLM_OK_RESPONSE);
  const std::string text = warnings.text();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 3) << text;
  EXPECT_THAT(memories[0].widths, ElementsAre(4, 0, 4, 4, 0, 4));
}

TEST_F(Sockets, LooseAttributesAreErrorsIfStrict) {
  InterconnectOptions options;
  options.strict = true;
  build(Grid::mesh({4, 4}), options);
  for (const auto& loose : loose_shapes) EXPECT_EQ(status_of(loose), loose.error);
  EXPECT_THAT(memories[0].widths, ElementsAre());
}

TEST(SocketOptions, DoNotFixTheTimeResolution) {
  fresh_context();
  const InterconnectOptions options;
  const NetworkOptions hardware;
  sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
  EXPECT_EQ(sc_core::sc_get_time_resolution(), sc_time(1, sc_core::SC_FS));
  EXPECT_EQ(options.step(), sc_time(1, SC_NS));
}

TEST_F(Sockets, ExtensionsTravelAlong) {
  build(Grid::mesh({4, 4}));
  Payload sent(tlm::TLM_READ_COMMAND, 0x1000, 4, data);
  Mark mark;
  sent.set_extension(&mark);
  sc_time delay;
  initiators[1].socket->b_transport(sent, delay);
  EXPECT_TRUE(memories[0].extended);
  sent.clear_extension(&mark);
}

// ---- time

TEST_F(Sockets, ATransactionTakesTheWayThereAndBack) {
  InterconnectOptions options;
  options.period = sc_time(2, SC_NS);
  build(Grid::mesh({4, 4}), options);
  // From node 0 to node 1: one link; to node 14: five. Sixteen bytes a flit; the memory takes 7 ns.
  EXPECT_EQ(delay_of(tlm::TLM_WRITE_COMMAND, 0x1000, 4), sc_time(2 * (1 + 1) + 7, SC_NS));
  EXPECT_EQ(delay_of(tlm::TLM_WRITE_COMMAND, 0x1000, 64), sc_time(2 * (4 + 1) + 7, SC_NS));
  EXPECT_EQ(delay_of(tlm::TLM_READ_COMMAND, 0x2000, 65), sc_time(2 * (5 + 9) + 7, SC_NS));
  EXPECT_EQ(delay_of(tlm::TLM_IGNORE_COMMAND, 0x2000, 65), sc_time(2 * (5 + 5) + 7, SC_NS));
  EXPECT_THAT(memories[0].delays, ElementsAre(sc_time(2, SC_NS), sc_time(8, SC_NS)));
  EXPECT_THAT(memories[1].delays, ElementsAre(sc_time(10, SC_NS), sc_time(10, SC_NS)));
}

TEST_F(Sockets, AnInitiatorAheadOfTimeStaysAhead) {
  build(Grid::mesh({4, 4}));
  sc_time delay(100, SC_NS);
  transport(tlm::TLM_READ_COMMAND, 0x1000, 4, delay);
  EXPECT_THAT(memories[0].delays, ElementsAre(sc_time(101, SC_NS)));
  EXPECT_EQ(delay, sc_time(109, SC_NS));
}

TEST_F(Sockets, ATargetMayWait) {
  memories[0].waits = true;
  build(Grid::mesh({4, 4}));
  sc_time delay(100, SC_NS);
  sc_time returned;
  sc_core::sc_spawn([&] {
    transport(tlm::TLM_READ_COMMAND, 0x1000, 4, delay);
    returned = sc_core::sc_time_stamp();
  });
  sc_core::sc_start(1000, SC_NS);
  EXPECT_EQ(returned, sc_time(101, SC_NS));
  EXPECT_EQ(delay, sc_time(7 + 1, SC_NS));
}

TEST_F(Sockets, NothingIsAddedWithinANode) {
  build(Grid::mesh({1, 2}));  // initiator 0 with memory 1, initiator 1 with memory 0
  EXPECT_EQ(delay_of(tlm::TLM_WRITE_COMMAND, 0x2000, 64), sc_time(7, SC_NS));
  EXPECT_EQ(delay_of(tlm::TLM_READ_COMMAND, 0x1000, 64, 1), sc_time(7, SC_NS));
}

/// Steps from creation to delivery of one packet alone in a network of modules.
Step steps_in_hardware(const Grid& topology, const char* algorithm_name, NodeId from, NodeId to, std::int32_t flits,
                       std::int32_t link_latency) {
  const auto algorithm = named_algorithm(algorithm_name, topology);
  ListSource source({{from, to, flits, 0}});
  return run_netlist(network_of(topology, link_latency), *algorithm, source).record.delivered.at(0);
}

// The claim of the class: the added time is that of the hardware without contention.
TEST(SocketTimes, AreThoseOfTheHardwareWithoutContention) {
  for (const Grid& topology : {Grid::mesh({3, 4}), Grid::torus({5, 2})}) {
    const NodeId last = topology.nodes() - 1;
    for (const std::int32_t latency : {1, 3}) {
      fresh_context();
      InterconnectOptions options;
      options.flit_bytes = 8;
      options.initiators = {0, last};
      for (NodeId node = 0; node <= last; ++node)
        options.targets.push_back({node, {static_cast<std::uint64_t>(node) << 8, 256}});
      const Interconnect network("network", make_grid_graph(topology, latency), options);
      for (std::size_t initiator = 0; initiator < 2; ++initiator)
        for (NodeId node = 0; node <= last; ++node) {
          const NodeId from = options.initiators[initiator];
          const auto target = static_cast<std::size_t>(node);
          EXPECT_EQ(network.steps(initiator, target, 8), steps_in_hardware(topology, "greedy", from, node, 1, latency));
          if (latency > 1) continue;  // worms want links of latency 1
          EXPECT_EQ(network.steps(initiator, target, 49),
                    steps_in_hardware(topology, "probe-hold", from, node, 7, latency));
        }
    }
  }
}

// ---- debug, direct memory access

TEST_F(Sockets, DebugAccessIsTranslated) {
  build(Grid::mesh({4, 4}));
  Payload sent(tlm::TLM_READ_COMMAND, 0x2020, 16, data);
  EXPECT_EQ(initiators[0].socket->transport_dbg(sent), 16u);
  EXPECT_THAT(memories[1].addresses, ElementsAre(0x20));
  sent.set_address(0x3000);
  EXPECT_EQ(initiators[0].socket->transport_dbg(sent), 0u);
  EXPECT_THAT(memories[1].addresses, ElementsAre(0x20));
}

TEST_F(Sockets, DebugAccessEndsWhereTheRangeEnds) {
  build(Grid::mesh({4, 4}));
  for (const auto& [address, bytes] : {std::pair(0x20f0u, 16u), std::pair(0x20f1u, 15u), std::pair(0x20ffu, 1u)}) {
    Payload sent(tlm::TLM_READ_COMMAND, address, 16, data);
    EXPECT_EQ(initiators[0].socket->transport_dbg(sent), bytes);
    EXPECT_EQ(sent.get_data_length(), 16u);
  }
  EXPECT_THAT(memories[1].addresses, ElementsAre(0xf0, 0xf1, 0xff));
}

TEST_F(Sockets, DirectAccessIsGrantedInTheInitiatorsAddresses) {
  build(Grid::mesh({4, 4}));
  memories[1].granted = 64;
  Payload sent(tlm::TLM_READ_COMMAND, 0x2020, 4, data);
  sc_time delay;
  initiators[0].socket->b_transport(sent, delay);
  EXPECT_TRUE(sent.is_dmi_allowed());
  sent.set_address(0x2020);
  tlm::tlm_dmi region;
  EXPECT_TRUE(initiators[0].socket->get_direct_mem_ptr(sent, region));
  EXPECT_EQ(memories[1].addresses.back(), 0x20u);
  EXPECT_EQ(region.get_dmi_ptr(), memories[1].bytes);
  EXPECT_EQ(region.get_start_address(), 0x2000u);
  EXPECT_EQ(region.get_end_address(), 0x203fu);
  EXPECT_EQ(region.get_read_latency(), sc_time(3 + 2 * 5, SC_NS));
  EXPECT_EQ(region.get_write_latency(), sc_time(5 + 2 * 5, SC_NS));
}

TEST_F(Sockets, ARegionEndsWithTheRangeOfItsTarget) {
  build(Grid::mesh({4, 4}));
  for (const std::uint64_t granted : {1000, 0}) {  // more than the range; refused, for more than the range
    memories[0].granted = granted;
    Payload sent(tlm::TLM_READ_COMMAND, 0x10ff, 1, data);
    tlm::tlm_dmi region;
    EXPECT_EQ(initiators[1].socket->get_direct_mem_ptr(sent, region), granted > 0);
    EXPECT_EQ(region.get_start_address(), 0x1000u);
    EXPECT_EQ(region.get_end_address(), 0x10ffu);
  }
}

TEST_F(Sockets, DirectAccessWhereNothingIsMappedIsRefusedForTheWholeGap) {
  build(Grid::mesh({4, 4}));
  const std::uint64_t gaps[][3] = {{0x0, 0x0, 0xfff}, {0x1800, 0x1100, 0x1fff}, {0x2100, 0x2100, ~0ull}};
  for (const auto& [address, first, last] : gaps) {
    Payload sent(tlm::TLM_WRITE_COMMAND, address, 4, data);
    tlm::tlm_dmi region;
    EXPECT_FALSE(initiators[0].socket->get_direct_mem_ptr(sent, region));
    EXPECT_EQ(region.get_start_address(), first);
    EXPECT_EQ(region.get_end_address(), last);
    EXPECT_TRUE(region.is_none_allowed());
  }
}

TEST_F(Sockets, AnInvalidationReachesEveryInitiatorInItsAddresses) {
  build(Grid::mesh({4, 4}));
  memories[0].socket->invalidate_direct_mem_ptr(0x10, 0x1f);
  memories[1].socket->invalidate_direct_mem_ptr(0, ~0ull);
  memories[1].socket->invalidate_direct_mem_ptr(0x100, 0x1ff);  // beyond its range: no initiator can have it
  using Range = std::pair<std::uint64_t, std::uint64_t>;
  for (const Initiator& initiator : initiators)
    EXPECT_THAT(initiator.invalidated, ElementsAre(Range(0x1010, 0x101f), Range(0x2000, 0x20ff)));
}

// ---- initiators of the other kind

TEST_F(Sockets, ANonBlockingInitiatorIsServedByTheBlockingTransport) {
  build(Grid::mesh({4, 4}));
  Payload sent(tlm::TLM_READ_COMMAND, 0x1004, 4, data);
  sc_time end;
  tlm::tlm_phase heard;
  initiators[0].socket.register_nb_transport_bw(&initiators[0], &Initiator::nb_transport_bw);
  initiators[0].heard = [&](const tlm::tlm_phase& phase) { heard = phase, end = sc_core::sc_time_stamp(); };
  sc_core::sc_spawn([&] {
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_time delay;
    EXPECT_EQ(initiators[0].socket->nb_transport_fw(sent, phase, delay), tlm::TLM_ACCEPTED);
  });
  sc_core::sc_start(100, SC_NS);
  EXPECT_EQ(heard, tlm::BEGIN_RESP);
  EXPECT_EQ(end, sc_time(1 + 7 + 1, SC_NS));
  EXPECT_THAT(memories[0].addresses, ElementsAre(0x4));
}

// ---- bad maps

TEST_F(Sockets, BadMapsAreRefusedByName) {
  const NetworkGraph mesh = make_grid_graph(Grid::mesh({2, 2}));
  const auto report = [&mesh](const InterconnectOptions& options) {
    return report_text([&] { const Interconnect refused(sc_core::sc_gen_unique_name("net"), mesh, options); });
  };
  InterconnectOptions good;
  good.initiators = {0};
  good.targets = {{1, {0x1000, 0x1000}}, {2, {0x0, 0x1000}}, {3, {~0xfffull, 0x1000}}};
  EXPECT_EQ(report(good), "");

  InterconnectOptions bad = good;
  bad.targets[0].addresses.base = 0xfff;
  EXPECT_EQ(report(bad),
            "/starloom/interconnect: target 1 (0x0 to 0xfff) and target 0 (0xfff to 0x1ffe) overlap; "
            "move one of them");
  bad = good;
  bad.targets[1].addresses = good.targets[0].addresses;
  EXPECT_EQ(report(bad),
            "/starloom/interconnect: target 0 (0x1000 to 0x1fff) and target 1 (0x1000 to 0x1fff) overlap; "
            "move one of them");
  bad = good;
  bad.targets[1].addresses.size = 0;
  EXPECT_EQ(report(bad), "/starloom/interconnect: target 1 has an empty address range; give it a size");
  bad = good;
  bad.targets[2].addresses.size = 0x1001;
  EXPECT_EQ(report(bad),
            "/starloom/interconnect: target 2 (0xfffffffffffff000 to 0x0) ends beyond the last address; "
            "give it a smaller size");
  bad = good;
  bad.initiators[0] = 4;
  EXPECT_EQ(report(bad), "/starloom/interconnect: initiator 0 is at node 4, but the nodes are 0 to 3");
  bad = good;
  bad.targets[2].node = -1;
  EXPECT_EQ(report(bad), "/starloom/interconnect: target 2 is at node -1, but the nodes are 0 to 3");
  bad = good;
  bad.flit_bytes = 0;
  EXPECT_EQ(report(bad), "/starloom/interconnect: a flit needs at least 1 byte");
}

TEST_F(Sockets, AnUnboundSocketFailsByName) {
  InterconnectOptions options;
  options.initiators = {0};
  options.targets = {{1, {0, 16}}};
  const Interconnect lonely("lonely", make_grid_graph(Grid::mesh({2, 2})), options);
  initiators[0].socket.bind(memories[0].socket);
  initiators[1].socket.bind(memories[1].socket);
  EXPECT_THAT(report_text([] { sc_core::sc_start(sc_core::SC_ZERO_TIME); }),
              testing::HasSubstr("lonely.initiator_socket_0"));
}

}  // namespace
}  // namespace starloom::links
