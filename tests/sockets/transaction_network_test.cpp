// SPDX-License-Identifier: Apache-2.0
/// \file A network with virtual channels as a TLM-2.0 interconnect: times, data, order, faults, in its three views.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include <starloom/algorithms/table/make_algorithm.hpp>
#include <starloom/fabric/links/network.hpp>
#include <starloom/sockets/network_paths.hpp>
#include <starloom/topologies/topology_table.hpp>
#include <starloom/topology/clocks.hpp>
#include <starloom/topology/link_changes.hpp>
#include <starloom/waveforms/links/link_waves.hpp>
#include "sockets/platform.hpp"
#include "support/report_text.hpp"
#include "support/vcd_reader.hpp"
#include "unit/scratch_folder.hpp"

namespace starloom {
namespace {

using sc_core::SC_NS;
using namespace tlm_parts;

/// [transaction] when it was over, for transactions of one initiator that are made far apart.
std::vector<double> ends(TransactionView view, const Platform::Shape& shape, bool blocking,
                         const std::vector<Transaction>& transactions) {
  Platform platform(view, shape);
  Initiator& initiator = *platform.initiators[0];
  initiator.blocking = blocking;
  initiator.transactions.assign(transactions.begin(), transactions.end());
  platform.run();
  std::vector<double> ends;
  for (const Transaction& transaction : initiator.transactions) {
    EXPECT_EQ(transaction.status, tlm::TLM_OK_RESPONSE);
    ends.push_back(transaction.ended / sc_core::sc_time(1, SC_NS));
  }
  return ends;
}

// ---- Times

TEST(TransactionNetwork, AReadTakesTheTimesOfItsTwoPackets) {
  // From node 0 to node 5, two links, pipeline of 3: 3 * (2 + 1) + 2 = 11 steps for the head. The request is made at
  // 0, so created in step 1, and delivered in 12; its response of 3 flits is created in 13 and delivered in 13 + 11 +
  // 2.
  for (const TransactionView view : views)
    for (const bool blocking : {false, true})
      EXPECT_THAT(ends(view, {}, blocking, {read(0x10, 32), write(0x20, std::vector<unsigned char>(17, 1), 100.5)}),
                  testing::ElementsAre(26, 101 + 11 + 2 + 1 + 11));
}

TEST(TransactionNetwork, AnnotatedDelaysPassBeforeWhatTheyAnnotate) {
  // Asked for at 7.5, so created in step 8 and delivered in 19; served until 29; the response created in 30.
  for (const TransactionView view : views)
    for (const Style style : tlm_parts::styles)
      for (const bool blocking : {false, true}) {
        Platform::Shape shape;
        shape.style = style;
        Platform platform(view, shape);
        platform.memories[0]->service = sc_core::sc_time(10, SC_NS);
        platform.initiators[0]->ahead = sc_core::sc_time(7.5, SC_NS);
        platform.initiators[0]->blocking = blocking;
        platform.initiators[0]->transactions = {read(0x10, 32)};
        platform.run();
        EXPECT_EQ(platform.initiators[0]->transactions[0].ended, sc_core::sc_time(30 + 11 + 2, SC_NS));
      }
}

TEST(TransactionNetwork, ViewsAgreeToTheStepOnAnIdleNetwork) {
  struct Case {
    LinkNetwork network;
    std::map<std::string, KeyValue> keys;
    std::vector<router::Region> regions{};
  };
  using Keys = std::map<std::string, KeyValue>;
  const auto number = [](std::int64_t value) { return KeyValue(value); };
  std::vector<Case> cases = {
      {link_network(Grid::mesh({4, 4})), {}},
      {link_network(Grid::mesh({4, 4}), 3), {}},
      {link_network(Grid::mesh({4, 4})), Keys{{"buffer", number(1)}}},
      {link_network(Grid::mesh({4, 4}), 2), Keys{{"buffer", number(3)}, {"credit_latency", number(5)}}},
      {link_network(Grid::mesh({4, 4})), Keys{{"pipeline", number(5)}, {"buffer", number(2)}}},
      {link_network(Grid::mesh({4, 4})), Keys{{"channels", number(4)}, {"function", std::string("odd-even")}}},
      {link_network(Grid::mesh({4, 4}), 2), Keys{{"stages.routing", number(2)},
                                                 {"stages.channel", number(3)},
                                                 {"stages.switch", number(2)},
                                                 {"stages.crossbar", number(4)},
                                                 {"buffer", number(4)}}},
      {link_network(Grid::mesh({4, 4})), Keys{{"stages.switch", number(3)}, {"buffer", number(1)}}},
      {link_network(Grid::mesh({4, 4}), 2), Keys{{"speedup.internal", number(3)}, {"buffer", number(2)}}},
      {link_network(Grid::torus({5, 4})), Keys{{"channels", number(4)}, {"pipeline", number(4)}}}};
  const std::vector<TopologyEntry> topologies = topology_table();
  const auto concentrated = std::find_if(topologies.begin(), topologies.end(),
                                         [](const TopologyEntry& entry) { return entry.name == "concentrated-mesh"; });
  const KeyValues sizes(
      Keys{{"shape", std::vector<std::int64_t>{2, 2}}, {"concentration", number(4)}, {"link_latency", number(2)}});
  cases.push_back({make_link_network(*concentrated, sizes), {}});
  const std::vector<LinkChange> narrow = {{"*_east", {}, 3, {}}, {"*_c01_*", 2, {}, 4}, {"*_south", 3, 2, {}}};
  for (const std::int64_t buffer : {1, 2, 5})
    cases.push_back({with_link_changes(link_network(Grid::mesh({4, 4})), narrow), Keys{{"buffer", number(buffer)}}});
  router::Region small{"*_c01", {}, 1}, slow{"node_r01_*"}, fast{"*_c03"};
  slow.stages = {2, 3, 2, 3};
  fast.stages = {0, 1, 1, 1};
  for (const std::int64_t buffer : {2, 8})
    cases.push_back({link_network(Grid::mesh({4, 4})),
                     Keys{{"pipeline", number(5)}, {"buffer", number(buffer)}},
                     {small, slow, fast}});
  int number_of_case = 0;
  for (const Case& one : cases) {
    SCOPED_TRACE(number_of_case++);
    Platform::Shape shape{one.network, one.keys, one.regions};
    shape.targets = {0, 1, 7, 15};
    std::vector<Transaction> transactions;
    double at = 0;
    for (std::size_t j = 0; j < shape.targets.size(); ++j)
      for (const std::size_t bytes : {1, 16, 17, 80, 256})
        for (const bool writes : {false, true}) {
          transactions.push_back(writes ? write(j * region, std::vector<unsigned char>(bytes, 1), at)
                                        : read(j * region, bytes, at));
          if (bytes == 17) transactions.back().enables.assign(17, 0xff);
          at += 700.25;
        }
    const std::vector<double> expected = ends(TransactionView::cycle_accurate, shape, false, transactions);
    for (const TransactionView view : views)
      for (const bool blocking : {false, true}) EXPECT_EQ(ends(view, shape, blocking, transactions), expected);
  }
}

/// Flits behind it follow by the same computation.
TEST(TransactionNetwork, AHeadTakesTheStagesOfItsRouters) {
  const LinkNetwork network = link_network(Grid::mesh({4, 4}), 2);
  links::AlgorithmContext context;
  context.network = &network;
  context.regions = {{"node_r01_*"}, {"*_c03"}};
  context.regions[0].stages = {2, 3, 2, 3};
  context.regions[1].stages = {0, 1, 1, 1};
  const auto algorithm = links::make_algorithm("vc-wormhole", context, {{"pipeline", std::int64_t{5}}});
  const links::PathTable paths(network.graph, *algorithm);
  const links::ZeroLoad zero_load(network.graph, *algorithm);
  for (NodeId from = 0; from < 16; ++from)
    for (NodeId to = 0; to < 16; ++to)
      EXPECT_EQ(paths.path(from, to).head, zero_load.latency({from, to, 1}, 0)) << from << " to " << to;
}

TEST(TransactionNetwork, RequestsOfOneLinkWaitForEachOther) {
  // Four reads at once: requests of one flit leave one a step, responses of 17 flits one after the other.
  const auto last_end = [](TransactionView view) {
    Platform platform(view, {});
    for (int i = 0; i < 4; ++i) platform.initiators[0]->transactions.push_back(read(0, 256));
    platform.run();
    return platform.initiators[0]->transactions.back().ended / sc_core::sc_time(1, SC_NS);
  };
  const double idle = 1 + 11 + 1 + 11 + 16;
  EXPECT_EQ(last_end(TransactionView::loosely_timed), idle);
  EXPECT_EQ(last_end(TransactionView::approximately_timed), idle + 3 * 17);
  EXPECT_EQ(last_end(TransactionView::cycle_accurate), idle + 3 * 17);
}

/// Mean steps of a read of 32 bytes where every node makes one each `every` steps in the mean, to a random other node.
double mean_under_load(TransactionView view, unsigned every) {
  Platform::Shape shape;
  shape.initiators.clear();
  for (NodeId node = 0; node < 16; ++node) shape.initiators.push_back(node);
  shape.targets = shape.initiators;
  shape.style = Style::early;
  Platform platform(view, shape);
  std::mt19937 draws(every);
  for (unsigned i = 0; i < 16; ++i) {
    platform.initiators[i]->most = 1'000'000;
    double at = 0;
    for (int k = 0; k < 500; ++k) {
      at += 1 + static_cast<double>(draws() % (2 * every - 1));
      platform.initiators[i]->transactions.push_back(read((i + 1 + draws() % 15) % 16 * region, 32, at));
    }
  }
  platform.run();
  double sum = 0;
  for (const auto& initiator : platform.initiators)
    for (const Transaction& one : initiator->transactions) sum += (one.ended - one.at) / sc_core::sc_time(1, SC_NS);
  return sum / (16 * 500);
}

TEST(TransactionNetwork, ErrorsUnderLoadAreWhatThePageSays) {
  struct Point {
    unsigned every;
    double loosely, approximately;  ///< the greatest error, as a share of the cycle-accurate mean
  };
  for (const Point& point : {Point{200, 0.01, 0.01}, Point{50, 0.02, 0.01}, Point{20, 0.06, 0.02},
                             Point{12, 0.12, 0.02}, Point{9, 0.2, 0.02}}) {
    const double accurate = mean_under_load(TransactionView::cycle_accurate, point.every);
    const double loosely = mean_under_load(TransactionView::loosely_timed, point.every);
    const double approximately = mean_under_load(TransactionView::approximately_timed, point.every);
    EXPECT_LT(loosely, accurate);
    EXPECT_LT(1 - loosely / accurate, point.loosely);
    EXPECT_LT(std::abs(1 - approximately / accurate), point.approximately);
    EXPECT_LT(std::abs(approximately - accurate), accurate - loosely);
  }
}

TEST(TransactionNetwork, DecoupledInitiatorsGetDelaysAndDoNotWait) {
  Platform platform(TransactionView::loosely_timed, {});
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  Transaction asked = read(0, 32);
  Payload payload;
  tlm_parts::fill(payload, asked);
  sc_core::sc_time delay(1000, SC_NS);
  platform.initiators[0]->socket->b_transport(payload, delay);
  EXPECT_EQ(delay, sc_core::sc_time(1026, SC_NS));
  EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::SC_ZERO_TIME);
}

TEST(TransactionNetwork, OneAfterTheOtherInEitherOrderOfTheirTimes) {
  // Reservation finds the gap before what a decoupled initiator has taken further on.
  Platform::Shape shape;
  shape.target_blocks = true;
  Platform platform(TransactionView::approximately_timed, shape);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  const auto delay_of = [&](double from) {
    Transaction asked = read(0, 32);
    Payload payload;
    tlm_parts::fill(payload, asked);
    sc_core::sc_time delay(from, SC_NS);
    platform.initiators[0]->socket->b_transport(payload, delay);
    return delay / sc_core::sc_time(1, SC_NS) - from;
  };
  EXPECT_EQ(delay_of(500), 26);
  EXPECT_EQ(delay_of(0), 26);
  EXPECT_EQ(delay_of(500), 26 + 3);
  // Its response would leave node 5 in step 512, but there 3 steps in a row are free from 519 on.
  EXPECT_EQ(delay_of(499), 26 + 519 - 512);
}

// ---- Data

/// The content of memories if every initiator writes to addresses of its own.
class Oracle {
 public:
  explicit Oracle(std::size_t targets) : bytes_(targets, std::vector<unsigned char>(region, 0)) {}
  /// Carries the transaction out and returns what its buffer holds then.
  std::vector<unsigned char> expect(const Transaction& asked) {
    std::vector<unsigned char> data = asked.data;
    const std::size_t width = asked.width == 0 ? data.size() : asked.width;
    for (std::size_t i = 0; i < data.size(); ++i) {
      if (!asked.enables.empty() && asked.enables[i % asked.enables.size()] == 0) continue;
      unsigned char& byte = bytes_[asked.address / region][asked.address % region + i % width];
      if (asked.command == tlm::TLM_WRITE_COMMAND) byte = data[i];
      else data[i] = byte;
    }
    return data;
  }
  const std::vector<unsigned char>& bytes(std::size_t target) const { return bytes_[target]; }

 private:
  std::vector<std::vector<unsigned char>> bytes_;
};

/// Random reads and writes of every initiator in a part of every memory that is its own.
void compare_with_oracle(TransactionView view, Style style, bool blocking, bool explicit_phases, std::size_t count,
                         unsigned seed) {
  Platform::Shape shape;
  shape.explicit_initiators = shape.explicit_targets = explicit_phases;
  if (style == Style::blocking && explicit_phases) shape.target_blocks = true;
  shape.initiators = {0, 3, 12, 15, 5};
  shape.targets = {5, 6, 9, 10};
  shape.keys = {{"channels", std::int64_t{4}}, {"buffer", std::int64_t{4}}};
  shape.style = style;
  shape.seed = seed;
  shape.checked = true;
  Platform platform(view, shape);
  std::mt19937 draws(seed);
  const auto draw = [&draws](unsigned below) { return static_cast<unsigned>(draws() % below); };
  Oracle oracle(shape.targets.size());
  std::vector<std::vector<std::vector<unsigned char>>> expected(shape.initiators.size());
  for (std::size_t i = 0; i < shape.initiators.size(); ++i) {
    platform.initiators[i]->blocking = blocking;
    platform.initiators[i]->most = 1 + i * 3;
    for (std::size_t k = 0; k < count; ++k) {
      constexpr unsigned own = 600;  // bytes of a memory
      const unsigned length = 1 + draw(256);
      Transaction asked = read(draw(4) * region + i * own + draw(own - length), length);
      for (unsigned char& byte : asked.data) byte = static_cast<unsigned char>(draw(256));
      if (draw(2) == 0) asked.command = tlm::TLM_WRITE_COMMAND;
      if (draw(3) == 0) asked.enables.resize(1 + draw(length));
      for (unsigned char& enable : asked.enables) enable = draw(2) == 0 ? 0xff : 0;
      if (draw(4) == 0) asked.width = 1 + draw(length);
      expected[i].push_back(oracle.expect(asked));
      platform.initiators[i]->transactions.push_back(std::move(asked));
    }
  }
  platform.run();
  for (std::size_t i = 0; i < shape.initiators.size(); ++i)
    for (std::size_t k = 0; k < count; ++k) {
      const Transaction& over = platform.initiators[i]->transactions[k];
      ASSERT_EQ(over.status, tlm::TLM_OK_RESPONSE);
      ASSERT_EQ(over.data, expected[i][k]) << "transaction " << k << " of initiator " << i;
    }
  for (std::size_t j = 0; j < shape.targets.size(); ++j) EXPECT_EQ(platform.memories[j]->bytes, oracle.bytes(j));
}

/// Transactions of an initiator in a case; more, with TRANSACTIONS set in the environment.
std::size_t oracle_count() {
  const char* const asked = std::getenv("TRANSACTIONS");
  return asked == nullptr ? 100 : std::strtoul(asked, nullptr, 10);
}

TEST(TransactionNetwork, DataAreThoseOfAnOracleInEveryViewAndStyle) {
  unsigned seed = 1;
  for (const TransactionView view : views)
    for (const Style style : tlm_parts::styles)
      for (const bool blocking : {false, true})
        for (const bool explicit_phases : {false, true}) {
          SCOPED_TRACE(seed);
          compare_with_oracle(view, style, blocking, explicit_phases, oracle_count(), seed++);
          if (testing::Test::HasFatalFailure()) return;
        }
}

TEST(TransactionNetwork, AccessesOfAnInitiatorToATargetKeepTheirOrder) {
  // If a channel is free, a short packet passes a long one.
  for (const TransactionView view : views) {
    Platform::Shape shape;
    shape.keys = {{"channels", std::int64_t{8}}};
    Platform platform(view, shape);
    std::vector<std::uint64_t> addresses, expected;
    platform.memories[0]->heard = [&](Payload& payload) { addresses.push_back(payload.get_address()); };
    platform.initiators[0]->most = 100;
    for (std::uint64_t k = 0; k < 50; ++k) {
      expected.push_back(k);
      if (k % 3 == 0) platform.initiators[0]->transactions.push_back(write(k, std::vector<unsigned char>(256, 1)));
      else platform.initiators[0]->transactions.push_back(read(k, 1));
    }
    platform.run();
    EXPECT_EQ(addresses, expected);
  }
}

TEST(TransactionNetwork, FullBuffersOfRequestsDoNotStopResponses) {
  // All initiators write to and read from all targets, more than buffers can store, over one channel in each
  // direction.
  for (const Style style : {Style::four_phases, Style::early}) {
    Platform::Shape shape;
    shape.keys = {{"buffer", std::int64_t{1}}};
    shape.initiators.clear();
    for (NodeId node = 0; node < 16; ++node) shape.initiators.push_back(node);
    shape.targets = {0, 5, 10, 15};
    shape.style = style;
    Platform platform(TransactionView::cycle_accurate, shape);
    for (std::size_t i = 0; i < 16; ++i)
      for (std::uint64_t k = 0; k < 20; ++k) {
        platform.initiators[i]->most = 20;
        if (k % 2 == 0) platform.initiators[i]->transactions.push_back(read((k + i) % 4 * region, 256));
        else
          platform.initiators[i]->transactions.push_back(
              write((k + i) % 4 * region, std::vector<unsigned char>(256, 1)));
      }
    platform.run();
  }
}

// ---- Faults

TEST(TransactionNetwork, FaultsAreAnsweredAtOnceWithTheStandardsResponse) {
  struct Case {
    std::function<void(Payload&)> spoil;
    tlm::tlm_response_status status;
  };
  unsigned char enables[8] = {};
  const Case cases[] = {
      {[](Payload& p) { p.set_address(5 * region); }, tlm::TLM_ADDRESS_ERROR_RESPONSE},
      {[](Payload& p) { p.set_address(region - 2); }, tlm::TLM_ADDRESS_ERROR_RESPONSE},  // straddles two targets
      {[](Payload& p) { p.set_data_length(0); }, tlm::TLM_BURST_ERROR_RESPONSE},
      {[](Payload& p) { p.set_streaming_width(0); }, tlm::TLM_BURST_ERROR_RESPONSE},
      {[](Payload& p) { p.set_data_ptr(nullptr); }, tlm::TLM_GENERIC_ERROR_RESPONSE},
      {[&](Payload& p) { p.set_byte_enable_ptr(enables), p.set_byte_enable_length(5); },
       tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE},
      {[&](Payload& p) { p.set_byte_enable_ptr(enables); }, tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE},
      {[](Payload& p) { p.set_command(static_cast<tlm::tlm_command>(3)); }, tlm::TLM_COMMAND_ERROR_RESPONSE}};
  for (const TransactionView view : views) {
    Platform::Shape shape;
    shape.strict = true;
    Platform platform(view, shape);
    int reached = 0;
    for (const auto& memory : platform.memories) memory->heard = [&reached](Payload&) { ++reached; };
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    tlm_parts::Pool pool;
    for (const Case& one : cases) {
      Transaction asked = read(0x10, 4);
      Payload& payload = pool.take();
      payload.acquire();
      tlm_parts::fill(payload, asked);
      one.spoil(payload);
      sc_core::sc_time delay(3, SC_NS);
      platform.initiators[0]->socket->b_transport(payload, delay);
      EXPECT_EQ(payload.get_response_status(), one.status);
      payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
      tlm::tlm_phase phase = tlm::BEGIN_REQ;
      EXPECT_EQ(platform.initiators[0]->socket->nb_transport_fw(payload, phase, delay), tlm::TLM_COMPLETED);
      EXPECT_EQ(payload.get_response_status(), one.status);
      EXPECT_EQ(delay, sc_core::sc_time(3, SC_NS));
      payload.release();
    }
    EXPECT_EQ(reached, 0);
    EXPECT_EQ(platform.network->outstanding(), 0u);
  }
}

TEST(TransactionNetwork, LooseAttributesAreTakenWithOneWarningEach) {
  const std::string_view all =
      "network: initiator 0 makes a write of 4 bytes at 0x10 with streaming width 0, which is taken as the data "
      "length, "
      "here and later; set `strict` of the options to answer TLM_BURST_ERROR_RESPONSE\n"
      "network: initiator 0 makes a read of 4 bytes at 0x10 with byte enables longer than the data, which are taken up "
      "to "
      "the data length, here and later; set `strict` of the options to answer TLM_BYTE_ENABLE_ERROR_RESPONSE\n"
      "network: initiator 0 makes a read of 0 bytes at 0x10 with data length 0, which is taken as an access that moves "
      "no "
      "data, here and later; set `strict` of the options to answer TLM_BURST_ERROR_RESPONSE\n";
  for (const TransactionView view : views)
    for (const bool blocking : {false, true}) {
      Platform::Shape shape;
      shape.checked = true;
      Platform platform(view, shape);
      const ReportedWarnings warnings;
      Initiator& initiator = *platform.initiators[0];
      initiator.blocking = blocking;
      initiator.spoil = [](Transaction& transaction, Payload& payload) {
        if (transaction.command == tlm::TLM_WRITE_COMMAND) payload.set_streaming_width(0);
        else if (transaction.data.empty()) payload.set_data_ptr(nullptr), payload.set_streaming_width(0);
      };
      std::vector<std::array<unsigned, 2>> seen;
      platform.memories[0]->heard = [&](Payload& payload) {
        seen.push_back({payload.get_streaming_width(), payload.get_byte_enable_length()});
      };
      Transaction masked = read(0x10, 4);
      masked.enables = {0xff, 0, 0xff, 0, 0xff, 0};
      initiator.transactions = {write(0x10, {1, 2, 3, 4}), masked, read(0x10, 0), write(0x10, {5, 6, 7, 8}), masked};
      initiator.heard = [](Transaction& transaction, Payload& payload) {
        EXPECT_EQ(payload.get_address(), 0x10u);
        EXPECT_EQ(payload.get_streaming_width(),
                  transaction.command == tlm::TLM_WRITE_COMMAND ? 0u : transaction.data.size());
        EXPECT_EQ(payload.get_byte_enable_length(), transaction.enables.size());
      };
      platform.run();
      for (const Transaction& one : initiator.transactions) EXPECT_EQ(one.status, tlm::TLM_OK_RESPONSE);
      EXPECT_EQ(initiator.transactions[1].data, (std::vector<unsigned char>{1, 0, 3, 0}));
      EXPECT_EQ(initiator.transactions[4].data, (std::vector<unsigned char>{5, 0, 7, 0}));
      EXPECT_EQ(seen, (std::vector<std::array<unsigned, 2>>{{4, 0}, {4, 4}, {0, 0}, {4, 0}, {4, 4}}));
      EXPECT_EQ(warnings.text(), all);
    }
}

TEST(TransactionNetwork, ACommandToIgnoreCrossesWithoutData) {
  for (const TransactionView view : views) {
    Transaction ignored = read(0, 4);
    ignored.command = tlm::TLM_IGNORE_COMMAND;
    EXPECT_THAT(ends(view, {}, false, {ignored}), testing::ElementsAre(1 + 11 + 1 + 11));
  }
}

TEST(TransactionNetwork, AResponseNeverSentIsReportedByName) {
  for (const TransactionView view : views)
    for (const auto& [blocking, style] : {std::pair(false, Style::four_phases), std::pair(true, Style::four_phases),
                                          std::pair(true, Style::blocking)}) {
      Platform::Shape shape;
      shape.patience = 500;
      shape.style = style;
      Platform platform(view, shape);
      platform.memories[1]->answers = false;
      platform.initiators[1]->blocking = blocking;
      platform.initiators[1]->transactions = {read(0x10, 4), write(region + 0x20, {1, 2, 3}, 200)};
      EXPECT_EQ(
          report_text([] { sc_core::sc_start(); }),
          "/starloom/interconnect: transaction 1, a write of 3 bytes at 0x1020 by initiator 1, has had no response "
          "from target 1 for 500 steps; does the target answer it, or is `patience` too short?");
      EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::sc_time(700, SC_NS));
      EXPECT_EQ(platform.network->outstanding(), 1u);
    }
}

TEST(TransactionNetwork, ATargetThatWaitsButAnswersIsNotReported) {
  // Nor does the watch that was set for it keep the simulation going.
  Platform::Shape shape;
  shape.patience = 500;
  Platform platform(TransactionView::loosely_timed, shape);
  platform.memories[0]->service = sc_core::sc_time(400, SC_NS);
  platform.memories[0]->waits = true;
  platform.initiators[0]->blocking = true;
  platform.initiators[0]->transactions = {read(0x10, 4), read(0x10, 4)};
  platform.run();
  EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::sc_time(2 * (1 + 11 + 400 + 1 + 11 + 1), SC_NS));
}

TEST(TransactionNetwork, PhasesOutOfPlaceAreReported) {
  Platform platform(TransactionView::cycle_accurate, {});
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  tlm_parts::Pool pool;
  Transaction asked = read(0x10, 4);
  Payload& payload = pool.take();
  payload.acquire();
  tlm_parts::fill(payload, asked);
  const auto forward = [&](tlm::tlm_phase phase) {
    return report_text([&] {
      sc_core::sc_time delay;
      platform.initiators[1]->socket->nb_transport_fw(payload, phase, delay);
    });
  };
  EXPECT_EQ(forward(tlm::END_RESP),
            "/starloom/interconnect: network: initiator 1 ends a response that it has not received");
  EXPECT_EQ(forward(tlm::BEGIN_RESP),
            "/starloom/interconnect: network: initiator 1 sends BEGIN_RESP, a phase of targets");
  EXPECT_EQ(report_text([&] {
              sc_core::sc_time delay;
              tlm::tlm_phase phase = tlm::BEGIN_RESP;
              platform.memories[0]->socket->nb_transport_bw(payload, phase, delay);
            }),
            "/starloom/interconnect: network: target 0 sends BEGIN_RESP of a transaction that it has not received");
  payload.release();
}

TEST(TransactionNetwork, WhatCannotBeBuiltIsRefused) {
  const LinkNetwork mesh = link_network(Grid::mesh({2, 2}));
  TransactionNetworkOptions options;
  options.initiators = {0};
  options.targets = {{1, {0, 16}}};
  const auto report = [&](const std::string& name, std::int64_t channels) {
    fresh_context();
    links::AlgorithmContext context;
    context.network = &mesh;
    std::map<std::string, KeyValue> keys;
    if (channels > 0) keys.emplace("channels", channels);
    const auto algorithm = links::make_algorithm(name, context, keys);
    return report_text([&] { const TransactionNetwork refused("net", mesh, *algorithm, options); });
  };
  EXPECT_EQ(report("greedy", 0), "/starloom/interconnect: transactions need virtual channels; use vc-wormhole");
  EXPECT_EQ(report("vc-wormhole", 2),
            "/starloom/interconnect: requests and responses share channels and could block each other; create the "
            "algorithm with reply_channels set to half of its channels");
  options.targets.push_back({2, {15, 1}});
  EXPECT_THAT(report("vc-wormhole", 2), testing::HasSubstr("overlap; move one of them"));
  options.targets.pop_back();
  fresh_context();
  const LinkNetwork slow = with_clocks(mesh, {1, 2, 1, 1});
  links::AlgorithmContext context;
  context.network = &slow;
  context.reply_channels = 1;
  const auto algorithm = links::make_algorithm("vc-wormhole", context, {{"channels", std::int64_t{2}}});
  options.view = TransactionView::loosely_timed;
  EXPECT_THAT(report_text([&] { const TransactionNetwork refused("net", slow, *algorithm, options); }),
              testing::HasSubstr("the network has clocks, but this view reckons with nodes that run in every step"));
}

TEST(TransactionNetwork, AnUnboundSocketFailsByName) {
  fresh_context();
  const LinkNetwork mesh = link_network(Grid::mesh({2, 2}));
  links::AlgorithmContext context;
  context.network = &mesh;
  context.reply_channels = 1;
  const auto algorithm = links::make_algorithm("vc-wormhole", context, {{"channels", std::int64_t{2}}});
  TransactionNetworkOptions options;
  options.targets = {{1, {0, 16}}};
  const TransactionNetwork lonely("lonely", mesh, *algorithm, options);
  EXPECT_THAT(report_text([] { sc_core::sc_start(sc_core::SC_ZERO_TIME); }),
              testing::HasSubstr("lonely.initiator_socket_0"));
}

// ---- Beside the transport

TEST(TransactionNetwork, TheRecordTellsOfTheWayAndIsTakenAwayUnlessTheInitiatorBroughtIt) {
  for (const TransactionView view : views)
    for (const bool blocking : {false, true}) {
      Platform platform(view, {});
      Initiator& initiator = *platform.initiators[0];
      initiator.blocking = blocking;
      initiator.transactions = {read(0x10, 32)};
      NodeId source = no_node;
      platform.memories[0]->heard = [&](Payload& payload) {
        source = payload.get_extension<TransportRecord>()->source;
      };
      int checked = 0;
      initiator.heard = [&](Transaction&, Payload& payload) {
        const TransportRecord* const record = payload.get_extension<TransportRecord>();
        if (blocking) {
          EXPECT_EQ(record, nullptr);
        } else {
          EXPECT_EQ(record->request_created, 1);
          EXPECT_EQ(record->request_delivered, 12);
          EXPECT_EQ(record->response_created, 13);
          EXPECT_EQ(record->response_delivered, 26);
          EXPECT_EQ(record->hops, 2);
          EXPECT_EQ(record->destination, 5);
        }
        ++checked;
      };
      platform.run();
      EXPECT_EQ(source, 0);
      EXPECT_EQ(checked, 1);
    }
}

TEST(TransactionNetwork, DirectAccessIsForTheLooselyTimedView) {
  for (const TransactionView view : views) {
    Platform platform(view, {});
    platform.memories[1]->grants = true;
    bool allowed = false;
    platform.initiators[0]->transactions = {read(region, 4)};
    platform.initiators[0]->heard = [&](Transaction&, Payload& payload) { allowed = payload.is_dmi_allowed(); };
    platform.run();
    EXPECT_EQ(allowed, view == TransactionView::loosely_timed);
    Transaction asked = read(region + 8, 4);
    Payload payload;
    tlm_parts::fill(payload, asked);
    tlm::tlm_dmi dmi;
    EXPECT_EQ(platform.initiators[0]->socket->get_direct_mem_ptr(payload, dmi), view == TransactionView::loosely_timed);
    EXPECT_EQ(dmi.get_start_address(), region);
    EXPECT_EQ(dmi.get_end_address(), 2 * region - 1);
    EXPECT_EQ(dmi.is_none_allowed(), view != TransactionView::loosely_timed);
    // Node 0 and node 10 are four links apart.
    if (view == TransactionView::loosely_timed) {
      EXPECT_EQ(dmi.get_read_latency(), sc_core::sc_time(2 * (3 * 5 + 2), SC_NS));
    }
    Transaction written = write(region + 8, {7, 8});
    tlm_parts::fill(payload, written);
    EXPECT_EQ(platform.initiators[0]->socket->transport_dbg(payload), 2u);
    EXPECT_EQ(platform.memories[1]->bytes[9], 8);
  }
}

TEST(TransactionNetwork, TheHardwareTakesAClock) {
  Platform platform(TransactionView::cycle_accurate, {});
  sc_core::sc_clock clock("clock", sc_core::sc_time(5, SC_NS), 0.5, sc_core::sc_time(5, SC_NS));
  platform.network->hardware()->fabric.clock(clock);
  platform.initiators[0]->transactions = {read(0x10, 32)};
  sc_core::sc_start(sc_core::sc_time(1000, SC_NS));
  // Made at 0, so created at the first edge, step 0; response in step 25.
  EXPECT_EQ(platform.initiators[0]->transactions[0].ended, sc_core::sc_time(5 + 25 * 5, SC_NS));
}

TEST(TransactionNetwork, WavesShowAReadCrossTheNetwork) {
  Platform::Shape shape;
  shape.targets = {2};
  Platform platform(TransactionView::cycle_accurate, shape);
  const NetworkGraph& graph = platform.network->hardware()->fabric.network().graph;
  const links::Declaration& declaration = platform.algorithm->declaration();
  const ScratchFolder folder;
  links::LinkWaves waves(folder.path() / "read.vcd", graph, declaration,
                         links::choose_instances(graph, declaration, {"link_r00*"}), WaveWindow{}, 1);
  platform.network->hardware()->fabric.set_observer(&waves);
  platform.initiators[0]->transactions = {read(0x10, 32)};
  platform.run();
  waves.file().close(platform.network->hardware()->fabric.step() + 1);
  const Vcd vcd = read_vcd(folder.read("read.vcd"));
  const auto packet = [&](const std::string& link, std::uint64_t step) {
    return vcd.variable("network." + link + ".packet").at(step * 1000);
  };
  // The request is created in step 1, readable in its router in 3, on its two links in 5 and 8 and consumed in 12.
  for (std::uint64_t step = 0; step < 30; ++step) {
    EXPECT_EQ(packet("link_r00_c00_east", step), step == 5 ? "0" : "z") << step;
    EXPECT_EQ(packet("link_r00_c01_east", step), step == 8 ? "0" : "z") << step;
    // Three flits of the response, created in step 13.
    EXPECT_EQ(packet("link_r00_c02_west", step), step >= 17 && step < 20 ? "1" : "z") << step;
    EXPECT_EQ(packet("link_r00_c01_west", step), step >= 20 && step < 23 ? "1" : "z") << step;
  }
  EXPECT_EQ(vcd.variable("network.link_r00_c01_west.channel").at(21'000), "1");
}

}  // namespace
}  // namespace starloom
