// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <functional>
#include <limits>
#include <stdexcept>

#include <starloom/support/atomic_file.hpp>
#include <starloom/support/error.hpp>
#include <starloom/topology/express_mesh.hpp>
#include <starloom/topology/fat_tree.hpp>
#include <starloom/topology/network_graph_builder.hpp>
#include <starloom/trace_io/links/network_json.hpp>
#include <starloom/trace_io/links/trace_reader.hpp>
#include <starloom/trace_io/links/trace_writer.hpp>
#include <starloom/trace_io/links/transactions_csv.hpp>
#include <starloom/trace_io/packets_csv.hpp>
#include "gzip.hpp"
#include "sample_traces.hpp"
#include "scratch_folder.hpp"
#include "support/networks.hpp"

namespace starloom::links {
namespace {

using Event = TraceEvent;

std::vector<std::vector<TraceRow>> by_step(const std::vector<TraceRow>& rows) {
  std::vector<std::vector<TraceRow>> steps;
  for (const TraceRow& row : rows) {
    if (steps.empty() || steps.back().front().step != row.step) steps.emplace_back();
    steps.back().push_back(row);
  }
  return steps;
}

void write_trace(const std::filesystem::path& file, const std::vector<TraceRow>& rows, TraceWindow window = {}) {
  TraceWriter writer(file, window);
  for (const auto& step : by_step(rows)) writer.rows(step);
  writer.close();
}

std::vector<std::vector<TraceRow>> read_trace(const std::filesystem::path& file) {
  TraceReader reader(file);
  std::vector<std::vector<TraceRow>> steps;
  for (std::vector<TraceRow> rows; reader.next(rows);) steps.push_back(rows);
  return steps;
}

/// The text of the fault that reading ends in, without the folder.
std::string error(const ScratchFolder& folder, const std::function<void()>& read) {
  try {
    read();
  } catch (const InputError& error) {
    std::string text = error.what();
    const std::string prefix = folder.path().string() + "/";
    EXPECT_EQ(text.rfind(prefix, 0), 0u) << text;
    return text.substr(std::min(text.size(), prefix.size()));
  }
  return "";
}

constexpr const char* header = "step,event,packet,flit,node,port,to\n";

TEST(AtomicFile, WritesInPlaceWhereNothingCanBeAside) {
  for (const char* file : {"/dev/null", "/dev/stdout", "/proc/self/fd/1"}) EXPECT_EQ(AtomicFile(file).path(), file);
  // Files in the memory of the machine are files.
  EXPECT_NE(AtomicFile("/dev/shm/starloom_plan.json").path(), "/dev/shm/starloom_plan.json");
}

TEST(TraceWriter, WritesTheExampleOfTheInterface) {
  const ScratchFolder folder;
  write_trace(folder.file("trace.csv"), {{0, Event::inject, 0, 0, 0, -1, -1},
                                         {0, Event::inject, 1, 0, 1, -1, -1},
                                         {0, Event::hop, 0, 0, 0, 1, 1},
                                         {0, Event::hop, 1, 0, 1, 1, 2},
                                         {1, Event::hop, 0, 0, 1, 1, 2},
                                         {1, Event::eject, 1, 0, 2, -1, -1},
                                         {2, Event::eject, 0, 0, 2, -1, -1}});
  EXPECT_EQ(
      folder.read("trace.csv"),
      "step,event,packet,flit,node,port,to\n0,inject,0,0,0,,\n0,inject,1,0,1,,\n0,hop,0,0,0,1,1\n0,hop,1,0,1,1,2\n"
      "1,hop,0,0,1,1,2\n1,eject,1,0,2,,\n2,eject,0,0,2,,\n");
}

TEST(TraceWriter, WritesControlsAndGreatNumbers) {
  const ScratchFolder folder;
  const std::int32_t most = std::numeric_limits<std::int32_t>::max();
  write_trace(folder.file("trace.csv"), {{7, Event::store, 1, 2, 3, -1, -1},
                                         {7, Event::key, -1, -1, 4, 0, 5},
                                         {7, Event::token, -1, -1, 4, 1, 5},
                                         {123456789012345678, Event::hop, most, most, most, 31, most}});
  EXPECT_EQ(folder.read("trace.csv"), std::string(header) +
                                          "7,store,1,2,3,,\n7,key,,,4,0,5\n7,token,,,4,1,5\n"
                                          "123456789012345678,hop,2147483647,2147483647,2147483647,31,2147483647\n");
  EXPECT_EQ(read_trace(folder.file("trace.csv")).at(1).at(0).packet, most);
}

TEST(TraceWriter, WindowIncludesItsFirstStepAndNotItsLast) {
  const ScratchFolder folder;
  const SampleRun run = links_only_sample();
  write_trace(folder.file("trace.csv"), run.rows, {2, 5});
  std::vector<Step> steps;
  for (const auto& rows : read_trace(folder.file("trace.csv"))) steps.push_back(rows.front().step);
  EXPECT_THAT(steps, testing::ElementsAre(2, 3, 4));
  write_trace(folder.file("trace.csv"), run.rows, {6, no_step});
  EXPECT_EQ(read_trace(folder.file("trace.csv")).size(), 3u);
  write_trace(folder.file("trace.csv"), run.rows, {5, 5});
  EXPECT_EQ(folder.read("trace.csv"), header);
}

TEST(TraceWriter, ReportsWhatCannotBeWritten) {
  const ScratchFolder folder;
  EXPECT_THROW(TraceWriter(folder.file("missing/trace.csv")), OutputError);
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "this system has no /dev/full";
  const std::vector<TraceRow> rows(1000, TraceRow{1, Event::hop, 1, 0, 1, 1, 2});
  TraceWriter small("/dev/full");
  small.rows(rows);
  EXPECT_THROW(small.close(), OutputError);
  // More than the buffer: detected before the end.
  TraceWriter great("/dev/full");
  EXPECT_THROW(for (int i = 0; i < 1000; ++i) great.rows(rows), OutputError);
}

TEST(TraceReader, ReadsWhatWasWritten) {
  const ScratchFolder folder;
  for (const SampleRun& run : {store_and_forward_sample(Grid::torus({8, 8}), 3, 2), links_only_sample(),
                               never_standing_sample(), virtual_channels_sample()}) {
    write_trace(folder.file("trace.csv"), run.rows);
    EXPECT_EQ(read_trace(folder.file("trace.csv")), by_step(run.rows));
    folder.write("trace.csv.gz", gzip(folder.read("trace.csv")));
    EXPECT_EQ(read_trace(folder.file("trace.csv.gz")), by_step(run.rows));
  }
}

TEST(TraceReader, ReadsFilesLongerThanItsBuffer) {
  const ScratchFolder folder;
  std::vector<TraceRow> rows;
  for (std::int32_t i = 0; i < 50'000; ++i) rows.push_back({i / 7, Event::hop, i, i % 3, i * 31 % 9973, i % 4, i});
  write_trace(folder.file("trace.csv"), rows);
  ASSERT_GT(std::filesystem::file_size(folder.file("trace.csv")), 1u << 20);
  EXPECT_EQ(read_trace(folder.file("trace.csv")), by_step(rows));
  folder.write("trace.csv.gz", gzip(folder.read("trace.csv")));
  EXPECT_EQ(read_trace(folder.file("trace.csv.gz")), by_step(rows));
}

TEST(TraceReader, SkipsToAStepOfALongFile) {
  const ScratchFolder folder;
  std::string rows_of_steps;
  for (int step = 1; step < 70'000; ++step)
    rows_of_steps += fmt::format("{},hop,1,0,{},1,2\n{},eject,1,0,2,,\n", step, step % 9, step);
  std::vector<TraceRow> rows;
  // Skipped rows are not read.
  TraceReader damaged(
      folder.write("trace.csv", header + ("0,hop,0,0,0,1,1\n0,damaged\n" + rows_of_steps + "70000,hop\n")));
  damaged.skip_to(69'000);
  ASSERT_TRUE(damaged.next(rows));
  EXPECT_LT(rows.front().step, 69'000);
  while (rows.front().step < 69'000) ASSERT_TRUE(damaged.next(rows));
  EXPECT_EQ(rows.front().step, 69'000);
  EXPECT_EQ(rows.size(), 2u);
  EXPECT_EQ(error(folder,
                  [&] {
                    while (damaged.next(rows)) continue;
                  }),
            "trace.csv:140002:10: the line has too few cells");
  for (const Step step : {0, 1, 20'000, 69'999, 1'000'000}) {
    TraceReader sound(folder.write("trace.csv", header + rows_of_steps));
    sound.skip_to(step);
    ASSERT_TRUE(sound.next(rows));
    EXPECT_LE(rows.front().step, std::max<Step>(1, step));
  }
  TraceReader packed(folder.write("trace.csv.gz", gzip(header + rows_of_steps)));
  packed.skip_to(69'000);
  ASSERT_TRUE(packed.next(rows));
  EXPECT_EQ(rows.front().step, 1) << "a packed trace is read from its beginning";
}

TEST(TraceReader, AHeaderAloneIsAnEmptyTrace) {
  const ScratchFolder folder;
  EXPECT_TRUE(read_trace(folder.write("trace.csv", header)).empty());
}

TEST(TraceReader, LeavesOrderAndSenseToTheReferee) {
  const ScratchFolder folder;
  const auto steps =
      read_trace(folder.write("trace.csv", std::string(header) + "3,inject,,,,7,\n1,key,5,5,,,\n1,hop,,,,,\n"));
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[0][0], (TraceRow{3, Event::inject, -1, -1, -1, 7, -1}));
  EXPECT_EQ(steps[1].size(), 2u);
}

TEST(TraceReader, NamesThePlaceOfEveryFault) {
  const ScratchFolder folder;
  const auto said = [&folder](const std::string& text) {
    const auto file = folder.write("trace.csv", text);
    return error(folder, [&] { read_trace(file); });
  };
  const std::string good = std::string(header) + "0,inject,0,0,0,,\n";
  EXPECT_EQ(said(""),
            "trace.csv:1:1: the file is empty; it begins with the line 'step,event,packet,flit,node,port,to' or "
            "'step,event,packet,flit,node,port,to,channel'");
  EXPECT_EQ(said("step,event\n"),
            "trace.csv:1:1: the first line must be 'step,event,packet,flit,node,port,to' or "
            "'step,event,packet,flit,node,port,to,channel'");
  EXPECT_EQ(said("slot,event,processor,source_group,destination_group,kind,packet\n"),
            "trace.csv:1:1: the first line must be 'step,event,packet,flit,node,port,to' or "
            "'step,event,packet,flit,node,port,to,channel'");
  EXPECT_EQ(said("step,event,packet,flit,node,port,to\r\n0,inject,0,0,0,,\r\n"),
            "trace.csv:1:1: lines end in CR LF, as git on Windows or a zip made them; write them with LF");
  EXPECT_EQ(said(good + "1,jump,0,0,0,,\n"),
            "trace.csv:3:3: 'jump' is not an event (inject, hop, eject, store, key, token, drop)");
  EXPECT_EQ(said(good + "1,,0,0,0,,\n"),
            "trace.csv:3:3: '' is not an event (inject, hop, eject, store, key, token, drop)");
  EXPECT_EQ(said(good + ",hop,0,0,0,1,1\n"), "trace.csv:3:1: a number is missing");
  EXPECT_EQ(said(good + "1,hop,x,0,0,1,1\n"), "trace.csv:3:7: 'x' is not a number");
  EXPECT_EQ(said(good + "1,hop,-1,0,0,1,1\n"), "trace.csv:3:7: '-1' is not a number");
  EXPECT_EQ(said(good + "1,hop,0,01,0,1,1\n"), "trace.csv:3:9: '01' is not a number");
  EXPECT_EQ(said(good + "1,hop,0, 1,0,1,1\n"), "trace.csv:3:9: ' 1' is not a number");
  EXPECT_EQ(said(good + "1,hop,0,0,0,1,1\r\n"), "trace.csv:3:15: '1\\x0d' is not a number");
  EXPECT_EQ(said(good + "1,hop,2147483648,0,0,1,1\n"), "trace.csv:3:7: 2147483648 is greater than 2147483647");
  EXPECT_EQ(said(good + "99999999999999999999,hop,0,0,0,1,1\n"),
            "trace.csv:3:1: '99999999999999999999' is not a number");
  EXPECT_EQ(said(good + "1,hop,0,0,0,1\n"), "trace.csv:3:14: the line has too few cells");
  EXPECT_EQ(said(good + "1,hop,0,0,0,1,1,\n"), "trace.csv:3:17: the line has too many cells");
  EXPECT_EQ(said(good + "\n"), "trace.csv:3:1: a number is missing");
  EXPECT_EQ(said(good + "1,hop,0,0,0,1,1"), "trace.csv:3:1: the file ends within this line");
  EXPECT_EQ(said(good + "1,\"hop\",0,0,0,1,1\n"),
            "trace.csv:3:3: '\"hop\"' is not an event (inject, hop, eject, store, key, token, drop)");
  EXPECT_EQ(said(good + std::string(100'000, '1')), "trace.csv:3:1: the line is too long");
  EXPECT_EQ(said(good + std::string("\0\0", 2) + "\n").substr(0, 14), "trace.csv:3:1:");
  EXPECT_THAT(error(folder, [&] { TraceReader(folder.file("none.csv")); }),
              testing::StartsWith("none.csv: cannot be read: No such file"));
  std::filesystem::create_directory(folder.file("folder.csv"));
  EXPECT_THAT(error(folder, [&] { TraceReader(folder.file("folder.csv")); }),
              testing::HasSubstr("cannot be read: it is a folder"));
}

TEST(TraceReader, NoticesDamagedGzip) {
  const ScratchFolder folder;
  std::vector<TraceRow> rows;
  for (std::int32_t i = 0; i < 30'000; ++i) rows.push_back({i, Event::hop, i * 77 % 9000, 0, i * 31 % 9973, i % 4, i});
  write_trace(folder.file("trace.csv"), rows);
  const std::string packed = gzip(folder.read("trace.csv"));
  const auto said = [&folder](const std::string& bytes) {
    const auto file = folder.write("trace.csv.gz", bytes);
    return error(folder, [&] { read_trace(file); });
  };
  EXPECT_EQ(said(packed), "");
  for (const std::size_t size : {std::size_t{0}, std::size_t{5}, std::size_t{12}, packed.size() / 2, packed.size() - 9,
                                 packed.size() - 8, packed.size() - 1})
    EXPECT_THAT(said(packed.substr(0, size)), testing::HasSubstr("the gzip data is damaged or ends too early")) << size;
  std::string flipped = packed;
  flipped[packed.size() - 6] ^= 1;  // checksum
  EXPECT_THAT(said(flipped), testing::HasSubstr("the gzip data is damaged"));
  EXPECT_THAT(said(folder.read("trace.csv")), testing::HasSubstr("the gzip data is damaged"));
}

TEST(PacketsCsv, ReadsWhatWasWritten) {
  const ScratchFolder folder;
  const std::vector<Packet> packets = {{0, 5, 1, 0}, {3, 3, 4, 0}, {2, no_node, 1, 7}, {1, 0, 2, 1234567890123}};
  const std::vector<Step> delivered = {5, 0, no_step, 1234567890130};
  write_packets(folder.file("packets.csv"), packets, delivered);
  EXPECT_EQ(folder.read("packets.csv"),
            "packet,source,destination,flits,created,delivered\n0,0,5,1,0,5\n1,3,3,4,0,0\n2,2,,1,7,\n"
            "3,1,0,2,1234567890123,1234567890130\n");
  const PacketTable table = read_packets(folder.file("packets.csv"));
  EXPECT_EQ(table.delivered, delivered);
  ASSERT_EQ(table.packets.size(), packets.size());
  for (std::size_t i = 0; i < packets.size(); ++i) {
    EXPECT_EQ(table.packets[i].source, packets[i].source);
    EXPECT_EQ(table.packets[i].destination, packets[i].destination);
    EXPECT_EQ(table.packets[i].flits, packets[i].flits);
    EXPECT_EQ(table.packets[i].created, packets[i].created);
  }
  EXPECT_EQ(table.injected, std::nullopt);
  const std::vector<Step> injected = {0, 0, no_step, 1234567890124};
  write_packets(folder.file("packets.csv"), packets, delivered, injected);
  EXPECT_EQ(folder.read("packets.csv"),
            "packet,source,destination,flits,created,delivered,injected\n0,0,5,1,0,5,0\n1,3,3,4,0,0,0\n2,2,,1,7,,\n"
            "3,1,0,2,1234567890123,1234567890130,1234567890124\n");
  EXPECT_EQ(read_packets(folder.file("packets.csv")).injected, injected);
  std::vector<Packet> of_classes = {packets[0], packets[1]};
  of_classes[1].traffic_class = 2;
  write_packets(folder.file("packets.csv"), of_classes, {5, 0}, std::vector<Step>{0, 0}, {true, false});
  EXPECT_EQ(folder.read("packets.csv"),
            "packet,source,destination,flits,created,delivered,injected,class\n0,0,5,1,0,5,0,0\n1,3,3,4,0,0,0,2\n");
  EXPECT_EQ(read_packets(folder.file("packets.csv")).packets[1].traffic_class, 2);
  of_classes[0].subnet = 1;
  of_classes[1].subnet = 0;
  write_packets(folder.file("packets.csv"), of_classes, {5, 0}, std::vector<Step>{0, 0}, {true, true});
  EXPECT_EQ(folder.read("packets.csv"),
            "packet,source,destination,flits,created,delivered,injected,class,subnet\n"
            "0,0,5,1,0,5,0,0,1\n1,3,3,4,0,0,0,2,0\n");
  EXPECT_EQ(read_packets(folder.file("packets.csv")).packets[0].subnet, 1);
  EXPECT_EQ(read_packets(folder.file("packets.csv")).packets[1].traffic_class, 2);
  write_packets(folder.file("packets.csv"), of_classes, {5, 0}, std::vector<Step>{0, 0}, {false, true});
  EXPECT_EQ(folder.read("packets.csv"),
            "packet,source,destination,flits,created,delivered,injected,subnet\n0,0,5,1,0,5,0,1\n1,3,3,4,0,0,0,0\n");
  EXPECT_EQ(read_packets(folder.file("packets.csv")).packets[0].subnet, 1);
  EXPECT_THROW(write_packets(folder.file("packets.csv"), packets, {1}), std::invalid_argument);
  EXPECT_THROW(write_packets(folder.file("packets.csv"), packets, delivered, std::vector<Step>{1}),
               std::invalid_argument);
  EXPECT_THROW(write_packets(folder.file("none/packets.csv"), packets, delivered), OutputError);
}

TEST(PacketsCsv, LeavesOutPacketsThatAreLostWhenTheyAreCreated) {
  PacketTable table;
  table.packets = {{0, 1, 1, 5}, {0, 1, 1, 5}, {0, 1, 1, 5}};
  leave_out_lost_when_created(table);
  EXPECT_TRUE(table.has(0)) << "a run without faults";
  table.lost = {{0, {links::LossCause::dead_source, 5}}, {1, {links::LossCause::dead_source, 9}}};
  leave_out_lost_when_created(table);
  EXPECT_FALSE(table.has(0));
  EXPECT_TRUE(table.has(1));
  EXPECT_TRUE(table.has(2));
}

TEST(PacketsCsv, NamesThePlaceOfEveryFault) {
  const ScratchFolder folder;
  const auto said = [&folder](const std::string& lines) {
    const auto file = folder.write("packets.csv", "packet,source,destination,flits,created,delivered\n" + lines);
    return error(folder, [&] { read_packets(file); });
  };
  EXPECT_EQ(said(""), "");
  EXPECT_EQ(said("1,0,1,1,0,\n"), "packets.csv:2:1: packet 0 is expected here");
  EXPECT_EQ(said("0,0,1,1,0,3\n0,0,1,1,0,3\n"), "packets.csv:3:1: packet 1 is expected here");
  EXPECT_EQ(said("0,,1,1,0,\n"), "packets.csv:2:3: a number is missing");
  EXPECT_EQ(said("0,0,1,0,0,\n"), "packets.csv:2:7: a packet has at least one flit");
  EXPECT_EQ(said("0,0,1,1,,\n"), "packets.csv:2:9: a number is missing");
  EXPECT_EQ(said("0,0,1,1,0\n"), "packets.csv:2:10: the line has too few cells");
  EXPECT_EQ(said("0,0,1,1,0,4,\n"), "packets.csv:2:13: the line has too many cells");
  EXPECT_EQ(said("0,0,1,1,0,4"), "packets.csv:2:1: the file ends within this line");
  EXPECT_EQ(said("0,0,1,1,0,4.5\n"), "packets.csv:2:11: '4.5' is not a number");
}

TEST(TransactionsCsv, NamesThePlaceOfEveryFault) {
  const ScratchFolder folder;
  std::vector<TransactionRow> read;
  const auto said = [&](const std::string& lines) {
    const auto file = folder.write("transactions.csv", std::string(transactions_header) + "\n" + lines);
    return error(folder, [&] { read = read_transactions(file); });
  };
  EXPECT_EQ(said("0,2,9,TLM_OK_RESPONSE,00ff\n1,3,,,\n2,,,,\n"), "");
  ASSERT_EQ(read.size(), 3u);
  EXPECT_EQ(read[0].issued, 2);
  EXPECT_EQ(read[0].completed, 9);
  EXPECT_EQ(read[0].status, ok_status);
  EXPECT_EQ(read[1].issued, 3);
  EXPECT_EQ(read[1].completed, no_step);
  EXPECT_EQ(read[2].issued, no_step);
  EXPECT_EQ(said("1,2,9,TLM_OK_RESPONSE,\n"), "transactions.csv:2:1: transaction 0 is expected here");
  EXPECT_EQ(said("0,,9,TLM_OK_RESPONSE,\n"), "transactions.csv:2:4: completed must be greater than issued");
  EXPECT_EQ(said("0,9,8,TLM_OK_RESPONSE,\n"), "transactions.csv:2:5: completed must be greater than issued");
  EXPECT_EQ(said("0,2,9,,\n"), "transactions.csv:2:7: a transaction has a status once it is completed");
  EXPECT_EQ(said("0,2,,TLM_OK_RESPONSE,\n"), "transactions.csv:2:6: a transaction has a status once it is completed");
  EXPECT_EQ(said("0,2,9,TLM_OK_RESPONSE,0f0\n"),
            "transactions.csv:2:23: data consists of two hexadecimal digits per byte");
  EXPECT_EQ(said("0,2,9,TLM_OK_RESPONSE,0G\n"),
            "transactions.csv:2:23: data consists of two hexadecimal digits per byte");
}

// ---- network.json

void same_network(const LinkNetwork& read, const LinkNetwork& written) {
  const NetworkGraph &a = read.graph, &b = written.graph;
  EXPECT_EQ(read.title, written.title);
  EXPECT_EQ(read.topology, written.topology);
  ASSERT_EQ(a.nodes(), b.nodes());
  ASSERT_EQ(a.ports(), b.ports());
  EXPECT_EQ(a.processors(), b.processors());
  EXPECT_EQ(a.links(), b.links());
  EXPECT_EQ(a.diameter(), b.diameter());
  ASSERT_EQ(a.arrangement().has_value(), b.arrangement().has_value());
  if (a.arrangement()) {
    EXPECT_EQ(a.arrangement()->kind(), b.arrangement()->kind());
    EXPECT_EQ(a.arrangement()->shape(), b.arrangement()->shape());
  }
  for (NodeId node = 0; node < a.nodes(); ++node) {
    EXPECT_EQ(a.node_name(node), b.node_name(node));
    EXPECT_EQ(a.role(node), b.role(node));
    EXPECT_EQ(a.position(node).x, b.position(node).x);
    EXPECT_EQ(a.position(node).y, b.position(node).y);
    ASSERT_EQ(ports_in(a.out_ports(node)), ports_in(b.out_ports(node)));
    ASSERT_EQ(ports_in(a.in_ports(node)), ports_in(b.in_ports(node)));
    for (Port port = 0; port < a.ports(); ++port) {
      EXPECT_EQ(a.far_end(node, port), b.far_end(node, port));
      EXPECT_EQ(a.near_end(node, port), b.near_end(node, port));
      EXPECT_EQ(a.out_port_name(node, port), b.out_port_name(node, port));
      EXPECT_EQ(a.in_port_name(node, port), b.in_port_name(node, port));
      if (!a.out_ports(node).has(port)) continue;
      EXPECT_EQ(a.latency(node, port), b.latency(node, port));
      EXPECT_EQ(a.interval(node, port), b.interval(node, port));
      EXPECT_EQ(a.phits(node, port), b.phits(node, port));
    }
  }
}

/// One-way links, separately numbered ports, individual times, a switch among the processors.
LinkNetwork odd_network() {
  NetworkGraphBuilder builder;
  const PortNaming own = builder.name_ports({"left", "right"}, {"up", "down", "back"});
  builder.add_node(NodeRole::processor, "a", PaperPosition{0.5, -2}, own);
  builder.add_node(NodeRole::switch_node, "hub");
  builder.add_node(NodeRole::processor, "b", PaperPosition{1, 0.25});
  builder.add_link({0, 1}, {1, 0}, {7, 3, 2});
  builder.add_link({1, 0}, {2, 2});
  builder.add_link({2, 0}, {0, 2}, {1, 2});
  return {"an \"odd\" network", builder.build(), {}, "odd"};
}

TEST(network_json, reads_what_it_has_written) {
  const ScratchFolder scratch;
  const ExpressMesh express(3, 5, 2);
  const FatTree tree(3, 2);
  for (const LinkNetwork& network :
       {link_network(Grid::mesh({3, 4})), link_network(Grid::torus({3, 1, 2}), 5), odd_network(),
        LinkNetwork{"express mesh", make_express_mesh(express), express, "express-mesh"},
        LinkNetwork{"fat tree", make_fat_tree(tree, 2), tree, "fat-tree"}}) {
    scratch.write("network.json", network_json(network));
    const LinkNetwork read = read_network_json(scratch.file("network.json"));
    same_network(read, network);
    EXPECT_EQ(network_json(read), network_json(network));
  }
}

TEST(network_json, faults_have_their_places) {
  const ScratchFolder scratch;
  const std::string sound = network_json(odd_network());
  const auto error = [&](const std::string& text, const std::string& instead) -> std::string {
    std::string damaged = sound;
    const std::size_t at = damaged.find(text);
    if (at == std::string::npos) return "no " + text;
    scratch.write("network.json", damaged.replace(at, text.size(), instead));
    try {
      read_network_json(scratch.file("network.json"));
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  using testing::HasSubstr;
  EXPECT_THAT(error("\"switch\"", "\"hub\""), HasSubstr("network.json: nodes[1]: role is hub"));
  EXPECT_THAT(error("\"from\":[1,0]", "\"from\":[4,0]"), HasSubstr("network.json: links[1]: "));
  EXPECT_THAT(error("\"latency\":7", "\"latency\":0"), HasSubstr("network.json: links[0]: "));
  EXPECT_THAT(error("\"interval\":2", "\"step\":2"), HasSubstr("links[2]: "));
  EXPECT_THAT(error("\"nodes\"", "\"node\""), HasSubstr("nodes"));
  EXPECT_THAT(error("\"ports\":1", "\"ports\":9"), HasSubstr("nodes[1]: "));
  EXPECT_THAT(error("{", "{{"), testing::EndsWith("network.json:1:2: this is not JSON"));
  for (const char* wrong : {"\"7\"", "7.5", "-1", "65537", "2147483647", "4294967303", "18446744073709551623"})
    EXPECT_THAT(error("\"latency\":7", std::string("\"latency\":") + wrong),
                HasSubstr("links[0]: \"latency\" is not an integer from 1 to 65536"));
  EXPECT_THAT(error("\"from\":[1,0]", "\"from\":[4294967297,0]"),
              HasSubstr("links[1]: 0 is not an integer from 0 to "));
  EXPECT_THAT(error("\"from\":[1,0]", "\"from\":[1,1024]"), HasSubstr("links[1]: 1 is not an integer from 0 to 1023"));
  EXPECT_THAT(error("\"ports\":1", "\"ports\":9"), HasSubstr("nodes[1]: a number in the file is too large"));
  scratch.write("network.json", sound.substr(0, sound.size() - 3));
  const auto lines = std::count(sound.begin(), sound.end() - 3, '\n') + 1;
  try {
    read_network_json(scratch.file("network.json"));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr(fmt::format("network.json:{}:", lines)));
    EXPECT_THAT(error.what(), testing::EndsWith(": this is not JSON: the file ends here"));
  }
  EXPECT_THROW(read_network_json(scratch.file("none.json")), InputError);
}

}  // namespace
}  // namespace starloom::links
