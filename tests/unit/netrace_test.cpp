// SPDX-License-Identifier: Apache-2.0
/// \file Netrace files: their reader, their faults, and the creation of packets against a second implementation.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include <starloom/schema/config_error.hpp>
#include <starloom/schema/data_file.hpp>
#include <starloom/traffic/netrace/netrace_workload.hpp>
#include <starloom/traffic/workloads/critical_path.hpp>
#include "netrace_trace.hpp"
#include "scratch_folder.hpp"

namespace starloom {
namespace {

using testing::HasSubstr;

class Netrace : public testing::Test {
 protected:
  void write(const std::string& bytes) { scratch_.write("t.tra.bz2", bzip2(bytes)); }
  NetraceExtent check(std::optional<std::int64_t> region = {}) const {
    return check_netrace(scratch_.file("t.tra.bz2"), "t.tra.bz2", region);
  }
  /// The message of the exception that `check` throws; empty: none.
  std::string fault(std::optional<std::int64_t> region = {}) const {
    try {
      check(region);
    } catch (const std::exception& error) {
      return error.what();
    }
    return "";
  }
  std::string fault_of(const NetraceTrace& trace, std::optional<std::int64_t> region = {}) {
    write(trace.bytes());
    return fault(region);
  }
  std::shared_ptr<const NetraceInput> input(NetracePace pace, Step delay = 0, std::int64_t window = 1 << 22,
                                            std::optional<std::int64_t> region = {}) const {
    NetraceInput made;
    made.path = scratch_.file("t.tra.bz2");
    made.name = "t.tra.bz2";
    made.extent = check(region);
    made.node.resize(static_cast<std::size_t>(made.extent.header.nodes));
    std::iota(made.node.begin(), made.node.end(), 0);
    made.pace = pace;
    made.delay = delay;
    made.window = window;
    return std::make_shared<const NetraceInput>(std::move(made));
  }
  ScratchFolder scratch_;
};

NetraceTrace small() {
  NetraceTrace trace;
  trace.cycles = 9;
  trace.notes = "some notes";
  trace.records = {{0, 3, 1, 0, 1, {5}}, {2, 5, 2, 1, 0}, {2, 6, 30, 3, 3}};
  return trace;
}

TEST_F(Netrace, IsReadFromHeaderToLastRecord) {
  NetraceTrace trace = small();
  trace.regions = {{0, 2, 1}, {25, 7, 2}};
  write(trace.bytes());
  NetraceFile file(scratch_.file("t.tra.bz2"), "t.tra.bz2");
  EXPECT_EQ(file.header().name, "test");
  EXPECT_EQ(file.header().nodes, 4);
  EXPECT_EQ(file.header().cycles, 9u);
  EXPECT_EQ(file.header().notes, "some notes");
  ASSERT_EQ(file.header().regions.size(), 2u);
  EXPECT_EQ(file.header().regions[1].cycles, 7u);
  EXPECT_EQ(file.header().regions[1].packets, 2u);
  NetraceRecord record;
  std::vector<std::string> faults;
  for (const NetraceTrace::Record& expected : trace.records) {
    ASSERT_TRUE(file.next(record, faults));
    EXPECT_EQ(record.cycle, expected.cycle);
    EXPECT_EQ(record.id, expected.id);
    EXPECT_EQ(record.source, expected.source);
    EXPECT_EQ(record.destination, expected.destination);
    EXPECT_EQ(record.dependants, expected.dependants);
    EXPECT_EQ(record.bytes, expected.type == 1 ? 8 : 72);
  }
  EXPECT_FALSE(file.next(record, faults));
  EXPECT_TRUE(faults.empty());
}

TEST_F(Netrace, MayConsistOfSeveralStreamsAndHaveLongNotes) {
  NetraceTrace trace = small();
  trace.notes = std::string(20000, 'n');
  const std::string bytes = trace.bytes();
  scratch_.write("t.tra.bz2",
                 bzip2(bytes.substr(0, 20090)) + bzip2(bytes.substr(20090, 15)) + bzip2(bytes.substr(20105)));
  EXPECT_EQ(check().count, 3);
  EXPECT_EQ(check().header.notes, "") << "too long to show";
  EXPECT_EQ(check().content->size(), trace.bytes().size());
  EXPECT_EQ(check().depth, 2);
  EXPECT_EQ(check().longest, 72);
}

TEST_F(Netrace, NamesTheRecordOfEachFault) {
  const auto with = [](std::size_t record, auto&& change) {
    NetraceTrace trace = small();
    change(trace.records[record]);
    return trace;
  };
  EXPECT_EQ(fault_of(small()), "");
  EXPECT_EQ(fault_of(with(1, [](auto& record) { record.type = 7; })),
            "t.tra.bz2: record 1 (offset 25): type 7 is not a packet type");
  EXPECT_EQ(fault_of(with(2, [](auto& record) { record.destination = 4; })),
            "t.tra.bz2: record 2 (offset 46): node 4 is not one of the nodes 0 to 3 of the header");
  EXPECT_EQ(fault_of(with(2, [](auto& record) { record.cycle = 1; })),
            "t.tra.bz2: record 2 (offset 46): cycle 1 is before that of the record before it, 2");
  EXPECT_EQ(fault_of(with(2, [](auto& record) { record.cycle = ~std::uint64_t{0}; })),
            "t.tra.bz2: record 2 (offset 46): cycle 18446744073709551615 is more than 1000000000000000000");
  EXPECT_EQ(fault_of(with(2, [](auto& record) { record.id = 5; })),
            "t.tra.bz2: record 2 (offset 46): id 5 is not greater than that of the record before it, 5");
  EXPECT_EQ(fault_of(with(1,
                          [](auto& record) {
                            record.dependants = {3, 5, 6};
                          })),
            "t.tra.bz2: record 1 (offset 25): names packet 3, which is not behind it\n"
            "t.tra.bz2: record 1 (offset 25): names packet 5, which is not behind it");
  EXPECT_EQ(fault_of(with(0,
                          [](auto& record) {
                            record.dependants = {4, 5, 7};
                          })),
            "t.tra.bz2: record 0 (offset 0): names packet 4, which never comes\n"
            "t.tra.bz2: record 0 (offset 0): names packet 7, which never comes");
}

TEST_F(Netrace, IsRefusedIfItIsNoCompleteFile) {
  const std::string bytes = small().bytes(), packed = bzip2(bytes);
  const auto of = [&](const std::string& file) {
    scratch_.write("t.tra.bz2", file);
    return fault();
  };
  EXPECT_EQ(of(""), "cannot read t.tra.bz2: the compressed file ends too early; is it complete?");
  EXPECT_EQ(of(bytes), "cannot read t.tra.bz2: it is not compressed by bzip2, as netrace files are");
  EXPECT_THAT(of(packed.substr(0, packed.size() - 3)),
              HasSubstr("the compressed file ends too early; is it complete?"));
  EXPECT_THAT(of(packed.substr(0, 30) + "0" + packed.substr(31)), HasSubstr("the compressed file is damaged here"));
  EXPECT_THAT(of(packed + "more"), HasSubstr("the compressed file is damaged here"));
  EXPECT_EQ(of(bzip2(bytes.substr(0, 60))), "cannot read t.tra.bz2: it ends inside its header");
  EXPECT_EQ(of(bzip2(bytes.substr(0, 80))), "cannot read t.tra.bz2: it ends inside its header") << "in the notes";
  EXPECT_EQ(of(bzip2(bytes.substr(0, bytes.size() - 1))),
            "t.tra.bz2: record 2 (offset 46): the file ends inside this record");
  EXPECT_EQ(of(bzip2(bytes.substr(0, 72 + 11 + 22))),
            "t.tra.bz2: record 0 (offset 0): the file ends inside this record")
      << "in its ids";
  NetraceTrace other = small();
  other.magic = 1;
  EXPECT_THAT(fault_of(other), HasSubstr("cannot read t.tra.bz2: it is not a netrace file"));
  other = small();
  other.version = 1.5F;
  EXPECT_THAT(fault_of(other), HasSubstr("its version of netrace is not 1.0"));
  other = small();
  other.nodes = 0;
  EXPECT_THAT(fault_of(other), HasSubstr("its header has no nodes"));
  other = small();
  other.regions.resize(101);
  EXPECT_THAT(fault_of(other), HasSubstr("its header has 101 regions, but a file has at most 100"));
  EXPECT_THROW(check_netrace(scratch_.file("none"), "none", {}), ConfigError);
  EXPECT_THROW(check_netrace(scratch_.path(), "folder", {}), ConfigError);
}

TEST_F(Netrace, HasRegions) {
  NetraceTrace trace = small();
  trace.records[0].dependants = {5, 6};
  trace.records[1].dependants = {6};
  trace.regions = {{0, 2, 1}, {0, 5, 1}, {0, 2, 0}, {0, 0, 1}};
  write(trace.bytes());
  const NetraceExtent second = check(1);
  EXPECT_EQ(second.first, 1);
  EXPECT_EQ(second.count, 1);
  EXPECT_EQ(second.start, 2);
  EXPECT_EQ(second.cycles, 5);
  EXPECT_EQ(second.first_id, 5u);
  EXPECT_EQ(second.last_id, 5u);
  EXPECT_EQ(second.depth, 1) << "records of other regions do not count";
  EXPECT_EQ(check(2).count, 0);
  EXPECT_EQ(check().depth, 3);
  EXPECT_EQ(fault(4), "the trace has the regions 0 to 3, not 4");
  EXPECT_EQ(fault(3), "t.tra.bz2: record 2 (offset 54): cycle 2 is before its region, which begins in cycle 9");
  trace.regions = {{0, 2, 1}, {25, 7, 3}};
  EXPECT_EQ(fault_of(trace, 1),
            "t.tra.bz2: record 3 (offset 75): the file ends here, but the region has 1 more packet");
  EXPECT_EQ(fault_of(small(), 0), "the trace has no regions; leave out this key");
  // Dependants outside the region are ignored.
  trace.regions = {{0, 2, 2}, {54, 7, 1}};
  write(trace.bytes());
  NetraceWorkload workload(input(NetracePace::dependencies, 0, 10, 0));
  std::vector<NewMessage> made;
  workload.create(0, made);
  std::vector<std::int64_t> dependants;
  workload.dependants(made.at(0).item, dependants);
  EXPECT_EQ(dependants, std::vector<std::int64_t>{2}) << "id 5; id 6 is of another region";
  workload.create(2, made);
  workload.delivered(0, 4);
  EXPECT_EQ(critical_path(workload, [](const Item&) { return 4; }), 9) << "of the other record";
}

// ---- The creation of packets

struct PacketTimes {
  Step created = no_step;  ///< as the results have it
  Step entered = no_step;  ///< the step in which it is in memory
  Step delivered = no_step;
  std::int64_t released_by = -1;
  auto facts() const { return std::tie(created, entered, delivered, released_by); }
};

Step latency_of(NodeId source, NodeId destination, std::int32_t flits) {
  return source == destination ? 0 : 3 + flits + (source + 2 * destination) % 4;
}

/// Step by step, from lists of all records, as docs/workloads.md says it.
struct Plain {
  std::vector<PacketTimes> times;
  Step paused = 0;

  Plain(const NetraceTrace& trace, NetracePace pace, Step delay, std::int64_t window) : times(trace.records.size()) {
    const auto& records = trace.records;
    const std::size_t count = records.size();
    std::map<std::uint32_t, std::size_t> at;
    for (std::size_t i = 0; i < count; ++i) at[records[i].id] = i;
    std::vector<std::vector<std::size_t>> awaited(count);
    if (pace != NetracePace::timestamps)
      for (std::size_t i = 0; i < count; ++i)
        for (const std::uint32_t id : records[i].dependants) awaited[at.at(id)].push_back(i);
    const auto cycle = [&](std::size_t i) { return static_cast<Step>(records[i].cycle); };
    std::size_t read = 0;  // records that have been read
    std::vector<Step> read_after(count, no_step);
    Step limit = count == 0 ? 0 : cycle(0) + 1000000;
    bool waited = false;  // in the step before, for room in the window
    for (Step step = 0;; ++step) {
      std::size_t delivered = 0;
      for (std::size_t i = 0; i < read; ++i)
        if (times[i].delivered != no_step && times[i].delivered < step) {
          ++delivered;
          limit = std::max(limit, cycle(i) + 1000000);
        }
      if (delivered == count) return;
      while (read < count) {
        const bool due = pace == NetracePace::throttled ? read == 0 || cycle(read - 1) <= limit : cycle(read) <= step;
        if (!due) break;
        if (static_cast<std::int64_t>(read - delivered) == window) break;
        read_after[read] = pace == NetracePace::throttled ? (step == 0 ? 0 : step - 1)
                           : waited                       ? std::max(step - 1, cycle(read))
                                                          : cycle(read);
        ++read;
      }
      waited = read < count && static_cast<std::int64_t>(read - delivered) == window &&
               (pace == NetracePace::throttled ? cycle(read - 1) <= limit : cycle(read) <= step);
      paused += waited ? 1 : 0;
      for (std::size_t i = 0; i < read; ++i) {
        PacketTimes& own = times[i];
        if (own.entered != no_step) continue;
        Step last = no_step;
        bool free = true;
        own.released_by = -1;
        for (const std::size_t other : awaited[i]) {
          free = free && times[other].delivered != no_step && times[other].delivered < step;
          if (times[other].delivered <= last) continue;
          last = times[other].delivered;
          own.released_by = static_cast<std::int64_t>(other);
        }
        own.created = std::max(read_after[i], last == no_step ? 0 : last + delay);
        if (!free || own.created > step) continue;
        own.entered = step;
        const auto& record = records[i];
        const std::int32_t flits = record.type == 2 || record.type == 6 || record.type == 16 ? 5 : 1;
        own.delivered = step + latency_of(record.source, record.destination, flits);
      }
    }
  }
};

/// The same by the workload. Deliveries of a step come in ascending or descending order.
struct Driven {
  std::vector<PacketTimes> times;
  Step paused = 0;
  Step last = 0;

  Driven(const std::shared_ptr<const NetraceInput>& input, bool ascending)
      : times(static_cast<std::size_t>(input->extent.count)) {
    NetraceWorkload workload(input);
    std::multimap<Step, MessageNumber> deliveries;
    for (Step step = 0; workload.next_creation() != no_step || !deliveries.empty(); ++step) {
      std::vector<NewMessage> made;
      if (workload.next_creation() == step) workload.create(step, made);
      EXPECT_TRUE(workload.next_creation() == no_step || workload.next_creation() > step);
      std::pair<NodeId, MessageNumber> before{-1, -1};
      for (const NewMessage& message : made) {
        const Item& item = message.of_input;
        EXPECT_LT(before, std::make_pair(item.source, message.number)) << "by source, then by record";
        before = {item.source, message.number};
        PacketTimes& own = times[static_cast<std::size_t>(message.number)];
        EXPECT_EQ(own.entered, no_step) << "created twice";
        own = {message.created, step, step + latency_of(item.source, item.destination, item.flits),
               message.released_by};
        deliveries.emplace(own.delivered, message.number);
      }
      std::vector<MessageNumber> now;
      for (auto [at, to] = deliveries.equal_range(step); at != to; ++at) now.push_back(at->second);
      if (!ascending) std::reverse(now.begin(), now.end());
      for (const MessageNumber message : now) workload.delivered(message, last = step);
      deliveries.erase(step);
    }
    paused = workload.paused();
  }
};

TEST_F(Netrace, CreatesPacketsAsTheStepByStepRuleDoes) {
  std::int64_t paused = 0, late = 0, tied = 0;
  for (unsigned seed = 1; seed <= 60; ++seed) {
    NetraceTrace trace = random_netrace(seed, 60, 4, seed % 3 == 0 ? 600000 : 12);
    write(trace.bytes());
    for (const auto pace : {NetracePace::dependencies, NetracePace::timestamps, NetracePace::throttled}) {
      if (seed % 3 == 0 && pace != NetracePace::throttled) continue;  // long steps between records
      const Step delay = seed % 4 == 1 ? 6 : seed % 4 == 2 ? 1 : 0;
      const std::int64_t window = seed % 2 == 0 ? 1000 : 1 + seed % 9;
      const auto made = input(pace, delay, window);
      const Plain plain(trace, pace, delay, window);
      const Driven run(made, seed % 4 < 2);
      for (std::size_t i = 0; i < plain.times.size(); ++i) {
        EXPECT_EQ(run.times[i].facts(), plain.times[i].facts()) << seed << " record " << i;
        late += plain.times[i].created > static_cast<Step>(trace.records[i].cycle) ? 1 : 0;
        tied += plain.times[i].created < plain.times[i].entered ? 1 : 0;
      }
      EXPECT_EQ(run.paused, plain.paused) << seed;
      paused += run.paused;
      NetraceWorkload again(made);
      EXPECT_EQ(
          critical_path(again, [](const Item& item) { return latency_of(item.source, item.destination, item.flits); }),
          run.last)
          << seed;
    }
  }
  EXPECT_GT(paused, 1000);
  EXPECT_GT(late, 1000);
  EXPECT_GT(tied, 1000);
}

TEST_F(Netrace, ReadsAsTimeGoesOn) {
  NetraceTrace trace;
  for (std::uint32_t i = 0; i < 100; ++i) trace.records.push_back({std::uint64_t{10} * i, i, 1, 0, 1});
  trace.records[0].dependants = {1, 99};
  write(trace.bytes());
  NetraceWorkload workload(input(NetracePace::dependencies));
  std::vector<NewMessage> made;
  workload.create(0, made);
  ASSERT_EQ(made.size(), 1u);
  EXPECT_EQ(workload.next_creation(), 10) << "no later than the next record";
  workload.create(10, made);
  EXPECT_EQ(made.size(), 1u) << "record 1 waits";
  EXPECT_EQ(workload.waiting(9),
            (std::vector<std::string>{"id 1 (record 1) waits for id 0 (record 0), which was not delivered",
                                      "id 99 waits for id 0 (record 0), which was not delivered"}));
  std::vector<std::int64_t> dependants;
  workload.dependants(0, dependants);
  EXPECT_EQ(dependants, (std::vector<std::int64_t>{1, 99}));
  workload.delivered(0, 12);
  EXPECT_EQ(workload.next_creation(), 13);
  workload.create(13, made);
  ASSERT_EQ(made.size(), 2u);
  EXPECT_EQ(made[1].created, 12) << "the step of the delivery";
  EXPECT_EQ(made[1].number, 1);
  EXPECT_EQ(made[1].released_by, 0);
  EXPECT_EQ(made[1].of_input.id, 1);
  EXPECT_EQ(made[1].of_input.cycle, 10);
  EXPECT_EQ(workload.depth(), 2);
  EXPECT_EQ(workload.flow(made[1].of_input), "0->1");
}

}  // namespace
}  // namespace starloom
