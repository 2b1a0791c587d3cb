// SPDX-License-Identifier: Apache-2.0
/// \file Chakra execution traces: their reader, their faults, and the workload against a second implementation.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <tuple>

#include <starloom/schema/config_error.hpp>
#include <starloom/schema/data_file.hpp>
#include <starloom/traffic/chakra/chakra_program.hpp>
#include <starloom/traffic/chakra/chakra_traffic.hpp>
#include <starloom/traffic/program/program_workload.hpp>
#include "chakra_traces.hpp"
#include "scratch_folder.hpp"

namespace starloom {
namespace {

using namespace chakra_traces;
using testing::ElementsAre;

class Chakra : public testing::Test {
 protected:
  std::vector<ChakraNode> read(const std::string& bytes) const {
    return read_chakra(scratch_.write("t.0.et", bytes), "t.0.et");
  }
  std::string fault_of(const std::string& bytes) const {
    try {
      read(bytes);
    } catch (const DataFileError& error) {
      return error.what();
    }
    return "";
  }
  ChakraInput input_of(const std::vector<std::vector<std::string>>& ranks) const {
    ChakraInput input;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
      input.names.push_back("t." + std::to_string(rank) + ".et");
      input.nodes.push_back(read_chakra(scratch_.write(input.names.back(), trace(ranks[rank])), input.names.back()));
    }
    return input;
  }
  std::string misfit_of(const ChakraInput& input) const {
    try {
      parts_of(input);
    } catch (const DataFileError& error) {
      return error.what();
    }
    return "";
  }
  const ScratchFolder scratch_;
};

TEST_F(Chakra, NodesAreRead) {
  const auto nodes = read(trace({field(1, 7) + field(2, "allreduce") + field(3, 7) + field(4, 3) + field(4, 4) +
                                     field(5, varint(300) + varint(2)) + field(7, 1'000'000'000'000U) +
                                     field(8, "inputs") + varint(11 << 3 | 1) + "12345678" + varint(12 << 3 | 5) +
                                     "1234" + attribute("comm_type", 2) + attribute("pg_name", "tp"),
                                 compute(8, 5)}));
  ASSERT_EQ(nodes.size(), 2U);
  EXPECT_EQ(nodes[0].id, 7U);
  EXPECT_EQ(nodes[0].name, "allreduce");
  EXPECT_EQ(nodes[0].type, ChakraType::collective);
  EXPECT_THAT(nodes[0].after, ElementsAre(3, 4, 300, 2));
  EXPECT_EQ(nodes[0].microseconds, 1'000'000'000'000U);
  EXPECT_EQ(nodes[0].comm_type, 2);
  EXPECT_EQ(nodes[0].group, "tp");
  EXPECT_EQ(nodes[0].record, 1);
  EXPECT_EQ(nodes[0].offset, 8);
  EXPECT_EQ(nodes[1].record, 2);
  EXPECT_EQ(nodes[1].source, std::nullopt);
}

/// The format has eleven kinds of integers.
TEST_F(Chakra, AttributesHaveAnyTypeOfIntegers) {
  const auto tag_of = [&](const std::string& value) {
    return read(trace({node(1, 5) + field(10, field(1, "comm_tag") + value)})).front().tag;
  };
  for (const int kind : {7, 9, 11, 13, 27}) EXPECT_EQ(tag_of(field(kind, 5)), 5) << kind;
  for (const int kind : {7, 9}) EXPECT_EQ(tag_of(field(kind, ~std::uint64_t{1})), -2) << kind;
  for (const int kind : {15, 17}) EXPECT_EQ(tag_of(field(kind, 10)), 5) << kind;
  for (const int kind : {15, 17}) EXPECT_EQ(tag_of(field(kind, 3)), -2) << kind;
  for (const int kind : {19, 23})
    EXPECT_EQ(tag_of(varint(static_cast<unsigned>(kind) << 3 | 5) + std::string("\5\1\0\0", 4)), 261);
  EXPECT_EQ(tag_of(varint(23 << 3 | 5) + "\xfe\xff\xff\xff"), -2);
  for (const int kind : {21, 25})
    EXPECT_EQ(tag_of(varint(static_cast<unsigned>(kind) << 3 | 1) + std::string("\5\0\0\0\1\0\0\0", 8)),
              5 + (std::int64_t{1} << 32));
}

TEST_F(Chakra, DamagedFilesEndWithTheRecord) {
  const std::string sound = trace({compute(1, 5), compute(2, 300)});
  EXPECT_EQ(fault_of(sound), "");
  std::set<std::string> faults;
  for (std::size_t size = 0; size < sound.size(); ++size) faults.insert(fault_of(sound.substr(0, size)));
  EXPECT_EQ(faults, (std::set<std::string>{"", "t.0.et: the file is empty",
                                           "t.0.et: record 0 (offset 0): the file ends inside this record",
                                           "t.0.et: record 1 (offset 8): the file ends inside this record",
                                           "t.0.et: record 2 (offset 18): the file ends inside this record"}));
  const auto in_record = [&](const std::string& bytes) { return fault_of(trace({bytes})); };
  const std::string place = "t.0.et: record 1 (offset 8): ";
  EXPECT_EQ(in_record(node(1, 8)), place + "type 8 is not a type of nodes");
  EXPECT_EQ(in_record(field(1, 1)), place + "type 0 is not a type of nodes");
  EXPECT_EQ(in_record(varint(1 << 3 | 3)), place + "field 1 has wire type 3, which the format does not have");
  EXPECT_EQ(in_record(varint(0)), place + "a field has number 0");
  EXPECT_EQ(in_record(field(1, "x") + field(3, 4)), place + "the id is not a number");
  EXPECT_EQ(in_record(field(2, 5)), place + "the name is not a text");
  EXPECT_EQ(in_record(varint(2 << 3 | 2) + varint(9) + "x"), place + "field 2 is longer than its message");
  EXPECT_EQ(in_record(varint(1 << 3) + "\x80"), place + "a number ends before its last byte");
  EXPECT_EQ(in_record(varint(1 << 3) + std::string(11, '\x80')), place + "a number has more than 10 bytes");
  EXPECT_EQ(in_record(varint(11 << 3 | 5) + "123"), place + "a number ends before its last byte");
  EXPECT_EQ(in_record(node(1, 5) + attribute("comm_size", "big")), place + "comm_size is not an integer");
  EXPECT_EQ(in_record(node(1, 5) + attribute("comm_size", -1)), place + "comm_size is -1");
  EXPECT_EQ(in_record(node(1, 7) + field(10, field(1, "pg_name"))), place + "pg_name is not a text");
  EXPECT_EQ(fault_of(varint(7) + field(1, "0.0.4") + std::string(10, '\xff')),
            place + "its length has more than 9 bytes");
}

TEST_F(Chakra, MisfitsAreReportedWithTheirRecords) {
  const auto misfit_of_ranks = [&](const std::vector<std::vector<std::string>>& ranks) {
    return misfit_of(input_of(ranks));
  };
  EXPECT_EQ(misfit_of_ranks({{compute(4, 1), compute(3, 1), compute(4, 1)}}),
            "t.0.et: record 3 (offset 28): id 4 is that of record 1");
  EXPECT_EQ(misfit_of_ranks({{compute(4, 1, {4}), compute(5, 1, {6})}}),
            "t.0.et: record 2 (offset 20): waits for node 6, which the file does not have");
  EXPECT_EQ(
      misfit_of_ranks({{compute(4, 1, {5}), compute(5, 1, {4})}}),
      "t.0.et: record 1 (offset 8): cyclic dependency: node 4 of rank 0 after node 5 of rank 0 after node 4 of rank 0");
  EXPECT_EQ(misfit_of_ranks({{receive(1, 1), send(2, 1, 8, {1})}, {receive(1, 0), send(2, 0, 8, {1})}}),
            "t.0.et: record 2 (offset 44): cyclic dependency: node 2 of rank 0 after node 1 of rank 0 after node 2 of "
            "rank 1 after node 1 of rank 1 after node 2 of rank 0");
  EXPECT_EQ(misfit_of_ranks({{collective(1, 0, 8), receive(2, 1, {1})}, {send(1, 0, 8), collective(2, 0, 8, {1})}}),
            "");
  EXPECT_THAT(misfit_of_ranks({{collective(1, 0, 8), send(2, 1, 8, {1})}, {receive(1, 0), collective(2, 0, 8, {1})}}),
              testing::HasSubstr("cyclic dependency: "));
  EXPECT_EQ(misfit_of_ranks({{send(1, 1, 8), send(2, 1, 8)}, {receive(1, 0), receive(2, 0, {}, 5)}}),
            "t.0.et: record 2 (offset 59): no receive for this send from rank 0 to rank 1 with tag 0\n"
            "t.1.et: record 2 (offset 44): no send for this receive from rank 0 to rank 1 with tag 5");
  EXPECT_EQ(misfit_of_ranks({{send(1, 2, 8), send(2, 0, 8), send(3, 1, 8) + attribute("comm_src", 1)}, {}}),
            "t.0.et: record 1 (offset 8): comm_dst is 2, but ranks are 0 to 1\n"
            "t.0.et: record 2 (offset 59): a rank sends no message to itself\n"
            "t.0.et: record 3 (offset 110): comm_src is 1, but this is rank 0");
  EXPECT_EQ(
      misfit_of_ranks({{collective(1, 3, 8), collective(2, 4, 8), collective(3, 10, 8), collective(4, 0, 8, {}, "x")}}),
      "t.0.et: record 1 (offset 8): gather is not supported\n"
      "t.0.et: record 2 (offset 46): scatter is not supported\n"
      "t.0.et: record 3 (offset 84): comm_type 10 is not a collective\n"
      "t.0.et: record 4 (offset 122): unknown process group x; traffic.groups names a file with the ranks of each "
      "group");
  EXPECT_EQ(misfit_of_ranks({{collective(1, 0, 8), collective(2, 2, 8)}, {collective(1, 2, 8), collective(2, 0, 8)}}),
            "t.1.et: record 1 (offset 8): collective 0 of all ranks is all-gather of 8 bytes, but all-reduce of 8 "
            "bytes at rank 0");
  EXPECT_EQ(misfit_of_ranks({{collective(1, 0, 8)}, {collective(1, 0, 8), collective(2, 0, 8)}, {}}),
            "t.0.et: record 1 (offset 8): collective 0 of all ranks is missing at rank 2\n"
            "t.1.et: record 2 (offset 46): collective 1 of all ranks is missing at rank 0");
  ChakraInput grouped = input_of({{collective(1, 0, 8, {}, "g")}, {}});
  grouped.groups["g"] = {1};
  EXPECT_EQ(misfit_of(grouped), "t.0.et: record 1 (offset 8): rank 0 is not in process group g");
  ChakraInput halves = input_of({{collective(1, 0, 8)}, {collective(1, 0, 8)}, {collective(1, 0, 8)}});
  halves.algorithms["all-reduce"] = "halving-doubling";
  EXPECT_EQ(misfit_of(halves), "t.0.et: record 1 (offset 8): halving-doubling needs a power of two, not 3 ranks");
  EXPECT_EQ(misfit_of_ranks({{collective(1, 2, std::int64_t{1} << 62)}}),
            "t.0.et: record 1 (offset 8): comm_size is 4611686018427387904, but a message or collective has at most "
            "34359738352 bytes");
  ChakraInput slow = input_of({{compute(1, std::uint64_t{1} << 63)}});
  EXPECT_THAT(misfit_of(slow), testing::HasSubstr("t.0.et: record 1 (offset 8): duration_micros is longer than "));
}

/// 21,000 / 0.7 is 30,000.000000000004 in floating point.
TEST_F(Chakra, ComputationsAreRoundedUpToSteps) {
  const auto delay_of = [&](std::uint64_t microseconds, double clock_ns) {
    ChakraInput input = input_of({{compute(1, microseconds)}});
    input.units.clock_ns = clock_ns;
    return parts_of(input).operations.front().delay;
  };
  EXPECT_EQ(delay_of(21, 0.7), 30'000);
  EXPECT_EQ(delay_of(1, 3), 334);
  EXPECT_EQ(delay_of(1, 5000), 1);
  EXPECT_EQ(delay_of(0, 5000), 0);
}

/// Bytes are rounded up to flits, and blocks are not empty.
TEST_F(Chakra, CollectivesHaveTheFlitsOfTheirBytes) {
  const auto flits_of = [&](int comm_type, std::int64_t bytes, const char* op = "", const char* algorithm = "") {
    std::vector<std::vector<std::string>> ranks(4, {collective(1, comm_type, bytes)});
    ChakraInput input = input_of(ranks);
    input.algorithms[op] = algorithm;
    const ProgramParts parts = parts_of(input);
    EXPECT_EQ(parts.instances.size(), 1U);
    return parts.operations.front().collective.flits;
  };
  EXPECT_EQ(flits_of(0, 1000), 63);  // 16 bytes each
  EXPECT_EQ(flits_of(2, 1000), 250);
  EXPECT_EQ(flits_of(2, 4), 4);
  EXPECT_EQ(flits_of(0, 0), 4);
  EXPECT_EQ(flits_of(0, 20, "all-reduce", "bidirectional-ring"), 8);
  EXPECT_EQ(flits_of(6, 1000), 63);
  EXPECT_EQ(flits_of(6, 1000, "all-to-all", "ring"), 64);
  EXPECT_EQ(flits_of(5, 20), 2);
  EXPECT_EQ(flits_of(9, 20), 0);
}

// ---- The workload, moment by moment: a plain implementation of the rules of docs/chakra.md

struct PlainNode {
  std::uint64_t id;
  std::vector<std::size_t> after;  ///< nodes of its rank
  RankUnit unit;
  Step delay;                        ///< of a computation
  int instance = -1;                 ///< of a message or collective
  std::int32_t index = 0;            ///< in that
  Step entered = -1, finished = -1;  ///< moments
};
struct PlainMessage {
  Step created, delivered;
  std::int32_t source, destination, flits;
  bool operator==(const PlainMessage& other) const {
    return std::tie(created, delivered, source, destination, flits) ==
           std::tie(other.created, other.delivered, other.source, other.destination, other.flits);
  }
  bool operator<(const PlainMessage& other) const {
    return std::tie(created, delivered, source, destination, flits) <
           std::tie(other.created, other.delivered, other.source, other.destination, other.flits);
  }
};
std::ostream& operator<<(std::ostream& out, const PlainMessage& message) {
  return out << message.source << "->" << message.destination << " " << message.flits << " flits, " << message.created
             << " to " << message.delivered;
}

Step latency_of(std::int32_t source, std::int32_t destination, std::int32_t flits) {
  return 1 + (source * 7 + destination * 5 + flits * 3) % 11;
}

/// A random program of some ranks, as nodes and as traces.
class RandomRanks {
 public:
  RandomRanks(std::uint32_t seed, bool ordered) : random_(seed), ordered_(ordered) {
    ranks_ = pick(2, 4);
    nodes.resize(static_cast<std::size_t>(ranks_));
    traces.resize(nodes.size());
    for (int i = pick(3, 20); i > 0; --i) {
      const int kind = pick(0, 5);
      if (kind == 0) add_collective();
      else if (kind <= 2) add_message();
      else add_event(pick(0, ranks_ - 1));
    }
  }

  struct Instance {
    OperationPlan plan;
    std::vector<std::int32_t> ranks;
  };
  std::vector<std::vector<PlainNode>> nodes;  ///< [rank]
  std::vector<std::vector<std::string>> traces;
  std::vector<Instance> instances;

 private:
  int pick(int least, int most) {
    return least + static_cast<int>(random_() % static_cast<unsigned>(most - least + 1));
  }
  /// Ids of messages and collectives rise, those of computations do not.
  std::uint64_t next_id() { return 1000 * ++count_; }
  std::vector<std::size_t> some_before(int rank) {
    std::vector<std::size_t> some;
    const auto count = nodes[static_cast<std::size_t>(rank)].size();
    for (std::size_t i = 0; i < count; ++i)
      if (pick(0, 3) == 0 || (ordered_ && i + 1 == count)) some.push_back(i);
    return some;
  }
  std::vector<std::uint64_t> ids_of(int rank, const std::vector<std::size_t>& after) const {
    std::vector<std::uint64_t> ids;
    for (const std::size_t i : after) ids.push_back(nodes[static_cast<std::size_t>(rank)][i].id);
    return ids;
  }
  void add(int rank, PlainNode node, const std::string& record) {
    nodes[static_cast<std::size_t>(rank)].push_back(std::move(node));
    traces[static_cast<std::size_t>(rank)].push_back(record);
  }
  void add_event(int rank) {
    const std::vector<std::size_t> after = some_before(rank);
    const std::uint64_t id = next_id() % 7919 * 100'003 % 50'021 * 1000 + 500;
    for (const PlainNode& other : nodes[static_cast<std::size_t>(rank)])
      if (other.id == id) return;
    const int kind = pick(0, 3);
    const Step delay = kind == 3 ? 0 : pick(0, 6);
    const std::string record = kind == 3 ? node(id, pick(1, 3), ids_of(rank, after))
                                         : compute(id, static_cast<std::uint64_t>(delay), ids_of(rank, after)) +
                                               (kind == 2 ? attribute("is_cpu_op", 1) : "");
    const RankUnit unit = kind == 3 ? RankUnit::none : kind == 2 ? RankUnit::host : RankUnit::compute;
    add(rank, {id, after, unit, delay}, record);
  }
  void add_message() {
    const int from = pick(0, ranks_ - 1), to = (from + pick(1, ranks_ - 1)) % ranks_;
    const std::uint64_t id = next_id();
    const std::int32_t flits = pick(1, 6);
    const int tag = pick(0, 1);
    const auto before = some_before(from), behind = some_before(to);
    const auto number = static_cast<int>(instances.size());
    OperationPlan plan(2, 0, 0);
    plan.send(0, 1, OperationPlan::no_block, flits, false, {});
    plan.close();
    instances.push_back({std::move(plan), {from, to}});
    add(from, {id, before, RankUnit::network, 0, number, 0}, send(id, to, 16 * flits, ids_of(from, before), tag));
    add(to, {id, behind, RankUnit::none, 0, number, 1}, receive(id, from, ids_of(to, behind), tag));
  }
  void add_collective() {
    const std::uint64_t id = next_id();
    const std::int64_t flits = pick(ranks_, 12);
    const auto number = static_cast<int>(instances.size());
    Instance instance{plan_of({"all-reduce", "ring", flits, 2, 0, 0, 0, 0.5}, ranks_), {}};
    for (int rank = 0; rank < ranks_; ++rank) {
      instance.ranks.push_back(rank);
      const auto before = some_before(rank);
      add(rank, {id, before, RankUnit::network, 0, number, rank}, collective(id, 0, 16 * flits, ids_of(rank, before)));
    }
    instances.push_back(std::move(instance));
  }

  std::mt19937 random_;
  bool ordered_;
  int ranks_ = 0;
  std::uint64_t count_ = 0;
};

/// Moments are steps twice, and one more for deliveries.
class PlainRanks {
 public:
  explicit PlainRanks(RandomRanks& program) : program_(program) {
    for (const auto& instance : program_.instances) {
      const std::size_t items = instance.plan.items().size();
      done_.emplace_back(items, -1);
      due_.emplace_back(items, -1);
    }
  }

  std::vector<PlainMessage> run(Step steps) {
    for (moment_ = 0; moment_ < 2 * steps; ++moment_) {
      do
        while (advance()) {
        }
      while (choose());
    }
    std::sort(messages_.begin(), messages_.end());
    return messages_;
  }

 private:
  bool is_done(int instance, std::size_t item) const {
    const Step at = done_[static_cast<std::size_t>(instance)][item];
    return at >= 0 && at <= moment_;
  }
  bool is_free(const std::vector<PlainNode>& nodes, const PlainNode& node) const {
    return node.entered < 0 && std::all_of(node.after.begin(), node.after.end(), [&](std::size_t other) {
             return nodes[other].finished >= 0 && nodes[other].finished <= moment_;
           });
  }
  /// One thing that happens in this moment.
  bool advance() {
    for (auto& nodes : program_.nodes)
      for (PlainNode& node : nodes) {
        if (node.unit == RankUnit::none && is_free(nodes, node)) return node.entered = moment_, true;
        if (node.entered < 0 || node.finished >= 0) continue;
        if (node.instance < 0)
          return node.finished = node.delay > 0 ? 2 * (node.entered / 2 + node.delay) : moment_, true;
        if (finishes(node)) return node.finished = moment_, true;
      }
    for (std::size_t i = 0; i < program_.instances.size(); ++i)
      for (std::size_t item = 0; item < due_[i].size(); ++item)
        if (advance(i, item)) return true;
    return false;
  }
  bool finishes(const PlainNode& node) const {
    const auto& items = program_.instances[static_cast<std::size_t>(node.instance)].plan.items();
    for (std::size_t item = 0; item < items.size(); ++item)
      if ((items[item].from == node.index || items[item].to == node.index) && !is_done(node.instance, item))
        return false;
    return true;
  }
  /// A message is created, or an event begins.
  bool advance(std::size_t number, std::size_t item) {
    if (due_[number][item] >= 0) return false;
    const RandomRanks::Instance& instance = program_.instances[number];
    const OperationPlan::Item& planned = instance.plan.items()[item];
    if (planned.after_entry && !has_entered(static_cast<int>(number), planned.from)) return false;
    for (std::size_t other = 0; other < due_[number].size(); ++other) {
      bool awaited = false;
      instance.plan.each_dependant(static_cast<PlanItem>(other), [&](const OperationPlan::Dependant& dependant) {
        awaited = awaited || dependant.item == item;
      });
      if (awaited && !is_done(static_cast<int>(number), other)) return false;
    }
    const Step step = (moment_ + 1) / 2;
    due_[number][item] = step;
    if (planned.flits == 0) {
      done_[number][item] = planned.delay > 0 ? 2 * (moment_ / 2 + planned.delay) : moment_;
      return true;
    }
    const std::int32_t from = instance.ranks[static_cast<std::size_t>(planned.from)];
    const std::int32_t to = instance.ranks[static_cast<std::size_t>(planned.to)];
    const Step delivered = step + latency_of(from, to, planned.flits);
    messages_.push_back({step, delivered, from, to, planned.flits});
    done_[number][item] = 2 * delivered + 1;
    return true;
  }
  bool has_entered(int instance, std::int32_t index) const {
    for (const auto& nodes : program_.nodes)
      for (const PlainNode& node : nodes)
        if (node.instance == instance && node.index == index) return node.entered >= 0;
    return false;
  }
  /// Each unit that is idle takes the free node with the lowest id.
  bool choose() {
    bool any = false;
    for (auto& nodes : program_.nodes)
      for (const RankUnit unit : {RankUnit::compute, RankUnit::host, RankUnit::network}) {
        PlainNode* next = nullptr;
        bool busy = false;
        for (PlainNode& node : nodes) {
          if (node.unit != unit) continue;
          busy = busy || (node.entered >= 0 && (node.finished < 0 || node.finished > moment_));
          if (is_free(nodes, node) && (next == nullptr || node.id < next->id)) next = &node;
        }
        if (busy || next == nullptr) continue;
        next->entered = moment_;
        any = true;
      }
    return any;
  }

  RandomRanks& program_;
  Step moment_ = 0;
  std::vector<std::vector<Step>> done_;  ///< [instance][item] moment
  std::vector<std::vector<Step>> due_;   ///< [instance][item] step
  std::vector<PlainMessage> messages_;
};

/// The messages of a workload; those delivered in the same step in a random order.
std::vector<PlainMessage> messages_of(Workload& workload, std::mt19937& random) {
  std::vector<PlainMessage> messages;
  std::map<Step, std::vector<MessageNumber>> under_way;
  std::vector<NewMessage> fresh;
  while (workload.next_creation() != no_step || !under_way.empty()) {
    const Step next = workload.next_creation();
    if (!under_way.empty() && (next == no_step || under_way.begin()->first < next)) {
      auto [step, together] = *under_way.begin();
      under_way.erase(under_way.begin());
      std::shuffle(together.begin(), together.end(), random);
      for (const MessageNumber message : together) workload.delivered(message, step);
      continue;
    }
    fresh.clear();
    workload.create(next, fresh);
    workload.take_events();
    for (const NewMessage& message : fresh) {
      const Item& item = message.of_input;
      const Step delivered = next + latency_of(item.source, item.destination, item.flits);
      EXPECT_TRUE(message.released_by < 0 || messages[static_cast<std::size_t>(message.released_by)].delivered < next);
      under_way[delivered].push_back(static_cast<MessageNumber>(messages.size()));
      messages.push_back({next, delivered, item.source, item.destination, item.flits});
    }
  }
  return messages;
}

TEST_F(Chakra, WorkloadsAreInLockstepWithAPlainImplementation) {
  std::mt19937 random(1);
  int blocked = 0, created = 0;
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    RandomRanks ranks(seed, seed % 3 == 0);
    ChakraInput input = input_of(ranks.traces);
    input.units.clock_ns = 1000;
    input.chunk = 2;
    input.reduce = 0.5;
    std::vector<NodeId> node(ranks.nodes.size());
    std::iota(node.begin(), node.end(), 0);
    const auto program = std::make_shared<const Program>(parts_of(input), node, 0);
    ProgramWorkload workload(program);
    const std::vector<PlainMessage> found = messages_of(workload, random);
    EXPECT_TRUE(std::is_sorted(found.begin(), found.end(), [](const auto& one, const auto& other) {
      return std::tie(one.created, one.source) < std::tie(other.created, other.source);
    }));
    std::vector<PlainMessage> sorted = found;
    std::sort(sorted.begin(), sorted.end());
    ASSERT_EQ(sorted, PlainRanks(ranks).run(700)) << seed;
    const bool all = static_cast<std::int64_t>(found.size()) == *workload.message_count();
    EXPECT_EQ(workload.blocked(), !all || !workload.waiting(1).empty()) << seed;
    blocked += all ? 0 : 1;
    created += static_cast<int>(found.size());
    ProgramWorkload ideal(program, false);
    EXPECT_EQ(static_cast<std::int64_t>(messages_of(ideal, random).size()), *ideal.message_count());
    EXPECT_FALSE(ideal.blocked());
  }
  EXPECT_GT(blocked, 5);
  EXPECT_GT(created, 5000);
}

}  // namespace
}  // namespace starloom
