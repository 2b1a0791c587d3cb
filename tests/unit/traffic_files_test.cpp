// SPDX-License-Identifier: Apache-2.0
// Data files of traffic: what they mean, and the exact text of every refusal.
#include <cmath>

#include <starloom/traffic/packet_file.hpp>
#include "support/places.hpp"
#include "unit/traffic_support.hpp"

namespace starloom {
namespace {

using Keys = std::map<std::string, KeyValue>;

class Files : public testing::Test {
 protected:
  /// The error of a pattern whose file `name` has this text.
  std::string error(const std::string& pattern, const std::string& name, const std::string& text, const Grid& grid,
                    Keys keys = {}) {
    folder_.write(name, text);
    keys["file"] = name;
    return input_error([&] { make_traffic(pattern, grid, keys, 1, folder_.path()); });
  }
  std::unique_ptr<Traffic> make(const std::string& pattern, const std::string& text, const Grid& grid, Keys keys = {},
                                Units units = {}) {
    folder_.write("data", text);
    keys["file"] = std::string("data");
    return make_traffic(pattern, grid, keys, 1, folder_.path(), units);
  }

  DataFolder folder_;
  Grid m22_ = Grid::mesh({2, 2});
};

// ---- Permutation files

TEST_F(Files, PermutationMayBePartialAndCommented) {
  const auto traffic = make("file", "# a partial one\n3 -  # node 1 sends nothing\n\n\t0\r\n1\n", m22_);
  EXPECT_EQ(packets_until(*traffic, 1, 1), (std::vector<Packet>{{0, 3, 1, 0}, {2, 0, 1, 0}, {3, 1, 1, 0}}));
}

TEST_F(Files, PermutationOfNothing) {
  const auto traffic = make("file", "- - - -", m22_);
  EXPECT_TRUE(packets_until(*traffic, 1, 1).empty());
  EXPECT_EQ(traffic->end(), 0);
  EXPECT_EQ(traffic->next_creation(0), no_step);
  EXPECT_EQ(make("file", "- - - -", m22_, {{"rate", 0.5}})->next_creation(0), no_step);
}

TEST_F(Files, PermutationWithFewOrManyEntries) {
  EXPECT_EQ(error("file", "p.txt", "0 1\n2\n", m22_), "p.txt:3:1: the network has 4 nodes, the file 3 entries");
  EXPECT_EQ(error("file", "p.txt", "0 1 2", m22_), "p.txt:1:6: the network has 4 nodes, the file 3 entries");
  EXPECT_EQ(error("file", "p.txt", "", m22_), "p.txt:1:1: the network has 4 nodes, the file 0 entries");
  EXPECT_EQ(error("file", "p.txt", "0 1 2 3\n end of file", m22_),
            "p.txt:2:2: trailing text 'end': the network has 4 nodes, the file 7 entries");
  EXPECT_EQ(error("file", "p.txt", "0 1 2 3 3", m22_),
            "p.txt:1:9: trailing text '3': the network has 4 nodes, the file 5 entries");
}

TEST_F(Files, PermutationWithWrongEntries) {
  EXPECT_EQ(error("file", "p.txt", "0 4 2 3", m22_),
            "p.txt:1:3: destination of node 1: 4 is not a node: nodes are 0 to 3");
  EXPECT_EQ(error("file", "p.txt", "0 -1 2 3", m22_),
            "p.txt:1:3: destination of node 1: -1 is not a node: nodes are 0 to 3");
  EXPECT_EQ(error("file", "p.txt", "0 1x 2 3", m22_), "p.txt:1:3: destination of node 1: '1x' is not an integer");
  EXPECT_EQ(error("file", "p.txt", "0 1.0 2 3", m22_), "p.txt:1:3: destination of node 1: '1.0' is not an integer");
  EXPECT_EQ(error("file", "p.txt", "0 99999999999999999999 2 3", m22_),
            "p.txt:1:3: destination of node 1: '99999999999999999999' is not an integer");
  EXPECT_EQ(error("file", "p.txt", "0 3\n2 3", m22_),
            "p.txt:2:3: destination 3 of node 3 is already that of node 1 (p.txt:1:3)");
}

TEST_F(Files, PermutationFaultsComeTogetherInOrder) {
  EXPECT_EQ(error("file", "p.txt", "0 0\nx", m22_),
            "p.txt:1:3: destination 0 of node 1 is already that of node 0 (p.txt:1:1)\n"
            "p.txt:2:1: destination of node 2: 'x' is not an integer\n"
            "p.txt:2:2: the network has 4 nodes, the file 3 entries");
}

TEST_F(Files, FaultsOfDataHaveTheirOwnPlaceAndMissingFilesDoNot) {
  folder_.write("bad.txt", "0");
  EXPECT_THROW(make_traffic("file", m22_, {{"file", std::string("bad.txt")}}, 1, folder_.path()), DataFileError);
  for (const std::string pattern : {"file", "packets", "application"}) {
    Keys keys = {{"file", std::string("sub/none.txt")}};
    if (pattern == "application") keys["steps"] = std::int64_t{1};
    EXPECT_EQ(input_error([&] { make_traffic(pattern, m22_, keys, 1, folder_.path()); }),
              "cannot read sub/none.txt: No such file or directory");
  }
  EXPECT_EQ(input_error([&] {
              make_traffic("file", m22_, {{"file", std::string(".")}}, 1, folder_.path());
            }),
            "cannot read .: it is a folder");
  try {
    make_traffic("file", m22_, {{"file", std::string("none.txt")}}, 1, folder_.path());
    FAIL();
  } catch (const InputError& e) {
    EXPECT_EQ(dynamic_cast<const DataFileError*>(&e), nullptr);
  }
}

// ---- Packet files

const char* const header = "cycle,source,destination,flits\n";

TEST_F(Files, PacketsAreOrderedByCycleAndSource) {
  const auto traffic = make("packets", std::string(header) + "7,2,0,3\n0,3,1,1\r\n7,1,1,2\n\n7,2,3,1\n", m22_);
  const std::vector<Packet> expected = {{3, 1, 1, 0}, {1, 1, 2, 7}, {2, 0, 3, 7}, {2, 3, 1, 7}};
  EXPECT_EQ(packets_until(*traffic, 8, 8), expected);
  for (const Step cut : {1, 2, 3}) EXPECT_EQ(packets_until(*traffic, 20, cut), expected);
  EXPECT_EQ(packets_until(*traffic, 7, 7).size(), 1u);
  EXPECT_EQ(traffic->next_creation(0), 0);
  EXPECT_EQ(traffic->next_creation(1), 7);
  EXPECT_EQ(traffic->next_creation(7), 7);
  EXPECT_EQ(traffic->next_creation(8), no_step);
  EXPECT_EQ(traffic->end(), 8);
  EXPECT_FALSE(traffic->open_loop());
}

TEST_F(Files, PacketsHaveClasses) {
  const auto read = [this](const std::string& rows, std::size_t classes) {
    folder_.write("p.csv", "cycle,source,destination,flits,class\n" + rows);
    TrafficContext context;
    context.processors = processors_of(network_of(m22_));
    context.folder = folder_.path();
    context.classes.resize(classes);
    return read_packet_file(context, "p.csv")->packets()->list();
  };
  const std::vector<Packet> packets = read("7,2,0,3,2\n0,3,1,1,0\n", 3);
  ASSERT_EQ(packets.size(), 2u);
  EXPECT_EQ(packets[1].traffic_class, 2);
  EXPECT_EQ(packets[0].traffic_class, 0);
  const auto fault = [&](const char* row, std::size_t classes) { return input_error([&] { read(row, classes); }); };
  EXPECT_EQ(fault("0,0,1,1,3\n", 3), "p.csv:2:9: class: 3 is more than 2, the number of the last of traffic.classes");
  EXPECT_EQ(fault("0,0,1,1,-1\n", 3),
            "p.csv:2:9: class: -1 is less than 0, the number of the first of traffic.classes");
  EXPECT_EQ(fault("0,0,1,1,x\n", 3),
            "p.csv:2:9: class: 'x' is neither the number nor the name of one of traffic.classes");
  EXPECT_EQ(fault("0,0,1,1,1\n", 0),
            "p.csv:2:9: class: 1 is more than 0, because the experiment has no traffic.classes");
  EXPECT_EQ(fault("0,0,1,1\n", 3), "p.csv:2:1: a row has 5 cells (cycle,source,destination,flits,class), not 4");
}

TEST_F(Files, PacketFileWithSubnets) {
  const auto read = [&](const std::string& text, int subnets) {
    folder_.write("p.csv", "cycle,source,destination,flits" + text);
    TrafficContext context;
    context.processors = processors_of(network_of(m22_));
    context.folder = folder_.path();
    context.classes.resize(2);
    context.subnets = subnets;
    return read_packet_file(context, "p.csv")->packets()->list();
  };
  EXPECT_EQ(read(",subnet\n7,2,0,3,2\n", 3)[0].subnet, 2);
  const std::vector<Packet> packets = read(",class,subnet\n7,2,0,3,1,2\n0,3,1,1,0,0\n", 3);
  ASSERT_EQ(packets.size(), 2u);
  EXPECT_EQ(packets[1].traffic_class, 1);
  EXPECT_EQ(packets[1].subnet, 2);
  EXPECT_EQ(packets[0].subnet, 0);
  EXPECT_EQ(read("\n7,2,0,3\n", 3)[0].subnet, -1) << "that of its class";
  const auto fault = [&](const char* text, int subnets) { return input_error([&] { read(text, subnets); }); };
  {
    TrafficContext context;
    context.processors = processors_of(network_of(m22_));
    context.folder = folder_.path();
    context.classes.resize(1);
    context.classes[0].name = "ask";
    context.classes[0].reply = ReplyRules{1, 1, 0, 0, 4};
    context.classes[0].subnet = 1;
    context.subnets = 2;
    folder_.write("p.csv", "cycle,source,destination,flits,class,subnet\n0,0,1,1,0,1\n0,0,1,1,0,0\n");
    EXPECT_EQ(input_error([&] { read_packet_file(context, "p.csv"); }),
              "p.csv:3:11: subnet: 0 is not 1, the subnet of class ask, which has reply.places");
  }
  EXPECT_EQ(fault(",subnet\n0,0,1,1,3\n", 3), "p.csv:2:9: subnet: 3 is more than 2");
  EXPECT_EQ(fault(",class,subnet\n0,0,1,1,0,-1\n", 3), "p.csv:2:11: subnet: -1 is less than 0");
  EXPECT_EQ(fault(",subnet\n0,0,1,1,1\n", 1),
            "p.csv:2:9: subnet: 1 is more than 0, because the network has no subnets; set network.subnets");
  EXPECT_EQ(
      fault(",subnet,subnet\n", 3),
      "p.csv:1:1: the header is cycle,source,destination,flits, then any of id, after, delay, class, flow, deadline, "
      "subnet, not 'cycle,source,destination,flits,subnet,subnet'");
  EXPECT_EQ(fault(",class,subnet\n0,0,1,1,0\n", 3),
            "p.csv:2:1: a row has 6 cells (cycle,source,destination,flits,class,subnet), not 5");
}

TEST_F(Files, NoPacketsAtAll) {
  const auto traffic = make("packets", "cycle,source,destination,flits", m22_);
  EXPECT_EQ(traffic->next_creation(0), no_step);
  EXPECT_EQ(traffic->end(), 0);
}

TEST_F(Files, PacketFileRefusals) {
  const auto rows = [&](const std::string& text) { return error("packets", "p.csv", header + text, m22_); };
  EXPECT_EQ(
      error("packets", "p.csv", "cycle,src,dst,flits\n0,0,1,1\n", m22_),
      "p.csv:1:1: the header is cycle,source,destination,flits, then any of id, after, delay, class, flow, deadline, "
      "subnet, not 'cycle,src,dst,flits'");
  EXPECT_EQ(
      error("packets", "p.csv", "", m22_),
      "p.csv:1:1: the header is cycle,source,destination,flits, then any of id, after, delay, class, flow, deadline, "
      "subnet, not ''");
  EXPECT_EQ(rows("0,0,1\n"), "p.csv:2:1: a row has 4 cells (cycle,source,destination,flits), not 3");
  EXPECT_EQ(rows("0,0,1,1,\n"), "p.csv:2:1: a row has 4 cells (cycle,source,destination,flits), not 5");
  EXPECT_EQ(rows("zero,0,1,1\n"), "p.csv:2:1: cycle: 'zero' is not an integer");
  EXPECT_EQ(rows("-1,0,1,1\n"), "p.csv:2:1: cycle: -1 is less than 0");
  EXPECT_EQ(rows("10,4,1,1\n"), "p.csv:2:4: source: 4 is not a node: nodes are 0 to 3");
  EXPECT_EQ(rows("10,,1,1\n"), "p.csv:2:4: source: '' is not an integer");
  EXPECT_EQ(rows("10,0,1 ,1\n"), "p.csv:2:6: destination: '1 ' is not an integer");
  EXPECT_EQ(rows("10,0,9,1\n"), "p.csv:2:6: destination: 9 is not a node: nodes are 0 to 3");
  EXPECT_EQ(rows("10,0,,1\n"), "p.csv:2:6: an empty destination is a broadcast, and broadcast needs pops");
  EXPECT_EQ(rows("10,0,1,0\n"), "p.csv:2:8: flits: 0 is less than 1");
  EXPECT_EQ(rows("10,0,1,3000000000\n"), "p.csv:2:8: flits: 3000000000 is more than 2147483647");
  EXPECT_EQ(rows("0,0,1,1\n-1,7,1,x\n0\n"),
            "p.csv:3:1: cycle: -1 is less than 0\n"
            "p.csv:3:4: source: 7 is not a node: nodes are 0 to 3\n"
            "p.csv:3:8: flits: 'x' is not an integer\n"
            "p.csv:4:1: a row has 4 cells (cycle,source,destination,flits), not 1");
}

TEST_F(Files, PacketsMayWaitForOthers) {
  const std::string columns = "cycle,source,destination,flits,id,after,delay,flow\n";
  const auto traffic =
      make("packets", columns + "0,0,1,4,7,,,first\n5,1,1,0,8,9 7,2,\n0,2,3,1,9,,,first\n0,3,0,9,,8,,\n", m22_,
           {{"packet", std::int64_t{4}}});
  EXPECT_EQ(traffic->next_creation(0), no_step);
  EXPECT_EQ(traffic->packet_count(), 5);
  const std::unique_ptr<Workload> workload = traffic->workload();
  ASSERT_NE(workload, nullptr);
  EXPECT_EQ(workload->message_count(), 3);
  EXPECT_EQ(workload->longest_message(), 9);
  EXPECT_EQ(workload->longest_packet(), 4);
  EXPECT_EQ(workload->depth(), 3);
  std::vector<NewMessage> messages;
  workload->create(0, messages);
  ASSERT_EQ(messages.size(), 2u);
  EXPECT_EQ(workload->flow(messages[0].of_input), "first");
  workload->delivered(1, 3);
  workload->delivered(0, 8);
  ASSERT_EQ(workload->next_creation(), 10);
  workload->create(10, messages);
  EXPECT_EQ(workload->flow(messages[2].of_input), "3->0");
  EXPECT_EQ(messages[2].released_by, 0);
  // Columns may come in any order, and without them the packets are a list.
  EXPECT_NE(make("packets", "cycle,source,destination,flits,delay\n0,0,1,1,3\n", m22_)->workload(), nullptr);
  EXPECT_NE(make("packets", "cycle,source,destination,flits,after,id\n0,0,1,1,,3\n", m22_)->workload(), nullptr);
  EXPECT_EQ(make("packets", std::string(header) + "0,0,1,1\n", m22_)->workload(), nullptr);
}

TEST_F(Files, DependencyRefusals) {
  const auto rows = [&](const std::string& text) {
    return error("packets", "deps.csv", "cycle,source,destination,flits,id,after,delay\n" + text, m22_);
  };
  EXPECT_EQ(rows("0,0,1,1,8,9,\n0,0,1,1,9,10,\n0,0,1,1,10,8 11,\n0,0,1,1,11,,\n"),
            "deps.csv:2:1: cyclic dependency: 8 (line 2) after 9 (line 3) after 10 (line 4) after 8");
  EXPECT_EQ(rows("0,0,1,1,8,8,\n"), "deps.csv:2:1: cyclic dependency: 8 (line 2) after 8");
  EXPECT_EQ(rows("0,0,1,1,8,,\n0,0,1,1,9,8 99,\n"), "deps.csv:3:13: after: 99 is not the id of a row");
  EXPECT_EQ(rows("0,0,1,1,8,,\n0,0,1,1,9,8  x,-1\n"),
            "deps.csv:3:13: after: '' is not an integer\n"
            "deps.csv:3:14: after: 'x' is not an integer\n"
            "deps.csv:3:16: delay: -1 is less than 0");
  EXPECT_EQ(rows("0,0,1,1,8,,\n\n0,0,1,1,8,,\n"), "deps.csv:4:9: id: 8 is the id of line 2");
  EXPECT_EQ(rows("0,0,1,1,-8,,\n"), "deps.csv:2:9: id: -8 is less than 0");
  EXPECT_EQ(rows("0,0,1,1,9223372036854775808,,\n"), "deps.csv:2:9: id: '9223372036854775808' is not an integer");
  EXPECT_EQ(rows("0,0,0,0,,,\n"), "deps.csv:2:9: id: a row of 0 flits is an event, which needs an id");
  EXPECT_EQ(rows("0,0,0,00,,,\n"), "deps.csv:2:10: id: a row of 0 flits is an event, which needs an id");
  EXPECT_EQ(rows("0,0,2,0,1,,\n"),
            "deps.csv:2:5: destination: 2 is not the source, but a row of 0 flits is an event at one node");
  EXPECT_EQ(rows("0,0,9,1,1,,\n0,0,1,1,,1,\n"), "deps.csv:2:5: destination: 9 is not a node: nodes are 0 to 3")
      << "the other row names an id that is there";
  EXPECT_EQ(error("packets", "d.csv", "cycle,source,destination,flits,after\n", m22_),
            "d.csv:1:32: after needs the column id, which names the rows to wait for");
}

// ---- Application graphs

Keys steps(std::int64_t count, std::int64_t flits = 1) { return {{"steps", count}, {"flits", flits}}; }

TEST_F(Files, ApplicationSendsWhenABytesWorthIsThere) {
  // 10^9 bytes/s are 1 byte a step; a packet of 2 flits of 4 bytes costs 8.
  const std::string graph =
      "tasks: [a, b, c]\n"
      "edges:\n"
      "  - {from: b, to: a, bandwidth: 1000}\n"
      "  - {from: a, to: c, bandwidth: 20000}\n"
      "  - {from: a, to: b, bandwidth: 3e3}\n"
      "mapping: [3, 1, 0]\n";
  Units units;
  units.flit_bytes = 4;
  const auto traffic = make("application", graph, m22_, steps(8, 2), units);
  // Edge 0: steps 7. Edge 1: 20 bytes per step, 2 or 3 packets in every step. Edge 2: 9 bytes after step 2, 18 after
  // 5, 24 after 7.
  const std::vector<Packet> all = packets_until(*traffic, 100, 100);
  std::vector<Packet> edge_0, edge_2;
  std::vector<int> edge_1(8);
  for (const Packet& packet : all) {
    if (packet.source == 1) edge_0.push_back(packet);
    else if (packet.destination == 1) edge_2.push_back(packet);
    else ++edge_1[static_cast<std::size_t>(packet.created)];
  }
  EXPECT_EQ(edge_0, (std::vector<Packet>{{1, 3, 2, 7}}));
  EXPECT_EQ(edge_1, (std::vector<int>{2, 3, 2, 3, 2, 3, 2, 3}));
  EXPECT_EQ(edge_2, (std::vector<Packet>{{3, 1, 2, 2}, {3, 1, 2, 5}, {3, 1, 2, 7}}));
  // Step 7 in full: by source, node 1 before node 3, there in the order of the edges.
  EXPECT_EQ(std::vector<Packet>(all.end() - 5, all.end()),
            (std::vector<Packet>{{1, 3, 2, 7}, {3, 0, 2, 7}, {3, 0, 2, 7}, {3, 0, 2, 7}, {3, 1, 2, 7}}));
  for (const Step cut : {1, 3}) EXPECT_EQ(packets_until(*traffic, 100, cut), all);
  EXPECT_TRUE(traffic->open_loop());
  EXPECT_FALSE(traffic->phases());
  EXPECT_EQ(traffic->end(), 8);
}

TEST_F(Files, ApplicationKnowsItsNextPacket) {
  const std::string graph = "tasks: 2\nedges: [{from: 0, to: 1, bandwidth: 100}, {from: 1, to: 0, bandwidth: 0}]\n";
  // 0.1 bytes per step and 16 bytes per flit: a packet every 160 steps, at 159, 319, ...; below step 480 two, 479 the
  // third.
  const auto traffic = make("application", graph, m22_, steps(480));
  EXPECT_EQ(traffic->next_creation(0), 159);
  EXPECT_EQ(traffic->next_creation(159), 159);
  EXPECT_EQ(traffic->next_creation(160), 319);
  EXPECT_EQ(traffic->next_creation(320), 479);
  EXPECT_EQ(traffic->next_creation(480), no_step);
  EXPECT_EQ(traffic->end(), 480);
  const auto shorter = make("application", graph, m22_, steps(479));
  EXPECT_EQ(shorter->next_creation(320), no_step);
  EXPECT_EQ(shorter->end(), 320);
  const auto scaled = make("application", graph, m22_, {{"steps", std::int64_t{480}}, {"scale", 10.0}});
  EXPECT_EQ(scaled->next_creation(0), 15);
  Units slow;
  slow.clock_ns = 2.5;
  EXPECT_EQ(make("application", graph, m22_, steps(480), slow)->next_creation(0), 63);
  const auto silent = make("application", graph, m22_, {{"steps", std::int64_t{480}}, {"scale", 0.0}});
  EXPECT_EQ(silent->next_creation(0), no_step);
  EXPECT_EQ(silent->end(), 0);
}

// The accumulator of the definition, step by step.
TEST_F(Files, ApplicationIsTheAccumulator) {
  const double bandwidths[] = {0.7, 123.456, 16, 333.333, 5000};
  std::string graph = "tasks: 6\nmapping: [5, 4, 3, 2, 1, 0]\nedges:\n";
  for (int i = 0; i < 5; ++i)
    graph += "  - {from: " + std::to_string(i) + ", to: 5, bandwidth: " + std::to_string(bandwidths[i]) + "}\n";
  Units units;
  units.clock_ns = 0.8;
  Keys keys = steps(3000, 3);
  keys["scale"] = 1.7;
  const auto traffic = make("application", graph, Grid::mesh({2, 3}), keys, units);
  std::vector<Packet> expected;
  std::int64_t stored[5] = {};
  for (Step t = 0; t < 3000; ++t)
    for (int i = 4; i >= 0; --i) {  // by source: task 4 is on node 1
      stored[i] += std::llround(bandwidths[i] * 1.7 * 0.8 * 1e6);
      for (; stored[i] >= 48'000'000'000; stored[i] -= 48'000'000'000) expected.push_back({5 - i, 0, 3, t});
    }
  EXPECT_GT(expected.size(), 400u);
  EXPECT_EQ(packets_until(*traffic, 4000, 7), expected);
  EXPECT_EQ(packets_until(*traffic, 4000, 4000), expected);
}

TEST_F(Files, ApplicationPlacesTasks) {
  // b has the greatest bandwidth (30 + 5) and takes the centre, node 4; a (30) the lowest node beside it, 1; c the
  // next, 3. d has no traffic and takes the free node nearest to the centre.
  const std::string graph =
      "tasks: [a, b, c, d]\nedges: [{from: a, to: b, bandwidth: 30000}, {from: c, to: b, bandwidth: 5000}]\n";
  const auto traffic = make("application", graph, Grid::mesh({3, 3}), steps(4));
  const std::vector<Packet> packets = packets_until(*traffic, 4, 4);
  ASSERT_FALSE(packets.empty());
  for (const Packet& packet : packets) {
    EXPECT_EQ(packet.destination, 4);
    EXPECT_TRUE(packet.source == 1 || packet.source == 3);
  }
  EXPECT_EQ(packets.back().source, 3);
}

TEST_F(Files, PublishedApplicationsRun) {
  for (const char* name : {"vopd", "mpeg4", "mwd"}) {
    const Keys keys = {{"file", std::string(name) + ".yaml"}, {"steps", std::int64_t{2000}}};
    const auto traffic =
        make_traffic("application", Grid::mesh({4, 4}), keys, 1, (testbenches() / "applications").string());
    // Bandwidth of all edges x 2 microseconds / 16 bytes, less what stays in the accumulators.
    const double all = name == std::string("vopd") ? 3731 : name == std::string("mpeg4") ? 2380 : 1120;
    const auto packets = static_cast<double>(packets_until(*traffic, 2000, 2000).size());
    EXPECT_LE(packets, all * 2000 / 16000);
    EXPECT_GT(packets, all * 2000 / 16000 - 26);
  }
}

class Graphs : public Files {
 protected:
  std::string graph_error(const std::string& text, const Grid& grid) {
    return error("application", "g.yaml", text, grid, {{"steps", std::int64_t{10}}});
  }
  std::string graph_error(const std::string& text) { return graph_error(text, m22_); }
};

TEST_F(Graphs, MustBeMappingsOfKnownKeys) {
  EXPECT_EQ(graph_error(""), "g.yaml:1:1: an application graph has the keys tasks and edges, not nothing");
  EXPECT_EQ(graph_error("hello\n"), "g.yaml:1:1: an application graph has the keys tasks and edges, not 'hello'");
  EXPECT_EQ(graph_error(",").substr(0, 9), "g.yaml:1:");
  EXPECT_EQ(graph_error("tasks: 2\n"),
            "g.yaml:1:1: the key edges is missing: an application graph has the keys tasks and edges");
  EXPECT_EQ(graph_error("tasks: 2\nedge: []\nedges: []\n"), "g.yaml:2:1: unknown key 'edge' (did you mean edges?)");
  EXPECT_EQ(graph_error("tasks: 2\nedges: []\ntasks: 3\n"), "g.yaml:3:1: the key tasks is given twice");
  EXPECT_EQ(graph_error("tasks: 2\nedges: []\n---\na: 1\n"), "g.yaml:3:1: the file holds more than one YAML document");
  EXPECT_EQ(graph_error("tasks: 2\nedges: [\n"), "g.yaml:3:1: not YAML: end of sequence flow not found");
  EXPECT_EQ(graph_error("tasks: 2\nedges:\n\t- {from: 0, to: 1, bandwidth: 1}\n"),
            "g.yaml:3:1: a tab at the beginning of the line; YAML allows only spaces there");
}

TEST_F(Graphs, CheckTheirTasks) {
  EXPECT_EQ(graph_error("tasks: many\nedges: []\n"), "g.yaml:1:8: tasks is an integer or a list of names, not 'many'");
  EXPECT_EQ(graph_error("tasks: \"2\"\nedges: []\n"), "g.yaml:1:8: tasks is an integer or a list of names, not '2'");
  EXPECT_EQ(graph_error("tasks: 0\nedges: []\n"), "g.yaml:1:8: an application has at least 1 task");
  EXPECT_EQ(graph_error("tasks: 5\nedges: []\n"), "g.yaml:1:8: 5 tasks do not fit on 4 nodes: a node runs one task");
  EXPECT_EQ(graph_error("tasks: [a, b, a]\nedges: []\n"), "g.yaml:1:15: the task a is given twice");
  EXPECT_EQ(graph_error("tasks: [a, [b]]\nedges: []\n"), "g.yaml:1:12: a task is a name, not a list");
}

TEST_F(Graphs, CheckTheirEdges) {
  const auto edge = [&](const std::string& text) {
    return graph_error("tasks: [vld, idct]\nedges:\n  - " + text + "\n");
  };
  EXPECT_EQ(graph_error("tasks: 2\nedges: 3\n"), "g.yaml:2:8: edges is a list, not '3'");
  EXPECT_EQ(edge("12"), "g.yaml:3:5: an edge is {from, to, bandwidth}, not '12'");
  EXPECT_EQ(edge("{from: vdl, to: idct, bandwidth: 1}"), "g.yaml:3:12: vdl is not a task (did you mean vld?)");
  EXPECT_EQ(edge("{from: vld, to: memory, bandwidth: 1}"), "g.yaml:3:21: memory is not a task");
  EXPECT_EQ(edge("{from: vld, to: [idct], bandwidth: 1}"), "g.yaml:3:21: to is a task, not a list");
  EXPECT_EQ(edge("{from: vld, to: vld, bandwidth: 1}"), "g.yaml:3:5: the edge leads from task vld to itself");
  EXPECT_EQ(edge("{from: vld, to: idct}"), "g.yaml:3:5: the edge lacks the key bandwidth");
  EXPECT_EQ(
      edge("{from: vld, to: idct, bandwith: 1}"),
      "g.yaml:3:5: the edge lacks the key bandwidth\ng.yaml:3:27: unknown key 'bandwith' (did you mean bandwidth?)");
  EXPECT_EQ(edge("{from: vld, to: idct, to: idct, bandwidth: 1}"), "g.yaml:3:27: the key to is given twice");
  EXPECT_EQ(edge("{from: vld, to: idct, bandwidth: -1.5}"), "g.yaml:3:38: bandwidth -1.5 is negative");
  EXPECT_EQ(edge("{from: vld, to: idct, bandwidth: fast}"),
            "g.yaml:3:38: bandwidth is a number in 10^6 bytes/s, not 'fast'");
  EXPECT_EQ(edge("{from: vld, to: idct, bandwidth: inf}"),
            "g.yaml:3:38: bandwidth is a number in 10^6 bytes/s, not 'inf'");
  EXPECT_EQ(graph_error("tasks: 2\nedges: [{from: 0, to: 2, bandwidth: 1}]\n"),
            "g.yaml:2:23: 2 is not a task: tasks are 0 to 1");
}

TEST_F(Graphs, CheckTheirMapping) {
  const auto mapping = [&](const std::string& text) {
    return graph_error("tasks: [a, b, c]\nedges: []\nmapping: " + text + "\n");
  };
  EXPECT_EQ(mapping("7"), "g.yaml:3:10: mapping is a list of one node per task, not '7'");
  EXPECT_EQ(mapping("[0, 1]"), "g.yaml:3:10: mapping has 2 nodes for 3 tasks");
  EXPECT_EQ(mapping("[0, 1, 2, 3]"), "g.yaml:3:10: mapping has 4 nodes for 3 tasks");
  EXPECT_EQ(mapping("[0, 4, 2]"), "g.yaml:3:14: mapping of task b: 4 is not a node: nodes are 0 to 3");
  EXPECT_EQ(mapping("[0, x, 2]"), "g.yaml:3:14: mapping of task b: 'x' is not an integer");
  EXPECT_EQ(mapping("[0, [1], 2]"), "g.yaml:3:14: mapping of task b: a list is not an integer");
  EXPECT_EQ(mapping("[3, 1, 3]"), "g.yaml:3:17: task c is mapped to node 3, which runs task a already");
}

TEST_F(Graphs, FaultsComeTogetherInOrder) {
  EXPECT_EQ(graph_error("mapping: [9]\nedges:\n  - {from: 0, to: 7, bandwidth: x}\ntasks: 2\nspeed: 3\n"),
            "g.yaml:1:10: mapping has 1 nodes for 2 tasks\n"
            "g.yaml:1:11: mapping of task 0: 9 is not a node: nodes are 0 to 3\n"
            "g.yaml:3:19: 7 is not a task: tasks are 0 to 1\n"
            "g.yaml:3:33: bandwidth is a number in 10^6 bytes/s, not 'x'\n"
            "g.yaml:5:1: unknown key 'speed'");
}

TEST_F(Graphs, NumbersMustFitTheAccumulator) {
  const std::string graph = "tasks: [a, b]\nedges: [{from: a, to: b, bandwidth: 1e20}]\n";
  EXPECT_EQ(
      graph_error(graph),
      "the edge from a to b has more than 16384 bytes per step, more than a node can send; lower scale or clock_ns");
  EXPECT_EQ(error("application", "g.yaml", "tasks: 1\nedges: []\n", m22_,
                  {{"steps", std::int64_t{10}}, {"flits", std::int64_t{2000000000}}}),
            "a packet of 2000000000 flits of 16 bytes is more than 4000000000 bytes");
}

}  // namespace
}  // namespace starloom
