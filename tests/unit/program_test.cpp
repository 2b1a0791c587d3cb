// SPDX-License-Identifier: Apache-2.0
/// \file Programs of collectives: their reader, the plans of operations, and the workload against a second
/// implementation.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include <starloom/schema/data_file.hpp>
#include <starloom/support/names.hpp>
#include <starloom/traffic/mapping_rules.hpp>
#include <starloom/traffic/program/program_file.hpp>
#include <starloom/traffic/program/program_workload.hpp>
#include <starloom/traffic/workloads/critical_path.hpp>
#include <starloom/traffic/workloads/graph_workload.hpp>
#include "scratch_folder.hpp"

namespace starloom {
namespace {

class Programs : public testing::Test {
 protected:
  TrafficContext context(std::int32_t processors = 16) const {
    TrafficContext made;
    made.processors.count = processors;
    made.folder = scratch_.path();
    return made;
  }
  ProgramFile read(const std::string& text) {
    scratch_.write("p.yaml", text);
    return read_program(context(), "p.yaml");
  }
  std::string fault_of(const std::string& text) {
    try {
      read(text);
    } catch (const DataFileError& error) {
      return error.what();
    }
    return "";
  }
  std::shared_ptr<const Program> program(const std::string& text) {
    ProgramFile file = read(text);
    std::vector<NodeId> node(static_cast<std::size_t>(file.ranks));
    std::iota(node.begin(), node.end(), 0);
    return std::make_shared<const Program>(parts_of(std::move(file.operations), file.statements, file.ranks),
                                           std::move(node), 0);
  }
  ScratchFolder scratch_;
};

TEST_F(Programs, AreRefusedWithAllFaults) {
  const std::string head = "schema: 1\nranks: 12\nprogram:\n";
  const std::pair<std::string, std::string> faults[] = {
      {"[1]", "p.yaml:1:1: a program has the keys schema, ranks and program, not a list"},
      {"schema: 1\nranks: 4",
       "p.yaml:1:1: the key program is missing: a program has the keys schema, ranks and program"},
      {"schema: 2\nranks: 0\nprogram: []",
       "p.yaml:1:9: schema is 1, not '2'\np.yaml:2:8: ranks is an integer from 1 to 65536, not '0'"},
      {"schema: 1\nranks: 17\nprogram: []",
       "p.yaml:2:8: 17 ranks do not fit on 16 processors: each rank has a processor of its own"},
      {head + "  - {op: all-redcue, flits: 12}",
       "p.yaml:4:10: unknown operation all-redcue (did you mean all-reduce?)"},
      {head + "  - {op: all-reduce, algorithm: halving-doubling, flits: 64}",
       "p.yaml:4:5: halving-doubling needs a power of two, not 12 ranks"},
      {head + "  - {op: all-reduce, flits: 11}", "p.yaml:4:5: ring needs at least 12 flits among 12 ranks, not 11"},
      {head + "  - {op: all-gather, algorithm: bidirectional-ring, flits: 23}",
       "p.yaml:4:5: bidirectional-ring needs at least 24 flits among 12 ranks, not 23"},
      {head + "  - {op: all-to-all, algorithm: ring, flits: 13}",
       "p.yaml:4:5: ring needs a multiple of 12 ranks, not 13 flits"},
      {head + "  - {op: all-reduce, algorithm: hierarchical, flits: 64}",
       "p.yaml:4:5: hierarchical needs the key grid: [rows, columns]"},
      {head + "  - {op: all-reduce, algorithm: hierarchical, flits: 64, grid: [3, 3]}",
       "p.yaml:4:5: a grid of 3 x 3 does not have 12 ranks"},
      {head + "  - {op: all-reduce, flits: 64, grid: [3, 4]}",
       "p.yaml:4:39: only hierarchical has the key grid, not ring"},
      {head + "  - {op: broadcast, algorithm: ring, flits: 64}",
       "p.yaml:4:32: unknown algorithm of broadcast ring; known: tree, chain, binomial, multicast"},
      {head + "  - {op: barrier, flits: 1}", "p.yaml:4:19: unknown key 'flits'"},
      {head + "  - {op: reduce, flits: 1, bytes: 2}", "p.yaml:4:5: reduce needs the key flits or bytes, not both"},
      {head + "  - {op: reduce}", "p.yaml:4:5: reduce needs the key flits or bytes"},
      {head + "  - {op: reduce, flits: 1, root: 12}", "p.yaml:4:34: root is an integer from 0 to 11, not '12'"},
      {head + "  - {op: send, from: 1, to: 1, flits: 1}", "p.yaml:4:29: rank 1 does not send to itself"},
      {head + "  - {op: send, from: 1, to: 12, flits: 1}", "p.yaml:4:29: '12' is not a rank: ranks are 0 to 11"},
      {head + "  - {op: send, to: 3, flits: 1}", "p.yaml:4:5: send lacks the key from"},
      {head + "  - {compute: -1}", "p.yaml:4:15: compute is an integer from 0 to 1000000000000000000, not '-1'"},
      {head + "  - {compute: 1, group: tp}", "p.yaml:4:25: unknown group 'tp'"},
      {head + "  - {compute: 1, after: [late]}\n  - {compute: 1, name: late}",
       "p.yaml:4:26: after: 'late' is not the name of an operation before it"},
      {head + "  - {repeat: 2}", "p.yaml:4:5: the repetition lacks the key body"},
      {head + "  - {repeat: 0, body: []}", "p.yaml:4:14: repeat is an integer from 1 to 67108864, not '0'"},
      {head + "  - {repeat: 67108864, body: [{compute: 1}]}",
       "p.yaml:4:3: the program has more than 67108864 operations of ranks; repeat less"},
      {"schema: 1\nranks: 4\nmapping: [0, 1, 1, 16]\nprogram: []",
       "p.yaml:3:17: mapping of rank 2: processor 1 has rank 1 already\n"
       "p.yaml:3:20: mapping of rank 3: '16' is not a processor: processors are 0 to 15"},
      {"schema: 1\nranks: 4\nmapping: snaek\nprogram: []",
       "p.yaml:3:10: unknown mapping snaek (did you mean snake?); known: row-major, snake, spread, random"},
      {"schema: 1\nranks: 4\nreduce: -1\nprogram: []",
       "p.yaml:3:9: reduce is a number of steps per flit, from 0 to 1e9, not '-1'"},
      {"schema: 1\nranks: 4\ngroups: {a: {blocks: 3}, b: [[0, 0]], c: [[4]], a: [[1]], d: 1, e: [], f: [[]]}\nprogram: "
       "[]",
       "p.yaml:3:22: blocks: 3 does not divide 4 ranks\n"
       "p.yaml:3:34: rank 0 is twice in a list\n"
       "p.yaml:3:44: '4' is not a rank: ranks are 0 to 3\n"
       "p.yaml:3:49: the group a is given twice\n"
       "p.yaml:3:62: a group is {blocks: k}, {stride: k} or a list of lists of ranks, not '1'\n"
       "p.yaml:3:68: a group has at least one list of ranks\n"
       "p.yaml:3:76: a group has lists of ranks, such as [[0, 1], [2, 3]], not an empty list"},
      {"schema: 1\nranks: 4\ngroups: {a: [[0, 1]]}\nprogram:\n  - {op: reduce, flits: 1, group: a, root: 2}",
       "p.yaml:5:5: root 2 is not in a list of 2 ranks"}};
  for (const auto& [text, fault] : faults) EXPECT_EQ(fault_of(text), fault) << text;
}

/// The ranks whose entry the finish of each rank awaits.
std::vector<std::set<std::int32_t>> awaited_entries(const OperationPlan& plan) {
  std::vector<std::set<std::int32_t>> of_item(plan.items().size());
  std::vector<std::set<std::int32_t>> of_rank(static_cast<std::size_t>(plan.ranks()));
  for (std::int32_t rank = 0; rank < plan.ranks(); ++rank) of_rank[static_cast<std::size_t>(rank)] = {rank};
  for (PlanItem item = 0; item < of_item.size(); ++item) {
    const OperationPlan::Item& facts = plan.items()[item];
    if (facts.after_entry) of_item[item].insert(facts.from);
    const auto note = [&](std::int32_t end) {
      of_rank[static_cast<std::size_t>(end)].insert(of_item[item].begin(), of_item[item].end());
    };
    note(facts.from);
    plan.each_receiver(facts, note);
    // Items are behind those for which they wait.
    plan.each_dependant(item, [&](const OperationPlan::Dependant& dependant) {
      EXPECT_GT(dependant.item, item);
      of_item[dependant.item].insert(of_item[item].begin(), of_item[item].end());
    });
  }
  return of_rank;
}

/// The number of ranks whose data a rank has at the end.
std::size_t needed(const Collective& collective, std::int32_t ranks, std::int32_t rank) {
  if (collective.op == "broadcast") return rank == collective.root ? 1 : 2;
  if (collective.op == "reduce" && rank != collective.root) return 1;
  return static_cast<std::size_t>(ranks);
}

TEST(Collectives, ReachAllRanksThatTheyNeed) {
  int plans = 0;
  for (const CollectiveAlgorithm& entry : collective_table())
    for (const std::string& op : entry.ops)
      for (std::int32_t ranks = 1; ranks <= 17; ++ranks)
        for (const std::int32_t chunk : {0, 3})
          for (const double reduce : {0.0, 0.5}) {
            Collective collective{op, entry.name, op == "barrier" ? 0 : 4 * ranks, chunk, ranks / 2};
            collective.reduce = reduce;
            collective.rows = ranks % 3 == 0 ? 3 : 1;
            collective.columns = ranks / collective.rows;
            if (!entry.refuse(collective, ranks).empty()) continue;
            // Its rounds wait for the round before only (docs/collectives.md).
            if (entry.name == "halving-doubling" && op == "reduce-scatter") continue;
            ++plans;
            const auto found = awaited_entries(plan_of(collective, ranks));
            for (std::int32_t rank = 0; rank < ranks; ++rank) {
              const std::set<std::int32_t>& of_rank = found[static_cast<std::size_t>(rank)];
              EXPECT_GE(of_rank.size(), needed(collective, ranks, rank)) << op << " " << entry.name << " " << ranks;
              if (op == "broadcast") {
                EXPECT_EQ(of_rank.count(collective.root), 1U);
              }
            }
          }
  EXPECT_GT(plans, 800);
}

/// Flits that the definitions of the algorithms give: 2(P-1)/P S of a rank for the all-reduce, and so on.
TEST(Collectives, SendTheFlitsOfTheirDefinition) {
  const auto busiest = [](const char* op, const char* algorithm, std::int64_t flits, std::int32_t ranks = 16) {
    Collective collective{op, algorithm, flits};
    collective.rows = 4;
    collective.columns = 4;
    return plan_of(collective, ranks).busiest();
  };
  for (const char* algorithm : {"ring", "bidirectional-ring", "halving-doubling", "hierarchical"})
    EXPECT_EQ(busiest("all-reduce", algorithm, 256), 480);
  for (const char* op : {"reduce-scatter", "all-gather"})
    for (const char* algorithm : {"ring", "bidirectional-ring", "halving-doubling", "direct"})
      EXPECT_EQ(busiest(op, algorithm, 256), 240);
  EXPECT_EQ(busiest("all-to-all", "direct", 256), 240);
  EXPECT_EQ(busiest("all-to-all", "ring", 256), 16 * 120);
  EXPECT_EQ(busiest("all-reduce", "tree", 10), 30);
  EXPECT_EQ(busiest("broadcast", "chain", 10), 10);
  EXPECT_EQ(busiest("broadcast", "binomial", 10), 40);
  EXPECT_EQ(busiest("broadcast", "multicast", 10), 10);
  EXPECT_EQ(busiest("barrier", "dissemination", 0), 4);
}

TEST(Collectives, HaveTheFactorOfTheirBusBandwidth) {
  EXPECT_EQ(bus_factor("all-reduce", 16), 1.875);
  for (const char* op : {"reduce-scatter", "all-gather", "all-to-all"}) EXPECT_EQ(bus_factor(op, 16), 0.9375);
  for (const char* op : {"broadcast", "reduce"}) EXPECT_EQ(bus_factor(op, 16), 1);
  EXPECT_FALSE(bus_factor("barrier", 16));
}

/// By the definitions of the estimates, with a latency of 8 steps.
TEST(Collectives, HaveAnEstimateOfTheirSteps) {
  const auto model = [](const char* op, const char* algorithm, std::int64_t flits, std::int32_t chunk = 0,
                        std::int32_t ranks = 16) {
    const auto& estimate = find_collective(op, algorithm)->model;
    return estimate ? estimate({op, algorithm, flits, chunk}, ranks, 8) : -1;
  };
  EXPECT_EQ(model("all-reduce", "ring", 256), 30 * (8 + 16));
  EXPECT_EQ(model("all-gather", "ring", 256), 15 * (8 + 16));
  EXPECT_EQ(model("all-reduce", "ring", 18, 0, 4), 6 * (8 + 4.5));
  EXPECT_EQ(model("all-reduce", "halving-doubling", 256), 2 * 8 * 4 + 2 * 240);
  EXPECT_EQ(model("reduce-scatter", "halving-doubling", 256), 8 * 4 + 240);
  EXPECT_EQ(model("all-to-all", "direct", 256), 8 * 15 + 240);
  EXPECT_EQ(model("all-reduce", "tree", 256, 16), 2 * (4 + 15) * (8 + 16));
  EXPECT_EQ(model("all-reduce", "tree", 100, 30, 9), 2 * (4 + 3) * (8 + 30));
  EXPECT_EQ(model("all-reduce", "tree", 10, 16), 2 * 4 * (8 + 10));
  EXPECT_EQ(model("broadcast", "tree", 256), -1);
  EXPECT_EQ(model("all-to-all", "ring", 256), -1);
  EXPECT_EQ(model("barrier", "dissemination", 0), -1);
}

TEST(Collectives, DoNotChangeIfChunksAreAsLongAsBlocks) {
  for (const CollectiveAlgorithm& entry : collective_table())
    for (const std::string& op : entry.ops) {
      Collective collective{op, entry.name, op == "barrier" ? 0 : 32};
      collective.rows = collective.columns = 4;
      const OperationPlan whole = plan_of(collective, 16);
      collective.chunk = 1000;
      const OperationPlan cut = plan_of(collective, 16);
      ASSERT_EQ(whole.items().size(), cut.items().size());
      for (std::size_t i = 0; i < whole.items().size(); ++i) {
        const OperationPlan::Item &a = whole.items()[i], &b = cut.items()[i];
        EXPECT_EQ(std::tie(a.from, a.to, a.flits, a.waits_for), std::tie(b.from, b.to, b.flits, b.waits_for));
      }
    }
}

/// All items of a program at once: entries, finishes, messages and events, in the order of instances.
std::shared_ptr<const ItemGraph> graph_of(const Program& program) {
  std::vector<Item> items(2 * program.part_count());
  std::vector<Dependency> dependencies;
  for (std::uint32_t number = 0; number < program.instances().size(); ++number) {
    const OperationInstance& instance = program.instances()[number];
    const std::vector<std::int32_t>& ranks = program.ranks_of(instance);
    const OperationPlan plan = Program::plan(program.operation(instance), static_cast<std::int32_t>(ranks.size()));
    const auto first = static_cast<ItemNumber>(items.size());
    for (std::size_t index = 0; index < ranks.size(); ++index) {
      const auto part = static_cast<ProgramPart>(instance.first_part + index);
      for (const ItemNumber event : {2 * part, 2 * part + 1}) {
        items[event].source = items[event].destination = program.node(ranks[index]);
        items[event].flits = 0;
      }
      dependencies.push_back({2 * part, 2 * part + 1, 0});
      program.each_dependant(part, [&](const Program::Dependant& dependant) {
        dependencies.push_back({2 * part + 1, 2 * dependant.part, dependant.place});
      });
    }
    for (PlanItem i = 0; i < plan.items().size(); ++i) {
      const OperationPlan::Item& planned = plan.items()[i];
      Item item;
      const auto from = static_cast<std::size_t>(planned.from), to = static_cast<std::size_t>(planned.to);
      item.source = program.node(ranks[from]);
      item.destination = program.node(ranks[to]);
      item.flits = planned.flits;
      item.delay = planned.delay;
      items.push_back(item);
      const auto part = [&](std::size_t index) { return static_cast<ProgramPart>(instance.first_part + index); };
      if (planned.after_entry) dependencies.push_back({2 * part(from), first + i, 0});
      dependencies.push_back({first + i, 2 * part(from) + 1, i + 1});
      if (to != from) dependencies.push_back({first + i, 2 * part(to) + 1, i + 1});
      plan.each_dependant(i, [&](const OperationPlan::Dependant& dependant) {
        dependencies.push_back({first + i, first + dependant.item, dependant.place});
      });
    }
  }
  return std::make_shared<const ItemGraph>(std::move(items), dependencies, std::vector<std::string>());
}

using Creation = std::tuple<Step, NodeId, NodeId, std::int32_t, MessageNumber>;

/// The messages of a run in which each takes a time of its own.
std::vector<Creation> creations_of(Workload& workload) {
  std::vector<Creation> found;
  std::multimap<Step, MessageNumber> under_way;
  std::vector<NewMessage> fresh;
  while (workload.next_creation() != no_step || !under_way.empty()) {
    const Step next = workload.next_creation();
    if (!under_way.empty() && (next == no_step || under_way.begin()->first < next)) {
      const auto [step, message] = *under_way.begin();
      under_way.erase(under_way.begin());
      workload.delivered(message, step);
      continue;
    }
    fresh.clear();
    workload.create(next, fresh);
    workload.take_events();
    for (const NewMessage& message : fresh) {
      const Item& item = message.of_input;
      const auto number = static_cast<MessageNumber>(found.size());
      found.emplace_back(next, item.source, item.destination, item.flits, message.released_by);
      under_way.emplace(next + 1 + (item.source * 7 + item.destination * 5 + item.flits * 3 + number) % 11, number);
    }
  }
  return found;
}

TEST_F(Programs, CreateTheMessagesOfTheGraphOfTheirItems) {
  const char* const bodies[] = {
      "  - {op: all-reduce, flits: 40, chunk: 2}\n  - {op: barrier}\n",
      "  - {compute: 9, group: a}\n  - {op: all-reduce, algorithm: tree, flits: 9, chunk: 2, group: a}\n"
      "  - {op: all-reduce, algorithm: hierarchical, grid: [2, 4], flits: 16}\n",
      "  - {repeat: 3, body: [{op: all-to-all, flits: 24, group: b, name: x}, {compute: 3, after: [x]}, {op: "
      "broadcast, "
      "flits: 5, chunk: 1, root: 1, group: a}]}\n  - {op: barrier, after: [x, compute]}\n",
      "  - {op: send, from: 0, to: 5, flits: 3, after: []}\n  - {op: send, from: 5, to: 2, flits: 3}\n"
      "  - {op: all-gather, algorithm: halving-doubling, flits: 30, chunk: 4}\n"
      "  - {op: reduce-scatter, algorithm: bidirectional-ring, flits: 33, after: []}\n",
      "  - {op: all-reduce, flits: 8, group: c}\n  - {compute: 4}\n  - {op: all-to-all, algorithm: ring, flits: 16}\n"};
  for (const char* body : bodies)
    for (const char* reduce : {"0", "0.5"}) {
      const auto read =
          program(std::string("schema: 1\nranks: 8\nreduce: ") + reduce +
                  "\ngroups: {a: {blocks: 4}, b: {stride: 2}, c: [[0, 1, 2], [2, 3], [7]]}\nprogram:\n" + body);
      ProgramWorkload workload(read);
      GraphWorkload graph(graph_of(*read), 0);
      const std::vector<Creation> found = creations_of(workload);
      EXPECT_EQ(found.size(), static_cast<std::size_t>(*workload.message_count()));
      EXPECT_EQ(found, creations_of(graph)) << body;
      EXPECT_EQ(workload.last_event(), graph.last_event());
      EXPECT_TRUE(workload.waiting(9).empty());
      for (const OperationTimes& times : workload.operations()->times) {
        EXPECT_NE(times.start, no_step);
        EXPECT_GE(times.finish, times.start);
      }
      // An operation with data finishes with its last piece.
      std::map<std::uint32_t, Step> last;
      for (const ChunkTime& chunk : workload.operations()->chunks)
        last[chunk.instance] = std::max(last[chunk.instance], chunk.finish);
      for (const auto& [instance, finish] : last) {
        const OperationInstance& facts = read->instances()[instance];
        Step of_ranks = no_step;
        for (std::size_t part = 0; part < read->ranks_of(facts).size(); ++part)
          of_ranks = std::max(of_ranks, workload.operations()->times[facts.first_part + part].finish);
        EXPECT_GE(of_ranks, finish);
      }
    }
}

TEST_F(Programs, SayWhoWaits) {
  ProgramWorkload workload(program("schema: 1\nranks: 3\nprogram: [{op: broadcast, algorithm: chain, flits: 1}]"));
  std::vector<NewMessage> fresh;
  workload.create(0, fresh);
  EXPECT_THAT(workload.waiting(9),
              testing::ElementsAre("rank 1 waits in broadcast[0] for message 0 of rank 0, which was not delivered"));
  EXPECT_TRUE(workload.waiting(0).empty());
}

TEST(SnakeMapping, HasNeighboursNextToEachOther) {
  TrafficContext context;
  for (const Grid& grid : {Grid::mesh({3, 4}), Grid::mesh({5, 2}), Grid::torus({4, 3}), Grid::mesh({2, 3, 4})}) {
    context.processors.count = grid.nodes();
    context.processors.arrangement = grid;
    const std::vector<NodeId> mapping = mapped_by_rule("snake", static_cast<std::size_t>(grid.nodes()), context);
    EXPECT_EQ(std::set<NodeId>(mapping.begin(), mapping.end()).size(), mapping.size());
    for (std::size_t i = 1; i < mapping.size(); ++i) EXPECT_EQ(grid.distance(mapping[i - 1], mapping[i]), 1);
  }
  context.processors.arrangement = Grid::mesh({2, 3});
  EXPECT_THAT(mapped_by_rule("snake", 6, context), testing::ElementsAre(0, 1, 2, 5, 4, 3));
}

}  // namespace
}  // namespace starloom
