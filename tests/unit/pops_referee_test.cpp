// SPDX-License-Identifier: Apache-2.0
/// \file The referee of POPS networks accepts every run of the reference simulator, and rejects each kind of damage
/// by name.
#include <starloom/referee/pops/referee.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>

#include "support/pops_cases.hpp"

namespace starloom::pops {
namespace {

using testing::HasSubstr;

struct SlotTrace {
  Pops pops;
  Rules rules;
  std::vector<Packet> packets;
  std::vector<TraceRow> rows;
  std::vector<Step> delivered;
  std::vector<SlotCounts> slots;
  bool complete = true;
  const DeadCouplers* dead = nullptr;
};

/// The rules of an algorithm with its defaults.
Rules rules_of(const std::string& algorithm, const Pops& pops) {
  const AlgorithmEntry& entry = entry_named(algorithm);
  return entry.rules(pops, keys_of(entry));
}

/// The referee's message, or empty.
std::string judgement(const SlotTrace& trace) {
  Referee referee(trace.pops, trace.rules, trace.packets, trace.dead);
  for (auto begin = trace.rows.begin(); begin != trace.rows.end();) {
    const auto end =
        std::find_if(begin, trace.rows.end(), [&](const TraceRow& row) { return row.slot != begin->slot; });
    referee.rows({begin, end});
    begin = end;
  }
  referee.finish(trace.delivered, trace.slots, trace.complete);
  return referee.violation().text;
}

/// The case must outlive its trace.
SlotTrace trace_of(const Case& c, std::uint64_t seed) {
  const SteppedRun run = c.run_plain(seed);
  return {c.pops(),  c.rules,    c.packets,          run.rows, {run.delivered.begin(), run.delivered.end()},
          run.slots, !c.literal, c.algorithm->dead()};
}

SlotTrace randomized_trace() { return trace_of(randomized_case(8, 8, 5), 5); }

/// The first row that fits, or the test fails.
TraceRow& first(SlotTrace& trace, const std::function<bool(const TraceRow&)>& fits) {
  const auto found = std::find_if(trace.rows.begin(), trace.rows.end(), fits);
  if (found == trace.rows.end()) throw std::logic_error("no row fits");
  return *found;
}

bool hears(const TraceRow& row) { return row.event == TraceEvent::listen && !row.silent(); }
bool drives(const TraceRow& row) { return row.event == TraceEvent::drive; }

TEST(PopsReferee, AcceptsEveryAlgorithm) {
  for (std::uint64_t seed = 1; seed <= 2; ++seed)
    for (const Case& c : cases(seed)) EXPECT_EQ(judgement(trace_of(c, seed)), "") << c.name;
}

TEST(PopsReferee, MissesNoRow) {
  for (const Case& c : {randomized_case(4, 4, 2), randomized_case(8, 2, 3)}) {
    const SlotTrace whole = trace_of(c, c.pops().groups() == 4 ? 2 : 3);
    ASSERT_EQ(judgement(whole), "");
    for (std::size_t at = 0; at < whole.rows.size(); ++at) {
      SlotTrace damaged = whole;
      damaged.rows.erase(damaged.rows.begin() + static_cast<std::ptrdiff_t>(at));
      EXPECT_NE(judgement(damaged), "") << c.name << ", row " << at;
      damaged = whole;
      TraceRow& row = damaged.rows[at];
      row.packet = row.silent() ? 0 : (row.packet + 1) % c.pops().nodes();
      EXPECT_NE(judgement(damaged), "") << c.name << ", packet of row " << at;
      damaged = whole;
      damaged.rows[at].destination_group = (damaged.rows[at].destination_group + 1) % c.pops().groups();
      EXPECT_NE(judgement(damaged), "") << c.name << ", destination group of row " << at;
    }
  }
}

TEST(PopsReferee, RulesOfRows) {
  SlotTrace trace = randomized_trace();
  std::swap(trace.rows[0], trace.rows[1]);
  EXPECT_THAT(judgement(trace), HasSubstr("slot 0, proc_g00_p00: packet 0 has a row twice or out of order"));
  trace = randomized_trace();
  trace.rows.insert(trace.rows.begin(), trace.rows.front());
  EXPECT_THAT(judgement(trace), HasSubstr("has a row twice or out of order"));
  trace = randomized_trace();
  trace.rows.front().processor = 64;
  EXPECT_THAT(judgement(trace), HasSubstr("slot 0, the network: a row names processor 64, which does not exist"));
  trace = randomized_trace();
  trace.rows.front().packet = 64;
  EXPECT_THAT(judgement(trace), HasSubstr("a row names packet 64, which does not exist"));
  trace = randomized_trace();
  trace.rows.front().packet = no_packet;
  EXPECT_THAT(judgement(trace), HasSubstr("a row drives a coupler without a message"));
  trace = randomized_trace();
  trace.rows.front().destination_group = 8;
  EXPECT_THAT(judgement(trace), HasSubstr("a row of proc_g00_p00 names a group that does not exist"));
  trace = randomized_trace();
  trace.rows.front().source_group = 3;
  EXPECT_THAT(judgement(trace), HasSubstr("proc_g00_p00 drives a coupler of group 3, which is not its own"));
  trace = randomized_trace();
  first(trace, hears).destination_group ^= 1;
  EXPECT_THAT(judgement(trace), HasSubstr("samples a coupler of group"));
}

TEST(PopsReferee, RulesOfCouplers) {
  SlotTrace trace = randomized_trace();
  // A coupler that lets the first driver win.
  TraceRow& deaf = first(trace, [&](const TraceRow& row) {
    return row.slot == 0 && row.event == TraceEvent::listen && row.silent() &&
           std::count_if(trace.rows.begin(), trace.rows.end(), [&](const TraceRow& other) {
             return other.slot == 0 && drives(other) && other.source_group == row.source_group &&
                    other.destination_group == row.destination_group;
           }) > 1;
  });
  deaf.packet =
      first(trace, [&](const TraceRow& row) {
        return drives(row) && row.source_group == deaf.source_group && row.destination_group == deaf.destination_group;
      }).packet;
  EXPECT_THAT(judgement(trace), HasSubstr("processors drive"));
  trace = randomized_trace();
  first(trace, hears).packet = no_packet;
  EXPECT_THAT(judgement(trace), HasSubstr("hears no message from"));
  trace = randomized_trace();
  first(trace, [](const TraceRow& row) { return row.slot == 2 && hears(row); }).kind = MessageKind::data;
  EXPECT_THAT(judgement(trace), HasSubstr("which carries packet"));
  trace = randomized_trace();
  const TraceRow heard = first(trace, hears);
  trace.rows.erase(std::find_if(trace.rows.begin(), trace.rows.end(), [&](const TraceRow& row) {
    return drives(row) && row.slot == heard.slot && row.packet == heard.packet;
  }));
  EXPECT_THAT(judgement(trace), HasSubstr("which no processor drives"));
  trace = randomized_trace();
  DeadCouplers dead(trace.pops);
  dead.kill(heard.source_group, heard.destination_group);
  trace.dead = &dead;
  EXPECT_THAT(judgement(trace), HasSubstr("which is dead"));
  trace = randomized_trace();
  TraceRow again = first(trace, [](const TraceRow& row) { return row.event == TraceEvent::listen; });
  again.source_group += 1;  // of the same processor: only for the referee a second row
  trace.rows.insert(std::find_if(trace.rows.begin(), trace.rows.end(), hears), again);
  EXPECT_NE(judgement(trace), "");
}

TEST(PopsReferee, OneMessageAndOneCoupler) {
  SlotTrace trace = randomized_trace();
  const auto one =
      std::find_if(trace.rows.begin(), trace.rows.end(), [](const TraceRow& row) { return row.destination_group < 7; });
  TraceRow second = *one;
  second.destination_group += 1;
  const auto other = trace.rows.insert(one + 1, second);
  EXPECT_THAT(judgement(trace), HasSubstr("is driven over a second coupler"));
  other->packet ^= 1;
  EXPECT_THAT(judgement(trace), HasSubstr("the processor drives another message in this slot"));
}

TEST(PopsReferee, NobodyDrivesWhatHeDoesNotHold) {
  SlotTrace trace = randomized_trace();
  TraceRow& stranger = trace.rows.front();
  stranger.packet = 63;
  EXPECT_THAT(judgement(trace), HasSubstr("packet 63 is driven, but the processor does not hold it"));
  // A packet that its source sends on although it was acknowledged.
  trace = randomized_trace();
  const TraceRow acknowledged = first(trace, [](const TraceRow& row) { return row.slot == 3 && hears(row); });
  TraceRow again{5, TraceEvent::drive,  MessageKind::data, acknowledged.processor, acknowledged.destination_group,
                 0, acknowledged.packet};
  trace.rows.insert(std::lower_bound(trace.rows.begin(), trace.rows.end(), again), again);
  EXPECT_THAT(judgement(trace), HasSubstr("does not hold it"));
}

TEST(PopsReferee, AcknowledgementsGoBackTheSameWay) {
  SlotTrace trace = randomized_trace();
  const auto acknowledges = [](const TraceRow& row) { return row.slot == 2 && drives(row); };
  first(trace, acknowledges).destination_group ^= 1;
  EXPECT_THAT(judgement(trace), HasSubstr("but the packet came from group"));
  trace = randomized_trace();
  first(trace, acknowledges).packet ^= 1;
  EXPECT_THAT(judgement(trace), HasSubstr("the processor heard neither packet nor acknowledgement in the slot before"));
  trace = randomized_trace();
  first(trace, acknowledges).kind = MessageKind::data;
  EXPECT_THAT(judgement(trace), HasSubstr("is driven in a slot for acknowledgements"));
  // Another processor of the source's group listens in.
  trace = randomized_trace();
  const TraceRow heard = first(trace, [](const TraceRow& row) { return row.slot == 3 && hears(row); });
  TraceRow& spy = first(trace, [&](const TraceRow& row) {
    return row.slot == 3 && row.event == TraceEvent::listen && row.silent() &&
           row.destination_group == heard.destination_group && row.source_group != heard.source_group;
  });
  spy.source_group = heard.source_group;
  spy.kind = heard.kind;
  spy.packet = heard.packet;
  EXPECT_THAT(judgement(trace), HasSubstr("is heard, but the processor did not send the packet to group"));
}

TEST(PopsReferee, PacketsAreCreatedBeforeTheyMove) {
  SlotTrace trace = randomized_trace();
  trace.packets[3].created = trace.delivered[3] + 1;
  EXPECT_THAT(judgement(trace), HasSubstr("packet 3 is driven before it is created"));
}

// The keys that are compared are not in the rows; but no processor ends with two packets.
TEST(PopsReferee, SortedPacketsEndInPlacesOfTheirOwn) {
  int judged = 0;
  for (const Case& c : cases(1)) {
    if (c.rules.arrival != Rules::Arrival::sorted || c.packets.size() < 2) continue;
    SlotTrace trace = trace_of(c, 1);
    trace.packets[1].destination = trace.packets[0].destination;
    EXPECT_NE(judgement(trace), "") << c.name;
    ++judged;
  }
  EXPECT_GT(judged, 0);
}

TEST(PopsReferee, AHugeSlotTakesNoMemory) {
  SlotTrace trace = randomized_trace();
  TraceRow row = first(trace, [](const TraceRow& one) { return one.event == TraceEvent::drive; });
  row.slot = (Step{1} << 60) / 5 * 5;
  trace.rows = {row};
  EXPECT_THAT(judgement(trace), HasSubstr("rows go on to slot 1152921504606846975, but"));
}

TEST(PopsReferee, ReportsMustBeTrue) {
  SlotTrace trace = randomized_trace();
  trace.delivered[3] += 5;
  EXPECT_THAT(judgement(trace), HasSubstr("packet 3 is reported delivered at"));
  trace = randomized_trace();
  trace.delivered.pop_back();
  EXPECT_THAT(judgement(trace), HasSubstr("63 packets are reported, 64 were created"));
  trace = randomized_trace();
  ++trace.slots[1].collisions;
  EXPECT_THAT(judgement(trace), HasSubstr("slot 1, the network: reported: "));
  trace = randomized_trace();
  trace.slots.push_back({1, 0, 0, 0});
  EXPECT_THAT(judgement(trace), HasSubstr("the network: reported: ")) << "of a slot without rows";
  trace = randomized_trace();
  trace.slots.pop_back();
  EXPECT_THAT(judgement(trace), HasSubstr("slots are reported"));
  trace = randomized_trace();
  TraceRow late = trace.rows.back();
  ++late.slot;
  trace.rows.push_back(late);
  EXPECT_THAT(judgement(trace), HasSubstr("has rows, but the program ended before slot"));
}

TEST(PopsReferee, NoPacketMayBeLeft) {
  // The paper's own slot 5 loses packets.
  bool first_of_all = false;
  for (std::uint64_t seed = 1; seed <= 100 && !first_of_all; ++seed) {
    SlotTrace trace = trace_of(randomized_case(32, 8, seed, true), seed);
    EXPECT_EQ(judgement(trace), "");
    trace.complete = true;
    const auto lost = std::find(trace.delivered.begin(), trace.delivered.end(), no_step) - trace.delivered.begin();
    EXPECT_THAT(judgement(trace), HasSubstr("packet " + std::to_string(lost) + " never arrives")) << "seed " << seed;
    first_of_all = lost == 0;
  }
  EXPECT_TRUE(first_of_all);
  SlotTrace trace = trace_of(randomized_case(32, 8, 1, true), 1);
  trace.rules = rules_of("randomized", trace.pops);
  EXPECT_THAT(judgement(trace), HasSubstr("meets packet"));
}

/// Small traces by hand: slots and rows of (processor, other group, packet) that drive or listen.
class ByHand {
 public:
  ByHand(const std::string& algorithm, std::int32_t d, std::int32_t g, std::vector<NodeId> destination)
      : trace_{Pops(d, g), rules_of(algorithm, Pops(d, g)), {}, {}, {}, {}, false, nullptr} {
    for (const NodeId to : destination) {
      Packet& packet = trace_.packets.emplace_back();
      packet.source = static_cast<NodeId>(trace_.packets.size()) - 1;
      packet.destination = to;
    }
    trace_.delivered.assign(destination.size(), no_step);
  }
  /// One after another: `from` sends a packet to `to` in a slot of its own.
  ByHand& send(Step slot, NodeId from, NodeId to, PacketId packet) {
    const std::int32_t source = trace_.pops.group_of(from), destination = trace_.pops.group_of(to);
    trace_.rows.push_back({slot, TraceEvent::drive, MessageKind::data, from, source, destination, packet});
    trace_.rows.push_back({slot, TraceEvent::listen, MessageKind::data, to, source, destination, packet});
    trace_.slots.resize(static_cast<std::size_t>(slot) + 1);
    trace_.slots.back() = {1, 1, 0, 1};
    return *this;
  }
  std::string judged() const { return judgement(trace_); }

 private:
  SlotTrace trace_;
};

TEST(PopsReferee, APacketArrivesOnce) {
  EXPECT_THAT(ByHand("direct", 1, 2, {1, 0}).send(0, 0, 1, 0).send(2, 0, 1, 0).judged(),
              HasSubstr("slot 2, proc_g01_p00: packet 0 arrives a second time"));
}

TEST(PopsReferee, APacketIsPassedOnOnce) {
  EXPECT_THAT(
      ByHand("offline", 4, 2, {5, 6, 7, 4, 0, 1, 2, 3}).send(0, 0, 4, 0).send(1, 4, 5, 0).send(3, 4, 5, 0).judged(),
      HasSubstr("slot 3, proc_g01_p00: packet 0 is driven, but the processor does not hold it"));
}

TEST(PopsReferee, TheBufferHasThreePlaces) {
  std::vector<NodeId> shift(24);
  for (std::size_t i = 0; i < shift.size(); ++i) shift[i] = static_cast<NodeId>((i + 12) % 24);
  ByHand trace("offline", 12, 2, shift);  // processor 12 has its own packet all the time
  trace.send(0, 0, 12, 0).send(2, 1, 12, 1).send(4, 2, 12, 2);
  trace.send(5, 12, 15, 0).send(7, 12, 15, 1);
  EXPECT_EQ(trace.judged(), "");
  EXPECT_THAT(trace.send(9, 12, 15, 2).judged(),
              HasSubstr("slot 5, proc_g01_p00: 4 packets are in the buffer, which has 3 places"));
}

TEST(PopsReferee, AValueIsAddedOnce) {
  ByHand trace("data-sum", 3, 1, {0, 0, 0});
  trace.send(0, 1, 2, 1).send(1, 2, 1, 2);
  EXPECT_EQ(trace.judged(), "");
  EXPECT_THAT(ByHand(trace).send(2, 2, 0, 2).judged(), HasSubstr("packet 2 is driven a second time"));
}

TEST(PopsReferee, PlansDoNotCollide) {
  SlotTrace trace{Pops(2, 2), rules_of("offline", Pops(2, 2)), {}, {}, {}, {}, false, nullptr};
  trace.packets.resize(4);
  for (NodeId node = 0; node < 4; ++node) {
    trace.packets[static_cast<std::size_t>(node)].source = node;
    trace.packets[static_cast<std::size_t>(node)].destination = node;
  }
  trace.rows = {{0, TraceEvent::drive, MessageKind::data, 0, 0, 1, 0},
                {0, TraceEvent::drive, MessageKind::data, 1, 0, 1, 1}};
  EXPECT_THAT(judgement(trace),
              HasSubstr("slot 0, proc_g00_p01: packet 1 meets packet 0 of proc_g00_p00 on coupler_to01_from00"));
}

}  // namespace
}  // namespace starloom::pops
